package permission_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/permission"
)

// newProtectingBroker returns a broker that protects .git and .github/hooks.
func newProtectingBroker(mode backend.PermissionMode, rules ...backend.Rule) (*recorder, *permission.Broker) {
	r := newRecorder()
	return r, permission.New(permission.Config{
		Publish: r.publish, Commit: r.commit, Rules: rules,
		Mode:       func(string) backend.PermissionMode { return mode },
		AskOutside: func() bool { return false },
		Protected: func(_, file string) backend.Protection {
			switch file = filepath.ToSlash(file); {
			case strings.Contains(file, "/.git/"):
				return backend.ProtectsGit
			case strings.Contains(file, "/.github/hooks/"):
				return backend.ProtectsSession
			}
			return ""
		},
	})
}

func TestProtected_AsksInEveryMode(t *testing.T) {
	everywhere := backend.Rule{ID: "r", Effect: backend.RuleAllow, Scope: backend.Scope{Kind: backend.RuleEdits, Folder: here}}
	linked := edit("p", here+"/plain.txt")
	linked.Names = []string{here + "/plain.txt", here + "/.git/config"} // the link's target
	several := edit("p", here+"/a.txt")
	several.Files = []backend.PermissionFile{{Path: here + "/a.txt"}, {Path: here + "/.github/hooks/e.json"}}
	moved := edit("p", here+"/a")
	moved.Kind, moved.To = backend.ToolMove, here+"/.git/hooks/pre-commit"
	unknown := edit("p", here+"/.git/config")
	unknown.Kind = backend.ToolOther
	for name, p := range map[string]backend.Permission{
		"an edit": edit("p", here+"/.git/config"), "a hook": edit("p", here+"/.github/hooks/e.json"),
		"a link": linked, "several files": several, "a move": moved, "a tool": unknown,
	} {
		for _, mode := range []backend.PermissionMode{backend.ModeAsk, backend.ModeAcceptEdits, backend.ModeBypass} {
			_, d := newProtectingBroker(mode, everywhere)
			if d.IsAllowed(p) {
				t.Errorf("%s in %q: got it allowed, want a question", name, mode)
			}
		}
	}
	for _, mode := range []backend.PermissionMode{backend.ModeAcceptEdits, backend.ModeBypass} {
		if _, d := newProtectingBroker(mode); !d.IsAllowed(edit("p", here+"/src/a.go")) {
			t.Errorf("%q: got a question about an ordinary edit", mode)
		}
	}
	if _, d := newProtectingBroker(backend.ModeAsk, everywhere); !d.IsAllowed(edit("p", here+"/src/a.go")) {
		t.Error("got a question about an ordinary edit that a rule covers")
	}
	if _, d := newProtectingBroker(backend.ModeBypass); !d.IsAllowed(command("p", "cat .git/config")) {
		t.Error("got a question about a command, which is no edit")
	}
}

func TestProtected_ExactRuleCanAllow(t *testing.T) {
	r, d := newProtectingBroker(backend.ModeAcceptEdits)
	answers := startAsk(t.Context(), d, edit("p", here+"/.github/hooks/e.json"))
	got := <-r.requests
	want := backend.Scope{Kind: backend.RuleEdits, Folder: here, Command: here + "/.github/hooks/e.json"}
	if got.Protected != backend.ProtectsSession || got.Scope == nil || *got.Scope != want {
		t.Fatalf("got %q and %+v, want the reason and a rule for the file", got.Protected, got.Scope)
	}
	if err := d.Answer(t.Context(), "p", got.Options[0].ID, true); err != nil {
		t.Fatal(err)
	}
	<-answers
	if !d.IsAllowed(edit("q", here+"/.github/hooks/e.json")) {
		t.Error("got a question again, want the rule to cover the file")
	}
	if d.IsAllowed(edit("q", here+"/.github/hooks/other.json")) || d.IsAllowed(edit("q", here+"/.git/config")) {
		t.Error("got another file covered by the rule for one")
	}
	through := edit("q", here+"/.github/hooks/e.json")
	through.Names = []string{here + "/.github/hooks/e.json", here + "/.git/config"}
	if d.IsAllowed(through) {
		t.Error("got a link covered that leads to another file")
	}
}
