package agent_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// updateLine returns a step that sends a session/update of the given kind. The fake agent replaces the variables
// $SESSION, $CWD and $COPILOT_HOME in the update.
func updateLine(kind, rest string) fakeagent.Step {
	return fakeagent.Raw(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"$SESSION","update":{"sessionUpdate":"` + kind + `",` + rest + `}}}`)
}

func TestWithoutPermission_ChangeDisplayed(t *testing.T) {
	t.Parallel()
	done := func(kind, rest string) []fakeagent.Step {
		return []fakeagent.Step{updateLine("tool_call", `"toolCallId":"1","title":"T","kind":"`+kind+`","status":"completed"`+rest)}
	}
	const onFile = `,"locations":[{"path":"$CWD/a.txt"}]`
	const run = `,"rawInput":{"command":"make"}`
	allowAll := func(value string) fakeagent.Step {
		return update("config_option_update", `"configOptions":[{"type":"select","id":"allow_all","name":"Allow All","currentValue":"`+value+`","options":[]}]`)
	}
	for _, c := range []struct {
		name  string
		steps []fakeagent.Step
		want  bool
	}{
		{"an edit", done("edit", onFile), true},
		{"a deletion", done("delete", onFile), true},
		{"a move", done("move", onFile), true},
		{"a command", done("execute", run), true},
		{"a command of which nothing is said but its title", done("execute", ""), true},
		{"an edit of which nothing is said but its title", done("edit", ""), true},
		{"an edit that only shows its diff", done("edit", `,"content":[{"type":"diff","path":"a.txt","oldText":"","newText":"x"}]`), true},
		{"an edit whose end comes later", []fakeagent.Step{
			updateLine("tool_call", `"toolCallId":"1","title":"T","kind":"edit","status":"pending"`+onFile),
			updateLine("tool_call_update", `"toolCallId":"1","status":"completed"`),
		}, true},
		{"an edit that is left open at work", []fakeagent.Step{
			updateLine("tool_call", `"toolCallId":"1","title":"T","kind":"edit","status":"in_progress"`+onFile),
		}, true},

		{"a read", done("read", onFile), false},
		{"a search", done("search", onFile), false},
		{"an address", done("fetch", `,"rawInput":{"url":"https://go.dev"}`), false},
		{"a tool of another kind", done("other", `,"rawInput":{"query":"DELETE"}`), false},
		{"an edit that failed", []fakeagent.Step{updateLine("tool_call", `"toolCallId":"1","title":"T","kind":"edit","status":"failed"`+onFile)}, false},
		{"an edit that was never done", []fakeagent.Step{updateLine("tool_call", `"toolCallId":"1","title":"T","kind":"edit","status":"pending"`+onFile)}, false},
		{"the list of shells", done("execute", `,"rawInput":{}`), false},
		{"the end of a shell", done("execute", `,"rawInput":{"shellId":"s1"}`), false},
		{"a word to a sub-agent", done("edit", `,"rawInput":{"agent_id":"x","message":"more"}`), false},
		{"a note of the agent's own", done("edit", `,"locations":[{"path":"$COPILOT_HOME/session-state/$SESSION/plan.md"}]`), false},
		{"a file of the folder with such a name", done("edit", `,"locations":[{"path":"$CWD/session-state/$SESSION/plan.md"}]`), true},
		{"a note of its own, and a file", done("edit", `,"locations":[{"path":"$COPILOT_HOME/session-state/$SESSION/plan.md"},{"path":"$CWD/a.txt"}]`), true},
		{"a file outside with such a name", done("edit", `,"locations":[{"path":"/x/session-state/$SESSION/plan.md"}]`), true},
		{"a note of another session", done("edit", `,"locations":[{"path":"$COPILOT_HOME/session-state/other/plan.md"}]`), true},
		{"a file that is named by way of its notes", done("edit", `,"locations":[{"path":"$COPILOT_HOME/session-state/$SESSION/../../../etc/passwd"}]`), true},

		{"a command while the agent asks nothing", append([]fakeagent.Step{allowAll("on")}, done("execute", run)...), false},
		{"a command after it asks again", append([]fakeagent.Step{allowAll("on"), allowAll("off")}, done("execute", run)...), true},
		{"a command that began while it asked nothing", []fakeagent.Step{
			allowAll("on"),
			updateLine("tool_call", `"toolCallId":"1","title":"T","kind":"execute","status":"pending"`+run),
			allowAll("off"),
			updateLine("tool_call_update", `"toolCallId":"1","status":"completed"`),
		}, false},
		{"a command on autopilot", append([]fakeagent.Step{
			update("current_mode_update", `"currentModeId":"https://agentclientprotocol.com/protocol/session-modes#autopilot"`),
		}, done("execute", run)...), false},
		{"a command in a mode of its own that asks", append([]fakeagent.Step{
			update("current_mode_update", `"currentModeId":"https://autopilot.example/session-modes#plan"`),
		}, done("execute", run)...), true},
	} {
		want := backend.TurnDone
		if c.want {
			want = backend.TurnStopped
		}
		w, _, items := playTurnWithoutPolicy(t, want, c.steps...)
		if c.want && (len(items) != 2 || items[1].Banner == nil || items[1].Banner.Kind != backend.BannerWithoutPermission || items[1].Banner.Detail.IsZero()) {
			t.Fatalf("%s: got %d items, want a banner after the call", c.name, len(items))
		}
		if !c.want && len(items) != 1 || items[0].Tool == nil {
			t.Fatalf("%s: %d items", c.name, len(items))
		}
		equal(t, c.name+" counts as not asked for", items[0].Tool.WithoutPermission, c.want)
		equalDeep(t, "requests", len(w.permissionRows()), 0)
	}
}

func TestWithoutPermission_AllowedNeedsNoRequest(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var judged []backend.Permission
	outside := filepath.Join(t.TempDir(), "x.txt")
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{
		updateLine("tool_call", `"toolCallId":"1","title":"T","kind":"edit","status":"completed","locations":[{"path":"$CWD/a.txt"}]`),
		updateLine("tool_call", `"toolCallId":"2","title":"T","kind":"execute","status":"completed","rawInput":{"command":"make"}`),
		updateLine("tool_call", `"toolCallId":"3","title":"T","kind":"edit","status":"completed","locations":[{"path":"$CWD/a.txt"},{"path":"`+jsonPath(outside)+`"}]`),
		updateLine("tool_call_update", `"toolCallId":"3","status":"completed"`),
	}}}), func(_ *env, cfg *agent.Config) {
		cfg.IsAllowed = func(p backend.Permission) bool {
			mu.Lock()
			defer mu.Unlock()
			judged = append(judged, p)
			return !p.Outside
		}
	})
	tu := w.promptAndExpect("go", backend.TurnStopped)
	mu.Lock()
	defer mu.Unlock()
	equal(t, "judged", len(judged), 3)
	for i, want := range []bool{false, false, true} {
		equal(t, "not asked for", w.tools(tu)[i].Tool.WithoutPermission, want)
		p := judged[i]
		equal(t, "outside", p.Outside, want)
		if p.ChatID != "chat" || p.Session != backend.SessionMain || p.Folder != w.folder || p.Kind == "" {
			t.Errorf("the call was judged as %+v", p)
		}
	}
	if s := judged[0].Scope; s == nil || s.Kind != backend.RuleEdits || s.Folder != w.folder {
		t.Errorf("the scope of the edit is %+v", s)
	}
	equalDeep(t, "commands", judged[1].Commands, []string{"make"})
	if judged[2].Scope != nil {
		t.Errorf("an edit that is also made elsewhere has the scope %+v", judged[2].Scope)
	}
}

// jsonPath returns a path with forward slashes and escaped quotes, for use in a JSON string.
func jsonPath(path string) string { return strings.ReplaceAll(filepath.ToSlash(path), `"`, `\"`) }

func TestWithoutPermission_RequestedCallNotMarked(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "x.txt")
	w, tu, _ := playTurnWithoutPolicy(
		t, backend.TurnDone,
		fakeagent.Edit("a.txt", "", "a\n"), fakeagent.EditOutside(outside, "o\n"), fakeagent.Run("echo x"),
	)
	equal(t, "tool calls", len(w.tools(tu)), 3)
	for _, it := range w.tools(tu) {
		equal(t, it.Tool.Title+" counts as not asked for", it.Tool.WithoutPermission, false)
	}
}

func TestWithoutPermission_AgentAlwaysCounts(t *testing.T) {
	t.Parallel()
	params := `{"sessionId":"$SESSION","toolCall":{"toolCallId":"1","title":"T","kind":"edit","status":"pending","locations":[{"path":"a.txt"}]},` +
		`"options":[{"optionId":"x","kind":"allow_always","name":"Always"},{"optionId":"r","kind":"reject_once","name":"No"}]}`
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{
		{fakeagent.Ask("session/request_permission", params)},
		{
			updateLine("tool_call", `"toolCallId":"2","title":"T","kind":"delete","status":"completed","locations":[{"path":"$CWD/a.txt"}]`),
			updateLine("tool_call", `"toolCallId":"3","title":"T","kind":"execute","status":"completed","rawInput":{"command":"make"}`),
		},
	}}), nil)
	w.setPolicy("allow_always")
	w.promptAndExpect("go", backend.TurnDone)
	tu := w.promptAndExpect("go on", backend.TurnStopped)
	equal(t, "a deletion, after every edit was allowed: not asked for", w.tools(tu)[0].Tool.WithoutPermission, false)
	equal(t, "a command, after every edit was allowed: not asked for", w.tools(tu)[1].Tool.WithoutPermission, true)
}

func TestWithoutPermission_CallOutlivingTurnCounts(t *testing.T) {
	t.Parallel()
	params := `{"sessionId":"$SESSION","toolCall":{"toolCallId":"1","title":"T","kind":"execute","status":"pending","rawInput":{"command":"make"}},` +
		`"options":[{"optionId":"a","kind":"allow_once","name":"Allow"}]}`
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{
		{fakeagent.Ask("session/request_permission", params)},
		{updateLine("tool_call_update", `"toolCallId":"1","kind":"execute","status":"completed","rawInput":{"command":"make"}`)},
	}}), nil)
	w.setPolicy("allow_once")
	w.promptAndExpect("go", backend.TurnDone)
	w.promptAndExpect("go on", backend.TurnDone)
	for _, it := range w.items(nil) {
		if it.Tool != nil && it.Tool.WithoutPermission {
			t.Errorf("%+v", it.Tool)
		}
	}
}

// TestWithoutPermission_CopilotHasNoFalseAlarm checks that operations for which the Copilot CLI needs no permission
// aren't marked as changes without permission: listing its shells, ending a shell, writing its session notes and
// starting a sub-agent. The sub-agent's command does require permission.
func TestWithoutPermission_CopilotHasNoFalseAlarm(t *testing.T) {
	cli := copilotCLI(t)
	if runtime.GOOS == "windows" {
		t.Skip("its commands are for a Unix shell")
	}
	w := newEmptyEnv(t)
	call := func(name string, args map[string]any) practice.Reply {
		return practice.Reply{practice.ToolCall(name, args)}
	}
	steps := []practice.Reply{
		call("bash", map[string]any{"command": "ls", "description": "List"}),
		call("bash", map[string]any{"command": "git status", "description": "Look"}),
		call("bash", map[string]any{"command": "sleep 1000", "description": "Wait", "mode": "async", "shellId": "s1"}),
		call("list_bash", map[string]any{}),
		call("stop_bash", map[string]any{"shellId": "s1"}),
		call("view", map[string]any{"path": w.folder}),
		call("create", map[string]any{"path": w.path("made.txt"), "file_text": "x"}),
		call("sql", map[string]any{"query": "CREATE TABLE IF NOT EXISTS t(a)", "description": "Note"}),
		call("task", map[string]any{"agent_type": "task", "name": "helper", "prompt": "Help.", "description": "Help"}),
		nil, // its session notes; the session's ID is only known later
		{practice.Text("Done.")},
	}
	var mu sync.Mutex
	at := 0
	model, err := practice.New(practice.Func(func(req practice.Request) practice.Reply {
		if req.Interaction() == "conversation-subagent" && req.Last().Role != "tool" {
			return practice.Reply{practice.ToolCall("bash", map[string]any{"command": "echo sub > sub.txt", "description": "Help"})}
		}
		if req.Side() {
			return practice.Reply{practice.Text("ok")}
		}
		mu.Lock()
		defer mu.Unlock()
		at++
		if steps[at-1] == nil {
			return call("create", map[string]any{
				"path": filepath.Join(w.home, "session-state", w.session().ACPID, "plan.md"), "file_text": "A plan.",
			})
		}
		return steps[at-1]
	}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(model.Close)
	w.open(func(w *env) agent.Launch {
		return agent.Launch{Path: cli, Args: copilot.Args(), Env: append(os.Environ(), model.Env(w.home)...), Home: w.home}
	}, nil)
	w.setPolicy("allow_once")
	tu := w.promptAndExpect("go", backend.TurnDone)
	equal(t, "what the sub-agent wrote", w.read("sub.txt"), "sub\n")
	kinds := map[backend.ToolKind]int{}
	for _, it := range w.tools(tu) {
		kinds[it.Tool.Kind]++
		if it.Tool.WithoutPermission || it.Tool.Status != backend.ToolCompleted {
			t.Errorf("%+v", it.Tool)
		}
	}
	if kinds[backend.ToolExecute] < 5 || kinds[backend.ToolEdit] != 2 {
		t.Errorf("the calls were of these kinds: %v", kinds)
	}
	equal(t, "requests", len(w.permissionRows()), 5) // three commands, the file, and the sub-agent's command
}
