package setup

import (
	"cmp"
	"maps"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
)

// Beginning is the agent of a new chat, and the main AI in front of it or "".
type Beginning struct{ AgentID, MainID string }

// Begins returns what a new chat begins with: the agent that answered last of the
// chats, the newest first, unless it needs a sign-in now; then the newest other one,
// then Copilot, then what else is set up. asks are the agents that wait for a sign-in
// of their own.
func (d *Desk) Begins(chats []backend.Chat, account backend.Account, asks map[string]bool) Beginning {
	d.mu.Lock()
	defer d.mu.Unlock()
	needsSignIn := func(id string) bool {
		if id == backend.ProviderCopilot || d.profiles[id].GitHub {
			return needsSignIn(account)
		}
		return asks[id]
	}
	setUp := func(id string) bool {
		_, isProvider := d.providers[id]
		_, isProfile := d.profiles[id]
		return id == backend.ProviderCopilot || isProvider || isProfile
	}
	mainOf := func(chat backend.Chat) string { return d.providers[chat.OrchestratorID].ID }
	canAnswer := func(chat backend.Chat) bool {
		return setUp(chat.ProviderID) && (mainOf(chat) != "" || !needsSignIn(chat.ProviderID))
	}
	last := slices.IndexFunc(chats, func(c backend.Chat) bool { return c.TurnState == backend.TurnDone && canAnswer(c) })
	if last < 0 {
		last = slices.IndexFunc(chats, canAnswer)
	}
	b := Beginning{MainID: d.providers[d.settings.OrchestratorID].ID}
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
	for id, p := range d.providers {
		others = append(others, made{id, p.CreatedAt})
	}
	for id, p := range d.profiles {
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

// QuickAnswerers returns the models of the user's own, as main AIs, and the other
// agents, each in the order in which they were added. A model that the Copilot CLI
// runs on is one of them where new chats begin with it.
func (d *Desk) QuickAnswerers(begins string) (all []backend.QuickModel) {
	d.mu.Lock()
	defer d.mu.Unlock()
	byAge := func(a, b backend.Provider) int { return cmp.Compare(a.CreatedAt, b.CreatedAt) }
	for _, p := range slices.SortedFunc(maps.Values(d.providers), byAge) {
		one := backend.QuickModel{OrchestratorID: p.ID, Name: cmp.Or(p.Model, p.Name), Provider: p.Name}
		if p.ID == begins {
			all = append(all, backend.QuickModel{AgentID: p.ID, Name: one.Name, Provider: p.Name})
		}
		all = append(all, one)
	}
	byAgeToo := func(a, b backend.CustomAgent) int { return cmp.Compare(a.CreatedAt, b.CreatedAt) }
	for _, p := range slices.SortedFunc(maps.Values(d.profiles), byAgeToo) {
		all = append(all, backend.QuickModel{AgentID: p.ID, Name: p.Name})
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
