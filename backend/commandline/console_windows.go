package commandline

import (
	"os"

	"golang.org/x/sys/windows"
)

// AttachConsole has what is printed show in the terminal that VoxPilot was
// started from: a program with a window has no console on Windows. Output that
// leads elsewhere stays as it is.
func AttachConsole() {
	if out, err := windows.GetStdHandle(windows.STD_OUTPUT_HANDLE); len(os.Args) == 1 || err == nil && out != 0 {
		return
	}
	const parent = ^uintptr(0)
	if ok, _, _ := windows.NewLazySystemDLL("kernel32.dll").NewProc("AttachConsole").Call(parent); ok == 0 {
		return // it was started by no terminal
	}
	if console, err := os.OpenFile("CONOUT$", os.O_RDWR, 0); err == nil {
		os.Stdout, os.Stderr = console, console
	}
}

// giveForeground lets another process come to the front: Windows lets only the one
// do that which the user is at, and that is this one, since it was just started.
func giveForeground() {
	const anyProcess = ^uintptr(0)
	_, _, _ = windows.NewLazySystemDLL("user32.dll").NewProc("AllowSetForegroundWindow").Call(anyProcess)
}
