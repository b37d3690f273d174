package agent_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// createTerminal returns a step in which the agent asks VoxPilot to run the given command in a terminal. rest contains
// further JSON fields of the request. In later steps, $TERMINAL stands for the ID of the terminal.
func createTerminal(command, rest string) fakeagent.Step {
	return fakeagent.Ask("terminal/create", fmt.Sprintf(`{"sessionId":"$SESSION","command":%q%s}`, command, rest))
}

func terminalRequest(what, rest string) fakeagent.Step {
	return fakeagent.Ask("terminal/"+what, `{"sessionId":"$SESSION","terminalId":"$TERMINAL"`+rest+`}`)
}

var (
	waitForExit = terminalRequest("wait_for_exit", "")
	getOutput   = terminalRequest("output", "")
	release     = terminalRequest("release", "")
)

// newScriptedEnv returns an env whose agent performs the given turns.
func newScriptedEnv(t *testing.T, turns ...fakeagent.Turn) *env {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a Unix shell")
	}
	return newEnv(t, fake(fakeagent.Script{Turns: turns}), nil)
}

// responses returns the responses that the agent received in the turn, in order.
func (w *env) responses(tu *turn) (all []gjson.Result) {
	w.t.Helper()
	for d := json.NewDecoder(strings.NewReader(w.answerText(tu))); d.More(); {
		var one json.RawMessage
		if err := d.Decode(&one); err != nil {
			w.t.Fatal(err)
		}
		all = append(all, gjson.ParseBytes(one))
	}
	return all
}

// outputs returns the command outputs shown in a tool call.
func outputs(it *item) (all []string) {
	for _, c := range it.contents {
		if c.Type == backend.ContentTerminal {
			all = append(all, string(c.Body))
		}
	}
	return all
}

func TestTerminal_CommandNeedsPermission(t *testing.T) {
	t.Parallel()
	w := newScriptedEnv(t, fakeagent.Turn{
		createTerminal("echo out; printf '\\033[31mred\\033[0m\\n' >&2; exit 3", ""), waitForExit, getOutput, release, release,
	})
	tu := w.start(backend.SessionMain, "go")
	a := w.nextRequest()
	line := "echo out; printf '\\033[31mred\\033[0m\\n' >&2; exit 3"
	equal(t, "kind", a.permission.Kind, backend.ToolExecute)
	equal(t, "command", a.permission.Command, line)
	equalDeep(t, "commands", a.permission.Commands, []string{line})
	if s := a.permission.Scope; s == nil || s.Kind != backend.RuleCommand || s.Command != line || s.Folder != w.folder {
		t.Errorf("scope: %+v", s)
	}
	equal(t, "the preview", string(w.content(t, a.permission.ItemID, a.permission.ContentID).Body), line)
	a.answer <- "allow_once"
	w.expectEnd(tu, backend.TurnDone)
	got := w.responses(tu)
	if got[0].Get("terminalId").String() == "" {
		t.Fatalf("answered %v", got)
	}
	for _, key := range []string{"exitCode", "exitStatus.exitCode"} {
		equal(t, "wait "+key, got[1].Get(key).Raw, "3")
		equal(t, "output "+key, got[2].Get(key).Raw, "3")
	}
	equal(t, "wait signal", got[1].Get("exitStatus.signal").Type, gjson.Null)
	equal(t, "output", got[2].Get("output").String(), "out\n\x1b[31mred\x1b[0m\n")
	equal(t, "truncated", got[2].Get("truncated").Raw, "false")
	equal(t, "released", got[3].Raw, "{}")
	equal(t, "released again", got[4].Raw, "{}")

	tools := w.tools(tu)
	if len(tools) != 1 {
		t.Fatalf("tools: %+v", tools)
	}
	tool := tools[0]
	equal(t, "item", tool.ID, a.permission.ItemID)
	equal(t, "status", tool.Tool.Status, backend.ToolCompleted)
	if tool.Tool.ExitCode == nil || *tool.Tool.ExitCode != 3 {
		t.Errorf("exit code: %v", tool.Tool.ExitCode)
	}
	equalDeep(t, "shown", outputs(tool), []string{"out\n\x1b[31mred\x1b[0m\n"})
	w.assertAllClosed()
}

func TestTerminal_RejectedCommandDoesNotRun(t *testing.T) {
	t.Parallel()
	w := newScriptedEnv(t, fakeagent.Turn{createTerminal("echo x > made.txt", "")})
	w.setPolicy("reject_once")
	tu := w.promptAndExpect("go", backend.TurnDone)
	if a := w.responses(tu)[0]; a.Get("code").Int() != -32603 || !strings.Contains(a.Get("message").String(), "wasn't allowed") {
		t.Errorf("answered %s", a.Raw)
	}
	equal(t, "the file", w.read("made.txt"), "")
	equal(t, "status", w.tools(tu)[0].Tool.Status, backend.ToolFailed)
}

func TestTerminal_InvalidRequestReturnsReason(t *testing.T) {
	t.Parallel()
	cases := []struct {
		step fakeagent.Step
		code int64
		text string
	}{
		{createTerminal("", ""), -32602, "command"},
		{createTerminal(" ", ""), -32602, "command"},
		{createTerminal("true", `,"args":[1]`), -32602, "args"},
		{createTerminal("true", `,"env":[{"value":"x"}]`), -32602, "env"},
		{createTerminal("true", `,"env":[{"name":"A=B","value":"x"}]`), -32602, "env"},
		{createTerminal("true", `,"cwd":"sub"`), -32602, "isn't absolute"},
		{createTerminal("true", `,"cwd":7`), -32602, "cwd must be a string"},
		{createTerminal("true", `,"cwd":"$CWD/absent"`), -32602, "can't open the folder"},
		{createTerminal("true", `,"outputByteLimit":-1`), -32602, "outputByteLimit"},
		{createTerminal("no-such-program", ""), -32602, "no such program"},
		{fakeagent.Ask("terminal/output", `{"sessionId":"$SESSION","terminalId":"other"}`), -32002, "unknown terminal other"},
		{fakeagent.Ask("terminal/wait_for_exit", `{"sessionId":"$SESSION","terminalId":"other"}`), -32002, "unknown terminal other"},
		{fakeagent.Ask("terminal/kill", `{"sessionId":"$SESSION","terminalId":"other"}`), -32002, "unknown terminal other"},
		{fakeagent.Ask("terminal/release", `{"sessionId":"$SESSION","terminalId":"other"}`), -32002, "other"},
		{fakeagent.Ask("terminal/release", `{"sessionId":"$SESSION"}`), -32602, "terminalId"},
		{fakeagent.Ask("terminal/write", `{"sessionId":"$SESSION"}`), -32601, "not found"},
	}
	var turns []fakeagent.Turn
	for _, c := range cases {
		turns = append(turns, fakeagent.Turn{c.step})
	}
	w := newScriptedEnv(t, turns...)
	w.setPolicy("allow_once")
	for _, c := range cases {
		a := w.response()
		if a.Get("code").Int() != c.code || !strings.Contains(a.Get("message").String(), c.text) {
			t.Errorf("%s %s: answered %s", c.step.Path, c.step.Text, a.Raw)
		}
	}
}

func TestTerminal_EnvironmentHasNoAgentSecrets(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a Unix shell")
	}
	script := fakeagent.Script{Turns: []fakeagent.Turn{{
		createTerminal("env; pwd", `,"cwd":"$CWD/sub dir","env":[{"name":"A","value":"x y"},{"name":"VOXPILOT_AGENT","value":"forged"}]`), waitForExit, getOutput,
	}}}
	w := newEnv(t, func(w *env) agent.Launch {
		l := fake(script)(w)
		l.Env = append(l.Env, "API_KEY=secret", "COPILOT_GITHUB_TOKEN=secret", "COPILOT_ALLOW_ALL=true")
		return l
	}, nil)
	noErr(t, os.Mkdir(w.path("sub dir"), 0o700))
	tu := w.start(backend.SessionMain, "go")
	a := w.nextRequest()
	equal(t, "command", a.permission.Command, "cd '"+w.path("sub dir")+"' && A='x y' env; pwd")
	a.answer <- "allow_once"
	w.expectEnd(tu, backend.TurnDone)
	out := w.responses(tu)[2].Get("output").String()
	for _, bad := range []string{"secret", "COPILOT_", "forged", "VOXPILOT_FAKEAGENT"} {
		if strings.Contains(out, bad) {
			t.Errorf("it has %s: %s", bad, out)
		}
	}
	for _, good := range []string{"A=x y\n", "PATH=" + os.Getenv("PATH") + "\n", "VOXPILOT_AGENT=", "\n" + w.path("sub dir") + "\n"} {
		if !strings.Contains(out, good) {
			t.Errorf("it does not have %q: %s", good, out)
		}
	}
}

func TestTerminal_OutsideFolderAsks(t *testing.T) {
	t.Parallel()
	beside := t.TempDir()
	w := newScriptedEnv(t, fakeagent.Turn{createTerminal("pwd", fmt.Sprintf(`,"cwd":%q`, beside)), waitForExit, getOutput})
	tu := w.start(backend.SessionMain, "go")
	a := w.nextRequest()
	if !a.permission.Outside || a.permission.Scope != nil {
		t.Errorf("%+v", a.permission)
	}
	a.answer <- "allow_once"
	w.expectEnd(tu, backend.TurnDone)
	real, err := filepath.EvalSymlinks(beside)
	noErr(t, err)
	equal(t, "folder", w.responses(tu)[2].Get("output").String(), real+"\n")
}

// requestAndRun returns a turn in which the agent first requests permission for a command (asked). The agent then
// performs a step that runs a command through VoxPilot (create), and shows the terminal in the tool call. The other
// given steps follow.
func requestAndRun(asked string, create fakeagent.Step, more ...fakeagent.Step) fakeagent.Turn {
	call := fmt.Sprintf(`"toolCallId":"c1","title":"Run it","kind":"execute","rawInput":{"command":%q}`, asked)
	steps := fakeagent.Turn{
		fakeagent.Update(`{"sessionUpdate":"tool_call",` + call + `,"status":"pending"}`),
		fakeagent.Ask("session/request_permission", `{"sessionId":"$SESSION","toolCall":{`+call+`},"options":[`+
			`{"optionId":"yes","kind":"allow_once","name":"Yes"},{"optionId":"no","kind":"reject_once","name":"No"}]}`),
		create,
		fakeagent.Raw(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"$SESSION","update":{"sessionUpdate":"tool_call_update",` +
			`"toolCallId":"c1","status":"in_progress","content":[{"type":"terminal","terminalId":"$TERMINAL"}]}}}`),
	}
	return append(steps, more...)
}

func TestTerminal_PermittedCommandAsksOnce(t *testing.T) {
	t.Parallel()
	end := fakeagent.Update(`{"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"completed","rawOutput":{"output":"its own words"}}`)
	w := newScriptedEnv(t,
		requestAndRun("echo one", createTerminal("echo one", ""), waitForExit, release, end),
		requestAndRun("echo 'two words'", createTerminal("bash", `,"args":["-lc","echo 'two words'"]`), waitForExit, release, end),
		requestAndRun("echo a b", createTerminal("echo", `,"args":["a","b"],"env":[{"name":"NO_COLOR","value":"1"}]`), waitForExit, release, end),
		requestAndRun("echo three", createTerminal("echo other", ""), waitForExit, release, end),
		requestAndRun("echo four", createTerminal("Run it", ""), waitForExit, release, end), // the title of the tool call
	)
	for i, want := range []string{"one\n", "two words\n", "a b\n"} {
		tu := w.start(backend.SessionMain, "go")
		w.nextRequest().answer <- "allow_once"
		w.expectEnd(tu, backend.TurnDone)
		tools := w.tools(tu)
		if len(tools) != 1 {
			t.Fatalf("turn %d: %+v", i, tools)
		}
		equalDeep(t, "shown", outputs(tools[0]), []string{want})
		if c := tools[0].Tool.ExitCode; c == nil || *c != 0 {
			t.Errorf("turn %d: exit code %v", i, c)
		}
		equal(t, "status", tools[0].Tool.Status, backend.ToolCompleted)
		equal(t, "unasked", tools[0].Tool.WithoutPermission, false)
	}
	// Any command other than the allowed one needs another permission.
	for _, want := range []string{"echo other", "Run it"} {
		tu := w.start(backend.SessionMain, "go")
		w.nextRequest().answer <- "allow_once"
		a := w.nextRequest()
		equal(t, "command", a.permission.Command, want)
		a.answer <- "reject_once"
		w.expectEnd(tu, backend.TurnDone)
	}
}

func TestTerminal_StreamsOutput(t *testing.T) {
	t.Parallel()
	line := "echo begun; while [ ! -e go ]; do sleep 0.01; done; echo done"
	w := newScriptedEnv(t, requestAndRun(line, createTerminal(line, `,"outputByteLimit":5`),
		terminalRequest("output", `,"outputByteLimit":3`), waitForExit, getOutput, terminalRequest("output", `,"outputByteLimit":2`)))
	w.setPolicy("allow_once")
	tu := w.start(backend.SessionMain, "go")
	waitFor(t, "the first line", func() bool {
		tools := w.tools(tu)
		return len(tools) == 1 && len(outputs(tools[0])) == 1 && outputs(tools[0])[0] == "begun\n"
	})
	tool := w.tools(tu)[0]
	if tool.Tool.ExitCode != nil || tool.Tool.Status != backend.ToolInProgress {
		t.Errorf("it has ended: %+v", tool.Tool)
	}
	w.write("go", "")
	w.expectEnd(tu, backend.TurnDone)
	equalDeep(t, "shown", outputs(w.tools(tu)[0]), []string{"begun\ndone\n"}) // the complete output, regardless of the agent's limit
	got := w.responses(tu)
	if e := got[2].Get("exitStatus"); e.Exists() {
		t.Errorf("a command that runs has an exit status: %s", e.Raw)
	}
	equal(t, "the agent's part", got[4].Get("output").String(), "done\n")
	equal(t, "a smaller part", got[5].Get("output").String(), "e\n")
	equal(t, "truncated", got[4].Get("truncated").Raw, "true")
}

func TestTerminal_RunningCommandPreventsIdle(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the command is for a Unix shell")
	}
	var l idleChecks
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{createTerminal("echo $$ > pid; exec sleep 1000", "")}}}), l.configure)
	w.setPolicy("allow_once")
	w.promptAndExpect("go", backend.TurnDone)
	pid := w.waitForPID("pid")
	l.expectRunning("a command that runs")
	kill(t, pid)
	l.waitForIdle()
	w.assertAllClosed()
}

func TestTerminal_CancelledRequestAnswered(t *testing.T) {
	t.Parallel()
	w := newScriptedEnv(t, fakeagent.Turn{
		createTerminal("exec sleep 1000", ""),
		fakeagent.Raw(`{"jsonrpc":"2.0","id":"w","method":"terminal/wait_for_exit","params":{"sessionId":"$SESSION","terminalId":"$TERMINAL"}}`),
		fakeagent.Raw(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"w"}}`),
		getOutput,
	})
	w.setPolicy("allow_once")
	tu := w.promptAndExpect("go", backend.TurnDone)
	if e := w.responses(tu)[1].Get("exitStatus"); e.Exists() {
		t.Errorf("the command has ended: %s", e.Raw)
	}
	waitFor(t, "the answer to the request", func() bool {
		return slices.ContainsFunc(w.agent.Protocol(0, "", 1000), func(f backend.ProtocolMessage) bool {
			return f.Out && f.Error && f.ID == "w" && strings.Contains(f.Body, "-32800")
		})
	})
}

func TestTerminal_RemoteAgentRunsLocally(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the command is for a Unix shell")
	}
	srv := newAgentServer(t, launchTCP(fakeagent.Script{Turns: []fakeagent.Turn{
		{createTerminal("env; ls", ""), waitForExit, getOutput},
		{createTerminal("echo $$ > pid; exec sleep 1000", "")},
	}}))
	w := newEnv(t, srv.launch, nil)
	srv.start(w)
	w.setPolicy("allow_once")
	w.write("a.txt", "")
	out := w.responses(w.promptAndExpect("go", backend.TurnDone))[2].Get("output").String()
	if !strings.Contains(out, "PATH="+os.Getenv("PATH")+"\n") || !strings.Contains(out, "a.txt\n") {
		t.Errorf("output: %s", out)
	}
	w.promptAndExpect("go", backend.TurnDone)
	pid := w.waitForPID("pid")
	w.close()
	waitForProcessEnd(t, pid)
}
