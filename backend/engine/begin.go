package engine

import (
	"context"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/overview"
	"github.com/voxpilot/voxpilot/backend/setup"
)

// Begins returns what a new chat begins with: the agent that answered last, unless
// it needs a sign-in now; then the newest other one, then Copilot, then what else is
// set up. frontend/src/state/begin.ts has the same rule for chats that the page makes.
func (e *Engine) Begins() setup.Beginning {
	var chats []backend.Chat
	var account backend.Account
	asks := map[string]bool{} // agents that wait for a sign-in of their own
	e.Overview.Look(func(now overview.View) {
		chats, account = overview.Recent(now), now.Account
		for _, chat := range now.Chats {
			if now.Connections[chat.ID].State == backend.NeedsLogin {
				asks[chat.ProviderID] = true
			}
		}
	})
	return e.Setup.Begins(chats, account, asks)
}

// beginWith keeps what the user chose for a chat before its agent runs: the session
// main takes it over from its row when it is made (agent.Agent). What the agent did
// not declare is left out, and a value that it did not.
func (e *Engine) beginWith(ctx context.Context, chatID, mode string, options map[string]string) error {
	chat, err := e.Chats.Get(chatID)
	if err != nil {
		return err
	}
	return e.Agents.change(ctx, chatID, func() error {
		sessions, err := e.Store.Sessions(ctx, chatID)
		if err != nil {
			return err
		}
		begun := func(s backend.Session) bool {
			return s.Name == backend.SessionMain && (s.ACPID != "" || s.HadPrompt || s.ReplacesID != "")
		}
		if slices.ContainsFunc(sessions, begun) {
			return backend.Invalid("This chat has begun. Choose its mode and its model below its message field.")
		}
		known, err := e.Store.Declared(ctx, chat.ProviderID)
		if err != nil || len(known.Modes)+len(known.Options) == 0 {
			return err
		}
		now := backend.Now()
		s := backend.Session{
			ChatID: chatID, Name: backend.SessionMain, Cwd: chat.Folder, State: backend.SessionAway, CreatedAt: now, UsedAt: now,
			Modes: known.Modes, Options: known.Options,
		}
		for _, id := range []string{mode, e.Setup.Settings().AgentMode} {
			if s.Mode == "" && !backend.AsksNothing(id) && slices.ContainsFunc(s.Modes, func(m backend.Choice) bool { return m.ID == id }) {
				s.Mode = id
			}
		}
		for i, o := range s.Options {
			value, ok := options[o.ID]
			switch {
			case !ok:
			case o.Type == backend.ConfigBoolean && (value == "true" || value == "false"),
				slices.ContainsFunc(o.Choices, func(c backend.Choice) bool { return c.ID == value }):
				s.Options[i].Value = value
			}
		}
		return e.Feed.Commit(ctx, backend.Event{Session: &s})
	})
}
