package desktop

import (
	"github.com/voxpilot/voxpilot/backend/platform/power"
)

// watchPower has what happens to the computer dealt with until the app closes.
func (d *Desktop) watchPower() { go power.Watch(d.API.Life, d.powerEvents(), d.API.Log) }

// powerEvents are what follows from what happens to the computer. On a locked
// screen VoxPilot works on, and asks and answers as ever: nobody answers in the
// user's place.
func (d *Desktop) powerEvents() power.Events {
	awake := func(why string) func() {
		return func() {
			d.API.Log.Info("agents are looked after", "after", why)
			if e, _ := d.API.Current(); e != nil {
				e.OnWake()
			}
		}
	}
	return power.Events{
		Sleep: d.API.Save,
		Ending: func() {
			d.API.Save()
			d.quit() // also where the system would end it without asking
		},
		Resume:         awake("a sleep"),
		NetworkChanged: awake("a change of networks"),
		Unlocked:       awake("the screen was locked"), // the keychain may have been, too
	}
}
