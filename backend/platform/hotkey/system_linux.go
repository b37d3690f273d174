package hotkey

import "github.com/voxpilot/voxpilot/backend"

import "os"

// open finds the way of this desktop. On Wayland only the desktop itself sees all
// keys: a grab of X11 would work in some windows and not in others.
func open(pressed, lost func()) (system, error) {
	switch {
	case os.Getenv("WAYLAND_DISPLAY") != "" || os.Getenv("XDG_SESSION_TYPE") == "wayland":
		return openPortal(pressed, lost)
	case os.Getenv("DISPLAY") != "":
		return openX11(pressed, lost)
	}
	return nil, unsupportedError{backend.Say("No desktop session was found that can register a shortcut.")}
}
