package setup

import (
	"cmp"
	"maps"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
)

// DefaultModel holds the IDs of the agent and the main AI for a new chat.
// OrchestratorID is "" if there is no main AI.
type DefaultModel struct{ AgentID, OrchestratorID string }

// DefaultModel returns the agent and main AI for a new chat. They are those of the latest chat whose last turn was
// answered or, if there is none, of the latest chat. Chats are skipped if their agent is no longer set up, or if
// answering in them would require a sign-in. If no chat is left, the default is Copilot or, if Copilot requires a
// sign-in and no main AI is selected in the settings, the first usable model or agent added by the user. A main AI
// selected in the settings takes precedence over that of a chat. chats are sorted newest first. asks contains the
// agents waiting for their own sign-in.
func (m *Manager) DefaultModel(chats []backend.Chat, account backend.Account, asks map[string]bool) DefaultModel {
	m.mu.Lock()
	defer m.mu.Unlock()
	needsSignIn := func(id string) bool {
		if id == backend.ProviderCopilot || m.customAgents[id].GitHub {
			return needsSignIn(account)
		}
		return asks[id]
	}
	setUp := func(id string) bool {
		_, isProvider := m.providers[id]
		_, isProfile := m.customAgents[id]
		return id == backend.ProviderCopilot || isProvider || isProfile
	}
	mainOf := func(chat backend.Chat) string { return m.providers[chat.OrchestratorID].ID }
	canAnswer := func(chat backend.Chat) bool {
		return setUp(chat.ProviderID) && (mainOf(chat) != "" || !needsSignIn(chat.ProviderID))
	}
	last := slices.IndexFunc(chats, func(c backend.Chat) bool { return c.TurnState == backend.TurnDone && canAnswer(c) })
	if last < 0 {
		last = slices.IndexFunc(chats, canAnswer)
	}
	b := DefaultModel{OrchestratorID: m.providers[m.settings.OrchestratorID].ID}
	if last >= 0 {
		b.AgentID, b.OrchestratorID = chats[last].ProviderID, cmp.Or(b.OrchestratorID, mainOf(chats[last]))
		return b
	}
	b.AgentID = backend.ProviderCopilot
	if b.OrchestratorID != "" || !needsSignIn(backend.ProviderCopilot) {
		return b
	}
	type made struct {
		id string
		at backend.Millis
	}
	var others []made
	for id, p := range m.providers {
		others = append(others, made{id, p.CreatedAt})
	}
	for id, p := range m.customAgents {
		if !needsSignIn(id) {
			others = append(others, made{id, p.CreatedAt})
		}
	}
	if len(others) > 0 {
		b.AgentID = slices.MinFunc(others, func(a, b made) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.id, b.id)) }).id
	}
	return b
}

// needsSignIn reports whether the account's current state prevents starting agents.
func needsSignIn(account backend.Account) bool {
	return slices.Contains([]backend.AccountState{
		backend.AccountSignedOut, backend.AccountExpired, backend.AccountWrongKind, backend.AccountNoAccess, backend.AccountLocked,
	}, account.State)
}

// QuickModels returns the agents and main AIs that the quick prompt offers: the user's models as main AIs,
// followed by the custom agents, each in the order in which they were added. defaultAgent is the ID of the
// default agent for new chats. If it is the ID of a model, the Copilot CLI with this model is also included as
// an agent.
func (m *Manager) QuickModels(defaultAgent string) (all []backend.QuickModel) {
	m.mu.Lock()
	defer m.mu.Unlock()
	byAge := func(a, b backend.Provider) int { return cmp.Compare(a.CreatedAt, b.CreatedAt) }
	for _, p := range slices.SortedFunc(maps.Values(m.providers), byAge) {
		one := backend.QuickModel{OrchestratorID: p.ID, Name: cmp.Or(p.Model, p.Name), Provider: p.Name}
		if p.ID == defaultAgent {
			all = append(all, backend.QuickModel{AgentID: p.ID, Name: one.Name, Provider: p.Name})
		}
		all = append(all, one)
	}
	byAgeToo := func(a, b backend.CustomAgent) int { return cmp.Compare(a.CreatedAt, b.CreatedAt) }
	for _, p := range slices.SortedFunc(maps.Values(m.customAgents), byAgeToo) {
		all = append(all, backend.QuickModel{AgentID: p.ID, Name: p.Name})
	}
	return all
}

// QuickAgent returns the agent's ID for the quick prompt. It is "" for Copilot, and also if there is a main AI, because
// the quick prompt combines every main AI with Copilot.
func (b DefaultModel) QuickAgent() string {
	if b.OrchestratorID != "" || b.AgentID == backend.ProviderCopilot {
		return ""
	}
	return b.AgentID
}

// AgentAt returns the oldest custom agent whose COPILOT_HOME the given function accepts. ok is false if there is none.
func (m *Manager) AgentAt(accepts func(home string) bool) (agent backend.CustomAgent, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range m.customAgents {
		if p.Home != "" && accepts(p.Home) && (!ok || p.CreatedAt < agent.CreatedAt) {
			agent, ok = p, true
		}
	}
	return agent, ok
}
