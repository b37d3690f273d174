package engine_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/practice"
)

// newSandboxed starts an app with a chat of the real Copilot CLI whose commands run in the sandbox.
func newSandboxed(t *testing.T, mode backend.PermissionMode) *guarded {
	t.Helper()
	w := newGuarded(t, func(string) {})
	w.needsSandbox()
	noErr(t, w.App.SetPermissionMode(w.chat.ID, mode))
	noErr(t, w.App.SetSandbox(w.chat.ID, backend.Sandbox{On: true, Network: backend.NetworkOff}))
	return w
}

// rows returns all tool calls so far, each in its latest state.
func (w *guarded) rows() (list []backend.Item) {
	index := map[string]int{}
	for _, e := range w.Events() {
		if e.Item == nil || e.Item.Tool == nil {
			continue
		}
		i, known := index[e.Item.ID]
		if !known {
			i = len(list)
			index[e.Item.ID] = i
			list = append(list, backend.Item{})
		}
		list[i] = *e.Item
	}
	return list
}

// noWrapping fails the test if anything that the user sees contains a shell line that starts the sandbox.
func (w *guarded) noWrapping(t *testing.T) {
	t.Helper()
	for _, e := range w.Events() {
		switch {
		case e.Item != nil && e.Item.Tool != nil && strings.Contains(e.Item.Tool.Command+e.Item.Tool.Title+e.Item.Tool.ResultSummary.String(), "bwrap"):
			t.Errorf("a row shows %+v", e.Item.Tool)
		case e.Content != nil && strings.Contains(string(e.Content.Body), "bwrap"):
			t.Errorf("a row's content is %s", e.Content.Body)
		case e.Permission != nil && strings.Contains(e.Permission.Command+e.Permission.Title, "bwrap"):
			t.Errorf("a request shows %+v", e.Permission)
		}
	}
}

// TestSandbox_AllowEditsRunsCommands checks that in the mode "Allow edits", commands run in the sandbox without a
// permission request, and that they can write only in the folder.
func TestSandbox_AllowEditsRunsCommands(t *testing.T) {
	w := newSandboxed(t, backend.ModeAcceptEdits)
	outside := t.TempDir()
	_, err := w.App.SaveRule(backend.Rule{Effect: backend.RuleDeny, Scope: backend.Scope{Kind: backend.RulePrefix, Command: "rm"}})
	noErr(t, err)
	home, err := os.UserHomeDir()
	noErr(t, err)
	secret := filepath.Join(home, "voxpilot-sandbox-test")
	w.calls["go"] = []practice.Step{
		bash("echo one > one.txt"),
		bash("echo out > " + filepath.Join(outside, "out.txt")),
		bash("echo out > " + secret),
		bash("mkdir -p .github/hooks && echo x > .github/hooks/a.json"),
		bash("rm one.txt"),
		practice.ToolCall("bash", map[string]any{"command": "sleep 0.2; echo later > later.txt; echo done", "description": "d", "mode": "async", "shellId": "s1"}),
		practice.ToolCall("list_bash", map[string]any{}),
		practice.ToolCall("read_bash", map[string]any{"shellId": "s1", "delay": 2}),
		practice.ToolCall("task", map[string]any{"agent_type": "general-purpose", "name": "sub", "description": "sub", "prompt": "go below"}),
	}
	w.calls["go below"] = []practice.Step{bash("echo sub > sub.txt; echo sub > " + filepath.Join(outside, "sub.txt"))}
	w.Send(w.chat, "go")
	w.WaitForDone("the turn ends", 1)
	for path, want := range map[string]bool{
		filepath.Join(w.folder, "one.txt"): true, filepath.Join(w.folder, "later.txt"): true, filepath.Join(w.folder, "sub.txt"): true,
		filepath.Join(outside, "out.txt"): false, filepath.Join(outside, "sub.txt"): false, secret: false,
		filepath.Join(w.folder, ".github", "hooks", "a.json"): false,
	} {
		if exists(t, path) != want {
			t.Errorf("%s exists: %v, want %v", path, !want, want)
		}
	}
	for _, p := range w.requests() {
		if want := p.Command == "rm one.txt"; p.Sandbox != backend.SandboxInside || (p.Decision == backend.DecisionRejected) != want || !want && p.Decision != backend.DecisionAutoAllowed {
			t.Errorf("got %+v", p)
		}
	}
	for _, row := range w.rows() {
		if tool := row.Tool; tool.Kind == backend.ToolExecute && tool.Command != "" && tool.Sandboxed == strings.HasPrefix(tool.Command, "rm") {
			t.Errorf("got %+v", tool)
		}
	}
	w.noWrapping(t)
	results := w.results()
	if len(results) != 9 || !strings.Contains(results[7], "done") || strings.Contains(results[3], "bwrap") || !slices.ContainsFunc(results[1:3], func(r string) bool { return strings.Contains(r, "sandbox") }) {
		t.Errorf("the model got %q", results)
	}
}
