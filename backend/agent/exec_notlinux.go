//go:build unix && !linux

package agent

import "os"

func self() (string, error) { return os.Executable() }

func printer() (string, error) { return os.Executable() }

func beforeExec() { closeEachOnExec() }
