//go:build linux

package traytest

import (
	"bufio"
	"os/exec"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/internal/need"
)

// Bus is a session bus of the test's own: the environment names it until the
// test ends.
func Bus(t *testing.T) {
	t.Helper()
	daemon := exec.Command(need.Programs(t, "dbus-daemon"), "--session", "--nofork", "--nopidfile", "--nosyslog", "--print-address=1") //nolint:noctx // the cleanup ends it
	out, err := daemon.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = daemon.Process.Kill()
		_ = daemon.Wait() // it was killed
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", strings.TrimSpace(address))
}
