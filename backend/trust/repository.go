package trust

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/voxpilot/voxpilot/backend/workspace"
)

// maxConfig is the maximum size in bytes of a git configuration file that OwnGitDirs reads.
const maxConfig = 1 << 20

// OwnGitDirs returns the git directories to which git commands in the folder write. Links in their paths are resolved.
// Besides the work tree's own ".git", it returns a directory only if that directory names the work tree: as one of its
// worktrees, or in core.worktree, as the git directory of a submodule does. Without this check, a ".git" file, a link
// or a commondir file could make it return the directory of any other repository.
func OwnGitDirs(folder string) []string {
	repo := workspace.FindRepository(folder)
	dir, err := filepath.EvalSymlinks(repo.Dir)
	root, err2 := filepath.EvalSymlinks(repo.Root)
	if repo.Dir == "" || err != nil || err2 != nil {
		return nil
	}
	switch {
	case dir == root || dir == filepath.Join(root, ".git"): // bare or main
		return []string{dir}
	case isWorktreeOf(repo):
		if common, err := filepath.EvalSymlinks(repo.Common); err == nil {
			return []string{dir, common}
		}
	case namesWorkTree(dir, root):
		return []string{dir}
	}
	return nil
}

// isWorktreeOf reports whether the repository's work tree is a worktree listed in the git directory that it shares
// with other worktrees.
func isWorktreeOf(repo workspace.Repository) bool {
	common, err := filepath.EvalSymlinks(repo.Common)
	dir, err2 := filepath.EvalSymlinks(repo.Dir)
	if err != nil || err2 != nil || filepath.Dir(dir) != filepath.Join(common, "worktrees") {
		return false
	}
	named, err := os.ReadFile(filepath.Join(dir, "gitdir"))
	if err != nil {
		return false
	}
	at := filepath.FromSlash(strings.TrimSpace(string(named)))
	if !filepath.IsAbs(at) { // as with worktree.useRelativePaths
		at = filepath.Join(dir, at)
	}
	there, err := os.Stat(at)
	here, err2 := os.Lstat(filepath.Join(repo.Root, ".git"))
	return err == nil && err2 == nil && os.SameFile(there, here)
}

// namesWorkTree reports whether the git directory at the path dir sets core.worktree to the path root.
func namesWorkTree(dir, root string) bool {
	name := filepath.Join(dir, "config")
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxConfig {
		return false
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return false
	}
	settings, _ := parseConfig(string(text))
	named := ""
	for _, s := range settings {
		if s.section == "core" && s.sub == "" && s.variable == "worktree" {
			named = filepath.FromSlash(s.value) // as in git, the last one counts
		}
	}
	if named == "" {
		return false
	}
	if !filepath.IsAbs(named) {
		named = filepath.Join(dir, named)
	}
	to, err := filepath.EvalSymlinks(named)
	return err == nil && to == root
}
