package recorded

import (
	"os/exec"
	"testing"
)

// TestFill_GitStatusIsEmpty checks that git status lists no files. It is the baseline of the benchmarks, and would take
// longer than in a real repository if it printed all files.
func TestFill_GitStatusIsEmpty(t *testing.T) {
	dir := t.TempDir()
	if _, err := fill(t.Context(), dir, 500); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "git", "-C", dir, "status", "--porcelain").CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("git status: %v, %.200q; want nothing", err, out)
	}
}
