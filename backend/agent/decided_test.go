package agent_test

import (
	"context"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestDecision_RecordsItsSource(t *testing.T) {
	t.Parallel()
	rule := &backend.Scope{Kind: backend.RuleEdits, Folder: "/code"}
	for _, c := range []struct {
		name   string
		decide func(p *backend.Permission) (ok bool)
		want   *backend.DecisionSource
	}{
		{"the user", func(p *backend.Permission) bool {
			p.OptionID, p.Decision = "a", backend.DecisionAllowedOnce
			return true
		}, &backend.DecisionSource{Kind: backend.DecidedByUser, At: 7}},
		{"the user, with a reason", func(p *backend.Permission) bool {
			p.OptionID, p.Decision, p.Reason = "r", backend.DecisionRejected, "Use the other file."
			return true
		}, &backend.DecisionSource{Kind: backend.DecidedByUser, At: 7, Reason: "Use the other file."}},
		{"the user, who makes a rule of it", func(p *backend.Permission) bool {
			p.OptionID, p.Decision, p.RuleID = "a", backend.DecisionAlwaysAllowed, "rule"
			return true
		}, &backend.DecisionSource{Kind: backend.DecidedByUser, At: 7}},
		{"a rule", func(p *backend.Permission) bool {
			p.OptionID, p.Decision, p.RuleID, p.Rule = "a", backend.DecisionAlwaysAllowed, "rule", rule
			return true
		}, &backend.DecisionSource{Kind: backend.DecidedByRule, At: 7, Rule: rule}},
		{"a mode", func(p *backend.Permission) bool {
			p.OptionID, p.Decision, p.Mode = "a", backend.DecisionAutoAllowed, backend.ModeAcceptEdits
			return true
		}, &backend.DecisionSource{Kind: backend.DecidedByMode, At: 7, Mode: backend.ModeAcceptEdits}},
		{"a rejection that the agent offers no option for", func(p *backend.Permission) bool {
			p.Decision = backend.DecisionRejected
			return false
		}, &backend.DecisionSource{Kind: backend.DecidedByUser, At: 7}},
		{"the end of the turn", func(*backend.Permission) bool { return false }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			script := fakeagent.Script{Turns: []fakeagent.Turn{{request(`"toolCallId":"1","title":"T","kind":"edit","locations":[{"path":"a.txt"}]`)}}}
			w := newEnv(t, fake(script), func(_ *env, cfg *agent.Config) {
				cfg.Ask = func(_ context.Context, p backend.Permission) (backend.Permission, bool) {
					p.DecidedAt = 7
					ok := c.decide(&p)
					return p, ok
				}
			})
			tools := w.tools(w.promptAndExpect("go", backend.TurnDone))
			equalDeep(t, "decided by", tools[0].Tool.DecidedBy, c.want)
		})
	}
}
