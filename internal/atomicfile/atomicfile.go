// Package atomicfile writes files atomically.
package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Write atomically replaces the file at path with the data that the given function writes. If Write returns an
// error, the old file remains. Only the file's owner can read the new file.
func Write(path string, write func(io.Writer) error) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".voxpilot-*")
	if err != nil {
		return err
	}
	err = write(file)
	if err == nil {
		err = file.Sync()
	}
	err = errors.Join(err, file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}
