package repository_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/repository"
	"github.com/voxpilot/voxpilot/internal/process"
)

func TestMain(m *testing.M) {
	process.ExecIfRequested()
	commitInChild()
	goleak.VerifyTestMain(m)
}

// fixture is a repository with a Manager.
type fixture struct {
	*testing.T
	dir      string // the chat's folder
	home     string
	env      []string
	m        *repository.Manager
	trusted  atomic.Bool
	bin      string // a folder before those of the PATH, or ""
	onlyPath string // replaces the PATH, or ""
	title    string // title of the chat
	nameChat bool
	files    func(ctx context.Context, chatID string) ([]backend.ReviewFile, error) // becomes Config.Files

	mu     sync.Mutex
	events []backend.Event
	wake   chan struct{} // receives a value after an event
}

// newFixture creates a repository without commits.
func newFixture(t *testing.T, init ...string) *fixture {
	t.Helper()
	f := newFolder(t)
	f.git(append([]string{"init", "--quiet", "--initial-branch=main"}, init...)...)
	return f
}

func newFolder(t *testing.T) *fixture {
	t.Helper()
	return newFolderIn(t, t.TempDir())
}

func newFolderIn(t *testing.T, base string) *fixture {
	t.Helper()
	f := &fixture{T: t, dir: filepath.Join(base, "work"), home: filepath.Join(base, "home"), wake: make(chan struct{}, 1)}
	f.noErr(os.MkdirAll(f.dir, 0o700))
	f.noErr(os.MkdirAll(f.home, 0o700))
	f.trusted.Store(true)
	f.env = []string{"HOME=" + f.home, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + filepath.Join(f.home, "config"), "GIT_ALLOW_PROTOCOL=file:ssh:https", "TMPDIR=" + os.TempDir()}
	f.noErr(os.WriteFile(filepath.Join(f.home, "config"), []byte("[user]\n\tname = Ann\n\temail = ann@example.org\n[protocol \"file\"]\n\tallow = always\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n"), 0o600))
	f.open(nil)
	return f
}

// open closes the previous Manager, if there is one, and creates a new one. The new one's Config.Blocks is the given
// function, which may be nil.
func (f *fixture) open(blocks func(ctx context.Context, chatID, path, version string, blocks [][4]int) (now [][4]int, from string, err error)) {
	if f.m != nil {
		f.m.Close()
	}
	f.m = repository.New(repository.Config{
		LoginPath: func() string {
			return cmp.Or(f.onlyPath, f.bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
		},
		Env: func() []string { return f.env },
		Chat: func(id string) (backend.Chat, error) {
			return backend.Chat{ID: id, Folder: f.dir, Title: f.title}, nil
		},
		NameChat: func() bool { return f.nameChat },
		Trusted:  func(context.Context, backend.Chat) bool { return f.trusted.Load() },
		Blocks:   blocks, Files: f.files,
		Publish: func(events ...backend.Event) {
			f.mu.Lock()
			f.events = append(f.events, events...)
			f.mu.Unlock()
			select {
			case f.wake <- struct{}{}:
			default:
			}
		},
		Log: slog.New(slog.DiscardHandler),
	})
	f.Cleanup(f.m.Close)
}

func (f *fixture) noErr(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// gitIn runs git in a folder, as the user would in a terminal, and returns git's output.
func (f *fixture) gitIn(dir string, args ...string) string {
	f.Helper()
	cmd := exec.CommandContext(f.Context(), "git", args...)
	cmd.Dir, cmd.Env = dir, append([]string{"PATH=" + os.Getenv("PATH"), "GIT_EDITOR=true"}, f.env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		f.Fatalf("git %v: %v %s", args, err, out)
	}
	return strings.TrimRight(string(out), "\n")
}

func (f *fixture) git(args ...string) string { f.Helper(); return f.gitIn(f.dir, args...) }

func (f *fixture) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

func (f *fixture) write(name, text string) {
	f.Helper()
	f.noErr(os.MkdirAll(filepath.Dir(f.path(name)), 0o700))
	f.noErr(os.WriteFile(f.path(name), []byte(text), 0o600))
}

// hook writes a hook to the repository.
func (f *fixture) hook(name, script string) {
	f.Helper()
	f.noErr(os.MkdirAll(f.path(".git/hooks"), 0o700))
	f.noErr(os.WriteFile(f.path(".git/hooks/"+name), []byte("#!/bin/sh\n"+script+"\n"), 0o700)) //nolint:gosec // must be executable
}

// commitFiles writes files and commits them by running git directly. It returns the hash of the commit.
func (f *fixture) commitFiles(message string, files map[string]string) string {
	f.Helper()
	for name, text := range files {
		f.write(name, text)
	}
	f.git("add", "--all")
	f.git("commit", "--quiet", "--allow-empty", "-m", message)
	return f.git("rev-parse", "HEAD")
}

// form returns the form for a commit of the selected files.
func (f *fixture) form(files backend.ReviewCommitFiles, paths ...string) backend.ReviewCommitForm {
	f.Helper()
	form, err := f.m.Form(f.Context(), "chat", files, paths, false)
	f.noErr(err)
	return form
}

// commit makes a commit and returns its job once the job has ended.
func (f *fixture) commit(q backend.ReviewCommitRequest) backend.ReviewJob {
	f.Helper()
	if q.Message == "" {
		q.Message = "message"
	}
	id, err := f.m.Commit(f.Context(), "chat", q)
	f.noErr(err)
	return f.ended(id)
}

// done does the same as commit, and fails the test unless the commit succeeds.
func (f *fixture) done(q backend.ReviewCommitRequest) backend.ReviewJob {
	f.Helper()
	j := f.commit(q)
	if j.State != backend.JobDone || j.Commit == nil || j.Commit.SHA != f.git("rev-parse", "HEAD") {
		f.Fatalf("got %+v", j)
	}
	return j
}

// failed does the same as commit, and fails the test unless the commit fails with a message that contains want.
func (f *fixture) failed(q backend.ReviewCommitRequest, want string) backend.ReviewJob {
	f.Helper()
	j := f.commit(q)
	if j.State != backend.JobFailed || !strings.Contains(j.Message.String(), want) {
		f.Fatalf("got %s %q, want failed with %q", j.State, j.Message, want)
	}
	return j
}

func (f *fixture) ended(id string) backend.ReviewJob {
	f.Helper()
	return f.job(id, func(j backend.ReviewJob) bool { return j.State != backend.JobRunning })
}

// job waits until the function ready returns true for the newest event of a job, and returns that event.
func (f *fixture) job(id string, ready func(backend.ReviewJob) bool) (newest backend.ReviewJob) {
	f.Helper()
	limit := time.After(time.Minute)
	for {
		f.mu.Lock()
		for _, e := range f.events {
			if e.ReviewJob != nil && e.ReviewJob.ID == id {
				newest = *e.ReviewJob
			}
		}
		f.mu.Unlock()
		if newest.ID != "" && ready(newest) {
			return newest
		}
		select {
		case <-f.wake:
		case <-limit:
			f.Fatalf("the job doesn't get there: %+v", newest)
		}
	}
}

// state returns a digest of each file below the chat's folder, including the git directory but without git's objects.
// The git directories of worktrees are outside the folder.
func (f *fixture) state() map[string]string {
	f.Helper()
	files := map[string]string{}
	f.noErr(filepath.WalkDir(f.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "objects" {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil || d.IsDir() {
			files[path] = "folder"
			return err
		}
		var body []byte
		if info.Mode().IsRegular() {
			if body, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		sum := sha256.Sum256(body)
		files[path] = info.Mode().String() + " " + hex.EncodeToString(sum[:]) + " " + info.ModTime().Format(time.RFC3339Nano)
		if strings.HasSuffix(path, "COMMIT_EDITMSG") { // only the content is restored
			files[path] = string(body)
		}
		return nil
	}))
	return files
}

// unchanged fails the test if the folder differs from an earlier result of state.
func (f *fixture) unchanged(before map[string]string) {
	f.Helper()
	after := f.state()
	for path := range maps.Clone(before) {
		if after[path] != before[path] && before[path] != "folder" {
			f.Errorf("%s: got %q, want %q", path, after[path], before[path])
		}
		delete(after, path)
	}
	for path := range after {
		f.Errorf("%s is new", path)
	}
}

// status returns the status of the changed files, one per line.
func (f *fixture) status() string {
	f.Helper()
	return f.git("status", "--porcelain", "--no-renames", "--untracked-files=all")
}

func (f *fixture) equal(got, want string) {
	f.Helper()
	if got != want {
		f.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSpace(body))
}
