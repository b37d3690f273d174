//go:build unix

package trust

import (
	"fmt"
	"io/fs"
	"syscall"
)

// fileID returns the identity of a file.
func fileID(info fs.FileInfo) string {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return fmt.Sprint(s.Dev, ":", s.Ino)
	}
	return fmt.Sprint(info.Size(), info.ModTime().UnixNano())
}
