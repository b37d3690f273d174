package main

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/llm"
	"github.com/voxpilot/voxpilot/backend/practice"
)

// agents holds the agent of each chat: one process a chat, made with the first
// message and ended with the app.
type agents struct {
	e *engine

	mu       sync.Mutex
	byChat   map[string]*agent.Agent
	stale    map[string]bool  // chats whose agents were started with what has changed since
	practice *practice.Server // made with the first practice chat
	closed   bool
	ending   sync.WaitGroup // agents of chats that were deleted, on their way out
}

func newAgents(e *engine) *agents {
	return &agents{e: e, byChat: map[string]*agent.Agent{}, stale: map[string]bool{}}
}

// prompt carries a turn out (assistant.Config.Prompt).
func (g *agents) prompt(ctx context.Context, turn backend.Turn, text string) backend.Turn {
	a, err := g.of(ctx, turn.ChatID)
	if err != nil && ctx.Err() != nil {
		turn.State = backend.TurnStopped
		return turn
	}
	if err != nil {
		turn.State = backend.TurnFailed
		if !errors.As(err, &turn.Error) {
			turn.Error = &backend.Error{Code: backend.CodeConnection, Message: "The agent could not be prepared. Send the message again.", Detail: err.Error()}
		}
		return turn
	}
	r := a.Prompt(ctx, turn, text)
	turn.State, turn.StopReason, turn.Error = r.State, r.StopReason, r.Err
	return turn
}

// of is the chat's agent, made where there is none yet, or none that may go on.
// It is called between two turns of the chat.
func (g *agents) of(ctx context.Context, chatID string) (*agent.Agent, error) {
	chat, err := g.e.chats.Get(chatID)
	if err != nil {
		return nil, err
	}
	if err := g.endStale(ctx, chatID); err != nil {
		return nil, err
	}
	sessions, err := g.e.store.Sessions(ctx, chatID)
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return nil, &backend.Error{Code: backend.CodeInterrupted, Message: "VoxPilot is closing."}
	}
	a := g.byChat[chatID]
	if a == nil {
		a = agent.New(agent.Config{
			ChatID: chat.ID, Folder: chat.Folder, Version: version, Sessions: sessions,
			Launch:  func(ctx context.Context) (agent.Launch, *agent.LaunchError) { return g.launch(ctx, chat) },
			Publish: g.e.feed.Publish, Commit: g.e.feed.Commit, Ask: g.e.permissions.Ask,
			Log: g.e.app.log,
		})
		g.byChat[chatID] = a
	}
	return a, nil
}

// outdate has the agents of the chats that providerID answers, or of all where
// it is "", start afresh with their next message, because what they are started
// with has changed.
func (g *agents) outdate(providerID string) {
	g.mu.Lock()
	ids := slices.Collect(maps.Keys(g.byChat))
	g.mu.Unlock()
	for _, id := range ids {
		if chat, err := g.e.chats.Get(id); err == nil && (providerID == "" || chat.ProviderID == providerID) {
			g.mu.Lock()
			g.stale[id] = true
			g.mu.Unlock()
		}
	}
}

// endStale ends the chat's agent where it is to start afresh.
func (g *agents) endStale(ctx context.Context, chatID string) error {
	g.mu.Lock()
	old := g.byChat[chatID]
	if !g.stale[chatID] || old == nil || g.closed {
		g.mu.Unlock()
		return nil
	}
	delete(g.stale, chatID)
	delete(g.byChat, chatID)
	g.ending.Add(1)
	g.mu.Unlock()
	defer g.ending.Done()
	return old.Close(ctx)
}

// retry makes the chat's agent try again now.
func (g *agents) retry(chatID string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if a := g.byChat[chatID]; a != nil {
		a.Retry()
	} // else the next message starts it
}

// relocate makes the chat's agent work in another folder: one that waits
// because its folder was gone starts at once, one that runs starts afresh with
// the next message.
func (g *agents) relocate(chatID, folder string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	a := g.byChat[chatID]
	if a == nil {
		return
	}
	a.Relocate(folder)
	g.stale[chatID] = a.Connection().State == backend.Ready
}

// forget ends the agent of a chat that was deleted, in the background.
func (g *agents) forget(chatID string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	a := g.byChat[chatID]
	if a == nil {
		return
	}
	delete(g.byChat, chatID)
	delete(g.stale, chatID)
	g.ending.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), shutdownTime)
		defer cancel()
		if err := a.Close(ctx); err != nil {
			g.e.app.log.Warn("an agent could not be ended", "chat", chatID, "err", err)
		}
	})
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

// launch says what to start for a chat, each time it is started.
func (g *agents) launch(ctx context.Context, chat backend.Chat) (agent.Launch, *agent.LaunchError) {
	cli := g.e.usableCLI()
	if err := agent.LaunchErrorOf(cli); err != nil {
		return agent.Launch{}, err
	}
	l := agent.Launch{Path: cli.Path, Args: agent.CLIArgs(), Redact: g.e.app.redacted}
	switch chat.ProviderID {
	case backend.ProviderCopilot:
		l.Env = os.Environ()
		home, err := g.home(ctx, chat.ID)
		if err != nil {
			return agent.Launch{}, &agent.LaunchError{Cause: backend.CauseSpawn, Message: err.Error()}
		}
		if home != "" {
			l.Home = home
			l.Env = append(l.Env, "COPILOT_HOME="+home)
		}
	case backend.ProviderPractice:
		server, err := g.practiceServer()
		if err != nil {
			return agent.Launch{}, &agent.LaunchError{Cause: backend.CauseProvider, Message: "The practice model could not be started: " + err.Error()}
		}
		l.Home = filepath.Join(g.e.app.dir, "practice", "copilot")
		l.Env = append(foreignEnv(os.Environ()), server.Env(l.Home)...)
	default:
		p, key, err := g.e.providerWithKey(ctx, chat.ProviderID)
		if err != nil {
			return agent.Launch{}, &agent.LaunchError{Cause: backend.CauseProvider, Message: err.Error()}
		}
		l.Home = filepath.Join(g.e.app.dir, "models", p.ID)
		l.Env = append(foreignEnv(os.Environ()), llm.Env(p, key, l.Home)...)
	}
	l.Env = append(l.Env, "PATH="+g.e.loginPath())
	return l, nil
}

// home is the COPILOT_HOME for a chat: the one that its session is in, since in
// another one it would be lost, and the user's choice where it has none yet.
func (g *agents) home(ctx context.Context, chatID string) (string, error) {
	sessions, err := g.e.store.Sessions(ctx, chatID)
	for _, s := range sessions {
		if s.Name == backend.SessionMain && s.HadPrompt {
			return s.Home, nil
		}
	}
	return g.e.currentSettings().CopilotHome, err
}

// foreignEnv is the environment for a CLI that has nothing to do with GitHub:
// without what would point it at an account, or at another model.
func foreignEnv(env []string) []string {
	kept := make([]string, 0, len(env))
	for _, v := range env {
		name, _, _ := strings.Cut(v, "=")
		name = strings.ToUpper(name)
		if strings.HasPrefix(name, "COPILOT_") || name == "GH_TOKEN" || name == "GITHUB_TOKEN" {
			continue
		}
		kept = append(kept, v)
	}
	return kept
}

func (g *agents) practiceServer() (*practice.Server, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.practice != nil {
		return g.practice, nil
	}
	if g.closed {
		return nil, errors.New("VoxPilot is closing")
	}
	server, err := practice.New(practice.Guide())
	if err == nil {
		g.practice = server
	}
	return server, err
}
