package permission_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/permission"
)

func TestReject_SavesReasonWithMessage(t *testing.T) {
	r := newRecorder()
	d := newBroker(r)
	got := startAsk(t.Context(), d, edit("p", "/home/me/app/a.go"))
	<-r.requests
	message := backend.Event{Queued: &backend.QueuedPrompt{ID: "q", ChatID: "c", Text: "Use the other file."}}

	r.setFail(errors.New("full"))
	if err := d.Reject(t.Context(), "p", "Use the other file.", message); backend.CodeOf(err) != backend.CodeStorage {
		t.Fatalf("got %v, want CodeStorage", err)
	}
	select {
	case a := <-got:
		t.Fatalf("the agent got %+v, want no answer before it is saved", a)
	default:
	}
	r.setFail(nil)
	if err := d.Reject(t.Context(), "p", "Use the other file.", message); err != nil {
		t.Fatal(err)
	}
	if a := <-got; a != (answer{"ro", true}) {
		t.Errorf("got %+v, want the agent's option to reject once", a)
	}
	if p := r.newest("p"); p.Decision != backend.DecisionRejected || p.Reason != "Use the other file." || p.State != backend.PermissionDecided {
		t.Errorf("got %+v, want a rejection with its reason", p)
	}
	last := r.events[len(r.events)-2:]
	if last[0].Permission == nil || last[1].Queued == nil {
		t.Errorf("got %+v, want the rejection and then the message", last)
	}
	if err := d.Reject(t.Context(), "p", ""); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("rejected twice: got %v, want CodeNotFound", err)
	}
}

// TestReject_WithoutOptionCancels checks that rejecting a request cancels it if the agent offers no option to reject it
// once.
func TestReject_WithoutOptionCancels(t *testing.T) {
	for _, kinds := range [][]backend.OptionKind{{backend.OptionAllowOnce}, {backend.OptionAllowAlways, backend.OptionRejectAlways}, nil} {
		r := newRecorder()
		d := newBroker(r)
		p := edit("p", "/home/me/app/a.go")
		p.Options = nil
		for _, kind := range kinds {
			p.Options = append(p.Options, backend.Option{ID: string(kind), Kind: kind})
		}
		got := make(chan backend.Permission, 1)
		go func() {
			p, ok := d.Ask(t.Context(), p)
			if ok {
				t.Errorf("%v: got the option %q, want cancelled", kinds, p.OptionID)
			}
			got <- p
		}()
		<-r.requests
		if err := d.Reject(t.Context(), "p", ""); err != nil {
			t.Fatal(err)
		}
		if p := <-got; p.Decision != backend.DecisionRejected || p.OptionID != "" {
			t.Errorf("%v: got %+v, want a rejection", kinds, p)
		}
	}
}

func TestDecision_NamesItsRule(t *testing.T) {
	scope := backend.Scope{Kind: backend.RuleEdits, Folder: "/home/me/app"}
	r := newRecorder()
	d := newBroker(r, backend.Rule{ID: "r", Effect: backend.RuleAllow, Scope: scope})
	p, ok := d.Ask(t.Context(), edit("p", "/home/me/app/a.go"))
	if !ok || p.Rule == nil {
		t.Fatalf("got %+v, want it allowed by the rule", p)
	}
	if diff := cmp.Diff(scope, *p.Rule); diff != "" {
		t.Errorf("the rule (-want +got):\n%s", diff)
	}
}

func TestEditsRule_CoversNoDeletion(t *testing.T) {
	scope := backend.Scope{Kind: backend.RuleEdits, Folder: "/home/me/app"}
	d := newBroker(newRecorder(), backend.Rule{ID: "r", Effect: backend.RuleAllow, Scope: scope})
	p := edit("p", "/home/me/app/a.go")
	if !d.IsAllowed(p) {
		t.Error("got an edit asked about, want it allowed")
	}
	p.Files = []backend.PermissionFile{{Path: "/home/me/app/a.go"}, {Path: "/home/me/app/b.go", Deletes: true}}
	if d.IsAllowed(p) {
		t.Error("got an edit with a deletion allowed, want it asked about")
	}
	for _, kind := range []backend.ToolKind{backend.ToolDelete, backend.ToolMove} {
		p := edit("p", "/home/me/app/a.go")
		p.Kind = kind
		if d.IsAllowed(p) {
			t.Errorf("got %s allowed, want it asked about", kind)
		}
	}
}

func TestAlways_NotOfferedForHarmfulCommand(t *testing.T) {
	marked := command("p", "rm -rf dist")
	marked.Marks = []backend.Mark{{Kind: backend.MarkDelete, Part: "rm -rf"}}
	deletion := edit("p", "/home/me/app/a.go")
	deletion.Kind = backend.ToolDelete
	for _, p := range []backend.Permission{marked, deletion} {
		r := newRecorder()
		d := newBroker(r)
		got := startAsk(t.Context(), d, p)
		<-r.requests
		if err := d.Answer(t.Context(), "p", "ao", true); backend.CodeOf(err) != backend.CodeInvalid {
			t.Errorf("%s: got %v, want CodeInvalid", p.Kind, err)
		}
		if err := d.Answer(t.Context(), "p", "ao", false); err != nil {
			t.Error(err)
		}
		<-got
	}
}

func TestMode_UnclearRequestAsks(t *testing.T) {
	for _, mode := range []backend.PermissionMode{backend.ModeAsk, backend.ModeAcceptEdits, backend.ModeBypass} {
		r := newRecorder()
		d := permission.New(permission.Config{
			Publish: r.publish, Commit: r.commit,
			Mode:       func(string) backend.PermissionMode { return mode },
			AskOutside: func() bool { return false },
		})
		p := edit("p", "/home/me/app/a.go")
		p.Unclear, p.Outside = true, true
		if d.IsAllowed(p) {
			t.Errorf("%s: got an unclear request allowed, want it asked about", mode)
		}
		p.Unclear = false
		if got := d.IsAllowed(p); got != (mode == backend.ModeBypass) {
			t.Errorf("%s: got a request outside allowed %v", mode, got)
		}
	}
}
