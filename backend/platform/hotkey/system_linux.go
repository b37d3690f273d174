package hotkey

import "github.com/voxpilot/voxpilot/backend"

import "os"

// open returns the implementation for this desktop. On Wayland, only the desktop sees
// all keys: an X11 grab would work in some windows only.
func open(pressed, lost func()) (system, error) {
	switch {
	case os.Getenv("WAYLAND_DISPLAY") != "" || os.Getenv("XDG_SESSION_TYPE") == "wayland":
		return openPortal(pressed, lost)
	case os.Getenv("DISPLAY") != "":
		return openX11(pressed, lost)
	}
	return nil, unsupportedError{backend.Say("This desktop doesn't support global shortcuts.")}
}
