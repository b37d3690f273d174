package engine

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/assistant"
)

// KnownSessions returns the names of the listed sessions that already belong to a chat, by ACP session ID.
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

// continueSession adds the agent's session with the ACP session ID acpID to a chat under
// the given name. It fails if the session already belongs to a chat.
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
		return backend.Invalid("Couldn't continue the session because it's already in VoxPilot as “%s”.", as)
	}
	a, err := g.Get(ctx, chatID)
	if err != nil {
		return err
	}
	return g.e.Chats.WhileIdle(chatID, func() error { return a.Continue(ctx, acpID, name) }, name)
}

// forkSession copies an existing session, with its history, to a new session with the given name.
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

// recap returns the recap for the session that replaces the given one, because the new session doesn't have the old
// one's history (agent.Config.Recap).
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

// rescues returns the function that lists the ways to recover a session of the given chat (agent.Config.Rescues).
func (e *Engine) rescues(chatID string) func(agent.Launch, backend.Session) []agent.Rescue {
	return func(l agent.Launch, lost backend.Session) []agent.Rescue {
		if chat, err := e.Chats.Get(chatID); err != nil || e.Setup.IsCustomAgent(chat.ProviderID) {
			return nil // only the Copilot CLI's session files are known
		}
		return e.rescuer.Ways(l, lost)
	}
}

// ContinueInNewChat creates a chat with the same folder and the same model or agent as
// the given chat. The new chat's first message is preceded by a recap of the given chat.
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

// handover returns the recap for a new chat that continues the given chat. The recap is
// built from database rows, without calling a model.
func (e *Engine) handover(ctx context.Context, chatID string) (string, error) {
	chat, err := e.Chats.Get(chatID)
	if err != nil {
		return "", err
	}
	told, answered, err := e.Store.RecapOf(ctx, chatID)
	if err != nil || told != "" && !answered { // a chat without answers passes on the recap that it received itself
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
