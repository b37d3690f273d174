package undo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/diff"
	"github.com/voxpilot/voxpilot/backend/snapshot"
	"github.com/voxpilot/voxpilot/internal/atomicfile"
)

// maxParts is the maximum number of parts that are recorded for a chat.
const maxParts = 200

// part is the record of a part of a file's changes that the user has undone separately.
type part struct {
	backend.PutBack
	Also   []string    `json:",omitempty"` // further paths that changed, for example the one from which the file was moved
	Before snapshot.ID // snapshot of the folder before the part was undone
	After  snapshot.ID // of the folder afterward; "" until it is recorded
	Redone bool
	// Pending is the snapshot of the folder before a redo that isn't complete. RedoBefore and RedoAfter are the
	// snapshots before and after a complete redo, and RedoneAt is the time of that redo.
	Pending, RedoBefore, RedoAfter snapshot.ID    `json:",omitempty"`
	RedoneAt                       backend.Millis `json:",omitempty"`
	// AgentKnows means that the agent needn't be informed that the part was undone or, if Redone is set, redone.
	AgentKnows bool
}

// isOpen reports whether an undo or redo of the part has started and isn't complete yet.
func (p part) isOpen() bool { return p.After == "" || p.Pending != "" }

// partsFile returns the path of the file that contains a chat's parts. It is removed together with the chat's
// snapshots.
func (m *Manager) partsFile(chatID string) string {
	return filepath.Join(m.cfg.Dir, "snapshots", chatID, "parts.json")
}

// readParts returns a chat's parts, oldest first. A damaged file counts as empty. The caller must hold
// m.filesMu.
func (m *Manager) readParts(chatID string) []part {
	var parts []part
	b, err := os.ReadFile(m.partsFile(chatID))
	if err == nil {
		err = json.Unmarshal(b, &parts)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		m.cfg.Log.Warn("couldn't read the parts that were put back", "chat", chatID, "err", err)
		return nil
	}
	return parts
}

// changeParts calls change with a chat's parts and stores the result, at most the last maxParts of them.
func (m *Manager) changeParts(chatID string, change func([]part) []part) error {
	m.filesMu.Lock()
	defer m.filesMu.Unlock()
	parts := change(m.readParts(chatID))
	parts = parts[max(0, len(parts)-maxParts):]
	return atomicfile.Write(m.partsFile(chatID), func(w io.Writer) error { return json.NewEncoder(w).Encode(parts) })
}

// setPart stores a part of a chat. It replaces the stored part with the same ID, if there is one.
func (m *Manager) setPart(chatID string, p part) error {
	return m.changeParts(chatID, func(parts []part) []part {
		if i := slices.IndexFunc(parts, func(o part) bool { return o.ID == p.ID }); i >= 0 {
			parts[i] = p
			return parts
		}
		return append(parts, p)
	})
}

func (m *Manager) dropPart(chatID, id string) error {
	return m.changeParts(chatID, func(parts []part) []part {
		return slices.DeleteFunc(parts, func(p part) bool { return p.ID == id })
	})
}

// parts returns a chat's parts, oldest first.
func (m *Manager) parts(chatID string) []part {
	m.filesMu.Lock()
	defer m.filesMu.Unlock()
	return m.readParts(chatID)
}

// Parts returns the parts that were undone in a chat and can be redone, newest first.
func (m *Manager) Parts(chatID string) ([]backend.PutBack, error) {
	chat, err := m.cfg.Chat(chatID)
	if err != nil {
		return nil, err
	}
	list := []backend.PutBack{}
	all := m.parts(chatID)
	if len(all) == 0 {
		return list, nil
	}
	st, err := m.stores.Open(chat.ID, chat.Folder)
	if err != nil {
		return nil, failed(err)
	}
	for _, p := range slices.Backward(all) {
		if p.After == "" || p.Redone {
			continue
		}
		if _, _, err := st.Read(p.Before, p.Path); err == nil { // the snapshot still exists
			list = append(list, p.PutBack)
		}
	}
	return list, nil
}

// PartEdit is a change to a file that was made by undoing a part.
type PartEdit struct {
	ID   string
	Path string // absolute
	At   backend.Millis
	Diff string // unified
	// Creates means that the change created the file, and Deletes that it deleted the file.
	Creates, Deletes bool
}

// PartEdits returns the changes that were made by undoing parts in a chat, oldest first. It leaves out the changes of
// parts that were redone, and changes that are no longer stored.
func (m *Manager) PartEdits(chat backend.Chat) (edits []PartEdit) {
	all := m.parts(chat.ID)
	if len(all) == 0 {
		return nil
	}
	st, err := m.stores.Open(chat.ID, chat.Folder)
	if err != nil {
		return nil
	}
	for _, p := range all {
		if p.After == "" || p.Redone {
			continue
		}
		for i, path := range p.paths() {
			e, ok := editOf(st, p, path)
			if e.Path = filepath.Join(chat.Folder, filepath.FromSlash(path)); i > 0 {
				e.ID = fmt.Sprint(e.ID, " ", i)
			}
			if ok {
				edits = append(edits, e)
			}
		}
	}
	return edits
}

// editOf returns the change to the file at a path that was made by undoing the part p. ok is false if the file isn't
// text or the change is no longer stored.
func editOf(st *snapshot.Store, p part, path string) (e PartEdit, ok bool) {
	was, old, err := st.Read(p.Before, path)
	if err != nil {
		return e, false
	}
	is, now, err := st.Read(p.After, path)
	if err != nil || !snapshot.IsText(old) || !snapshot.IsText(now) {
		return e, false
	}
	e = PartEdit{ID: p.ID, At: p.At, Creates: was.Kind == snapshot.None, Deletes: is.Kind == snapshot.None}
	from, to := diff.InHead(path), diff.InHead(path)
	if e.Creates {
		from = "/dev/null"
	}
	if e.Deletes {
		to = "/dev/null"
	}
	e.Diff, _, _ = diff.Unified(from, to, string(old), string(now))
	return e, true
}

// PartChange is a change to a folder that was made by undoing a part, or by redoing that part.
type PartChange struct {
	At            backend.Millis
	Before, After snapshot.ID
}

// PartChanges returns the changes that were made by undoing or redoing parts in a chat.
func (m *Manager) PartChanges(chatID string) (changes []PartChange) {
	for _, p := range m.parts(chatID) {
		if p.After != "" {
			changes = append(changes, PartChange{p.At, p.Before, p.After})
		}
		if p.RedoAfter != "" {
			changes = append(changes, PartChange{p.RedoneAt, p.RedoBefore, p.RedoAfter})
		}
	}
	return changes
}

// repairParts completes, in all chats, the records of parts that were being undone or redone when an earlier run of the
// app ended.
func (m *Manager) repairParts() {
	files, _ := filepath.Glob(m.partsFile("*"))
	for _, file := range files {
		chat, err := m.cfg.Chat(filepath.Base(filepath.Dir(file)))
		if err != nil || !slices.ContainsFunc(m.parts(chat.ID), part.isOpen) {
			continue
		}
		unblock, err := m.block(chat)
		if err != nil { // the folder is already blocked because a turn is being repaired
			unblock = func() {}
		}
		m.tasks.Go(func() {
			defer unblock()
			if err := m.repairPartsOf(m.ctx, chat); err != nil {
				m.cfg.Log.Warn("couldn't complete the record of a part that was put back", "chat", chat.ID, "err", err)
			}
		})
	}
}

// repairPartsOf completes the records of a chat's open parts, based on the current state of the folder. It removes the
// records of parts that weren't undone.
func (m *Manager) repairPartsOf(ctx context.Context, chat backend.Chat) error {
	for _, p := range m.parts(chat.ID) {
		if !p.isOpen() {
			continue
		}
		st, err := m.stores.Open(chat.ID, chat.Folder)
		if err != nil {
			return err
		}
		now, err := st.Snapshot(ctx)
		if err != nil {
			return err
		}
		isRedo := p.After != ""
		from := p.Before
		if isRedo {
			from, p.Pending = p.Pending, ""
		}
		changed := false
		if was, err := st.Entries(from, p.paths()); err == nil { // if it fails, the snapshot was removed
			is, err := st.Entries(now.ID, p.paths())
			if err != nil {
				return err
			}
			changed = !slices.Equal(is, was)
		}
		switch {
		case isRedo && changed:
			p.Redone, p.AgentKnows = true, !p.AgentKnows // an agent that wasn't told about the undo needn't be told about the redo
			p.RedoBefore, p.RedoAfter, p.RedoneAt = from, now.ID, backend.Now()
			err = m.setPart(chat.ID, p)
		case isRedo:
			err = m.setPart(chat.ID, p)
		case changed:
			p.After = now.ID
			err = m.setPart(chat.ID, p)
		default:
			err = m.dropPart(chat.ID, p.ID)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// partNote returns the note that informs the agent about parts that were undone or redone since its last turn, and a
// function that records that the agent has received it. It returns "" and nil if there are no such parts.
func (m *Manager) partNote(chatID string) (note string, markSent func()) {
	var gone, back, ids []string
	for _, p := range m.parts(chatID) {
		to := &gone
		if p.Redone {
			to = &back
		}
		if !p.AgentKnows {
			ids = append(ids, p.ID)
			*to = append(*to, p.paths()...)
		}
	}
	if len(ids) == 0 {
		return "", nil
	}
	var notes []string
	if len(gone) > 0 {
		notes = append(notes, "Since your last answer, the user undid changes in these files: "+list(distinct(gone))+". Read them again before you use or edit them.")
	}
	if len(back) > 0 {
		notes = append(notes, "Since your last answer, the user restored changes in these files: "+list(distinct(back))+". Read them again before you use or edit them.")
	}
	return strings.Join(notes, "\n"), func() {
		err := m.changeParts(chatID, func(parts []part) []part {
			for i := range parts {
				parts[i].AgentKnows = parts[i].AgentKnows || slices.Contains(ids, parts[i].ID)
			}
			return parts
		})
		if err != nil {
			m.cfg.Log.Warn("couldn't record which changed files the agent knows about", "chat", chatID, "err", err)
		}
	}
}

func distinct(paths []string) []string {
	slices.Sort(paths)
	return slices.Compact(paths)
}
