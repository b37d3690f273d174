package workspace_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@t"}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestAFolderShowsItsBranchAndWhatIsNotCommitted(t *testing.T) {
	dir := t.TempDir()
	if f := workspace.Describe(t.Context(), dir, true); !f.Exists || f.Branch != "" || f.Message != "" {
		t.Errorf("a folder without git: %+v", f)
	}
	git(t, dir, "init", "-q", "-b", "trunk")
	if f := workspace.Describe(t.Context(), dir, true); f.Branch != "trunk" || f.Changed != 0 {
		t.Errorf("a repository without commits: %+v", f)
	}
	write(t, filepath.Join(dir, "a"), "a")
	git(t, dir, "add", "a")
	git(t, dir, "commit", "-qm", "a")
	write(t, filepath.Join(dir, "a"), "b")
	write(t, filepath.Join(dir, "new"), "n")
	if f := workspace.Describe(t.Context(), dir, true); f.Branch != "trunk" || f.Changed != 2 || f.Name != filepath.Base(dir) {
		t.Errorf("a repository with two changes: %+v", f)
	}
}

func TestLookingAtAFolderThatNobodyTrustsRunsNothingFromIt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the planted program is a shell script")
	}
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	planted, ran := filepath.Join(dir, "planted.sh"), filepath.Join(dir, "ran")
	if err := os.WriteFile(planted, []byte("#!/bin/sh\ntouch "+ran+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "config", "core.fsmonitor", planted)
	workspace.Describe(t.Context(), dir, false)
	if _, err := os.Stat(ran); err == nil {
		t.Error("the repository's own program was run")
	}
}

func TestAFolderThatCannotBeUsedSaysWhy(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	write(t, file, "")
	for path, want := range map[string]string{
		"":                           "Choose a folder",
		"relative/path":              "whole path",
		filepath.Join(dir, "absent"): "There is no folder",
		file:                         "is a file",
	} {
		if f := workspace.Describe(t.Context(), path, true); f.Exists || !strings.Contains(f.Message, want) {
			t.Errorf("%q: %+v", path, f)
		}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := workspace.Resolve("~"); err != nil || got != filepath.Clean(home) {
		t.Errorf("~ is %q, %v", got, err)
	}
	if _, err := workspace.Resolve(filepath.Join(dir, "absent")); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("an absent folder: %v", err)
	}
}
