package terminal_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/voxpilot/voxpilot/backend/terminal"
)

func TestCommand_EndsWhenAppIsKilled(t *testing.T) {
	t.Parallel()
	me, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "pid")
	app := exec.Command(me)
	app.Env = append(os.Environ(), appVar+"=echo $$ > "+file+"; exec sleep 1000")
	if err := app.Start(); err != nil {
		t.Fatal(err)
	}
	pid := waitForPID(t, file)
	if err := app.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = app.Wait()
	waitForProcessEnd(t, pid)
}

func TestClose_IgnoresDetachedProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := newSet(t, terminal.Config{})
	// The process has left its session and lost its parents and environment, but still has the
	// output open.
	term := run(t, s, terminal.Spec{Dir: dir, Command: "(env -i PATH=\"$PATH\" setsid sh -c 'echo $$ > pid; exec sleep 1000' &)"})
	pid := waitForPID(t, filepath.Join(dir, "pid"))
	waitForExit(t, term)
	s.Close()
	<-term.Over()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Errorf("it was found: %v", err)
	}
}
