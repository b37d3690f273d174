package commandline

import (
	"os"

	"golang.org/x/sys/windows"
)

// AttachConsole makes output appear in the terminal from which VoxPilot was started,
// because Windows gives GUI programs no console. Redirected output stays redirected.
func AttachConsole() {
	if out, err := windows.GetStdHandle(windows.STD_OUTPUT_HANDLE); len(os.Args) == 1 || err == nil && out != 0 {
		return
	}
	const parent = ^uintptr(0)
	if ok, _, _ := windows.NewLazySystemDLL("kernel32.dll").NewProc("AttachConsole").Call(parent); ok == 0 {
		return // not started from a terminal
	}
	if console, err := os.OpenFile("CONOUT$", os.O_RDWR, 0); err == nil {
		os.Stdout, os.Stderr = console, console
	}
}

// giveForeground allows another process to come to the front. On Windows, only the process in the foreground can
// allow this. This process is in the foreground because it was just started.
func giveForeground() {
	const anyProcess = ^uintptr(0)
	_, _, _ = windows.NewLazySystemDLL("user32.dll").NewProc("AllowSetForegroundWindow").Call(anyProcess)
}
