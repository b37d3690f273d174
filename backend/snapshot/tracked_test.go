package snapshot_test

import (
	"fmt"
	"os"
	"testing"
)

// TestTracked_IgnoredFilesOfNestedRepositories checks that a file of a nested repository comes back if the repository
// tracks it although its rules exclude it.
func TestTracked_IgnoredFilesOfNestedRepositories(t *testing.T) {
	for _, submodule := range []bool{false, true} {
		t.Run(fmt.Sprint("submodule ", submodule), func(t *testing.T) {
			f, inner := newFixture(t), &fixture{t: t, dir: t.TempDir()}
			f.git("init", "-q")
			f.write(".gitignore", "*.tmp\n")
			if !submodule {
				inner.dir = f.path("nested")
			}
			inner.write(".gitignore", "*.log\n/build/\n")
			inner.write("kept.log", "1")
			inner.write("build/deep/kept", "1")
			inner.write("sub/a.log", "1")
			inner.git("init", "-q")
			inner.git("add", "-f", ".")
			if submodule {
				inner.git("commit", "-qm", "1")
				f.git("submodule", "--quiet", "add", inner.dir, "nested")
			}
			f.write("nested/build/out", "not tracked")
			before := f.snapshot()
			f.write("nested/kept.log", "2")
			f.remove("nested/build/deep")
			f.remove("nested/sub/a.log")
			f.undo(before.ID, f.snapshot().ID, nil)
			for _, name := range []string{"kept.log", "build/deep/kept", "sub/a.log"} {
				if got, err := os.ReadFile(f.path("nested/" + name)); err != nil || string(got) != "1" {
					t.Errorf("%s is %q (%v)", name, got, err)
				}
			}
		})
	}
}

// TestTracked_NewIndexOfNestedRepository checks that a file counts as tracked as soon as a nested repository's index
// contains it.
func TestTracked_NewIndexOfNestedRepository(t *testing.T) {
	f := newFixture(t)
	f.write("nested/.gitignore", "*.log\n")
	f.write("nested/a.log", "1")
	gitIn(t, f.path("nested"), "init", "-q")
	f.snapshot()
	gitIn(t, f.path("nested"), "add", "-f", "a.log")
	before := f.snapshot()
	f.write("nested/a.log", "2")
	f.undo(before.ID, f.snapshot().ID, nil)
	if got := f.read("nested/a.log"); got != "1" {
		t.Errorf("the file is %q", got)
	}
}

// TestTracked_RulesThatExcludeManyTrackedFiles checks that files stay in snapshots if the rules exclude their folder
// later, no matter how many files there are and where the rules are.
func TestTracked_RulesThatExcludeManyTrackedFiles(t *testing.T) {
	for _, rules := range []string{".gitignore", ".git/info/exclude", "nested/.gitignore", "nested/.git/info/exclude"} {
		t.Run(rules, func(t *testing.T) {
			f := newFixture(t)
			f.git("init", "-q")
			for i := range 1200 {
				f.write(fmt.Sprintf("vendor/%d", i), "1")
				f.write(fmt.Sprintf("nested/vendor/%d", i), "1")
			}
			gitIn(t, f.path("nested"), "init", "-q")
			gitIn(t, f.path("nested"), "add", ".")
			f.git("add", "vendor")
			before := f.snapshot()
			f.write(rules, "vendor/\n")
			f.write("vendor/7", "2")
			f.write("nested/vendor/7", "2")
			f.undo(before.ID, f.snapshot().ID, nil)
			for _, name := range []string{"vendor/7", "nested/vendor/7"} {
				if got := f.read(name); got != "1" {
					t.Errorf("%s is %q", name, got)
				}
			}
		})
	}
}
