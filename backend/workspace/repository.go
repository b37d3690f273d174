package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Repository is where a folder's repository is.
type Repository struct {
	Root   string // the work tree; the folder itself where there is no repository
	Dir    string // the git directory; "" where there is none
	Common string // the git directory that all worktrees of the repository share
}

// FindRepository looks for the repository of a folder without running git. A
// ".git" that git would pass over is passed over here too.
func FindRepository(folder string) Repository {
	for at := folder; ; at = filepath.Dir(at) {
		if dir := gitDir(filepath.Join(at, ".git")); dir != "" {
			return Repository{Root: at, Dir: dir, Common: commonDir(dir)}
		}
		if isGitDir(at) { // a repository without a work tree
			return Repository{Root: at, Dir: at, Common: at}
		}
		if filepath.Dir(at) == at {
			return Repository{Root: folder}
		}
	}
}

// gitDir is the git directory that ".git" is or names; "" where it is none.
func gitDir(file string) string {
	if isGitDir(file) {
		return file
	}
	body, err := readSmall(file)
	to, ok := strings.CutPrefix(body, "gitdir:")
	if err != nil || !ok {
		return ""
	}
	dir := filepath.FromSlash(strings.TrimSpace(to))
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(filepath.Dir(file), dir)
	}
	if foreign(file, dir) || !isGitDir(dir) {
		return ""
	}
	return dir
}

// isGitDir reports whether git takes the directory for a git directory.
func isGitDir(dir string) bool {
	if info, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil || info.IsDir() {
		return false
	}
	common := commonDir(dir)
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(common, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// commonDir is the directory that a git directory shares with those of the other
// worktrees.
func commonDir(dir string) string {
	body, err := readSmall(filepath.Join(dir, "commondir"))
	to := filepath.FromSlash(strings.TrimSpace(body))
	if err != nil || to == "" {
		return dir
	}
	if !filepath.IsAbs(to) {
		to = filepath.Join(dir, to)
	}
	if foreign(dir, to) {
		return dir
	}
	return to
}

// Branch is the branch that is checked out, read without running git. It is ""
// where a commit is checked out, and where there is no repository.
func (r Repository) Branch() string {
	if r.Dir == "" {
		return ""
	}
	body, err := readSmall(filepath.Join(r.Dir, "HEAD"))
	if err != nil {
		return ""
	}
	ref, ok := strings.CutPrefix(strings.TrimSpace(body), "ref:")
	branch, named := strings.CutPrefix(strings.TrimSpace(ref), "refs/heads/")
	if !ok || !named || branch == ".invalid" || strings.ContainsFunc(branch, func(r rune) bool { return r < ' ' || r == 0x7F }) {
		return ""
	}
	return branch
}

// maxSmall is the size of the largest of git's own small files.
const maxSmall = 64 << 10

// readSmall reads a small regular file.
func readSmall(file string) (string, error) {
	info, err := os.Stat(file)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Size() > maxSmall {
		return "", fs.ErrInvalid
	}
	body, err := os.ReadFile(file)
	return string(body), err
}
