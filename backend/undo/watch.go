package undo

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/snapshot"
	"github.com/voxpilot/voxpilot/backend/store"
)

// watch collects the changes to files between the snapshots that are taken during a turn.
type watch struct {
	mu      sync.Mutex
	last    snapshot.ID // last snapshot
	at      time.Time   // time at which that snapshot was started
	changes []fileChange
	repos   []snapshot.Repository // at the beginning
}

// fileChange is a change to a file between two snapshots, which were taken after from and before to.
type fileChange struct {
	snapshot.Change
	from, to time.Time
}

// latest returns the latest time at which the file may have been changed.
func (c fileChange) latest() time.Time {
	if c.IsCoarse {
		return c.At.Add(2 * time.Second)
	}
	return c.At
}

// begin discards all changes. From then on, the watch collects the changes since the given snapshot, which was started
// at the given time.
func (w *watch) begin(s snapshot.Snapshot, at time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.last, w.at, w.changes, w.repos = s.ID, at, nil, s.Repositories
}

// snapshot takes a snapshot and adds the changes since the last one.
func (w *watch) snapshot(ctx context.Context, st *snapshot.Store) (snapshot.Snapshot, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	began := time.Now()
	s, changed, err := st.SnapshotSince(ctx, w.last)
	if err == nil {
		w.add(s.ID, began, changed)
	}
	return s, err
}

// add adds the changes that a snapshot has shown. The snapshot was started at the given time. The caller must hold
// w.mu.
func (w *watch) add(id snapshot.ID, began time.Time, changed []snapshot.Change) {
	for _, c := range changed {
		w.changes = append(w.changes, fileChange{c, w.at, time.Now()})
	}
	w.last, w.at = id, began
}

// recordAfter records the folder after the turn, and the doubts about the turn's changes. It sets row.After.
func (r *Recording) recordAfter(row *backend.TurnUndo) error {
	r.watch.mu.Lock()
	defer r.watch.mu.Unlock()
	began := time.Now()
	_, after, changed, err := r.m.record(r.chatID, r.folder, r.watch.last)
	if err != nil {
		return err
	}
	r.watch.add(after.ID, began, changed)
	row.After = string(after.ID)
	r.m.mu.Lock()
	r.mu.Lock()
	j := judgment{m: r.m, folder: r.folder, turn: r.turn, from: r.recordedAt, changes: r.watch.changes, shared: r.row.Shared, repos: lostRepositories(r.watch.repos, after.Repositories)}
	for id := range r.others {
		j.others = append(j.others, id)
	}
	r.mu.Unlock()
	r.m.mu.Unlock()
	if j.settle() {
		row.After = row.Before
	}
	return nil
}

// settleInterrupted records the doubts about a turn that an earlier run of the app didn't complete.
func (m *Manager) settleInterrupted(chat backend.Chat, row backend.TurnUndo, changed []snapshot.Change) {
	turn, err := m.cfg.Store.Turn(m.ctx, row.TurnID)
	if err != nil {
		return // the changes since the last tool call are in doubt anyway
	}
	j := judgment{m: m, folder: chat.Folder, turn: turn, from: time.UnixMilli(int64(turn.StartedAt))}
	for _, c := range changed {
		j.changes = append(j.changes, fileChange{c, j.from, time.Now()})
	}
	j.settle()
}

// clockStep is the maximum difference between the clock and the times that a file system stores at the same moment.
const clockStep = 50 * time.Millisecond

// judgment determines which changes during a turn the user, another program or another task may have made.
type judgment struct {
	m       *Manager
	folder  string
	turn    backend.Turn
	from    time.Time // start of the recording
	changes []fileChange
	shared  bool
	others  []string          // IDs of the chats that worked in the folder at the same time
	repos   map[string]string // see doubts.Repos
	more    bool              // the changes were made after the turn, and its earlier doubts remain
}

// toolCall is a tool call that may have changed files.
type toolCall struct {
	from, to time.Time
	isEdit   bool            // the call edited only the files in files
	files    map[string]bool // relative to the folder, with slashes
}

// touches reports whether the call was running at some moment of a period.
func (c toolCall) touches(from, to time.Time) bool { return !c.from.After(to) && !c.to.Before(from) }

// calls returns the tool calls of a chat during the turn. ran reports whether there were any, including calls to the
// agent's internal tools.
func (j *judgment) calls(ctx context.Context, chatID string, to time.Time) (calls []toolCall, ran bool, err error) {
	during := store.Period{From: backend.Millis(j.from.Add(-clockStep).UnixMilli()), To: backend.Millis(to.UnixMilli())}
	rows, err := j.m.cfg.Store.ChangingCalls(ctx, chatID, during)
	if err != nil || len(rows) == 0 {
		return nil, false, err
	}
	edits, err := j.m.cfg.Store.FileEdits(ctx, chatID, "")
	if err != nil {
		return nil, false, err
	}
	named := map[string]map[string]bool{} // by item
	for _, e := range edits {
		if e.At < during.From {
			continue
		}
		if named[e.ItemID] == nil {
			named[e.ItemID] = map[string]bool{}
		}
		for _, rel := range localPaths(j.folder, e.Path, e.To) {
			named[e.ItemID][rel] = true
		}
	}
	for _, row := range rows {
		ran = ran || row.EndedAt == 0 || row.EndedAt >= backend.Millis(j.from.UnixMilli())
		if row.Internal {
			continue
		}
		c := toolCall{from: time.UnixMilli(int64(row.StartedAt)).Add(-clockStep), to: to, files: named[row.ItemID]}
		if row.EndedAt > 0 {
			c.to = time.UnixMilli(int64(row.EndedAt)).Add(clockStep)
		}
		switch row.Kind { //nolint:exhaustive // the others may change any file
		case backend.ToolEdit, backend.ToolDelete, backend.ToolMove:
			c.isEdit = c.files != nil // an edit that failed may have changed any of the files in its patch
		}
		calls = append(calls, c)
	}
	return calls, ran, nil
}

// settle stores the doubts about the turn's changes. It reports whether the turn can't have changed any file. If the
// doubts can't be determined, all changes count as the turn's, unless another task was running.
func (j *judgment) settle() (nothing bool) {
	if len(j.changes) == 0 {
		return false
	}
	ctx, cancel := context.WithTimeout(j.m.ctx, j.m.cfg.MaxWait)
	defer cancel()
	err := j.m.cfg.Commit(ctx) // the agent's last events may not be stored yet
	if err == nil {
		nothing, err = j.judge(ctx)
	}
	if err != nil {
		j.m.cfg.Log.Warn("couldn't determine who changed files during a turn", "chat", j.turn.ChatID, "turn", j.turn.ID, "err", err)
	}
	return nothing
}

func (j *judgment) judge(ctx context.Context) (nothing bool, err error) {
	now := time.Now()
	chat, err := j.m.cfg.Chat(j.turn.ChatID)
	if err != nil {
		return false, err
	}
	calls, ran, err := j.calls(ctx, chat.ID, now)
	if err != nil {
		return false, err
	}
	d := doubts{TurnID: j.turn.ID, At: backend.Now(), Repos: j.repos}
	if j.m.reports(chat) {
		if !ran {
			return true, nil
		}
		st, err := j.m.stores.Open(chat.ID, j.folder)
		if err != nil {
			return false, err
		}
		d.Idle = j.idle(st, calls, now)
	}
	d.Meanwhile = j.meanwhile(calls)
	if old := j.m.doubtsOf(chat.ID)[j.turn.ID]; j.more {
		d.Idle, d.Meanwhile, d.Own, d.Repos = append(d.Idle, old.Idle...), append(d.Meanwhile, old.Meanwhile...), old.Own, old.Repos
	}
	if j.shared && !j.more {
		if d.Own, err = j.own(ctx, calls, now); err != nil {
			return false, err
		}
	}
	if len(d.Idle)+len(d.Meanwhile)+len(d.Repos) == 0 && !j.shared {
		return false, nil
	}
	return false, addLine(j.m, j.m.doubtsFile(chat.ID), d, maxDoubts)
}

// idle returns the files that were changed during the turn at times when no tool of the turn that may have changed them
// was running. If such a change moved a file to a new path, idle returns both paths. If such a file was replaced later,
// for example because a tool renamed it, idle also returns the file that got its content. If it was removed, idle
// returns all files that changed at the same time, because one of them may have its content.
func (j *judgment) idle(st *snapshot.Store, calls []toolCall, now time.Time) (paths []string) {
	seen, share := map[string]bool{}, newShares(st)
	for all := j.changes; len(all) > 0; {
		end := slices.IndexFunc(all, func(c fileChange) bool { return !c.from.Equal(all[0].from) })
		if end < 0 {
			end = len(all)
		}
		period := all[:end] // the changes between two snapshots
		all = all[end:]
		lost := slices.ContainsFunc(period, func(c fileChange) bool { return c.At.IsZero() && seen[c.Path] })
		var replaced []snapshot.Entry
		for _, c := range period {
			if seen[c.Path] && c.After.Kind == snapshot.File && share.of(c.Before, c.After) <= 0.5 {
				replaced = append(replaced, c.Before)
			}
		}
		got := func(c fileChange) bool {
			return slices.ContainsFunc(replaced, func(content snapshot.Entry) bool { return share.took(content, c.Before, c.After) })
		}
		var changed []fileChange // by the user
		for _, c := range period {
			isIdle := j.isIdle(c, calls, now)
			if isIdle {
				changed = append(changed, c)
			}
			if !seen[c.Path] && (lost || isIdle || got(c)) {
				seen[c.Path] = true
				paths = append(paths, c.Path)
			}
		}
		for _, c := range period {
			moved := func(to fileChange) bool {
				return to.Before.Kind == snapshot.None && to.After.Kind == snapshot.File && to.After.Hash == c.Before.Hash
			}
			if !seen[c.Path] && c.Before.Kind == snapshot.File && c.After.Kind == snapshot.None && slices.ContainsFunc(changed, moved) {
				seen[c.Path] = true
				paths = append(paths, c.Path)
			}
		}
	}
	return paths
}

// isIdle reports whether a change was made during the turn at a time when no tool that may have made it was running.
func (j *judgment) isIdle(c fileChange, calls []toolCall, now time.Time) bool {
	if c.At.IsZero() || c.At.Before(j.from.Add(-clockStep)) || c.At.After(now.Add(clockStep)) {
		return false // the file or its folder was moved, or another computer stores the file; undoing it loses nothing
	}
	to := c.latest()
	return !slices.ContainsFunc(calls, func(call toolCall) bool {
		return call.touches(c.At, to) && (!call.isEdit || call.files[c.Path])
	})
}

// own returns the files that an edit tool of the turn changed and that no chat in others can have changed. It returns
// none if the agent of one of these chats doesn't report its tool calls.
func (j *judgment) own(ctx context.Context, calls []toolCall, now time.Time) (map[string]bool, error) {
	own := map[string]bool{}
	for _, c := range calls {
		for path := range c.files {
			own[path] = true
		}
	}
	var commands []toolCall
	for _, id := range j.others {
		chat, err := j.m.cfg.Chat(id)
		if err != nil || !j.m.reports(chat) {
			return nil, nil // it may have changed any file at any time
		}
		theirs, _, err := j.calls(ctx, id, now)
		if err != nil {
			return nil, err
		}
		for _, c := range theirs {
			for path := range c.files {
				delete(own, path)
			}
			if !c.isEdit {
				commands = append(commands, c)
			}
		}
	}
	for _, c := range j.changes {
		last := c.to
		if !c.At.IsZero() {
			last = c.latest()
		}
		for _, command := range commands {
			if command.touches(c.from, last) {
				delete(own, c.Path)
			}
		}
	}
	return own, nil
}

// reports reports whether a chat's agent reports its tool calls.
func (m *Manager) reports(chat backend.Chat) bool { return m.cfg.Reports != nil && m.cfg.Reports(chat) }

// doubts holds what is uncertain about the changes during a turn, or can't be undone. Paths are relative to the folder,
// with slashes.
type doubts struct {
	TurnID string         `json:"turn"`
	At     backend.Millis `json:"at"`
	Idle   []string       `json:"idle,omitempty"` // files that changed while no tool of the turn was running
	// Meanwhile holds files that the turn's commands or the user may have changed; see judgment.meanwhile.
	Meanwhile []string        `json:"meanwhile,omitempty"`
	Own       map[string]bool `json:"own,omitempty"` // for a shared turn: files that no other task can have changed
	// Repos holds each ".git" that was removed during the turn, with the path to which it was moved, or "".
	Repos map[string]string `json:"repos,omitempty"`
}

func (d doubts) recordedAt() backend.Millis { return d.At }

// maxDoubts is the maximum size in bytes of the file with the doubts about a chat's turns. If it is larger, the older
// half of the doubts is removed.
const maxDoubts = 32 << 20

// doubtsFile returns the path of the file that contains the doubts about a chat's turns.
func (m *Manager) doubtsFile(chatID string) string {
	return filepath.Join(m.cfg.Dir, "snapshots", chatID, "doubts.jsonl")
}

// doubtsOf returns the doubts about a chat's turns, by turn ID.
func (m *Manager) doubtsOf(chatID string) map[string]doubts {
	m.filesMu.Lock()
	defer m.filesMu.Unlock()
	all := map[string]doubts{}
	for _, d := range readLines[doubts](m, m.doubtsFile(chatID)) {
		all[d.TurnID] = d
	}
	return all
}
