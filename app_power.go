package main

import (
	"github.com/voxpilot/voxpilot/backend/platform/power"
)

// watchPower has what happens to the computer dealt with until the app closes.
func (a *App) watchPower() { go power.Watch(a.life, a.powerEvents(), a.log) }

// powerEvents are what follows from what happens to the computer. On a locked
// screen VoxPilot works on, and asks and answers as ever: nobody answers in the
// user's place.
func (a *App) powerEvents() power.Events {
	awake := func(why string) func() {
		return func() {
			a.log.Info("agents are looked after", "after", why)
			if e, _ := a.Now(); e != nil {
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
