package comment

import (
	"context"
	"path"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// Limits for finding a moved file that was also edited.
const (
	maxCandidates = 200 // number of new files that are compared
	minAlike      = 0.5 // share of the larger file, in bytes of lines, that is also in the other one
)

// movedTo returns the path to which a file was moved between two snapshots, and the file's lines at that path. It
// returns "" if no new file has the same content or at least half of it, if several new files are equally likely, or if
// there are too many new files. The file must be in the first snapshot and not in the second. was holds its lines.
func movedTo(history *snapshot.Store, before, after, from string, file snapshot.Entry, was []string) (to string, now []string, err error) {
	items, err := history.Changes(snapshot.ID(before), snapshot.ID(after))
	if err != nil {
		return "", nil, err
	}
	items = slices.DeleteFunc(items, func(it snapshot.Item) bool {
		return it.Before.Kind != snapshot.None || it.After.Kind != snapshot.File || it.After.Size > maxFile
	})
	var same []string
	for _, it := range items {
		if it.After.Hash == file.Hash {
			same = append(same, it.Path)
		}
	}
	if len(same) > 1 {
		same = slices.DeleteFunc(same, func(p string) bool { return path.Base(p) != path.Base(from) })
	}
	switch {
	case len(same) == 1 && len(was) > 0:
		return same[0], was, nil
	case len(same) > 0 || len(items) > maxCandidates:
		return "", nil, nil
	}
	sizes, total := map[string]int{}, 0
	for _, line := range was {
		sizes[line] += len(line)
		total += len(line)
	}
	best, isTied := 0.0, false
	for _, it := range items {
		e, lines, err := readSnapshot(history, after, it.Path)
		if err != nil {
			return "", nil, err
		}
		if e.Kind != snapshot.File {
			continue
		}
		size, common, left := 0, 0, map[string]int{}
		for _, line := range lines {
			size += len(line)
			left[line] += len(line)
		}
		for line, n := range left {
			common += min(n, sizes[line])
		}
		if size+total == 0 {
			continue
		}
		switch alike := float64(common) / float64(max(size, total)); {
		case alike < minAlike || alike < best:
		case alike == best:
			isTied = true
		default:
			to, now, best, isTied = it.Path, lines, alike, false
		}
	}
	if isTied {
		return "", nil, nil
	}
	return to, now, nil
}

// carry moves comments along with files that an undo or redo of a turn has moved. A comment whose lines can't be found
// at the new path stays at the old path.
func (m *Manager) carry(ctx context.Context, u backend.TurnUndo) error {
	chat, err := m.cfg.Chat(u.ChatID)
	if err != nil {
		return err
	}
	before, after := u.Before, u.After
	if u.State == backend.UndoUndone {
		before, after = after, before
	}
	defer m.lock(u.ChatID).Unlock()
	rows, err := m.cfg.Store.ReviewComments(ctx, u.ChatID)
	if err != nil || len(rows) == 0 {
		return err
	}
	history, err := m.cfg.Undo.Snapshots().History(u.ChatID)
	if err != nil {
		return err
	}
	var moved []backend.ReviewComment
	for from, indexes := range byPath(rows, backend.NewSide) {
		budget := int64(maxFiles)
		if !readFile(chat.Folder, from, &budget).isMissing {
			continue
		}
		file, was, err := readSnapshot(history, before, from)
		if err != nil || file.Kind != snapshot.File {
			continue // for example, the snapshot no longer exists
		}
		if gone, _, err := readSnapshot(history, after, from); err != nil || gone.Kind != snapshot.None {
			continue
		}
		to, now, err := movedTo(history, before, after, from, file, was)
		if err != nil || to == "" {
			continue
		}
		places := m.follow(ctx, u.ChatID, rows, indexes, now)
		for _, i := range indexes {
			if places[i].Outcome == Followed {
				c := rows[i]
				c.Path, c.Start, c.End = to, places[i].Start, places[i].End
				c.Seen, c.SeenText = seen(now)
				moved = append(moved, c)
			}
		}
	}
	if len(moved) == 0 {
		return nil
	}
	return m.save(ctx, moved...)
}
