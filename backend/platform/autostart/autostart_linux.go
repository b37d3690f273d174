package autostart

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/voxpilot/voxpilot/backend"
)

// On reports whether the desktop starts VoxPilot at login.
func On() (bool, error) {
	kept, err := read()
	return isOn(kept), err
}

// Set sets whether VoxPilot starts at login.
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

// Mend repairs VoxPilot's entry if the entry is turned on and its program no longer exists. The entry then starts
// the program that is running now.
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

// write replaces the entry atomically, so that the desktop never reads a partial file.
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
		_ = os.Remove(next) // it may not exist
		return failed(backend.Plain(file), err)
	}
	return nil
}

// path returns the path of VoxPilot's entry. In Flatpak, it doesn't use XDG_CONFIG_HOME, which Flatpak
// sets to a private folder that the desktop doesn't read.
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

// command returns the command that the desktop runs to start this copy of VoxPilot. In Flatpak, that is
// "flatpak run", because the program's own path exists only inside the sandbox.
func command() ([]string, error) {
	if id := os.Getenv("FLATPAK_ID"); id != "" {
		return []string{"flatpak", "run", id, hidden}, nil
	}
	self, err := os.Executable()
	return []string{self, hidden}, err
}
