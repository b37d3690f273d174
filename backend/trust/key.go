package trust

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/voxpilot/voxpilot/backend/workspace"
)

// keyOf is the key under which trust in a folder is kept: the git directory that
// all worktrees share, where that says itself that the folder is one of its
// worktrees, and the root for all else. A ".git" that only names another
// repository's directory has no part in that one's trust.
func keyOf(f Found) string {
	repo := workspace.FindRepository(f.Root)
	common, err := filepath.EvalSymlinks(repo.Common)
	if repo.Common == "" || err != nil {
		return f.Root
	}
	own := filepath.Join(f.Root, ".git")
	if common == own && repo.Dir == own {
		return common
	}
	dir, err := filepath.EvalSymlinks(repo.Dir)
	if err != nil || filepath.Dir(dir) != filepath.Join(common, "worktrees") {
		return f.Root
	}
	named, err := os.ReadFile(filepath.Join(dir, "gitdir"))
	if err != nil {
		return f.Root
	}
	at := filepath.FromSlash(strings.TrimSpace(string(named)))
	if !filepath.IsAbs(at) { // as worktree.useRelativePaths has it
		at = filepath.Join(dir, at)
	}
	there, err := os.Stat(at)
	here, err2 := os.Lstat(own)
	if err != nil || err2 != nil || !os.SameFile(there, here) {
		return f.Root
	}
	return common
}
