package autostart

import (
	"errors"
	"os"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"golang.org/x/sys/windows/registry"
)

// run has what Windows starts when the user logs in, and approved what the user
// switched off of it in the Settings or the Task Manager. The value has one name
// in both.
const (
	run      = `Software\Microsoft\Windows\CurrentVersion\Run`
	approved = `Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run`
	name     = "VoxPilot"
)

// On says whether Windows starts VoxPilot when the user logs in.
func On() (bool, error) {
	command, err := read()
	if command == "" || err != nil {
		return false, err
	}
	key, err := registry.OpenKey(registry.CURRENT_USER, approved, registry.QUERY_VALUE)
	if err != nil {
		return true, nil // nothing was ever switched off
	}
	defer func() { _ = key.Close() }()
	state, _, err := key.GetBinaryValue(name)
	return err != nil || isApproved(state), nil
}

// Set has Windows start VoxPilot when the user logs in, or not any more.
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

// Mend corrects an entry whose program is not there any more.
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

// approve forgets that the user switched it off.
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
