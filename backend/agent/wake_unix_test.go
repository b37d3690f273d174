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

// readyAs waits until an agent is ready in a process other than not, and returns its
// PID.
func (w *world) readyAs(not int) (pid int) {
	w.t.Helper()
	w.wait("another process", func(events []backend.Event) bool {
		for _, e := range events {
			if c := e.Connection; c != nil && c.State == backend.ConnectionReady && c.PID != not {
				pid = c.PID
			}
		}
		return pid != 0
	})
	return pid
}

func (w *world) signal(pid int, s syscall.Signal) {
	w.t.Helper()
	if err := syscall.Kill(pid, s); err != nil {
		w.t.Fatal(err)
	}
}

// wakes simulates wake-ups of w's idle agent with a responsive and a stopped process.
func wakes(t *testing.T, w *world) {
	t.Helper()
	w.must("one", backend.TurnDone)
	pid := w.readyAs(0)
	w.agent.OnWake()
	w.must("two", backend.TurnDone)
	if now := w.agent.Connection().PID; now != pid {
		t.Errorf("an agent that is well was ended: it is process %d now, and was %d", now, pid)
	}
	agent.ShortAliveLimit(t, time.Second)
	w.signal(pid, syscall.SIGSTOP) // the process exists, but doesn't respond once all its threads have stopped
	for late := time.Now().Add(patience); w.agent.Connection().PID == pid && time.Now().Before(late); time.Sleep(10 * time.Millisecond) {
		w.agent.OnWake()
	}
	w.readyAs(pid)
	w.must("three", backend.TurnDone)
}

func TestWake_UnresponsiveAgentRestarts(t *testing.T) {
	wakes(t, newWorld(t, fake(fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("ok")}}), nil))
}

func TestWake_UnresponsiveCopilotRestarts(t *testing.T) {
	cli := copilotCLI(t)
	model, err := practice.New(practice.Func(func(practice.Request) practice.Reply { return practice.Reply{practice.Text("ok")} }))
	noErr(t, err)
	t.Cleanup(model.Close)
	w := emptyWorld(t)
	w.openCopilot(cli, model, nil)
	wakes(t, w)
}

func TestWake_RunningTurnUntouched(t *testing.T) {
	end := filepath.Join(t.TempDir(), "end")
	w := newWorld(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("word "), fakeagent.WaitFor(end)}}}), nil)
	agent.ShortAliveLimit(t, time.Millisecond)
	tu := w.start(backend.SessionMain, "go")
	w.waitText("word")
	pid := w.readyAs(0)
	w.signal(pid, syscall.SIGSTOP)
	w.agent.OnWake()
	w.signal(pid, syscall.SIGCONT)
	noErr(t, os.WriteFile(end, nil, 0o600))
	w.mustEnd(tu, backend.TurnDone)
	if now := w.agent.Connection(); now.PID != pid || now.State != backend.ConnectionReady {
		t.Errorf("it is %+v", now)
	}
}

func TestWake_WaitingAgentRetriesAtOnce(t *testing.T) {
	tries := make(chan struct{}, 100)
	w := newWorld(t, fake(fakeagent.Script{}), func(_ *world, cfg *agent.Config) {
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
