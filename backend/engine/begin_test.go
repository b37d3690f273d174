package engine_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestNewChat_ModeFromSettings(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{})
	w := newAppEnv(t, t.TempDir())
	settings := backend.DefaultSettings()
	settings.Mode = backend.ModeAcceptEdits
	if err := w.App.SaveSettings(settings); err != nil {
		t.Fatal(err)
	}
	if chat := w.Chat(backend.ProviderCopilot); chat.PermissionMode != backend.ModeAcceptEdits {
		t.Errorf("a new chat begins with %s", chat.PermissionMode)
	}
	for name, change := range map[string]func(*backend.Settings){
		"everything goes ahead":          func(s *backend.Settings) { s.Mode = backend.ModeBypass },
		"no mode":                        func(s *backend.Settings) { s.Mode = "" },
		"a negative time":                func(s *backend.Settings) { s.IdleMinutes = -1 },
		"more than a day":                func(s *backend.Settings) { s.IdleMinutes = 1441 },
		"no try":                         func(s *backend.Settings) { s.Attempts = 0 },
		"eleven tries":                   func(s *backend.Settings) { s.Attempts = 11 },
		"an agent that asks for nothing": func(s *backend.Settings) { s.AgentMode = "https://example.com/modes#autopilot" },
		"a font that is none":            func(s *backend.Settings) { s.CodeFont = "Comic Sans" },
	} {
		bad := backend.DefaultSettings()
		change(&bad)
		if err := w.App.SaveSettings(bad); backend.CodeOf(err) != backend.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	settings.IdleMinutes, settings.Attempts = 0, 10
	if err := w.App.SaveSettings(settings); err != nil {
		t.Errorf("the most: %v", err)
	}
}

func TestNewChat_ModesLastDeclaredByCopilot(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{
		Answer: map[string]string{"session/set_mode": "{}"},
		Declares: `{"modes":{"currentModeId":"x#agent","availableModes":[
			{"id":"x#agent","name":"Agent"},{"id":"x#plan","name":"Plan","description":"Plans"},{"id":"x#autopilot","name":"Autopilot"}]}}`,
	})
	w := newAppEnv(t, t.TempDir())
	modes := func() []backend.Choice {
		var answer struct{ Modes []backend.Choice }
		w.Get("/data/declared?provider=copilot", &answer)
		return answer.Modes
	}
	if got := modes(); got == nil || len(got) != 0 {
		t.Errorf("before the first chat there are %v", got)
	}
	program := apptest.FakeAgentProgram(t, fakeagent.Script{Declares: `{"modes":{"currentModeId":"yes","availableModes":[{"id":"yes","name":"Yes"}]}}`})
	other, err := w.App.SaveProfile(backend.CustomAgent{Name: "Other", Command: program}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w.Send(w.Chat(backend.ProviderCopilot), "hello")
	w.WaitForDone("the turn", 1)
	w.Send(w.Chat(other.ID), "hello")
	w.WaitForDone("the turn of another agent", 2)
	// Modes in which the agent never asks for permission are excluded.
	if diff := cmp.Diff([]backend.Choice{{ID: "x#agent", Name: "Agent"}, {ID: "x#plan", Name: "Plan", Description: "Plans"}}, modes()); diff != "" {
		t.Error(diff)
	}

	settings := backend.DefaultSettings()
	settings.AgentMode = "x#plan"
	if err := w.App.SaveSettings(settings); err != nil {
		t.Fatal(err)
	}
	chat := w.Chat(backend.ProviderCopilot)
	w.Send(chat, "hello")
	w.WaitFor("the chat begins in the mode", func(e backend.Event) bool {
		return e.Session != nil && e.Session.ChatID == chat.ID && e.Session.Mode == "x#plan"
	})
	w.WaitForDone("its turn", 3)
}

func TestNewChat_AppliesChoicesMadeBeforeStart(t *testing.T) {
	sent := filepath.Join(t.TempDir(), "calls")
	apptest.UseFakeAgent(t, fakeagent.Script{
		Calls:  sent,
		Answer: map[string]string{"session/set_mode": "{}", "session/set_config_option": "{}"},
		Declares: `{"modes":{"currentModeId":"x#agent","availableModes":[
			{"id":"x#agent","name":"Agent"},{"id":"x#plan","name":"Plan"},{"id":"x#autopilot","name":"Autopilot"}]},
			"configOptions":[{"id":"model","name":"Model","category":"model","type":"select","currentValue":"a",
				"options":[{"value":"a","name":"A"},{"value":"b","name":"B"}]}]}`,
	})
	w := newAppEnv(t, t.TempDir())
	unknown := w.Chat(backend.ProviderCopilot)
	if err := w.App.SetInitialOptions(unknown.ID, "x#plan", map[string]string{"model": "b"}); err != nil {
		t.Errorf("before anything was declared: %v", err)
	}
	w.Send(unknown, "hello")
	w.WaitForDone("the first turn", 1)
	if err := w.App.SetInitialOptions(unknown.ID, "x#plan", nil); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("once the chat has begun: %v", err)
	}
	var declared struct{ Options []backend.ConfigOption }
	w.Get("/data/declared?provider=copilot", &declared)
	if len(declared.Options) != 1 || declared.Options[0].Value != "a" {
		t.Errorf("declared were %+v", declared)
	}

	chat := w.Chat(backend.ProviderCopilot)
	main := func() backend.Session {
		t.Helper()
		sessions, err := w.Engine().Store.Sessions(t.Context(), chat.ID)
		if err != nil || len(sessions) != 1 {
			t.Fatalf("the sessions are %+v (%v)", sessions, err)
		}
		return sessions[0]
	}
	// Modes in which the agent never asks for permission, and undeclared options, are ignored.
	if err := w.App.SetInitialOptions(chat.ID, "x#autopilot", map[string]string{"color": "red", "model": "c"}); err != nil {
		t.Fatal(err)
	}
	if s := main(); s.Mode != "" || len(s.Options) != 1 || s.Options[0].Value != "a" {
		t.Errorf("the session is to begin as %+v", s)
	}
	if err := w.App.SetInitialOptions(chat.ID, "x#plan", map[string]string{"model": "b"}); err != nil {
		t.Fatal(err)
	}
	if s := main(); s.Mode != "x#plan" || s.Options[0].Value != "b" || s.ACPID != "" {
		t.Errorf("the session is to begin as %+v", s)
	}
	w.Send(chat, "hello")
	w.WaitForDone("the turn", 2)
	if s := main(); s.Mode != "x#plan" || s.Options[0].Value != "b" || s.ACPID == "" {
		t.Errorf("the session began as %+v", s)
	}
	text, err := os.ReadFile(sent)
	if err != nil || strings.Count(string(text), "x#plan") != 1 || strings.Count(string(text), "set_config_option") != 1 {
		t.Errorf("the agent was told %s (%v)", text, err)
	}
}

func TestNewChat_SetsOptionOfChosenModel(t *testing.T) {
	sent := filepath.Join(t.TempDir(), "calls")
	model := func(now string) string {
		return `{"id":"model","name":"Model","category":"model","type":"select","currentValue":"` + now + `","options":[{"value":"a","name":"A"},{"value":"b","name":"B"}]}`
	}
	const effort = `{"id":"effort","name":"Effort","type":"select","currentValue":"low","options":[{"value":"low","name":"Low"},{"value":"high","name":"High"}]}`
	apptest.UseFakeAgent(t, fakeagent.Script{
		Calls:    sent,
		Declares: `{"configOptions":[` + model("a") + `]}`,
		Answer:   map[string]string{"session/set_config_option": `{"configOptions":[` + effort + `,` + model("b") + `]}`},
	})
	w := newAppEnv(t, t.TempDir())
	first := w.Chat(backend.ProviderCopilot)
	w.Send(first, "hello")
	w.WaitForDone("the first turn", 1)
	if err := w.App.SetOption(first.ID, backend.SessionMain, "model", "b"); err != nil {
		t.Fatal(err)
	}
	chat := w.Chat(backend.ProviderCopilot)
	if err := w.App.SetInitialOptions(chat.ID, "", map[string]string{"effort": "high"}); err != nil {
		t.Fatal(err)
	}
	w.Send(chat, "hello")
	w.WaitForDone("the turn", 2)
	text, err := os.ReadFile(sent)
	if err != nil || strings.Count(string(text), `"high"`) != 1 || strings.LastIndex(string(text), `"b"`) > strings.Index(string(text), `"high"`) {
		t.Errorf("the agent was told %s (%v)", text, err)
	}
}

func TestNewChat_ChoicesStayWithTheirAgent(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{
		Answer:   map[string]string{"session/set_mode": "{}"},
		Declares: `{"modes":{"currentModeId":"x#agent","availableModes":[{"id":"x#agent","name":"Agent"},{"id":"x#plan","name":"Plan"}]}}`,
	})
	w := newAppEnv(t, t.TempDir())
	w.Send(w.Chat(backend.ProviderCopilot), "hello")
	w.WaitForDone("the first turn", 1)
	other, err := w.App.SaveProfile(backend.CustomAgent{Name: "Other", Command: apptest.FakeAgentProgram(t, fakeagent.Script{})}, nil)
	if err != nil {
		t.Fatal(err)
	}
	chosen, told := w.Chat(backend.ProviderCopilot), w.Chat(backend.ProviderCopilot)
	if err := errors.Join(w.App.SetInitialOptions(chosen.ID, "x#plan", nil), w.App.SetMode(told.ID, backend.SessionMain, "x#plan")); err != nil {
		t.Fatal(err)
	}
	for _, chat := range []backend.Chat{chosen, told} {
		if err := w.App.SetProvider(chat.ID, other.ID); err != nil {
			t.Fatal(err)
		}
		if sessions, err := w.Engine().Store.Sessions(t.Context(), chat.ID); err != nil || len(sessions) != 0 {
			t.Errorf("the sessions are %+v (%v)", sessions, err)
		}
	}
}
