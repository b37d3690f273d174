package permission_test

import (
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/permission"
)

func TestHostRule_DenyWins(t *testing.T) {
	rule := func(effect backend.RuleEffect, folder, host string) backend.Rule {
		return backend.Rule{Effect: effect, Scope: backend.Scope{Kind: backend.RuleHost, Folder: folder, Command: host}}
	}
	expired := rule(backend.RuleDeny, "", "old.test")
	expired.ExpiresAt = 1
	b := permission.New(permission.Config{Rules: []backend.Rule{
		rule(backend.RuleAllow, "", "example.test"),
		rule(backend.RuleAllow, "", "bad.example.test"),
		rule(backend.RuleDeny, "", "bad.example.test"),
		rule(backend.RuleAllow, "", "api.example.test:8443"),
		rule(backend.RuleDeny, "", "db.example.test:5432"),
		rule(backend.RuleAllow, here, "here.test"),
		rule(backend.RuleAllow, "", "fd00::1"),
		rule(backend.RuleAllow, "", "old.test"),
		expired,
		{Effect: backend.RuleDeny, Scope: backend.Scope{Kind: backend.RulePrefix, Command: "https:"}},
	}})
	const allow, deny = backend.RuleAllow, backend.RuleDeny
	for _, c := range []struct {
		folder, host string
		port         int
		want         backend.RuleEffect
	}{
		{here, "example.test", 443, allow},
		{here, "example.test", 22, allow},
		{here, "www.example.test", 443, ""},
		{here, "bad.example.test", 443, deny},
		{here, "a.bad.example.test", 80, deny},
		{here, "notbad.example.test", 443, ""},
		{here, "api.example.test", 8443, allow},
		{here, "api.example.test", 443, ""},
		{here, "db.example.test", 5432, deny},
		{here, "db.example.test", 443, ""},
		{here, "here.test", 443, allow},
		{here + "-other", "here.test", 443, ""},
		{here, "fd00::1", 443, allow},
		{here, "old.test", 443, allow},
		{here, "other.test", 443, ""},
	} {
		if got := b.HostRule(c.folder, c.host, c.port); got != c.want {
			t.Errorf("%s, %s, %d: got %q, want %q", c.folder, c.host, c.port, got, c.want)
		}
	}
}
