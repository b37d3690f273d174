// Package branch lets the user go back in a chat to the point before one of the user's messages, bring back messages
// that were set aside, and start new chats from a message.
//
// A chat's transcript is a sequence of turns. Going back sets aside a turn and all later turns, together with the
// agent's sessions. A backend.Aside records them. These sessions stay unchanged: the chat continues with forks, which
// are copies that end before the turn. When messages are brought back, both turns and sessions are exchanged again. The
// files in the folder go back in one operation of backend/undo.
//
// All rows change in one transaction. The aside is stored before files change. If the app is killed in between, the
// next start completes the operation if a file has already been changed, and otherwise cancels it. A chat therefore
// never stays between two versions.
package branch

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/backend/undo"
)

// Config holds the dependencies of a Manager. All functions are required.
type Config struct {
	Dir   string // VoxPilot's data directory
	Store *store.Store
	Undo  *undo.Manager
	// Chat returns the chat with the given ID. Change changes a chat's row and commits the row together with the given
	// events.
	Chat   func(id string) (backend.Chat, error)
	Change func(ctx context.Context, chatID string, change func(*backend.Chat), with ...backend.Event) error
	// Hold prevents turns from starting in a chat until release is called. It returns CodeUnavailable if the chat is
	// running or already held.
	Hold func(chatID string) (release func(), err error)
	// Busy reports whether a chat is running or held.
	Busy func(chatID string) bool
	// WithoutAgent stops the chat's agent and calls the given function. No new agent can start before that function
	// returns. The new agent reads the chat's sessions again.
	WithoutAgent func(ctx context.Context, chatID string, do func() error) error
	// Forks reports whether the chat's agent is the Copilot CLI, whose sessions can be forked.
	Forks func(chat backend.Chat) bool
	// Copy creates a chat with the settings of an existing chat, whose ID is fromID. The function passed to Copy
	// returns further events for the new chat. These events are committed together with the chat.
	Copy    func(ctx context.Context, fromID string, with func(chat backend.Chat) ([]backend.Event, error)) (backend.Chat, error)
	Commit  func(ctx context.Context, events ...backend.Event) error
	Publish func(events ...backend.Event)
	Log     *slog.Logger
}

// Manager handles going back and branching for all chats. It is safe for concurrent use.
type Manager struct {
	cfg   Config
	ctx   context.Context // parent context of background tasks
	end   context.CancelFunc
	tasks sync.WaitGroup

	mu       sync.Mutex
	branched map[string]bool // IDs of the chats in which the user has gone back at least once
}

// New returns a Manager. The caller must call Start and, at the end, Close.
func New(cfg Config) *Manager {
	m := &Manager{cfg: cfg, branched: map[string]bool{}}
	m.ctx, m.end = context.WithCancel(context.Background())
	return m
}

// Close ends background tasks.
func (m *Manager) Close() {
	m.end()
	m.tasks.Wait()
}

// Observe must be called with every event. When a turn starts in a chat in which the user has gone back, Observe
// publishes the chat's branches again, because the new turn belongs to one of the branches.
func (m *Manager) Observe(e backend.Event) {
	if e.Turn == nil || e.Turn.State != backend.TurnRunning || e.Turn.BlockID != "" || e.Turn.SentAt > 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.branched[e.Turn.ChatID] {
		m.cfg.Publish(backend.Event{ChatBranches: &backend.ChatBranches{ChatID: e.Turn.ChatID}})
	}
}

func (m *Manager) setBranched(chatID string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.branched[chatID] = true
}

// The reasons why the user can't go back in a chat or bring messages back at the moment.
var (
	errRunning = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("This chat is still running. Wait for it to finish, or stop it.")}
	errHidden  = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("This message is set aside. Bring it back first.")}
	errAbsent  = &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("These messages are no longer set aside.")}
	errDeep    = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("An earlier message is also set aside. Bring that message back first.")}
)

func storageError(err error) error {
	return &backend.Error{Code: backend.CodeStorage, Message: backend.Say("Couldn't save the change. VoxPilot can't write to its database. Everything saved earlier is safe."), Detail: err.Error()}
}

// Preview describes the effect of going back to the point before a turn's message.
func (m *Manager) Preview(ctx context.Context, turnID string) (res backend.GoBackPreview, err error) {
	p, err := m.find(ctx, turnID)
	if err != nil {
		return res, err
	}
	tail := since(p.lines, p.after)
	res = backend.GoBackPreview{
		TurnID: turnID, Since: p.turn.StartedAt, Messages: messages(tail), Memory: backend.MemoryFork,
		Files: []backend.UndoFile{}, NotUndone: []backend.UndoRest{},
	}
	if m.cfg.Busy(p.chat.ID) {
		res.Blocked, res.FilesBlocked = errRunning.Message, errRunning.Message
	}
	if p.chat.OrchestratorID == "" {
		if res.Memory, err = m.memory(ctx, p.chat, p.lines, tail); err != nil {
			return res, err
		}
	}
	back, err := m.cfg.Undo.PlanBack(ctx, turnID)
	var files backend.UndoPreview
	if err == nil {
		files, err = back.Preview(ctx)
	}
	if err != nil {
		if backend.CodeOf(err) == backend.CodeStorage || ctx.Err() != nil {
			return res, err
		}
		res.FilesBlocked = backend.AsError(err).Message
		return res, nil
	}
	if res.FilesBlocked.IsZero() {
		res.FilesBlocked = files.Blocked
	}
	res.Files, res.Total, res.Ready, res.Changed, res.Meanwhile, res.NotUndone = files.Files, files.Total, files.Ready, files.Changed, files.Meanwhile, files.NotUndone
	return res, nil
}

// GoBack goes back to the point before a turn's message. It returns CodeUnavailable if that isn't possible now, for
// example while the chat is running or, if files go back, while another chat is using the folder.
func (m *Manager) GoBack(ctx context.Context, turnID string, r backend.GoBackRequest) error {
	if !slices.Contains([]backend.BackScope{backend.BackBoth, backend.BackFiles, backend.BackConversation}, r.Scope) {
		return &backend.Error{Code: backend.CodeInvalid, Message: backend.Say("Choose what to restore: the files, the conversation or both."), Detail: string(r.Scope)}
	}
	turn, err := m.cfg.Store.Turn(ctx, turnID)
	if err != nil {
		return err
	}
	return m.change(ctx, turn.ChatID, r.Scope != backend.BackConversation, r.Scope != backend.BackFiles, func(ctx context.Context) error {
		p, err := m.find(ctx, turnID)
		if err != nil {
			return err
		}
		tail := since(p.lines, p.after)
		a := backend.Aside{
			ID: backend.NewID(), ChatID: p.chat.ID, State: backend.AsideGoing, AfterTurn: p.after, FromTurn: turnID, Scope: r.Scope,
			At: backend.Now(), Since: turn.StartedAt, Messages: messages(tail), ProviderID: p.chat.ProviderID,
		}
		if r.Scope == backend.BackFiles {
			a.FromTurn, a.Messages, a.AfterTurn = "", 0, lastOf(p.lines)
		}
		if a.Sessions, err = m.cfg.Store.Sessions(ctx, p.chat.ID); err != nil {
			return err
		}
		w, err := m.rewind(ctx, p.chat, a, p.lines)
		if err != nil {
			return err
		}
		defer w.release(m)
		var did undo.Outcome
		switch r.Scope {
		case backend.BackConversation:
			a.Before = m.record(ctx, p.chat)
		case backend.BackBoth, backend.BackFiles:
			back, err := m.cfg.Undo.PlanBack(ctx, turnID)
			if err == nil {
				did, err = back.Apply(ctx, r.Choices, func(ctx context.Context, now string) error {
					a.Before = now
					return m.commit(ctx, backend.Event{Aside: &a})
				})
			}
			switch {
			case errors.Is(err, undo.ErrUnrecorded):
				return err
			case err != nil:
				return errors.Join(err, m.cancel(ctx, a))
			}
			if r.Scope == backend.BackFiles && did.After == "" {
				return errors.Join(&backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("No files were changed.")}, m.cancel(ctx, a))
			}
			a.Before, a.After, a.Files = did.Before, did.After, did.Files
		}
		return errors.Join(m.finishGoing(context.WithoutCancel(ctx), a, w, did), did.Failure)
	})
}

// lastOf returns the ID of the last of the given turns that is shown, or "" if none is shown.
func lastOf(lines []store.Line) (last string) {
	for _, l := range lines {
		if l.Aside == "" {
			last = l.ID
		}
	}
	return last
}

// finishGoing commits the result of GoBack.
func (m *Manager) finishGoing(ctx context.Context, a backend.Aside, w *rewound, did undo.Outcome) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var last string
	if a.FromTurn == "" {
		m.remembers(a.ChatID, a.Before, a.After, true)
	} else {
		expected := ""
		if a.AfterTurn != "" {
			expected = m.before(ctx, a.ChatID, a.FromTurn)
		}
		m.remembers(a.ChatID, expected, cmp.Or(a.After, a.Before), false)
		last = a.AfterTurn
	}
	a.State = backend.AsideHidden
	events := append(w.events(), backend.Event{Aside: &a})
	return m.save(ctx, a.ChatID, a.FromTurn != "", last, false, w, did, events)
}

// save commits events together with the chat's row. The parameter last is the ID of the last turn that remains shown,
// or "" if there is none. If the parameter conversation is true, the row gets the state of that turn. If some files
// couldn't be changed, save adds a banner. The banner says that files were brought back (came is true) or that they
// went back.
func (m *Manager) save(ctx context.Context, chatID string, conversation bool, last string, came bool, w *rewound, did undo.Outcome, events []backend.Event) error {
	var ended backend.Turn
	if last != "" {
		var err error
		if ended, err = m.cfg.Store.Turn(ctx, last); err != nil {
			return err
		}
	}
	if did.Skipped > 0 {
		now := backend.Now()
		banner := &backend.Banner{
			Kind: backend.BannerUndone, Note: did.Note, Skipped: did.Skipped,
			Detail: backend.Count(did.Files, "Undid the changes to 1 file.", "Undid the changes to %d files."),
		}
		if came {
			banner.Kind = backend.BannerRedone
			banner.Detail = backend.Count(did.Files, "Redid the changes to 1 file.", "Redid the changes to %d files.")
		}
		events = append(events, backend.Event{Item: &backend.Item{
			ID: backend.NewID(), ChatID: chatID, Kind: backend.ItemBanner, CreatedAt: now, EndedAt: now, Banner: banner,
		}})
	}
	events = append(events, backend.Event{ChatBranches: &backend.ChatBranches{ChatID: chatID}})
	err := m.cfg.Change(ctx, chatID, func(chat *backend.Chat) {
		if conversation {
			chat.TurnState, chat.TurnSince, chat.Detail, chat.Unread = ended.State, ended.EndedAt, backend.Message{}, false
		}
	}, events...)
	if err != nil {
		return err
	}
	w.keep()
	m.setBranched(chatID)
	return nil
}

// cancel records that the chat didn't go back, because no file was changed.
func (m *Manager) cancel(ctx context.Context, a backend.Aside) error {
	if a.Before == "" {
		return nil // the aside isn't stored
	}
	a.State = backend.AsideCanceled
	return m.commit(context.WithoutCancel(ctx), backend.Event{Aside: &a})
}

func (m *Manager) commit(ctx context.Context, events ...backend.Event) error {
	if err := m.cfg.Commit(ctx, events...); err != nil {
		return storageError(err)
	}
	return nil
}

// change calls the given function while it holds the chat (Config.Hold). If the parameter files is true, no turn or
// undo can use the folder during the call. If the parameter agent is true, the chat has no agent during the call.
// Before the call, change completes the chat's interrupted changes.
func (m *Manager) change(ctx context.Context, chatID string, files, agent bool, do func(context.Context) error) error {
	chat, err := m.cfg.Chat(chatID)
	if err != nil {
		return err
	}
	release, err := m.cfg.Hold(chatID)
	if err != nil {
		return err
	}
	defer release()
	if err := m.repairAll(ctx, chat); err != nil {
		return err
	}
	if files {
		done, err := m.cfg.Undo.Hold(ctx, chat)
		if err != nil {
			return err
		}
		defer done()
	}
	if !agent {
		return do(ctx)
	}
	return m.cfg.WithoutAgent(ctx, chatID, func() error {
		// Copying a large session can take longer than the caller waits.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), changeTime)
		defer cancel()
		return do(ctx)
	})
}

// changeTime is the time limit for going back or bringing messages back while the chat has no agent.
const changeTime = 2 * time.Minute

// recordTime is the time limit for recording the folder if only the conversation changes.
const recordTime = 3 * time.Second

// record takes a snapshot of the chat's folder and returns its ID, or "" if that takes too long or fails.
func (m *Manager) record(ctx context.Context, chat backend.Chat) string {
	ctx, cancel := context.WithTimeout(ctx, recordTime)
	defer cancel()
	id, err := m.cfg.Undo.Record(ctx, chat)
	if err != nil {
		m.cfg.Log.Warn("couldn't record a folder", "chat", chat.ID, "err", err)
	}
	return id
}

// before returns the ID of the snapshot of the folder that was taken before a turn, or "" if none is known.
func (m *Manager) before(ctx context.Context, chatID, turnID string) string {
	undos, err := m.cfg.Store.TurnUndos(ctx, chatID)
	i := slices.IndexFunc(undos, func(u backend.TurnUndo) bool { return u.TurnID == turnID })
	if err != nil || i < 0 {
		return ""
	}
	return undos[i].Before
}

// remembers does the same as undo.Manager.Remembers, but logs an error instead of returning it.
func (m *Manager) remembers(chatID, last, now string, more bool) {
	if err := m.cfg.Undo.Remembers(chatID, last, now, more); err != nil {
		m.cfg.Log.Warn("couldn't record what the agent doesn't know", "chat", chatID, "err", err)
	}
}
