package comment

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// Observe updates the comments after events that change their state: the end of a turn, its undo and redo, and the
// removal of a message from the queue. It doesn't block.
func (m *Manager) Observe(ev backend.Event) {
	switch u, gone := ev.TurnUndo, ev.QueuedDeleted; {
	case u != nil && isEnd(*u):
		m.cfg.Go(func() { m.report(m.answer(context.Background(), *u), u.ChatID) })
	case u != nil && u.At != 0 && u.Before != "" && u.After != "":
		m.cfg.Go(func() { m.report(m.carry(context.Background(), *u), u.ChatID) })
	case gone != nil:
		m.cfg.Go(func() { m.report(m.unsend(context.Background(), gone.ChatID, gone.ID), gone.ChatID) })
	}
}

// isEnd reports whether u describes a turn that has ended, has changed files and hasn't been undone.
func isEnd(u backend.TurnUndo) bool {
	return u.State != backend.UndoRecording && u.At == 0 && u.After != "" && u.Before != u.After
}

func (m *Manager) report(err error, chatID string) {
	if err != nil {
		m.cfg.Log.Warn("couldn't update the comments of a chat", "chat", chatID, "err", err)
	}
}

// unsend must be called when a message has left the queue. If the message was removed, unsend turns the message's
// comments into drafts again. If it was sent, unsend does nothing.
func (m *Manager) unsend(ctx context.Context, chatID, itemID string) error {
	defer m.lock(chatID).Unlock()
	rows, err := m.cfg.Store.ReviewComments(ctx, chatID)
	if err != nil {
		return err
	}
	var back []backend.ReviewComment
	for _, c := range rows {
		if c.ItemID == itemID && c.State == backend.CommentSent {
			c.State, c.ItemID, c.SentAt = backend.CommentDraft, "", 0
			back = append(back, c)
		}
	}
	if len(back) == 0 {
		return nil
	}
	if _, err := m.cfg.Store.Item(ctx, itemID); backend.CodeOf(err) != backend.CodeNotFound {
		return err
	}
	return m.save(ctx, back...)
}

// answer updates the comments of a chat after a turn that changed files. If the turn has changed the lines of a comment
// that was sent before the turn started, answer marks the comment as answered and moves it to the lines that replaced
// them. A comment on removed lines is marked as answered if the turn has brought the lines back. If the turn has moved
// a file, its comments move along. For comments whose lines are unchanged, answer stores the version of the file after
// the turn and the positions of the lines in it.
func (m *Manager) answer(ctx context.Context, u backend.TurnUndo) error {
	turn, err := m.cfg.Store.Turn(ctx, u.TurnID)
	if err != nil {
		return err
	}
	defer m.lock(u.ChatID).Unlock()
	rows, err := m.cfg.Store.ReviewComments(ctx, u.ChatID)
	if err != nil || len(rows) == 0 {
		return err
	}
	answered, found, err := m.compare(ctx, u, turn, rows)
	if err != nil {
		return err
	}
	for _, f := range found {
		m.advance(ctx, rows, f.indexes, f.places, f.now)
	}
	if len(answered) == 0 {
		return nil
	}
	return m.save(ctx, answered...)
}

// unchanged holds, for one file, the comments whose lines a turn left unchanged: the indexes of the comments, their
// places after the turn, and the lines of the file at that time.
type unchanged struct {
	indexes []int
	places  map[int]Place
	now     []string
}

// maxReopened is the maximum number of times that compare opens the snapshots again if they are closed while it reads
// them.
const maxReopened = 3

// compare determines the effect of a turn on the comments in rows. It returns the comments that the turn has answered,
// or whose file it has moved, in their new state. For the files that the turn has changed, it also returns the comments
// whose lines the turn left unchanged.
func (m *Manager) compare(ctx context.Context, u backend.TurnUndo, turn backend.Turn, rows []backend.ReviewComment) (answered []backend.ReviewComment, found []unchanged, err error) {
	for range 1 + maxReopened {
		history, err := m.cfg.Undo.Snapshots().History(u.ChatID)
		if err != nil {
			return nil, nil, err
		}
		if answered, found, err = m.compareIn(ctx, u, turn, rows, history); !errors.Is(err, fs.ErrClosed) {
			return answered, found, err
		}
	}
	return nil, nil, fmt.Errorf("compare the comments: %w", fs.ErrClosed)
}

func (m *Manager) compareIn(ctx context.Context, u backend.TurnUndo, turn backend.Turn, rows []backend.ReviewComment, history *snapshot.Store) (answered []backend.ReviewComment, found []unchanged, err error) {
	ended := turn.EndedAt
	if ended == 0 {
		ended = backend.Now()
	}
	answered, err = m.broughtBack(ctx, u, rows, history, turn.StartedAt, ended)
	if err != nil {
		return nil, nil, err
	}
	for path, indexes := range byPath(rows, backend.NewSide) {
		before, was, err := readSnapshot(history, u.Before, path)
		if err != nil {
			return nil, nil, err
		}
		after, now, err := readSnapshot(history, u.After, path)
		if err != nil {
			return nil, nil, err
		}
		if before.Hash == after.Hash && before.Kind == after.Kind || before.Kind != snapshot.File || after.Kind != snapshot.File && after.Kind != snapshot.None {
			continue
		}
		to := path
		if after.Kind == snapshot.None {
			target, lines, err := movedTo(history, u.Before, u.After, path, before, was)
			if err != nil {
				return nil, nil, err
			}
			if target != "" {
				to, now = target, lines
			}
		}
		then := m.follow(ctx, u.ChatID, rows, indexes, was)
		var ranges []Range
		kept := unchanged{places: map[int]Place{}, now: now}
		for _, i := range indexes {
			if then[i].Outcome == Followed {
				ranges, kept.indexes = append(ranges, then[i].Range), append(kept.indexes, i)
			} else if to != path { // List follows the comment, or marks it as outdated
				c := rows[i]
				c.Path = to
				answered = append(answered, c)
			}
		}
		places := Follow(was, now, ranges)
		for k, i := range kept.indexes {
			c := rows[i]
			c.Path = to
			switch {
			case places[k].Outcome == Followed && to != path:
				c.Start, c.End = places[k].Start, places[k].End
				c.Seen, c.SeenText = seen(now)
				answered = append(answered, c)
			case places[k].Outcome == Followed:
				kept.places[i] = places[k]
			case places[k].Outcome == Changed && c.State == backend.CommentSent && c.SentAt <= turn.StartedAt:
				c.State, c.AnsweredAt, c.TurnID = backend.CommentAnswered, ended, u.TurnID
				if at, ok := replacement(was, now, then[i].Range); ok {
					c.Start, c.End = at.Start, at.End
					c.Seen, c.SeenText = seen(now)
				} else {
					c.Outdated = true
				}
				answered = append(answered, c)
			case to != path:
				answered = append(answered, c)
			}
		}
		if to == path {
			found = append(found, kept)
		}
	}
	return answered, found, nil
}

// catchUp marks comments as answered if this wasn't done when the turn that answered them ended, for example because
// the app was closing. It does so once for each chat while the app is running. It doesn't move any comments to an older
// version of their file. The caller must hold the lock of c, the chat's state.
func (m *Manager) catchUp(ctx context.Context, chatID string, c *chatState) error {
	if c.isCaughtUp {
		return nil
	}
	rows, err := m.cfg.Store.ReviewComments(ctx, chatID)
	if err != nil {
		return err
	}
	isOpen := func(c backend.ReviewComment) bool { return c.State == backend.CommentSent }
	if !slices.ContainsFunc(rows, isOpen) {
		c.isCaughtUp = true
		return nil
	}
	undos, err := m.cfg.Store.TurnUndos(ctx, chatID)
	if err != nil {
		return err
	}
	for _, u := range undos {
		if !isEnd(u) {
			continue
		}
		turn, err := m.cfg.Store.Turn(ctx, u.TurnID)
		if err != nil {
			return err
		}
		var open []backend.ReviewComment
		for _, row := range rows {
			if isOpen(row) && row.SentAt <= turn.StartedAt {
				open = append(open, row)
			}
		}
		if len(open) == 0 {
			continue
		}
		answered, _, err := m.compare(ctx, u, turn, open)
		if ctx.Err() != nil || errors.Is(err, fs.ErrClosed) {
			return err
		}
		m.report(err, chatID) // for example, the snapshot no longer exists
		if len(answered) == 0 {
			continue
		}
		if err := m.save(ctx, answered...); err != nil {
			return err
		}
		for _, a := range answered {
			i := slices.IndexFunc(rows, func(row backend.ReviewComment) bool { return row.ID == a.ID })
			rows[i] = a // it may be open, in a file that the turn has moved
		}
	}
	c.isCaughtUp = true
	return nil
}

// Limits for replacement.
const (
	maxNeighbors   = 5  // number of lines before and after the changed ones that are searched for unchanged lines
	maxReplacement = 50 // number of lines by which a replacement may be longer than the lines that it replaces
)

// replacement returns the range of lines in a new text that replaced the range r of the old text. It starts after the
// nearest unchanged line before r and ends before the nearest unchanged line after r. ok is false if that range is
// empty or too long, or if an unchanged line isn't found.
func replacement(was, now []string, r Range) (at Range, ok bool) {
	var near []Range
	for n := 1; n <= maxNeighbors; n++ {
		near = append(near, Range{r.Start - n, r.Start - n}, Range{r.End + n, r.End + n}) // Follow finds none outside the file
	}
	places := Follow(was, now, near)
	before, after := -1, len(now)
	for i, line := range []int{r.Start, len(was) - 1 - r.End} { // the number of lines before and after the range
		if line == 0 {
			continue
		}
		n := i
		for n < len(places) && places[n].Outcome != Followed {
			n += 2
		}
		switch {
		case n >= len(places):
			return at, false
		case i == 0:
			before = places[n].End
		default:
			after = places[n].Start
		}
	}
	at = Range{before + 1, after - 1}
	return at, at.End >= at.Start && at.End-at.Start <= r.End-r.Start+maxReplacement
}

// broughtBack finds the sent comments on the old side whose lines had been removed and were brought back by a turn. It
// returns these comments marked as answered. Their lines weren't in the file before the turn and are in it afterward.
// started and ended are the times at which the turn started and ended.
func (m *Manager) broughtBack(ctx context.Context, u backend.TurnUndo, rows []backend.ReviewComment, history *snapshot.Store, started, ended backend.Millis) (answered []backend.ReviewComment, err error) {
	for path, indexes := range byPath(rows, backend.OldSide) {
		indexes = slices.DeleteFunc(indexes, func(i int) bool { return rows[i].State != backend.CommentSent || rows[i].SentAt > started })
		if len(indexes) == 0 {
			continue
		}
		before, was, err := readSnapshot(history, u.Before, path)
		if err != nil {
			return nil, err
		}
		after, now, err := readSnapshot(history, u.After, path)
		if err != nil {
			return nil, err
		}
		if before.Hash == after.Hash && before.Kind == after.Kind || after.Kind != snapshot.File || before.Kind != snapshot.File && before.Kind != snapshot.None {
			continue
		}
		then, places := m.follow(ctx, u.ChatID, rows, indexes, was), m.follow(ctx, u.ChatID, rows, indexes, now)
		for _, i := range indexes {
			if then[i].Outcome == Changed && places[i].Outcome == Followed {
				c := rows[i]
				c.State, c.AnsweredAt, c.TurnID = backend.CommentAnswered, ended, u.TurnID
				answered = append(answered, c)
			}
		}
	}
	return answered, nil
}

// readSnapshot returns the state of a file in a snapshot, and the file's lines. If the file is too large or isn't text,
// e.Kind is snapshot.Unknown. Comments on such a file aren't followed.
func readSnapshot(history *snapshot.Store, id, path string) (e snapshot.Entry, lines []string, err error) {
	if e, err = history.Entry(snapshot.ID(id), path); err != nil || e.Kind != snapshot.File {
		return e, nil, err
	}
	if e.Size > maxFile {
		return snapshot.Entry{Kind: snapshot.Unknown}, nil, nil
	}
	text, err := history.Content(e.Hash)
	if strings.ContainsRune(string(text), 0) {
		e.Kind = snapshot.Unknown
	}
	return e, split(string(text)), err
}
