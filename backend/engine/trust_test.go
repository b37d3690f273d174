package engine_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// TestProtected_EditAsksInEveryMode checks that neither "Allow edits" nor "Allow
// everything" covers edits of files whose content is executed later.
func TestProtected_EditAsksInEveryMode(t *testing.T) {
	for name, c := range map[string]struct {
		mode backend.PermissionMode
		want backend.Protection
	}{
		".git/config":           {backend.ModeAcceptEdits, backend.ProtectsGit},
		".git/hooks/pre-commit": {backend.ModeBypass, backend.ProtectsGit},
		".github/hooks/e.json":  {backend.ModeAcceptEdits, backend.ProtectsSession},
		".vscode/tasks.json":    {backend.ModeBypass, backend.ProtectsSession},
		".mcp.json":             {backend.ModeAcceptEdits, backend.ProtectsSession},
		"linked.json":           {backend.ModeAcceptEdits, backend.ProtectsSession}, // a symlink to .mcp.json
	} {
		t.Run(name, func(t *testing.T) {
			folder, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(folder, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			apptest.UseFakeAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Edit(file, "old", "new"), fakeagent.Say("done")}})
			if name == "linked.json" {
				if err := os.Symlink(".mcp.json", file); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(file, []byte("old\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			w := newAppEnv(t, t.TempDir())
			chat, err := w.App.CreateChat(folder, backend.ProviderCopilot)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.App.SetPermissionMode(chat.ID, c.mode); err != nil {
				t.Fatal(err)
			}
			w.Send(chat, "change it")
			if e := w.WaitFor("it starts, or asks for trust", func(e backend.Event) bool { return isTrust(e) || e.Permission != nil }); isTrust(e) {
				if err := w.App.TrustFolder(e.TrustRequest.ID); err != nil {
					t.Fatal(err)
				}
			}
			p := w.WaitFor("it asks", func(e backend.Event) bool { return e.Permission != nil }).Permission
			if p.State != backend.PermissionOpen || p.Protected != c.want {
				t.Fatalf("got %s and %q, want a question with %q", p.State, p.Protected, c.want)
			}
			if always := p.Scope != nil; always != (name != "linked.json") || always && p.Scope.Command != file {
				t.Errorf("got %+v, want a rule for this file alone", p.Scope)
			}
			if err := w.App.Reject(p.ID, ""); err != nil {
				t.Fatal(err)
			}
			w.WaitFor("the turn ends", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State != backend.TurnRunning })
			if text, err := os.ReadFile(file); err != nil || string(text) != "old\n" {
				t.Errorf("the file is %q, %v", text, err)
			}
		})
	}
}

func TestProtected_IncludesAppFolders(t *testing.T) {
	t.Setenv("COPILOT_HOME", t.TempDir())
	w := newAppEnv(t, t.TempDir())
	e, err := w.App.Engine()
	if err != nil {
		t.Fatal(err)
	}
	folder, practice := t.TempDir(), filepath.Join(w.App.Dir, "practice", "folder")
	for file, want := range map[string]backend.Protection{
		filepath.Join(w.App.Dir, "voxpilot.db"):                     backend.ProtectsApp,
		filepath.Join(os.Getenv("COPILOT_HOME"), "mcp-config.json"): backend.ProtectsAgent,
		filepath.Join(folder, "main.go"):                            "",
		filepath.Join(practice, "main.go"):                          backend.ProtectsApp,
	} {
		if got := e.ProtectionOf(folder, file); got != want {
			t.Errorf("%s: got %q, want %q", file, got, want)
		}
	}
	if got := e.ProtectionOf(practice, filepath.Join(practice, "main.go")); got != "" {
		t.Errorf("got %q for a file of a chat's own folder", got)
	}
}
