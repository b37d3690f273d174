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

func TestDescribe_BranchAndUncommittedChanges(t *testing.T) {
	dir := t.TempDir()
	if f := workspace.Describe(t.Context(), os.Getenv("PATH"), dir, true); !f.Exists || f.Branch != "" || !f.Message.IsZero() {
		t.Errorf("a folder without git: %+v", f)
	}
	git(t, dir, "init", "-q", "-b", "trunk")
	if f := workspace.Describe(t.Context(), os.Getenv("PATH"), dir, true); f.Branch != "trunk" || f.Changed != 0 {
		t.Errorf("a repository without commits: %+v", f)
	}
	write(t, filepath.Join(dir, "a"), "a")
	git(t, dir, "add", "a")
	git(t, dir, "commit", "-qm", "a")
	write(t, filepath.Join(dir, "a"), "b")
	write(t, filepath.Join(dir, "new"), "n")
	if f := workspace.Describe(t.Context(), os.Getenv("PATH"), dir, true); f.Branch != "trunk" || f.Changed != 2 || f.Name != filepath.Base(dir) {
		t.Errorf("a repository with two changes: %+v", f)
	}
}

// TestDescribe_RunsNothingOfRepository checks that describing a folder runs no program from the repository's
// configuration and attributes, which an agent may edit. In the test, they name a program in every place where git
// would run one to find changes.
func TestDescribe_RunsNothingOfRepository(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the planted program is a shell script")
	}
	for name, set := range map[string]func(planted string) [][2]string{
		"fsmonitor": func(planted string) [][2]string { return [][2]string{{"core.fsmonitor", planted}} },
		"clean": func(planted string) [][2]string {
			return [][2]string{{"filter.evil.clean", planted + " clean"}, {"filter.evil.required", "true"}}
		},
		"upload-pack": func(planted string) [][2]string { // in a partial clone
			return [][2]string{{"core.sshCommand", planted}, {"core.repositoryFormatVersion", "1"}, {"extensions.partialClone", "origin"}, {"remote.origin.promisor", "true"}, {"remote.origin.url", "git@localhost:x/y.git"}}
		},
		"hook": func(string) [][2]string { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			planted, ran := filepath.Join(t.TempDir(), "planted.sh"), filepath.Join(t.TempDir(), "ran")
			script := func(file, text string) {
				t.Helper()
				write(t, file, "#!/bin/sh\necho \""+text+" $*\" >> "+ran+"\n")
				if err := os.Chmod(file, 0o700); err != nil { //nolint:gosec // must be executable
					t.Fatal(err)
				}
			}
			script(planted, name)
			git(t, dir, "init", "-q", "-b", "trunk")
			write(t, filepath.Join(dir, "a.txt"), "one\n")
			git(t, dir, "add", "-A")
			git(t, dir, "commit", "-qm", "a")
			write(t, filepath.Join(dir, "b.txt"), "two\n")
			git(t, dir, "add", "-A")
			write(t, filepath.Join(dir, "a.txt"), "two\n")
			write(t, filepath.Join(dir, ".gitattributes"), "* filter=evil\n")
			settings := set(planted)
			if name == "hook" {
				script(filepath.Join(dir, ".git", "hooks", "post-index-change"), "hook")
			}
			if name == "upload-pack" { // git fetches the missing object
				out, err := exec.CommandContext(t.Context(), "git", "-C", dir, "rev-parse", "HEAD^{tree}").Output()
				if err != nil {
					t.Fatal(err)
				}
				tree := strings.TrimSpace(string(out))
				if err := os.Remove(filepath.Join(dir, ".git", "objects", tree[:2], tree[2:])); err != nil {
					t.Fatal(err)
				}
			}
			for _, setting := range settings {
				git(t, dir, "config", setting[0], setting[1])
			}
			for _, count := range []bool{false, true} {
				f := workspace.Describe(t.Context(), os.Getenv("PATH"), dir, count)
				if body, err := os.ReadFile(ran); err == nil {
					t.Errorf("got the repository's programs run: %s", body)
				}
				if f.Branch != "trunk" {
					t.Errorf("got %+v, want the branch", f)
				}
			}
			// Control: without the options, git runs it.
			_ = exec.CommandContext(t.Context(), "git", "-C", dir, "status").Run() // an object is missing
			body, err := os.ReadFile(ran)
			if err != nil || !strings.Contains(string(body), name) {
				t.Errorf("got %q, %v run by git itself, want %s", body, err, name)
			}
		})
	}
}

func TestRepository_ReadsTheBranch(t *testing.T) {
	dir := t.TempDir()
	branch := func(at ...string) string {
		return workspace.FindRepository(filepath.Join(append([]string{dir}, at...)...)).Branch()
	}
	if got := branch(); got != "" {
		t.Errorf("got %q outside of a repository", got)
	}
	git(t, dir, "init", "-q", "-b", "feature/one")
	if err := os.MkdirAll(filepath.Join(dir, "sub", ".git"), 0o700); err != nil { // ignored by git
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "a"), "a")
	if one, two := branch(), branch("sub"); one != "feature/one" || two != one {
		t.Errorf("got %q and %q, want the branch", one, two)
	}
	git(t, dir, "add", "a")
	git(t, dir, "commit", "-qm", "a")
	git(t, dir, "worktree", "add", "-q", "-b", "two", "tree")
	if got := branch("tree"); got != "two" {
		t.Errorf("got %q, want the branch of the worktree", got)
	}
	git(t, dir, "checkout", "-q", "--detach")
	if got := branch(); got != "" {
		t.Errorf("got %q, want none for a commit", got)
	}
}

func TestFolder_UnusableExplained(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	write(t, file, "")
	for path, want := range map[string]string{
		"":                           "Choose a folder",
		"relative/path":              "full path",
		filepath.Join(dir, "absent"): "doesn't exist",
		file:                         "is a file",
	} {
		if f := workspace.Describe(t.Context(), os.Getenv("PATH"), path, true); f.Exists || !strings.Contains(f.Message.String(), want) {
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
