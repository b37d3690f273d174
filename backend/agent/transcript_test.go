package agent_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// playTurn runs one turn of the fake agent and checks that it ends in the wanted state. It returns the env, the turn
// and the turn's items.
func playTurn(t *testing.T, want backend.TurnState, steps ...fakeagent.Step) (*env, *turn, []*item) {
	t.Helper()
	return playTurnWithPolicy(t, want, func(backend.Permission) bool { return true }, steps...)
}

// playTurnWithoutPolicy does the same as playTurn, but no rule or mode allows the agent's calls.
func playTurnWithoutPolicy(t *testing.T, want backend.TurnState, steps ...fakeagent.Step) (*env, *turn, []*item) {
	t.Helper()
	return playTurnWithPolicy(t, want, nil, steps...)
}

func playTurnWithPolicy(t *testing.T, want backend.TurnState, allowed func(backend.Permission) bool, steps ...fakeagent.Step) (*env, *turn, []*item) {
	t.Helper()
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{steps}}), func(_ *env, cfg *agent.Config) { cfg.IsAllowed = allowed })
	w.setPolicy("allow_once")
	tu := w.start(backend.SessionMain, "go")
	w.expectEnd(tu, want)
	w.assertAllClosed()
	return w, tu, w.items(tu)
}

// summary returns an item as one line.
func summary(it *item) string {
	s := string(it.Kind)
	if it.text != "" {
		s += " " + fmt.Sprintf("%q", it.text)
	}
	if it.Tool != nil {
		s += fmt.Sprintf(" %s %s %q", it.Tool.Kind, it.Tool.Status, it.Tool.Title)
	}
	for _, e := range it.Plan {
		s += fmt.Sprintf(" [%s %s]", e.Status, e.Content)
	}
	for _, c := range it.contents {
		s += fmt.Sprintf(" {%s v%d %q}", c.Type, c.Version, c.Body)
	}
	return s
}

func update(kind, rest string) fakeagent.Step {
	return fakeagent.Update(fmt.Sprintf(`{"sessionUpdate":%q,%s}`, kind, rest))
}

func TestTranscript_ItemsFromUpdates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		steps []fakeagent.Step
		want  []string
	}{
		{
			"pieces of one message are one item",
			[]fakeagent.Step{fakeagent.Say("a"), fakeagent.Say(""), fakeagent.Say("b")},
			[]string{`message "ab"`},
		},
		{
			"a thought comes before its answer, and an empty one not at all",
			[]fakeagent.Step{fakeagent.Think(""), fakeagent.Say("a"), fakeagent.Think("hm"), fakeagent.Think("m"), fakeagent.Say("b")},
			[]string{`message "a"`, `thought "hmm"`, `message "b"`},
		},
		{
			"escapes are what they stand for",
			[]fakeagent.Step{fakeagent.Say("tab\t \"quoted\" back\\slash\nline \u2028 <b> \x7f")},
			[]string{`message "tab\t \"quoted\" back\\slash\nline \u2028 <b> \x7f"`},
		},
		{
			"a character that was cut in two is whole again",
			[]fakeagent.Step{rawChunk(`x\ud83d`), rawChunk(`\ude00y`), rawChunk(`\ud83dz\ude00`), rawChunk(`\ud83d`)},
			[]string{`message "x😀y�z��"`},
		},
		{
			"lines of the CLI itself are notes",
			[]fakeagent.Step{
				fakeagent.Say("Info: Request failed due to a transient API error. Retrying..."), fakeagent.Say("answer"),
				fakeagent.Say("Info: Response was interrupted due to a server error. Retrying..."), fakeagent.Say("answer again"),
			},
			[]string{`note "Info: Request failed due to a transient API error. Retrying..."`, `message "answer again"`, `note "Info: Response was interrupted due to a server error. Retrying..."`},
		},
		{
			"what the CLI says after it was killed while a tool ran is a note, and a model's warning is not",
			[]fakeagent.Step{
				fakeagent.Say("Warning: 1 tool call(s) had no recorded result at resume. Files or other state may be partially changed."),
				fakeagent.Say("Warning: mind the step"),
			},
			[]string{`note "Warning: 1 tool call(s) had no recorded result at resume. Files or other state may be partially changed."`, `message "Warning: mind the step"`},
		},
		{
			"what only looks like one stays in its message",
			[]fakeagent.Step{fakeagent.Say("See "), fakeagent.Say("Info: the manual")},
			[]string{`message "See Info: the manual"`},
		},
		{
			"a plan is one item, and steps are entries",
			[]fakeagent.Step{
				update("plan", `"entries":[]`), update("plan", `"entries":[{"content":"one","status":"pending"},{"content":"two","status":"in_progress"}]`),
				fakeagent.Say("a"), update("plan", `"steps":[{"title":"one","status":"completed"},{"description":"two","status":"done"},"three"]`),
			},
			[]string{`plan [completed one] [pending two] [pending three]`, `message "a"`},
		},
		{
			"a tool call and its updates are one item",
			[]fakeagent.Step{
				fakeagent.Say("a"), update("tool_call", `"toolCallId":"1","title":"View it","kind":"read","status":"pending"`), fakeagent.Say("b"),
				update("tool_call_update", `"toolCallId":"1","status":"completed","rawOutput":{"content":"x\ny\n"}`), fakeagent.Say("c"),
			},
			[]string{`message "a"`, `tool read completed "View it" {text v1 "x\ny\n"}`, `message "bc"`},
		},
		{
			"the output of a command replaces what was shown of it",
			[]fakeagent.Step{
				update("tool_call", `"toolCallId":"1","title":"Run","kind":"execute","status":"pending","rawInput":{"command":"make"}`),
				update("tool_call_update", `"toolCallId":"1","content":[{"type":"content","content":{"type":"text","text":"1\n"}}]`),
				update("tool_call_update", `"toolCallId":"1","content":[{"type":"content","content":{"type":"text","text":"1\n"}}]`),
				update("tool_call_update", `"toolCallId":"1","content":[{"type":"content","content":{"type":"text","text":"1\n2\n"}}]`),
				update("tool_call_update", `"toolCallId":"1","status":"completed","content":[{"type":"content","content":{"type":"text","text":"1\n2\n<shellId: 4 completed with exit code 2>"}}]`),
			},
			[]string{`tool execute completed "Run" {terminal v3 "1\n2"}`},
		},
		{
			"a call that failed says why",
			[]fakeagent.Step{
				update("tool_call", `"toolCallId":"1","title":"View it","kind":"read","status":"pending"`),
				update("tool_call_update", `"toolCallId":"1","status":"failed","rawOutput":{"message":"Path does not exist","code":"failure"}`),
			},
			[]string{`tool read failed "View it" {text v1 "Path does not exist"}`},
		},
		{
			"a call told twice is one call, and one never told is made of its update",
			[]fakeagent.Step{
				update("tool_call", `"toolCallId":"1","title":"A","kind":"search","status":"completed"`),
				update("tool_call", `"toolCallId":"1","title":"B","kind":"search","status":"completed"`),
				update("tool_call_update", `"toolCallId":"2","title":"C","kind":"strange","status":"completed"`),
			},
			[]string{`tool search completed "B"`, `tool other completed "C"`},
		},
		{
			"contents that nobody knows are kept raw",
			[]fakeagent.Step{
				update("tool_call", `"toolCallId":"1","title":"A","kind":"other","status":"completed","content":[{"type":"hologram","x":1},{"type":"content","content":{"type":"smell"}},{"type":"content","content":{"type":"resource_link","uri":"file:///x"}}]`),
			},
			[]string{`tool other completed "A" {raw v1 "{\"type\":\"hologram\",\"x\":1}"} {raw v1 "{\"type\":\"smell\"}"} {text v1 "file:///x"}`},
		},
		{
			"images are contents",
			[]fakeagent.Step{
				update("agent_message_chunk", `"content":{"type":"image","data":"aGk=","mimeType":"image/png"}`),
				update("tool_call", `"toolCallId":"1","title":"A","kind":"other","status":"completed","content":[{"type":"content","content":{"type":"image","data":"aGk=","mimeType":"image/png"}}]`),
			},
			[]string{`image {image v1 "hi"}`, `tool other completed "A" {image v1 "hi"}`},
		},
		{
			"links and embedded texts are text",
			[]fakeagent.Step{
				fakeagent.Say("see "), update("agent_message_chunk", `"content":{"type":"resource_link","uri":"file:///x \"y\"","name":"x"}`),
				update("agent_message_chunk", `"content":{"type":"resource","resource":{"uri":"file:///z","text":" and\nthis"}}`),
			},
			[]string{`message "see [x](file:///x \"y\") and\nthis"`},
		},
		{
			"an edit is a diff",
			[]fakeagent.Step{
				update("tool_call", `"toolCallId":"1","title":"Edit","kind":"edit","status":"completed","content":[{"type":"diff","path":"/f","oldText":"a\nb\nc\n","newText":"a\nB\nc\n"}]`),
			},
			[]string{`tool edit completed "Edit" {diff v1 "--- /f\n+++ /f\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"}`},
		},
		{
			"the diff that the CLI makes itself is taken where there is one",
			[]fakeagent.Step{
				update("tool_call", `"toolCallId":"1","title":"Edit","kind":"edit","status":"pending","content":[{"type":"diff","path":"/f","oldText":"b","newText":"B"}]`),
				update("tool_call_update", `"toolCallId":"1","status":"completed","content":[{"type":"diff","path":"/f","oldText":"b","newText":"B"}],"rawOutput":{"detailedContent":"\ndiff --git a/f b/f\nindex 0000000..0000000 100644\n--- a/f\n+++ b/f\n@@ -7,3 +7,3 @@\n a\n-b\n+B\n \n"}`),
			},
			[]string{`tool edit completed "Edit" {diff v2 "--- /f\n+++ /f\n@@ -7,2 +7,2 @@\n a\n-b\n+B\n"}`},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, items := playTurn(t, backend.TurnDone, c.steps...)
			var got []string
			for _, it := range items {
				got = append(got, summary(it))
			}
			equalDeep(t, "items", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		})
	}
}

// rawChunk returns a step that sends a chunk with the given JSON-escaped text.
func rawChunk(escaped string) fakeagent.Step {
	return fakeagent.Raw(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"$SESSION","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"` + escaped + `"}}}}`)
}

func TestToolCall_HasTitle(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 400)
	w, _, items := playTurn(
		t, backend.TurnDone,
		update("tool_call", `"toolCallId":"1","title":"A","kind":"edit","status":"completed","locations":[{"path":".//x.go"}]`),
		update("tool_call", `"toolCallId":"2","title":"A","kind":"move","status":"completed","locations":[{"path":"/a"},{"path":"/b"}]`),
		update("tool_call", `"toolCallId":"3","title":"A","kind":"read","status":"completed","rawInput":{"fileName":"/c"}`),
		update("tool_call", `"toolCallId":"4","title":"A","kind":"execute","status":"completed","rawInput":{"commands":["\n  `+long+`\nsecond line"]}`),
		update("tool_call", `"toolCallId":"5","title":"A","kind":"execute","status":"completed","rawInput":{"command":["ls","-l"]}`),
	)
	equal(t, "path", items[0].Tool.Path, w.path("x.go"))
	equal(t, "from", items[1].Tool.Path, "/a")
	equal(t, "to", items[1].Tool.To, "/b")
	equal(t, "path of the input", items[2].Tool.Path, "/c")
	if c := items[3].Tool.Command; len(c) > 300 || !strings.HasPrefix(c, "ää") || !strings.HasSuffix(c, "ä…") {
		t.Errorf("command: %q", c)
	}
	equal(t, "command of words", items[4].Tool.Command, "ls -l")
}

func TestTurn_ModelFailureFails(t *testing.T) {
	t.Parallel()
	w, _, items := playTurn(
		t, backend.TurnFailed,
		fakeagent.Say("Info: Request failed due to a transient API error. Retrying..."),
		fakeagent.Say("Error: Authentication failed with provider (HTTP 401).\n  Check your key."),
	)
	if !items[1].HasError || items[1].Kind != backend.ItemMessage {
		t.Errorf("the item: %+v", items[1].Item)
	}
	equalDeep(t, "banners", w.banners(), []backend.BannerKind(nil))
}

func TestTurn_EndReasons(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		steps []fakeagent.Step
		state backend.TurnState
		code  backend.Code
		says  string
	}{
		{"end_turn", nil, backend.TurnDone, "", ""},
		{"a message that only mentions an error", []fakeagent.Step{fakeagent.Say("Error: x"), fakeagent.Say(" is what it printed.")}, backend.TurnDone, "", ""},
		{"a failed model", []fakeagent.Step{fakeagent.Say("half an ans"), fakeagent.Say("Error: 500 overloaded\nrequest 7")}, backend.TurnFailed, backend.CodeModel, "500 overloaded"},
		{"refusal", []fakeagent.Step{fakeagent.Stop("refusal")}, backend.TurnFailed, backend.CodeRefused, "Copilot declined this request."},
		{"max_tokens", []fakeagent.Step{fakeagent.Stop("max_tokens")}, backend.TurnStopped, backend.CodeLimit, "limit for the length of an answer"},
		{"max_turn_requests", []fakeagent.Step{fakeagent.Stop("max_turn_requests")}, backend.TurnStopped, backend.CodeLimit, "step limit"},
		{"a stop reason of the future", []fakeagent.Step{fakeagent.Stop("enlightenment")}, backend.TurnDone, "", ""},
		{"not found", []fakeagent.Step{fakeagent.Say("half"), fakeagent.Fail(-32002, "gone")}, backend.TurnFailed, backend.CodeAgent, "couldn't find an item that VoxPilot requested (gone)"},
		{"invalid params", []fakeagent.Step{fakeagent.Fail(-32602, "bad")}, backend.TurnFailed, backend.CodeAgent, "rejected the message (bad)"},
		{"unknown method", []fakeagent.Step{fakeagent.Fail(-32601, "what")}, backend.TurnFailed, backend.CodeAgent, "doesn't support VoxPilot's request"},
		{"internal error", []fakeagent.Step{fakeagent.Fail(-32603, "oops")}, backend.TurnFailed, backend.CodeAgent, "inside Copilot (oops)"},
		{"parse error", []fakeagent.Step{fakeagent.Fail(-32700, "what")}, backend.TurnFailed, backend.CodeAgent, "couldn't read VoxPilot's request"},
		{"any other error", []fakeagent.Step{fakeagent.Fail(-1, "seven")}, backend.TurnFailed, backend.CodeAgent, "(seven, code -1)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{c.steps}}), nil)
			r := w.expectEnd(w.start(backend.SessionMain, "go"), c.state)
			if c.code == "" {
				if r.Err != nil {
					t.Errorf("error: %v", r.Err)
				}
			} else if r.Err == nil || r.Err.Code != c.code || !strings.Contains(r.Err.Message.String(), c.says) {
				t.Errorf("error: %+v", r.Err)
			}
			if c.code == backend.CodeLimit {
				equalDeep(t, "banners", w.banners(), []backend.BannerKind{backend.BannerAgentLimit})
			}
			w.promptAndExpect("next", backend.TurnDone)
		})
	}
}

func TestTurn_EndClosesToolCalls(t *testing.T) {
	t.Parallel()
	open := update("tool_call", `"toolCallId":"1","title":"A","kind":"read","status":"pending"`)
	begun := update("tool_call", `"toolCallId":"2","title":"B","kind":"read","status":"in_progress"`)
	_, _, items := playTurn(t, backend.TurnDone, open, begun)
	equal(t, "one that never began", items[0].Tool.Status, backend.ToolCancelled)
	equal(t, "one that had begun", items[1].Tool.Status, backend.ToolCompleted)
	_, _, items = playTurn(t, backend.TurnInterrupted, open, begun, fakeagent.Die(1, "no"))
	equal(t, "one that never began", items[0].Tool.Status, backend.ToolCancelled)
	equal(t, "one that had begun", items[1].Tool.Status, backend.ToolCancelled)
}

func TestPermissions_SeveralAtOnce(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{
		fakeagent.Together(fakeagent.Edit("a.txt", "", "a\n"), fakeagent.Edit("b.txt", "", "b\n"), fakeagent.Edit("c.txt", "", "c\n")),
	}}}), nil)
	tu := w.start(backend.SessionMain, "go")
	asks := []pendingRequest{w.nextRequest(), w.nextRequest(), w.nextRequest()}
	slices.SortFunc(asks, func(a, b pendingRequest) int { return strings.Compare(a.permission.Path, b.permission.Path) })
	asks[2].answer <- "allow_always"
	asks[0].answer <- "allow_once"
	asks[1].answer <- "reject_once"
	w.expectEnd(tu, backend.TurnDone)
	equalDeep(t, "files", []string{w.read("a.txt"), w.read("b.txt"), w.read("c.txt")}, []string{"a\n", "", "c\n"})
	want := map[string]backend.Decision{
		"a.txt": backend.DecisionAllowedOnce, "b.txt": backend.DecisionRejected, "c.txt": backend.DecisionAlwaysAllowed,
	}
	for _, tool := range w.tools(tu) {
		name := tool.Tool.Path[strings.LastIndexByte(tool.Tool.Path, '/')+1:]
		equal(t, "decision on "+name, tool.Tool.Decision, want[name])
	}
}

func TestPermissions_OneCallAsksTwice(t *testing.T) {
	t.Parallel()
	outside := t.TempDir() + "/x.txt"
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.EditOutside(outside, "x\n")}}}), nil)
	tu := w.start(backend.SessionMain, "go")
	first := w.nextRequest()
	equal(t, "title", first.permission.Title, "Access paths outside trusted directories")
	equal(t, "kind", first.permission.Kind, backend.ToolRead)
	equal(t, "preview", first.permission.ContentID, "")
	if first.permission.Scope != nil {
		t.Errorf("scope: %+v", first.permission.Scope)
	}
	first.answer <- "allow_once"
	second := w.nextRequest()
	equal(t, "title", second.permission.Title, "Creating "+outside)
	equal(t, "kind", second.permission.Kind, backend.ToolEdit)
	equal(t, "item", second.permission.ItemID, first.permission.ItemID)
	if second.permission.Scope != nil { // outside the folder
		t.Errorf("scope: %+v", second.permission.Scope)
	}
	equal(t, "preview", string(w.content(t, second.permission.ItemID, second.permission.ContentID).Body), "--- /dev/null\n+++ "+outside+"\n@@ -1,0 +1,1 @@\n+x\n")
	second.answer <- "allow_once"
	w.expectEnd(tu, backend.TurnDone)
	equal(t, "tool calls", len(w.tools(tu)), 1)
	equal(t, "contents", len(w.tools(tu)[0].contents), 1)
}

func TestRule_OfferedOnlyForEditsInsideFolder(t *testing.T) {
	t.Parallel()
	const options = `"options":[{"optionId":"a","kind":"allow_once","name":"Allow"},{"optionId":"r","kind":"reject_once","name":"Deny"}]`
	outside := t.TempDir() + "/x.txt"
	for _, c := range []struct {
		name, call string
		offered    bool
	}{
		{"one file", `"locations":[{"path":"a.txt"}],"rawInput":{"fileName":"a.txt","diff":"\ndiff --git a/a.txt b/a.txt\n@@ -1 +1 @@\n-a\n+b"}`, true},
		{"a second place outside", `"locations":[{"path":"a.txt"},{"path":"` + outside + `"}]`, false},
		{"another file than the place", `"locations":[{"path":"a.txt"}],"rawInput":{"fileName":"` + outside + `"}`, false},
		{"a diff of a file outside", `"locations":[{"path":"a.txt"}],"content":[{"type":"diff","path":"` + outside + `","oldText":"","newText":"b"}]`, false},
		{"a diff of several files", `"locations":[{"path":"a.txt"}],"rawInput":{"diff":"diff --git a/a.txt b/a.txt\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b"}`, false},
	} {
		params := `{"sessionId":"$SESSION","toolCall":{"toolCallId":"1","title":"Edit","kind":"edit",` + c.call + `},` + options + `}`
		w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Ask("session/request_permission", params)}}}), nil)
		tu := w.start(backend.SessionMain, "go")
		asked := w.nextRequest()
		equal(t, c.name+": a rule is offered", asked.permission.Scope != nil, c.offered)
		asked.answer <- "reject_once"
		w.expectEnd(tu, backend.TurnDone)
	}
}

func TestPrompt_OneSessionRunsInOrder(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("a"), fakeagent.WaitFor("go")}, {fakeagent.Say("b")}}}), nil)
	first := w.start(backend.SessionMain, "one")
	w.waitForText("a")
	second := w.start(backend.SessionMain, "two")
	other := w.start("other", "three") // other sessions aren't blocked
	w.expectEnd(other, backend.TurnDone)
	equal(t, "said in the other session", w.answerText(other), "b")
	first.cancel()
	w.expectEnd(first, backend.TurnStopped)
	w.expectEnd(second, backend.TurnDone)
	equal(t, "said", w.answerText(second), "ok")
}
