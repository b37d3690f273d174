package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/copilottest"
)

// TestTrust_AllowedCopilotEditsCount checks that if the user allows an edit by the real CLI, this also counts as
// trust, because the CLI's requests show everything that the CLI writes.
func TestTrust_AllowedCopilotEditsCount(t *testing.T) {
	program := copilottest.Path(t)
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	servers := filepath.Join(folder, ".mcp.json")
	var long strings.Builder // more lines than a diff's context
	long.WriteString("{\"mcpServers\": {\n")
	for range 40 {
		long.WriteString("\n")
	}
	long.WriteString("\"a\": {\"command\": \"one\", \"args\": []}\n}}")
	hooks := filepath.Join(folder, ".github", "hooks", "e.json")
	calls := []practice.Step{
		practice.ToolCall("create", map[string]any{"path": hooks, "file_text": hookOne}),
		practice.ToolCall("edit", map[string]any{"path": hooks, "old_str": "echo one", "new_str": "echo two"}),
		practice.ToolCall("create", map[string]any{"path": servers, "file_text": long.String()}), // no newline at the end
		practice.ToolCall("edit", map[string]any{"path": servers, "old_str": "\"one\", \"args\"", "new_str": "\"two\",\n \"args\""}),
	}
	if err := os.MkdirAll(filepath.Dir(hooks), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv(copilot.PathVar, program)
	t.Setenv("COPILOT_HOME", t.TempDir())
	dir := t.TempDir()
	w := newAppEnv(t, dir)
	p, _ := w.addMainAI(func(req practice.Request) practice.Reply {
		done := 0
		for _, m := range req.Messages {
			switch m.Role {
			case "user":
				done = 0
			case "tool":
				done++
			}
		}
		if req.Side() || !strings.Contains(req.User(), "write them") || done == len(calls) {
			return practice.Reply{practice.Text("ok")}
		}
		return practice.Reply{calls[done]}
	})
	chat, err := w.App.CreateChat(folder, p.ID)
	if err != nil {
		t.Fatal(err)
	}
	w.Send(chat, "write them")
	for n := range calls {
		w.waitAndAllow(n+1, false)
		w.WaitFor("it is trusted", func(e backend.Event) bool { return e.TrustedFolder != nil && e.TrustedFolder.Entries == n+1 })
	}
	w.WaitForDone("all are written", 1)
	w.Close()

	w = newAppEnv(t, dir)
	w.Send(chat, "go on")
	w.WaitForDone("it goes on", 1)
	for _, e := range w.Events() {
		if isTrust(e) {
			t.Errorf("got %+v, want no question", e.TrustRequest)
		}
	}
}
