package main

import (
	"context"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// quit ends the app without asking.
func (a *App) quit() {
	if !a.quitting.Swap(true) { // two quits at the same time crash GTK
		a.desktop().quit()
	}
}

// askedToQuit ends the app, and asks before where chats are at work.
func (a *App) askedToQuit() {
	if e, running := a.atWork(); running > 0 {
		a.askToQuit(e, running)
	} else {
		a.quit()
	}
}

// atWork is how many chats are at work now.
func (a *App) atWork() (e *Engine, running int) {
	e, _ = a.Now()
	if e != nil {
		running = e.chats.Running()
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
func (a *App) beforeClose(context.Context) (stay bool) {
	a.keepWindow()
	if a.quitting.Load() {
		return false
	}
	e, running := a.atWork()
	switch {
	case e == nil:
		return false
	case a.frame.hides() && (running > 0 || e.currentSettings().CloseToTray):
		go a.hide() // the window's own thread may be the one that called
		return true
	case running > 0:
		go a.askToQuit(e, running)
		return true
	}
	return false
}

func (a *App) askToQuit(e *Engine, running int) {
	beat, dead := a.pulse.next()
	if !dead {
		e.feed.Publish(backend.Event{QuitAsked: &backend.QuitAsked{Running: running}})
		a.desktop().show() // the question is in the window, which may be minimised
		late := time.NewTimer(a.quitAnswer)
		defer late.Stop()
		select {
		case <-beat:
			return
		case <-a.life.Done():
			return
		case <-late.C:
		}
	}
	if a.quitting.Load() || a.asking.Swap(true) {
		return
	}
	defer a.asking.Store(false)
	s := a.says()
	if a.desktop().ask(s.stillRun(running), s.stops, s.quit, s.keep) {
		a.quit()
	}
}
