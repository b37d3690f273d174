package repository_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/need"
)

func TestCommit_AllFiles(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commitFiles("first", map[string]string{"a": "1\n", "b": "1\n", "gone": "1\n", "old": "1\n2\n3\n"})
	f.write("a", "2\n")
	f.write("dir/new [1]", "new\n")
	f.noErr(os.Remove(f.path("gone")))
	f.noErr(os.Rename(f.path("old"), f.path("moved")))
	f.noErr(os.Chmod(f.path("b"), 0o700)) //nolint:gosec // the mode is the change
	j := f.done(backend.ReviewCommitRequest{Message: "second\n\nWith a body.\n# and a line that stays", Files: backend.CommitAll})
	f.equal(f.status(), "")
	f.equal(f.git("show", "--format=%an <%ae>|%B", "--name-status", "--find-renames", "HEAD"), "Ann <ann@example.org>|second\n\nWith a body.\n# and a line that stays\n\n\nM\ta\nM\tb\nA\tdir/new [1]\nD\tgone\nR100\told\tmoved")
	if j.Commit.Subject != "second" || !strings.HasPrefix(j.Commit.SHA, j.Commit.Short) || j.Step != backend.StepCommit {
		t.Errorf("got %+v", j)
	}
	f.git("fsck", "--strict")
}

func TestCommit_First(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write("a", "1\n")
	f.write("b", "1\n")
	f.git("add", "b")
	f.done(backend.ReviewCommitRequest{Files: backend.CommitChosen, Paths: []string{"a"}})
	f.equal(f.git("ls-tree", "--name-only", "HEAD"), "a")
	f.equal(f.status(), "A  b")
}

// TestCommit_ChosenFilesKeepOtherStagedOnes checks that after a commit of chosen files, all other staged changes are
// still staged, as with git commit --only.
func TestCommit_ChosenFilesKeepOtherStagedOnes(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commitFiles("first", map[string]string{"a": "1\n", "b": "1\n", "c": "1\n", "d": "1\n", "e": "1\n"})
	f.write("a", "staged\n")
	f.write("b", "staged\n")
	f.write("added", "staged\n")
	f.git("add", "a", "b", "added")
	f.git("rm", "--quiet", "c", "d")
	f.write("b", "later\n")
	f.write("e", "unstaged\n")
	f.write("new", "1\n")
	f.write("new2", "1\n")
	f.done(backend.ReviewCommitRequest{Files: backend.CommitChosen, Paths: []string{"b", "c", "new"}})
	f.equal(f.git("show", "--format=", "--no-renames", "--name-status", "HEAD"), "M\tb\nD\tc\nA\tnew")
	f.equal(f.git("show", "HEAD:b"), "later")
	f.equal(f.status(), "M  a\nA  added\nD  d\n M e\n?? new2")
}

func TestCommit_StagedFiles(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commitFiles("first", map[string]string{"a": "1\n", "b": "1\n"})
	f.write("a", "staged\n")
	f.git("add", "a")
	f.write("a", "later\n")
	f.write("b", "2\n")
	f.done(backend.ReviewCommitRequest{Files: backend.CommitStaged})
	f.equal(f.git("show", "HEAD:a"), "staged")
	f.equal(f.status(), " M a\n M b")
}

func TestCommit_Amend(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commitFiles("first", map[string]string{"a": "1\n"})
	f.git("-c", "user.name=Other", "commit", "--quiet", "--allow-empty", "-m", "second")
	f.write("b", "1\n")
	f.done(backend.ReviewCommitRequest{Message: "better", Files: backend.CommitChosen, Paths: []string{"b"}, Amend: true, SignOff: true})
	f.equal(f.git("log", "--format=%an %s", "--name-only"), "Other better\n\nb\nAnn first\n\na")
	f.equal(f.git("log", "-1", "--format=%(trailers:key=Signed-off-by)"), "Signed-off-by: Ann <ann@example.org>")
	f.done(backend.ReviewCommitRequest{Message: "only the message", Files: backend.CommitStaged, Amend: true})
	f.equal(f.git("log", "--format=%s"), "only the message\nfirst")
}

// TestCommit_Subfolder checks that a commit in a subfolder contains only the subfolder's files.
func TestCommit_Subfolder(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commitFiles("first", map[string]string{"a": "1\n", "sub/a": "1\n", "sub/b": "1\n", "subs": "1\n"})
	for _, name := range []string{"a", "sub/a", "sub/b", "subs", "sub/new"} {
		f.write(name, "2\n")
	}
	f.git("add", "a")
	root := f.dir
	f.dir = f.path("sub")
	f.done(backend.ReviewCommitRequest{Files: backend.CommitChosen, Paths: []string{"a"}})
	f.done(backend.ReviewCommitRequest{Files: backend.CommitAll})
	f.equal(f.gitIn(root, "log", "--format=", "--name-only", "-2"), "sub/b\nsub/new\nsub/a")
	f.equal(f.gitIn(root, "status", "--porcelain"), "M  a\n M subs")
}

// TestCommit_SplitsByFile checks that several commits, each with some of the files, can be requested at the same time,
// and that they are made one after another.
func TestCommit_SplitsByFile(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commitFiles("first", map[string]string{"x": "1\n"})
	var ids []string
	for _, name := range []string{"a", "b", "c"} {
		f.write(name, "1\n")
	}
	for _, name := range []string{"a", "b", "c"} {
		id, err := f.m.Commit(t.Context(), "chat", backend.ReviewCommitRequest{Message: name, Files: backend.CommitChosen, Paths: []string{name}})
		f.noErr(err)
		ids = append(ids, id)
	}
	for _, id := range ids {
		if j := f.ended(id); j.State != backend.JobDone {
			t.Errorf("got %+v", j)
		}
	}
	f.equal(f.git("log", "--format=%s", "--name-only", "-3"), "c\n\nc\nb\n\nb\na\n\na")
}

func TestCommit_Worktree(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commitFiles("first", map[string]string{"a": "1\n"})
	main, index := f.dir, read(t, f.path(".git/index"))
	f.git("worktree", "add", "--quiet", "-b", "side", "../side")
	f.dir = filepath.Join(filepath.Dir(f.dir), "side")
	f.write("b", "1\n")
	f.done(backend.ReviewCommitRequest{Files: backend.CommitAll})
	f.equal(f.status(), "")
	f.equal(f.gitIn(main, "log", "--format=%s", "side"), "message\nfirst")
	if read(t, filepath.Join(main, ".git/index")) != index {
		t.Error("the index of the main worktree changed")
	}
}

func TestCommit_SHA256(t *testing.T) {
	t.Parallel()
	f := newFixture(t, "--object-format=sha256")
	f.commitFiles("first", map[string]string{"a": "1\n", "b": "1\n"})
	f.noErr(os.Remove(f.path("a")))
	f.write("b", "2\n")
	f.git("add", "b")
	f.write("c", "1\n")
	f.done(backend.ReviewCommitRequest{Files: backend.CommitChosen, Paths: []string{"a", "c"}})
	f.equal(f.git("show", "--format=", "--no-renames", "--name-status", "HEAD"), "D\ta\nA\tc")
	f.equal(f.status(), "M  b")
	f.git("fsck", "--strict")
}

func TestCommit_Submodule(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	other := newFixture(t)
	other.commitFiles("one", map[string]string{"x": "1\n"})
	f.git("submodule", "--quiet", "add", other.dir, "sub")
	f.commitFiles("first", nil)
	f.write("sub/x", "2\n")
	f.gitIn(f.path("sub"), "commit", "--quiet", "--all", "-m", "two")
	want := f.gitIn(f.path("sub"), "rev-parse", "HEAD")
	f.write("a", "1\n")
	f.done(backend.ReviewCommitRequest{Files: backend.CommitChosen, Paths: []string{"sub"}})
	f.equal(f.git("rev-parse", "HEAD:sub"), want)
	f.equal(f.status(), "?? a")
}

// TestCommit_LeavesOutEmbeddedRepositories checks that a commit of all files doesn't contain repositories inside the
// folder, which the review doesn't list.
func TestCommit_LeavesOutEmbeddedRepositories(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commitFiles("first", map[string]string{"a": "1\n", "sub [1]/a": "1\n"})
	for _, name := range []string{"with [x] commits", "without", "new/inner", "sub [1]/inner"} {
		f.write(name+"/file", "1\n")
		f.gitIn(f.path(name), "init", "--quiet")
		if name != "without" {
			f.gitIn(f.path(name), "add", "--all")
			f.gitIn(f.path(name), "commit", "--quiet", "-m", "inner")
		}
	}
	f.write("a", "2\n")
	f.write("new/file", "1\n")
	f.write("sub [1]/a", "2\n")
	f.equal(f.form(backend.CommitAll).Suggestion, "add file, update 2 files")
	root := f.dir
	f.dir = f.path("sub [1]")
	f.done(backend.ReviewCommitRequest{Files: backend.CommitAll})
	f.dir = root
	f.equal(f.git("show", "--format=", "--name-only", "HEAD"), "sub [1]/a")
	f.done(backend.ReviewCommitRequest{Files: backend.CommitAll})
	f.equal(f.git("show", "--format=", "--name-only", "HEAD"), "a\nnew/file")
	f.equal(f.git("status", "--porcelain"), "?? new/inner/\n?? \"sub [1]/inner/\"\n?? \"with [x] commits/\"\n?? without/")
}

func TestCommit_ConvertsLineEndings(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.git("config", "core.autocrlf", "true")
	f.git("config", "core.safecrlf", "false")
	f.commitFiles("first", map[string]string{"a": "1\r\n", "b": "1\r\n"})
	f.write("a", "1\r\n2\r\n")
	f.write("b", "2\r\n")
	f.git("add", "b")
	f.done(backend.ReviewCommitRequest{Files: backend.CommitChosen, Paths: []string{"a"}})
	f.equal(fmt.Sprintf("%q", f.git("cat-file", "blob", "HEAD:a")), `"1\n2"`)
	f.equal(f.status(), "M  b")
}

func TestCommit_RunsFilters(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.git("config", "filter.up.clean", "tr a-z A-Z")
	f.git("config", "filter.up.smudge", "tr A-Z a-z")
	f.write(".gitattributes", "*.up filter=up\n")
	f.write("a.up", "text\n")
	f.done(backend.ReviewCommitRequest{Files: backend.CommitAll})
	f.equal(f.git("cat-file", "blob", "HEAD:a.up"), "TEXT")
	f.equal(f.status(), "")
}

func TestCommit_ManyFiles(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commitFiles("first", map[string]string{"staged": "1\n"})
	f.write("staged", "2\n")
	f.git("add", "staged")
	var paths []string
	for i := range 2000 {
		name := fmt.Sprintf("dir%d/a file with a long name %d", i%40, i)
		f.write(name, name)
		paths = append(paths, name)
	}
	if got := f.form(backend.CommitAll).Suggestion; got != "add 2000 files, update staged" {
		t.Errorf("got %q", got)
	}
	f.done(backend.ReviewCommitRequest{Files: backend.CommitChosen, Paths: paths})
	f.equal(f.status(), "M  staged")
}

// TestCommit_KeepsTimeOfIndex checks that a change to a file is found even if it was made within the same tick of the
// clock as the last change to the index.
func TestCommit_KeepsTimeOfIndex(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commitFiles("first", map[string]string{"a": "1\n", "b": "1\n"})
	f.write("a", "2\n")
	f.git("add", "a")
	info, err := os.Stat(f.path("a"))
	f.noErr(err)
	f.noErr(os.Chtimes(f.path(".git/index"), info.ModTime(), info.ModTime()))
	f.write("a", "3\n")
	f.noErr(os.Chtimes(f.path("a"), info.ModTime(), info.ModTime()))
	f.write("b", "2\n")
	f.done(backend.ReviewCommitRequest{Files: backend.CommitChosen, Paths: []string{"b"}})
	f.equal(f.git("diff", "--name-only"), "a")
}

func TestCommit_UsesSharedIndexOfSplitIndex(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.git("config", "core.splitIndex", "true")
	f.commitFiles("first", map[string]string{"a": "1\n", "b": "1\n"})
	f.write("a", "2\n")
	f.git("add", "a")
	f.write("b", "2\n")
	f.done(backend.ReviewCommitRequest{Files: backend.CommitChosen, Paths: []string{"b"}})
	f.equal(f.status(), "M  a")
}

// commitInChild makes a commit if a test has started this process for that purpose. The test later kills the process.
func commitInChild() {
	if folder := os.Getenv("VOXPILOT_TEST_COMMIT"); folder != "" {
		childCommit(folder)
	}
}

func TestCommit_PushesToChosenRemote(t *testing.T) {
	t.Parallel()
	f, remote := withRemote(t)
	f.git("remote", "rename", "origin", "one")
	second := filepath.Join(filepath.Dir(f.dir), "second.git")
	f.git("init", "--quiet", "--bare", "--initial-branch=main", second)
	f.git("remote", "add", "two", second)
	f.git("checkout", "--quiet", "-b", "feature")
	f.write("b", "1\n")
	if form := f.form(backend.CommitAll); form.Remote != "" || len(form.Remotes) != 2 {
		t.Fatalf("got %+v", form)
	}
	f.done(backend.ReviewCommitRequest{Message: "second", Files: backend.CommitAll, Push: true, Remote: "two"})
	f.equal(f.gitIn(second, "log", "--format=%s", "feature"), "second\nfirst")
	f.equal(f.gitIn(remote, "for-each-ref", "--format=%(refname:short)", "refs/heads"), "main")
}

func TestCommit_SignsAsGitIsSetUp(t *testing.T) {
	t.Parallel()
	need.Programs(t, "ssh-keygen")
	f := withChanges(t)
	key := filepath.Join(filepath.Dir(f.dir), "key")
	out, err := exec.CommandContext(t.Context(), "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	public, err := os.ReadFile(key + ".pub")
	f.noErr(err)
	signers := filepath.Join(filepath.Dir(f.dir), "signers")
	f.noErr(os.WriteFile(signers, append([]byte("ann@example.org "), public...), 0o600))
	f.git("config", "gpg.format", "ssh")
	f.git("config", "user.signingKey", key)
	f.git("config", "commit.gpgSign", "true")
	f.git("config", "gpg.ssh.allowedSignersFile", signers)
	f.done(backend.ReviewCommitRequest{Message: "signed", Files: backend.CommitAll})
	f.equal(f.git("log", "-1", "--format=%s %G?"), "signed G")
}
