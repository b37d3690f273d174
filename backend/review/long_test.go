package review_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

// TestFiles_CountsFilesBeyondLimits checks that a list that leaves out files states the total number of files.
func TestFiles_CountsFilesBeyondLimits(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": "a\n"})
	blob := e.git("rev-parse", "HEAD:a.txt")
	var tree strings.Builder
	const files = 4*backend.MaxReviewFiles + 3
	for n := range files {
		fmt.Fprintf(&tree, "100644 blob %s\tf%05d.txt\n", blob, n)
	}
	cmd := exec.CommandContext(t.Context(), "git", "mktree")
	cmd.Dir, cmd.Stdin = e.chat.Folder, strings.NewReader(tree.String())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	l := get[backend.ReviewFiles](e, "review-files", "source", "commit:"+e.git("commit-tree", "-m", "many", strings.TrimSpace(string(out))))
	if len(l.Files) != backend.MaxReviewFiles || l.Total != files || !strings.Contains(l.Message.String(), "Only the first 5,000 of 20,003 files are listed.") {
		t.Errorf("got %d files of %d, %q", len(l.Files), l.Total, l.Message)
	}
}
