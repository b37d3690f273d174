//go:build unix

package sessionfiles

import (
	"io/fs"
	"syscall"
)

// openFlags are the flags for opening files. With them, opening a file that was replaced with a pipe doesn't block.
const openFlags = syscall.O_NONBLOCK

// ownerOf returns the numeric ID of the user who owns the file, or -1 if unknown.
func ownerOf(info fs.FileInfo) int {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(s.Uid)
	}
	return -1
}
