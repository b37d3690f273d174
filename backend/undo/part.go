package undo

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/diff"
	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// Limits for undoing parts of changes (PutBack).
const (
	maxPartFile = 8 << 20  // bytes of a file
	maxPartWork = 64 << 20 // total bytes that are read to find the hunks of a part
	maxBases    = 50       // number of the chat's latest turns that are searched for the state that a part has changed
)

// PutBack undoes a part of the changes to a file. The diff of the part compares an earlier state of the file with its
// current state or its state after a turn of the chat. If the file has changed since that turn, PutBack merges the
// later changes. If they can't be merged, it writes nothing, and the result's Diff compares the current file with the
// file without the part. It returns CodeUnavailable while the folder is in use or if the part has already been undone,
// and CodeInvalid if the part's file or diff doesn't allow undoing the part. If part.Redo is set, PutBack instead
// redoes the part with that ID, which was undone earlier. It then returns CodeNotFound if that part isn't stored.
func (m *Manager) PutBack(ctx context.Context, chatID string, part backend.UndoPart) (res backend.PartResult, err error) {
	c, err := m.openChange(ctx, chatID)
	if err != nil {
		return res, err
	}
	defer c.done()
	if part.Redo != "" {
		return c.redo(ctx, part.Redo)
	}
	if len(part.Diff) > maxPartFile {
		return res, invalidPart(backend.Say("The change is too large to undo."))
	}
	f, err := c.file(ctx, part.Path)
	if err != nil {
		return res, err
	}
	content, merged, err := c.without(ctx, f, part)
	if err != nil {
		return res, err
	}
	if !merged.clean {
		res.Diff, _, _ = diff.Unified(diff.InHead(f.path), diff.InHead(f.path), string(f.content), string(content))
		if res.Diff == "" {
			err = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("This change has already been undone.")}
		}
		return res, err
	}
	to := snapshot.Entry{Kind: snapshot.File, Mode: 0o644}
	if f.entry.Kind == snapshot.None {
		to.Mode = c.modeOf(ctx, f.path, to.Mode)
	}
	if len(content) == 0 && created(part.Diff) {
		to, content = snapshot.Entry{}, nil
	} else if content == nil {
		content = []byte{}
	}
	res.Merged = merged.since
	return res, c.change(ctx, f, to, content)
}

// redo redoes the part with the given ID, which was undone earlier.
func (c *change) redo(ctx context.Context, id string) (res backend.PartResult, err error) {
	parts := c.m.parts(c.chat.ID)
	i := slices.IndexFunc(parts, func(p part) bool { return p.ID == id && !p.Redone && p.After != "" })
	if i < 0 {
		return res, errNotRecorded
	}
	p := parts[i]
	if err := c.st.Keep(p.paths()...); err != nil {
		return res, failed(err)
	}
	now, err := c.st.Snapshot(ctx)
	if err != nil {
		return res, failed(err)
	}
	plan, err := c.st.Plan(ctx, p.Before, p.After, now.ID, p.paths()...)
	if err != nil {
		return res, failed(err)
	}
	if len(plan.Items) == 0 {
		return res, errNotRecorded
	}
	choices := map[string]snapshot.Choice{}
	redone := true
	for _, it := range plan.Items {
		redone = redone && it.State == snapshot.Same
		switch {
		case it.State == snapshot.Omitted:
			return res, &backend.Error{Code: backend.CodeUnavailable, Message: leftReason(it.Reason)}
		case it.State == snapshot.Conflict && it.Mergeable:
			res.Merged, choices[it.Path] = true, snapshot.Choice{Merge: true}
		case it.State == snapshot.Conflict:
			if res.Diff, err = c.sides(it.Path, now.ID, p.Before); err == nil && res.Diff == "" {
				err = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't change the file. %s", changeReason(it.Reason))}
			}
			return res, err
		}
	}
	if redone {
		p.Redone = true
		return res, c.m.setPart(c.chat.ID, p)
	}
	p.Pending = now.ID
	return res, c.run(ctx, p, plan, choices)
}

// change is an operation that changes files in a chat's folder. Until it has ended, no turn and no other change can use
// the folder.
type change struct {
	m    *Manager
	chat backend.Chat
	st   *snapshot.Store
	done func()
}

// openChange starts a change. The caller must call the change's function done at the end.
func (m *Manager) openChange(ctx context.Context, chatID string) (c *change, err error) {
	c = &change{m: m}
	if c.chat, err = m.cfg.Chat(chatID); err != nil {
		return nil, err
	}
	m.awaitChange(ctx, c.chat.Folder)
	if c.done, err = m.block(c.chat); err != nil {
		return nil, err
	}
	if c.st, err = m.stores.Open(c.chat.ID, c.chat.Folder); err == nil {
		err = m.repairPartsOf(ctx, c.chat)
	}
	if err != nil {
		c.done()
		return nil, failed(err)
	}
	return c, nil
}

// file is a file in the folder and its state in a snapshot.
type file struct {
	path    string // relative to the folder, with slashes
	in      snapshot.ID
	entry   snapshot.Entry
	content []byte
}

// file takes a snapshot of the folder and returns the state of the text file at path. The file needn't exist.
func (c *change) file(ctx context.Context, path string) (f file, err error) {
	f.path = filepath.ToSlash(filepath.Clean(path))
	if filepath.IsAbs(path) {
		f.path, _ = entryInFolder(c.chat.Folder, path) // checkPath refuses other paths
	}
	if err := checkPath(f.path); err != nil {
		return f, err
	}
	if err := c.st.Keep(f.path); err != nil { // record the file even if Git ignores it
		return f, failed(err)
	}
	now, err := c.st.Snapshot(ctx)
	if err != nil {
		return f, failed(err)
	}
	f.in = now.ID
	if f.entry, f.content, err = c.st.Read(f.in, f.path); err != nil {
		return f, failed(err)
	}
	switch {
	case f.entry.Kind == snapshot.Unknown:
		return f, &backend.Error{Code: backend.CodeUnavailable, Message: leftReason(f.entry.Reason)}
	case f.entry.Kind != snapshot.File && f.entry.Kind != snapshot.None || !snapshot.IsText(f.content):
		return f, invalidPart(backend.Say("Only changes to text files can be undone in part."))
	case len(f.content) > maxPartFile:
		return f, invalidPart(backend.Say("The change is too large to undo."))
	}
	return f, nil
}

// merging describes how change.without handled the later changes to a file.
type merging struct {
	clean bool // the content includes the later changes; otherwise it lacks them
	since bool // the file has later changes
}

// without returns the content of a file without the changes in a part, and reports how it handled later changes.
func (c *change) without(ctx context.Context, f file, part backend.UndoPart) (content []byte, how merging, err error) {
	if was, ok := revert(f.content, part.Diff); ok && (f.entry.Kind == snapshot.File || removed(part.Diff)) {
		return was, merging{clean: true}, nil
	}
	base, was, ok, err := c.base(ctx, f.path, part)
	if err != nil {
		return nil, how, err
	}
	if !ok {
		if content, ok = diff.Overwritten(f.content, []byte(part.Diff)); !ok {
			return nil, how, invalidPart(backend.Say("Can't read this change."))
		}
		return content, how, nil
	}
	if f.entry.Kind == snapshot.File {
		if text, clean := snapshot.Merge(base, f.content, was); clean {
			return text, merging{clean: !bytes.Equal(text, f.content), since: true}, nil
		}
	}
	return was, how, nil
}

// base finds the latest turn of the chat after which a file had the changes in a part. It returns the file's content
// after that turn, and the same content without the changes. If there is no such turn and part.Whole is set, it returns
// the newest and the oldest recorded content instead. ok is false if it finds neither.
func (c *change) base(ctx context.Context, path string, part backend.UndoPart) (after, before []byte, ok bool, err error) {
	undos, err := c.m.cfg.Store.TurnUndos(ctx, c.chat.ID)
	if err != nil {
		return nil, nil, false, err
	}
	for _, u := range slices.Backward(undos[max(0, len(undos)-maxBases):]) {
		was, old, err := c.st.Read(snapshot.ID(u.Before), path)
		if err != nil {
			continue // the snapshot was removed or never taken
		}
		is, now, err := c.st.Read(snapshot.ID(u.After), path)
		if err != nil || is == was || !snapshot.IsText(now) || !snapshot.IsText(old) {
			continue
		}
		if !ok {
			if before, has := revert(now, part.Diff); has {
				return now, before, true, nil
			}
		}
		if part.Whole { // from the oldest state to the newest one
			if before = old; !ok {
				after, ok = now, true
			}
		}
	}
	return after, before, ok, nil
}

// modeOf returns the last recorded permissions that a file had before a turn, or the given mode if none are recorded.
func (c *change) modeOf(ctx context.Context, path string, mode uint32) uint32 {
	undos, err := c.m.cfg.Store.TurnUndos(ctx, c.chat.ID)
	if err != nil {
		return mode
	}
	for _, u := range slices.Backward(undos[max(0, len(undos)-maxBases):]) {
		if e, _, err := c.st.Read(snapshot.ID(u.Before), path); err == nil && e.Kind == snapshot.File {
			return e.Mode
		}
	}
	return mode
}

// change brings a file to the given state, and records this as a part that can be redone. If the file exists in that
// state, the given content is its new content; otherwise, the content is nil.
func (c *change) change(ctx context.Context, f file, to snapshot.Entry, content []byte) error {
	p := part{Before: f.in}
	p.ID, p.Path, p.At = backend.NewID(), f.path, backend.Now()
	p.Added, p.Removed = diff.Count(string(content), string(f.content))
	plan := &snapshot.Plan{Now: f.in, Items: []snapshot.Item{{Path: f.path, State: snapshot.Conflict, Before: to, Now: f.entry}}}
	return c.run(ctx, p, plan, map[string]snapshot.Choice{f.path: {Content: content}})
}

// run applies the plan that undoes or redoes an open part, and stores the result. If the app exits before the result is
// stored, VoxPilot stores it at its next start.
func (c *change) run(ctx context.Context, p part, plan *snapshot.Plan, choices map[string]snapshot.Choice) error {
	if err := c.m.setPart(c.chat.ID, p); err != nil {
		return storageError(err)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	plan.Whole = true // half of a move would be a copy or a loss
	err := c.apply(ctx, plan, choices)
	if failure := c.m.repairPartsOf(ctx, c.chat); failure != nil {
		c.m.cfg.Log.Error("couldn't record a folder after a part was put back or redone", "chat", c.chat.ID, "part", p.ID, "err", failure)
		err = errors.Join(err, failed(failure))
	}
	return err
}

// apply applies a plan. It returns an error if a file couldn't be changed, or if there was nothing to change.
func (c *change) apply(ctx context.Context, plan *snapshot.Plan, choices map[string]snapshot.Choice) error {
	res, err := c.st.Apply(ctx, plan, choices)
	switch {
	case err != nil:
		return failed(err)
	case len(res.Skipped) > 0:
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't change the file. %s", leftReason(res.Skipped[0].Reason))}
	case len(res.Done) == 0:
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("No files were changed.")}
	}
	return nil
}

// sides returns the diff between the states of a file in two snapshots, or "" if one of them isn't text.
func (c *change) sides(path string, from, to snapshot.ID) (string, error) {
	_, a, err := c.st.Read(from, path)
	if err != nil {
		return "", failed(err)
	}
	_, b, err := c.st.Read(to, path)
	if err != nil {
		return "", failed(err)
	}
	if !snapshot.IsText(a) || !snapshot.IsText(b) {
		return "", nil
	}
	sides, _, _ := diff.Unified(diff.InHead(path), diff.InHead(path), string(a), string(b))
	return sides, nil
}

// revert returns a text without the changes in a unified diff. It returns false if the diff doesn't fit the text.
func revert(text []byte, unified string) ([]byte, bool) {
	left := maxPartWork
	return diff.UndoWithin(text, []byte(unified), &left)
}

// created and removed report whether a diff creates or removes its file.
func created(unified string) bool { return strings.HasPrefix(unified, "--- /dev/null\n") }
func removed(unified string) bool { return strings.Contains(unified, "\n+++ /dev/null\n") }

func invalidPart(reason backend.Message) error {
	return &backend.Error{Code: backend.CodeInvalid, Message: reason}
}
