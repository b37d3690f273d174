//go:build unix

package instance

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/voxpilot/voxpilot/internal/localsocket"
)

func sendRequest(t *testing.T, dir string) (socket string) {
	t.Helper()
	asked := make(chan Request, 1)
	newInstance(t, dir, recordRequests(asked))
	if err := Do(t.Context(), dir, Request{}, func(Response) {}); err != nil {
		t.Fatal(err)
	}
	address, err := os.ReadFile(filepath.Join(dir, addressName))
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(string(address))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket is %v, %v", info, err)
	}
	return string(address)
}

func TestSocket_InDataDirectory(t *testing.T) {
	dir := newDataDir(t)
	if got := sendRequest(t, dir); got != filepath.Join(dir, "instance.sock") {
		t.Errorf("it is %s", got)
	}
}

func TestSocket_LongDirectoryUsesUserFolder(t *testing.T) {
	run := newDataDir(t)
	t.Setenv("XDG_RUNTIME_DIR", run)
	dir := filepath.Join(newDataDir(t), strings.Repeat("long", 30))
	got := sendRequest(t, dir)
	if filepath.Dir(got) != filepath.Join(run, "voxpilot") {
		t.Errorf("it is %s", got)
	}
	if info, err := os.Stat(filepath.Dir(got)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("its folder is %v, %v", info, err)
	}
}

func TestSocket_RefusesForeignFolder(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give a folder away")
	}
	run := newDataDir(t)
	theirs := filepath.Join(run, "voxpilot")
	if err := os.Mkdir(theirs, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(theirs, 65534, 65534); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_RUNTIME_DIR", run)
	t.Setenv("TMPDIR", newDataDir(t))
	if got := sendRequest(t, filepath.Join(newDataDir(t), strings.Repeat("long", 30))); strings.HasPrefix(got, run) {
		t.Errorf("it is %s", got)
	}
}

const connectVar = "VOXPILOT_TEST_CONNECT"

// TestSocket_RejectsOtherUser checks that a connection from another user is rejected. It runs the test binary as that
// user. All users can access the socket, so only the check of the peer's user can reject the connection.
func TestSocket_RejectsOtherUser(t *testing.T) {
	if dir := os.Getenv(connectVar); dir != "" {
		conn, err := localsocket.Dial(t.Context(), filepath.Join(dir, "instance.sock"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, `{"text":"let me in"}`+"\n") // the server disconnects
		if said, _ := io.ReadAll(conn); len(said) > 0 {
			t.Errorf("another user is told %s", said)
		}
		if err := Do(t.Context(), dir, Request{}, func(Response) {}); err == nil {
			t.Error("another user's VoxPilot is trusted")
		}
		return
	}
	if os.Getuid() != 0 || runtime.GOOS != "linux" {
		t.Skip("only root can run a program as somebody else")
	}
	dir := newDataDir(t)
	newInstance(t, dir, func(_ context.Context, r Request, _ func(Response) error) Response {
		if r.Text != "" {
			t.Errorf("another user asks: %+v", r)
		}
		return Response{}
	})
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "test")
	if err := os.WriteFile(program, self, 0o755); err != nil {
		t.Fatal(err)
	}
	for path, mode := range map[string]os.FileMode{"": 0o755, addressName: 0o644, "instance.sock": 0o666} {
		if err := os.Chmod(filepath.Join(dir, path), mode); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), program, "-test.run=^TestSocket_RejectsOtherUser$", "-test.v")
	cmd.Dir, cmd.Env = dir, []string{connectVar + "=" + dir}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS") {
		t.Errorf("%v\n%s", err, out)
	}
}
