package practice

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
)

//go:embed folder
var files embed.FS

const greeting = "greeting.txt"

// script returns the name of the script in the practice folder.
func script() string {
	if runtime.GOOS == "windows" {
		return "hello.cmd"
	}
	return "hello.sh"
}

// Folder fills dir with the practice project, creating it if needed. Existing files aren't changed, so
// it can be called at every start: the user's changes remain, and deleted files are restored.
func Folder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("making the practice folder: %w", err)
	}
	for _, name := range []string{"README.md", greeting, script()} {
		data, err := files.ReadFile(path.Join("folder", name))
		if err != nil {
			return fmt.Errorf("making the practice folder: %w", err)
		}
		if err := create(filepath.Join(dir, name), data); err != nil {
			return fmt.Errorf("making the practice folder: %w", err)
		}
	}
	return nil
}

// create writes a file unless it already exists.
func create(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err = f.Write(data); err == nil {
		return f.Close()
	}
	return errors.Join(err, f.Close(), os.Remove(name))
}
