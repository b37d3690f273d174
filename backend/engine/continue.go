package engine

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/assistant"
)

// KnownSessions are the names by which chats have sessions, by the agent's ids.
func (e *Engine) KnownSessions(ctx context.Context, listed []agent.Listed) (map[string]string, error) {
	ids := make([]string, len(listed))
	for i, s := range listed {
		ids[i] = s.ACPID
	}
	holders, err := e.Store.Holders(ctx, ids)
	known := map[string]string{}
	for _, h := range holders {
		known[h.ACPID] = h.Name
	}
	return known, err
}

// continueSession adds a session that was begun elsewhere to a chat.
func (g *agents) continueSession(ctx context.Context, chatID, acpID, name string) error {
	name, err := assistant.SessionName(name)
	if err != nil {
		return err
	}
	known, err := g.e.KnownSessions(ctx, []agent.Listed{{ACPID: acpID}})
	if err != nil {
		return err
	}
	if as := known[acpID]; as != "" {
		return backend.Invalid(`The session was not continued, because VoxPilot has it already, as "%s".`, as)
	}
	a, err := g.Get(ctx, chatID)
	if err != nil {
		return err
	}
	return g.e.Chats.AtRest(chatID, func() error { return a.Continue(ctx, acpID, name) }, name)
}

// forkSession begins a session with all that another one knows.
func (g *agents) forkSession(ctx context.Context, chatID, session, name string) error {
	name, err := assistant.SessionName(name)
	if err != nil {
		return err
	}
	a, err := g.Get(ctx, chatID)
	if err != nil {
		return err
	}
	return g.e.Chats.AtRest(chatID, func() error {
		_, err := a.Fork(ctx, session, name)
		return err
	}, name)
}
