package undo

import (
	"maps"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// keepMoved adds a file to p.unsure if the file's content came from another file that isn't restored. For example, the
// user changed a file, and the agent then renamed it. If the new file were removed without the old one coming back, the
// content would be lost. The parameter steps holds the changes that the plan reverts, by file. The parameter later
// holds the changes since the last of them; it is needed if steps can hold a change and its reversal.
func (p *plan) keepMoved(steps map[string][]step, later []snapshot.Item) {
	type leaving struct { // content that a file lost during a span
		after   snapshot.ID
		content snapshot.Hash
	}
	type position struct { // of one of the steps of a file
		path string
		i    int
	}
	arrivals, bySpan := map[leaving][]position{}, map[snapshot.ID][]position{}
	for _, path := range slices.Sorted(maps.Keys(steps)) {
		for i, s := range steps[path] {
			if s.to.Kind == snapshot.File && s.to.Size > 0 && s.to.Hash != s.from.Hash {
				l := leaving{s.after, s.to.Hash}
				arrivals[l] = append(arrivals[l], position{path, i})
				bySpan[s.after] = append(bySpan[s.after], position{path, i})
			}
		}
	}
	items := map[string]*snapshot.Item{}
	for i := range p.Items {
		items[p.Items[i].Path] = &p.Items[i]
	}
	stay := slices.Sorted(maps.Keys(p.unsure))
	for _, it := range p.Items {
		if it.State == snapshot.Conflict {
			stay = append(stay, it.Path)
		}
	}
	for _, it := range later { // such a file isn't in the plan if its steps have reverted one another
		if items[it.Path] == nil && len(steps[it.Path]) > 0 {
			stay = append(stay, it.Path)
		}
	}
	share := newShares(p.st)
	// arrived returns the steps in which files got the content that a file had before one of its steps, c.
	arrived := func(c position) (all []position) {
		s := steps[c.path][c.i]
		all = slices.Clone(arrivals[leaving{s.after, s.from.Hash}])
		if len(all) == 0 && s.from.Kind == snapshot.File && share.of(s.from, s.to) <= 0.5 {
			for _, a := range bySpan[s.after] {
				if got := steps[a.path][a.i]; share.took(s.from, got.from, got.to) {
					all = append(all, a)
				}
			}
		}
		if len(all) == 0 && s.from.Kind == snapshot.File { // it was split
			var parts []step
			for _, a := range bySpan[s.after] {
				parts = append(parts, steps[a.path][a.i])
			}
			for _, i := range share.split(s, parts) {
				all = append(all, bySpan[s.after][i])
			}
		}
		for i := c.i + 1; i < len(steps[c.path]); i++ { // an operation returned it, for example by going back
			again := steps[c.path][i]
			if again.isOperation && again.to.Kind == snapshot.File && again.to.Hash == s.from.Hash && again.to.Hash != again.from.Hash {
				all = append(all, position{c.path, i})
			}
		}
		return all
	}
	seen := map[position]bool{}
	var follow func(c position, from string)
	follow = func(c position, from string) {
		if seen[c] {
			return
		}
		seen[c] = true
		for _, a := range arrived(c) {
			if it := items[a.path]; it != nil && a.path != from {
				it.Mergeable = false // a merge would also remove the content
				delete(p.merged, a.path)
			}
			hasLeft := false
			for i := a.i + 1; i < len(steps[a.path]) && !hasLeft; i++ {
				s := steps[a.path][i]
				hasLeft = s.from.Kind != snapshot.File || s.to.Kind != snapshot.File
				if hasLeft || share.of(s.from, s.to) <= 0.5 { // another file may have the content, or an operation may have returned it
					follow(position{a.path, i}, from)
				}
			}
			if _, isUnsure := p.unsure[a.path]; !hasLeft && !isUnsure {
				p.unsure[a.path] = backend.Say("The content of this file came from %s, which stays as it is.", from)
				stay = append(stay, a.path)
			}
		}
	}
	for i := 0; i < len(stay); i++ { // stay grows
		for n := range steps[stay[i]] {
			follow(position{stay[i], n}, stay[i])
		}
	}
}

// steps returns the changes that a plan for one turn reverts, by file.
func (p *plan) steps() map[string][]step {
	all := map[string][]step{}
	for _, it := range p.Items {
		all[it.Path] = []step{{before: p.Before, after: p.After, from: it.Before, to: it.After}}
	}
	return all
}
