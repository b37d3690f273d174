package main

import (
	"cmp"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
)

// beginning is the agent of a new chat, and the main AI in front of it or "".
type beginning struct{ agentID, mainID string }

// begins returns what a new chat begins with: the agent that answered last, unless
// it needs a sign-in now; then the newest other one, then Copilot, then what else is
// set up. frontend/src/state/begin.ts has the same rule for chats that the page makes.
func (e *Engine) begins() beginning {
	var chats []backend.Chat
	var account backend.Account
	asks := map[string]bool{} // agents that wait for a sign-in of their own
	e.overview.look(func(now view) {
		chats, account = recent(now), now.account
		for _, chat := range now.chats {
			if now.connections[chat.ID].State == backend.NeedsLogin {
				asks[chat.ProviderID] = true
			}
		}
	})
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.beginsAfter(chats, account, asks)
}

// beginsAfter is begins, of the chats given, the newest first. The caller must hold e.mu.
func (e *Engine) beginsAfter(chats []backend.Chat, account backend.Account, asks map[string]bool) beginning {
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
	b := beginning{mainID: e.providers[e.settings.MainID].ID}
	if last >= 0 {
		b.agentID, b.mainID = chats[last].ProviderID, cmp.Or(b.mainID, mainOf(chats[last]))
		return b
	}
	b.agentID = backend.ProviderCopilot
	if b.mainID != "" || !needsSignIn(backend.ProviderCopilot) {
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
		b.agentID = slices.MinFunc(others, func(a, b made) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.id, b.id)) }).id
	}
	return b
}

// needsSignIn reports whether no agent can be started with the account as it is known now.
func needsSignIn(account backend.Account) bool {
	return slices.Contains([]backend.AccountState{
		backend.AccountSignedOut, backend.AccountExpired, backend.AccountWrongKind, backend.AccountNoAccess, backend.AccountLocked,
	}, account.State)
}
