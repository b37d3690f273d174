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
	"github.com/voxpilot/voxpilot/backend/agent/signin"
	"github.com/voxpilot/voxpilot/backend/practice"
)

// agents manages the chats' agents: at most one per chat, created when it is first needed. It is safe for
// concurrent use.
type agents struct {
	e *Engine

	mu       sync.Mutex
	byChat   map[string]*agent.Agent
	stale    map[string]bool          // chats whose agents have outdated launch parameters
	drafting map[string]*agent.Agent  // agents that draft commit messages, by the ID under which the guard knows them
	changing map[string]chan struct{} // chats whose agents are being replaced; closed when that is complete
	hasToken map[string]bool          // chats whose agents have received the user's token
	practice *practice.Server         // created with the first practice chat
	changes  int                      // number of times that an agent was replaced or removed
	closed   bool
	ending   sync.WaitGroup // counts replaced agents, and agents of deleted chats, that are still stopping
}

func newAgents(e *Engine) *agents {
	return &agents{e: e, byChat: map[string]*agent.Agent{}, stale: map[string]bool{}, hasToken: map[string]bool{}, drafting: map[string]*agent.Agent{}, changing: map[string]chan struct{}{}}
}

// prompt runs a turn with the chat's agent (assistant.Config.Prompt). If the user selects another model or agent while
// the message is waiting, the new one runs the turn.
func (g *agents) prompt(ctx context.Context, turn backend.Turn, text string, with []backend.Attachment) (backend.Turn, backend.TurnSummary) {
	if g.e.wholeAgents.Attach(turn.ChatID, with) {
		g.outdateChat(turn.ChatID)
	}
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
			continue // another model or agent was selected while the message waited
		}
		if r.Err != nil && r.Err.Code == backend.CodeModel {
			g.modelFailed(ctx, turn.ChatID)
		}
		turn.State, turn.StopReason, turn.Error, turn.Usage, turn.SentAt = r.State, r.StopReason, r.Err, r.Usage, r.SentAt
		return turn, r.Summary
	}
}

// ensure returns the chat's agent, creating it if there is none or the current one is outdated and not working on a
// turn.
func (g *agents) ensure(ctx context.Context, chatID string) (*agent.Agent, error) {
	if err := g.endStale(ctx, chatID); err != nil {
		return nil, err
	}
	return g.Get(ctx, chatID)
}

// Get returns the chat's agent, creating it if there is none. Creating an agent starts no process.
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
			return a, nil // usual case, except for the first message
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
		select { // the chat is switching to another agent
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// create returns the chat's agent, creating it if there is none. If that isn't possible now, create returns nil and a
// channel that is closed when the caller can try again. Both results are nil if the app is closing. changes is the
// value that g.changes had before the caller read the other arguments. If g.changes now has another value, the caller
// must read them again.
func (g *agents) create(chat backend.Chat, sessions []backend.Session, cut []string, changes int) (a *agent.Agent, changed <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch changed := g.changing[chat.ID]; {
	case g.closed:
		return nil, nil
	case changed != nil:
		return nil, changed
	case changes != g.changes: // the rows might be outdated
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

// config returns the configuration of a chat's agent. cut names the sessions whose newest turn was interrupted.
func (g *agents) config(chat backend.Chat, sessions []backend.Session, cut []string) agent.Config {
	e := g.e
	return agent.Config{
		ChatID: chat.ID, Folder: chat.Folder, Version: e.Config.Build.Version, Sessions: sessions, Interrupted: cut,
		Launch:      func(ctx context.Context) (agent.Launch, *agent.LaunchError) { return g.launch(ctx, chat.ID) },
		SignInCause: func(ctx context.Context) (backend.Cause, backend.Message) { return g.signInCause(ctx, chat.ID) },
		OnSignIn:    func(s signin.Offer) { e.announceSignIn(chat.ID, s) },
		CheckTrust:  func(ctx context.Context, folder string) *agent.LaunchError { return g.checkTrust(ctx, chat.ID, folder) },
		Publish:     e.Bus.Publish, Commit: e.Undo.Commit,
		Servers: func(string) []session.MCPServer { return e.router.servers(chat.ID) },
		Ask:     e.askPermission, IsAllowed: e.Permissions.IsAllowed, IsDenied: e.Permissions.IsDenied, Suspects: e.suspects,
		GuardProblem: e.guardProblem, Sandbox: e.sandboxFor(chat.ID), Questions: e.Questions,
		Idle:      func() time.Duration { return time.Duration(e.Setup.Settings().IdleMinutes) * time.Minute },
		Attempts:  func() int { return e.Setup.Settings().Attempts },
		Mode:      func() string { return e.Setup.Settings().AgentMode },
		Recap:     func(ctx context.Context, session string) (string, error) { return e.recap(ctx, chat.ID, session) },
		SkipRecap: func() bool { return e.Setup.Settings().IfLost == backend.IfLostFresh },
		Rescues:   e.rescues(chat.ID), IsCutOff: e.rescuer.IsCutOff, Others: e.SessionUse,
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

// outdate marks the agents of all chats with the given provider for a restart with their next message, because their
// launch parameters have changed. If providerID is "", it marks all agents.
func (g *agents) outdate(providerID string) {
	g.outdateIf(func(chat backend.Chat) bool { return providerID == "" || chat.ProviderID == providerID })
}

// outdateIf does the same as outdate, but only for the chats that the given function selects.
func (g *agents) outdateIf(concerns func(chat backend.Chat) bool) {
	g.mu.Lock()
	ids := slices.Collect(maps.Keys(g.byChat))
	g.mu.Unlock()
	for _, id := range ids {
		if chat, err := g.e.Chats.Get(id); err == nil && concerns(chat) {
			g.outdateChat(id)
		}
	}
}

// endStale stops the chat's agent if it is outdated, unless it is working on a turn. No new agent is created before
// the old one has stopped, because both would use the same sessions.
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

// detach removes the chat's agent from g.byChat; the caller must stop the agent. No new agent is created for the chat
// until the returned function is called. The caller must hold g.mu.
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

// retry makes the chat's agent, if there is one, try to connect now.
func (g *agents) retry(chatID string) {
	if a, err := g.Running(chatID); err == nil {
		a.Retry()
	} // otherwise the next message starts it
}

// cliFound makes agents try again if they failed because the Copilot CLI was missing or too old.
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

// relocate moves the chat's agent to another folder. An agent that is waiting because its folder was
// missing starts immediately; a running agent restarts with the next message.
func (g *agents) relocate(chatID, folder string) {
	a, err := g.Running(chatID)
	if err != nil {
		return
	}
	g.e.Trust.RemoveChat(chatID) // an open trust request is for the old folder
	a.Relocate(folder)
	g.mu.Lock()
	defer g.mu.Unlock()
	switch a.Connection().State {
	case backend.ConnectionStarting, backend.ConnectionRestoring, backend.ConnectionReady:
		if g.byChat[chatID] == a {
			g.stale[chatID] = true
		}
	default: // it starts in the new folder
	}
}

// remove stops the agent of a deleted chat in the background. The returned channel is closed when the chat's sessions
// are no longer in use. Until then, no new agent is created for the chat, even if the chat is restored.
func (g *agents) remove(chatID string) (ended <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.changes++ // callers that read the chat's rows before its deletion create no agent
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
			g.e.Log.Warn("couldn't stop an agent", "chat", chatID, "err", err)
		}
	}()
	return g.changing[chatID]
}

// close stops all agents in parallel and waits for agents that are already stopping. No agent is created afterward.
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

// Reconnect makes the chat's agent try to connect now, without waiting for the next attempt. It also detects the
// Copilot CLI again.
func (a *API) Reconnect(chatID string) error {
	return a.Call(func(_ context.Context, e *Engine) error {
		e.tasks.Go(func() { e.findCLI() })
		e.Agents.retry(chatID)
		return nil
	})
}

// ReconnectAll detects the Copilot CLI and checks the GitHub sign-in again. The agents of the given chats try to
// connect now, without waiting for the next attempt.
func (a *API) ReconnectAll(down []string) error {
	return a.Call(func(ctx context.Context, e *Engine) error {
		e.tasks.Go(func() { e.findCLI() })
		for _, id := range down {
			e.Agents.retry(id)
		}
		return e.Auth.Recheck(ctx)
	})
}

// OnWake checks the GitHub sign-in again, retries agents that are waiting, and checks
// agents that are ready.
func (e *Engine) OnWake() {
	if err := e.Auth.Recheck(e.ctx); err != nil {
		e.Log.Warn("couldn't check the sign-in", "err", err)
	}
	e.Agents.mu.Lock()
	all := slices.Collect(maps.Values(e.Agents.byChat))
	e.Agents.mu.Unlock()
	for _, agent := range all {
		e.tasks.Go(agent.OnWake)
	}
}
