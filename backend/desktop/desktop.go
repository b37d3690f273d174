// Package desktop is the window, and what surrounds it on the user's desktop: the
// tray, notifications, the global shortcut, the menu bar, dialogs, the clipboard,
// and what happens to the computer. It is the only one but main, package quick and
// package webview that knows Wails.
package desktop

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/linux"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/engine"
	"github.com/voxpilot/voxpilot/backend/platform/instance"
	"github.com/voxpilot/voxpilot/backend/platform/notify"
	"github.com/voxpilot/voxpilot/backend/quick"
	"github.com/voxpilot/voxpilot/backend/update"
	"github.com/voxpilot/voxpilot/backend/webview"
)

// Desktop is the app's window, and its place on the user's desktop: tray,
// notifications, shortcut, start at login, and what happens to the computer.
type Desktop struct {
	API   *engine.API
	Quick *quick.Prompt      // the quick prompt
	First *instance.Instance // answers later starts; nil where none can reach this one

	// quitAnswer is how long the page has to show that it lives before the system
	// asks in its place whether to quit. The page beats when it is asked.
	quitAnswer time.Duration
	watchdog   *watchdog
	win        atomic.Pointer[Window] // does nothing until the window exists

	login     sync.Mutex                      // one change, or look, at the start at login at a time
	focus     focusState                      // what the user looks at, for the notifications
	Links     OnceLinks                       // by which notifications are answered where they cannot be otherwise
	state     desktopState                    // of the app on the user's desktop
	placement windowPlacement                 // the window, as the desktop has it
	tray      trayState                       // what the tray is to tell
	notifier  atomic.Pointer[notify.Notifier] // nil until there is a window

	quitting       atomic.Bool                    // nobody is asked any more
	next           atomic.Pointer[update.Package] // the version that takes over when this process ends
	isAskingToQuit atomic.Bool                    // a question of the system's own, whether to quit, is open
}

// New makes the desktop of an app on the data directory dir. Its database is
// not opened before API.Start, and it does nothing before Startup.
func New(dir string, build engine.Build) *Desktop {
	d := &Desktop{focus: focusState{report: func(*notify.Notifier) {}}, quitAnswer: 5 * time.Second}
	d.SetWindow(NoWindow())
	d.watchdog = newWatchdog(d.frozen)
	d.tray.changed = make(chan struct{}, 1)
	d.state.version = build.Version
	d.API = engine.New(engine.Config{
		Dir: dir, Build: build,
		Emit: func(b backend.Batch) {
			d.watchdog.sent()
			d.window().Emit(b)
		},
		SaveFile: func(name string) (string, error) { return d.window().SaveFile(name) },
		Language: func() string { return d.tray.state().Language },
		Opened:   d.state.opened, Closed: d.state.closed,
		Install: func(p *update.Package) {
			d.next.Store(p)
			d.quit()
		},
		ShowChat: func(chatID string) { d.Navigate(backend.Navigation{For: backend.NavigateChat, ChatID: chatID}) },
	})
	d.Quick = quick.New(d.API, d.Navigate)
	if err := d.placement.read(dir); err != nil {
		d.API.Log.Warn("where the window was is not known", "err", err)
	}
	return d
}

// Close saves all, and ends what newDesktop began, in reverse. It returns when all of
// it is down; what takes its time does so until ctx ends.
func (d *Desktop) Close(ctx context.Context) error {
	d.API.BeginClose()
	if d.First != nil {
		d.First.Stop()
		defer d.First.Release()
	}
	d.Quick.Close()
	return d.API.Close(ctx, func() {
		d.watchdog.stop()
		d.placement.close()
	})
}

// Options are those of the window. What is in it, and what happens with it at the
// start, is the caller's.
func (d *Desktop) Options(hidden bool) *options.App {
	if hidden {
		d.placement.startHidden()
	}
	size := d.placement.begin()
	return &options.App{
		Title:            "VoxPilot",
		Width:            size.Width,
		Height:           size.Height,
		MinWidth:         minWidth,
		MinHeight:        minHeight,
		WindowStartState: size.state(),
		Menu:             d.menuBar(runtime.GOOS),
		BackgroundColour: options.NewRGB(0xF4, 0xF5, 0xF6),
		// The page has context menus of its own, except for the fields of macOS.
		EnableDefaultContextMenu: runtime.GOOS == "darwin",

		DragAndDrop:    &options.DragAndDrop{EnableFileDrop: true},
		ErrorFormatter: func(err error) any { return backend.AsError(err) },
		StartHidden:    hidden,
		OnBeforeClose:  d.beforeClose,
		OnShutdown:     d.Shutdown,
		Logger:         webview.Log{Logger: d.API.Log},
		LogLevel:       logger.WARNING,
		Linux:          &linux.Options{ProgramName: "voxpilot", WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
	}
}

// PickFolder opens the system's folder dialog; the answer comes as an event with
// the same request id.
func (d *Desktop) PickFolder(request string) { go d.pick(request, d.window().PickFolder) }

// PickFile opens the system's file dialog; the answer comes as PickFolder's does.
func (d *Desktop) PickFile(request string) { go d.pick(request, d.window().PickFile) }

// OpenURL opens a web address in the user's browser. Only http, https and mailto.
func (d *Desktop) OpenURL(address string) error {
	address, err := checkURL(address)
	if err != nil {
		return err
	}
	d.window().OpenURL(address)
	return nil
}

// Copy puts text on the clipboard.
func (d *Desktop) Copy(text string) error { return d.window().Copy(text) }

// Heartbeat says that the page draws, visibly or not.
func (d *Desktop) Heartbeat(visible bool) {
	d.watchdog.heartbeat(visible)
	if visible {
		d.onShown()
	}
}

// WindowMoved says that the window may be elsewhere, or of another size.
func (d *Desktop) WindowMoved() { go d.saveBounds() }

// Quit ends the app without asking: the user was asked (backend.QuitRequested).
func (d *Desktop) Quit() { d.quit() }

// SetWindow makes w the window, from now on.
func (d *Desktop) SetWindow(w *Window) { d.win.Store(w) }

// Show brings the window to the front.
func (d *Desktop) Show() { d.window().Show() }

// QuickPrompt opens the quick prompt, as its global shortcut does.
func (d *Desktop) QuickPrompt() error { return d.Quick.Show(func(error) {}) }
