package terminal_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestACommandEndsWhenTheAppIsKilled(t *testing.T) {
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
	pid := waitPID(t, file)
	if err := app.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = app.Wait()
	waitGone(t, pid)
}
