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

// quit ends the app without asking.
func (d *Desktop) quit() {
	if !d.quitting.Swap(true) { // two quits at the same time crash GTK
		d.window().Quit()
	}
}

// requestQuit ends the app, and asks before where chats are at work.
func (d *Desktop) requestQuit() {
	if e, running := d.runningChats(); running > 0 {
		d.askToQuit(e, running)
	} else {
		d.quit()
	}
}

// runningChats is how many chats are at work now.
func (d *Desktop) runningChats() (e *engine.Engine, running int) {
	e, _ = d.API.Current()
	if e != nil {
		running = e.Chats.Running()
	}
	return e, running
}

// beforeClose is called by Wails before it closes the window, whoever wants
// that, and says whether it has to stay. Where a tray shows VoxPilot, the window
// goes there while chats are at work, or whenever the user wants that. Else the
// user is asked before work ends: by the page, and where that does not answer, by
// the system. Signals and App.Quit never ask; where Wails hears a signal a moment
// before quitOnSignals does, the page asks in vain and the app ends without an
// answer.
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
		go d.hide() // the window's own thread may be the one that called
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
		d.window().Show() // the question is in the window, which may be minimised
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
	if d.window().Ask(w.Text(quitQuestion(running)), w.Say("Copilot stops; you can pick the sessions up next time."), w.Say("Quit"), w.Say("Keep running")) {
		d.quit()
	}
}

// InstallUpdate puts the version that the user wants into place, and starts it.
// It is called when all else of this process has ended.
func (d *Desktop) InstallUpdate() {
	p := d.next.Load()
	if p == nil {
		return
	}
	log := d.API.Log
	if file, err := logfile.Open(filepath.Join(d.API.Dir, "logs"), slog.LevelInfo); err == nil { // it was closed with the app
		defer func() { _ = file.Close() }()
		log = file.Logger
	}
	readable := func() bool {
		return store.Inspect(context.Background(), d.API.Dir).Storage.State != backend.StorageNewer
	}
	if err := p.Install(d.API.Tokens.Environ(), readable, log); err != nil {
		log.Error("the update was not installed", "version", p.Version, "err", err)
	}
}
