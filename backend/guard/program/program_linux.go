// Package program contains the guard's hook program.
package program

import (
	"bytes"
	"compress/gzip"
	"embed"
	"errors"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// made contains made/hook.gz, the compressed program, which the Makefile builds from backend/guard/hook. A plain
// `go build` doesn't build that file, so it may be missing.
//
//go:embed all:made
var made embed.FS

// Write writes the hook program to dir, unless dir already contains it, and returns its path. It fails if this
// build doesn't contain the program, or if the file system of dir doesn't allow running programs.
func Write(dir string) (string, error) {
	program, err := unpack()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return "", err
	}
	if fs.Flags&unix.ST_NOEXEC != 0 {
		return "", errors.New("programs in the data folder can't be run")
	}
	path := filepath.Join(dir, "hook")
	if written, err := os.ReadFile(path); err == nil && bytes.Equal(written, program) {
		return path, os.Chmod(path, 0o700)
	}
	temp := path + ".new"
	err = os.WriteFile(temp, program, 0o700)
	if err == nil {
		err = os.Rename(temp, path) // a command in the sandbox may still run the old one
	}
	if err != nil {
		return "", errors.Join(err, os.Remove(temp)) // an incomplete file would use up a nearly full disk
	}
	return path, nil
}

// unpack returns the program.
func unpack() ([]byte, error) {
	file, err := made.Open("made/hook.gz")
	if err != nil {
		return nil, err
	}
	packed, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(packed)
}
