package undo

import (
	"context"
	"path/filepath"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// UndoneTurn is a turn whose changes are currently undone.
type UndoneTurn struct {
	StartedAt, EndedAt backend.Millis
	Paths              map[string]bool // absolute paths of the files that the undo changed
}

// Has reports whether a change that was made to a file at the given time belongs to the turn and is therefore undone,
// too.
func (u UndoneTurn) Has(path string, at backend.Millis) bool {
	return u.Paths[path] && u.StartedAt <= at && at <= u.EndedAt
}

// UndoneTurns returns the turns of a chat whose changes are undone. It leaves out those whose snapshots are no
// longer stored.
func (m *Manager) UndoneTurns(ctx context.Context, chat backend.Chat) ([]UndoneTurn, error) {
	rows, err := m.cfg.Store.TurnUndos(ctx, chat.ID)
	if err != nil {
		return nil, err
	}
	var undone []UndoneTurn
	var st *snapshot.Store
	for _, row := range rows {
		if row.State != backend.UndoUndone || row.UndoAfter == "" {
			continue
		}
		if st == nil {
			if st, err = m.stores.History(chat.ID); err != nil {
				return nil, err
			}
		}
		items, err := st.Changes(snapshot.ID(row.UndoBefore), snapshot.ID(row.UndoAfter))
		if err != nil {
			continue
		}
		turn, err := m.cfg.Store.Turn(ctx, row.TurnID)
		if err != nil {
			return nil, err
		}
		u := UndoneTurn{StartedAt: turn.StartedAt, EndedAt: turn.EndedAt, Paths: map[string]bool{}}
		for _, it := range items {
			u.Paths[filepath.Join(chat.Folder, filepath.FromSlash(it.Path))] = true
		}
		undone = append(undone, u)
	}
	return undone, nil
}
