package session

import (
	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/diff"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// covers returns a test of grants, which reports whether a grant covers the write
// of text, which is to take the place of what is in the file now: it is the file that
// was decided on and, if a change of it was shown, that change. It reads the file at
// once, so that the test needs no disk.
func covers(place workspace.Place, text string) func(grant) bool {
	was, err := place.Read(0, 0)
	readable := err == nil || backend.CodeOf(err) == backend.CodeNotFound
	return func(g grant) bool {
		return g.write && g.path == place.Path && (g.shown == nil || readable && diff.Applied(was, text, g.shown))
	}
}
