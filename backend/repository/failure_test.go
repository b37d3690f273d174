package repository_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

// withChanges returns a repository with a commit, a staged file, a changed file and a new file.
func withChanges(t *testing.T) *fixture {
	t.Helper()
	f := newFixture(t)
	f.commitFiles("first", map[string]string{"a": "1\n", "b": "1\n", "c": "1\n"})
	f.write("a", "staged\n")
	f.git("add", "a")
	f.write("b", "changed\n")
	f.write("new", "1\n")
	return f
}

var everything = []backend.ReviewCommitRequest{
	{Files: backend.CommitAll},
	{Files: backend.CommitStaged},
	{Files: backend.CommitChosen, Paths: []string{"b", "new"}},
	{Files: backend.CommitChosen, Paths: []string{"new"}, Amend: true},
}

// TestFailure_OfHookChangesNothing checks that if a hook rejects a commit, nothing changes except git's objects.
func TestFailure_OfHookChangesNothing(t *testing.T) {
	t.Parallel()
	for _, hook := range []string{"pre-commit", "prepare-commit-msg", "commit-msg"} {
		f := withChanges(t)
		f.hook(hook, "git add --all; echo 'the reason'; echo 'on stderr' >&2; printf '\\377\\033[31m'; exit 3")
		f.hook("post-commit", "touch ran")
		f.equal(strings.Join(f.form(backend.CommitAll).Hooks, " "), hook+" post-commit")
		before := f.state()
		requests := everything
		if hook != "commit-msg" { // commit-msg is the last hook, and runs after git has written the message
			requests = everything[2:3]
		}
		for _, q := range requests {
			j := f.failed(q, "The "+hook+" hook stopped the commit")
			if j.Step != backend.StepHooks || !strings.Contains(j.Output, "the reason\n") || !strings.Contains(j.Output, "on stderr\n") || !strings.HasSuffix(j.Output, "\uFFFD\x1b[31m") {
				t.Errorf("got %+v", j)
			}
			f.unchanged(before)
		}
	}
}

func TestFailure_OfHookWithLongOutput(t *testing.T) {
	t.Parallel()
	f := withChanges(t)
	f.hook("pre-commit", `i=0; while [ $i -lt 40000 ]; do echo "line $i"; i=$((i+1)); done; exit 1`)
	j := f.failed(everything[0], "pre-commit")
	if len(j.Output) > backend.MaxJobOutput || len(j.Output) < backend.MaxJobOutput/2 || !strings.HasSuffix(j.Output, "\nline 39999\n") || !strings.HasPrefix(j.Output, "line ") {
		t.Errorf("got %d bytes: %.20q … %q", len(j.Output), j.Output, j.Output[len(j.Output)-20:])
	}
}

func TestFailure_OfSigningChangesNothing(t *testing.T) {
	t.Parallel()
	f := withChanges(t)
	f.git("config", "commit.gpgSign", "yes")
	f.git("config", "gpg.program", "false")
	if !f.form(backend.CommitAll).Signing {
		t.Error("the form has no signing")
	}
	before := f.state()
	for _, q := range everything {
		f.failed(q, "Couldn't sign the commit")
		f.unchanged(before)
	}
}

// TestFailure_InWords checks, for each state in which git can't commit, that both the form and an attempt to commit
// report the reason, and that nothing changes.
func TestFailure_InWords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(*fixture)
		want    string
		silent  bool // the form doesn't give the reason
	}{
		"untrusted": {func(f *fixture) { f.trusted.Store(false) }, "Trust this folder first", false},
		"no identity": {func(f *fixture) {
			f.git("config", "user.useConfigOnly", "true")
			f.env = append(f.env, "GIT_CONFIG_GLOBAL="+os.DevNull)
		}, "Git doesn't know who you are", false},
		"rebase": {func(f *fixture) {
			f.git("commit", "--quiet", "-am", "x")
			f.git("rebase", "--quiet", "--exec", "false || true", "HEAD^")
			f.noErr(os.Mkdir(f.path(".git/rebase-merge"), 0o700))
		}, "A rebase is in progress", false},
		"merge": {func(f *fixture) {
			f.git("reset", "--quiet", "--hard")
			f.git("commit", "--quiet", "--allow-empty", "-m", "x")
			f.git("branch", "side", "HEAD^")
			f.git("checkout", "--quiet", "side")
			f.git("commit", "--quiet", "--allow-empty", "-m", "y")
			f.git("merge", "--quiet", "--no-commit", "--no-ff", "main")
		}, "A merge is in progress", false},
		"bisect":      {func(f *fixture) { f.git("bisect", "start") }, "A bisect is in progress", false},
		"cherry-pick": {func(f *fixture) { f.write(".git/CHERRY_PICK_HEAD", f.git("rev-parse", "HEAD")+"\n") }, "A cherry-pick is in progress", false},
		"revert":      {func(f *fixture) { f.write(".git/REVERT_HEAD", f.git("rev-parse", "HEAD")+"\n") }, "A revert is in progress", false},
		"conflict": {func(f *fixture) {
			f.git("stash", "--quiet", "--include-untracked")
			f.commitFiles("x", map[string]string{"a": "other\n"})
			cmd := exec.CommandContext(f.Context(), "git", "stash", "pop")
			cmd.Dir = f.dir
			if cmd.Run() == nil {
				f.Fatal("no conflict")
			}
		}, "Some files have conflicts", false},
		"lock": {func(f *fixture) { f.write(".git/index.lock", "") }, "Another Git command is changing this repository", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := withChanges(t)
			c.prepare(f)
			before := f.state()
			if got := f.form(backend.CommitAll).Message.String(); !c.silent && !strings.Contains(got, c.want) || c.silent && got != "" {
				t.Errorf("form: got %q", got)
			}
			_, err := f.m.Commit(t.Context(), "chat", backend.ReviewCommitRequest{Message: "m", Files: backend.CommitAll})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v", err)
			}
			f.unchanged(before)
		})
	}
}

func TestFailure_NothingToCommit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.commitFiles("first", map[string]string{"a": "1\n"})
	before := f.state()
	f.failed(backend.ReviewCommitRequest{Files: backend.CommitAll}, "nothing to commit")
	f.failed(backend.ReviewCommitRequest{Files: backend.CommitStaged}, "nothing to commit")
	f.failed(backend.ReviewCommitRequest{Files: backend.CommitChosen, Paths: []string{"a"}}, "nothing to commit")
	f.unchanged(before)
	for _, q := range []backend.ReviewCommitRequest{
		{Message: " \n", Files: backend.CommitAll},
		{Message: "m", Files: backend.CommitChosen},
		{Message: "m", Files: backend.CommitChosen, Paths: []string{"../other"}},
		{Message: "m", Files: backend.CommitChosen, Paths: []string{f.path("a")}},
		{Message: "m", Files: "other"},
	} {
		if _, err := f.m.Commit(t.Context(), "chat", q); backend.CodeOf(err) != backend.CodeInvalid {
			t.Errorf("%+v: got %v", q, err)
		}
	}
}

func TestForm_WithoutRepository(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	if got := f.form(backend.CommitAll).Message.String(); !strings.Contains(got, "isn't in a Git repository") {
		t.Errorf("got %q", got)
	}
	bare := newFixture(t, "--bare")
	if got := bare.form(backend.CommitAll).Message.String(); !strings.Contains(got, "bare repository") {
		t.Errorf("got %q", got)
	}
}

// TestUntrusted_RunsNothing checks that the form and the pull request run no program specified by an untrusted
// repository, and that all other actions are refused.
func TestUntrusted_RunsNothing(t *testing.T) {
	t.Parallel()
	f := withChanges(t)
	mark := filepath.Join(f.home, "ran")
	run := "touch " + mark
	for _, c := range [][2]string{
		{"core.fsmonitor", run},
		{"filter.x.clean", run},
		{"filter.x.process", run},
		{"diff.external", run},
		{"diff.x.textconv", run},
		{"diff.x.command", run},
		{"gpg.program", run},
		{"commit.gpgSign", "true"},
		{"log.showSignature", "true"},
		{"core.pager", run},
		{"pager.diff", run},
		{"core.sshCommand", run},
		{"credential.helper", "!" + run},
		{"core.editor", run},
		{"core.hooksPath", f.path("hooks")},
		{"remote.origin.url", "ext::" + run},
		{"protocol.ext.allow", "always"},
		{"remote.origin.uploadpack", run},
	} {
		f.git("config", c[0], c[1])
	}
	f.write(".gitattributes", "* filter=x diff=x\n")
	for _, hook := range []string{"pre-commit", "post-index-change", "reference-transaction", "pre-push", "fsmonitor-watchman"} {
		f.write("hooks/"+hook, "#!/bin/sh\n"+run+"\n")
		f.noErr(os.Chmod(f.path("hooks/"+hook), 0o700)) //nolint:gosec // must be executable
	}
	_ = os.Remove(mark) // git config itself may have run a program
	f.trusted.Store(false)
	before := f.state()
	for _, files := range []backend.ReviewCommitFiles{backend.CommitAll, backend.CommitStaged, backend.CommitChosen} {
		form := f.form(files, "a", "b")
		if form.Message.IsZero() || form.Suggestion == "" || strings.Join(form.Hooks, " ") != "post-index-change pre-commit reference-transaction pre-push" {
			t.Errorf("got %+v", form)
		}
	}
	if _, err := f.m.Pull(t.Context(), "chat"); err != nil {
		t.Error(err)
	}
	head := f.git("rev-parse", "HEAD")
	for name, do := range map[string]func(ctx context.Context) error{
		"commit": func(ctx context.Context) error {
			_, err := f.m.Commit(ctx, "chat", backend.ReviewCommitRequest{Message: "m", Files: backend.CommitAll})
			return err
		},
		"push": func(ctx context.Context) error {
			_, err := f.m.Push(ctx, "chat", backend.ReviewPushRequest{Remote: "origin"})
			return err
		},
		"open a pull request": func(ctx context.Context) error {
			_, err := f.m.OpenPull(ctx, "chat", backend.ReviewPullRequest{Title: "t"})
			return err
		},
		"undo":    func(ctx context.Context) error { _, err := f.m.UndoCommit(ctx, "chat", head); return err },
		"stage":   func(ctx context.Context) error { return f.m.Stage(ctx, "chat", "b", "", nil, true) },
		"lines":   func(ctx context.Context) error { return f.m.Stage(ctx, "chat", "b", "", [][4]int{{0, 1, 0, 1}}, true) },
		"unstage": func(ctx context.Context) error { return f.m.Stage(ctx, "chat", "a", "", nil, false) },
	} {
		if err := do(t.Context()); backend.CodeOf(err) != backend.CodeUntrusted {
			t.Errorf("%s: got %v", name, err)
		}
	}
	f.unchanged(before)
	if _, err := os.Stat(mark); err == nil {
		t.Error("a program of the repository ran")
	}
}
