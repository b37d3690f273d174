package process

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestFind_ProcessDuringExec(t *testing.T) {
	script := filepath.Join(t.TempDir(), "again")
	const again = "#!/bin/sh\n[ \"$1\" = 0 ] && exec cat\nexec \"$0\" $(($1 - 1))\n"
	if err := os.WriteFile(script, []byte(again), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(script, "300")
	cmd.Env = []string{MarkVar + "=here", "PATH=" + os.Getenv("PATH")}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = in.Close() // stops cat
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}()
	line := fmt.Sprintf("/proc/%d/cmdline", cmd.Process.Pid)
	for looks := 0; ; looks++ {
		if !hasVar(cmd.Process.Pid, []byte(MarkVar+"=here")) {
			t.Fatalf("it was not found when it was looked for %d times", looks)
		}
		if text, err := os.ReadFile(line); err != nil || string(text) == "cat\x00" {
			if err != nil {
				t.Fatal(err)
			}
			return
		}
	}
}
