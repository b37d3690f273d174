package undo

import (
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// lostRepositories returns each ".git" that existed before a turn but not after it, with the path to which it was
// moved, or "" if it was removed.
func lostRepositories(before, after []snapshot.Repository) map[string]string {
	has := func(all []snapshot.Repository, r snapshot.Repository) bool {
		return slices.ContainsFunc(all, func(o snapshot.Repository) bool { return o.Path == r.Path })
	}
	lost := map[string]string{}
	for _, r := range before {
		if has(after, r) {
			continue
		}
		lost[r.Path] = ""
		for _, o := range after {
			if r.Is(o) && !has(before, o) {
				lost[r.Path] = o.Path
			}
		}
	}
	return lost
}

// withoutRepositories returns the rows for the ".git" folders that the plan's turns removed or moved, and that are
// still missing.
func (m *Manager) withoutRepositories(p *plan) (rows []backend.UndoRest) {
	for _, d := range m.doubtsOf(p.chat.ID) {
		if d.TurnID != p.turn.ID && (!p.since || d.At < p.turn.StartedAt) {
			continue
		}
		for _, path := range slices.Sorted(maps.Keys(d.Repos)) {
			if _, err := os.Lstat(filepath.Join(p.chat.Folder, filepath.FromSlash(path))); err == nil {
				continue
			}
			reason := backend.Say("This repository was removed, along with its commits and branches.")
			if to := d.Repos[path]; to != "" {
				reason = backend.Say("This repository is now in %s and stays there.", to)
			}
			rows = append(rows, backend.UndoRest{What: path, Reason: reason})
		}
	}
	return rows
}
