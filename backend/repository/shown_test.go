package repository_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"os"
	"slices"
	"strconv"
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
	f.noErr(os.Remove(f.path("gone")))
	f.noErr(os.Rename(f.path("old"), f.path("new")))
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
	f.noErr(os.Remove(f.path("gone")))
	delete(versions, "new")
	stale("new")
	versions["new"] = f.version("new")
	f.done(q)
	f.equal(f.git("show", "--format=", "--no-renames", "--name-status", "HEAD"), "M\ta\nD\tgone\nA\tnew\nD\told")
	f.equal(f.status(), " M b")
}

// TestCommit_OnlyFilesThatWereShown checks that a commit of all files or of the staged ones contains the files that the
// user saw, or isn't made.
func TestCommit_OnlyFilesThatWereShown(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commitFiles("first", map[string]string{"a": "1\n", "b": "1\n"})
	f.write("a", "2\n")
	f.write("b", "2\n")
	f.checkVersions(nil)
	all := backend.ReviewCommitRequest{Message: "m", Files: backend.CommitAll, Versions: map[string]string{"a": f.version("a"), "b": f.version("b")}}
	stale := func(q backend.ReviewCommitRequest) {
		t.Helper()
		before := f.state()
		if _, err := f.m.Commit(t.Context(), "chat", q); backend.CodeOf(err) != backend.CodeStale {
			t.Errorf("%s: got %v, want %s", q.Files, err, backend.CodeStale)
		}
		f.unchanged(before)
	}
	f.write("b", "3\n") // never shown
	stale(all)
	f.write("b", "1\n") // reverted
	stale(all)
	f.write("c", "1\n")
	stale(all)
	f.write("b", "2\n")
	stale(all)
	f.noErr(os.Remove(f.path("c")))
	stale(backend.ReviewCommitRequest{Message: "m", Files: backend.CommitAll, Amend: true, Versions: map[string]string{}})
	f.git("add", "a")
	form, err := f.m.Form(t.Context(), "chat", backend.CommitStaged, nil, false)
	f.noErr(err)
	staged := backend.ReviewCommitRequest{Message: "m", Files: backend.CommitStaged, StagedVersion: form.StagedVersion}
	f.git("add", "b")
	stale(staged)
	f.git("reset", "-q", "b")
	f.equal(strconv.Itoa(f.done(staged).Commit.Files), "1")
	f.equal(f.git("show", "--format=", "--name-only", "HEAD"), "a")
	all.Versions = map[string]string{"b": f.version("b")}
	f.done(all)
	f.equal(f.git("show", "--format=", "--name-only", "HEAD"), "b")
}

// TestCommit_CountsFilesAsGit checks that a moved file counts once, that files added by a hook count, and that the first
// commit of a branch is counted as well.
func TestCommit_CountsFilesAsGit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write("a", "1\n2\n3\n")
	f.write("b", "1\n")
	f.equal(strconv.Itoa(f.done(backend.ReviewCommitRequest{Message: "first", Files: backend.CommitAll}).Commit.Files), "2")
	f.noErr(os.Rename(f.path("a"), f.path("moved")))
	f.write("b", "2\n")
	f.hook("pre-commit", "echo 1 > c; git add c")
	f.equal(strconv.Itoa(f.done(backend.ReviewCommitRequest{Message: "second", Files: backend.CommitAll}).Commit.Files), "3")
}

// TestCommit_FileChangesWhileAdded checks that a file isn't committed if it changes between the first check of its
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
