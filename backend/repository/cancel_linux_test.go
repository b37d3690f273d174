package repository_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

// blocking writes a hook that prints "waiting" and then waits for a program that it has started in another session. The
// returned function waits until no process has the hook's pipe open.
func (f *fixture) blocking(hook string) (ended func()) {
	f.Helper()
	fifo := filepath.Join(f.home, hook)
	f.noErr(syscall.Mkfifo(fifo, 0o600))
	f.hook(hook, "exec 9>"+fifo+"; setsid sleep 1000 >/dev/null 2>&1 & echo waiting; wait")
	opened := make(chan *os.File, 1)
	go func() {
		r, _ := os.Open(fifo) // returns when the hook has opened the pipe
		opened <- r
	}()
	return func() {
		f.Helper()
		r := <-opened
		_, err := io.Copy(io.Discard, r) // returns when the last process has closed the pipe
		f.noErr(err)
		f.noErr(r.Close())
	}
}

// awaitHook waits until the hook of a job has printed "waiting".
func (f *fixture) awaitHook(id string) {
	f.Helper()
	f.job(id, func(j backend.ReviewJob) bool { return strings.Contains(j.Output, "waiting") })
}

func TestCancel_EndsHookAndChangesNothing(t *testing.T) {
	t.Parallel()
	f := withChanges(t)
	ended := f.blocking("pre-commit")
	before := f.state()
	id, err := f.m.Commit(t.Context(), "chat", backend.ReviewCommitRequest{Message: "m", Files: backend.CommitAll})
	f.noErr(err)
	next, err := f.m.Commit(t.Context(), "chat", backend.ReviewCommitRequest{Message: "next", Files: backend.CommitAll})
	f.noErr(err)
	f.awaitHook(id)
	f.m.Cancel(next) // cancel it while it waits for the first job
	f.m.Cancel(id)
	for _, id := range []string{id, next} {
		if j := f.ended(id); j.State != backend.JobCancelled || !j.Message.IsZero() || j.Commit != nil {
			t.Errorf("got %+v", j)
		}
	}
	ended()
	f.unchanged(before)
}

// TestCancel_AfterCommit checks that if a job is canceled after git has made the commit, the commit and the matching
// index stay.
func TestCancel_AfterCommit(t *testing.T) {
	t.Parallel()
	f := withChanges(t)
	ended := f.blocking("post-commit")
	id, err := f.m.Commit(t.Context(), "chat", backend.ReviewCommitRequest{Message: "m", Files: backend.CommitChosen, Paths: []string{"b"}})
	f.noErr(err)
	f.awaitHook(id)
	f.m.Cancel(id)
	j := f.ended(id)
	if j.State != backend.JobDone || j.Commit == nil {
		t.Errorf("got %+v", j)
	}
	ended()
	f.equal(f.status(), "M  a\n?? new")
}

func TestCancel_Push(t *testing.T) {
	t.Parallel()
	f, remote := withRemote(t)
	f.commitFiles("second", map[string]string{"b": "1\n"})
	ended := f.blocking("pre-push")
	id, err := f.m.Push(t.Context(), "chat", backend.ReviewPushRequest{})
	f.noErr(err)
	f.awaitHook(id)
	f.m.Cancel(id)
	if j := f.ended(id); j.State != backend.JobCancelled {
		t.Errorf("got %+v", j)
	}
	ended()
	f.equal(f.gitIn(remote, "log", "-1", "--format=%s"), "first")
}

// TestCommit_KeepsChangesOfIndexMeanwhile checks that if another program stages files while the hooks run, these files
// stay staged.
func TestCommit_KeepsChangesOfIndexMeanwhile(t *testing.T) {
	t.Parallel()
	f := withChanges(t)
	f.hook("pre-commit", "unset GIT_INDEX_FILE; echo other > c; git add c; echo later > b; git add b; git add new")
	f.done(backend.ReviewCommitRequest{Files: backend.CommitChosen, Paths: []string{"b"}})
	f.equal(f.git("show", "HEAD:b"), "changed")
	f.equal(f.status(), "M  a\nM  b\nM  c\nA  new")
}

// TestCommit_TakesChangesOfHook checks that if a hook changes the content to commit, as a formatter does, the commit
// contains the changed content, and the index and the file match the commit.
func TestCommit_TakesChangesOfHook(t *testing.T) {
	t.Parallel()
	for _, q := range everything[:3] {
		f := withChanges(t)
		f.hook("pre-commit", "echo formatted > b; git add b")
		f.done(q)
		f.equal(f.git("show", "HEAD:b"), "formatted")
		if got := f.git("diff", "--name-only", "b") + f.git("diff", "--cached", "--name-only", "b"); got != "" {
			t.Errorf("%s: %s differs", q.Files, got)
		}
	}
}

func TestCommit_BranchMovedMeanwhile(t *testing.T) {
	t.Parallel()
	f := withChanges(t)
	f.hook("pre-commit", "unset GIT_INDEX_FILE; test -e moved || { touch moved; git commit --quiet --no-verify -m theirs; }")
	f.failed(backend.ReviewCommitRequest{Message: "mine", Files: backend.CommitChosen, Paths: []string{"b"}}, "The branch has changed in the meantime")
	f.equal(f.git("log", "--format=%s"), "theirs\nfirst")
}

// TestKill_WhileHookRuns checks that killing VoxPilot while a hook runs leaves the repository unchanged and nothing
// locked.
func TestKill_WhileHookRuns(t *testing.T) {
	t.Parallel()
	f := withChanges(t)
	ended := f.blocking("pre-commit")
	// Killing git doesn't end its hooks. This hook ends once git has exited, which closes the pipe.
	hook := strings.ReplaceAll(read(t, f.path(".git/hooks/pre-commit")), "setsid sleep 1000 >/dev/null 2>&1 & echo waiting; wait", "echo waiting; while kill -0 $PPID; do sleep 0.05; done 2>/dev/null")
	f.hook("pre-commit", hook)
	before := f.state()
	self, err := os.Executable()
	f.noErr(err)
	child := exec.CommandContext(t.Context(), self)
	child.Env = append(append(os.Environ(), f.env...), "VOXPILOT_TEST_COMMIT="+f.dir, "TMPDIR="+t.TempDir())
	out, err := child.StdoutPipe()
	f.noErr(err)
	f.noErr(child.Start())
	buf := make([]byte, 100)
	n, err := out.Read(buf)
	if err != nil || !strings.Contains(string(buf[:n]), "waiting") {
		t.Fatalf("got %q, %v", buf[:n], err)
	}
	f.noErr(child.Process.Kill())
	_ = child.Wait()
	ended()
	f.unchanged(before)
	f.noErr(os.Remove(f.path(".git/hooks/pre-commit")))
	f.done(backend.ReviewCommitRequest{Files: backend.CommitAll})
}
