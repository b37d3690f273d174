package review

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/snapshot"
	"github.com/voxpilot/voxpilot/backend/undo"
)

// PutBack undoes a part of a file's changes. It keeps changes that were made after the part's version. If these overlap
// the part, PutBack writes nothing and returns a result with a Diff.
func (m *Manager) PutBack(ctx context.Context, chatID string, part backend.ReviewPart) (res backend.ReviewPutBackResult, err error) {
	q := Request{ChatID: chatID, Source: part.Source, Path: part.Path, Version: part.Version}
	v, ok := m.remembered(q)
	if !ok {
		if v, err = m.current(ctx, q); err != nil {
			return res, err
		}
	}
	reversals, err := m.reversals(ctx, v, part.Blocks)
	if err != nil {
		return res, err
	}
	id, done, err := m.cfg.Undo.Revert(ctx, chatID, reversals)
	if err != nil {
		return res, err
	}
	return backend.ReviewPutBackResult{ID: id, Diff: done.Diff, Merged: done.Merged}, nil
}

// Redo restores the part that PutBack undid. The parameter id is the ID in the result of PutBack.
func (m *Manager) Redo(ctx context.Context, chatID, id string) (backend.ReviewPutBackResult, error) {
	done, err := m.cfg.Undo.PutBack(ctx, chatID, backend.UndoPart{Redo: id})
	return backend.ReviewPutBackResult{Diff: done.Diff, Merged: done.Merged}, err
}

// reversals returns the changes that undo the given parts of a file's changes. If parts is nil, they undo all changes
// of the file.
func (m *Manager) reversals(ctx context.Context, v version, parts [][4]int) ([]undo.Reversal, error) {
	f := v.file
	if f.old.commit != "" || f.new.commit != "" {
		return nil, backend.Invalid("VoxPilot doesn't change submodules. Use Git in a terminal instead.")
	}
	if !utf8.ValidString(f.Path + f.From) { // an undo couldn't be recorded
		return nil, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("VoxPilot can't revert this file because its name isn't valid UTF-8.")}
	}
	t, err := m.textOf(ctx, v)
	if err != nil {
		return nil, err
	}
	if t.sides.tooLarge && parts != nil || f.old.kind == snapshot.Unknown || f.new.kind == snapshot.Unknown {
		return nil, backend.Invalid("VoxPilot can't revert this file.")
	}
	old, now, err := m.states(ctx, v, t)
	if err != nil {
		return nil, err
	}
	ofOld, ofNew, err := v.list.toDisk(ctx, f, old.Content, now.Content)
	if err != nil {
		return nil, err
	}
	old.Content, now.Content = ofOld(old.Content), ofNew(now.Content)
	if parts != nil {
		if t.sides.binary {
			return nil, backend.Invalid("Only changes to text files can be undone in part.")
		}
		content, whole, err := without(t, parts)
		if err != nil {
			return nil, err
		}
		if !whole || f.From != "" {
			to := now
			if to.Content = ofNew(content); !f.new.exists() {
				to = old
				to.Content = ofOld(content)
			}
			return []undo.Reversal{{Path: f.Path, Before: to, After: now}}, nil
		}
	}
	if f.From != "" {
		return []undo.Reversal{{Path: f.Path, After: now}, {Path: f.From, Before: old}}, nil
	}
	return []undo.Reversal{{Path: f.Path, Before: old, After: now}}, nil
}

// states returns the old and the new state of a file, with their contents.
func (m *Manager) states(ctx context.Context, v version, t *text) (old, now undo.FileState, err error) {
	f := v.file
	old = undo.FileState{Kind: f.old.kind, Mode: f.old.perm, Content: t.sides.old}
	now = undo.FileState{Kind: f.new.kind, Mode: f.new.perm, Content: t.sides.new}
	if t.sides.tooLarge { // too large to be shown, but not to be reverted
		if old.Content, err = v.list.whole(ctx, f.old); err == nil {
			now.Content, err = v.list.whole(ctx, f.new)
		}
	}
	for _, s := range []struct {
		side  side
		state *undo.FileState
	}{{f.old, &old}, {f.new, &now}} {
		if strings.HasPrefix(s.side.mode, "100") { // the mode in git determines whether the file is executable
			s.state.Mode &^= 0o111
			if s.side.mode == "100755" {
				s.state.Mode |= 0o100 | s.state.Mode&0o044>>2
			}
		}
	}
	return old, now, err
}

// maxWhole is the maximum size in bytes of a file that can be reverted as a whole.
const maxWhole = 50 << 20

// whole returns the content of a side, even if it is too large to be compared. It returns an error for an object in git
// that is larger than maxWhole.
func (l *list) whole(ctx context.Context, s side) (content []byte, err error) {
	if s.blob == "" {
		if !s.exists() {
			return nil, nil
		}
		if content, err = l.st.Content(s.hash); err != nil {
			return nil, unreadable(err)
		}
		return content, nil
	}
	var failure error
	err = l.repo.blobs(ctx, []string{s.blob}, maxWhole, func(_ int, got []byte, _ int64, err error) { content, failure = got, err })
	if err == nil && failure == nil && content == nil {
		err = backend.Invalid("VoxPilot can't revert this file.")
	}
	return content, errors.Join(err, failure)
}

// without returns the content of the new side with the given parts of its changes undone. whole is true if the result
// is the content of the old side.
func without(t *text, parts [][4]int) (content []byte, whole bool, err error) {
	var b strings.Builder
	end := "\n"
	if mostlyCRLF(t.sides.new) {
		end = "\r\n"
	}
	add := func(lines []string) {
		for _, line := range lines {
			if s := b.String(); s != "" && !strings.HasSuffix(s, "\n") {
				b.WriteString(end) // so that another line can follow
			}
			b.WriteString(line)
		}
	}
	at, oldAt := 0, 0
	for _, p := range parts {
		if p[0] < oldAt || p[2] < at || p[1] < 0 || p[3] < 0 || p[0]+p[1] > len(t.old) || p[2]+p[3] > len(t.new) {
			return nil, false, backend.Invalid("The selected lines don't belong to this file.")
		}
		add(t.new[at:p[2]])
		add(t.old[p[0] : p[0]+p[1]])
		oldAt, at = p[0]+p[1], p[2]+p[3]
	}
	add(t.new[at:])
	return []byte(b.String()), b.String() == strings.Join(t.old, ""), nil
}
