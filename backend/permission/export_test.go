package permission

import "github.com/voxpilot/voxpilot/backend"

// OnInspect makes the broker d call a function whenever it is about to resolve the files named by a command.
func OnInspect(d *Broker, at func()) {
	look := d.covers
	d.covers = func(s backend.Scope, folder, line string, anywhere bool) bool {
		at()
		return look(s, folder, line, anywhere)
	}
}
