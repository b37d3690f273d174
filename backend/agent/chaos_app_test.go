package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/agent/replay"
	"github.com/voxpilot/voxpilot/backend/agent/session"
	"github.com/voxpilot/voxpilot/backend/assistant"
	"github.com/voxpilot/voxpilot/backend/eventbus"
	"github.com/voxpilot/voxpilot/backend/permission"
	"github.com/voxpilot/voxpilot/backend/store"
)

// failer reports the failures of an app under test. It is either the test itself or a child process that runs the app
// for a test.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// app is VoxPilot without its window: the database, the event bus, the permission
// broker, the chats and their agents.
type app struct {
	failer failer
	launch func(chat backend.Chat) agent.Launch
	tools  func(chat backend.Chat) []session.MCPServer // for the main session; nil means none
	store  *store.Store
	bus    *eventbus.Bus
	broker *permission.Broker
	chats  *assistant.Service

	mu         sync.Mutex
	agents     map[string]*agent.Agent
	events     map[string][]backend.Event // by chat; nil if not recorded
	onEvent    func(backend.Event)        // if set, called with each event
	changed    chan struct{}              // closed and replaced when an event was recorded
	unanswered map[string]bool            // chats whose requests stay unanswered
	work       sync.WaitGroup             // answers to requests
}

// openApp opens the app with the data in dir.
func openApp(j failer, dir string, launch func(backend.Chat) agent.Launch) *app {
	j.Helper()
	db, _, err := store.Open(context.Background(), dir)
	if err != nil {
		j.Fatalf("%v", err)
	}
	a := &app{
		failer: j, launch: launch, store: db,
		agents: map[string]*agent.Agent{}, events: map[string][]backend.Event{}, changed: make(chan struct{}), unanswered: map[string]bool{},
	}
	a.bus = eventbus.New(eventbus.Config{Run: backend.NewID(), Apply: db.Apply, Emit: a.emit, Log: slog.New(slog.DiscardHandler)})
	a.broker = permission.New(permission.Config{Publish: a.bus.Publish, Commit: a.bus.Commit})
	kept := assistant.Config{Prompt: a.prompt, Publish: a.bus.Publish, Commit: a.bus.Commit}
	if err := db.Read(context.Background(), func(v *store.ReadTx) error {
		events, err := v.AppEvents(context.Background())
		for _, e := range events {
			if e.Chat != nil {
				kept.Chats = append(kept.Chats, *e.Chat)
			}
		}
		return err
	}); err != nil {
		j.Fatalf("%v", err)
	}
	a.chats = assistant.New(kept)
	return a
}

// close shuts the app down in the same order as VoxPilot does.
func (a *app) close() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	err := a.chats.Close(ctx)
	a.mu.Lock()
	agents := a.agents
	a.agents = nil
	a.mu.Unlock()
	for _, ag := range agents {
		err = errors.Join(err, ag.Close(ctx))
	}
	a.work.Wait()
	if err = errors.Join(err, a.bus.Close(ctx), a.store.Close()); err != nil {
		a.failer.Fatalf("the app did not end well: %v", err)
	}
}

func (a *app) prompt(ctx context.Context, turn backend.Turn, text string, with []backend.Attachment) (backend.Turn, backend.TurnSummary) {
	ag := a.agent(turn.ChatID)
	if ag == nil {
		turn.State = backend.TurnInterrupted
		return turn, backend.TurnSummary{}
	}
	r := ag.Prompt(ctx, turn, text, with...)
	turn.State, turn.StopReason, turn.Error, turn.SentAt = r.State, r.StopReason, r.Err, r.SentAt
	return turn, r.Summary
}

// agent returns the chat's agent, creating it if there is none.
func (a *app) agent(chatID string) *agent.Agent {
	chat, err := a.chats.Get(chatID)
	if err != nil {
		a.failer.Fatalf("%v", err)
	}
	sessions, err := a.store.Sessions(context.Background(), chatID)
	if err != nil {
		a.failer.Fatalf("%v", err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.agents == nil {
		return nil
	}
	ag := a.agents[chatID]
	if ag == nil {
		var servers func(string) []session.MCPServer
		if a.tools != nil {
			servers = func(string) []session.MCPServer { return a.tools(chat) }
		}
		ag = agent.New(agent.Config{
			Servers: servers,
			ChatID:  chatID, Folder: chat.Folder, Version: "test", Sessions: sessions,
			Launch: func(context.Context) (agent.Launch, *agent.LaunchError) { return a.launch(chat), nil },
			Publish: func(events ...backend.Event) {
				a.bus.Publish(events...)
				a.record(events)
			},
			Commit: func(ctx context.Context, events ...backend.Event) error {
				err := a.bus.Commit(ctx, events...)
				if err == nil {
					a.record(events)
				}
				return err
			},
			Ask: a.broker.Ask, IsAllowed: a.broker.IsAllowed, Log: slog.New(slog.DiscardHandler),
			Recap: func(ctx context.Context, session string) (string, error) {
				events, err := a.store.Recap(ctx, chatID, session)
				return assistant.Recap(events, chat.Folder), err
			},
			History: func(ctx context.Context, name string) (exchanges []replay.Exchange, err error) {
				past, err := a.store.History(ctx, chatID, name)
				for _, x := range past {
					exchanges = append(exchanges, replay.Exchange(x))
				}
				return exchanges, err
			},
		})
		a.agents[chatID] = ag
	}
	return ag
}

// record records every connection and session event before the event bus merges them. The window receives only the
// newest of several such events that follow one another quickly.
func (a *app) record(events []backend.Event) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, e := range events {
		if id := chatOf(e); a.events != nil && (e.Connection != nil || e.Session != nil) {
			a.events[id] = append(a.events[id], e)
		}
	}
	close(a.changed)
	a.changed = make(chan struct{})
}

// emit acts as the window: it records the events and allows the permission requests, except those of chats in
// a.unanswered.
func (a *app) emit(b backend.Batch) {
	for _, e := range b.Events {
		if e.EventRef != nil {
			if whole, ok := a.bus.Event(e.EventRef.Seq); ok {
				e = whole
			}
		}
		if p := e.Permission; p != nil && p.State == backend.PermissionOpen && !a.isUnanswered(p.ChatID) {
			a.work.Go(func() {
				i := slices.IndexFunc(p.Options, func(o backend.Option) bool { return o.Kind == backend.OptionAllowOnce })
				// The turn may have ended meanwhile.
				_ = a.broker.Answer(context.Background(), p.ID, p.Options[i].ID, false)
			})
		}
		a.mu.Lock()
		if id := chatOf(e); a.events != nil && id != "" && e.Connection == nil && e.Session == nil {
			a.events[id] = append(a.events[id], e)
		}
		if a.onEvent != nil {
			a.onEvent(e)
		}
		a.mu.Unlock()
	}
	a.mu.Lock()
	close(a.changed)
	a.changed = make(chan struct{})
	a.mu.Unlock()
}

func (a *app) isUnanswered(chatID string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.unanswered[chatID]
}

// setUnanswered sets whether the chat's permission requests are left unanswered.
func (a *app) setUnanswered(chatID string, unsure bool) {
	a.mu.Lock()
	a.unanswered[chatID] = unsure
	a.mu.Unlock()
}

// chatOf returns the ID of the event's chat.
func chatOf(e backend.Event) string {
	switch {
	case e.Chat != nil:
		return e.Chat.ID
	case e.Turn != nil:
		return e.Turn.ChatID
	case e.Item != nil:
		return e.Item.ChatID
	case e.Text != nil:
		return e.Text.ChatID
	case e.Permission != nil:
		return e.Permission.ChatID
	case e.Queued != nil:
		return e.Queued.ChatID
	case e.QueuedDeleted != nil:
		return e.QueuedDeleted.ChatID
	case e.Session != nil:
		return e.Session.ChatID
	case e.Connection != nil:
		return e.Connection.ChatID
	}
	return ""
}

// create creates a chat in folder.
func (a *app) create(folder string) backend.Chat {
	a.failer.Helper()
	chat, err := a.chats.Create(context.Background(), folder, backend.ProviderCopilot, "", backend.ModeAsk)
	if err != nil {
		a.failer.Fatalf("%v", err)
	}
	return chat
}

func (a *app) send(chatID, text string) {
	a.failer.Helper()
	if _, err := a.chats.Send(context.Background(), chatID, text); err != nil {
		a.failer.Fatalf("%q: %v", text, err)
	}
}

// waitFor waits until the chat's events so far meet the given condition.
func (a *app) waitFor(j failer, chatID, what string, see func(events []backend.Event) bool) {
	j.Helper()
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		a.mu.Lock()
		events, grew := slices.Clip(a.events[chatID]), a.changed
		a.mu.Unlock()
		if see(events) {
			return
		}
		select {
		case <-grew:
		case <-late.C:
			last, _ := json.Marshal(events[max(0, len(events)-20):])
			stacks := make([]byte, 1<<20)
			stacks = stacks[:runtime.Stack(stacks, true)]
			j.Fatalf("timed out waiting for %s; connection: %+v; the last events: %s; goroutines:\n%s", what, a.agent(chatID).Connection(), last, stacks)
		}
	}
}

// processesWith returns the processes whose environment contains text. If text is the
// path of an agent's own home directory, these are the agent and its descendants. On
// systems without /proc it returns none.
func processesWith(text string) (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if env, err := os.ReadFile(file); err == nil && pid != os.Getpid() && strings.Contains(string(env), text) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// assertNoOrphans counts the processes that still have the agent's home directory in their environment. It fails the
// test unless their number becomes want in time. On systems without /proc, it does nothing.
func assertNoOrphans(t *testing.T, home string, want int) {
	t.Helper()
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		return
	}
	defer func() {
		if t.Failed() {
			for _, pid := range processesWith(home) {
				line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
				stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
				t.Logf("there is %q, %s", line, stat)
			}
		}
	}()
	waitFor(t, fmt.Sprintf("%d processes of %s", want, home), func() bool { return len(processesWith(home)) == want })
}
