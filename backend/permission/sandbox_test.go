package permission_test

import (
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/permission"
)

// TestBroker_SandboxRoles checks that the sandbox's role in a request determines which modes and rules may allow the
// request.
func TestBroker_SandboxRoles(t *testing.T) {
	command := backend.Permission{Kind: backend.ToolExecute, Folder: here, Commands: []string{"go test ./..."}}
	site := backend.Permission{Kind: backend.ToolFetch, Folder: here, Commands: []string{"https://example.test/"}}
	rule := func(effect backend.RuleEffect, kind backend.RuleKind, text string) []backend.Rule {
		return []backend.Rule{{ID: "r", Effect: effect, Scope: backend.Scope{Kind: kind, Folder: here, Command: text}}}
	}
	const (
		inside, leaves, asks = backend.SandboxInside, backend.SandboxLeaves, backend.SandboxAsksSite
		ask, edits, all      = backend.ModeAsk, backend.ModeAcceptEdits, backend.ModeBypass
	)
	for name, c := range map[string]struct {
		p       backend.Permission
		role    backend.SandboxRole
		mode    backend.PermissionMode
		rules   []backend.Rule
		change  func(*backend.Permission)
		allowed bool
		denied  bool
	}{
		"inside, Ask first":           {p: command, role: inside, mode: ask},
		"inside, Allow edits":         {p: command, role: inside, mode: edits, allowed: true},
		"inside, Allow everything":    {p: command, role: inside, mode: all, allowed: true},
		"no sandbox, Allow edits":     {p: command, mode: edits},
		"inside, starts elsewhere":    {p: command, role: inside, mode: edits, change: func(p *backend.Permission) { p.Outside = true }},
		"inside, unclear":             {p: command, role: inside, mode: edits, change: func(p *backend.Permission) { p.Unclear = true }},
		"inside, denied":              {p: command, role: inside, mode: edits, rules: rule(backend.RuleDeny, backend.RulePrefix, "go test"), denied: true},
		"inside, allowed by a rule":   {p: command, role: inside, mode: ask, rules: rule(backend.RuleAllow, backend.RulePrefix, "go test"), allowed: true},
		"leaves, Allow everything":    {p: command, role: leaves, mode: all},
		"leaves, agent asks nothing":  {p: command, role: leaves, mode: ask, change: func(p *backend.Permission) { p.AgentAsksNothing = true }},
		"leaves, exact rule":          {p: command, role: leaves, mode: all, rules: rule(backend.RuleAllow, backend.RuleCommand, "go test ./...")},
		"leaves, denied":              {p: command, role: leaves, mode: all, rules: rule(backend.RuleDeny, backend.RulePrefix, "go"), denied: true},
		"site, Allow everything":      {p: site, role: asks, mode: all},
		"site, allowed by a rule":     {p: site, role: asks, mode: ask, rules: rule(backend.RuleAllow, backend.RuleHost, "example.test"), allowed: true},
		"site, denied by a rule":      {p: site, role: asks, mode: all, rules: rule(backend.RuleDeny, backend.RuleHost, "example.test"), denied: true},
		"no sandbox, address, bypass": {p: site, mode: all, allowed: true},
	} {
		b := permission.New(permission.Config{Rules: c.rules, Mode: func(string) backend.PermissionMode { return c.mode }})
		p := c.p
		p.Sandbox = c.role
		if c.change != nil {
			c.change(&p)
		}
		if got := b.IsAllowed(p); got != c.allowed {
			t.Errorf("%s: allowed %v, want %v", name, got, c.allowed)
		}
		if got := b.IsDenied(p); got != c.denied {
			t.Errorf("%s: denied %v, want %v", name, got, c.denied)
		}
	}
}
