package undo

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// busyFolder is a folder whose files are being changed, for example by an undo. done is closed when that has ended.
type busyFolder struct {
	location location
	done     chan struct{}
}

// changeIn returns a channel that is closed when the files in the folder are no longer being changed, or nil if they
// aren't being changed now. The caller must hold m.mu.
func (m *Manager) changeIn(folder location) chan struct{} {
	for _, c := range m.changes {
		if c.location.overlaps(folder) {
			return c.done
		}
	}
	return nil
}

// blocked returns the reason why files in the chat's folder can't be changed at the moment, or the zero Message if they
// can. at is the location of the folder. The caller must hold m.mu.
func (m *Manager) blocked(chat backend.Chat, at location) (reason backend.Message) {
	working := map[string]location{} // by chat ID
	for id, u := range m.unprompted {
		if u.isWorking() {
			working[id] = u.location
		}
	}
	for _, r := range m.running {
		working[r.chatID] = r.location
	}
	if _, is := working[chat.ID]; is {
		return backend.Say("This chat is still running. Wait for it to finish, or stop it.")
	}
	for id, of := range working {
		if of.overlaps(at) {
			title := backend.Say("New chat") // for a chat without a title
			if other, err := m.cfg.Chat(id); err == nil && other.Title != "" {
				title = backend.Plain(other.Title)
			}
			reason = backend.Say("The chat “%s” is working in this folder. Wait for it to finish, or stop it.", title)
		}
	}
	if reason.IsZero() && m.changeIn(at) != nil {
		reason = backend.Say("VoxPilot is still changing files in this folder. Try again in a moment.")
	}
	return reason
}

// block prevents turns from starting in the chat's folder until the function done is called. It returns CodeUnavailable
// if a turn, undo, redo or repair is running in it.
func (m *Manager) block(chat backend.Chat) (done func(), err error) {
	at := locate(chat.Folder)
	m.mu.Lock()
	defer m.mu.Unlock()
	if reason := m.blocked(chat, at); !reason.IsZero() {
		return nil, &backend.Error{Code: backend.CodeUnavailable, Message: reason}
	}
	ended := make(chan struct{})
	m.changes[chat.ID] = busyFolder{at, ended}
	return func() {
		m.mu.Lock()
		delete(m.changes, chat.ID)
		m.mu.Unlock()
		close(ended)
	}, nil
}

// awaitChange waits until the undo, redo or repair that is running in the folder has ended, or until ctx ends. The user
// can see the result of an undo, and start the next one, shortly before the first one has ended.
func (m *Manager) awaitChange(ctx context.Context, folder string) {
	at := locate(folder)
	m.mu.Lock()
	ended := m.changeIn(at)
	m.mu.Unlock()
	if ended == nil {
		return
	}
	select {
	case <-ended:
	case <-ctx.Done():
	}
}

// Undo undoes the turn's changes. A file without a choice is handled as the preview says. Undo returns CodeUnavailable
// while the folder is in use, and CodeNotFound if there is nothing to undo.
func (m *Manager) Undo(ctx context.Context, turnID string, choices map[string]backend.UndoChoice) error {
	return m.apply(ctx, turnID, false, choices)
}

// Redo redoes the changes that Undo undid. The choices and errors are those of Undo.
func (m *Manager) Redo(ctx context.Context, turnID string, choices map[string]backend.UndoChoice) error {
	return m.apply(ctx, turnID, true, choices)
}

func (m *Manager) apply(ctx context.Context, turnID string, redo bool, choices map[string]backend.UndoChoice) error {
	open, turn, err := m.row(ctx, turnID)
	if err != nil {
		return err
	}
	chat, err := m.cfg.Chat(turn.ChatID)
	if err != nil {
		return err
	}
	m.awaitChange(ctx, chat.Folder)
	done, err := m.block(chat)
	if err != nil {
		return err
	}
	defer done()
	if open.Pending != "" { // the result of an earlier undo or redo couldn't be stored
		m.repair(chat, open)
	}
	p, err := m.plan(ctx, turnID)
	if err != nil {
		return err
	}
	if p.redo != redo {
		return errNotRecorded
	}
	selected, err := p.choose(choices)
	if err != nil {
		return err
	}
	row := p.row
	row.Pending = string(p.Now)
	if err := m.cfg.Commit(ctx, backend.Event{TurnUndo: &row}); err != nil {
		return storageError(err)
	}
	// From now on, the result must be stored even if the caller no longer waits.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	res, failure := p.st.Apply(ctx, p.Plan, selected)
	now, err := p.st.Snapshot(ctx)
	if err != nil {
		m.cfg.Log.Error("couldn't record a folder after an undo", "chat", chat.ID, "err", err)
		return failed(errors.Join(failure, err)) // the next undo or the next start stores it
	}
	return m.finish(ctx, p, row, now.ID, res, failure)
}

// choose converts the user's choices to those for applying the plan. If the user chose nothing for a file and p.changed
// reports true for it, the file keeps its current content.
func (p *plan) choose(choices map[string]backend.UndoChoice) (map[string]snapshot.Choice, error) {
	selected := map[string]snapshot.Choice{}
	for _, it := range p.Items {
		choice, chosen := choices[it.Path]
		changed := p.changed(it)
		if !chosen && changed {
			choice = backend.UndoKeep
		}
		switch choice {
		case "", backend.UndoTake:
			if it.State == snapshot.Conflict {
				selected[it.Path] = snapshot.Choice{}
			}
		case backend.UndoKeep:
			selected[it.Path] = snapshot.Choice{Keep: true}
			if it.MovesFrom != "" && !changed { // the preview shows both paths of a moved file as one file
				selected[it.MovesFrom] = snapshot.Choice{Keep: true}
			}
		case backend.UndoMerge:
			if !it.Mergeable {
				return nil, &backend.Error{Code: backend.CodeInvalid, Message: backend.Say("Can't merge the changes to %s.", it.Path)}
			}
			selected[it.Path] = snapshot.Choice{Merge: true}
			if content, is := p.merged[it.Path]; is {
				selected[it.Path] = snapshot.Choice{Content: content}
			}
		default:
			return nil, &backend.Error{Code: backend.CodeInvalid, Message: backend.Say("Unknown choice for %s.", it.Path), Detail: string(choice)}
		}
	}
	return selected, nil
}

// finish stores the result of an undo or redo. The parameter now is the ID of a snapshot that was taken afterward.
func (m *Manager) finish(ctx context.Context, p *plan, row backend.TurnUndo, now snapshot.ID, res snapshot.Result, failure error) error {
	if len(res.Done) == 0 {
		row.Pending = ""
		err := m.cfg.Commit(ctx, backend.Event{TurnUndo: &row})
		switch {
		case failure != nil:
			return failed(failure)
		case err != nil:
			return storageError(err)
		}
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("No files were changed.")}
	}
	files := res.Done
	if moved := movedFrom(p.Items); len(moved) > 0 {
		files = slices.DeleteFunc(slices.Clone(files), func(path string) bool { return moved[path] })
	}
	row = done(row, p.redo, now, max(len(files), 1))
	detail := backend.Count(len(files), "Undid the changes to 1 file.", "Undid the changes to %d files.")
	if p.redo {
		detail = backend.Count(len(files), "Redid the changes to 1 file.", "Redid the changes to %d files.")
		if err := complete(p.st, &row); err != nil {
			m.cfg.Log.Warn("couldn't count the changes of a turn", "chat", row.ChatID, "err", err)
		}
		row.State = backend.UndoAvailable
	}
	var kept []string
	var note backend.Message
	for _, s := range res.Skipped {
		kept = append(kept, s.Path)
		m.cfg.Log.Warn("an undo left a file as it is", "chat", row.ChatID, "path", s.Path, "reason", s.Reason, "err", s.Err)
	}
	if len(kept) > 0 {
		note = backend.Say("Couldn't change %s.", list(kept))
	}
	err := m.cfg.Commit(ctx, backend.Event{TurnUndo: &row}, banner(row, p.redo, detail, note, len(kept)))
	if failure != nil {
		return failed(failure)
	}
	if err != nil {
		return storageError(err)
	}
	return nil
}

// done returns the row after an undo or redo that changed the given number of files. The parameter now is the ID of a
// snapshot that was taken afterward.
func done(row backend.TurnUndo, redo bool, now snapshot.ID, files int) backend.TurnUndo {
	unknown := redo && !row.AgentKnows // if the agent doesn't know about the undo, it needn't know about the redo
	row.UndoBefore, row.UndoAfter, row.Pending = row.Pending, string(now), ""
	row.At, row.AgentKnows, row.Files, row.State = backend.Now(), unknown, files, backend.UndoUndone
	if redo {
		row.State = backend.UndoAvailable
	}
	return row
}

// banner returns the event that adds the banner about an undo or redo. The banner includes the note for the user,
// unless that is the zero Message, and the number of files that couldn't be changed.
func banner(row backend.TurnUndo, redo bool, detail, note backend.Message, skipped int) backend.Event {
	kind := backend.BannerUndone
	if redo {
		kind = backend.BannerRedone
	}
	return backend.Event{Item: &backend.Item{
		ID: backend.NewID(), ChatID: row.ChatID, TurnID: row.TurnID, Kind: backend.ItemBanner,
		CreatedAt: row.At, EndedAt: row.At, Banner: &backend.Banner{Kind: kind, Detail: detail, Note: note, Skipped: skipped},
	}}
}

func storageError(err error) error {
	return &backend.Error{Code: backend.CodeStorage, Message: backend.Say("Couldn't save the change. VoxPilot can't write to its database. Everything saved earlier is safe."), Detail: err.Error()}
}

// maxListed is the maximum number of files that a note or a banner names.
const maxListed = 30

// list returns the first maxListed paths as text, separated by commas. It ends with "…" if there are more.
func list(paths []string) string {
	more := ""
	if len(paths) > maxListed {
		paths, more = paths[:maxListed], ", …"
	}
	return strings.Join(paths, ", ") + more
}

// noteFor returns the note that informs the agent about an undo or redo, or "" if none is needed or the files can't be
// determined.
func (m *Manager) noteFor(folder string, row backend.TurnUndo) string {
	st, err := m.stores.Open(row.ChatID, folder)
	var items []snapshot.Item
	if err == nil {
		items, err = st.Changes(snapshot.ID(row.UndoBefore), snapshot.ID(row.UndoAfter))
	}
	if err != nil {
		m.cfg.Log.Warn("couldn't read the files of an undo", "chat", row.ChatID, "err", err)
		return ""
	}
	var paths []string
	for _, it := range items {
		paths = append(paths, it.Path)
	}
	if len(paths) == 0 {
		return ""
	}
	if row.State == backend.UndoUndone {
		return "Since your last answer, the user undid your changes to these files: " + list(paths) + ". Read them again before you use or edit them."
	}
	return "Since your last answer, the user restored your earlier changes to these files: " + list(paths) + ". Read them again before you use or edit them."
}
