package copilottest

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Terminal is a Copilot CLI that runs in a terminal as if the user had started it: its process isn't a descendant of
// the test's process.
type Terminal struct {
	PID    int
	t      testing.TB
	screen *os.File

	mu     sync.Mutex
	output []byte
}

// startInTerminal is a shell script that starts a program in a separate session and in the terminal whose path is $1,
// and prints the program's PID.
const startInTerminal = `at=$1; shift; setsid -c "$@" <"$at" >"$at" 2>&1 & echo $!`

// OpenTerminal starts the CLI with the given arguments in a new terminal. env is the whole environment. The process is
// killed when the test ends.
func OpenTerminal(t testing.TB, program, folder string, env []string, args ...string) *Terminal {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	noError(t, err)
	noError(t, unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0))
	noError(t, unix.IoctlSetWinsize(int(screen.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: 120}))
	n, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	noError(t, err)
	pts := "/dev/pts/" + strconv.Itoa(n)
	slave, err := os.OpenFile(pts, os.O_RDWR|unix.O_NOCTTY, 0) // until the program has opened it
	noError(t, err)
	cmd := exec.CommandContext(t.Context(), "/bin/sh", append([]string{"-c", startInTerminal, "sh", pts, program, "--no-auto-update"}, args...)...)
	cmd.Dir, cmd.Env = folder, append(env, "TERM=xterm-256color", "NO_COLOR=1")
	out, err := cmd.Output()
	noError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(out)))
	noError(t, err)
	s := &Terminal{PID: pid, t: t, screen: screen}
	t.Cleanup(func() {
		s.Kill()
		_ = slave.Close()
		_ = screen.Close()
	})
	go s.read()
	return s
}

// read reads the program's output until the terminal is closed, and answers the program's queries about the terminal.
func (s *Terminal) read() {
	buf := make([]byte, 64<<10)
	for {
		n, err := s.screen.Read(buf)
		if err != nil {
			return
		}
		s.mu.Lock()
		s.output = append(s.output, buf[:n]...)
		s.mu.Unlock()
		if bytes.Contains(buf[:n], []byte("\x1b[6n")) {
			_, _ = s.screen.WriteString("\x1b[1;1R")
		}
		if bytes.Contains(buf[:n], []byte("\x1b[c")) {
			_, _ = s.screen.WriteString("\x1b[?62;22c")
		}
	}
}

// control matches the control sequences of a terminal.
var control = regexp.MustCompile(`\x1b(\[[0-9;?>=<$]*[A-Za-z~]|\][^\x07\x1b]*(\x07|\x1b\\))`)

// Shown returns the text that the program has shown, without line breaks.
func (s *Terminal) Shown() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(strings.Fields(control.ReplaceAllString(string(s.output), " ")), " ")
}

// WaitForText waits until the program has shown a text.
func (s *Terminal) WaitForText(text string) {
	s.t.Helper()
	s.wait("the terminal to show "+text, func() bool { return strings.Contains(s.Shown(), text) })
}

// Type types a text and presses Enter.
func (s *Terminal) Type(text string) {
	s.t.Helper()
	for _, r := range text {
		_, err := s.screen.WriteString(string(r))
		noError(s.t, err)
		time.Sleep(5 * time.Millisecond) // a faster text counts as pasted
	}
	time.Sleep(300 * time.Millisecond)
	_, err := s.screen.WriteString("\r")
	noError(s.t, err)
}

// Runs reports whether the program is running.
func (s *Terminal) Runs() bool { return syscall.Kill(s.PID, 0) == nil }

// Kill kills the program and waits until it has ended.
func (s *Terminal) Kill() {
	s.t.Helper()
	_ = syscall.Kill(s.PID, syscall.SIGKILL)
	s.wait("the terminal to end", func() bool { return !s.Runs() })
}

// wait waits until ok returns true, and fails the test after a minute.
func (s *Terminal) wait(what string, ok func() bool) {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("timed out waiting for %s; it shows %.2000s", what, s.Shown())
		}
	}
}

// TrustFolder makes the CLI trust the folder, so that it doesn't ask about it in a terminal. home is the CLI's
// COPILOT_HOME.
func TrustFolder(t testing.TB, home, folder string) {
	t.Helper()
	text, err := json.Marshal(map[string]any{"trusted_folders": []string{folder}, "trustedFolders": []string{folder}})
	noError(t, err)
	noError(t, os.WriteFile(filepath.Join(home, "config.json"), text, 0o600))
}

// Prompt runs the CLI with a prompt in a session, not interactively. The process isn't a descendant of the test's
// process. Prompt waits until the CLI has exited.
func Prompt(t testing.TB, program, folder string, env []string, id, text string) {
	t.Helper()
	done := filepath.Join(t.TempDir(), "done")
	script := `done=$1; shift; (setsid "$@" </dev/null >"$done.out" 2>&1; echo $? >"$done") >/dev/null 2>&1 &`
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", script, "sh", done, program, "--no-auto-update", "--resume="+id, "-p", text, "--allow-all-tools")
	cmd.Dir, cmd.Env = folder, env
	noError(t, cmd.Run())
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if b, err := os.ReadFile(done); err == nil && len(b) > 0 {
			if strings.TrimSpace(string(b)) != "0" {
				out, _ := os.ReadFile(done + ".out")
				t.Fatalf("the CLI ended with %s: %s", b, out)
			}
			return
		}
		if time.Now().After(end) {
			t.Fatal("timed out waiting for the CLI")
		}
	}
}

func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
