//go:build unix

package commandline

import (
	"syscall"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestAsk_CtrlCStopsAnswer(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("working"), fakeagent.Hang()}})
	w := newAppEnv(t)
	t.Chdir(t.TempDir())
	result := make(chan int)
	go func() {
		_, _, code := runCLI(t, "ask", "go on for ever")
		result <- code
	}()
	w.WaitFor("it works", func(e backend.Event) bool { return e.Text != nil && e.Text.Text == "working" })
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if code := <-result; code != 130 {
		t.Errorf("the exit code is %d", code)
	}
	w.WaitFor("it is stopped", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State == backend.TurnStopped })
}
