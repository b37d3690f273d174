package agent_test

import (
	"os"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
	corpus "github.com/voxpilot/voxpilot/internal/hostile"
)

// TestRequests_UnclearAsk checks that no rule or mode answers a malformed or contradictory request,
// even if everything is allowed. Clear requests are still answered.
func TestRequests_UnclearAsk(t *testing.T) {
	t.Parallel()
	if len(corpus.Requests) < 60 {
		t.Errorf("got %d requests, want 60", len(corpus.Requests))
	}
	result := chaos.Row(t, "Malformed and contradictory requests with everything allowed", len(corpus.Requests))
	var turns []fakeagent.Turn
	for _, all := range [][]corpus.Request{corpus.Requests, corpus.Clear} {
		for _, r := range all {
			options := someOptions
			if r.Options != "" {
				options = `"options":` + r.Options
			}
			turns = append(turns, fakeagent.Turn{fakeagent.Ask("session/request_permission", `{"sessionId":"$SESSION","toolCall":{"toolCallId":"c",`+r.Call+`},`+options+`}`)})
		}
	}
	scope := func(kind backend.RuleKind, text string) backend.Rule {
		return backend.Rule{ID: string(kind), Effect: backend.RuleAllow, Scope: backend.Scope{Kind: kind, Command: text}}
	}
	var d *testBroker
	w := newEnv(t, fake(fakeagent.Script{Turns: turns}), func(w *env, cfg *agent.Config) {
		d = newTestBroker(w, scope(backend.RuleCommand, "git log"), scope(backend.RulePrefix, "git log"), scope(backend.RuleEdits, ""))
		d.setMode(backend.ModeBypass)
		cfg.Ask, cfg.IsAllowed = d.Ask, d.IsAllowed
	})
	w.write("a.txt", "a\n")
	for i, r := range corpus.Requests {
		tu := w.start(backend.SessionMain, "go")
		var row backend.Permission
		waitFor(t, "the request "+r.Name, func() bool {
			rows := w.permissionRows()
			if len(rows) <= i {
				return false
			}
			row = rows[i]
			return true
		})
		if row.State != backend.PermissionOpen {
			t.Errorf("%s: it was answered: %s by %q, mode %q", r.Name, row.Decision, row.RuleID, row.Mode)
		} else {
			noErr(t, d.Reject(t.Context(), row.ID, ""))
		}
		w.expectEnd(tu, backend.TurnDone)
	}
	for i, r := range corpus.Clear {
		w.promptAndExpect("go", backend.TurnDone)
		row := w.permissionRows()[len(corpus.Requests)+i]
		if row.Decision != backend.DecisionAlwaysAllowed && row.Decision != backend.DecisionAutoAllowed {
			t.Errorf("%s: it was not answered: %+v", r.Name, row)
		}
	}
	result("all required permission; of %d clear ones none", len(corpus.Clear))
}

// TestRequest_RuleOfAnotherFolder checks that rules for an exact command or a prefix don't cover the same command in a
// subfolder.
func TestRequest_RuleOfAnotherFolder(t *testing.T) {
	t.Parallel()
	for cwd, want := range map[string]backend.PermissionState{"$CWD": backend.PermissionDecided, "vendor/evil": backend.PermissionOpen, "$CWD/vendor/../vendor": backend.PermissionOpen} {
		var d *testBroker
		w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{request(`"toolCallId":"1","kind":"execute","rawInput":{"command":"npm test","cwd":"` + cwd + `"}`)}}}), func(w *env, cfg *agent.Config) {
			d = newTestBroker(w, backend.Rule{ID: "r", Effect: backend.RuleAllow, Scope: backend.Scope{Kind: backend.RuleCommand, Command: "npm test"}},
				backend.Rule{ID: "p", Effect: backend.RuleAllow, Scope: backend.Scope{Kind: backend.RulePrefix, Command: "npm"}})
			cfg.Ask, cfg.IsAllowed = d.Ask, d.IsAllowed
		})
		noErr(t, os.MkdirAll(w.path("vendor/evil"), 0o700))
		tu := w.start(backend.SessionMain, "go")
		waitFor(t, "the request", func() bool { return len(w.permissionRows()) == 1 })
		row := w.permissionRows()[0]
		equal(t, cwd, row.State, want)
		if row.State == backend.PermissionOpen {
			noErr(t, d.Reject(t.Context(), row.ID, ""))
		}
		w.expectEnd(tu, backend.TurnDone)
	}
}
