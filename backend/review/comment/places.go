package comment

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
)

// Places returns the places of the comments on a file of a source, in the given version of that file. It leaves out
// comments whose lines aren't in that version. It returns CodeStale if the version is unknown.
func (m *Manager) Places(ctx context.Context, chatID, source, path, version string) ([]backend.ReviewPlace, error) {
	sides := map[backend.ReviewSide][]string{}
	for _, side := range []backend.ReviewSide{backend.OldSide, backend.NewSide} {
		lines, err := m.cfg.Lines(ctx, chatID, backend.NewReviewComment{Source: source, Path: path, Version: version, Side: side})
		if err != nil {
			return nil, err
		}
		compared(lines)
		sides[side] = lines
	}
	defer m.lock(chatID).Unlock()
	rows, err := m.cfg.Store.ReviewComments(ctx, chatID)
	if err != nil {
		return nil, err
	}
	found := map[int]Place{}
	for side, lines := range sides {
		for i, place := range m.follow(ctx, chatID, rows, byPath(rows, side)[path], lines) {
			found[i] = place
		}
	}
	list := []backend.ReviewPlace{}
	for i, c := range rows {
		if place, ok := found[i]; ok && place.Outcome == Followed {
			list = append(list, backend.ReviewPlace{ID: c.ID, Start: place.Start, End: place.End})
		}
	}
	return list, nil
}
