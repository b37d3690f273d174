package engine_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/chaos"
)

// TestGuard_RuleDeniesInEveryMode proves that a rule that denies a command is followed in every mode of
// VoxPilot and of the Copilot CLI: in a message, in a sub-agent, and in a turn that the CLI starts on a
// schedule.
func TestGuard_RuleDeniesInEveryMode(t *testing.T) {
	modes := []struct {
		name      string
		mode      backend.PermissionMode
		goOutside bool // "Always ask outside the folder" is off
		allowAll  bool // the CLI's own option
		autopilot bool // the CLI's own mode
	}{
		{name: "ask first", mode: backend.ModeAsk},
		{name: "allow edits", mode: backend.ModeAcceptEdits},
		{name: "allow everything", mode: backend.ModeBypass},
		{name: "allow everything, also outside", mode: backend.ModeBypass, goOutside: true},
		{name: "the CLI asks nothing", mode: backend.ModeAsk, allowAll: true},
		{name: "autopilot", mode: backend.ModeAsk, autopilot: true},
		{name: "all of them", mode: backend.ModeBypass, goOutside: true, allowAll: true, autopilot: true},
	}
	const origins = 3
	result := chaos.Row(t, "A command that a rule denies, in every mode, with sub-agents and scheduled turns", len(modes)*origins)
	tried := 0
	for _, i := range chaos.Rand(t, chaos.Seed(t), 0).Perm(len(modes))[:chaos.Runs(1, len(modes))] {
		m := modes[i]
		t.Run(m.name, func(t *testing.T) {
			w := newGuarded(t, func(folder string) { writeFile(t, folder, "kept.txt", "kept\n") })
			_, err := w.App.SaveRule(backend.Rule{Effect: backend.RuleDeny, Scope: backend.Scope{Kind: backend.RulePrefix, Command: "rm"}})
			noErr(t, err)
			settings := backend.DefaultSettings()
			settings.AskOutside = !m.goOutside
			noErr(t, w.App.SaveSettings(settings))
			w.calls["go"] = []practice.Step{bash("rm kept.txt")}
			w.calls["sub"] = []practice.Step{practice.ToolCall("task", map[string]any{
				"agent_type": "general-purpose", "name": "sub", "description": "sub", "prompt": "go", "mode": "sync",
			})}
			w.calls["[Scheduled prompt #1]\ngo"] = w.calls["go"]
			w.Send(w.chat, "hello")
			w.waitForEndedTurns(w.chat, 1)
			noErr(t, w.App.SetPermissionMode(w.chat.ID, m.mode))
			if m.allowAll {
				noErr(t, w.allowAll())
			}
			if m.autopilot {
				noErr(t, w.App.SetMode(w.chat.ID, backend.SessionMain, w.autopilot()))
			}
			for n, text := range []string{"go", "sub", "/after 10s go"} {
				w.Send(w.chat, text)
				w.waitForEndedTurns(w.chat, n+2)
			}
			denied := map[string]bool{}
			w.WaitFor("all calls are denied", func(e backend.Event) bool {
				if p := e.Permission; p != nil && p.Command == "rm kept.txt" && p.Decision == backend.DecisionRejected {
					denied[p.ID] = true
				}
				return len(denied) == origins
			})
			if !exists(t, filepath.Join(w.folder, "kept.txt")) {
				t.Error("the denied command ran")
			}
		})
		tried += origins
	}
	result("%d tried: none ran", tried)
}

// autopilot returns the ID of the CLI's mode that asks nothing.
func (w *guarded) autopilot() (id string) {
	for _, e := range w.Events() {
		if e.Session == nil {
			continue
		}
		for _, m := range e.Session.Modes {
			if strings.HasSuffix(m.ID, "#autopilot") {
				id = m.ID
			}
		}
	}
	return id
}
