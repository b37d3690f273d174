package sessionfiles_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/copilottest"
	"github.com/voxpilot/voxpilot/internal/need"
)

// TestHolders_RealCLIInTerminal checks that the Copilot CLI in a terminal is found as the holder of its session until it
// exits.
func TestHolders_RealCLIInTerminal(t *testing.T) {
	program := copilottest.Path(t)
	script := need.Programs(t, "script")
	server, err := practice.New(practice.Guide())
	noErr(t, err)
	defer server.Close()
	home, folder := t.TempDir(), t.TempDir()
	cmd := exec.CommandContext(t.Context(), script, "-qefc", "exec '"+program+"' --no-auto-update", "/dev/null")
	cmd.Dir = folder
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "COPILOT_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(append(cmd.Env, "TERM=xterm"), server.Env(home)...)
	in, err := cmd.StdinPipe()
	noErr(t, err)
	cmd.Stdout = io.Discard
	noErr(t, cmd.Start())
	defer func() { _, _ = in.Close(), cmd.Wait() }()

	id := ""
	waitFor(t, "the CLI to claim a session", func() bool {
		all, err := filepath.Glob(filepath.Join(home, "session-state", "*", "inuse.*.lock"))
		noErr(t, err)
		if len(all) > 0 {
			id = filepath.Base(filepath.Dir(all[0]))
		}
		return id != ""
	})
	got := sessionfiles.Holders(home, id)
	if len(got) != 1 || got[0].Program != filepath.Base(program) || !strings.HasPrefix(got[0].Terminal, "pts/") {
		t.Fatalf("got %+v", got)
	}
	if own := sessionfiles.OtherHolders(home, id); len(own) > 0 {
		t.Errorf("this process's descendant counts as another program: %v", own)
	}
	cli, err := os.FindProcess(got[0].PID)
	noErr(t, err)
	noErr(t, cli.Kill())
	waitFor(t, "the CLI to exit", func() bool { return len(sessionfiles.Holders(home, id)) == 0 })
	left := filepath.Join(home, "session-state", id, "inuse."+strconv.Itoa(got[0].PID)+".lock")
	if _, err := os.Lstat(left); err != nil {
		t.Errorf("the killed CLI left no claim: %v", err)
	}
}

// waitFor polls until a condition is true, up to a minute.
func waitFor(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("timed out waiting for %s", what)
		}
	}
}
