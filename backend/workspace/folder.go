// Package workspace is about the files of a chat's folder.
package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/realpath"
)

// Folder is what the window shows of a folder before a chat begins in it.
type Folder struct {
	Path    string `json:"path"` // absolute and clean
	Name    string `json:"name"`
	Exists  bool   `json:"exists"`
	Branch  string `json:"branch"`  // of git; "" where there is none
	Changed int    `json:"changed"` // files not committed
	Message string `json:"message"` // why the folder cannot be used; "" where it can
}

// gitTime bounds the look at a repository; a huge or slow one shows no branch.
const gitTime = 2 * time.Second

// Describe looks at the folder at path, which may begin with "~". It always
// answers; what is wrong is in Message. Changed is counted only where the user
// trusts the folder (a chat was begun in it): `git status` runs programs that
// the repository names in its own configuration.
func Describe(ctx context.Context, path string, trusted bool) Folder {
	path, err := Resolve(path)
	f := Folder{Path: path, Name: filepath.Base(path)}
	if err != nil {
		f.Message = err.Error()
		return f
	}
	f.Exists = true
	if head, ok := git(ctx, path, "symbolic-ref", "--quiet", "--short", "HEAD"); ok {
		f.Branch = strings.TrimSpace(head)
	}
	if trusted && f.Branch != "" {
		status, _ := git(ctx, path, "status", "--porcelain=v1", "--ignore-submodules=all")
		f.Changed = strings.Count(status, "\n")
	}
	return f
}

// Resolve makes path absolute and clean, and checks that it is a folder that
// can be read. Errors are for a person.
func Resolve(path string) (string, error) {
	path = strings.TrimSpace(path)
	if path == "" {
		return "", &backend.Error{Code: backend.CodeInvalid, Message: "Choose a folder first."}
	}
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		if home, err := os.UserHomeDir(); err == nil {
			path = home + rest
		}
	}
	if !filepath.IsAbs(path) {
		return path, &backend.Error{Code: backend.CodeInvalid, Message: "The folder needs its whole path, from the root or from ~."}
	}
	clean, err := realpath.Clean(path)
	var info fs.FileInfo
	if err == nil {
		path = clean
		info, err = os.Stat(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return path, &backend.Error{Code: backend.CodeNotFound, Message: "There is no folder " + path + "."}
	case err != nil:
		return path, &backend.Error{Code: backend.CodeInvalid, Message: "The folder " + path + " cannot be opened.", Detail: err.Error()}
	case !info.IsDir():
		return path, &backend.Error{Code: backend.CodeInvalid, Message: path + " is a file. Choose the folder it is in."}
	}
	d, err := os.Open(path)
	if err != nil {
		return path, &backend.Error{Code: backend.CodeInvalid, Message: "VoxPilot can't read the folder " + path + ".", Detail: err.Error()}
	}
	return path, d.Close()
}

// git is the output of a git command that only reads, in bounded time.
func git(ctx context.Context, path string, args ...string) (out string, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", path, "-c", "core.fsmonitor=false"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
	cmd.WaitDelay = time.Second
	body, err := cmd.Output()
	return string(body), err == nil
}
