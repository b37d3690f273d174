package main

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/voxpilot/voxpilot/backend/platform/power"
)

// saveTime bounds what is waited for before the computer sleeps or the session
// ends. Systems give programs two seconds and more.
const saveTime = 1500 * time.Millisecond

// watchPower has what happens to the computer dealt with until the app closes.
func (a *App) watchPower() { go power.Watch(a.life, a.powerEvents(), a.log) }

// powerEvents are what follows from what happens to the computer. On a locked
// screen VoxPilot works on, and asks and answers as ever: nobody answers in the
// user's place.
func (a *App) powerEvents() power.Events {
	awake := func(why string) func() {
		return func() {
			a.log.Info("agents are looked after", "after", why)
			if e := a.openEngine(); e != nil {
				e.awake()
			}
		}
	}
	return power.Events{
		Sleep: a.save,
		Ending: func() {
			a.save()
			a.quit() // also where the system would end it without asking
		},
		Resume:         awake("a sleep"),
		NetworkChanged: awake("a change of networks"),
		Unlocked:       awake("the screen was locked"), // the keychain may have been, too
	}
}

// openEngine is the engine; nil where it is not open.
func (a *App) openEngine() *engine {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.eng
}

// save has what is known on the disk.
func (a *App) save() {
	if e := a.openEngine(); e != nil {
		e.save()
	}
}

// save has everything that was published on the disk, also what the window was
// not shown yet. What cannot be written in time is not waited for.
func (e *engine) save() {
	ctx, cancel := context.WithTimeout(context.Background(), e.app.saveTime)
	defer cancel()
	began := time.Now()
	if err := errors.Join(e.feed.Flush(ctx), e.store.Sync(ctx)); err != nil {
		e.app.log.Warn("not all could be saved in time", "took", time.Since(began), "err", err)
		return
	}
	e.app.log.Info("all is saved", "took", time.Since(began))
}

// awake has GitHub asked about the sign-in again, agents that wait go on, and
// those that are ready looked at.
func (e *engine) awake() {
	if err := e.auth.Recheck(e.ctx); err != nil {
		e.app.log.Warn("the sign-in is not looked at", "err", err)
	}
	e.agents.mu.Lock()
	all := slices.Collect(maps.Values(e.agents.byChat))
	e.agents.mu.Unlock()
	for _, agent := range all {
		e.tasks.Go(agent.Awake)
	}
}
