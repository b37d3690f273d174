package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/agent/replay"
	"github.com/voxpilot/voxpilot/backend/assistant"
	"github.com/voxpilot/voxpilot/backend/eventbus"
	"github.com/voxpilot/voxpilot/backend/permission"
	"github.com/voxpilot/voxpilot/backend/store"
)

// whole is the part of the app between the user's message and the batches sent to the window. Its parts
// are connected as in package engine. It has its own database file and one chat.
type whole struct {
	dir    string
	chat   backend.Chat
	store  *store.Store
	bus    *eventbus.Bus
	agent  *agent.Agent
	chats  *assistant.Service
	window *window
	times  times
}

// startWhole starts the app with a benchmark agent that plays the named script. It returns when the agent is running
// and has answered once.
func startWhole(ctx context.Context, script string) (*whole, error) {
	launch, err := speaking(script)
	if err != nil {
		return nil, err
	}
	w, err := openWhole(ctx, launch, nil)
	if err != nil {
		return nil, err
	}
	if _, err = w.prompt(ctx, greeting); err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

// speaking returns the launch configuration of a benchmark agent that plays the named script.
func speaking(script string) (agent.Launch, error) {
	self, err := os.Executable()
	return agent.Launch{Path: self, Env: append(os.Environ(), scriptVar+"="+script)}, err
}

// openWhole starts the app but not its agent. sessions holds the ACP ids of the chat's earlier sessions by
// name.
func openWhole(ctx context.Context, launch agent.Launch, sessions map[string]string) (*whole, error) {
	dir, err := os.MkdirTemp("", "voxpilot-bench-")
	if err != nil {
		return nil, err
	}
	w := &whole{dir: dir, window: newWindow()}
	if err := w.wire(ctx, launch, sessions); err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

// open opens the database and the event bus and creates the chat.
func (w *whole) open(ctx context.Context) (err error) {
	if w.store, _, err = store.Open(ctx, w.dir); err != nil {
		return err
	}
	w.bus = eventbus.New(eventbus.Config{Run: backend.NewID(), Apply: w.store.Apply, Emit: w.window.emit, Log: stderrLog()})
	now := backend.Now()
	w.chat = backend.Chat{
		ID: backend.NewID(), Title: "Bench", Folder: w.dir, ProviderID: backend.ProviderCopilot,
		CreatedAt: now, UpdatedAt: now,
	}
	return w.bus.Commit(ctx, backend.Event{Chat: &w.chat})
}

func stderrLog() *slog.Logger {
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

func (w *whole) wire(ctx context.Context, launch agent.Launch, before map[string]string) error {
	if err := w.open(ctx); err != nil {
		return err
	}
	log, now := stderrLog(), backend.Now()
	var sessions []backend.Session
	for name, id := range before {
		row := backend.Session{
			ChatID: w.chat.ID, Name: name, ACPID: id, Cwd: w.dir, Home: launch.Home, HadPrompt: true, State: backend.SessionUnloaded,
			CreatedAt: now, UsedAt: now,
		}
		if err := w.bus.Commit(ctx, backend.Event{Session: &row}); err != nil {
			return err
		}
		sessions = append(sessions, row)
	}
	allowed := permission.New(permission.Config{
		Publish: w.bus.Publish, Commit: w.bus.Commit, AskOutside: func() bool { return false },
		Mode: func(string) backend.PermissionMode { return backend.ModeBypass },
	})
	w.agent = agent.New(agent.Config{
		ChatID: w.chat.ID, Folder: w.dir, Sessions: sessions,
		Launch:  func(context.Context) (agent.Launch, *agent.LaunchError) { return launch, nil },
		Publish: func(events ...backend.Event) { w.times.note(events); w.bus.Publish(events...) }, Commit: w.bus.Commit,
		History: func(ctx context.Context, name string) ([]replay.Exchange, error) {
			past, err := w.store.History(ctx, w.chat.ID, name)
			exchanges := make([]replay.Exchange, len(past))
			for i, x := range past {
				exchanges[i] = replay.Exchange(x)
			}
			return exchanges, err
		},
		Ask: allowed.Ask, IsAllowed: allowed.IsAllowed, IsDenied: allowed.IsDenied,
		Log: log,
	})
	w.chats = assistant.New(assistant.Config{
		Chats: []backend.Chat{w.chat},
		Prompt: func(ctx context.Context, turn backend.Turn, text string, _ []backend.Attachment) (backend.Turn, backend.TurnSummary) {
			r := w.agent.Prompt(ctx, turn, text)
			turn.State, turn.StopReason, turn.Error, turn.SentAt = r.State, r.StopReason, r.Err, r.SentAt
			return turn, r.Summary
		},
		Publish: w.bus.Publish, Commit: w.bus.Commit,
	})
	return nil
}

// prompt sends text as a message from the user. It returns the time until all events of the turn, including its end,
// have been committed and emitted.
func (w *whole) prompt(ctx context.Context, text string) (time.Duration, error) {
	started := time.Now()
	if _, err := w.chats.Send(ctx, w.chat.ID, text); err != nil {
		return 0, err
	}
	select {
	case ended := <-w.window.ended:
		took := ended.at.Sub(started)
		if ended.turn.State != backend.TurnDone {
			return 0, fmt.Errorf("the turn ended as %s: %w", ended.turn.State, ended.turn.Error)
		}
		return took, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// holds checks that the greeting, its answer, the prompt and the output of one run of the script were
// emitted, and that the agent's output is in the database.
func (w *whole) holds(ctx context.Context, s *script, prompt string) error {
	want := tally{text: int64(len(s.text) + len(prompt) + len(greeting) + len(words[0])), tools: s.tools}
	emitted, err := w.window.events()
	if err != nil {
		return err
	}
	if emitted != want {
		return fmt.Errorf("emitted %+v, want %+v", emitted, want)
	}
	return checkStoredText(ctx, w.store, w.chat.ID, s)
}

// tally counts text and tool calls.
type tally struct {
	text  int64 // bytes of text
	tools int   // completed tool calls
}

// times records when the connection first entered each of its states.
type times struct {
	mu sync.Mutex
	of map[backend.ConnectionState]time.Time
}

func (t *times) note(events []backend.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, e := range events {
		if e.Connection == nil {
			continue
		}
		if t.of == nil {
			t.of = map[backend.ConnectionState]time.Time{}
		}
		if t.of[e.Connection.State].IsZero() {
			t.of[e.Connection.State] = time.Now()
		}
	}
}

// between returns the time that passed between entering one state and another, or 0 if the connection hasn't been in
// both.
func (t *times) between(from, to backend.ConnectionState) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of[from].IsZero() || t.of[to].IsZero() {
		return 0
	}
	return t.of[to].Sub(t.of[from])
}

// closeTime is long enough for all steps of stopping an agent.
const closeTime = 15 * time.Second

// close stops the parts of the app in the same order as the app does, and deletes the folder with the database.
func (w *whole) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	var err error
	if w.chats != nil {
		err = w.chats.Close(ctx)
	}
	if w.agent != nil {
		err = errors.Join(err, w.agent.Close(ctx))
	}
	if w.bus != nil {
		err = errors.Join(err, w.bus.Close(ctx))
	}
	if w.store != nil {
		err = errors.Join(err, w.store.Close())
	}
	return errors.Join(err, os.RemoveAll(w.dir))
}

// window stands in for the page: it receives the emitted batches, encodes them as JSON,
// as Wails does before evaluating them in the page, and counts their content.
type window struct {
	ended   chan ended    // ended turns
	changed chan struct{} // a session was loaded

	mu     sync.Mutex
	text   int64
	tools  map[string]bool // by item ID: whether the call is completed
	loaded map[string]bool // names of sessions
	bad    error
}

// ended is a turn whose end was emitted.
type ended struct {
	turn backend.Turn
	at   time.Time
}

func newWindow() *window {
	return &window{
		ended: make(chan ended, 8), changed: make(chan struct{}, 1),
		tools: map[string]bool{}, loaded: map[string]bool{},
	}
}

func (w *window) emit(b backend.Batch) {
	data, err := json.Marshal(b)
	if err == nil && len(data) > backend.MaxBatchBytes {
		err = fmt.Errorf("a batch of %d bytes was emitted", len(data))
	}
	now := time.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bad = errors.Join(w.bad, err)
	for _, e := range b.Events {
		switch {
		case e.Text != nil:
			w.text += int64(len(e.Text.Text))
		case e.Item != nil && e.Item.Tool != nil:
			w.tools[e.Item.ID] = e.Item.Tool.Status == backend.ToolCompleted
		case e.Turn != nil && e.Turn.State != backend.TurnRunning:
			w.ended <- ended{*e.Turn, now}
		case e.Session != nil && e.Session.State == backend.SessionLoaded:
			w.loaded[e.Session.Name] = true
			select {
			case w.changed <- struct{}{}:
			default:
			}
		}
	}
}

// has reports whether each of the named sessions has been reported as loaded by an event.
func (w *window) has(sessions []string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !slices.ContainsFunc(sessions, func(name string) bool { return !w.loaded[name] })
}

// events returns how many bytes of text and how many completed tool calls the page received, and an error with the
// problems found in the batches, if any.
func (w *window) events() (tally, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := tally{text: w.text}
	for _, completed := range w.tools {
		if completed {
			t.tools++
		}
	}
	return t, w.bad
}

// checkStoredText checks that the stored chat contains exactly the output of an agent
// that answered the greeting and then played the script, byte for byte.
func checkStoredText(ctx context.Context, db *store.Store, chatID string, s *script) error {
	said, tools, err := storedText(ctx, db, chatID)
	if err != nil {
		return err
	}
	want := slices.Concat([]byte(words[0]), s.text)
	if !bytes.Equal(said, want) {
		return fmt.Errorf("the %d bytes of text in the database differ from the agent's %d", len(said), len(want))
	}
	if tools != s.tools {
		return fmt.Errorf("%d tool calls are in the database, want %d", tools, s.tools)
	}
	return nil
}

// storedText returns the text of the agent's answers in the database, in order, and the
// number of completed tool calls.
func storedText(ctx context.Context, db *store.Store, chatID string) (said []byte, tools int, err error) {
	var texts []backend.Item
	err = db.Read(ctx, func(v *store.ReadTx) error {
		for before := int64(1) << 62; before > 0; {
			var events []backend.Event
			if events, before, err = v.Items(ctx, chatID, before, 500); err != nil {
				return err
			}
			for _, e := range events {
				switch {
				case e.Item == nil:
				case e.Item.Kind == backend.ItemMessage, e.Item.Kind == backend.ItemThought:
					texts = append(texts, *e.Item)
				case e.Item.Tool != nil && e.Item.Tool.Status == backend.ToolCompleted:
					tools++
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	slices.SortFunc(texts, func(a, b backend.Item) int { return cmp.Compare(a.Pos, b.Pos) })
	for _, item := range texts {
		text, total, err := db.Text(ctx, item.ID, 0, 1<<30)
		if err != nil || int64(len(text)) != total {
			return nil, 0, fmt.Errorf("couldn't read the text of an item: %d of %d bytes, %w", len(text), total, err)
		}
		said = append(said, text...)
	}
	return said, tools, nil
}
