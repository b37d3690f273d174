package engine

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/assistant"
)

// KnownSessions are the names by which chats have sessions, by the agent's ids.
func (e *Engine) KnownSessions(ctx context.Context, listed []agent.SessionInfo) (map[string]string, error) {
	ids := make([]string, len(listed))
	for i, s := range listed {
		ids[i] = s.ACPID
	}
	holders, err := e.Store.SessionOwners(ctx, ids)
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
	known, err := g.e.KnownSessions(ctx, []agent.SessionInfo{{ACPID: acpID}})
	if err != nil {
		return err
	}
	if as := known[acpID]; as != "" {
		return backend.Invalid(`Couldn't continue the session because it's already in VoxPilot as "%s".`, as)
	}
	a, err := g.Get(ctx, chatID)
	if err != nil {
		return err
	}
	return g.e.Chats.WhileIdle(chatID, func() error { return a.Continue(ctx, acpID, name) }, name)
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
	return g.e.Chats.WhileIdle(chatID, func() error {
		_, err := a.Fork(ctx, session, name)
		return err
	}, name)
}

// recap is what a new session of a chat is told in the place of one that it does
// not have (agent.Config.Recap).
func (e *Engine) recap(ctx context.Context, chatID, session string) (string, error) {
	chat, err := e.Chats.Get(chatID)
	if err != nil {
		return "", err
	}
	if session == backend.SessionMain {
		told, answered, err := e.Store.RecapOf(ctx, chatID)
		if err != nil || told != "" && !answered {
			return told, err
		}
	}
	events, err := e.Store.Recap(ctx, chatID, session)
	return assistant.Recap(events, chat.Folder), err
}

// ContinueInNewChat begins a chat in the same folder, with the same answerer,
// whose first message is sent with a summary of this one.
func (a *API) ContinueInNewChat(chatID string) (chat backend.Chat, err error) {
	err = a.Call(func(ctx context.Context, e *Engine) error {
		told, err := e.handover(ctx, chatID)
		if err != nil {
			return err
		}
		chat, err = e.Chats.Continue(ctx, chatID, told)
		return err
	})
	return chat, err
}

// handover is what a chat that goes on from this one is told. It is made of rows:
// no model is asked, and none has to be there.
func (e *Engine) handover(ctx context.Context, chatID string) (string, error) {
	chat, err := e.Chats.Get(chatID)
	if err != nil {
		return "", err
	}
	told, answered, err := e.Store.RecapOf(ctx, chatID)
	if err != nil || told != "" && !answered { // nothing has come to it since
		return told, err
	}
	events, err := e.Store.Recap(ctx, chatID, backend.SessionMain)
	if err != nil {
		return "", err
	}
	if told = assistant.Handover(events, chat.Folder); told == "" {
		return "", backend.Invalid("This chat has no answers yet, so there's nothing to continue from.")
	}
	return told, nil
}
