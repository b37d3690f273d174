package recorded

import (
	"os/exec"
	"testing"
)

// The baseline of the benchmarks is git status. If it printed all files, it would take longer than in a real
// repository.
func TestFill_GitStatusIsEmpty(t *testing.T) {
	dir := t.TempDir()
	if _, err := fill(t.Context(), dir, 500); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "git", "-C", dir, "status", "--porcelain").CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("git status: %v, %.200q; want nothing", err, out)
	}
}
