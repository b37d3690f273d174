package comment

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// List returns the comments of a chat, with their line positions in the current files. Before that, it marks comments
// as answered if their states weren't updated when the turn that answered them ended.
func (m *Manager) List(ctx context.Context, chatID string) ([]backend.ReviewComment, error) {
	chat, err := m.cfg.Chat(chatID)
	if err != nil {
		return nil, err
	}
	state := m.lock(chatID)
	defer state.Unlock()
	m.report(m.catchUp(ctx, chatID, state), chatID)
	now, _, err := m.list(ctx, chat)
	return now, err
}

// list returns the comments of a chat in two forms, in the same order: with their line positions in the current files,
// and as they are stored. The caller must hold the chat's lock.
func (m *Manager) list(ctx context.Context, chat backend.Chat) (comments, stored []backend.ReviewComment, err error) {
	rows, err := m.cfg.Store.ReviewComments(ctx, chat.ID)
	if err != nil {
		return nil, nil, err
	}
	stored = slices.Clone(rows)
	undos, err := m.cfg.Store.TurnUndos(ctx, chat.ID)
	if err != nil {
		return nil, nil, err
	}
	isRecording := false // the end of the turn will determine the states of its comments
	for _, u := range undos {
		isRecording = isRecording || u.State == backend.UndoRecording
	}
	budget := int64(maxFiles)
	files := map[string]file{}
	for path, indexes := range byPath(rows, backend.NewSide) {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		f, ok := files[path]
		if !ok {
			f = readFile(chat.Folder, path, &budget)
			files[path] = f
		}
		if !f.ok {
			for _, i := range indexes {
				rows[i].Outdated, rows[i].FileGone, rows[i].Start, rows[i].End = true, f.isMissing, -1, -1
			}
			continue
		}
		moved := m.follow(ctx, chat.ID, rows, indexes, f.lines)
		for _, i := range indexes {
			if moved[i].Outcome != Followed {
				rows[i].Outdated, rows[i].Start, rows[i].End = true, -1, -1
			}
		}
		if !isRecording {
			m.advance(ctx, stored, indexes, moved, f.lines)
		}
		for _, i := range indexes {
			if moved[i].Outcome == Followed {
				rows[i].Start, rows[i].End = moved[i].Start, moved[i].End
			}
		}
	}
	return rows, stored, nil
}

// byPath returns the indexes of the comments on the given side, grouped by the path of the file.
func byPath(rows []backend.ReviewComment, side backend.ReviewSide) map[string][]int {
	paths := map[string][]int{}
	for i, c := range rows {
		if c.Side == side {
			paths[c.Path] = append(paths[c.Path], i)
		}
	}
	return paths
}

// follow returns the places of comments in a version of their file, given the lines of that version. The parameter
// indexes selects the comments in rows. The result maps each index to a place.
func (m *Manager) follow(ctx context.Context, chatID string, rows []backend.ReviewComment, indexes []int, now []string) map[int]Place {
	places := map[int]Place{}
	bySeen := map[string][]int{}
	for _, i := range indexes {
		bySeen[rows[i].Seen] = append(bySeen[rows[i].Seen], i)
	}
	current := hashOf(now)
	for hash, group := range bySeen {
		var ranges []Range
		for _, i := range group {
			ranges = append(ranges, Range{rows[i].Start, rows[i].End})
		}
		found := make([]Place, len(group))
		if hash == current {
			for k := range group {
				found[k] = Place{Followed, ranges[k]}
			}
		} else if was, err := m.version(ctx, chatID, hash); err == nil {
			found = Follow(was, now, ranges)
		} else {
			m.cfg.Log.Warn("couldn't read the version of a file that a comment was made on", "chat", chatID, "err", err)
			for k := range group {
				found[k].Outcome = Unsure
			}
		}
		for k, i := range group {
			places[i] = found[k]
		}
	}
	return places
}

// version returns the lines of a stored version of a file.
func (m *Manager) version(ctx context.Context, chatID, hash string) ([]string, error) {
	text, err := m.cfg.Store.ReviewText(ctx, chatID, hash)
	if err != nil {
		return nil, err
	}
	return seenLines(text)
}

// advance stores a version of a file as the one in which comments were last found, together with their places in it.
// The last parameter holds the lines of that version, and indexes selects the comments in rows. advance skips comments
// that have no place or weren't found, and those for which this version is already stored. It returns once everything
// is stored, because the store then deletes the texts that no comment needs any longer.
func (m *Manager) advance(ctx context.Context, rows []backend.ReviewComment, indexes []int, places map[int]Place, now []string) {
	hash := hashOf(now)
	var text []byte
	var events []backend.Event
	for _, i := range indexes {
		if place, ok := places[i]; !ok || place.Outcome != Followed || rows[i].Seen == hash {
			continue
		}
		if text == nil {
			_, text = seen(now)
		}
		c := rows[i]
		c.Seen, c.SeenText, c.Start, c.End = hash, text, places[i].Start, places[i].End
		rows[i].Seen, rows[i].Start, rows[i].End = hash, c.Start, c.End
		events = append(events, backend.Event{ReviewComment: &c})
	}
	if len(events) == 0 {
		return
	}
	if err := m.cfg.Commit(ctx, events...); err != nil {
		m.report(err, events[0].ReviewComment.ChatID)
	}
}

// file is the current version of a file.
type file struct {
	lines     []string
	ok        bool // the file could be read
	isMissing bool
}

// readFile reads the current version of a file in a chat's folder and subtracts the file's size in bytes from *budget.
// It doesn't read a file that is larger than *budget or maxFile.
func readFile(folder, path string, budget *int64) file {
	at, err := workspace.Locate(folder, filepath.Join(folder, filepath.FromSlash(path)))
	if err != nil || !at.Inside {
		return file{}
	}
	f, info, err := at.Open()
	if err != nil {
		return file{isMissing: backend.CodeOf(err) == backend.CodeNotFound}
	}
	defer func() { _ = f.Close() }()
	if !info.Mode().IsRegular() || info.Size() > maxFile || info.Size() > *budget {
		return file{}
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	*budget -= int64(len(text))
	if err != nil || len(text) > maxFile || strings.ContainsRune(string(text), 0) {
		return file{}
	}
	return file{lines: split(string(text)), ok: true}
}
