package permission_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/permission"
)

// env is a broker with settings that tests can change.
type env struct {
	*recorder
	*permission.Broker
	mu      sync.Mutex
	modes   map[string]backend.PermissionMode
	outside bool
}

func newEnv(rules ...backend.Rule) *env {
	o := &env{recorder: newRecorder(), modes: map[string]backend.PermissionMode{}, outside: true}
	o.Broker = permission.New(permission.Config{
		Publish: o.publish, Commit: o.commit, Rules: rules,
		Mode: func(chatID string) backend.PermissionMode {
			o.mu.Lock()
			defer o.mu.Unlock()
			return o.modes[chatID]
		},
		AskOutside: func() bool {
			o.mu.Lock()
			defer o.mu.Unlock()
			return o.outside
		},
	})
	return o
}

func (o *env) setMode(chatID string, m backend.PermissionMode) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.modes[chatID] = m
}

func (o *env) setAskOutside(on bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.outside = on
}

func TestMode_AllowedRequests(t *testing.T) {
	outside := edit("p", "/home/me/secret")
	outside.Scope, outside.Outside = nil, true
	unknown := edit("p", "") // unknown location
	unknown.Scope = nil
	deletes, moves := edit("p", here+"/a"), edit("p", here+"/a")
	deletes.Kind, moves.Kind, moves.To = backend.ToolDelete, backend.ToolMove, here+"/b"
	read := backend.Permission{ID: "p", ChatID: "c", Folder: here, Kind: backend.ToolRead, Path: "/etc/hostname", Outside: true, Options: copilotOptions}
	tool := backend.Permission{ID: "p", ChatID: "c", Folder: here, Kind: backend.ToolOther, Options: copilotOptions}
	const edits, bypass = backend.ModeAcceptEdits, backend.ModeBypass
	for what, c := range map[string]struct {
		p    backend.Permission
		want []backend.PermissionMode // modes that allow it
	}{
		"an edit":                      {edit("p", here+"/a"), []backend.PermissionMode{edits, bypass}},
		"a deletion":                   {deletes, []backend.PermissionMode{edits, bypass}},
		"a move":                       {moves, []backend.PermissionMode{edits, bypass}},
		"a command":                    {command("p", "make"), []backend.PermissionMode{bypass}},
		"an address":                   {fetch("p", "https://go.dev"), []backend.PermissionMode{bypass}},
		"a tool":                       {tool, []backend.PermissionMode{bypass}},
		"an edit of nobody knows what": {unknown, []backend.PermissionMode{bypass}},
		"an edit outside":              {outside, nil},
		"a read outside":               {read, nil},
	} {
		for _, mode := range []backend.PermissionMode{"", backend.ModeAsk, edits, bypass, "of the future"} {
			o := newEnv()
			o.setMode("c", mode)
			o.setMode("another", bypass)
			ctx, cancel := context.WithCancel(t.Context())
			got := startAsk(ctx, o.Broker, c.p)
			row := <-o.requests
			if ahead := row.State == backend.PermissionDecided; ahead != slices.Contains(c.want, mode) {
				t.Errorf("%s in the mode %q went ahead: %v", what, mode, ahead)
			} else if ahead {
				if a := <-got; a != (answer{"ao", true}) || row.Decision != backend.DecisionAutoAllowed || row.Mode != mode || row.RuleID != "" || row.DecidedAt == 0 {
					t.Errorf("%s in the mode %q: the answer is %+v, the row %+v", what, mode, a, row)
				}
			}
			if o.IsAllowed(c.p) != slices.Contains(c.want, mode) {
				t.Errorf("%s in the mode %q: Allowed does not say what was done", what, mode)
			}
			cancel()
		}
		o := newEnv()
		o.setMode("c", bypass)
		o.setAskOutside(false)
		if !o.IsAllowed(c.p) {
			t.Errorf("%s does not go ahead where everything does, also outside", what)
		}
		o.setMode("c", edits)
		if o.IsAllowed(c.p) != slices.Contains(c.want, edits) {
			t.Errorf("%s: to allow edits in the folder depends on what is asked outside of it", what)
		}
	}
}

func TestMode_OutsideFolderAsksDespiteRule(t *testing.T) {
	p := command("p", "cat /etc/hostname")
	p.Outside = true
	for _, c := range []struct {
		rule backend.Rule
		want bool // the rule allows the request although the user is asked about requests outside the folder
	}{
		{allow(backend.RuleCommand, here, "cat /etc/hostname"), true}, // shown to the user
		{allow(backend.RulePrefix, here, "cat"), false},
		{allow(backend.RuleGlob, here, "cat *"), false},
	} {
		o := newEnv(c.rule)
		if o.IsAllowed(p) != c.want {
			t.Errorf("the rule %+v: allowed is %v", c.rule.Scope, !c.want)
		}
		o.setAskOutside(false)
		if !o.IsAllowed(p) {
			t.Errorf("the rule %+v does not count", c.rule.Scope)
		}
	}
}

func TestMode_ChangeAnswersOpenRequests(t *testing.T) {
	o := newEnv()
	open := map[string]<-chan answer{}
	ctx, cancel := context.WithCancel(t.Context())
	for _, p := range []backend.Permission{edit("edit", here+"/a"), command("run", "make"), edit("other", here+"/b")} {
		if p.ID == "other" {
			p.ChatID = "d"
		}
		open[p.ID] = startAsk(ctx, o.Broker, p)
		<-o.requests
	}
	still := func(ids ...string) {
		t.Helper()
		for _, id := range ids {
			if row := o.newest(id); row.State != backend.PermissionOpen {
				t.Errorf("%s is %+v", id, row)
			}
		}
	}
	o.setMode("c", backend.ModeAcceptEdits)
	o.ModeChanged(t.Context(), "c")
	if a := <-open["edit"]; a != (answer{"ao", true}) || o.newest("edit").Mode != backend.ModeAcceptEdits {
		t.Errorf("the edit got %+v, its row is %+v", a, o.newest("edit"))
	}
	still("run", "other")
	o.setMode("c", backend.ModeBypass)
	o.setMode("d", backend.ModeBypass)
	o.ModeChanged(t.Context(), "c")
	if a := <-open["run"]; a != (answer{"ao", true}) {
		t.Errorf("the command got %+v", a)
	}
	still("other")
	o.ModeChanged(t.Context(), "")
	if a := <-open["other"]; a != (answer{"ao", true}) {
		t.Errorf("the other chat's edit got %+v", a)
	}
	if err := o.Answer(t.Context(), "run", "ro", false); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("what the mode answered is answered again: %v", err)
	}
	cancel()
}

func TestDenial_WinsOverEverything(t *testing.T) {
	denial := deny(backend.RulePrefix, "", "git push")
	o := newEnv(allow(backend.RuleCommand, "", "git push"), denial, allow(backend.RulePrefix, "", "git"))
	o.setMode("c", backend.ModeBypass)
	p, ok := o.Ask(t.Context(), command("p", "git push"))
	if !ok || p.OptionID != "ro" || p.Decision != backend.DecisionRejected || p.RuleID != denial.ID || p.Mode != "" {
		t.Errorf("%+v %v", p, ok)
	}
	if row := o.newest("p"); row.State != backend.PermissionDecided || row.RuleID != denial.ID || row.Decision != backend.DecisionRejected {
		t.Errorf("the audit row is %+v", row)
	}
	if p, ok := o.Ask(t.Context(), command("q", "git status")); !ok || p.OptionID != "ao" {
		t.Errorf("%+v %v", p, ok)
	}

	never := command("never", "git push")
	never.Options = []backend.Option{{ID: "ra", Kind: backend.OptionRejectAlways}, {ID: "ao", Kind: backend.OptionAllowOnce}}
	if p, ok := o.Ask(t.Context(), never); !ok || p.OptionID != "ra" {
		t.Errorf("the only way to reject was not taken: %+v %v", p, ok)
	}
	only := command("only", "git push")
	only.Options = only.Options[:2]
	if p, ok := o.Ask(t.Context(), only); ok || p.Decision != backend.DecisionRejected || p.OptionID != "" {
		t.Errorf("with no way to reject, it is not cancelled: %+v %v", p, ok)
	}
	if row := o.newest("only"); row.State != backend.PermissionClosed || row.Decision != backend.DecisionRejected || row.RuleID != denial.ID {
		t.Errorf("the audit row is %+v", row)
	}
}

func TestDenial_AppliesEvenIfUnsaved(t *testing.T) {
	o := newEnv(deny(backend.RulePrefix, "", "git push"))
	o.setFail(errors.New("disk full"))
	if p, ok := o.Ask(t.Context(), command("p", "git push")); !ok || p.OptionID != "ro" {
		t.Errorf("%+v %v", p, ok)
	}
	if row := o.newest("p"); row.Decision != backend.DecisionRejected {
		t.Errorf("the audit row is %+v", row)
	}
}

func TestDecision_UnsavedAsks(t *testing.T) {
	o := newEnv()
	o.setMode("c", backend.ModeBypass)
	o.setFail(errors.New("disk full"))
	got := startAsk(t.Context(), o.Broker, edit("p", here+"/a"))
	if row := <-o.requests; row.State != backend.PermissionOpen || row.Decision != "" || row.Mode != "" {
		t.Fatalf("the row is %+v", row)
	}
	o.ModeChanged(t.Context(), "c")
	if row := o.newest("p"); row.State != backend.PermissionOpen {
		t.Fatalf("the row is %+v", row)
	}
	o.setFail(nil)
	if err := o.Answer(t.Context(), "p", "ro", false); err != nil {
		t.Fatal(err)
	}
	if a := <-got; a.option != "ro" {
		t.Errorf("the user's answer did not count: %+v", a)
	}
}

func TestDecision_DurableBeforeAgentReceivesIt(t *testing.T) {
	o := newEnv()
	o.setMode("c", backend.ModeBypass)
	got := make(chan answer, 1)
	o.before = func() {
		select {
		case a := <-got:
			t.Errorf("the agent was answered before: %+v", a)
		default:
		}
	}
	go func() {
		p, ok := o.Ask(t.Context(), command("p", "make"))
		got <- answer{p.OptionID, ok}
	}()
	if a := <-got; a.option != "ao" {
		t.Errorf("%+v", a)
	}
	if row := <-o.requests; row.Decision != backend.DecisionAutoAllowed {
		t.Errorf("the first row is %+v", row)
	}
}

func TestRequest_TurnEndDuringDecisionCloses(t *testing.T) {
	o := newEnv()
	ctx, cancel := context.WithCancel(t.Context())
	got := startAsk(ctx, o.Broker, command("p", "make"))
	<-o.requests
	o.setMode("c", backend.ModeBypass)
	o.before = func() {
		cancel()
		if a := <-got; a.ok {
			t.Errorf("the agent was answered: %+v", a)
		}
	}
	o.ModeChanged(context.WithoutCancel(t.Context()), "c")
	if row := o.newest("p"); row.State != backend.PermissionClosed || row.Decision != backend.DecisionClosed {
		t.Errorf("the audit row is %+v", row)
	}
}

// TestRule_NewOneMissesNoRequest checks that a rule added while requests are arriving decides all of these
// requests, whether they arrived before or after it was added.
func TestRule_NewOneMissesNoRequest(t *testing.T) {
	const n = 200
	o := newEnv()
	o.requests = make(chan backend.Permission, 4*n)
	begin := make(chan struct{})
	var answers []<-chan answer
	for i := range n {
		p := command(fmt.Sprint(i), "make")
		c := make(chan answer, 1)
		answers = append(answers, c)
		go func() {
			<-begin
			p, ok := o.Ask(t.Context(), p)
			c <- answer{p.OptionID, ok}
		}()
	}
	close(begin)
	if _, err := o.SaveRule(t.Context(), backend.Rule{Effect: backend.RuleAllow, Scope: backend.Scope{Kind: backend.RulePrefix, Command: "make"}}); err != nil {
		t.Fatal(err)
	}
	for _, c := range answers {
		if a := <-c; a != (answer{"ao", true}) {
			t.Fatalf("%+v", a)
		}
	}
	var times []backend.Millis
	for i := range n {
		times = append(times, o.newest(fmt.Sprint(i)).CreatedAt)
	}
	slices.Sort(times)
	if len(slices.Compact(times)) != n {
		t.Error("two requests came at the same time: their order is not known")
	}
}
