package main

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/voxpilot/voxpilot/backend/platform/instance"
	"github.com/voxpilot/voxpilot/backend/platform/notify"
	"github.com/voxpilot/voxpilot/backend/update"
)

// App is what the window can ask for: every exported method is bound. Each
// checks its input, calls the one package that does the work, and returns at
// once; what comes of it comes as events (backend.Event). Bodies and lists are
// pulled from the paths in app_data.go.
//
// Errors are *backend.Error; the page gets them as {code, message, detail}.
type App struct {
	*API
	// quitAnswer is how long the page has to show that it lives before the system
	// asks in its place whether to quit. The page beats when it is asked.
	quitAnswer time.Duration
	pulse      *pulse
	desk       atomic.Pointer[desktop] // does nothing until the window exists

	first    *instance.Instance              // answers later starts; nil where none can reach this one
	quick    *quick                          // the quick prompt
	asks     asks                            // of command lines
	login    sync.Mutex                      // one change, or look, at the start at login at a time
	looking  looking                         // what the user looks at, for the notifications
	links    onceLinks                       // by which notifications are answered where they cannot be otherwise
	place    place                           // of the app on the user's desktop
	frame    frame                           // the window, as the desktop has it
	tray     trayState                       // what the tray is to tell
	notifier atomic.Pointer[notify.Notifier] // nil until there is a window

	quitting atomic.Bool                    // nobody is asked any more
	next     atomic.Pointer[update.Package] // the version that takes over when this process ends
	asking   atomic.Bool                    // a question of the system's own, whether to quit, is open
}

// PickFolder opens the system's folder dialog; the answer comes as an event
// with the same request id.
func (a *App) PickFolder(request string) { go a.pick(request, a.desktop().pickFolder) }

// PickFile opens the system's file dialog; the answer comes as an event with
// the same request id.
func (a *App) PickFile(request string) { go a.pick(request, a.desktop().pickFile) }

// OpenURL opens a web address in the user's browser. Only http, https and mailto.
func (a *App) OpenURL(address string) error {
	address, err := checkURL(address)
	if err != nil {
		return err
	}
	a.desktop().openURL(address)
	return nil
}

// Quit ends VoxPilot without asking: the user was asked (backend.QuitAsked).
func (a *App) Quit() { a.quit() }

// Copy puts text on the clipboard.
func (a *App) Copy(text string) error { return a.desktop().copy(text) }

// Log takes an error of the page into the log file.
func (a *App) Log(level, message string) { a.logPage(level, message) }

// Heartbeat says that the page draws. While it is visible the page calls it every
// 20 seconds, or every five minutes where nothing comes; and when it appears, when it is
// hidden (visible=false), and when the user is asked whether to quit.
func (a *App) Heartbeat(visible bool) {
	a.pulse.beat(visible)
	if visible {
		a.seen()
	}
}

// Placed says that the window may be elsewhere, or of another size. The page calls
// it when it has loaded, when the user turns to something else, after a change of its
// size, and with a heartbeat after it was moved.
func (a *App) Placed() { go a.keepWindow() }
