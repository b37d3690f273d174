package permission_test

import (
	"errors"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/permission"
)

// TestAllowTurn_IsNarrow checks that the rule of a plan covers edits in the folder in its own turn, and nothing else.
func TestAllowTurn_IsNarrow(t *testing.T) {
	t.Parallel()
	in := func(turnID string, p backend.Permission) backend.Permission { p.TurnID = turnID; return p }
	deletes, moves, deletesOne := edit("", "/home/me/app/a"), edit("", "/home/me/app/a"), edit("", "/home/me/app/a")
	deletes.Kind, moves.Kind = backend.ToolDelete, backend.ToolMove
	deletesOne.Files = []backend.PermissionFile{{Path: "/home/me/app/b", Deletes: true}}
	outside, unclear, other, noScope := edit("", "/tmp/a"), edit("", "/home/me/app/a"), edit("", "/home/me/other/a"), edit("", "/home/me/app/a")
	outside.Outside, unclear.Unclear, noScope.Scope = true, true, nil
	other.Folder, other.Scope = "/home/me/other", &backend.Scope{Kind: backend.RuleEdits, Folder: "/home/me/other"}
	sandbox := command("", "make")
	sandbox.Sandbox = backend.SandboxInside
	for name, c := range map[string]struct {
		p    backend.Permission
		want bool
	}{
		"an edit":                     {in("t", edit("", "/home/me/app/a")), true},
		"another turn":                {in("u", edit("", "/home/me/app/a")), false},
		"no turn":                     {in("", edit("", "/home/me/app/a")), false},
		"a deletion":                  {in("t", deletes), false},
		"a move":                      {in("t", moves), false},
		"an edit that deletes a file": {in("t", deletesOne), false},
		"a file outside":              {in("t", outside), false},
		"an unclear request":          {in("t", unclear), false},
		"another folder":              {in("t", other), false},
		"paths that weren't resolved": {in("t", noScope), false},
		"a command":                   {in("t", command("", "make")), false},
		"a command in the sandbox":    {in("t", sandbox), false},
		"a protected file":            {in("t", edit("", "/home/me/app/.git/hooks/pre-commit")), false},
	} {
		r := newRecorder()
		b := permission.New(permission.Config{Publish: r.publish, Commit: r.commit, Protected: func(_, file string) backend.Protection {
			if file == "/home/me/app/.git/hooks/pre-commit" {
				return backend.ProtectsGit
			}
			return ""
		}})
		if err := b.AllowTurn(t.Context(), here, "t"); err != nil {
			t.Fatal(err)
		}
		if got := b.IsAllowed(c.p); got != c.want {
			t.Errorf("%s: allowed %v", name, got)
		}
		if err := b.EndTurn(t.Context(), "t"); err != nil || b.IsAllowed(c.p) {
			t.Errorf("%s: allowed after the turn (%v)", name, err)
		}
	}
}

func TestAllowTurn_DenyRuleWins(t *testing.T) {
	t.Parallel()
	r := newRecorder()
	b := newBroker(r, backend.Rule{ID: "d", Effect: backend.RuleDeny, Scope: backend.Scope{Kind: backend.RuleEdits, Folder: here}})
	if err := b.AllowTurn(t.Context(), here, "t"); err != nil {
		t.Fatal(err)
	}
	p := edit("", "/home/me/app/a")
	if p.TurnID = "t"; b.IsAllowed(p) || !b.IsDenied(p) {
		t.Error("the rule of the plan overrides a deny rule")
	}
}

func TestAllowTurn_Stored(t *testing.T) {
	t.Parallel()
	r := newRecorder()
	b := newBroker(r)
	for _, turn := range []string{"t", "t", "u"} {
		if err := b.AllowTurn(t.Context(), here, turn); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.EndTurn(t.Context(), "t"); err != nil {
		t.Fatal(err)
	}
	if err := b.EndTurn(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	rules := map[string]bool{}
	for _, e := range r.events {
		if e.Rule != nil {
			rules[e.Rule.ID] = true
		}
		if e.RuleDeleted != nil {
			rules[e.RuleDeleted.ID] = false
		}
	}
	if len(rules) != 2 {
		t.Errorf("%d rules", len(rules))
	}
	for id, open := range rules {
		if open {
			t.Errorf("the rule %s remains", id)
		}
	}
}

func TestAllowTurn_NotStored(t *testing.T) {
	t.Parallel()
	r := newRecorder()
	r.setFail(errors.New("disk full"))
	b := newBroker(r)
	if err := b.AllowTurn(t.Context(), here, "t"); backend.CodeOf(err) != backend.CodeStorage {
		t.Error(err)
	}
	p := edit("", "/home/me/app/a")
	if p.TurnID = "t"; b.IsAllowed(p) {
		t.Error("edits are allowed by a rule that isn't stored")
	}
}
