package agent_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/need"
)

func init() { jobs["full"] = (*child).fillDisk }

// fillDisk sends one message before the disk with the agent's home directory is full, two while it is full, with an app
// restart in between, and one after space has been freed.
func (c *child) fillDisk() {
	c.report(c.promptAndReport("before"))
	path := filepath.Join(c.home(), "fill")
	file, err := os.Create(path)
	if err != nil {
		c.Fatalf("%v", err)
	}
	for size := 1 << 20; size > 0; {
		if _, err = file.Write(make([]byte, size)); err != nil {
			size /= 2
		}
	}
	if !errors.Is(err, syscall.ENOSPC) {
		c.Fatalf("the disk does not get full: %v", err)
	}
	_ = file.Close()
	c.report(c.promptAndReport("full"))
	c.app.close()
	c.start()
	c.report(c.promptAndReport("full, after a start"))
	if err := os.Remove(path); err != nil {
		c.Fatalf("%v", err)
	}
	c.app.close()
	c.start()
	c.report(c.promptAndReport("room"))
}

func TestChaosFullDisk_CopilotLosesNoMessage(t *testing.T) {
	t.Parallel()
	cli := copilotCLI(t)
	result := chaos.Row(t, "COPILOT_HOME of the real CLI on a full disk, then with room again", 2)
	// The child runs in a mount namespace in which the home is a small file system.
	// This requires no root privileges and leaves nothing behind.
	dir := t.TempDir()
	home := filepath.Join(dir, "home")
	noErr(t, os.Mkdir(home, 0o700))
	apart := need.Namespace(t, home)
	model := newMemoryModel(t, nil)
	p := startChild(t, jobSpec{Do: "full", Dir: dir, Home: home, CLI: cli, Env: model.Env(home)}, func(cmd *exec.Cmd) {
		cmd.SysProcAttr = apart
		cmd.Args = []string{"sh", "-ec", `mount -t tmpfs -o size=8m small "$0"; exec "$1"`, home, cmd.Path}
		cmd.Path = "/bin/sh"
	})
	failed := 0
	for _, what := range []string{"before", "full", "full, after a start", "room"} {
		f := p.nextReport(what)
		isFull := strings.HasPrefix(what, "full")
		switch {
		case f.State == backend.TurnDone && strings.HasPrefix(f.Text, "I know"):
		case isFull && f.State == backend.TurnFailed && f.Error != nil && strings.Contains(f.Error.Message.String(), "No space left"):
			failed++
		default:
			t.Errorf("%q ended as %s with %.200q (%v)", what, f.State, f.Text, f.Error)
		}
		if f.Sessions != 1 || slices.Contains(f.Banners, backend.BannerSessionLost) {
			t.Errorf("%q: %d sessions, banners %v", what, f.Sessions, f.Banners)
		}
	}
	p.nextReport("ended")
	result("of 2 messages on the full disk, %d failed with the reason; the session continues", failed)
}
