package repository_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

// checkVersions opens a Manager that checks the versions of the files to commit. A file's version is its content on
// disk. moved maps the new paths of moved files to their old ones.
func (f *fixture) checkVersions(moved map[string]string) {
	f.Helper()
	f.files = func(context.Context, string) (list []backend.ReviewFile, err error) {
		for line := range strings.Lines(f.git("--no-optional-locks", "status", "--porcelain", "--no-renames")) {
			name := strings.TrimSpace(line[3:])
			if !slices.Contains(slices.Collect(maps.Values(moved)), name) {
				list = append(list, backend.ReviewFile{Path: name, From: moved[name], Version: f.version(name)})
			}
		}
		return list, nil
	}
	f.open(nil)
}

func (f *fixture) version(name string) string {
	text, _ := os.ReadFile(f.path(name)) // "" for a removed file
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func TestCommit_OnlyVersionsThatWereShown(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commitFiles("first", map[string]string{"a": "1\n", "b": "1\n", "gone": "1\n", "old": "1\n2\n3\n"})
	f.write("a", "2\n")
	f.write("b", "2\n")
	f.must(os.Remove(f.path("gone")))
	f.must(os.Rename(f.path("old"), f.path("new")))
	f.checkVersions(map[string]string{"new": "old"})
	versions := map[string]string{"a": f.version("a"), "gone": f.version("gone"), "new": f.version("new")}
	q := backend.ReviewCommitRequest{Message: "m", Files: backend.CommitViewed, Paths: []string{"a", "gone", "new", "old"}, Versions: versions}
	stale := func(name string) {
		t.Helper()
		before := f.state()
		for _, q.Files = range []backend.ReviewCommitFiles{backend.CommitChosen, backend.CommitViewed} {
			if _, err := f.m.Commit(t.Context(), "chat", q); backend.CodeOf(err) != backend.CodeStale || !strings.HasPrefix(err.Error(), name+" has changed since it was shown") {
				t.Errorf("%s: got %v", q.Files, err)
			}
		}
		f.unchanged(before)
	}
	f.write("a", "3\n")
	stale("a")
	f.write("a", "1\n") // no changes are left
	stale("a")
	f.write("a", "2\n")
	f.write("gone", "2\n")
	stale("gone")
	f.must(os.Remove(f.path("gone")))
	delete(versions, "new")
	stale("new")
	versions["new"] = f.version("new")
	f.done(q)
	f.equal(f.git("show", "--format=", "--no-renames", "--name-status", "HEAD"), "M\ta\nD\tgone\nA\tnew\nD\told")
	f.equal(f.status(), " M b")
}

// TestCommit_FileChangesWhileAdded proves that a file isn't committed if it changes between the first check of its
// version and the time at which git adds it.
func TestCommit_FileChangesWhileAdded(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commitFiles("first", map[string]string{"a": "1\n"})
	f.write("a", "2\n")
	f.write(".git/info/attributes", "a filter=late\n")
	f.files = func(context.Context, string) ([]backend.ReviewFile, error) {
		return []backend.ReviewFile{{Path: "a", Version: f.version("a")}}, nil
	}
	f.open(nil)
	versions := map[string]string{"a": f.version("a")}
	f.git("config", "filter.late.clean", "echo 3 | tee a") // git stores what the file contains from now on
	f.failed(backend.ReviewCommitRequest{Files: backend.CommitChosen, Paths: []string{"a"}, Versions: versions}, "a has changed since it was shown")
	f.equal(f.git("log", "--format=%s"), "first")
}
