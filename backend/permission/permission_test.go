package permission_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/permission"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// recorder records the events of a broker in order. A test can wait for a permission event.
type recorder struct {
	mu       sync.Mutex
	events   []backend.Event
	requests chan backend.Permission
	fail     error
	before   func() // called before events are committed
}

func newRecorder() *recorder { return &recorder{requests: make(chan backend.Permission, 100)} }

func (r *recorder) publish(events ...backend.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range events {
		r.events = append(r.events, e)
		if e.Permission != nil {
			r.requests <- *e.Permission
		}
	}
}

func (r *recorder) commit(_ context.Context, events ...backend.Event) error {
	r.mu.Lock()
	err := r.fail
	r.mu.Unlock()
	if r.before != nil {
		r.before()
	}
	if err != nil {
		return err
	}
	r.publish(events...)
	return nil
}

func (r *recorder) setFail(err error) {
	r.mu.Lock()
	r.fail = err
	r.mu.Unlock()
}

// newest returns the most recent state of the request with the given ID.
func (r *recorder) newest(id string) (p backend.Permission) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.events {
		if e.Permission != nil && e.Permission.ID == id {
			p = *e.Permission
		}
	}
	return p
}

func newBroker(r *recorder, rules ...backend.Rule) *permission.Broker {
	return permission.New(permission.Config{Publish: r.publish, Commit: r.commit, Rules: rules})
}

var copilotOptions = []backend.Option{
	{ID: "ao", Kind: backend.OptionAllowOnce, Name: "Allow"},
	{ID: "aa", Kind: backend.OptionAllowAlways, Name: "Always"},
	{ID: "ro", Kind: backend.OptionRejectOnce, Name: "Deny"},
}

func edit(id, path string) backend.Permission {
	return backend.Permission{
		ID: id, ChatID: "c", Session: "main", Folder: "/home/me/app", Kind: backend.ToolEdit, Path: path, Options: copilotOptions,
		Scope: &backend.Scope{Kind: backend.RuleEdits, Folder: "/home/me/app"},
	}
}

func command(id, line string) backend.Permission {
	return backend.Permission{
		ID: id, ChatID: "c", Session: "main", Folder: "/home/me/app", Kind: backend.ToolExecute, Commands: []string{line}, Options: copilotOptions,
		Scope: &backend.Scope{Kind: backend.RuleCommand, Folder: "/home/me/app", Command: line},
	}
}

type answer struct {
	option string
	ok     bool
}

func startAsk(ctx context.Context, d *permission.Broker, p backend.Permission) <-chan answer {
	c := make(chan answer, 1)
	go func() {
		p, ok := d.Ask(ctx, p)
		c <- answer{p.OptionID, ok}
	}()
	return c
}

func TestAnswer_IsChosenOption(t *testing.T) {
	for _, c := range []struct {
		option   string
		decision backend.Decision
	}{
		{"ao", backend.DecisionAllowedOnce},
		{"aa", backend.DecisionAlwaysAllowed},
		{"ro", backend.DecisionRejected},
	} {
		r := newRecorder()
		d := newBroker(r)
		got := startAsk(t.Context(), d, edit("p", "/home/me/app/a.go"))
		if open := <-r.requests; open.State != backend.PermissionOpen {
			t.Fatalf("first event has state %q", open.State)
		}
		if err := d.Answer(t.Context(), "p", c.option, false); err != nil {
			t.Fatal(err)
		}
		if a := <-got; a != (answer{c.option, true}) {
			t.Errorf("Ask returned %+v for option %s", a, c.option)
		}
		if end := <-r.requests; end.State != backend.PermissionDecided || end.Decision != c.decision || end.OptionID != c.option || end.DecidedAt == 0 {
			t.Errorf("the audit row is %+v", end)
		}
	}
}

func TestAnswer_UnsavedIsNotSent(t *testing.T) {
	r := newRecorder()
	d := newBroker(r)
	got := startAsk(t.Context(), d, edit("p", "/home/me/app/a.go"))
	<-r.requests
	r.setFail(errors.New("disk full"))
	if err := d.Answer(t.Context(), "p", "ao", false); backend.CodeOf(err) != backend.CodeStorage {
		t.Fatalf("Answer: %v", err)
	}
	select {
	case a := <-got:
		t.Fatalf("the agent was answered: %+v", a)
	default:
	}
	r.setFail(nil)
	if err := d.Answer(t.Context(), "p", "ro", false); err != nil {
		t.Fatal(err)
	}
	if a := <-got; a.option != "ro" {
		t.Errorf("the second answer did not count: %+v", a)
	}
}

func TestRequest_ClosesWithTurn(t *testing.T) {
	r := newRecorder()
	d := newBroker(r)
	ctx, cancel := context.WithCancel(t.Context())
	got := startAsk(ctx, d, edit("p", "/home/me/app/a.go"))
	<-r.requests
	cancel()
	if a := <-got; a.ok {
		t.Errorf("a closed request was answered: %+v", a)
	}
	if end := <-r.requests; end.State != backend.PermissionClosed {
		t.Errorf("the audit row is %+v", end)
	}
	if err := d.Answer(t.Context(), "p", "ao", false); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("answering a closed request: %v", err)
	}
}

func TestAnswer_LateIsNotRecorded(t *testing.T) {
	r := newRecorder()
	d := newBroker(r)
	ctx, cancel := context.WithCancel(t.Context())
	got := startAsk(ctx, d, edit("p", "/home/me/app/a.go"))
	<-r.requests
	r.before = func() { // the turn ends while the answer is being saved
		cancel()
		if a := <-got; a.ok {
			t.Errorf("the agent was answered: %+v", a)
		}
	}
	if err := d.Answer(t.Context(), "p", "ao", false); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("the answer did not reach the agent, and Answer says: %v", err)
	}
	if last := r.events[len(r.events)-1].Permission; last.State != backend.PermissionClosed || last.Decision != backend.DecisionClosed || last.OptionID != "" {
		t.Errorf("the audit row is %+v", last)
	}
}

func TestAlwaysAllow_SavesRuleAndAllowsOnce(t *testing.T) {
	r := newRecorder()
	d := newBroker(r)
	first := startAsk(t.Context(), d, edit("p1", "/home/me/app/a.go"))
	<-r.requests
	waiting := startAsk(t.Context(), d, edit("p2", "/home/me/app/b.go"))
	<-r.requests
	other := startAsk(t.Context(), d, command("p3", "rm a.go"))
	<-r.requests
	if err := d.Answer(t.Context(), "p1", "aa", true); err != nil {
		t.Fatal(err)
	}
	if a := <-first; a != (answer{"ao", true}) {
		t.Errorf("the agent got %+v; only our own rule may last", a)
	}
	if a := <-waiting; a != (answer{"ao", true}) {
		t.Errorf("an open request that the new rule covers got %+v", a)
	}
	if p, ok := d.Ask(t.Context(), edit("p4", "/home/me/app/sub/c.go")); !ok || p.OptionID != "ao" || p.Decision != backend.DecisionAlwaysAllowed {
		t.Errorf("a later edit in the folder was asked for: %+v %v", p, ok)
	}
	select {
	case a := <-other:
		t.Errorf("a command was answered by a rule for edits: %+v", a)
	default:
	}
	if err := d.Answer(t.Context(), "p3", "ro", false); err != nil {
		t.Fatal(err)
	}
	<-other
}

func TestAlwaysAllow_RefusedForSeveralFiles(t *testing.T) {
	r := newRecorder()
	d := newBroker(r)
	several := edit("p", "/home/me/app/a.go")
	several.Files = []backend.PermissionFile{{Path: "/home/me/app/a.go"}, {Path: "/home/me/app/b.go"}}
	asked := startAsk(t.Context(), d, several)
	<-r.requests
	if err := d.Answer(t.Context(), "p", "aa", true); err == nil {
		t.Error("a rule was made of it")
	}
	if err := d.Answer(t.Context(), "p", "ao", false); err != nil {
		t.Fatal(err)
	}
	if a := <-asked; a != (answer{"ao", true}) {
		t.Errorf("the agent got %+v", a)
	}
}

func TestRule_CoversNothingElse(t *testing.T) {
	rules := []backend.Rule{
		{ID: "r1", Effect: backend.RuleAllow, Scope: backend.Scope{Kind: backend.RuleEdits, Folder: "/home/me/app"}},
		{ID: "r2", Effect: backend.RuleAllow, Scope: backend.Scope{Kind: backend.RuleCommand, Folder: "/home/me/app", Command: "go test ./..."}},
	}
	otherFolder := edit("p", "/home/me/other/a.go")
	otherFolder.Folder = "/home/me/other"
	otherFolder.Scope = &backend.Scope{Kind: backend.RuleEdits, Folder: "/home/me/other"}
	outside := edit("p", "/home/me/secrets")
	outside.Outside = true
	noScope := edit("p", "/home/me/app/a.go")
	noScope.Scope = nil
	noAllow := edit("p", "/home/me/app/a.go")
	noAllow.Options = copilotOptions[2:]
	reads := edit("p", "/home/me/app/a.go")
	reads.Kind = backend.ToolRead
	two := command("p", "go test ./...")
	two.Commands = append(two.Commands, "rm -rf /")
	for name, p := range map[string]backend.Permission{
		"another folder": otherFolder, "a file outside": outside,
		"no scope": noScope, "no allow option": noAllow, "a read": reads,
		"another command": command("p", "go test ./... "), "two commands": two,
	} {
		r := newRecorder()
		d := newBroker(r, rules...)
		ctx, cancel := context.WithCancel(t.Context())
		got := startAsk(ctx, d, p)
		if first := <-r.requests; first.State != backend.PermissionOpen {
			t.Errorf("%s: decided by rule %s", name, first.RuleID)
		}
		cancel()
		<-got
	}
	r := newRecorder()
	d := newBroker(r, rules...)
	if p, ok := d.Ask(t.Context(), command("p", "go test ./...")); !ok || p.OptionID != "ao" {
		t.Errorf("the exact command was not covered: %+v %v", p, ok)
	}
	if row := <-r.requests; row.RuleID != "r2" || row.Decision != backend.DecisionAlwaysAllowed {
		t.Errorf("the audit row does not name the rule: %+v", row)
	}
	if err := d.RemoveRule(t.Context(), "r2"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	got := startAsk(ctx, d, command("p", "go test ./..."))
	if row := <-r.requests; row.State != backend.PermissionOpen {
		t.Error("a rule that was taken back still answers")
	}
	cancel()
	<-got
}

func TestAnswer_UnofferedOptionRefused(t *testing.T) {
	r := newRecorder()
	d := newBroker(r)
	p := edit("p", "/home/me/app/a.go")
	p.Scope = nil
	ctx, cancel := context.WithCancel(t.Context())
	got := startAsk(ctx, d, p)
	<-r.requests
	if err := d.Answer(t.Context(), "p", "yes", false); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("an unknown option: %v", err)
	}
	if err := d.Answer(t.Context(), "p", "", true); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("always without a scope: %v", err)
	}
	cancel()
	<-got
}

func TestBroker_RecordsRequestTimes(t *testing.T) {
	r := newRecorder()
	d := newBroker(r)
	for i, at := range []backend.Millis{3000, 1000, 2000, 1000} { // registered out of order
		p := edit(strconv.Itoa(i), "/home/me/app/a")
		p.CreatedAt = at
		startAsk(t.Context(), d, p)
		<-r.requests
	}
	var got []backend.Millis
	for i := range 4 {
		got = append(got, r.newest(strconv.Itoa(i)).CreatedAt)
	}
	if want := []backend.Millis{3000, 1000, 2000, 1001}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
