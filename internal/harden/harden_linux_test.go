package harden

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

const hardenVar = "VOXPILOT_TEST_HARDEN"

// TestHarden_PreventsMemoryDumps checks that a hardened process leaves no core dump and, in a release build, that
// other processes can't read its memory. The test runs itself as a child process, since hardening can't be undone.
func TestHarden_PreventsMemoryDumps(t *testing.T) {
	if how, asked := os.LookupEnv(hardenVar); asked {
		Process("linux", how == "released")
		dumpable, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0)
		core, shellErr := exec.CommandContext(t.Context(), "/bin/sh", "-c", "ulimit -c").Output()
		fmt.Printf("dumpable %d, core %s, %v %v\n", dumpable, strings.TrimSpace(string(core)), err, shellErr)
		return
	}
	for how, want := range map[string]string{"released": "dumpable 0, core 0, <nil> <nil>", "dev": "dumpable 1, core 0, <nil> <nil>"} {
		// The core limit of this process may already be 0.
		cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", `ulimit -c "$(ulimit -H -c)" && exec "$0" -test.run='^`+t.Name()+`$'`, os.Args[0])
		cmd.Env = append(os.Environ(), hardenVar+"="+how)
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: got %s, %v, want %s", how, out, err, want)
		}
	}
}
