//go:build unix

package agent_test

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// waitForNewPID waits until the agent is ready in a process whose PID differs from the given one, and returns the new
// PID.
func (w *env) waitForNewPID(not int) (pid int) {
	w.t.Helper()
	w.waitFor("another process", func(events []backend.Event) bool {
		for _, e := range events {
			if c := e.Connection; c != nil && c.State == backend.ConnectionReady && c.PID != not {
				pid = c.PID
			}
		}
		return pid != 0
	})
	return pid
}

func (w *env) signal(pid int, s syscall.Signal) {
	w.t.Helper()
	if err := syscall.Kill(pid, s); err != nil {
		w.t.Fatal(err)
	}
}

// assertWakes checks that an idle agent is restarted after a wake from sleep only if its process doesn't respond. The
// process responds to the first simulated wake and is suspended before the second one.
func assertWakes(t *testing.T, w *env) {
	t.Helper()
	w.promptAndExpect("one", backend.TurnDone)
	pid := w.waitForNewPID(0)
	w.agent.OnWake()
	w.promptAndExpect("two", backend.TurnDone)
	if now := w.agent.Connection().PID; now != pid {
		t.Errorf("an agent that is well was ended: it is process %d now, and was %d", now, pid)
	}
	agent.ShortAliveLimit(t, time.Second)
	w.signal(pid, syscall.SIGSTOP) // the process exists, but doesn't respond once all its threads have stopped
	for late := time.Now().Add(patience); w.agent.Connection().PID == pid && time.Now().Before(late); time.Sleep(10 * time.Millisecond) {
		w.agent.OnWake()
	}
	w.waitForNewPID(pid)
	w.promptAndExpect("three", backend.TurnDone)
}

func TestWake_UnresponsiveAgentRestarts(t *testing.T) {
	assertWakes(t, newEnv(t, fake(fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("ok")}}), nil))
}

func TestWake_UnresponsiveCopilotRestarts(t *testing.T) {
	cli := copilotCLI(t)
	model, err := practice.New(practice.Func(func(practice.Request) practice.Reply { return practice.Reply{practice.Text("ok")} }))
	noErr(t, err)
	t.Cleanup(model.Close)
	w := newEmptyEnv(t)
	w.openCopilot(cli, model, nil)
	assertWakes(t, w)
}

func TestWake_RunningTurnUntouched(t *testing.T) {
	end := filepath.Join(t.TempDir(), "end")
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("word "), fakeagent.WaitFor(end)}}}), nil)
	agent.ShortAliveLimit(t, time.Millisecond)
	tu := w.start(backend.SessionMain, "go")
	w.waitForText("word")
	pid := w.waitForNewPID(0)
	w.signal(pid, syscall.SIGSTOP)
	w.agent.OnWake()
	w.signal(pid, syscall.SIGCONT)
	noErr(t, os.WriteFile(end, nil, 0o600))
	w.expectEnd(tu, backend.TurnDone)
	if now := w.agent.Connection(); now.PID != pid || now.State != backend.ConnectionReady {
		t.Errorf("it is %+v", now)
	}
}

func TestWake_WaitingAgentRetriesAtOnce(t *testing.T) {
	tries := make(chan struct{}, 100)
	w := newEnv(t, fake(fakeagent.Script{}), func(_ *env, cfg *agent.Config) {
		cfg.Launch = func(context.Context) (agent.Launch, *agent.LaunchError) {
			tries <- struct{}{}
			return agent.Launch{}, &agent.LaunchError{Cause: backend.CauseOffline, Message: backend.Plain("no network")}
		}
	})
	w.start(backend.SessionMain, "go")
	for range 10 { // without a wake-up this takes minutes: 0, 1, 2, 4 … 30 s
		late := time.After(patience)
		for tried := false; !tried; {
			select {
			case <-tries:
				tried = true
			case <-late:
				t.Fatal("it was not tried again")
			case <-time.After(10 * time.Millisecond):
				w.agent.OnWake() // it may not be waiting yet
			}
		}
	}
}
