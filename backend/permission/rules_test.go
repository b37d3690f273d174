package permission_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

func TestRule_InvalidNotSaved(t *testing.T) {
	later, before := backend.Now()+60_000, backend.Now()-60_000
	scope := func(kind backend.RuleKind, folder, text string) backend.Scope {
		return backend.Scope{Kind: kind, Folder: folder, Command: text}
	}
	const allow, deny = backend.RuleAllow, backend.RuleDeny
	for _, c := range []struct {
		rule backend.Rule
		kept string // the stored text; "" if it is rejected
		says string
	}{
		{backend.Rule{Effect: allow, Scope: scope(backend.RulePrefix, "", "  go   test ")}, "go test", ""},
		{backend.Rule{Effect: allow, Scope: scope(backend.RulePrefix, here, "go test"), ExpiresAt: later}, "go test", ""},
		{backend.Rule{Effect: allow, Scope: scope(backend.RuleGlob, "", "npm run *")}, "npm run *", ""},
		{backend.Rule{Effect: allow, Scope: scope(backend.RuleHost, "", "PKG.go.dev")}, "pkg.go.dev", ""},
		{backend.Rule{Effect: allow, Scope: scope(backend.RuleHost, "", "https://pkg.go.dev/net/http")}, "pkg.go.dev", ""},
		{backend.Rule{Effect: allow, Scope: scope(backend.RuleHost, "", "localhost:8080")}, "localhost:8080", ""},
		{backend.Rule{Effect: allow, Scope: scope(backend.RuleHost, "", "münchen.de")}, "xn--mnchen-3ya.de", ""},
		{backend.Rule{Effect: deny, Scope: scope(backend.RuleCommand, "", "git push --force")}, "git push --force", ""},
		{backend.Rule{Effect: deny, Scope: scope(backend.RuleGlob, "", "*| sh")}, "*| sh", ""},
		{backend.Rule{Effect: deny, Scope: scope(backend.RulePrefix, "", "rm")}, "rm", ""},

		{backend.Rule{Scope: scope(backend.RulePrefix, "", "go")}, "", "whether the rule allows or denies"},
		{backend.Rule{Effect: allow, Scope: scope("", "", "go")}, "", "Unknown kind of rule"},
		{backend.Rule{Effect: allow, Scope: scope(backend.RuleEdits, here, "")}, "", "choose “Always allow”"},
		{backend.Rule{Effect: allow, Scope: scope(backend.RuleCommand, here, "make")}, "", "choose “Always allow”"},
		{backend.Rule{Effect: allow, Scope: scope(backend.RulePrefix, "", " ")}, "", "is empty"},
		{backend.Rule{Effect: deny, Scope: scope(backend.RuleGlob, "", "")}, "", "is empty"},
		{backend.Rule{Effect: allow, Scope: scope(backend.RuleGlob, "", "")}, "", "is empty"},
		{backend.Rule{Effect: allow, Scope: scope(backend.RuleGlob, "", "*")}, "", "would allow any program"},
		{backend.Rule{Effect: allow, Scope: scope(backend.RuleGlob, "", "?* x")}, "", "would allow any program"},
		{backend.Rule{Effect: allow, Scope: scope(backend.RuleGlob, "", "git* log")}, "", "would allow any program"},
		{backend.Rule{Effect: allow, Scope: scope(backend.RulePrefix, "", "PATH=. git")}, "", "one plain command"},
		{backend.Rule{Effect: allow, Scope: scope(backend.RulePrefix, "", "git log $X")}, "", "one plain command"},
		{backend.Rule{Effect: allow, Scope: scope(backend.RulePrefix, "", "go test; rm")}, "", "one plain command"},
		{backend.Rule{Effect: allow, Scope: scope(backend.RuleGlob, "", "go test | *")}, "", "one plain command"},
		{backend.Rule{Effect: allow, Scope: scope(backend.RulePrefix, "web", "go")}, "", "isn't a full path"},
		{backend.Rule{Effect: allow, Scope: scope(backend.RulePrefix, "", "go"), ExpiresAt: before}, "", "expire immediately"},
		{backend.Rule{Effect: allow, Scope: scope(backend.RulePrefix, "", strings.Repeat("a", 1001))}, "", "too long"},
		{backend.Rule{Effect: allow, Scope: scope(backend.RuleHost, "", "")}, "", "isn't a valid host name"},
		{backend.Rule{Effect: allow, Scope: scope(backend.RuleHost, "", "*.dev")}, "", "isn't a valid host name"},
		{backend.Rule{Effect: allow, Scope: scope(backend.RuleHost, "", "me@go.dev")}, "", "isn't a valid host name"},
		{backend.Rule{Effect: allow, Scope: scope(backend.RuleHost, "", "go dev")}, "", "isn't a valid host name"},
		{backend.Rule{ID: "nobody's", Effect: allow, Scope: scope(backend.RulePrefix, "", "go")}, "", "no longer exists"},
	} {
		r := newRecorder()
		rule, err := newBroker(r).SaveRule(t.Context(), c.rule)
		if c.kept == "" {
			if err == nil || !strings.Contains(err.Error(), c.says) || backend.CodeOf(err) == "" || len(r.events) != 0 {
				t.Errorf("%+v: %v, and %d events", c.rule, err, len(r.events))
			}
			continue
		}
		if err != nil || rule.ID == "" || rule.CreatedAt == 0 || rule.Scope.Command != c.kept {
			t.Errorf("%+v was kept as %+v: %v", c.rule, rule, err)
			continue
		}
		if len(r.events) != 1 || *r.events[0].Rule != rule {
			t.Errorf("%+v: the events are %+v", c.rule, r.events)
		}
	}
}

func TestRule_EditDenialNeedsNoPattern(t *testing.T) {
	rule, err := newBroker(newRecorder()).SaveRule(t.Context(), backend.Rule{
		Effect: backend.RuleDeny, Scope: backend.Scope{Kind: backend.RuleEdits, Folder: here + "/vendor/", Command: "x"},
	})
	if want := (backend.Scope{Kind: backend.RuleEdits, Folder: here + "/vendor"}); err != nil || rule.Scope != want {
		t.Errorf("%+v %v", rule, err)
	}
}

func TestRule_SavedAnswersOpenRequests(t *testing.T) {
	o := newEnv()
	run := startAsk(t.Context(), o.Broker, command("run", "go test ./..."))
	<-o.requests
	push := startAsk(t.Context(), o.Broker, command("push", "git push"))
	<-o.requests
	goes, err := o.SaveRule(t.Context(), backend.Rule{Effect: backend.RuleAllow, Scope: backend.Scope{Kind: backend.RulePrefix, Command: "go test"}})
	if err != nil {
		t.Fatal(err)
	}
	if a := <-run; a != (answer{"ao", true}) || o.newest("run").RuleID != goes.ID || o.newest("run").Decision != backend.DecisionAlwaysAllowed {
		t.Errorf("the command got %+v, its row is %+v", a, o.newest("run"))
	}
	if _, err := o.SaveRule(t.Context(), backend.Rule{Effect: backend.RuleDeny, Scope: backend.Scope{Kind: backend.RulePrefix, Command: "git push"}}); err != nil {
		t.Fatal(err)
	}
	if a := <-push; a != (answer{"ro", true}) {
		t.Errorf("the denied command got %+v", a)
	}
}

func TestRule_UnsavedDoesNotCount(t *testing.T) {
	o := newEnv()
	o.setFail(errors.New("disk full"))
	rule := backend.Rule{Effect: backend.RuleAllow, Scope: backend.Scope{Kind: backend.RulePrefix, Command: "make"}}
	if _, err := o.SaveRule(t.Context(), rule); backend.CodeOf(err) != backend.CodeStorage || o.IsAllowed(command("p", "make")) {
		t.Errorf("%v", err)
	}
	o.setFail(nil)
	kept, err := o.SaveRule(t.Context(), rule)
	if err != nil {
		t.Fatal(err)
	}
	o.setFail(errors.New("disk full"))
	if err := o.RemoveRule(t.Context(), kept.ID); backend.CodeOf(err) != backend.CodeStorage || !o.IsAllowed(command("p", "make")) {
		t.Errorf("a rule that could not be removed does not count: %v", err)
	}
	if err := o.RemoveAll(t.Context()); backend.CodeOf(err) != backend.CodeStorage || !o.IsAllowed(command("p", "make")) {
		t.Errorf("rules that could not be removed do not count: %v", err)
	}
}

func TestRule_StoredOnce(t *testing.T) {
	o := newEnv()
	rule := backend.Rule{Effect: backend.RuleAllow, Scope: backend.Scope{Kind: backend.RulePrefix, Command: "make"}}
	first, err := o.SaveRule(t.Context(), rule)
	if err != nil {
		t.Fatal(err)
	}
	rule.ExpiresAt = backend.Now() + 60_000
	second, err := o.SaveRule(t.Context(), rule)
	if err != nil || second.ID != first.ID || second.CreatedAt != first.CreatedAt || second.ExpiresAt == 0 {
		t.Errorf("%+v %v", second, err)
	}
	second.Scope.Command = "make test"
	if _, err := o.SaveRule(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	if o.IsAllowed(command("p", "make")) || !o.IsAllowed(command("p", "make test")) {
		t.Error("a rule that was changed counts as it was")
	}
	if err := o.RemoveRule(t.Context(), first.ID); err != nil || o.IsAllowed(command("p", "make test")) {
		t.Errorf("a rule that was removed counts: %v", err)
	}
}

func TestRule_ExpiredDoesNotCount(t *testing.T) {
	ended, lasting := allow(backend.RuleCommand, here, "make"), allow(backend.RuleCommand, here, "make test")
	ended.ExpiresAt, lasting.ExpiresAt = backend.Now(), backend.Now()+60_000
	o := newEnv(ended, lasting)
	if o.IsAllowed(command("p", "make")) || !o.IsAllowed(command("p", "make test")) {
		t.Error("the end of a rule does not count")
	}
	never := deny(backend.RulePrefix, "", "make")
	never.ExpiresAt = backend.Now() - 1
	if o := newEnv(lasting, never); !o.IsAllowed(command("p", "make test")) {
		t.Error("a denial that has ended counts")
	}

	// "Always allow" makes the rule permanent again.
	got := startAsk(t.Context(), o.Broker, command("p", "make"))
	<-o.requests
	if err := o.Answer(t.Context(), "p", "", true); err != nil {
		t.Fatal(err)
	}
	<-got
	if row := o.newest("p"); row.RuleID != ended.ID || !o.IsAllowed(command("p", "make")) {
		t.Errorf("the row is %+v", row)
	}
}

func TestRules_AllCanBeRemoved(t *testing.T) {
	o := newEnv(allow(backend.RuleEdits, here, ""), deny(backend.RulePrefix, "", "git push"))
	o.setMode("c", backend.ModeBypass)
	if err := o.RemoveAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(o.events) != 2 || o.events[0].RuleDeleted == nil || o.events[1].RuleDeleted == nil {
		t.Errorf("the events are %+v", o.events)
	}
	if !o.IsAllowed(command("p", "git push")) {
		t.Error("a denial that was removed counts")
	}
	o.setMode("c", backend.ModeAsk)
	if o.IsAllowed(edit("p", here+"/a")) {
		t.Error("a rule that was removed counts")
	}
	if err := o.RemoveAll(t.Context()); err != nil || len(o.events) != 2 {
		t.Errorf("there is nothing to remove, and: %v", err)
	}
}

func TestOptions_ChosenByKindSentByID(t *testing.T) {
	odd := []backend.Option{
		{ID: "9", Kind: "perhaps", Name: "Perhaps"},
		{ID: "1b", Kind: backend.OptionAllowAlways, Name: "Allow all"},
		{ID: "{7}", Kind: backend.OptionAllowOnce, Name: "Yes"},
		{ID: "", Kind: backend.OptionAllowOnce, Name: "Yes, and clear the context"},
		{ID: "no", Kind: backend.OptionRejectAlways, Name: "Never"},
		{ID: "no!", Kind: backend.OptionRejectOnce, Name: "No"},
	}
	for _, c := range []struct {
		rules  []backend.Rule
		kinds  []backend.Option
		want   string
		closed bool
	}{
		{[]backend.Rule{allow(backend.RulePrefix, "", "make")}, odd, "{7}", false},
		{[]backend.Rule{allow(backend.RulePrefix, "", "make")}, odd[:2], "", true}, // only the user may choose its "always"
		{[]backend.Rule{allow(backend.RulePrefix, "", "make")}, odd[4:], "", true}, // left to the user
		{[]backend.Rule{deny(backend.RulePrefix, "", "make")}, odd, "no!", false},
		{[]backend.Rule{deny(backend.RulePrefix, "", "make")}, odd[:5], "no", false},
	} {
		o := newEnv(c.rules...)
		p := command("p", "make")
		p.Options = c.kinds
		ctx, cancel := context.WithCancel(t.Context())
		got := startAsk(ctx, o.Broker, p)
		if row := <-o.requests; c.closed {
			if row.State != backend.PermissionOpen {
				t.Errorf("%+v was decided where no option does that", row)
			}
			cancel()
		}
		if a := <-got; a.option != c.want || a.ok == c.closed {
			t.Errorf("%+v, want %q", a, c.want)
		}
		cancel()
	}

	// The agent gets the option chosen by the user, whatever its kind.
	for _, option := range odd {
		o := newEnv()
		p := command("p", "make")
		p.Options = odd
		got := startAsk(t.Context(), o.Broker, p)
		if row := <-o.requests; len(row.Options) != len(odd) || row.Options[0] != odd[0] {
			t.Fatalf("the options are %+v", row.Options)
		}
		if err := o.Answer(t.Context(), "p", option.ID, false); err != nil {
			t.Fatal(err)
		}
		if a := <-got; a != (answer{option.ID, true}) {
			t.Errorf("%+v for %q", a, option.ID)
		}
		rejected := option.Kind == backend.OptionRejectOnce || option.Kind == backend.OptionRejectAlways
		if row := o.newest("p"); (row.Decision == backend.DecisionRejected) != rejected || row.OptionID != option.ID {
			t.Errorf("the row for %q is %+v", option.ID, row)
		}
	}
}
