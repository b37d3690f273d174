// Package repository makes commits in a chat's folder with the user's own git. It suggests commits, commits and pushes
// in the background, stages files and lines, and opens pull requests.
//
//   - repository.go, read.go: finding and reading the repository of a chat's folder.
//   - form.go, suggest.go, style.go, remote.go: the form for a commit, with a suggested message.
//   - jobs.go, run*.go, commit.go, draft.go, hooks.go, trailer.go, index.go, push.go: background jobs.
//   - failure.go: user-facing errors for git's failures.
//   - undo.go, stage.go, lines.go: changes that are made immediately.
//   - pull.go, pullform.go: pull requests, through the GitHub CLI.
//
// Reading never runs a program specified by the repository. All other actions require that the user trusts the folder,
// and run the same hooks, filters and signing programs as git does in a terminal.
package repository

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/process"
)

// Config holds the dependencies of a Manager.
type Config struct {
	LoginPath func() string   // the user's PATH
	Env       func() []string // the environment of the user's programs, without PATH
	Chat      func(id string) (backend.Chat, error)
	// Trusted reports whether the user trusts all files in the chat's folder that can run code.
	Trusted func(ctx context.Context, chat backend.Chat) bool
	// Blocks converts blocks of a file's changes in the source "working" from the version that was shown to the current
	// version of the file. It also returns the file's old path, or "" if the file wasn't moved. It returns CodeStale if
	// one of the lines or, without blocks, the file has changed since. If Blocks is nil, versions aren't checked.
	Blocks func(ctx context.Context, chatID, path, version string, blocks [][4]int) (now [][4]int, from string, err error)
	// Files returns the changed files of the source "working" with their current versions. If Files is nil, the
	// versions of the files to commit aren't checked.
	Files func(ctx context.Context, chatID string) ([]backend.ReviewFile, error)
	// NameChat reports whether commits get a trailer with the chat's title. If NameChat is nil, commits don't get one.
	NameChat func() bool
	Publish  func(...backend.Event)
	Redact   func(string) string // removes secrets from output; may be nil
	Log      *slog.Logger
}

// Manager makes commits and pushes, stages changes, and opens pull requests. It is safe for concurrent use.
type Manager struct {
	cfg   Config
	every time.Duration // minimum time between two events with new output of a job

	life context.Context // parent context of jobs
	end  context.CancelFunc
	jobs sync.WaitGroup

	mu     sync.Mutex
	closed bool
	byID   map[string]*job
	ended  []string                   // IDs of the finished jobs that are kept, oldest first
	last   map[string]<-chan struct{} // by git directory; closed when the directory's last job has ended
}

// outputInterval is the minimum time between two events with new output of a job.
const outputInterval = 300 * time.Millisecond

// New returns a Manager.
func New(cfg Config) *Manager {
	if cfg.Redact == nil {
		cfg.Redact = func(text string) string { return text }
	}
	m := &Manager{cfg: cfg, every: outputInterval, byID: map[string]*job{}, last: map[string]<-chan struct{}{}}
	m.life, m.end = context.WithCancel(context.Background())
	return m
}

// Close cancels all jobs and returns when they have ended.
func (m *Manager) Close() {
	m.mu.Lock()
	m.closed = true
	m.mu.Unlock()
	m.end()
	m.jobs.Wait()
}

// repo is the repository of a chat's folder. Paths passed to its methods are relative to the repository's root, with
// slashes.
type repo struct {
	workspace.Repository
	m      *Manager
	chat   backend.Chat
	git    string // path of the user's git
	prefix string // path of the chat's folder, "" for the root
	// hookOutput also receives the error output of git commands that change the repository, which includes the output
	// of hooks. It may be nil.
	hookOutput io.Writer
}

var (
	errNoRepository = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The folder isn't in a Git repository, or Git isn't installed.")}
	errBare         = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("This is a bare repository. It has no files to commit.")}
	errUntrusted    = &backend.Error{Code: backend.CodeUntrusted, Message: backend.Say("Trust this folder first. Git can run the folder's hooks, filters and other programs.")}
)

// open returns the repository that contains a chat's folder. It runs no programs.
func (m *Manager) open(chatID string) (*repo, error) {
	chat, err := m.cfg.Chat(chatID)
	if err != nil {
		return nil, err
	}
	real := workspace.WithoutLinks(chat.Folder)
	r := &repo{m: m, chat: chat, Repository: workspace.FindRepository(real), git: workspace.Program(chat.Folder, m.cfg.LoginPath(), "git")}
	switch {
	case r.git == "" || r.Dir == "":
		return nil, errNoRepository
	case r.Dir == r.Root:
		return nil, errBare
	}
	prefix, err := filepath.Rel(r.Root, real)
	if err != nil || !filepath.IsLocal(prefix) {
		return nil, errNoRepository
	}
	if prefix != "." {
		r.prefix = filepath.ToSlash(prefix)
	}
	return r, nil
}

// openTrusted does the same as open, but returns CodeUntrusted unless the user trusts all code in the folder that git
// could run.
func (m *Manager) openTrusted(ctx context.Context, chatID string) (*repo, error) {
	r, err := m.open(chatID)
	if err != nil {
		return nil, err
	}
	return r, r.checkTrust(ctx)
}

func (r *repo) checkTrust(ctx context.Context) error {
	if r.m.cfg.Trusted(ctx, r.chat) {
		return nil
	}
	return errors.Join(ctx.Err(), errUntrusted)
}

// inRoot converts paths relative to the chat's folder to paths relative to the repository's root. The result is sorted
// and has no duplicates. inRoot returns CodeInvalid if a path leads out of the folder.
func (r *repo) inRoot(paths []string) ([]string, error) {
	var in []string
	for _, p := range paths {
		if p == "" || p == "." || !filepath.IsLocal(filepath.FromSlash(p)) || strings.ContainsRune(p, 0) {
			return nil, backend.Invalid("%s isn't a file in this folder.", p)
		}
		in = append(in, path.Join(r.prefix, p))
	}
	slices.Sort(in)
	return slices.Compact(in), nil
}

// isInFolder reports whether a file of the repository is inside the chat's folder.
func (r *repo) isInFolder(p string) bool { return r.prefix == "" || strings.HasPrefix(p, r.prefix+"/") }

// foreign lists the environment variables that aren't passed on to git. The program that started VoxPilot may have set
// them. Most of them make git use a repository, index or configuration other than the folder's, or send reports to
// another program. PATH and LANGUAGE are in the list because the method environment sets them itself.
var foreign = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_INDEX_VERSION", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH",
	"GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_GRAFT_FILE", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE", "GIT_PREFIX",
	"GIT_SHALLOW_FILE", "GIT_COMMON_DIR", "GIT_IMPLICIT_WORK_TREE", "GIT_INTERNAL_SUPER_PREFIX", "GIT_NAMESPACE", "GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS",
	"GIT_REFLOG_ACTION", "GIT_TRACE2_PARENT_SID", "GIT_TRACE2_PARENT_NAME", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
	"PATH", "LANGUAGE",
}

// environment returns the user's environment for git, followed by the given variables. It sets LANGUAGE so that git
// prints its messages in English, because VoxPilot parses them. The user's other language settings are kept, so that
// hooks use the usual encoding and formats.
func (m *Manager) environment(more ...string) []string {
	env := slices.DeleteFunc(process.Scrub(m.cfg.Env()), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.ContainsFunc(foreign, func(f string) bool { return process.SameVar(f, name) })
	})
	env = append(env, "PATH="+m.cfg.LoginPath(), "LANGUAGE=en", "GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=true", "GIT_SEQUENCE_EDITOR=true")
	return append(env, more...)
}

// lockFile is the name of the file that exists while the index is locked.
const lockFile = "index.lock"

func (r *repo) index() string { return filepath.Join(r.Dir, "index") }

// isLocked reports whether the index is locked. Git locks the index while it changes it.
func (r *repo) isLocked() bool {
	_, err := os.Lstat(filepath.Join(r.Dir, lockFile))
	return err == nil
}
