package undo

import (
	"context"
	"errors"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// sweepEvery is the interval at which old snapshots are removed.
const sweepEvery = 24 * time.Hour

// Start completes, in the background, the records of turns and undos that were interrupted when an earlier run of the
// app ended. Meanwhile, new turns in these chats' folders wait. It also removes the snapshots of chats that no longer
// exist, and starts the periodic removal of old ones.
func (m *Manager) Start(ctx context.Context) error {
	undos, err := m.cfg.Store.TurnUndos(ctx, "")
	if err != nil {
		return err
	}
	open := map[string][]backend.TurnUndo{}
	for _, u := range undos {
		if u.State == backend.UndoRecording || u.Pending != "" {
			open[u.ChatID] = append(open[u.ChatID], u)
		}
	}
	for id, rows := range open {
		chat, err := m.cfg.Chat(id)
		if err != nil {
			continue
		}
		unblock, err := m.block(chat)
		if err != nil { // the folder is already blocked because another chat is being repaired
			unblock = func() {}
		}
		m.tasks.Go(func() {
			defer unblock()
			for _, row := range rows {
				m.repair(chat, row)
			}
		})
	}
	m.repairParts()
	m.tasks.Go(func() {
		m.removeOrphans()
		m.sweepRegularly()
	})
	return nil
}

// removeOrphans removes everything recorded for chats that no longer exist, once it is older than the maximum age of
// snapshots. The chats can still come back before that, for example if the user restores a backup of a damaged
// database.
func (m *Manager) removeOrphans() {
	chats, err := m.stores.Chats(time.Now().Add(-m.snapshotLimits().Age))
	for _, id := range chats {
		if _, absent := m.cfg.Chat(id); backend.CodeOf(absent) == backend.CodeNotFound {
			err = errors.Join(err, m.stores.Delete(id))
		}
	}
	if err != nil {
		m.cfg.Log.Warn("couldn't remove the snapshots of deleted chats", "err", err)
	}
}

// repair completes the record of a turn or undo that was interrupted, for example when an earlier run of the app ended.
func (m *Manager) repair(chat backend.Chat, row backend.TurnUndo) {
	st, now, changed, err := m.record(chat.ID, chat.Folder, snapshot.ID(row.Before))
	id := now.ID
	events := []backend.Event{{TurnUndo: &row}}
	switch {
	case err == nil && row.Pending != "" && row.Pending == string(id): // nothing was changed
		row.Pending = ""
	case err == nil && row.Pending != "":
		redo := row.State == backend.UndoUndone
		items, _ := st.Changes(snapshot.ID(row.Pending), id) // the items are needed only for their number
		row = done(row, redo, id, max(len(items), 1))
		detail := backend.Count(row.Files, "Undid the changes to 1 file.", "Undid the changes to %d files.")
		if redo {
			detail = backend.Count(row.Files, "Redid the changes to 1 file.", "Redid the changes to %d files.")
		}
		events = append(events, banner(row, redo, detail, backend.Message{}, 0))
	case err == nil && row.Before != "":
		row.After, row.Interrupted = string(id), true
		m.settleInterrupted(chat, row, changed)
		err = complete(st, &row)
	}
	if err != nil && row.Pending != "" { // for example, the folder's drive isn't mounted; the next undo tries again
		m.cfg.Log.Warn("couldn't complete the record of an undo", "chat", chat.ID, "turn", row.TurnID, "err", err)
		return
	}
	if err != nil || row.State == backend.UndoRecording {
		m.cfg.Log.Warn("couldn't complete the record of a turn", "chat", chat.ID, "turn", row.TurnID, "err", err)
		row.State, row.Reason = backend.UndoUnavailable, reasonFor(err)
	}
	if err := m.cfg.Commit(m.ctx, events...); err != nil {
		m.cfg.Log.Warn("couldn't save the record of a turn", "chat", chat.ID, "turn", row.TurnID, "err", err)
	}
}

// sweepRegularly removes old snapshots periodically and on request.
func (m *Manager) sweepRegularly() {
	for {
		if err := m.sweep(m.ctx); err != nil && m.ctx.Err() == nil {
			m.cfg.Log.Warn("couldn't remove old snapshots", "err", err)
		}
		select {
		case <-time.After(sweepEvery):
		case <-m.sweeps:
		case <-m.ctx.Done():
			return
		}
	}
}

// LimitsChanged must be called when the limits have changed. In the background, it removes the snapshots that exceed
// them.
func (m *Manager) LimitsChanged() {
	select {
	case m.sweeps <- struct{}{}:
	default: // a removal has already been requested
	}
}

// sweepIfGrown removes old snapshots in the background, if more than a tenth of the maximum size was added since the
// last removal.
func (m *Manager) sweepIfGrown() {
	if m.stores.Added() > m.snapshotLimits().Bytes/10 {
		m.LimitsChanged()
	}
}

func (m *Manager) snapshotLimits() snapshot.Limits {
	days, gigabytes := m.cfg.Limits()
	return snapshot.Limits{Age: time.Duration(days) * 24 * time.Hour, Bytes: int64(gigabytes) << 30}
}

// sweep removes old snapshots, and marks turns that can no longer be undone. It continues if the snapshots of one chat
// can't be removed.
func (m *Manager) sweep(ctx context.Context) error {
	limits := m.snapshotLimits()
	m.mu.Lock()
	for _, r := range m.running {
		r.mu.Lock()
		limits.Keep = append(limits.Keep, snapshot.ID(r.row.Before), snapshot.ID(r.row.During))
		r.mu.Unlock()
	}
	m.mu.Unlock()
	sweepLines[Edit](m, m.editsFile("*"), limits.Age)
	sweepLines[doubts](m, m.doubtsFile("*"), limits.Age)
	sweepLines[asyncCommand](m, m.asyncFile("*"), limits.Age)
	swept, err := m.stores.Sweep(ctx, limits)
	if swept.Removed == 0 {
		return err
	}
	defer m.stores.Unload()
	if m.cfg.Swept != nil {
		m.cfg.Swept(ctx)
	}
	undos, failed := m.cfg.Store.TurnUndos(ctx, "")
	for _, u := range undos {
		chat, err := m.cfg.Chat(u.ChatID)
		if err != nil || u.State != backend.UndoAvailable && u.State != backend.UndoUndone {
			continue
		}
		st, err := m.stores.History(chat.ID)
		if err != nil {
			continue
		}
		before, after := u.Before, u.After
		if u.State == backend.UndoUndone {
			before, after = u.UndoBefore, u.UndoAfter
		}
		if _, err := st.Changes(snapshot.ID(before), snapshot.ID(after)); err != nil {
			u.State, u.Reason = backend.UndoUnavailable, reasonFor(err)
			m.cfg.Publish(backend.Event{TurnUndo: &u})
		}
	}
	return errors.Join(err, failed)
}
