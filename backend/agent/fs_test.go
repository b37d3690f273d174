package agent_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// readFile and writeFile return steps in which the agent sends a request to its client. $CWD stands for the folder,
// $SESSION for the session's ID.
func readFile(path, rest string) fakeagent.Step {
	return fakeagent.Ask("fs/read_text_file", fmt.Sprintf(`{"sessionId":"$SESSION","path":%q%s}`, path, rest))
}

func writeFile(path, text string) fakeagent.Step {
	return fakeagent.Ask("fs/write_text_file", fmt.Sprintf(`{"sessionId":"$SESSION","path":%q,"content":%q}`, path, text))
}

// newRequestEnv returns an env whose agent sends one request per turn. The parameter steps holds the requests.
func newRequestEnv(t *testing.T, steps ...fakeagent.Step) *env {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the paths of the script are those of a Unix")
	}
	var s fakeagent.Script
	for _, step := range steps {
		s.Turns = append(s.Turns, fakeagent.Turn{step})
	}
	return newEnv(t, fake(s), nil)
}

// response runs a turn and returns the response that the agent received in it.
func (w *env) response() gjson.Result {
	w.t.Helper()
	return gjson.Parse(w.answerText(w.promptAndExpect("go", backend.TurnDone)))
}

func TestReadFile_InsideFolderNeedsNoPermission(t *testing.T) {
	t.Parallel()
	w := newRequestEnv(t,
		readFile("$CWD/a.txt", ""),
		readFile("$CWD/a.txt", `,"line":2,"limit":1`),
		readFile("$CWD/sub/../a.txt", `,"line":null,"limit":null`),
		readFile("$CWD/empty", ""),
	)
	w.write("a.txt", "one\r\ntwö\nthree")
	w.write("empty", "")
	noErr(t, os.Mkdir(w.path("sub"), 0o700))
	for _, want := range []string{"one\r\ntwö\nthree", "twö\n", "one\r\ntwö\nthree", ""} {
		a := w.response()
		if c := a.Get("content"); c.Type != gjson.String || c.Str != want {
			t.Errorf("answered %s, want the content %q", a.Raw, want)
		}
	}
	if n := len(w.asks); n != 0 {
		t.Errorf("%d questions", n)
	}
}

func TestFileRequest_FailureReturnsReason(t *testing.T) {
	t.Parallel()
	cases := []struct {
		step fakeagent.Step
		code int64
		text string
	}{
		{readFile("$CWD/absent.txt", ""), -32002, "/absent.txt"},
		{readFile("$CWD", ""), -32602, "is a folder"},
		{readFile("a.txt", ""), -32602, "isn't absolute"},
		{readFile("", ""), -32602, "Enter a path"},
		{readFile("$CWD/binary", ""), -32602, "isn't UTF-8 text"},
		{readFile("$CWD/a.txt", `,"line":-1`), -32602, "line must be a whole number"},
		{readFile("$CWD/a.txt", `,"limit":1.5`), -32602, "limit must be a whole number"},
		{readFile("$CWD/a.txt", `,"limit":"2"`), -32602, "limit must be a whole number"},
		{fakeagent.Ask("fs/read_text_file", `{"sessionId":"$SESSION"}`), -32602, "path must be a string"},
		{fakeagent.Ask("fs/read_text_file", `{"sessionId":"$SESSION","path":7}`), -32602, "path must be a string"},
		{fakeagent.Ask("fs/read_text_file", `{"path":"$CWD/a.txt"}`), -32602, "sessionId must be a string"},
		{fakeagent.Ask("fs/read_text_file", `{"sessionId":"other","path":"$CWD/a.txt"}`), -32602, "Unknown session other"},
		{fakeagent.Ask("fs/read_text_file", `["$CWD/a.txt"]`), -32602, "must be an object"},
		{fakeagent.Ask("fs/read_text_file", `null`), -32602, "must be an object"},
		{fakeagent.Ask("fs/write_text_file", `{"sessionId":"$SESSION","path":"$CWD/a.txt"}`), -32602, "content must be a string"},
		{fakeagent.Ask("fs/delete_file", `{"sessionId":"$SESSION","path":"$CWD/a.txt"}`), -32601, "not found"},
		{fakeagent.Ask("_vendor/thing", `{}`), -32601, "not found"},
		{fakeagent.Ask("vendorThing", `"x"`), -32601, "not found"},
	}
	var steps []fakeagent.Step
	for _, c := range cases {
		steps = append(steps, c.step)
	}
	w := newRequestEnv(t, steps...)
	w.write("a.txt", "a")
	w.write("binary", "a\x00\xff")
	for _, c := range cases {
		a := w.response()
		if a.Get("code").Int() != c.code || !strings.Contains(a.Get("message").String(), c.text) {
			t.Errorf("%s %s: answered %s", c.step.Path, c.step.Text, a.Raw)
		}
	}
	equal(t, "the file", w.read("a.txt"), "a")
	equal(t, "connection", w.agent.Connection().State, backend.ConnectionReady)
}

func TestReadFile_MissingReturnsACPError(t *testing.T) {
	t.Parallel()
	w := newRequestEnv(t, readFile("$CWD/absent.txt", ""))
	a := w.response()
	equal(t, "code", a.Get("code").Int(), -32002)
	equal(t, "uri", a.Get("data.uri").String(), w.path("absent.txt"))
}

func TestWriteFile_AsksLikeEdit(t *testing.T) {
	t.Parallel()
	w := newRequestEnv(t, writeFile("$CWD/sub/a.txt", "one\nthree\n"))
	noErr(t, os.Mkdir(w.path("sub"), 0o700))
	w.write("sub/a.txt", "one\ntwo\n")
	tu := w.start(backend.SessionMain, "go")
	a := w.nextRequest()
	equal(t, "kind", a.permission.Kind, backend.ToolEdit)
	equal(t, "path", a.permission.Path, w.path("sub/a.txt"))
	equal(t, "outside", a.permission.Outside, false)
	if s := a.permission.Scope; s == nil || s.Kind != backend.RuleEdits || s.Folder != w.folder {
		t.Errorf("scope: %+v", s)
	}
	equalDeep(t, "options", a.permission.Options, []backend.Option{{ID: "allow_once", Kind: "allow_once", Name: "Allow once"}, {ID: "reject_once", Kind: "reject_once", Name: "Reject"}})
	preview := w.content(t, a.permission.ItemID, a.permission.ContentID)
	if preview.Type != backend.ContentDiff || !strings.Contains(string(preview.Body), "\n-two\n+three\n") {
		t.Errorf("the preview: %+v\n%s", preview, preview.Body)
	}
	equal(t, "the file before the answer", w.read("sub/a.txt"), "one\ntwo\n")
	a.answer <- "allow_once"
	w.expectEnd(tu, backend.TurnDone)
	equal(t, "the file", w.read("sub/a.txt"), "one\nthree\n")
	equal(t, "answer", w.answerText(tu), "{}")
	tools := w.tools(tu)
	if len(tools) != 1 || len(tools[0].contents) != 1 {
		t.Fatalf("tools: %+v", tools)
	}
	equal(t, "item", tools[0].ID, a.permission.ItemID)
	equal(t, "status", tools[0].Tool.Status, backend.ToolCompleted)
	equal(t, "decision", tools[0].Tool.Decision, backend.DecisionAllowedOnce)
	equal(t, "lines added", tools[0].contents[0].Added, 1)
	w.assertAllClosed()
}

func TestWriteFile_RejectedChangesNothing(t *testing.T) {
	t.Parallel()
	w := newRequestEnv(t, writeFile("$CWD/a.txt", "new"))
	w.write("a.txt", "old")
	w.setPolicy("reject_once")
	tu := w.promptAndExpect("go", backend.TurnDone)
	a := gjson.Parse(w.answerText(tu))
	if a.Get("code").Int() != -32603 || !strings.Contains(a.Get("message").String(), "wasn't allowed: Edit ") {
		t.Errorf("answered %s", a.Raw)
	}
	equal(t, "the file", w.read("a.txt"), "old")
	tool := w.tools(tu)[0].Tool
	equal(t, "status", tool.Status, backend.ToolFailed)
	equal(t, "decision", tool.Decision, backend.DecisionRejected)
}

func TestWriteFile_StopClosesRequest(t *testing.T) {
	t.Parallel()
	w := newRequestEnv(t, writeFile("$CWD/a.txt", "new"))
	tu := w.start(backend.SessionMain, "go")
	a := w.nextRequest()
	tu.cancel()
	w.expectEnd(tu, backend.TurnStopped)
	<-a.ctx.Done()
	equal(t, "the file", w.read("a.txt"), "")
	tool := w.tools(tu)[0].Tool
	equal(t, "decision", tool.Decision, backend.DecisionClosed)
	equal(t, "status", tool.Status, backend.ToolCancelled)
	w.assertAllClosed()
}

func TestFileRequest_OutsideAsksWithRealPath(t *testing.T) {
	t.Parallel()
	beside, err := filepath.EvalSymlinks(t.TempDir())
	noErr(t, err)
	secret := filepath.Join(beside, "secret.txt")
	noErr(t, os.WriteFile(secret, []byte("secret"), 0o600))
	w := newRequestEnv(t, readFile(secret, ""), readFile("$CWD/link", ""), readFile("$CWD/link", ""), writeFile("$CWD/link", "gone"), writeFile("$CWD/link", "new"))
	noErr(t, os.Symlink(secret, w.path("link")))
	for i, c := range []struct {
		kind   backend.ToolKind
		answer string
	}{
		{backend.ToolRead, "reject_once"},
		{backend.ToolRead, "reject_once"},
		{backend.ToolRead, "allow_once"},
		{backend.ToolEdit, "reject_once"},
		{backend.ToolEdit, "allow_once"},
	} {
		tu := w.start(backend.SessionMain, "go")
		a := w.nextRequest()
		if a.permission.Path != secret || a.permission.Kind != c.kind || !a.permission.Outside || a.permission.Scope != nil {
			t.Errorf("request %d: %+v", i, a.permission)
		}
		a.answer <- c.answer
		w.expectEnd(tu, backend.TurnDone)
		said := gjson.Parse(w.answerText(tu))
		if rejected := c.answer == "reject_once"; said.Get("code").Exists() != rejected {
			t.Errorf("request %d: answered %s", i, said.Raw)
		}
		if c.kind == backend.ToolRead && c.answer == "allow_once" {
			equal(t, "content", said.Get("content").String(), "secret")
		}
	}
	b, err := os.ReadFile(secret)
	noErr(t, err)
	equal(t, "the file", string(b), "new")
}

// requestAndEdit returns a turn in which the agent requests permission to edit path and
// then writes the file through VoxPilot.
func requestAndEdit(path, old, text string, more ...fakeagent.Step) fakeagent.Turn {
	call := fmt.Sprintf(`"toolCallId":"e1","title":"Edit it","kind":"edit","locations":[{"path":%q}]`, path)
	content := fmt.Sprintf(`"content":[{"type":"diff","path":%q,"oldText":%q,"newText":%q}]`, path, old, text)
	steps := fakeagent.Turn{
		fakeagent.Update(`{"sessionUpdate":"tool_call",` + call + `,"status":"pending"}`),
		fakeagent.Ask("session/request_permission", `{"sessionId":"$SESSION","toolCall":{`+call+`,`+content+`},"options":[`+
			`{"optionId":"yes","kind":"allow_once","name":"Yes"},{"optionId":"no","kind":"reject_once","name":"No"}]}`),
		writeFile(path, text),
	}
	steps = append(steps, more...)
	return append(steps, fakeagent.Update(`{"sessionUpdate":"tool_call_update","toolCallId":"e1","status":"completed",`+content+`}`))
}

func TestFileRequest_PermittedPathAsksOnce(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the paths of the script are those of a Unix")
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "a.txt")
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{
		requestAndEdit(path, "old\n", "new\n"),
		requestAndEdit(path, "new\n", "newer\n", writeFile(path, "newest\n")),
		{writeFile(path, "last\n")},
	}}), nil)
	w.agent.Relocate(folder)
	noErr(t, os.WriteFile(path, []byte("old\n"), 0o600))
	text := func() string {
		b, err := os.ReadFile(path)
		noErr(t, err)
		return string(b)
	}

	tu := w.start(backend.SessionMain, "go")
	a := w.nextRequest()
	a.answer <- "allow_once"
	w.expectEnd(tu, backend.TurnDone)
	equal(t, "the file", text(), "new\n")
	tools := w.tools(tu)
	if len(tools) != 1 || len(tools[0].contents) != 1 || tools[0].contents[0].Added != 1 {
		t.Errorf("the change is not shown once: %+v", tools)
	}
	equal(t, "decision", tools[0].Tool.Decision, backend.DecisionAllowedOnce)

	// "Allow once" doesn't apply to the next turn.
	tu = w.start(backend.SessionMain, "go")
	w.nextRequest().answer <- "allow_once"
	w.nextRequest().answer <- "reject_once"
	w.expectEnd(tu, backend.TurnDone)
	equal(t, "the file", text(), "newer\n")
	tu = w.start(backend.SessionMain, "go")
	w.nextRequest().answer <- "reject_once"
	w.expectEnd(tu, backend.TurnDone)
	equal(t, "the file", text(), "newer\n")
}

func TestWriteFile_LargeFileComplete(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("a line with \\\"quotes\\\" in it\\n", 500_000) // 15 MB, more than the SDK's scanner accepts
	script := filepath.Join(t.TempDir(), "line")
	w := newRequestEnv(t, fakeagent.File(script))
	line := `{"jsonrpc":"2.0","id":"big","method":"fs/write_text_file","params":{"sessionId":"$SESSION","path":"$CWD/big.txt","content":"` + text + `"}}`
	noErr(t, os.WriteFile(script, []byte(line), 0o600))
	w.setPolicy("allow_once")
	w.promptAndExpect("go", backend.TurnDone)
	want := strings.Repeat("a line with \"quotes\" in it\n", 500_000)
	waitFor(t, "the file", func() bool { return len(w.read("big.txt")) == len(want) })
	if w.read("big.txt") != want {
		t.Error("the file is another one")
	}
}

func TestReadFile_LargeFileWholeOrPart(t *testing.T) {
	t.Parallel()
	w := newRequestEnv(t, readFile("$CWD/large", ""), readFile("$CWD/larger", ""), readFile("$CWD/larger", `,"line":500000,"limit":2`))
	line := "a line with \"quotes\" in it\n"
	large := strings.Repeat(line, 100_000)
	w.write("large", large)
	w.write("larger", strings.Repeat(line, 500_000))
	if got := w.response().Get("content").String(); got != large {
		t.Errorf("%d bytes were read", len(got))
	}
	a := w.response()
	if a.Get("code").Int() != -32603 || !strings.Contains(a.Get("message").String(), "using line and limit") {
		t.Errorf("answered %.300s", a.Raw)
	}
	equal(t, "a part", w.response().Get("content").String(), line)
}
