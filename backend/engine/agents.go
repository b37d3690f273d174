package engine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/agent/replay"
	"github.com/voxpilot/voxpilot/backend/agent/session"
	"github.com/voxpilot/voxpilot/backend/practice"
)

// agents holds the agent of each chat: one process a chat, made with the first
// message and ended with the app.
type agents struct {
	e *Engine

	mu       sync.Mutex
	byChat   map[string]*agent.Agent
	stale    map[string]bool          // chats whose agents were started with what has changed since
	changing map[string]chan struct{} // chats whose agents are being ended for others; closed when they are
	hasToken map[string]bool          // chats whose agents were given the user's token
	practice *practice.Server         // made with the first practice chat
	changes  int                      // how many times a chat's agent has given way to another, or to none
	closed   bool
	ending   sync.WaitGroup // agents of chats that were deleted, on their way out
}

func newAgents(e *Engine) *agents {
	return &agents{e: e, byChat: map[string]*agent.Agent{}, stale: map[string]bool{}, hasToken: map[string]bool{}, changing: map[string]chan struct{}{}}
}

// prompt carries a turn out (assistant.Config.Prompt).
func (g *agents) prompt(ctx context.Context, turn backend.Turn, text string, with []backend.Attachment) (backend.Turn, backend.TurnSummary) {
	for {
		a, err := g.ensure(ctx, turn.ChatID)
		if err != nil && ctx.Err() != nil {
			turn.State = backend.TurnStopped
			return turn, backend.TurnSummary{}
		}
		if err != nil {
			turn.State = backend.TurnFailed
			if !errors.As(err, &turn.Error) {
				turn.Error = &backend.Error{Code: backend.CodeConnection, Message: backend.Say("Couldn't prepare the agent. Send the message again."), Detail: err.Error()}
			}
			return turn, backend.TurnSummary{}
		}
		r := a.Prompt(ctx, turn, text, with...)
		if r.State == backend.TurnStopped && r.SentAt == 0 && ctx.Err() == nil && g.isReplaced(turn.ChatID, a) {
			continue // another answerer was chosen while the message waited
		}
		if r.Err != nil && r.Err.Code == backend.CodeModel {
			g.modelFailed(ctx, turn.ChatID)
		}
		turn.State, turn.StopReason, turn.Error, turn.Usage, turn.SentAt = r.State, r.StopReason, r.Err, r.Usage, r.SentAt
		return turn, r.Summary
	}
}

// ensure is the chat's agent, made where there is none yet, or none that may go on.
func (g *agents) ensure(ctx context.Context, chatID string) (*agent.Agent, error) {
	if err := g.endStale(ctx, chatID); err != nil {
		return nil, err
	}
	return g.Get(ctx, chatID)
}

// Get is the chat's agent, made where there is none yet. An agent that is made
// starts nothing.
func (g *agents) Get(ctx context.Context, chatID string) (*agent.Agent, error) {
	for {
		g.mu.Lock()
		a, changes := g.byChat[chatID], g.changes
		g.mu.Unlock()
		chat, err := g.e.Chats.Get(chatID)
		if err != nil {
			return nil, err
		}
		if a != nil {
			return a, nil // with every message but the first
		}
		if chat.DeletedAt > 0 {
			return nil, &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This chat was deleted.")}
		}
		sessions, err := g.e.Store.Sessions(ctx, chatID)
		if err != nil {
			return nil, err
		}
		cut, err := g.e.Store.InterruptedSessions(ctx, chatID)
		if err != nil {
			return nil, err
		}
		var changed <-chan struct{}
		a, changed = g.create(chat, sessions, cut, changes)
		switch {
		case a != nil:
			return a, nil
		case changed == nil:
			return nil, &backend.Error{Code: backend.CodeInterrupted, Message: backend.Say("VoxPilot is closing.")}
		}
		select { // the chat gets another answerer
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// create is the chat's agent, or what to wait for before there is one; neither
// where there will be none. The rows were read when there had been so many
// changes.
func (g *agents) create(chat backend.Chat, sessions []backend.Session, cut []string, changes int) (a *agent.Agent, changed <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch changed := g.changing[chat.ID]; {
	case g.closed:
		return nil, nil
	case changed != nil:
		return nil, changed
	case changes != g.changes: // what was read may not be so any more
		again := make(chan struct{})
		close(again)
		return nil, again
	}
	a = g.byChat[chat.ID]
	if a == nil {
		a = agent.New(g.config(chat, sessions, cut))
		g.byChat[chat.ID] = a
	}
	return a, nil
}

// config is what a chat's agent is made with.
func (g *agents) config(chat backend.Chat, sessions []backend.Session, cut []string) agent.Config {
	e := g.e
	return agent.Config{
		ChatID: chat.ID, Folder: chat.Folder, Version: e.Config.Build.Version, Sessions: sessions, Interrupted: cut,
		Launch:      func(ctx context.Context) (agent.Launch, *agent.LaunchError) { return g.launch(ctx, chat.ID) },
		SignInCause: func(ctx context.Context) (backend.Cause, backend.Message) { return g.signInCause(ctx, chat.ID) },
		CheckTrust:  func(ctx context.Context, folder string) *agent.LaunchError { return g.checkTrust(ctx, chat.ID, folder) },
		Publish:     e.Bus.Publish, Commit: e.Bus.Commit,
		Servers: func(string) []session.MCPServer { return e.router.servers(chat.ID) },
		Ask:     e.askPermission, IsAllowed: e.Permissions.IsAllowed, IsDenied: e.Permissions.IsDenied, Suspects: e.suspects,
		Idle:      func() time.Duration { return time.Duration(e.Setup.Settings().IdleMinutes) * time.Minute },
		Attempts:  func() int { return e.Setup.Settings().Attempts },
		Mode:      func() string { return e.Setup.Settings().AgentMode },
		Recap:     func(ctx context.Context, session string) (string, error) { return e.recap(ctx, chat.ID, session) },
		SkipRecap: func() bool { return e.Setup.Settings().IfLost == backend.IfLostFresh },
		History: func(ctx context.Context, name string) ([]replay.Exchange, error) {
			past, err := e.Store.History(ctx, chat.ID, name)
			exchanges := make([]replay.Exchange, len(past))
			for i, x := range past {
				exchanges[i] = replay.Exchange(x)
			}
			return exchanges, err
		},
		Image:      e.image,
		RecordsDir: e.records(), Trace: e.trace, Log: e.Log,
	}
}

// outdate has the agents of the chats that providerID answers, or of all where
// it is "", start afresh with their next message, because what they are started
// with has changed.
func (g *agents) outdate(providerID string) {
	g.mu.Lock()
	ids := slices.Collect(maps.Keys(g.byChat))
	g.mu.Unlock()
	for _, id := range ids {
		if chat, err := g.e.Chats.Get(id); err == nil && (providerID == "" || chat.ProviderID == providerID) {
			g.mu.Lock()
			g.stale[id] = true
			g.mu.Unlock()
		}
	}
}

// endStale ends the chat's agent where it is to start afresh, unless it works: a
// turn of another session begins beside what runs. Nobody makes another one before
// it has ended: two would have the same sessions.
func (g *agents) endStale(ctx context.Context, chatID string) error {
	g.mu.Lock()
	old := g.byChat[chatID]
	if !g.stale[chatID] || old == nil || g.closed || old.Working() {
		g.mu.Unlock()
		return nil
	}
	changed := g.detach(chatID)
	g.mu.Unlock()
	defer changed()
	return old.Close(ctx)
}

// detach takes the chat's agent, which the caller is to end, from those that are
// used. Until back is called no other is made. g.mu is held.
func (g *agents) detach(chatID string) (back func()) {
	changed := make(chan struct{})
	g.changing[chatID] = changed
	delete(g.byChat, chatID)
	delete(g.stale, chatID)
	delete(g.hasToken, chatID)
	g.ending.Add(1)
	return func() {
		g.mu.Lock()
		delete(g.changing, chatID)
		g.changes++
		g.mu.Unlock()
		close(changed)
		g.ending.Done()
	}
}

// retry makes the chat's agent try again now.
func (g *agents) retry(chatID string) {
	if a, err := g.Running(chatID); err == nil {
		a.Retry()
	} // else the next message starts it
}

// cliFound has the agents try again that could not be started without a Copilot
// CLI, or with one that was too old.
func (g *agents) cliFound() {
	g.mu.Lock()
	all := slices.Collect(maps.Values(g.byChat))
	g.mu.Unlock()
	for _, a := range all {
		c := a.Connection()
		if c.State == backend.ConnectionFailed && (c.Cause == backend.CauseCLIMissing || c.Cause == backend.CauseCLITooOld) {
			a.Retry()
		}
	}
}

// relocate makes the chat's agent work in another folder: one that waits
// because its folder was gone starts at once, one that runs starts afresh with
// the next message.
func (g *agents) relocate(chatID, folder string) {
	a, err := g.Running(chatID)
	if err != nil {
		return
	}
	g.e.Trust.RemoveChat(chatID) // it waits for trust in the other folder, if for any
	a.Relocate(folder)
	g.mu.Lock()
	defer g.mu.Unlock()
	switch a.Connection().State {
	case backend.ConnectionStarting, backend.ConnectionRestoring, backend.ConnectionReady:
		if g.byChat[chatID] == a {
			g.stale[chatID] = true
		}
	default: // it starts in the new one
	}
}

// remove ends the agent of a chat that was deleted, in the background. ended is
// closed when nothing uses the chat's sessions any more; until then no other is
// made, should the chat be restored.
func (g *agents) remove(chatID string) (ended <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.changes++ // who read the chat before it was deleted makes no agent of it
	a := g.byChat[chatID]
	if a == nil {
		if changing := g.changing[chatID]; changing != nil {
			return changing
		}
		none := make(chan struct{})
		close(none)
		return none
	}
	back := g.detach(chatID)
	go func() {
		defer back()
		ctx, cancel := context.WithTimeout(context.Background(), EndTime)
		defer cancel()
		if err := a.Close(ctx); err != nil {
			g.e.Log.Warn("an agent could not be ended", "chat", chatID, "err", err)
		}
	}()
	return g.changing[chatID]
}

// close ends all agents, side by side.
func (g *agents) close(ctx context.Context) error {
	g.mu.Lock()
	g.closed = true
	all, server := g.byChat, g.practice
	g.byChat = nil
	g.mu.Unlock()
	errs := make(chan error, len(all))
	for _, a := range all {
		go func() { errs <- a.Close(ctx) }()
	}
	var err error
	for range all {
		err = errors.Join(err, <-errs)
	}
	g.ending.Wait()
	if server != nil {
		server.Close()
	}
	return err
}

// Reconnect starts the chat's agent again without waiting for the next try.
func (a *API) Reconnect(chatID string) error {
	return a.Call(func(_ context.Context, e *Engine) error {
		e.tasks.Go(func() { e.findCLI() })
		e.Agents.retry(chatID)
		return nil
	})
}

// ReconnectAll looks for all again that agents need, and starts those that are
// down without waiting for the next try.
func (a *API) ReconnectAll(down []string) error {
	return a.Call(func(ctx context.Context, e *Engine) error {
		e.tasks.Go(func() { e.findCLI() })
		for _, id := range down {
			e.Agents.retry(id)
		}
		return e.Auth.Recheck(ctx)
	})
}
