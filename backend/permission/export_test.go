package permission

import "github.com/voxpilot/voxpilot/backend"

// AtLook has the broker call at before it looks at the files that a line names.
func AtLook(d *Broker, at func()) {
	look := d.covers
	d.covers = func(s backend.Scope, folder, line string, anywhere bool) bool {
		at()
		return look(s, folder, line, anywhere)
	}
}
