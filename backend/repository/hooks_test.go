package repository_test

import (
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

// TestCommit_ShowsHooksOfIndex checks that the form names the hook that git runs after each change of the index, and
// that its output is shown. It also checks that the hook isn't mistaken for the cause of a failure, because git ignores
// its exit code.
func TestCommit_ShowsHooksOfIndex(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commitFiles("first", map[string]string{"a": "1\n", "b": "1\n"})
	f.hook("post-index-change", `echo "ran on $(basename "$GIT_INDEX_FILE")"; exit 3`)
	f.write("a", "2\n")
	f.write("b", "2\n")
	f.equal(strings.Join(f.form(backend.CommitAll).Hooks, " "), "post-index-change")
	f.git("config", "commit.gpgSign", "true")
	f.git("config", "gpg.program", "false")
	f.failed(backend.ReviewCommitRequest{Files: backend.CommitAll}, "Couldn't sign the commit")
	f.git("config", "commit.gpgSign", "false")
	f.git("add", "b")
	// Because b is staged, git add and git commit change different copies of the index.
	j := f.done(backend.ReviewCommitRequest{Files: backend.CommitChosen, Paths: []string{"a"}})
	if !strings.Contains(j.Output, "ran on index\n") || !strings.Contains(j.Output, "ran on commits\n") || j.Step != backend.StepHooks {
		t.Errorf("got %+v", j)
	}
}
