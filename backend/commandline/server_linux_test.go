package commandline

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// newTerminal creates a pseudo-terminal and returns the end that a program running in the terminal uses.
func newTerminal(t *testing.T) *os.File {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = screen.Close() })
	if err := unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	in, err := os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close() })
	return in
}

func TestStartupID_TerminalsIsNotInherited(t *testing.T) {
	for _, c := range []struct {
		terminal            bool
		activation, startup string
		want                string
	}{
		{false, "", "", ""},
		{false, "", "panel/voxpilot/1-0-host_TIME99", "panel/voxpilot/1-0-host_TIME99"},
		{false, "new", "old", "new"},
		{true, "", "panel/terminal/1-0-host_TIME1", ""},
		{true, "new", "old", "new"},
	} {
		cmd := exec.CommandContext(t.Context(), os.Args[0]) //nolint:gosec // runs this program
		cmd.Env = append(os.Environ(), startTokenVar+"=", "XDG_ACTIVATION_TOKEN="+c.activation, "DESKTOP_STARTUP_ID="+c.startup)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if c.terminal {
			cmd.Stdin = newTerminal(t)
			cmd.SysProcAttr.Setctty = true
		}
		got, err := cmd.Output()
		if err != nil || string(got) != c.want {
			t.Errorf("%+v: it is started with %q, %v", c, got, err)
		}
	}
}
