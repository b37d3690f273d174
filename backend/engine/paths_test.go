package engine_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// TestAllowEdits_DotDotAfterLinkAsks checks that an edit requires permission if its path has ".." after a symbolic link
// to another folder. The file is then outside the chat's folder, although its path looks as if it were inside.
func TestAllowEdits_DotDotAfterLinkAsks(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	folder, away := filepath.Join(top, "folder"), filepath.Join(top, "away")
	for _, dir := range []string{folder, filepath.Join(away, "sub")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(away, "sub"), filepath.Join(folder, "l2")); err != nil {
		t.Fatal(err)
	}
	path := folder + "/l2/../x.txt"
	apptest.UseFakeAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Edit(path, "", "written"), fakeagent.Say("done")}})
	w := newAppEnv(t, t.TempDir())
	chat, err := w.App.CreateChat(folder, backend.ProviderCopilot)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.App.SetPermissionMode(chat.ID, backend.ModeAcceptEdits); err != nil {
		t.Fatal(err)
	}
	w.Send(chat, "create it")
	p := w.WaitFor("it asks", func(e backend.Event) bool { return e.Permission != nil }).Permission
	if p.State != backend.PermissionOpen || !p.Outside || p.Scope != nil {
		t.Errorf("the request: got %s, outside %t, scope %v, want an open one outside without a scope", p.State, p.Outside, p.Scope)
	}
	if err := w.App.Answer(p.ID, "reject_once", false); err != nil {
		t.Error(err)
	}
	w.WaitForDone("the turn ends", 1)
	for _, file := range []string{filepath.Join(away, "x.txt"), filepath.Join(folder, "x.txt")} {
		if _, err := os.Stat(file); err == nil {
			t.Errorf("%s was written", file)
		}
	}
}
