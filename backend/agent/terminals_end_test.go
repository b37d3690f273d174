package agent_test

import (
	"runtime"
	"slices"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestTerminal_KillReportsSignal(t *testing.T) {
	t.Parallel()
	w := newScriptedEnv(t, fakeagent.Turn{createTerminal("echo $$ > pid; exec sleep 1000", ""), terminalRequest("kill", ""), waitForExit, getOutput})
	w.setPolicy("allow_once")
	tu := w.promptAndExpect("go", backend.TurnDone)
	got := w.responses(tu)
	equal(t, "killed", got[1].Raw, "{}")
	for _, a := range got[2:] {
		equal(t, "signal", a.Get("exitStatus.signal").String(), "SIGTERM")
		equal(t, "code", a.Get("exitStatus.exitCode").Type, gjson.Null)
	}
	equal(t, "status", w.tools(tu)[0].Tool.Status, backend.ToolCancelled)
	equal(t, "fact", w.tools(tu)[0].Tool.ResultSummary.String(), "killed by SIGTERM")
	equal(t, "signal", w.tools(tu)[0].Tool.Signal, "SIGTERM")
}

func TestSignal_CommandIsNoSuccess(t *testing.T) {
	t.Parallel()
	call := `"toolCallId":"c1","title":"Run it","kind":"execute"`
	for name, steps := range map[string]fakeagent.Turn{
		"of a row of ours": {createTerminal("kill -KILL $$", ""), waitForExit, release},
		"of the agent's call, which it says has completed": {
			fakeagent.Update(`{"sessionUpdate":"tool_call",` + call + `,"status":"in_progress","rawInput":{"command":"kill -KILL $$"}}`),
			createTerminal("kill -KILL $$", ""), waitForExit, release,
			fakeagent.Update(`{"sessionUpdate":"tool_call_update",` + call + `,"status":"completed","rawOutput":{"output":"gone"}}`),
		},
		"that the agent tells of": {
			fakeagent.Update(`{"sessionUpdate":"tool_call",` + call + `,"status":"in_progress","rawInput":{"command":"kill -KILL $$"}}`),
			fakeagent.Update(`{"sessionUpdate":"tool_call_update",` + call + `,"status":"completed","rawOutput":{"exitCode":null,"signal":"SIGKILL"}}`),
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newScriptedEnv(t, steps)
			w.setPolicy("allow_once")
			tu := w.promptAndExpect("go", backend.TurnDone)
			tools := w.tools(tu)
			if len(tools) != 1 {
				t.Fatalf("tools: %+v", tools)
			}
			equal(t, "status", tools[0].Tool.Status, backend.ToolFailed)
			equal(t, "signal", tools[0].Tool.Signal, "SIGKILL")
			equal(t, "fact", tools[0].Tool.ResultSummary.String(), "killed by SIGKILL")
			w.assertAllClosed()
		})
	}
}

func TestTerminal_ReleasedIsUnknown(t *testing.T) {
	t.Parallel()
	w := newScriptedEnv(t, fakeagent.Turn{createTerminal("echo $$ > pid; exec sleep 1000", ""), fakeagent.WaitFor("$CWD/pid"), release, getOutput, waitForExit, terminalRequest("kill", "")})
	w.setPolicy("allow_once")
	tu := w.promptAndExpect("go", backend.TurnDone)
	got := w.responses(tu)
	equal(t, "released", got[1].Raw, "{}")
	for _, a := range got[2:] {
		equal(t, "code", a.Get("code").Int(), -32002)
	}
	waitForProcessEnd(t, w.waitForPID("pid"))
	w.assertAllClosed()
}

func TestTerminal_StopEndsCommands(t *testing.T) {
	t.Parallel()
	w := newScriptedEnv(t, fakeagent.Turn{createTerminal("(trap '' TERM; sleep 1000 & echo $! > child; wait) & echo $$ > pid; wait", ""), waitForExit})
	w.setPolicy("allow_once")
	tu := w.start(backend.SessionMain, "go")
	child, own := w.waitForPID("child"), w.waitForPID("pid")
	tu.cancel()
	w.expectEnd(tu, backend.TurnStopped)
	waitForProcessEnd(t, own)
	waitForProcessEnd(t, child)
	equal(t, "status", w.tools(tu)[0].Tool.Status, backend.ToolCancelled)
	w.assertAllClosed()
}

func TestTerminal_AgentExitCleansUp(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(w *env){
		"closed": func(w *env) { w.close() },
		"killed": func(w *env) { kill(w.t, w.agent.Connection().PID) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// The child has left its process session and outlives the turn.
			w := newScriptedEnv(t, fakeagent.Turn{createTerminal("setsid sh -c 'echo $$ > child; exec sleep 1000' & echo $$ > pid; exec sleep 1000", ""), fakeagent.Say("0")})
			w.setPolicy("allow_once")
			tu := w.promptAndExpect("go", backend.TurnDone)
			child, own := w.waitForPID("child"), w.waitForPID("pid")
			if !alive(child) || !alive(own) {
				t.Fatal("it did not go on after its turn")
			}
			equal(t, "status", w.tools(tu)[0].Tool.Status, backend.ToolCompleted)
			if runtime.GOOS == "linux" && !slices.ContainsFunc(w.agent.Processes(), func(p backend.Process) bool { return p.PID == own }) {
				t.Errorf("it is not among the agent's: %+v", w.agent.Processes())
			}
			end(w)
			waitForProcessEnd(t, own)
			waitForProcessEnd(t, child)
			w.assertAllClosed()
		})
	}
}
