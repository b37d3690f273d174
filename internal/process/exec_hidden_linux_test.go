package process

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

const hiddenVar = "VOXPILOT_TEST_HIDDEN"

// TestProgramPath_IsFileIfMemoryIsHidden checks that ProgramPath returns the program's file if the process hides its
// memory. The test runs itself as a child process, since hiding can't be undone.
func TestProgramPath_IsFileIfMemoryIsHidden(t *testing.T) {
	if os.Getenv(hiddenVar) != "" {
		if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
			t.Fatal(err)
		}
		program, err := ProgramPath()
		fmt.Printf("it is %s, %v\n", program, err)
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), hiddenVar+"=1")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "it is "+self+", <nil>") {
		t.Errorf("got %s, %v, want %s", out, err, self)
	}
}
