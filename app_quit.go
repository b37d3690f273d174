package main

import (
	"context"
	"fmt"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// quit ends the app without asking.
func (a *App) quit() {
	if !a.quitting.Swap(true) { // two quits at the same time crash GTK
		a.desktop().quit()
	}
}

// beforeClose is called by Wails before it closes the window, whoever wants
// that, and says whether it has to stay. While chats are at work the user is
// asked first: by the page, and where that does not answer, by the system.
// Signals and App.Quit never ask; where Wails hears a signal a moment before
// quitOnSignals does, the page asks in vain and the app ends without an answer.
func (a *App) beforeClose(context.Context) (stay bool) {
	if a.quitting.Load() {
		return false
	}
	a.mu.Lock()
	e := a.eng
	a.mu.Unlock()
	if e == nil {
		return false
	}
	running := e.chats.Running()
	if running == 0 {
		return false
	}
	go a.askToQuit(e, running)
	return true
}

// quitAnswer is how long the page has to show that it lives before the system
// asks in its place. A page in sight beats every two seconds.
var quitAnswer = 5 * time.Second

func (a *App) askToQuit(e *engine, running int) {
	beat, dead := a.pulse.next()
	if !dead {
		e.feed.Publish(backend.Event{QuitAsked: &backend.QuitAsked{Running: running}})
		a.desktop().show() // the question is in the window, which may be minimised
		late := time.NewTimer(quitAnswer)
		defer late.Stop()
		select {
		case <-beat:
			return
		case <-e.ctx.Done():
			return
		case <-late.C:
		}
	}
	if a.quitting.Load() || a.asking.Swap(true) {
		return
	}
	defer a.asking.Store(false)
	chats := "1 chat is still running."
	if running > 1 {
		chats = fmt.Sprintf("%d chats are still running.", running)
	}
	if a.desktop().ask(chats+" Quit anyway?", "Copilot stops; you can pick the sessions up next time.", "Quit", "Keep running") {
		a.quit()
	}
}
