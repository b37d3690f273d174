package engine_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/practice"
)

// useProfile creates a chat whose custom agent is the given program, a Copilot CLI. The model stays the same.
func (w *guarded) useProfile(program string) {
	w.T.Helper()
	values := map[string]string{}
	for _, v := range w.server.Env(w.home) {
		if name, value, _ := strings.Cut(v, "="); value != "" && name != "COPILOT_HOME" {
			values[name] = value
		}
	}
	profile, err := w.App.SaveProfile(backend.CustomAgent{
		Name: "Own Copilot", Command: program, Args: []string{"--acp", "--stdio", "--no-auto-update"}, Home: w.home, Env: slices.Sorted(maps.Keys(values)),
	}, values)
	noErr(w.T, err)
	w.chat, err = w.App.CreateChat(w.folder, profile.ID)
	noErr(w.T, err)
}

// TestGuard_CopilotAsCustomAgent checks that a Copilot CLI that the user added as a custom agent is guarded: a deny
// rule applies although the CLI doesn't ask for permission.
func TestGuard_CopilotAsCustomAgent(t *testing.T) {
	w := newGuarded(t, func(string) {})
	w.useProfile(realCopilot(t))
	_, err := w.App.SaveRule(backend.Rule{Effect: backend.RuleDeny, Scope: backend.Scope{Kind: backend.RulePrefix, Command: "touch"}})
	noErr(t, err)
	w.calls["go"] = []practice.Step{bash("touch denied.txt"), bash("echo allowed > allowed.txt")}
	noErr(t, w.allowAll())
	w.Send(w.chat, "go")
	w.WaitForDone("the turn", 1)
	if exists(t, filepath.Join(w.folder, "denied.txt")) || !exists(t, filepath.Join(w.folder, "allowed.txt")) {
		t.Error("got the denied command run or the allowed one not run")
	}
	if told := w.results(); len(told) != 2 || !strings.Contains(told[0], "A rule that the user set in VoxPilot denies this.") {
		t.Errorf("the model was told %q", told)
	}
}

// TestGuard_OldCopilotAsCustomAgent checks that a Copilot CLI that is too old for the guard starts in the same way as
// any other custom agent.
func TestGuard_OldCopilotAsCustomAgent(t *testing.T) {
	program := filepath.Join(t.TempDir(), "copilot")
	script := "#!/bin/sh\n[ \"$1\" = --version ] && echo 1.0.70 && exit\nexec " + realCopilot(t) + " \"$@\"\n"
	noErr(t, os.WriteFile(program, []byte(script), 0o700)) //nolint:gosec // must be executable
	w := newGuarded(t, func(string) {})
	w.useProfile(program)
	w.calls["go"] = []practice.Step{bash("echo asked > asked.txt")}
	w.Send(w.chat, "go")
	p := w.WaitFor("it asks", func(e backend.Event) bool { return e.Permission != nil && e.Permission.State == backend.PermissionOpen }).Permission
	noErr(t, w.App.Answer(p.ID, p.Options[0].ID, false))
	w.WaitForDone("the turn", 1)
	files, err := filepath.Glob(filepath.Join(w.dir, "guard", w.chat.ID))
	if err != nil || len(files) > 0 || !exists(t, filepath.Join(w.folder, "asked.txt")) {
		t.Errorf("got the plugin folder %q for a version without a guard (%v)", files, err)
	}
}
