package agent_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestProcess_InheritsNoFDsOrAllowAll(t *testing.T) {
	// This pipe is open without close-on-exec, like WebKitGTK's pipes.
	var fds [2]int
	noErr(t, syscall.Pipe(fds[:]))
	defer func() { _ = syscall.Close(fds[0]) }()
	defer func() { _ = syscall.Close(fds[1]) }()
	pipe, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fds[1]))
	noErr(t, err)
	t.Setenv("COPILOT_ALLOW_ALL", "true")

	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{
		fakeagent.Run("ls -l /proc/$PPID/fd; env | grep COPILOT_ALLOW_ALL; tr '\\0' '\\n' < /proc/$PPID/cmdline"),
	}}}), nil)
	w.setPolicy("allow_once")
	tu := w.promptAndExpect("go", backend.TurnDone)
	var out string
	for _, c := range w.tools(tu)[0].contents {
		if c.Type == backend.ContentTerminal {
			out = string(c.Body)
		}
	}
	if !strings.Contains(out, "0 -> pipe:") || strings.Contains(out, pipe) || strings.Contains(out, "ALLOW_ALL") {
		t.Errorf("it has %s, or the switch:\n%s", pipe, out)
	}
}

func TestProcess_StubbornTreeKilled(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{IgnoreEOF: true, IgnoreTERM: true, Turns: []fakeagent.Turn{
		{fakeagent.Run("(trap '' TERM HUP; setsid sleep 1000 & echo $! > pid; wait) > /dev/null 2>&1 & sleep 0.1; true")},
	}}), nil)
	w.setPolicy("allow_once")
	w.promptAndExpect("go", backend.TurnDone)
	pid, own := w.waitForPID("pid"), w.agent.Connection().PID
	if !alive(pid) || !alive(own) {
		t.Fatal("nothing is left to be ended")
	}
	w.close() // in escalating steps
	waitForProcessEnd(t, own)
	waitForProcessEnd(t, pid)
}

func TestClose_RespectsTimeout(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{IgnoreEOF: true, IgnoreTERM: true}), nil)
	w.promptAndExpect("go", backend.TurnDone)
	pid := w.agent.Connection().PID
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := w.agent.Close(ctx); err == nil {
		t.Error("Close was cut short and does not say so")
	}
	waitForProcessEnd(t, pid)
	equal(t, "state", w.agent.Connection().State, backend.ConnectionIdle)
}

func TestProcess_EndsWhenAppIsKilled(t *testing.T) {
	t.Parallel()
	me, err := os.Executable()
	noErr(t, err)
	cmd := exec.Command(me)
	cmd.Env = append(os.Environ(), parentVar+"="+t.TempDir())
	out, err := cmd.StdoutPipe()
	noErr(t, err)
	noErr(t, cmd.Start())
	buf := make([]byte, 100)
	n, err := out.Read(buf)
	noErr(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(buf[:n])))
	noErr(t, err)
	if !alive(pid) {
		t.Fatal("the agent does not run")
	}
	noErr(t, cmd.Process.Kill())
	_ = cmd.Wait()
	waitForProcessEnd(t, pid)
}

func TestProcess_SurvivesAppThreadExit(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{}), nil)
	w.promptAndExpect("go", backend.TurnDone)
	pid := w.agent.Connection().PID
	for range 50 { // each iteration ends a thread
		done := make(chan struct{})
		go func() {
			defer close(done)
			runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		}()
		<-done
	}
	w.promptAndExpect("next", backend.TurnDone)
	equal(t, "process", w.agent.Connection().PID, pid)
}
