// Package undo undoes the changes that turns made to files in the chats' folders, and redoes them.
//
// It records each chat's folder (backend/snapshot) before a turn's prompt is sent and after the turn. If that is quick
// enough, it also records the folder before each tool call that may change something. All changes in between belong to
// the turn, whether an edit or a command made them. Tasks that a turn delegates belong to that turn.
//
// An undo is planned against the current files. A file with later changes keeps its content unless the user chooses
// otherwise. The state before each undo is recorded, so a redo is the same operation.
package undo

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/snapshot"
	"github.com/voxpilot/voxpilot/backend/store"
)

// Limits for recording folders.
const (
	// maxWait is the default for the maximum time that a prompt or the end of a turn waits until the folder is
	// recorded. If recording takes longer, the turn can't be undone.
	maxWait = 15 * time.Second
	// maxOld is the maximum age of a snapshot that is used as the state before a prompt.
	maxOld = 3 * time.Second
)

// Config holds the dependencies of a Manager.
type Config struct {
	Dir       string // VoxPilot's data directory
	LoginPath func() string
	Store     *store.Store
	Chat      func(id string) (backend.Chat, error)
	Publish   func(events ...backend.Event)
	Commit    func(ctx context.Context, events ...backend.Event) error
	Log       *slog.Logger
	// Trusted reports whether a chat's folder is trusted.
	Trusted func(ctx context.Context, chat backend.Chat) bool
	// Limits returns the maximum age in days of a snapshot and the maximum size in GB of all chats' snapshots.
	Limits func() (days, gigabytes int)
	// MaxToolCost limits recording before tool calls: a folder is recorded before a call only if its snapshots take at
	// most this long. If it is 0, the limit follows from ToolCosts. MaxWait is the maximum time that a prompt or the
	// end of a turn waits for a snapshot; 0 means the default.
	MaxToolCost, MaxWait time.Duration
	ToolCosts            ToolCosts
	// Reports reports whether a chat's agent reports each tool call before it runs. If it does, a file that changed
	// during a turn while no tool was running isn't undone with the turn unless the user chooses to undo it. If Reports
	// is nil, no agent does.
	Reports func(chat backend.Chat) bool
	// Foreign reports whether another program made a turn, so that its changes were never recorded. It may be nil.
	Foreign func(turn backend.Turn) bool
	// Private returns the folders of a chat's agent, which are never recorded or changed. It may be nil.
	Private func(chatID string) []string
	// Swept is called after old snapshots have been removed. It may be nil.
	Swept func(ctx context.Context)
}

// Manager records folders, and undoes and redoes the changes of turns. It is safe for concurrent use.
type Manager struct {
	cfg    Config
	stores *snapshot.Stores
	ctx    context.Context // parent context of background tasks
	end    context.CancelFunc
	tasks  sync.WaitGroup

	mu         sync.Mutex
	running    map[string]*Recording  // by turn ID
	changes    map[string]busyFolder  // by chat ID: the chat's undo, redo or repair
	unprompted map[string]*unprompted // by chat ID
	costs      map[string]cost        // by chat ID

	sweeps  chan struct{}      // receives a value to request a removal of old snapshots; capacity 1
	warming map[string]*warmUp // by chat ID

	filesMu sync.Mutex // guards the files with chats' parts, edits, background commands, doubts and seen values
}

// New returns a Manager. It first completes or reverts the changes to files that an earlier process left unfinished.
// The caller must call Start and, at the end, Close.
func New(ctx context.Context, cfg Config) *Manager {
	cfg.ToolCosts, cfg.MaxWait = cfg.ToolCosts.orDefaults(), cmp.Or(cfg.MaxWait, maxWait)
	m := &Manager{
		cfg:     cfg,
		stores:  snapshot.New(snapshot.Config{Data: cfg.Dir, Private: cfg.Private, LoginPath: cfg.LoginPath, Log: cfg.Log}),
		running: map[string]*Recording{}, changes: map[string]busyFolder{}, unprompted: map[string]*unprompted{}, costs: map[string]cost{},
		sweeps: make(chan struct{}, 1), warming: map[string]*warmUp{},
	}
	m.ctx, m.end = context.WithCancel(context.Background())
	done, err := m.stores.Recover(ctx)
	for chat, res := range done {
		cfg.Log.Info("completed or removed an interrupted undo", "chat", chat, "done", len(res.Done), "skipped", len(res.Skipped))
	}
	if err != nil {
		cfg.Log.Error("couldn't complete an interrupted undo", "err", err)
	}
	return m
}

// Close cancels the background tasks and waits until they have ended. The caller must make sure that no turn is
// running.
func (m *Manager) Close() {
	m.end()
	m.tasks.Wait()
	if err := m.stores.Close(); err != nil {
		m.cfg.Log.Warn("couldn't write the caches of snapshots", "err", err)
	}
}

// DeleteChat removes everything recorded for a chat.
func (m *Manager) DeleteChat(chatID string) error { return m.stores.Delete(chatID) }

// Recording is a running turn whose changes to files are recorded.
type Recording struct {
	m        *Manager
	turn     backend.Turn
	chatID   string
	folder   string
	location location      // of the folder
	root     bool          // the turn has its own undo
	ready    chan struct{} // closed when the folder has been recorded before the turn, or recording has failed

	mu         sync.Mutex
	row        backend.TurnUndo
	store      *snapshot.Store
	recordedAt time.Time          // time at which the folder was recorded before the turn
	others     map[string]bool    // IDs of other chats that worked in an overlapping folder at the same time
	tell       []backend.TurnUndo // undos about which the prompt informs the agent
	markSent   func()             // records that the prompt informs the agent about parts and about going back; may be nil

	watch watch
}

// Begin starts recording a turn; the caller must call End on the returned Recording. Begin waits while an undo is
// changing files in the folder. If files were undone or redone since the agent's last turn, or the user went back to an
// earlier message, the returned text starts with a note for the agent. Slash commands and tasks of a running turn get
// no note.
func (m *Manager) Begin(ctx context.Context, turn backend.Turn, text string) (*Recording, string) {
	r := &Recording{m: m, turn: turn, chatID: turn.ChatID, ready: make(chan struct{}), others: map[string]bool{}}
	r.row = backend.TurnUndo{TurnID: turn.ID, ChatID: turn.ChatID, State: backend.UndoRecording}
	chat, err := m.cfg.Chat(turn.ChatID)
	if err == nil {
		r.folder, r.location = chat.Folder, locate(chat.Folder)
		err = m.enter(ctx, r)
	}
	if err != nil || !r.root {
		close(r.ready)
		return r, text
	}
	m.tasks.Go(r.recordBefore)
	if strings.HasPrefix(strings.TrimSpace(text), "/") {
		return r, text // a command must come first; the next message gets the note
	}
	undos, err := m.cfg.Store.TurnUndos(ctx, turn.ChatID)
	if err != nil {
		m.cfg.Log.Warn("couldn't read the undos of a chat", "chat", turn.ChatID, "err", err)
		return r, text
	}
	var notes []string
	for _, u := range undos {
		if u.At == 0 || u.AgentKnows {
			continue
		}
		if of, err := m.cfg.Store.Turn(ctx, u.TurnID); err != nil || of.Aside != "" {
			continue // the agent doesn't know about the turn
		}
		if note := m.noteFor(r.folder, u); note != "" {
			notes = append(notes, note)
		}
		u.AgentKnows = true
		r.tell = append(r.tell, u)
	}
	note, markSent := m.partNote(turn.ChatID)
	if note != "" {
		notes = append(notes, note)
	}
	seen, markSeen := m.seenNote(chat)
	if seen != "" {
		notes = append(notes, seen)
	}
	r.markSent = both(markSent, markSeen)
	if len(notes) == 0 {
		return r, text
	}
	return r, "<voxpilot_note>" + strings.Join(notes, "\n") + "</voxpilot_note>\n\n" + text
}

// enter waits while an undo is changing files in r's folder, and then adds r to the running recordings.
func (m *Manager) enter(ctx context.Context, r *Recording) error {
	m.stopWarmUps(r.chatID)
	for {
		m.mu.Lock()
		busy := m.changeIn(r.location)
		if busy == nil {
			break
		}
		m.mu.Unlock()
		select {
		case <-busy:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	defer m.mu.Unlock()
	r.root = r.turn.BlockID == ""
	if !r.root { // a task belongs to the chat's running turn, unless the user sent it
		r.root = true
		for _, o := range m.running {
			r.root = r.root && (o.chatID != r.chatID || !o.root)
		}
	}
	for _, o := range m.running {
		if r.root && o.root && o.location.overlaps(r.location) {
			o.mu.Lock()
			o.row.Shared, r.row.Shared = true, true
			o.others[r.chatID], r.others[o.chatID] = true, true
			o.mu.Unlock()
		}
	}
	delete(m.unprompted, r.chatID) // the work belongs to the turn from now on
	for _, u := range m.unprompted {
		if r.root && u.isWorking() && u.location.overlaps(r.location) {
			r.share(u)
		}
	}
	m.running[r.turn.ID] = r
	return nil
}

// recordBefore records the folder before the turn and then closes r.ready.
func (r *Recording) recordBefore() {
	defer close(r.ready)
	r.record()
}

// record takes a snapshot of the folder and stores it as the state before the turn.
func (r *Recording) record() {
	recordedAt := time.Now()
	st, now, _, err := r.m.record(r.chatID, r.folder, "")
	r.watch.begin(now, recordedAt)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.recordedAt, r.store, r.row.Before, r.row.During = recordedAt, st, string(now.ID), string(now.ID)
	if err != nil {
		r.unavailable(err)
	}
	r.publish()
}

// unavailable records that the turn can't be undone because of err. The caller must hold r.mu.
func (r *Recording) unavailable(err error) {
	r.m.cfg.Log.Warn("couldn't record a folder", "chat", r.chatID, "folder", r.folder, "err", err)
	r.row.State, r.row.Reason = backend.UndoUnavailable, reasonFor(err)
}

// publish publishes a copy of the turn's row. The caller must hold r.mu.
func (r *Recording) publish() {
	row := r.row
	r.m.cfg.Publish(backend.Event{TurnUndo: &row})
}

// errTooSlow is the error if recording a folder takes longer than Config.MaxWait.
var errTooSlow = errors.New("recording the folder takes too long")

// record takes a snapshot of a chat's folder. It also returns the files that have changed since the snapshot with the
// given ID, unless that is "". If recording takes too long, record returns errTooSlow and continues in the background,
// so that the next snapshot is faster.
func (m *Manager) record(chatID, folder string, since snapshot.ID) (*snapshot.Store, snapshot.Snapshot, []snapshot.Change, error) {
	type result struct {
		st      *snapshot.Store
		now     snapshot.Snapshot
		changed []snapshot.Change
		err     error
	}
	done := make(chan result, 1)
	m.tasks.Go(func() {
		began := time.Now()
		var res result
		if res.st, res.err = m.stores.Open(chatID, folder); res.err == nil {
			res.now, res.changed, res.err = res.st.SnapshotSince(m.ctx, since)
		}
		m.addCost(chatID, folder, time.Since(began))
		done <- res
	})
	late := time.NewTimer(m.cfg.MaxWait)
	defer late.Stop()
	select {
	case res := <-done:
		return res.st, res.now, res.changed, res.err
	case <-late.C:
		return nil, snapshot.Snapshot{}, nil, errTooSlow
	}
}

// Commit commits events. If they record that a turn was sent, it first waits until the folder has been recorded.
func (m *Manager) Commit(ctx context.Context, events ...backend.Event) error {
	for _, e := range events {
		if e.Turn == nil || e.Turn.SentAt == 0 || e.Turn.State != backend.TurnRunning {
			continue
		}
		m.mu.Lock()
		r := m.running[e.Turn.ID]
		m.mu.Unlock()
		if r == nil {
			continue
		}
		select {
		case <-r.ready:
		case <-ctx.Done():
			return ctx.Err()
		}
		r.mu.Lock()
		waited := r.row.State == backend.UndoRecording && time.Since(r.recordedAt) > maxOld
		r.mu.Unlock()
		if waited { // the turn waited, for example for a sign-in; changes made meanwhile don't belong to it
			r.record()
		}
		for _, u := range r.tell {
			events = append(events, backend.Event{TurnUndo: &u})
		}
		if r.markSent != nil {
			r.markSent()
		}
	}
	return m.cfg.Commit(ctx, events...)
}

// End records the folder after the turn and publishes the result.
func (r *Recording) End(turn backend.Turn) {
	<-r.ready
	defer func() {
		r.m.mu.Lock()
		delete(r.m.running, r.turn.ID)
		r.m.mu.Unlock()
	}()
	r.mu.Lock()
	row := r.row
	r.mu.Unlock()
	if !r.root || row.State != backend.UndoRecording {
		return
	}
	var err error
	row.State = backend.UndoNothing
	if turn.SentAt > 0 { // if the turn wasn't sent, nothing ran
		if err = r.recordAfter(&row); err == nil {
			err = complete(r.store, &row)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	row.Shared, row.During, row.EdgesOnly = r.row.Shared, r.row.During, r.row.EdgesOnly // these may have changed meanwhile
	if r.row = row; err != nil {
		r.unavailable(err)
	}
	r.publish()
	r.m.sweepIfGrown()
}

// complete sets the state and the counts of a turn whose folder was recorded both before and after it.
func complete(st *snapshot.Store, row *backend.TurnUndo) error {
	row.State, row.Files, row.Added, row.Removed = backend.UndoNothing, 0, 0, 0
	if row.Before == row.After {
		return nil
	}
	items, err := st.Changes(snapshot.ID(row.Before), snapshot.ID(row.After))
	if err != nil {
		return err
	}
	counts := lineCounter{st: st, budget: maxCounted}
	moved := movedFrom(items)
	for _, it := range items {
		if it.State == snapshot.Omitted || moved[it.Path] {
			continue
		}
		row.State = backend.UndoAvailable
		row.Files++
		if it.MovesFrom != "" {
			continue // the content is the same
		}
		n := counts.between(it.Path, snapshot.ID(row.Before), snapshot.ID(row.After), it.Before, it.After)
		row.Added, row.Removed = row.Added+n.added, row.Removed+n.removed
	}
	return nil
}
