package undo

import (
	"context"
	"slices"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// An agent may call tools although no turn is running, for example in the Copilot CLI's /after and /every. Such calls
// prevent undos in the folder while they run. Their changes to files are then added to the chat's last turn.

// unprompted is the work of a chat's agent while no turn is running.
type unprompted struct {
	chat     backend.Chat
	location location
	open     map[string]bool // IDs of the items of running tool calls
	until    time.Time       // time up to which a call whose item isn't known yet may start
	adding   bool            // the changes are being added to the last turn
	shared   bool            // another chat worked in the folder at the same time

	// These fields are set by beforeUnprompted, before the first tool call.
	row   backend.TurnUndo // of the chat's last turn
	turn  backend.Turn     // the chat's last turn
	began time.Time
	watch watch
}

// startTime is the maximum time between the guard's report about a call and the call's item.
const startTime = 5 * time.Second

func (u *unprompted) isWorking() bool {
	return len(u.open) > 0 || u.adding || time.Now().Before(u.until)
}

// Observe must be called with every event. It follows the tool calls that agents make while no turn is running.
func (m *Manager) Observe(e backend.Event) {
	if e.Connection != nil && e.Connection.State != backend.ConnectionReady {
		m.mu.Lock()
		defer m.mu.Unlock()
		if u := m.unprompted[e.Connection.ChatID]; u != nil && len(u.open) > 0 { // the agent has exited
			clear(u.open)
			m.addLater(u)
		}
		return
	}
	it := e.Item
	if it == nil || it.Tool == nil || !changesFiles(it.Tool) {
		return
	}
	isOpen := it.Open && it.Tool.Decision != backend.DecisionRejected && it.Tool.Decision != backend.DecisionClosed
	m.mu.Lock()
	defer m.mu.Unlock()
	u := m.unprompted[it.ChatID]
	switch {
	case isOpen && !m.isRunning(it.ChatID):
		if u == nil {
			chat, err := m.cfg.Chat(it.ChatID)
			if err != nil || !m.reports(chat) {
				return
			}
			u = m.addUnprompted(chat)
		}
		u.open[it.ID] = true
	case !isOpen && u != nil:
		delete(u.open, it.ID)
		if len(u.open) == 0 {
			m.addLater(u)
		}
	}
}

// changesFiles reports whether a call to a tool may change files.
func changesFiles(t *backend.Tool) bool {
	switch t.Kind {
	case backend.ToolRead, backend.ToolSearch, backend.ToolFetch, backend.ToolThink, backend.ToolAsk, backend.ToolPlan:
		return false
	case backend.ToolOther:
		return t.Decision != "" // the agent's internal tools need no permission
	default:
		return true
	}
}

// isRunning reports whether a turn of the chat is running. The caller must hold m.mu.
func (m *Manager) isRunning(chatID string) bool {
	for _, r := range m.running {
		if r.chatID == chatID {
			return true
		}
	}
	return false
}

// addUnprompted adds a chat to m.unprompted. The caller must hold m.mu.
func (m *Manager) addUnprompted(chat backend.Chat) *unprompted {
	u := &unprompted{chat: chat, location: locate(chat.Folder), open: map[string]bool{}}
	m.unprompted[chat.ID] = u
	for _, o := range m.running {
		if o.root && o.location.overlaps(u.location) {
			o.share(u)
		}
	}
	return u
}

// share records that a turn and unprompted work of another chat overlap. The caller must hold m.mu.
func (r *Recording) share(u *unprompted) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.row.Shared, r.others[u.chat.ID], u.shared = true, true, true
}

// beforeUnprompted records the folder before a tool call that the chat's agent makes while no turn is running. It first
// waits until no undo is changing files in the folder. slow means that recording takes too long.
func (m *Manager) beforeUnprompted(ctx context.Context, chatID string, slow bool) {
	chat, err := m.cfg.Chat(chatID)
	if err != nil || !m.reports(chat) {
		return
	}
	m.awaitChange(ctx, chat.Folder)
	m.mu.Lock()
	u := m.unprompted[chatID]
	if u == nil {
		u = m.addUnprompted(chat)
	}
	u.until = time.Now().Add(startTime)
	m.mu.Unlock()
	u.watch.mu.Lock()
	defer u.watch.mu.Unlock()
	st, err := m.stores.Open(chat.ID, chat.Folder)
	if err != nil {
		return
	}
	first := u.row.TurnID == ""
	if first {
		if u.row, u.turn, err = m.lastRow(ctx, chat.ID); err != nil {
			return
		}
		u.began, u.watch.last, u.watch.at = time.Now(), snapshot.ID(u.row.After), time.UnixMilli(int64(u.turn.EndedAt))
	}
	if slow {
		u.row.EdgesOnly = true
		return
	}
	began := time.Now()
	s, changed, err := st.SnapshotSince(ctx, u.watch.last)
	if err != nil {
		m.cfg.Log.Warn("couldn't record a folder before a tool call", "chat", chatID, "err", err)
		return
	}
	if first && u.row.State == backend.UndoNothing { // the turn's changes are those since now
		u.row.Before, changed = string(s.ID), nil
	}
	u.watch.add(s.ID, began, changed)
	u.row.During = string(s.ID)
}

// lastRow returns the chat's last turn, apart from delegated ones, and its row. It returns errNotRecorded if no changes
// can be added to the row: there is no turn, the turn is running, set aside or not undoable, an undo of it isn't
// complete, or another turn or an operation of the user, such as an undo, has followed it.
func (m *Manager) lastRow(ctx context.Context, chatID string) (row backend.TurnUndo, turn backend.Turn, err error) {
	turns, err := m.cfg.Store.TurnsOf(ctx, chatID)
	if err != nil {
		return row, turn, err
	}
	turns = slices.DeleteFunc(turns, func(t backend.Turn) bool { return t.BlockID != "" })
	if len(turns) == 0 {
		return row, turn, errNotRecorded
	}
	if row, turn, err = m.row(ctx, turns[len(turns)-1].ID); err != nil {
		return row, turn, err
	}
	all, err := m.spans(ctx, chatID, turn.StartedAt)
	isLast := len(all) == 1 && all[0].turn.ID == turn.ID
	if err == nil && (!isLast || turn.Aside != "" || turn.State == backend.TurnRunning || row.Pending != "" ||
		row.State != backend.UndoAvailable && row.State != backend.UndoNothing) {
		err = errNotRecorded
	}
	return row, turn, err
}

// addLater adds the changes of unprompted work to the chat's last turn, in the background. The caller must hold m.mu.
func (m *Manager) addLater(u *unprompted) {
	u.until = time.Time{}
	if u.adding || m.ctx.Err() != nil {
		return
	}
	u.adding = true
	m.tasks.Go(func() {
		row, ok := m.extend(u)
		m.mu.Lock()
		defer m.mu.Unlock()
		u.adding = false
		if m.unprompted[u.chat.ID] != u { // a turn has started
			return
		}
		if ok && !u.shared {
			m.cfg.Publish(backend.Event{TurnUndo: &row})
		}
		if !u.isWorking() {
			delete(m.unprompted, u.chat.ID)
		}
	})
}

// extend returns the row of the chat's last turn with the changes of unprompted work. ok is false if they can't be
// added.
func (m *Manager) extend(u *unprompted) (row backend.TurnUndo, ok bool) {
	u.watch.mu.Lock()
	defer u.watch.mu.Unlock()
	if u.row.TurnID == "" {
		return row, false
	}
	if _, _, err := m.lastRow(m.ctx, u.chat.ID); err != nil {
		return row, false
	}
	began := time.Now()
	st, now, changed, err := m.record(u.chat.ID, u.chat.Folder, u.watch.last)
	if err != nil {
		m.cfg.Log.Warn("couldn't record a folder after a tool call", "chat", u.chat.ID, "err", err)
		return row, false
	}
	u.watch.add(now.ID, began, changed)
	row = u.row
	row.After = string(now.ID)
	j := judgment{m: m, folder: u.chat.Folder, turn: u.turn, from: time.UnixMilli(int64(u.turn.EndedAt)), changes: u.watch.changes, shared: row.Shared, more: true}
	if j.settle() {
		return row, false
	}
	if err := complete(st, &row); err != nil {
		return row, false
	}
	u.row = row
	return row, true
}
