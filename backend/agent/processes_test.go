package agent_test

import (
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestProcesses_ListsAgentAndChildren(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("its commands are for a Unix shell")
	}
	begin := backend.Now()
	w := newEnv(t, func(w *env) agent.Launch {
		l := fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Run("sleep 1000 & echo $! > pid; wait")}}})(w)
		l.Args = []string{"--acp", "--github-token", "secret-1", "--api-key=secret-2", "--user=sesame", strings.Repeat("long", 100)}
		l.Redact = func(s string) string { return strings.ReplaceAll(s, "sesame", "•••") }
		return l
	}, nil)
	w.setPolicy("allow_once")
	equal(t, "processes before the start", len(w.agent.Processes()), 0)
	w.start(backend.SessionMain, "go")
	pid := w.waitForPID("pid")
	own := w.agent.Connection().PID
	waitFor(t, "what the shell has begun to be the command", func() bool {
		return slices.ContainsFunc(w.agent.Processes(), func(p backend.Process) bool { return p.PID == pid && p.Command == "sleep 1000" })
	})
	list := w.agent.Processes()
	seen := map[int]backend.Process{}
	for _, p := range list {
		seen[p.PID] = p
		if p.ChatID != "chat" || p.Memory <= 0 || p.StartedAt < begin-2000 || p.StartedAt > backend.Now()+2000 || p.Command == "" || len(p.Command) > 300 {
			t.Errorf("a process says too little: %+v", p)
		}
		equal(t, "is the agent", p.IsAgent, p.PID == own)
	}
	equal(t, "processes", len(list), 3) // the agent, the shell and the shell's command
	equal(t, "what the agent started by itself has a name", seen[pid].ID+seen[seen[pid].ParentPID].ID, "")
	if own := seen[own]; own.ID == "" || !own.Works {
		t.Errorf("the agent can be stopped: %q, and works: %v", own.ID, own.Works)
	}
	equal(t, "the agent is above all", seen[seen[pid].ParentPID].ParentPID, own)
	if c := seen[own].Command; !strings.Contains(c, "--acp") || strings.Contains(c, "secret-") || strings.Contains(c, "sesame") {
		t.Errorf("the agent's command: %s", c)
	}
	w.close()
	equal(t, "processes at the end", len(w.agent.Processes()), 0)
}

// agentProcess returns the agent's own process.
func (w *env) agentProcess() backend.Process {
	w.t.Helper()
	list := w.agent.Processes()
	i := slices.IndexFunc(list, func(p backend.Process) bool { return p.IsAgent })
	if i < 0 {
		w.t.Fatalf("no agent among the processes: %+v", list)
	}
	return list[i]
}

func TestStopProcess_AgentRestarts(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{
		{fakeagent.Say("one")}, {fakeagent.Say("half"), fakeagent.Hang()}, {fakeagent.Say("three")},
	}}), nil)
	w.promptAndExpect("go", backend.TurnDone)
	id := w.session().ACPID
	rests := w.agentProcess()
	equal(t, "works at rest", rests.Works, false)
	tu := w.start(backend.SessionMain, "go")
	w.waitForText("half")
	equal(t, "works in a turn", w.agentProcess().Works, true)

	equal(t, "is the agent", w.agent.IsProcess(rests.ID), true)
	if err := w.agent.StopProcess(rests.ID); err != nil {
		t.Fatal(err)
	}
	w.expectEnd(tu, backend.TurnStopped)
	equal(t, "cause", w.waitForState(backend.ConnectionIdle).Cause, backend.CauseStopped)
	waitForProcessEnd(t, rests.PID)
	assertNoOrphans(t, w.home, 0)
	equal(t, "said", w.answerText(w.promptAndExpect("go", backend.TurnDone)), "three")
	equal(t, "session", w.session().ACPID, id)
	equalDeep(t, "banners", w.banners(), []backend.BannerKind(nil))
	w.assertAllClosed()
}

func TestStopProcess_SparesTheNextProcess(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("one")}, {fakeagent.Say("half"), fakeagent.Hang()}}}), nil)
	w.promptAndExpect("go", backend.TurnDone)
	old := w.agentProcess()
	w.agent.Stop()
	w.waitForState(backend.ConnectionIdle)
	tu := w.start(backend.SessionMain, "go")
	w.waitForText("half")
	now := w.agentProcess()
	for _, id := range []string{old.ID, "", strconv.Itoa(now.PID), "term_1"} {
		equal(t, "is the agent", w.agent.IsProcess(id), false)
		if err := w.agent.StopProcess(id); backend.CodeOf(err) != backend.CodeNotFound {
			t.Errorf("stopping %q: got %v, want not found", id, err)
		}
	}
	equal(t, "process", w.agent.Connection().PID, now.PID)
	select {
	case r := <-tu.done:
		t.Errorf("the turn ended: %+v", r)
	default:
	}
}

func TestStopProcess_EndsOneCommandOnly(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("commands are below VoxPilot, which only Linux lists")
	}
	w := newScriptedEnv(t, fakeagent.Turn{
		createTerminal("echo $$ > other; exec sleep 1000", ""), createTerminal("echo $$ > pid; sleep 1001 & wait", ""),
		waitForExit, fakeagent.Hang(),
	})
	w.setPolicy("allow_once")
	tu := w.start(backend.SessionMain, "go")
	other, pid := w.waitForPID("other"), w.waitForPID("pid")
	var target backend.Process
	waitFor(t, "the command and what it runs to be listed", func() bool {
		list := w.agent.Processes()
		i := slices.IndexFunc(list, func(p backend.Process) bool { return p.PID == pid })
		j := slices.IndexFunc(list, func(p backend.Process) bool { return p.ParentPID == pid && strings.HasPrefix(p.Command, "sleep") })
		if i < 0 || j < 0 {
			return false
		}
		equal(t, "what the command runs has a name", list[j].ID, "")
		target = list[i]
		return true
	})
	if target.ID == "" || target.IsAgent {
		t.Fatalf("the command is %+v", target)
	}
	if err := w.agent.StopProcess(target.ID); err != nil {
		t.Fatal(err)
	}
	waitForProcessEnd(t, pid)
	var left []int
	for _, p := range w.agent.Processes() {
		if !p.IsAgent {
			left = append(left, p.PID)
		}
	}
	equalDeep(t, "what goes on", left, []int{other})
	equal(t, "state", w.agent.Connection().State, backend.ConnectionReady)
	if err := w.agent.StopProcess(target.ID); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("stopping it again: %v", err)
	}
	i := slices.IndexFunc(w.tools(tu), func(it *item) bool { return it.Tool.Signal != "" })
	if i < 0 || w.tools(tu)[i].Tool.Status != backend.ToolCancelled {
		t.Errorf("the row of the command: %+v", w.tools(tu))
	}
	tu.cancel()
	w.expectEnd(tu, backend.TurnStopped)
}
