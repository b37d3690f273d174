package repository_test

import (
	"os"
	"os/exec"
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

// TestCommit_NamesHooksOfConfiguration checks that the form names the hooks in git's configuration if this machine's git
// runs them, which is Git 2.54 or later, and that it names none otherwise. It compares the names with what a commit and
// a push run.
func TestCommit_NamesHooksOfConfiguration(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	remote := f.TempDir()
	f.gitIn(remote, "init", "--quiet", "--bare")
	f.git("remote", "add", "origin", remote)
	f.commitFiles("first", map[string]string{"a": "1\n"})
	list := exec.CommandContext(t.Context(), "git", "-c", "hook.x.event=pre-commit", "-c", "hook.x.command=true", "hook", "list", "pre-commit")
	runs := list.Run() == nil
	for _, c := range [][2]string{
		{"hook.lint.command", "echo lint ran; test ! -f fail"},
		{"hook.lint.event", "pre-commit"},
		{"hook.scan.command", "echo scan ran >&2"},
		{"hook.scan.event", "pre-push"},
		{"hook.off.command", "echo off ran"},
		{"hook.off.event", "pre-commit"},
		{"hook.off.enabled", "false"},
	} {
		f.git("config", "--add", c[0], c[1])
	}
	f.hook("pre-commit", "echo file ran")
	f.write("a", "2\n")
	names, output := "pre-commit", []string{"file ran"}
	if runs {
		names, output = "pre-commit (lint) pre-commit pre-push (scan)", []string{"lint ran", "file ran", "scan ran"}
	}
	f.equal(strings.Join(f.form(backend.CommitAll).Hooks, " "), names)
	if runs {
		f.write("fail", "")
		f.failed(backend.ReviewCommitRequest{Files: backend.CommitAll}, "The pre-commit hook stopped the commit")
		f.noErr(os.Remove(f.path("fail")))
	}
	j := f.done(backend.ReviewCommitRequest{Files: backend.CommitAll})
	if j.Step != backend.StepHooks {
		t.Errorf("got %+v", j)
	}
	said := j.Output + f.push(backend.ReviewPushRequest{Remote: "origin", SetUpstream: true}).Output
	for _, want := range output {
		if !strings.Contains(said, want) {
			t.Errorf("got %q, want %q", said, want)
		}
	}
	if strings.Contains(said, "off ran") {
		t.Errorf("got %q from a disabled hook", said)
	}
	f.hook("pre-commit", "exit 1")
	f.git("config", "hook.pre-commit.enabled", "false")
	if runs && f.form(backend.CommitAll).Hooks[0] == "pre-commit" { // Git 2.54 doesn't know this switch
		f.write("a", "3\n")
		f.failed(backend.ReviewCommitRequest{Files: backend.CommitAll}, "The pre-commit hook stopped the commit")
	}
}
