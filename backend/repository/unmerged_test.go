package repository_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

// gitFails runs git, which must fail.
func (f *fixture) gitFails(args ...string) {
	f.Helper()
	cmd := exec.CommandContext(f.Context(), "git", args...) //nolint:gosec // a test
	cmd.Dir, cmd.Env = f.dir, append([]string{"PATH=" + os.Getenv("PATH"), "GIT_EDITOR=true"}, f.env...)
	if out, err := cmd.CombinedOutput(); err == nil {
		f.Fatalf("git %v succeeded: %s", args, out)
	}
}

// withConflict returns a repository with conflicts in two files, left by a merge or by git stash pop. Both sides have
// changed the file "a". One side has changed the file "gone", and the other has removed it.
func withConflict(t *testing.T, how string) *fixture {
	t.Helper()
	f := newFixture(t)
	f.commitFiles("first", map[string]string{"a": "1\n2\n3\n", "gone": "1\n"})
	switch how {
	case "merge":
		f.git("checkout", "--quiet", "-b", "topic")
		f.commitFiles("theirs", map[string]string{"a": "1\ntheirs\n3\n", "gone": "2\n"})
		f.git("checkout", "--quiet", "main")
		f.git("rm", "--quiet", "gone")
		f.commitFiles("ours", map[string]string{"a": "1\nours\n3\n"})
		f.gitFails("merge", "topic")
	default:
		f.write("a", "1\ntheirs\n3\n")
		f.write("gone", "2\n")
		f.git("stash", "push", "--quiet")
		f.git("rm", "--quiet", "gone")
		f.commitFiles("ours", map[string]string{"a": "1\nours\n3\n"})
		f.gitFails("stash", "pop")
	}
	return f
}

func TestStage_FileWithConflict(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"merge", "stash pop"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			f := withConflict(t, how)
			stages := f.git("ls-files", "--stage")
			refuses := func(name string, staged bool, blocks ...[4]int) {
				t.Helper()
				err := f.m.Stage(t.Context(), "chat", name, "", blocks, staged)
				if backend.CodeOf(err) != backend.CodeUnavailable || !strings.Contains(err.Error(), "Resolve the conflict in this file first") {
					t.Errorf("%s, staged %t, %v: got %v", name, staged, blocks, err)
				}
				f.equal(f.git("ls-files", "--stage"), stages)
			}
			block := [4]int{1, 0, 1, 1} // the marker before "ours"
			refuses("a", true, block)
			refuses("a", false, block)
			refuses("a", true)
			refuses("a", false)
			refuses("gone", true, [4]int{0, 0, 0, 1})
			refuses("gone", false)
			f.write("a", "1\nboth\n3\n")
			refuses("a", true, [4]int{1, 1, 1, 1})
			refuses("a", false)
			f.stage("a", true)
			f.stage("gone", true)
			f.equal(f.git("ls-files", "--unmerged"), "")
			f.equal(f.index("a"), `100644 "1\nboth\n3"`)
			f.stage("a", false)
			f.equal(f.index("a"), `100644 "1\nours\n3"`)
		})
	}
}

// TestStage_RemovedFileWithConflict checks that a conflict in a file that exists on only one side of a merge can be
// resolved by removing the file and staging its removal.
func TestStage_RemovedFileWithConflict(t *testing.T) {
	t.Parallel()
	f := withConflict(t, "merge")
	f.noErr(os.Remove(f.path("gone")))
	f.stage("gone", true)
	if got := f.git("ls-files", "--unmerged"); strings.Contains(got, "gone") || f.index("gone") != "" {
		t.Errorf("got %q, and %q in the index", got, f.index("gone"))
	}
}

// TestStage_MarkersOfOtherSize checks that conflict markers are recognized in the size that git's attribute
// conflict-marker-size sets for the file.
func TestStage_MarkersOfOtherSize(t *testing.T) {
	t.Parallel()
	f := withConflict(t, "merge")
	f.write(".git/info/attributes", "a conflict-marker-size=12\n")
	f.stage("a", true) // a line of 7 characters isn't a marker
	f.git("checkout", "--merge", "--", "a")
	if err := f.m.Stage(t.Context(), "chat", "a", "", nil, true); err == nil || !strings.Contains(read(t, f.path("a")), "<<<<<<<<<<<< ") {
		t.Errorf("got %v for %q", err, read(t, f.path("a")))
	}
}
