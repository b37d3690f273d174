package practice_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/apptest"
)

func TestPractice_WorksOnRealCLI(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := practice.Folder(dir); err != nil {
		t.Fatal(err)
	}
	c := startCLI(t, practice.Guide(), dir)

	first := c.prompt("Hi there")
	chunks := 0
	for _, u := range first.updates {
		if u.Get("sessionUpdate").String() == "agent_message_chunk" {
			chunks++
		}
	}
	if chunks < 20 || !strings.Contains(first.text, "not an AI") || first.stop != "end_turn" {
		t.Errorf("the first answer came in %d chunks with %q:\n%s", chunks, first.stop, first.text)
	}

	edit := c.prompt("Please fix the greeting")
	if len(edit.permissions) != 1 || edit.permissions[0].Get("kind").String() != "edit" || !strings.Contains(edit.permissions[0].Get("rawInput.diff").String(), "+Hello from") {
		t.Errorf("the edit asked %v", edit.permissions)
	}
	if got := greeting(t, dir); !strings.HasPrefix(got, "Hello from") || !strings.Contains(edit.text, "updated") {
		t.Errorf("after the edit the file is %q; the answer:\n%s", got, edit.text)
	}

	run := c.prompt("Run the script")
	if len(run.permissions) != 1 || run.permissions[0].Get("kind").String() != "execute" {
		t.Errorf("the command asked %v", run.permissions)
	}
	if !strings.Contains(run.text, "Hello from the practice folder!") || !strings.Contains(run.text, "exited with code 0") {
		t.Errorf("the command's answer:\n%s", run.text)
	}

	c.answer = func(gjson.Result) string { return "reject_once" }
	before := greeting(t, dir)
	no := c.prompt(`add "not wanted"`)
	if len(no.permissions) != 1 || greeting(t, dir) != before {
		t.Errorf("rejected, it asked %v and the file is %q", no.permissions, greeting(t, dir))
	}
	next := c.prompt("What do you remember?")
	for _, want := range []string{"You rejected", "message number 5", "Hi there", "Run the script"} {
		if !strings.Contains(next.text, want) {
			t.Errorf("%q is missing in:\n%s", want, next.text)
		}
	}
	noServerErr(t, c.server)
}

func TestPractice_StopThenContinue(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := startCLI(t, practice.Guide(), dir)
	chunks := 0
	c.onUpdate = func(u gjson.Result) {
		if u.Get("sessionUpdate").String() == "agent_message_chunk" {
			if chunks++; chunks == 10 {
				c.notify("session/cancel", map[string]any{"sessionId": c.session})
			}
		}
	}
	story := c.prompt("Tell me a long story")
	if story.stop != "cancelled" || strings.Contains(story.text, "whole story") {
		t.Errorf("it ended with %q:\n%s", story.stop, story.text)
	}
	if next := c.prompt("What do you remember?"); !strings.Contains(next.text, "1. Tell me a long story") {
		t.Errorf("the next answer:\n%s", next.text)
	}
	noServerErr(t, c.server)
}

func TestPractice_SequenceIsStableOnRealCLI(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := practice.Folder(dir); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "greeting.txt")
	c := startCLI(t, apptest.Sequence(
		practice.Reply{practice.Reasoning("Well."), practice.Text("An answer.")},
		practice.Reply{practice.ToolCall("view", map[string]any{"path": path}), practice.ToolCall("view", map[string]any{"path": dir})},
		practice.Reply{practice.Text("Both were seen."), practice.Usage(100, 20)},
		practice.Reply{practice.HTTPError(http.StatusBadRequest, `{"error":{"message":"no, thanks"}}`)},
		practice.Reply{practice.Text("After the error.")},
		practice.Reply{practice.Text("After the summary.")},
	), dir)
	for _, want := range []struct{ said, text string }{
		{"one", "An answer."},
		{"two", "Both were seen."},
		{"three", "no, thanks"},
		{"four", "After the error."},
		{"/compact", "Compacted"}, // its request is outside the conversation
		{"five", "After the summary."},
	} {
		if got := c.prompt(want.said); !strings.Contains(got.text, want.text) {
			t.Errorf("%s: %q, want %q in it", want.said, got.text, want.text)
		}
	}
	side := 0
	for _, r := range c.server.Requests() {
		if r.Side() {
			side++
		}
		if !r.Side() && r.Cwd() != dir {
			t.Errorf("request %d is in %q, want %q", r.N, r.Cwd(), dir)
		}
	}
	if side != 1 {
		t.Errorf("%d requests were made beside the conversation, want 1", side)
	}
	noServerErr(t, c.server)
}

func TestPractice_IgnoresInheritedVariables(t *testing.T) {
	t.Parallel()
	nowhere := "http://127.0.0.1:9"
	c := startCLI(t, apptest.Sequence(practice.Reply{practice.Text("Here I am.")}), t.TempDir(),
		"HTTP_PROXY="+nowhere, "http_proxy="+nowhere, "HTTPS_PROXY="+nowhere, "ALL_PROXY="+nowhere,
		"COPILOT_PROVIDER_BASE_URL="+nowhere, "COPILOT_PROVIDER_BEARER_TOKEN=wrong", "COPILOT_PROVIDER_API_KEY_COMMAND=echo wrong",
		"COPILOT_PROVIDER_HEADERS=Authorization: wrong", "COPILOT_PROVIDER_TYPE=anthropic", "COPILOT_PROVIDER_WIRE_API=responses",
		"COPILOT_PROVIDER_TRANSPORT=websockets", "COPILOT_PROVIDER_MODEL_ID=gpt-5.4", "COPILOT_PROVIDER_WIRE_MODEL=other",
		"COPILOT_PROVIDER_MAX_PROMPT_TOKENS=10", "COPILOT_PROVIDER_MAX_OUTPUT_TOKENS=10")
	if got := c.prompt("Hi"); got.text != "Here I am." {
		t.Errorf("got %q", got.text)
	}
	if r := c.server.Requests()[0]; r.Model != practice.Model || !r.Offers("edit") {
		t.Errorf("the model is %q, the tools are %q", r.Model, r.Tools)
	}
	noServerErr(t, c.server)
}

func TestPractice_CommandsCannotSeeKey(t *testing.T) {
	t.Parallel()
	c := startCLI(t, apptest.Sequence(
		practice.Reply{practice.ToolCall("bash", map[string]any{"command": "env", "description": "Show the environment"})},
		practice.Reply{practice.Text("Done.")},
	), t.TempDir())
	c.prompt("Hi")
	out := c.server.Requests()[1].Last().Text
	if !strings.Contains(out, "COPILOT_MODEL="+practice.Model) || strings.Contains(out, c.server.Key()) {
		t.Errorf("the command printed:\n%s", out)
	}
	noServerErr(t, c.server)
}

func greeting(t *testing.T, dir string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "greeting.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
