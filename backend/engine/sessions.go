package engine

import (
	"context"
)

// SetProvider has another answerer go on with a chat: GitHub Copilot, a model of
// the user's own, or another agent. What was said stays; the new one is told a
// summary of it.
func (a *API) SetProvider(chatID, providerID string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.setProvider(ctx, chatID, providerID) })
}

// BeginWith says in which mode, and with which values of its options, the agent of a
// chat is to begin, of those that it declared last. A chat that has begun is refused.
func (a *API) BeginWith(chatID, modeID string, options map[string]string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.beginWith(ctx, chatID, modeID, options) })
}

// ViewChat says that the user looks at a chat: its sessions come back in the
// background, where the settings say so, before the next message needs them.
func (a *API) ViewChat(chatID string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Agents.view(ctx, chatID) })
}

// SetMode chooses one of the modes that the agent declares for a session.
func (a *API) SetMode(chatID, session, modeID string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Agents.setMode(ctx, chatID, session, modeID) })
}

// SetOption chooses a value of one of the options that the agent declares for a
// session.
func (a *API) SetOption(chatID, session, optionID, value string) error {
	return a.Call(func(ctx context.Context, e *Engine) error {
		return e.Agents.setOption(ctx, chatID, session, optionID, value)
	})
}

// StopAgent ends the chat's agent. It comes back with the next message.
func (a *API) StopAgent(chatID string) error {
	return a.Call(func(_ context.Context, e *Engine) error { return e.Agents.stop(chatID) })
}

// StopProcess ends one process of /data/processes by its id: the chat's agent,
// which comes back with the next message, or a command that runs for it.
func (a *API) StopProcess(chatID, id string) error {
	return a.Call(func(_ context.Context, e *Engine) error { return e.Agents.stopProcess(chatID, id) })
}

// SaveProtocol asks the user for a file and writes to it what the chat's agent
// and VoxPilot said to each other, a message a line. That it was written comes
// as a Picked event.
func (a *API) SaveProtocol(chatID string) error {
	return a.Call(func(_ context.Context, e *Engine) error { return e.Agents.saveProtocol(chatID) })
}

// SetMain has a main AI answer a chat from the next message on: a Provider, which
// gives work to Copilot's sessions; "" is Copilot itself. What was said stays,
// and the other one is told of it.
func (a *API) SetMain(chatID, providerID string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.setMain(ctx, chatID, providerID) })
}

// StopBlock stops the work of a block, and nothing else.
func (a *API) StopBlock(itemID string) error {
	return a.Call(func(_ context.Context, e *Engine) error { return e.Chats.StopBlock(itemID) })
}

// SendTo gives a session of a chat the user's own message, in a block of its own.
// Where the session is at work it comes after that.
func (a *API) SendTo(chatID, session, text string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.sendTo(ctx, chatID, session, text) })
}

// RenameSession gives a session of a chat another name.
func (a *API) RenameSession(chatID, session, name string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Agents.renameSession(ctx, chatID, session, name) })
}

// CloseSession stops a session of a chat and forgets it: work for its name begins
// a new one. What it did stays in the transcript.
func (a *API) CloseSession(chatID, session string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Agents.removeSession(ctx, chatID, session) })
}

// RestartSession stops a session of a chat and loads it afresh, in the
// background.
func (a *API) RestartSession(chatID, session string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Agents.restartSession(ctx, chatID, session) })
}
