package sessionfiles_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
)

// newHeldSession creates a folder for a session in a new home.
func newHeldSession(t *testing.T) (home, id, dir string) {
	t.Helper()
	home, id = t.TempDir(), sessionfiles.NewID()
	dir = filepath.Join(home, "session-state", id)
	noErr(t, os.MkdirAll(dir, 0o700))
	return home, id, dir
}

// claimSession writes the claim of the process with the given PID to the session's folder.
func claimSession(t *testing.T, dir string, pid int) (path string) {
	t.Helper()
	path = filepath.Join(dir, fmt.Sprintf("inuse.%d.lock", pid))
	noErr(t, os.WriteFile(path, []byte(strconv.Itoa(pid)+"\n"), 0o600))
	return path
}

// startProgram starts this program as a child process that runs until stop is called. Another call of stop does nothing.
func startProgram(t *testing.T) (pid int, stop func()) {
	t.Helper()
	program, err := os.Executable()
	noErr(t, err)
	cmd := exec.CommandContext(context.Background(), program, "-test.run=^TestHolders_Child$", "-test.v")
	cmd.Env = append(os.Environ(), childVar+"=1")
	in, err := cmd.StdinPipe()
	noErr(t, err)
	out, err := cmd.StdoutPipe()
	noErr(t, err)
	noErr(t, cmd.Start())
	_, err = io.ReadFull(out, make([]byte, 1)) // it runs
	noErr(t, err)
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		in.Close()
		_, _ = io.Copy(io.Discard, out)
		noErr(t, cmd.Wait())
	}
	t.Cleanup(stop)
	return cmd.Process.Pid, stop
}

const childVar = "VOXPILOT_TEST_HOLDER"

// TestHolders_Child is the child process of startProgram.
func TestHolders_Child(t *testing.T) {
	if os.Getenv(childVar) == "" {
		return
	}
	t.Log("running")
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// pids returns the PIDs of the holders.
func pids(list []backend.SessionHolder) (all []int) {
	for _, h := range list {
		all = append(all, h.PID)
	}
	return all
}

func TestHolders_AreLivingProcesses(t *testing.T) {
	home, id, dir := newHeldSession(t)
	child, stop := startProgram(t)
	claimSession(t, dir, child)
	parent := os.Getppid() // no descendant of this process
	claimSession(t, dir, parent)
	for _, name := range []string{"inuse.x.lock", "inuse.0.lock", "inuse.-1.lock", "inuse.99999999999.lock", "inuse.2147483647.lock", "inuse..lock", "x"} {
		noErr(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}

	all := sessionfiles.Holders(home, id)
	if got := pids(all); !cmp.Equal(got, []int{parent, child}) && !cmp.Equal(got, []int{child, parent}) {
		t.Errorf("got %v, want %d and %d", got, parent, child)
	}
	for _, h := range all {
		if h.Program == "" || h.StartedAt == 0 || h.StartedAt > backend.Now() {
			t.Errorf("got %+v", h)
		}
	}
	if got := pids(sessionfiles.OtherHolders(home, id)); !cmp.Equal(got, []int{parent}) {
		t.Errorf("other holders are %v, want %d", got, parent)
	}
	stop()
	if got := pids(sessionfiles.Holders(home, id)); !cmp.Equal(got, []int{parent}) {
		t.Errorf("after the child's exit: %v", got)
	}
}

// TestHolders_OfReusedPID checks that a claim doesn't count if its process started after it.
func TestHolders_OfReusedPID(t *testing.T) {
	home, id, dir := newHeldSession(t)
	child, _ := startProgram(t)
	name := claimSession(t, dir, child)
	noErr(t, os.Chtimes(name, time.Time{}, time.Now().Add(-time.Minute)))
	if got := sessionfiles.Holders(home, id); len(got) > 0 {
		t.Errorf("got %v", got)
	}
}

// TestHolders_OfAnotherUser checks that a claim doesn't count if another user runs the process with that PID.
func TestHolders_OfAnotherUser(t *testing.T) {
	home, id, dir := newHeldSession(t)
	pid := 1
	if runtime.GOOS == "windows" {
		t.Skip("owners aren't compared on Windows")
	}
	name := claimSession(t, dir, pid)
	if os.Getuid() == 0 {
		if got := pids(sessionfiles.Holders(home, id)); !cmp.Equal(got, []int{pid}) {
			t.Fatalf("got %v, want %d", got, pid)
		}
		noErr(t, os.Chown(name, 12345, 12345))
	}
	if got := sessionfiles.Holders(home, id); len(got) > 0 {
		t.Errorf("got %v", got)
	}
}

func TestHolders_FollowNoLinks(t *testing.T) {
	home, id, dir := newHeldSession(t)
	outside := t.TempDir()
	name := claimSession(t, outside, os.Getpid())
	noErr(t, os.Symlink(name, filepath.Join(dir, filepath.Base(name))))
	linked := sessionfiles.NewID()
	noErr(t, os.Symlink(outside, filepath.Join(home, "session-state", linked)))
	noErr(t, os.Mkdir(filepath.Join(dir, fmt.Sprintf("inuse.%d.lock", os.Getppid())), 0o700))
	for _, id := range []string{id, linked, "..", "", "../" + filepath.Base(home), sessionfiles.NewID()} {
		if got := sessionfiles.Holders(home, id); len(got) > 0 {
			t.Errorf("%q: got %v", id, got)
		}
	}
}
