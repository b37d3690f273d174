// Package desktop manages the window and the app's integration into the user's desktop:
// the tray, notifications, the global shortcut, the menu bar, dialogs, the clipboard
// and power events. In the app, only this package, main and quick import Wails.
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

// Desktop is the app's window and its desktop integration: tray, notifications,
// shortcut, start at login and power events.
type Desktop struct {
	API   *engine.API
	Quick *quick.Prompt      // the quick prompt
	First *instance.Instance // serves later starts of VoxPilot; nil if they can't reach this process

	// quitAnswer is the time limit for the page to respond to a quit request with a heartbeat. If the page doesn't
	// respond, a native dialog asks the user instead.
	quitAnswer time.Duration
	watchdog   *watchdog
	win        atomic.Pointer[Window] // NoWindow until the window exists

	login     sync.Mutex                      // serializes reads and changes of start at login
	focus     focusState                      // the user's focus, for notifications
	Links     OnceLinks                       // for Windows, where a notification's buttons can only open links
	state     desktopState                    // the state to publish to the page
	placement windowPlacement                 // the window's placement and visibility
	tray      trayState                       // the state to show in the tray
	notifier  atomic.Pointer[notify.Notifier] // nil until the window exists

	quitting       atomic.Bool                    // the app is quitting and must not ask the user again
	next           atomic.Pointer[update.Package] // the version to install when this process exits
	isAskingToQuit atomic.Bool                    // a native quit dialog is open
}

// New returns the desktop integration of an app with the data directory dir. API.Start
// opens the database, and Startup starts the integration.
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
		d.API.Log.Warn("couldn't load the window position", "err", err)
	}
	return d
}

// Close saves all data and stops all parts of the app. It returns when they have stopped; slow parts may take until ctx
// ends.
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

// Options returns the window's options. If hidden is true, the window starts hidden in the tray. The caller adds the
// assets, the bindings, OnStartup and the options of each system.
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
		// The page has its own context menus, except in text fields on macOS.
		EnableDefaultContextMenu: runtime.GOOS == "darwin",

		DragAndDrop:    &options.DragAndDrop{EnableFileDrop: true},
		ErrorFormatter: func(err error) any { return d.errorForPage(err) },
		StartHidden:    hidden,
		OnBeforeClose:  d.beforeClose,
		OnShutdown:     d.Shutdown,
		Logger:         webview.Log{Logger: d.API.Log},
		LogLevel:       logger.WARNING,
		Linux:          &linux.Options{ProgramName: "voxpilot", WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
	}
}

// errorForPage returns the error that the page receives for a failed call. If err has no message for the user,
// errorForPage logs it, because the page then refers to the log.
func (d *Desktop) errorForPage(err error) *backend.Error {
	if backend.CodeOf(err) == "" {
		d.API.Log.Error("a call of the page failed", "err", err)
	}
	return backend.AsError(err)
}

// PickFolder opens the system's folder dialog; the result is published as an event with
// the same request ID.
func (d *Desktop) PickFolder(request string) { go d.pick(request, d.window().PickFolder) }

// PickFile opens the system's file dialog; the result is published like PickFolder's.
func (d *Desktop) PickFile(request string) { go d.pick(request, d.window().PickFile) }

// OpenURL opens a web address in the user's browser. It allows only http, https and mailto.
func (d *Desktop) OpenURL(address string) error {
	address, err := checkURL(address)
	if err != nil {
		return err
	}
	d.window().OpenURL(address)
	return nil
}

// Copy copies text to the clipboard.
func (d *Desktop) Copy(text string) error { return d.window().Copy(text) }

// Heartbeat records that the page is responding, and whether it is visible.
func (d *Desktop) Heartbeat(visible bool) {
	d.watchdog.heartbeat(visible)
	if visible {
		d.onShown()
	}
}

// WindowMoved saves the window's bounds after it may have moved or changed its size.
func (d *Desktop) WindowMoved() { go d.saveBounds() }

// Quit quits the app without asking, after the user has confirmed (backend.QuitRequested).
func (d *Desktop) Quit() { d.quit() }

// SetWindow replaces the functions through which the app uses the window.
func (d *Desktop) SetWindow(w *Window) { d.win.Store(w) }

// Show brings the window to the front.
func (d *Desktop) Show() { d.window().Show() }

// QuickPrompt opens the quick prompt, as its global shortcut does.
func (d *Desktop) QuickPrompt() error { return d.Quick.Show(func(error) {}) }
