package autostart

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/voxpilot/voxpilot/backend"
)

// On says whether the desktop starts VoxPilot when the user logs in.
func On() (bool, error) {
	kept, err := read()
	return isOn(kept), err
}

// Set has the desktop start VoxPilot when the user logs in, or not any more.
func Set(on bool) error {
	file, err := path()
	if err != nil {
		return failed(backend.Say("the autostart folder"), err)
	}
	if on {
		return write(file)
	}
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failed(backend.Plain(file), err)
	}
	return nil
}

// Mend corrects an entry whose program is not there any more.
func Mend() error {
	kept, err := read()
	if err != nil || !isOn(kept) {
		return err
	}
	if _, err := exec.LookPath(program(kept)); err == nil {
		return nil
	}
	return Set(true)
}

func read() (string, error) {
	file, err := path()
	if err != nil {
		return "", err
	}
	kept, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(kept), err
}

// write replaces the entry as a whole, so that a desktop never reads half of it.
func write(file string) error {
	command, err := command()
	if err != nil {
		return failed(backend.Plain(file), err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return failed(backend.Plain(file), err)
	}
	next := file + ".new"
	err = os.WriteFile(next, []byte(entry(command)), 0o600)
	if err == nil {
		err = os.Rename(next, file)
	}
	if err != nil {
		_ = os.Remove(next) // it may not be there
		return failed(backend.Plain(file), err)
	}
	return nil
}

// path is where the user's own entries are. A Flatpak has a folder of its own in
// XDG_CONFIG_HOME, which the desktop does not read.
func path() (string, error) {
	dir := os.Getenv("XDG_CONFIG_HOME")
	if os.Getenv("FLATPAK_ID") != "" {
		dir = os.Getenv("HOST_XDG_CONFIG_HOME")
	}
	if !filepath.IsAbs(dir) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(home, ".config")
	}
	return filepath.Join(dir, "autostart", ID+".desktop"), nil
}

// command starts this VoxPilot from outside of whatever it is packed in.
func command() ([]string, error) {
	if id := os.Getenv("FLATPAK_ID"); id != "" {
		return []string{"flatpak", "run", id, hidden}, nil
	}
	self, err := os.Executable()
	return []string{self, hidden}, err
}
