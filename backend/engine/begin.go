package engine

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
)

// Beginning is the agent of a new chat, and the main AI in front of it or "".
type Beginning struct{ AgentID, MainID string }

// Begins returns what a new chat begins with: the agent that answered last, unless
// it needs a sign-in now; then the newest other one, then Copilot, then what else is
// set up. frontend/src/state/begin.ts has the same rule for chats that the page makes.
func (e *Engine) Begins() Beginning {
	var chats []backend.Chat
	var account backend.Account
	asks := map[string]bool{} // agents that wait for a sign-in of their own
	e.Overview.Look(func(now View) {
		chats, account = Recent(now), now.Account
		for _, chat := range now.Chats {
			if now.Connections[chat.ID].State == backend.NeedsLogin {
				asks[chat.ProviderID] = true
			}
		}
	})
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.beginsAfter(chats, account, asks)
}

// beginsAfter is begins, of the chats given, the newest first. The caller must hold e.mu.
func (e *Engine) beginsAfter(chats []backend.Chat, account backend.Account, asks map[string]bool) Beginning {
	needsSignIn := func(id string) bool {
		if id == backend.ProviderCopilot || e.profiles[id].GitHub {
			return needsSignIn(account)
		}
		return asks[id]
	}
	setUp := func(id string) bool {
		_, isProvider := e.providers[id]
		_, isProfile := e.profiles[id]
		return id == backend.ProviderCopilot || isProvider || isProfile
	}
	mainOf := func(chat backend.Chat) string { return e.providers[chat.MainID].ID }
	canAnswer := func(chat backend.Chat) bool {
		return setUp(chat.ProviderID) && (mainOf(chat) != "" || !needsSignIn(chat.ProviderID))
	}
	last := slices.IndexFunc(chats, func(c backend.Chat) bool { return c.TurnState == backend.TurnDone && canAnswer(c) })
	if last < 0 {
		last = slices.IndexFunc(chats, canAnswer)
	}
	b := Beginning{MainID: e.providers[e.settings.MainID].ID}
	if last >= 0 {
		b.AgentID, b.MainID = chats[last].ProviderID, cmp.Or(b.MainID, mainOf(chats[last]))
		return b
	}
	b.AgentID = backend.ProviderCopilot
	if b.MainID != "" || !needsSignIn(backend.ProviderCopilot) {
		return b
	}
	type made struct {
		id string
		at backend.Millis
	}
	var others []made
	for id, p := range e.providers {
		others = append(others, made{id, p.CreatedAt})
	}
	for id, p := range e.profiles {
		if !needsSignIn(id) {
			others = append(others, made{id, p.CreatedAt})
		}
	}
	if len(others) > 0 {
		b.AgentID = slices.MinFunc(others, func(a, b made) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.id, b.id)) }).id
	}
	return b
}

// needsSignIn reports whether no agent can be started with the account as it is known now.
func needsSignIn(account backend.Account) bool {
	return slices.Contains([]backend.AccountState{
		backend.AccountSignedOut, backend.AccountExpired, backend.AccountWrongKind, backend.AccountNoAccess, backend.AccountLocked,
	}, account.State)
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
			return &backend.Error{Code: backend.CodeInvalid, Message: "This chat has begun. Choose its mode and its model below its message field."}
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
		for _, id := range []string{mode, e.CurrentSettings().AgentMode} {
			if s.Mode == "" && !agent.AsksNothing(id) && slices.ContainsFunc(s.Modes, func(m backend.Choice) bool { return m.ID == id }) {
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

// QuickAnswerers returns the models of the user's own, as main AIs, and the other
// agents, each in the order in which they were added. A model that the Copilot CLI
// runs on is one of them where new chats begin with it.
func (e *Engine) QuickAnswerers(begins string) (all []backend.QuickAnswerer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	byAge := func(a, b backend.Provider) int { return cmp.Compare(a.CreatedAt, b.CreatedAt) }
	for _, p := range slices.SortedFunc(maps.Values(e.providers), byAge) {
		one := backend.QuickAnswerer{MainID: p.ID, Name: cmp.Or(p.Model, p.Name), Provider: p.Name}
		if p.ID == begins {
			all = append(all, backend.QuickAnswerer{AgentID: p.ID, Name: one.Name, Provider: p.Name})
		}
		all = append(all, one)
	}
	byAgeToo := func(a, b backend.Profile) int { return cmp.Compare(a.CreatedAt, b.CreatedAt) }
	for _, p := range slices.SortedFunc(maps.Values(e.profiles), byAgeToo) {
		all = append(all, backend.QuickAnswerer{AgentID: p.ID, Name: p.Name})
	}
	return all
}

// QuickAgent returns the agent as the quick prompt names it: "" is Copilot, which
// is also behind every main AI there.
func (b Beginning) QuickAgent() string {
	if b.MainID != "" || b.AgentID == backend.ProviderCopilot {
		return ""
	}
	return b.AgentID
}
