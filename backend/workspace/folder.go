// Package workspace gives access to the files of a chat's folder.
package workspace

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/realpath"
)

// Folder holds the information shown about a folder before a chat starts in it.
//
//tsgen:name FolderFacts
type Folder struct {
	Path    string          `json:"path"` // absolute, in its shortest form
	Name    string          `json:"name"`
	Exists  bool            `json:"exists"`
	Branch  string          `json:"branch"`  // git branch; "" if there is none
	Changed int             `json:"changed"` // number of uncommitted files
	Message backend.Message `json:"message"` // why the folder can't be used; empty if it can
}

// gitTime is the time limit for inspecting a repository. If it is exceeded, the number of changed files is reported
// as 0.
const gitTime = 2 * time.Second

// Describe returns information about the folder at path, which may start with "~". Errors are reported
// in Message. loginPath is the user's PATH, used to find git. Changed is set only if count is true and
// a branch is checked out; no program named by the repository is run to determine it.
func Describe(ctx context.Context, loginPath, path string, count bool) Folder {
	path, err := Resolve(path)
	f := Folder{Path: path, Name: filepath.Base(path)}
	if err != nil {
		f.Message = backend.MessageOf(err)
		return f
	}
	f.Exists = true
	f.Branch = FindRepository(path).Branch()
	if count && f.Branch != "" {
		f.Changed = changed(ctx, loginPath, path)
	}
	return f
}

// changed returns the number of uncommitted files, or 0 if git is missing, fails or takes too long.
func changed(ctx context.Context, loginPath, folder string) int {
	ctx, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	program, env := Program(folder, loginPath, "git"), GitEnvironment(loginPath)
	if program == "" {
		return 0
	}
	off, err := FiltersOff(ctx, folder, program, env)
	if err != nil {
		return 0
	}
	args := slices.Concat(GitOptions(), off, []string{"status", "--porcelain=v1", "--ignore-submodules=all"})
	out, err := Command(ctx, folder, program, env, args...).Output()
	if err != nil {
		return 0
	}
	return bytes.Count(out, []byte("\n"))
}

// Resolve expands a leading "~" in path, cleans it, and checks that it is the absolute path of a readable folder.
// Errors are for the user.
func Resolve(path string) (string, error) {
	path = strings.TrimSpace(path)
	if path == "" {
		return "", backend.Invalid("Choose a folder first.")
	}
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		if home, err := os.UserHomeDir(); err == nil {
			path = home + rest
		}
	}
	if !filepath.IsAbs(path) {
		return path, backend.Invalid("Enter the folder's full path, or a path starting with ~.")
	}
	clean, err := realpath.Clean(path)
	var info fs.FileInfo
	if err == nil {
		path = clean
		info, err = os.Stat(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return path, &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("The folder %s doesn't exist.", path)}
	case err != nil:
		return path, &backend.Error{Code: backend.CodeInvalid, Message: backend.Say("Can't open the folder %s.", path), Detail: err.Error()}
	case !info.IsDir():
		return path, backend.Invalid("%s is a file. Choose the folder that contains it.", path)
	}
	d, err := os.Open(path)
	if err != nil {
		return path, &backend.Error{Code: backend.CodeInvalid, Message: backend.Say("VoxPilot can't read the folder %s.", path), Detail: err.Error()}
	}
	return path, d.Close()
}

// Repository is the location of a folder's repository.
type Repository struct {
	Root   string // work tree; the folder itself if there is no repository
	Dir    string // git directory; "" if there is none
	Common string // git directory shared by all worktrees of the repository
}

// WithoutLinks returns the path of a folder with all links resolved, or the folder as it is if that fails. Git uses
// the resolved path, so FindRepository must be called with it.
func WithoutLinks(folder string) string {
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		return real
	}
	return folder
}

// FindRepository finds the repository of a folder without running git. A ".git" that
// git would ignore is ignored too.
func FindRepository(folder string) Repository {
	for at := folder; ; at = filepath.Dir(at) {
		if dir := gitDir(filepath.Join(at, ".git")); dir != "" {
			return Repository{Root: at, Dir: dir, Common: commonDir(dir)}
		}
		if isGitDir(at) { // bare repository
			return Repository{Root: at, Dir: at, Common: at}
		}
		if filepath.Dir(at) == at {
			return Repository{Root: folder}
		}
	}
}

// gitDir returns the git directory for the ".git" at a path: that path itself if it is a git directory, or else the
// directory to which the ".git" refers. It returns "" if the ".git" isn't valid.
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
	if isForeign(file, dir) || !isGitDir(dir) {
		return ""
	}
	return dir
}

// isGitDir reports whether git would accept the directory as a git directory.
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

// commonDir returns the directory that the git directory dir shares with the git directories of other worktrees. It
// returns dir itself if dir isn't the git directory of an additional worktree.
func commonDir(dir string) string {
	body, err := readSmall(filepath.Join(dir, "commondir"))
	to := filepath.FromSlash(strings.TrimSpace(body))
	if err != nil || to == "" {
		return dir
	}
	if !filepath.IsAbs(to) {
		to = filepath.Join(dir, to)
	}
	if isForeign(dir, to) {
		return dir
	}
	return to
}

// Branch returns the checked-out branch, without running git. It returns "" if a commit
// is checked out instead of a branch, or if there is no repository.
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

// maxSmall is the maximum size in bytes of the git files that readSmall reads.
const maxSmall = 64 << 10

// readSmall returns the content of a regular file of at most maxSmall bytes, or fs.ErrInvalid for any other file.
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
