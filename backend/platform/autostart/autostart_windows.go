package autostart

import (
	"errors"
	"os"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"golang.org/x/sys/windows/registry"
)

// run is the registry key with the programs that Windows starts at login. approved is the key with the
// states of their switches in Settings and the Task Manager. VoxPilot's value has the same name in both keys.
const (
	run      = `Software\Microsoft\Windows\CurrentVersion\Run`
	approved = `Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run`
	name     = "VoxPilot"
)

// On reports whether Windows starts VoxPilot at login.
func On() (bool, error) {
	command, err := read()
	if command == "" || err != nil {
		return false, err
	}
	key, err := registry.OpenKey(registry.CURRENT_USER, approved, registry.QUERY_VALUE)
	if err != nil {
		return true, nil // no entry was ever turned off
	}
	defer func() { _ = key.Close() }()
	state, _, err := key.GetBinaryValue(name)
	return err != nil || isApproved(state), nil
}

// Set sets whether VoxPilot starts at login.
func Set(on bool) error {
	key, _, err := registry.CreateKey(registry.CURRENT_USER, run, registry.SET_VALUE)
	if err != nil {
		return failed(backend.Say("the registry"), err)
	}
	defer func() { _ = key.Close() }()
	if on {
		var self string
		if self, err = os.Executable(); err == nil {
			err = key.SetStringValue(name, `"`+self+`" `+hidden)
		}
	} else {
		err = key.DeleteValue(name)
	}
	if err == nil || errors.Is(err, registry.ErrNotExist) {
		err = approve()
	}
	if err != nil {
		return failed(backend.Say("the registry"), err)
	}
	return nil
}

// Mend repairs VoxPilot's entry if the entry is turned on and its program no longer exists. The entry then starts
// the program that is running now.
func Mend() error {
	command, err := read()
	if command == "" || err != nil {
		return err
	}
	if on, err := On(); !on || err != nil {
		return err
	}
	program, _, _ := strings.Cut(strings.TrimPrefix(command, `"`), `"`)
	if _, err := os.Stat(program); err == nil {
		return nil
	}
	return Set(true)
}

func read() (string, error) {
	key, err := registry.OpenKey(registry.CURRENT_USER, run, registry.QUERY_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	defer func() { _ = key.Close() }()
	command, _, err := key.GetStringValue(name)
	if errors.Is(err, registry.ErrNotExist) {
		return "", nil
	}
	return command, err
}

// approve removes the record that marks the entry as turned off by the user.
func approve() error {
	key, err := registry.OpenKey(registry.CURRENT_USER, approved, registry.SET_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer func() { _ = key.Close() }()
	if err := key.DeleteValue(name); !errors.Is(err, registry.ErrNotExist) {
		return err
	}
	return nil
}
