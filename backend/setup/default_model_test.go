package setup

import (
	"slices"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

func TestNewChat_DefaultsToLastAgent(t *testing.T) {
	done := func(agentID string) backend.Chat {
		return backend.Chat{ProviderID: agentID, TurnState: backend.TurnDone}
	}
	failed := backend.Chat{ProviderID: backend.ProviderCopilot, TurnState: backend.TurnFailed}
	e := &Manager{
		providers:    map[string]backend.Provider{"o": {ID: "o", CreatedAt: 1}},
		customAgents: map[string]backend.CustomAgent{"g": {ID: "g", CreatedAt: 2}, "h": {ID: "h", CreatedAt: 3, GitHub: true}},
	}
	in, out := backend.Account{State: backend.AccountValid}, backend.Account{State: backend.AccountSignedOut}
	for _, c := range []struct {
		name    string
		chats   []backend.Chat // newest first
		account backend.Account
		asks    string
		mainID  string // from the settings
		want    DefaultModel
	}{
		{"nothing yet", nil, in, "", "", DefaultModel{"copilot", ""}},
		{"before the account is known", nil, backend.Account{}, "", "", DefaultModel{"copilot", ""}},
		{"a newer chat failed", []backend.Chat{failed, done("g")}, in, "", "", DefaultModel{"g", ""}},
		{"only a failed one", []backend.Chat{failed}, in, "", "", DefaultModel{"copilot", ""}},
		{"Copilot signed out", []backend.Chat{done("copilot"), done("g")}, out, "", "", DefaultModel{"g", ""}},
		{"another one on GitHub signed out", []backend.Chat{done("h"), done("g")}, out, "", "", DefaultModel{"g", ""}},
		{"an agent asks for a sign-in", []backend.Chat{done("g"), done("copilot")}, in, "g", "", DefaultModel{"copilot", ""}},
		{"an agent was removed", []backend.Chat{done("gone")}, in, "", "", DefaultModel{"copilot", ""}},
		{"signed out without chats", nil, out, "", "", DefaultModel{"o", ""}},
		{"a main AI answered", []backend.Chat{{ProviderID: "copilot", OrchestratorID: "o", TurnState: backend.TurnDone}}, out, "", "", DefaultModel{"copilot", "o"}},
		{"a main AI of the settings", []backend.Chat{done("g")}, out, "", "o", DefaultModel{"g", "o"}},
		{"a main AI that was removed", nil, in, "", "gone", DefaultModel{"copilot", ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e.settings.OrchestratorID = c.mainID
			if got := e.DefaultModel(c.chats, c.account, map[string]bool{c.asks: true}); got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestQuick_ListsAgentsAndMainAIs(t *testing.T) {
	e := &Manager{
		providers:    map[string]backend.Provider{"o": {ID: "o", Name: "Ollama", Model: "qwen3:8b"}},
		customAgents: map[string]backend.CustomAgent{"g": {ID: "g", Name: "Gemini"}},
	}
	main, agent := backend.QuickModel{OrchestratorID: "o", Name: "qwen3:8b", Provider: "Ollama"}, backend.QuickModel{AgentID: "g", Name: "Gemini"}
	if got, want := e.QuickModels(""), []backend.QuickModel{main, agent}; !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	cli := backend.QuickModel{AgentID: "o", Name: "qwen3:8b", Provider: "Ollama"}
	if got, want := e.QuickModels("o"), []backend.QuickModel{cli, main, agent}; !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
