package undo

import (
	"maps"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// keepMoved adds a file to p.unsure if the file's content came from another file that isn't restored. For example, the
// user changed a file, and the agent then renamed it. If the new file were removed without the old one coming back, the
// content would be lost. The parameter steps holds the changes that the plan takes back, by file.
func (p *plan) keepMoved(steps map[string][]step) {
	type leaving struct { // a content that a file lost during a span
		after   snapshot.ID
		content snapshot.Hash
	}
	type arrival struct { // the step in which a file got its content
		path string
		i    int
	}
	arrivals := map[leaving][]arrival{}
	for path, all := range steps {
		for i, s := range all {
			if s.to.Kind == snapshot.File && s.to.Size > 0 && s.to.Hash != s.from.Hash {
				l := leaving{s.after, s.to.Hash}
				arrivals[l] = append(arrivals[l], arrival{path, i})
			}
		}
	}
	stay := slices.Sorted(maps.Keys(p.unsure))
	for _, it := range p.Items {
		if it.State == snapshot.Conflict {
			stay = append(stay, it.Path)
		}
	}
	seen := map[arrival]bool{}
	var follow func(s step, from string)
	follow = func(s step, from string) {
		for _, a := range arrivals[leaving{s.after, s.from.Hash}] {
			later := steps[a.path][a.i+1:]
			end := slices.IndexFunc(later, func(s step) bool { return s.from.Kind != snapshot.File || s.to.Kind != snapshot.File })
			_, isUnsure := p.unsure[a.path]
			switch {
			case seen[a]:
			case end >= 0:
				seen[a] = true
				follow(later[end], from)
			case !isUnsure:
				p.unsure[a.path] = backend.Say("Its content came from %s, which stays as it is.", from)
				stay = append(stay, a.path)
			}
		}
	}
	for i := 0; i < len(stay); i++ { // stay grows
		for _, s := range steps[stay[i]] {
			follow(s, stay[i])
		}
	}
}

// steps returns the changes that a plan for one turn takes back, by file.
func (p *plan) steps() map[string][]step {
	all := map[string][]step{}
	for _, it := range p.Items {
		all[it.Path] = []step{{p.Before, p.After, it.Before, it.After}}
	}
	return all
}
