package autostart

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// On reports whether macOS starts VoxPilot at login.
func On() (bool, error) {
	kept, err := read()
	if kept == "" || err != nil {
		return false, err
	}
	printed, err := launchctl("print-disabled", domain())
	return err != nil || !switchedOff(printed), nil // if launchctl fails, the entry counts as turned on
}

// Set sets whether VoxPilot starts at login.
func Set(on bool) error {
	file, err := path()
	if err != nil {
		return failed(backend.Say("the autostart folder"), err)
	}
	if !on {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return failed(backend.Plain(file), err)
		}
		return nil
	}
	self, err := os.Executable()
	if err == nil {
		err = os.MkdirAll(filepath.Dir(file), 0o700)
	}
	if err == nil {
		err = os.WriteFile(file, []byte(plist([]string{self, hidden})), 0o600)
	}
	if err == nil {
		_, err = launchctl("enable", domain()+"/"+ID) // it may have been turned off
	}
	if err != nil {
		return failed(backend.Plain(file), err)
	}
	return nil
}

// Mend repairs VoxPilot's entry if the entry is turned on and its program no longer exists. The entry then starts
// the program that is running now.
func Mend() error {
	kept, err := read()
	if kept == "" || err != nil {
		return err
	}
	if on, err := On(); !on || err != nil {
		return err
	}
	if _, err := os.Stat(started(kept)); err == nil {
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

func path() (string, error) {
	home, err := os.UserHomeDir()
	return filepath.Join(home, "Library", "LaunchAgents", ID+".plist"), err
}

// domain returns the launchctl domain of the user's session.
func domain() string { return "gui/" + strconv.Itoa(os.Getuid()) }

func launchctl(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	printed, err := exec.CommandContext(ctx, "/bin/launchctl", args...).Output()
	return string(printed), err
}
