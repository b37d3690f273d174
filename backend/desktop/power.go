package desktop

import (
	"github.com/voxpilot/voxpilot/backend/platform/power"
)

// watchPower handles power and session events until the app closes.
func (d *Desktop) watchPower() { go power.Watch(d.API.Life, d.powerEvents(), d.API.Log) }

// powerEvents returns the handlers for power and session events. A locked screen changes nothing:
// VoxPilot keeps running and never answers requests on the user's behalf.
func (d *Desktop) powerEvents() power.Events {
	awake := func(why string) func() {
		return func() {
			d.API.Log.Info("checking the agents", "after", why)
			if e, _ := d.API.Current(); e != nil {
				e.OnWake()
			}
		}
	}
	return power.Events{
		Sleep: d.API.Save,
		Ending: func() {
			d.API.Save()
			d.quit() // the system may otherwise end the process without letting it close
		},
		Resume:         awake("a sleep"),
		NetworkChanged: awake("a change of networks"),
		Unlocked:       awake("the screen was locked"), // the keychain may have been locked too
	}
}
