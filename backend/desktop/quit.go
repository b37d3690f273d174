package desktop

import (
	"context"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/engine"
	"github.com/voxpilot/voxpilot/backend/logfile"
	"github.com/voxpilot/voxpilot/backend/store"
)

// quit quits the app without asking.
func (d *Desktop) quit() {
	if !d.quitting.Swap(true) { // quitting twice at the same time crashes GTK
		d.window().Quit()
	}
}

// requestQuit quits the app. If chats are running, it asks the user first.
func (d *Desktop) requestQuit() {
	if e, running := d.runningChats(); running > 0 {
		d.askToQuit(e, running)
	} else {
		d.quit()
	}
}

// runningChats returns the engine and the number of running chats. The engine is nil if the database isn't open.
func (d *Desktop) runningChats() (e *engine.Engine, running int) {
	e, _ = d.API.Current()
	if e != nil {
		running = e.Chats.Running()
	}
	return e, running
}

// beforeClose is called by Wails before it closes the window for any reason, and reports whether to keep the
// window open. If there is a tray icon, the window is hidden instead of closed while chats are running, or always
// if the user has chosen that. Otherwise, if chats are running, the user is asked first: by the page or, if it
// doesn't respond, by a native dialog. Once the app is quitting, for example after a signal or a call of App.Quit,
// the user isn't asked. If Wails receives a signal just before QuitOnSignals does, the page still asks, but the app
// quits without waiting for an answer.
func (d *Desktop) beforeClose(context.Context) (stay bool) {
	d.saveBounds()
	if d.quitting.Load() {
		return false
	}
	e, running := d.runningChats()
	switch {
	case e == nil:
		return false
	case d.placement.hides() && (running > 0 || e.Setup.Settings().CloseToTray):
		go d.hide() // the window's own thread may be the caller
		return true
	case running > 0:
		go d.askToQuit(e, running)
		return true
	}
	return false
}

func (d *Desktop) askToQuit(e *engine.Engine, running int) {
	beat, dead := d.watchdog.next()
	if !dead {
		e.Bus.Publish(backend.Event{QuitRequested: &backend.QuitRequested{Running: running}})
		d.window().Show() // the window has the dialog and may be minimized
		late := time.NewTimer(d.quitAnswer)
		defer late.Stop()
		select {
		case <-beat:
			return
		case <-d.API.Life.Done():
			return
		case <-late.C:
		}
	}
	if d.quitting.Load() || d.isAskingToQuit.Swap(true) {
		return
	}
	defer d.isAskingToQuit.Store(false)
	w := d.messages()
	if d.window().Ask(w.Text(quitQuestion(running)), w.Say("Running agents will stop. You can continue their sessions the next time you open VoxPilot."), w.Say("Quit"), w.Say("Keep running")) {
		d.quit()
	}
}

// InstallUpdate installs the requested update, if there is one, and starts the new version. It is called after
// everything else in this process has stopped.
func (d *Desktop) InstallUpdate() {
	p := d.next.Load()
	if p == nil {
		return
	}
	log := d.API.Log
	if file, err := logfile.Open(filepath.Join(d.API.Dir, "logs"), slog.LevelInfo); err == nil { // the app has closed its log
		defer func() { _ = file.Close() }()
		log = file.Logger
	}
	readable := func() bool {
		return store.Inspect(context.Background(), d.API.Dir).Storage.State != backend.StorageNewer
	}
	if err := p.Install(d.API.Tokens.Environ(), readable, log); err != nil {
		log.Error("couldn't install the update", "version", p.Version, "err", err)
	}
}
