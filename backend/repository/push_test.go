package repository_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

// withRemote returns a repository whose only commit has been pushed to the remote "origin", a bare repository.
func withRemote(t *testing.T) (f *fixture, remote string) {
	t.Helper()
	f = newFixture(t)
	remote = filepath.Join(filepath.Dir(f.dir), "remote.git")
	f.git("init", "--quiet", "--bare", "--initial-branch=main", remote)
	f.git("remote", "add", "origin", remote)
	f.commitFiles("first", map[string]string{"a": "1\n"})
	f.git("push", "--quiet", "origin", "main")
	return f, remote
}

func (f *fixture) push(q backend.ReviewPushRequest) backend.ReviewJob {
	f.Helper()
	id, err := f.m.Push(f.Context(), "chat", q)
	f.noErr(err)
	return f.ended(id)
}

func (f *fixture) pushFails(want string) {
	f.Helper()
	if j := f.push(backend.ReviewPushRequest{}); j.State != backend.JobFailed || !strings.Contains(j.Message.String(), want) {
		f.Errorf("got %s %q, want %q; output %s", j.State, j.Message, want, j.Output)
	}
}

func TestPush_SetsUpstream(t *testing.T) {
	t.Parallel()
	f, remote := withRemote(t)
	f.git("checkout", "--quiet", "-b", "feature/x")
	f.write("b", "1\n")
	if form := f.form(backend.CommitAll); form.Remote != "origin" || form.Upstream != "" || form.Ahead != 0 || form.Protected || form.Last.Subject != "first" || !form.Last.Pushed {
		t.Errorf("got %+v", form)
	}
	j := f.done(backend.ReviewCommitRequest{Message: "second", Files: backend.CommitAll, Push: true})
	if j.Step != backend.StepPush {
		t.Errorf("got %+v", j)
	}
	f.equal(f.gitIn(remote, "log", "--format=%s", "feature/x"), "second\nfirst")
	f.equal(f.git("rev-parse", "--abbrev-ref", "@{upstream}"), "origin/feature/x")
	f.commitFiles("third", map[string]string{"c": "1\n"})
	if form := f.form(backend.CommitAll); form.Ahead != 1 || form.Behind != 0 || form.Upstream != "origin/feature/x" || form.Last.Pushed {
		t.Errorf("got %+v", form)
	}
}

// TestPush_UsesNameOfBranch checks that a branch is pushed under its own name, not to the branch from which it was
// created.
func TestPush_UsesNameOfBranch(t *testing.T) {
	t.Parallel()
	f, remote := withRemote(t)
	f.git("fetch", "--quiet", "origin")
	f.git("checkout", "--quiet", "-b", "feature", "--track", "origin/main")
	f.commitFiles("second", map[string]string{"b": "1\n"})
	if j := f.push(backend.ReviewPushRequest{}); j.State != backend.JobDone {
		t.Errorf("got %+v", j)
	}
	f.equal(f.gitIn(remote, "for-each-ref", "--format=%(refname:short) %(subject)", "refs/heads"), "feature second\nmain first")
}

// TestPush_ReplacesUpstreamOfOtherName checks that a push replaces the upstream of a branch that was created from
// another branch of the remote. The new upstream is the branch to which it was pushed. If the user has set push.default
// to a mode other than simple, the upstream stays.
func TestPush_ReplacesUpstreamOfOtherName(t *testing.T) {
	t.Parallel()
	for mode, want := range map[string]string{"": "origin/x", "simple": "origin/x", "upstream": "origin/main", "current": "origin/main"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			f, remote := withRemote(t)
			if mode != "" {
				f.git("config", "push.default", mode)
			}
			f.git("fetch", "--quiet", "origin")
			f.git("checkout", "--quiet", "-b", "x", "--track", "origin/main")
			sets := want == "origin/x"
			f.write("b", "1\n")
			if form := f.form(backend.CommitAll); form.Upstream != "origin/main" || form.SetsUpstream != sets || form.Ahead != 0 {
				t.Errorf("at first: got %+v", form)
			}
			f.commitFiles("second", nil)
			if form := f.form(backend.CommitAll); form.Ahead != 1 {
				t.Errorf("before the push: got %+v", form)
			}
			if j := f.push(backend.ReviewPushRequest{}); j.State != backend.JobDone || !j.Pushed {
				t.Errorf("got %+v", j)
			}
			if form := f.form(backend.CommitAll); form.Upstream != want || form.SetsUpstream || form.Ahead != 0 || form.Behind != 0 {
				t.Errorf("after the push: got %+v", form)
			}
			f.commitFiles("third", nil)
			if form := f.form(backend.CommitAll); form.Ahead != 1 {
				t.Errorf("after another commit: got %+v", form)
			}
			f.equal(f.gitIn(remote, "log", "-1", "--format=%s", "x"), "second")
			f.equal(f.gitIn(remote, "log", "-1", "--format=%s", "main"), "first")
		})
	}
}

// TestPush_KeepsUpstreamOfOtherRemote checks that the upstream stays if the branch is pushed to another remote.
func TestPush_KeepsUpstreamOfOtherRemote(t *testing.T) {
	t.Parallel()
	f, remote := withRemote(t)
	fork := remote + ".fork"
	f.git("init", "--quiet", "--bare", fork)
	f.git("remote", "add", "fork", fork)
	f.git("config", "remote.pushDefault", "fork")
	f.git("fetch", "--quiet", "origin")
	f.git("checkout", "--quiet", "-b", "x", "--track", "origin/main")
	f.write("b", "1\n")
	f.done(backend.ReviewCommitRequest{Message: "second", Files: backend.CommitAll, Push: true})
	f.equal(f.gitIn(fork, "log", "-1", "--format=%s", "x"), "second")
	if form := f.form(backend.CommitAll); form.Upstream != "origin/main" || form.Remote != "fork" || form.Ahead != 0 {
		t.Errorf("got %+v", form)
	}
}

// TestForm_NamesWhereCommitWasPushed checks that the form names the branch that got the commit, not the upstream.
func TestForm_NamesWhereCommitWasPushed(t *testing.T) {
	t.Parallel()
	f, remote := withRemote(t)
	fork := remote + ".fork"
	f.git("init", "--quiet", "--bare", fork)
	f.git("remote", "add", "fork", fork)
	f.git("fetch", "--quiet", "origin")
	f.git("checkout", "--quiet", "-b", "x", "--track", "origin/main")
	pushed := func(want string) {
		t.Helper()
		form := f.form(backend.CommitAll)
		if form.Last.PushedTo != want || form.Last.Pushed != (want != "") {
			t.Errorf("got %+v, want pushed to %q", form.Last, want)
		}
	}
	pushed("origin/main") // by another branch
	for _, c := range []struct{ setting, value, want string }{
		{"push.default", "current", "origin/x"},
		{"remote.pushDefault", "fork", "fork/x"},
		{"branch.x.pushRemote", "fork", "fork/x"},
		{"remote.origin.push", "refs/heads/x:refs/heads/y/z", "origin/y/z"},
	} {
		f.git("config", c.setting, c.value)
		f.commitFiles(c.setting, nil)
		pushed("")
		if j := f.push(backend.ReviewPushRequest{}); j.State != backend.JobDone {
			t.Errorf("%s: got %+v", c.setting, j)
		}
		pushed(c.want)
		f.git("config", "--unset-all", c.setting)
	}
	f.commitFiles("in a terminal", nil)
	f.git("push", "--quiet", "fork", "HEAD:other")
	pushed("fork/other")
}

func TestPush_NeverOverwrites(t *testing.T) {
	t.Parallel()
	f, remote := withRemote(t)
	f.git("push", "--quiet", "--set-upstream", "origin", "main")
	other := filepath.Join(filepath.Dir(f.dir), "other")
	f.git("clone", "--quiet", remote, other)
	f.gitIn(other, "commit", "--quiet", "--allow-empty", "-m", "theirs")
	f.gitIn(other, "push", "--quiet")
	f.commitFiles("mine", map[string]string{"b": "1\n"})
	f.git("config", "remote.origin.push", "+refs/heads/*:refs/heads/*")
	f.pushFails("The remote branch has commits that you don't have")
	f.git("fetch", "--quiet")
	if form := f.form(backend.CommitAll); form.Ahead != 1 || form.Behind != 1 {
		t.Errorf("got %+v", form)
	}
	f.pushFails("The remote branch has commits that you don't have")
	f.equal(f.gitIn(remote, "log", "-1", "--format=%s"), "theirs")
}

func TestPush_FailsInWords(t *testing.T) {
	t.Parallel()
	f, remote := withRemote(t)
	f.commitFiles("second", map[string]string{"b": "1\n"})
	f.noErr(os.WriteFile(filepath.Join(remote, "hooks", "pre-receive"), []byte("#!/bin/sh\necho 'not on Fridays'\nexit 1\n"), 0o700)) //nolint:gosec // must be executable
	f.pushFails("The remote declined the push: pre-receive hook declined")
	f.noErr(os.Remove(filepath.Join(remote, "hooks", "pre-receive")))
	f.hook("pre-push", "echo 'tests failed'; exit 1")
	f.pushFails("The pre-push hook stopped the push")
	f.equal(f.gitIn(remote, "log", "-1", "--format=%s"), "first")
	f.noErr(os.Remove(f.path(".git/hooks/pre-push")))

	closed, err := net.Listen("tcp", "127.0.0.1:0")
	f.noErr(err)
	f.noErr(closed.Close())
	for url, want := range map[string]string{
		remote + ".none": "The remote repository doesn't exist",
		"https://" + closed.Addr().String() + "/a/b.git": "Can't reach the remote",
	} {
		f.git("remote", "set-url", "origin", url)
		f.pushFails(want)
	}
	f.git("remote", "set-url", "origin", "ssh://host/a/b")
	f.git("config", "core.sshCommand", "echo 'git@host: Permission denied (publickey).' >&2; exit 255; :")
	f.pushFails("Couldn't sign in to the remote")
	f.git("config", "core.sshCommand", "echo 'ssh: Could not resolve hostname host: Name or service not known' >&2; exit 255; :")
	f.pushFails("Can't reach the remote")

	for name, c := range map[string]struct {
		args []string
		q    backend.ReviewPushRequest
		want string
	}{
		"no remote":      {[]string{"remote", "remove", "origin"}, backend.ReviewPushRequest{}, "has no remote"},
		"unknown remote": {[]string{"remote", "add", "origin", remote}, backend.ReviewPushRequest{Remote: "--force"}, "The remote --force doesn't exist"},
		"no branch":      {[]string{"checkout", "--quiet", "--detach"}, backend.ReviewPushRequest{}, "No branch is checked out"},
	} {
		g, _ := withRemote(t)
		if name == "unknown remote" {
			g.git("remote", "remove", "origin")
		}
		g.git(c.args...)
		if _, err := g.m.Push(t.Context(), "chat", c.q); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestPush_FailureKeepsCommit checks that a commit is kept if its push fails.
func TestPush_FailureKeepsCommit(t *testing.T) {
	t.Parallel()
	f, _ := withRemote(t)
	f.hook("pre-push", "exit 1")
	f.write("b", "1\n")
	j := f.commit(backend.ReviewCommitRequest{Message: "second", Files: backend.CommitAll, Push: true})
	if j.State != backend.JobFailed || j.Commit == nil || j.Step != backend.StepPush {
		t.Errorf("got %+v", j)
	}
	f.equal(f.git("log", "-1", "--format=%s"), "second")
}

func TestPush_ChoosesRemote(t *testing.T) {
	t.Parallel()
	f, _ := withRemote(t)
	second := filepath.Join(filepath.Dir(f.dir), "second.git")
	f.git("init", "--quiet", "--bare", second)
	f.git("remote", "add", "fork", second)
	if j := f.push(backend.ReviewPushRequest{Remote: "fork", SetUpstream: true}); j.State != backend.JobDone {
		t.Errorf("got %+v", j)
	}
	f.equal(f.gitIn(second, "log", "--format=%s", "main"), "first")
	if form := f.form(backend.CommitAll); form.Upstream != "fork/main" || form.Remote != "fork" || strings.Join(form.Remotes, " ") != "fork origin" {
		t.Errorf("got %+v", form)
	}
}
