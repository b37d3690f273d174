package trust

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/voxpilot/voxpilot/internal/need"
)

// TestOwnGitDirs checks that a git directory counts as a work tree's own only if it is the tree's ".git" or names the
// tree.
func TestOwnGitDirs(t *testing.T) {
	need.Programs(t, "git")
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(base, filepath.FromSlash(name)) }
	git := func(dir string, args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b.test", "-c", "protocol.file.allow=always"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(at(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	git(base, "init", "-q", "victim")
	git(at("victim"), "commit", "-q", "--allow-empty", "-m", "one")
	git(at("victim"), "worktree", "add", "-q", "../tree")
	git(base, "init", "-q", "super")
	git(at("super"), "submodule", "--quiet", "add", "../victim", "sub")
	git(base, "init", "-q", "--bare", "bare")
	git(base, "init", "-q", "--separate-git-dir=apart", "separate")
	git(base, "init", "-q", "common")
	write("victim/deep/file", "")
	write("file/.git", "gitdir: "+at("victim/.git")+"\n")
	write("relative/.git", "gitdir: ../victim/.git\n")
	write("asTree/.git", "gitdir: "+at("victim/.git/worktrees/tree")+"\n")
	write("asModule/.git", "gitdir: "+at("super/.git/modules/sub")+"\n")
	write("common/.git/commondir", at("victim/.git")+"\n")
	if err := os.Mkdir(at("link"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(at("victim/.git"), at("link/.git")); err != nil {
		t.Logf("no links: %v", err)
	}
	for folder, want := range map[string][]string{
		"victim": {"victim/.git"}, "victim/deep": {"victim/.git"}, "bare": {"bare"},
		"tree": {"victim/.git/worktrees/tree", "victim/.git"}, "super/sub": {"super/.git/modules/sub"},
		"common": {"common/.git"},
		// Nothing in the git directory says that it belongs to these folders.
		"file": nil, "relative": nil, "asTree": nil, "asModule": nil, "link": nil, "separate": nil,
	} {
		for i, name := range want {
			want[i] = at(name)
		}
		if got := OwnGitDirs(at(folder)); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", folder, got, want)
		}
	}
}
