//go:build unix

package terminal_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/terminal"
)

// appVar is the name of an environment variable that makes the test binary act as an app that is killed. The binary
// runs the command in this variable and waits.
const appVar = "VOXPILOT_TEST_APP"

func TestMain(m *testing.M) {
	if command := os.Getenv(appVar); command != "" {
		_, err := terminal.NewSet(terminal.Config{Env: os.Environ()}).Start(terminal.Spec{Command: command, Dir: "/"})
		if err != nil {
			panic(err)
		}
		select {}
	}
	goleak.VerifyTestMain(m)
}

// patience is a time limit in case a test hangs. No test result depends on it otherwise.
const patience = 60 * time.Second

func newSet(t *testing.T, cfg terminal.Config) *terminal.Set {
	t.Helper()
	if cfg.Env == nil {
		cfg.Env = os.Environ()
	}
	s := terminal.NewSet(cfg)
	t.Cleanup(s.Close)
	return s
}

func run(t *testing.T, s *terminal.Set, spec terminal.Spec) *terminal.Terminal {
	t.Helper()
	if spec.Dir == "" {
		spec.Dir = t.TempDir()
	}
	term, err := s.Start(spec)
	if err != nil {
		t.Fatal(err)
	}
	return term
}

func waitForExit(t *testing.T, term *terminal.Terminal) terminal.Exit {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	exit, err := term.Wait(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return exit
}

func output(t *testing.T, spec terminal.Spec) string {
	t.Helper()
	term := run(t, newSet(t, terminal.Config{}), spec)
	waitForExit(t, term)
	text, _ := term.Output(0)
	return text
}

func waitFor(t *testing.T, what string, see func() bool) {
	t.Helper()
	late := time.After(patience)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !see() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("timed out waiting for %s", what)
		}
	}
}

// waitForPID waits until a command has written a PID and a newline to a file, and returns that PID.
func waitForPID(t *testing.T, file string) (pid int) {
	t.Helper()
	waitFor(t, "the number in "+file, func() bool {
		b, _ := os.ReadFile(file)
		n, err := strconv.Atoi(strings.TrimSpace(string(b)))
		pid = n
		return err == nil && strings.HasSuffix(string(b), "\n")
	})
	return pid
}

func waitForProcessEnd(t *testing.T, pid int) {
	t.Helper()
	waitFor(t, "the end of process "+strconv.Itoa(pid), func() bool { return syscall.Kill(pid, 0) != nil || isZombie(pid) })
}

func isZombie(pid int) bool {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(b), ") Z ")
}

func TestCommand_OutputIsRecorded(t *testing.T) {
	t.Parallel()
	term := run(t, newSet(t, terminal.Config{}), terminal.Spec{Command: "echo out; echo err >&2; printf '\\033[31mred\\033[0m'; exit 3"})
	exit := waitForExit(t, term)
	if exit.Code == nil || *exit.Code != 3 || exit.Signal != "" {
		t.Errorf("exit: %+v", exit)
	}
	if text, truncated := term.Output(0); text != "out\nerr\n\x1b[31mred\x1b[0m" || truncated {
		t.Errorf("output: %q, %t", text, truncated)
	}
	if e := term.Exit(); e == nil || *e.Code != 3 {
		t.Errorf("exit: %+v", e)
	}
}

// TestCommand_SlowReaderLosesNothing checks that all output from before the exit of a command is read, even if reading
// takes longer than the grace period after the exit, as on a busy computer.
func TestCommand_SlowReaderLosesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var once sync.Once
	term := run(t, newSet(t, terminal.Config{}), terminal.Spec{
		Dir: dir, Command: "echo one; until [ -e read ]; do sleep 0.01; done; echo two",
		Changed: func() {
			once.Do(func() {
				if err := os.WriteFile(filepath.Join(dir, "read"), nil, 0o600); err != nil {
					t.Error(err)
				}
				time.Sleep(time.Second) // the reader is slow
			})
		},
	})
	waitForExit(t, term)
	if text, _ := term.Output(0); text != "one\ntwo\n" {
		t.Errorf("got the output %q", text)
	}
}

func TestCommand_ArgumentsUnchanged(t *testing.T) {
	t.Parallel()
	got := output(t, terminal.Spec{Command: "printf", Args: []string{"[%s]", "a b", "$HOME", "*", "", `q"'uote`, "ü"}})
	if want := `[a b][$HOME][*][][q"'uote][ü]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestCommand_WholeLineUsesShell(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for line, want := range map[string]string{
		"echo a && echo b | tr b c":     "a\nc\n",
		"X=1; echo \"$X\"":              "1\n",
		"echo one > f; cat f":           "one\n",
		"pwd":                           dir + "\n",
		"cat":                           "", // there is no input
		"for i in 1 2; do echo $i;done": "1\n2\n",
	} {
		if got := output(t, terminal.Spec{Command: line, Dir: dir}); got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
	program := filepath.Join(dir, "my program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho it ran\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := output(t, terminal.Spec{Command: program}); got != "it ran\n" {
		t.Errorf("a program with a space in its name: %q", got)
	}
}

func TestCommand_MergesEnvironments(t *testing.T) {
	t.Setenv("VOXPILOT_SECRET", "of the app")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tool"), []byte("#!/bin/sh\necho \"$A $B $C\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := newSet(t, terminal.Config{Env: []string{"A=session", "B=session", "PATH=/usr/bin:/bin"}, Through: []string{"/usr/bin/env"}})
	term := run(t, s, terminal.Spec{Command: "tool", Env: []string{"B=own", "C=x y", "PATH=" + dir + ":/usr/bin:/bin"}})
	waitForExit(t, term)
	if text, _ := term.Output(0); text != "session own x y\n" {
		t.Errorf("output: %q", text)
	}
	term = run(t, s, terminal.Spec{Command: "env"})
	waitForExit(t, term)
	if text, _ := term.Output(0); strings.Contains(text, "of the app") {
		t.Errorf("it has what the app has: %s", text)
	}
}

func TestCommand_StartFailureHasReason(t *testing.T) {
	t.Parallel()
	s := newSet(t, terminal.Config{})
	dir := t.TempDir()
	for want, spec := range map[string]terminal.Spec{
		"no such program: no-such-program":   {Command: "no-such-program", Dir: dir},
		"no such program: ./absent":          {Command: "./absent", Args: []string{"x"}, Dir: dir},
		"can't open the folder":              {Command: "true", Dir: filepath.Join(dir, "absent")},
		"it isn't a folder":                  {Command: "true", Dir: "/dev/null"},
		"no such program: no-such-program-2": {Command: "no-such-program-2", Args: []string{"a b"}, Dir: dir},
	} {
		if _, err := s.Start(spec); backend.CodeOf(err) != backend.CodeInvalid || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", spec, err)
		}
	}
}

func TestOutput_CutToRequestedLimit(t *testing.T) {
	t.Parallel()
	term := run(t, newSet(t, terminal.Config{}), terminal.Spec{Command: "printf '0123456789ö'", Limit: 8})
	waitForExit(t, term)
	for limit, want := range map[int]string{0: "456789ö", 100: "456789ö", 3: "9ö", 1: ""} {
		if text, truncated := term.Output(limit); text != want || !truncated {
			t.Errorf("%d bytes: %q, %t", limit, text, truncated)
		}
	}
	if text, truncated := term.Tail(1000); text != "0123456789ö" || truncated {
		t.Errorf("what the user sees: %q, %t", text, truncated)
	}
}

func TestOutput_BuffersPartialCharacter(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var changes atomic.Int64
	term := run(t, newSet(t, terminal.Config{}), terminal.Spec{Changed: func() { changes.Add(1) }, Command: "printf 'a\\360\\237'; while [ ! -e go ]; do sleep 0.01; done; printf '\\221\\213'", Dir: dir})
	waitFor(t, "the first piece", func() bool { return changes.Load() > 0 })
	if text, _ := term.Output(0); text != "a" {
		t.Errorf("the first piece: %q", text)
	}
	if err := os.WriteFile(filepath.Join(dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	waitForExit(t, term)
	if text, _ := term.Output(0); text != "a👋" {
		t.Errorf("all of it: %q", text)
	}
}

func TestOutput_FloodMemoryBounded(t *testing.T) {
	t.Parallel()
	term := run(t, newSet(t, terminal.Config{}), terminal.Spec{Command: "yes 'a line of it' | head -c 50000000; echo the end", Limit: 20})
	waitForExit(t, term)
	if text, truncated := term.Output(0); text != "\na line of ithe end\n" || !truncated {
		t.Errorf("output: %q, %t", text, truncated)
	}
	if text, truncated := term.Tail(1 << 30); len(text) != terminal.DefaultLimit || !truncated {
		t.Errorf("%d bytes are kept", len(text))
	}
}

func TestKill_KeepsOutputAndReportsSignal(t *testing.T) {
	t.Parallel()
	term := run(t, newSet(t, terminal.Config{}), terminal.Spec{Command: "echo begun; exec sleep 1000"})
	waitFor(t, "its output", func() bool { text, _ := term.Output(0); return text == "begun\n" })
	if term.Exit() != nil {
		t.Error("it has ended")
	}
	exits := make(chan terminal.Exit, 3)
	for range cap(exits) {
		go func() {
			exit, _ := term.Wait(context.Background())
			exits <- exit
		}()
	}
	term.Kill()
	for range cap(exits) {
		if exit := <-exits; exit.Signal != "SIGTERM" || exit.Code != nil {
			t.Errorf("exit: %+v", exit)
		}
	}
	if text, _ := term.Output(0); text != "begun\n" {
		t.Errorf("output: %q", text)
	}
	term.Kill() // a second call has no effect
}

func TestWait_EndsWithContext(t *testing.T) {
	t.Parallel()
	term := run(t, newSet(t, terminal.Config{}), terminal.Spec{Command: "sleep 1000"})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := term.Wait(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestRelease_EndsWholeProcessTree(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := newSet(t, terminal.Config{})
	// One process ignores SIGTERM and SIGHUP, one has left the session, and one has also lost its parents.
	term := run(t, s, terminal.Spec{Dir: dir, Command: `trap '' TERM HUP
sh -c 'trap "" TERM HUP; echo $$ > one; while :; do sleep 1; done' &
setsid sh -c 'echo $$ > two; exec sleep 1000' &
(setsid sh -c 'echo $$ > three; exec sleep 1000' &)
echo $$ > own; wait; while :; do sleep 1; done`})
	var pids []int
	for _, name := range []string{"own", "one", "two", "three"} {
		pids = append(pids, waitForPID(t, filepath.Join(dir, name)))
	}
	waited := make(chan terminal.Exit, 1)
	go func() {
		exit, _ := term.Wait(context.Background())
		waited <- exit
	}()
	for range 2 { // repeated calls are allowed
		if err := s.Release(term.ID()); err != nil {
			t.Error(err)
		}
	}
	if exit := <-waited; exit.Signal != "SIGKILL" {
		t.Errorf("exit: %+v", exit)
	}
	for _, pid := range pids {
		waitForProcessEnd(t, pid)
	}
	if _, err := s.Get(term.ID()); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("it is still known: %v", err)
	}
	if err := s.Release("term_other"); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("an unknown one: %v", err)
	}
}

func TestCommand_EndsDespiteChildHoldingOutput(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := newSet(t, terminal.Config{})
	term := run(t, s, terminal.Spec{Dir: dir, Command: "(while [ ! -e go ]; do sleep 0.01; done; echo later; exec sleep 1000) & echo $! > pid; echo now"})
	exit := waitForExit(t, term)
	if exit.Code == nil || *exit.Code != 0 {
		t.Errorf("exit: %+v", exit)
	}
	if err := os.WriteFile(filepath.Join(dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "what it wrote later", func() bool { text, _ := term.Output(0); return text == "now\nlater\n" })
	pid := waitForPID(t, filepath.Join(dir, "pid"))
	s.Close()
	waitForProcessEnd(t, pid)
}

func TestSession_CommandCountLimited(t *testing.T) {
	t.Parallel()
	s := newSet(t, terminal.Config{})
	dir := t.TempDir()
	ended := run(t, s, terminal.Spec{Command: "true", Dir: dir})
	waitForExit(t, ended)
	for range terminal.MaxOpen - 1 {
		run(t, s, terminal.Spec{Command: "sleep", Args: []string{"1000"}, Dir: dir})
	}
	last := run(t, s, terminal.Spec{Command: "sleep", Args: []string{"1000"}, Dir: dir}) // replaces the one that ended
	if _, err := s.Get(ended.ID()); err == nil {
		t.Error("the one that ended is still known")
	}
	if err := s.Release(ended.ID()); err != nil {
		t.Errorf("it cannot be released: %v", err)
	}
	if _, err := s.Start(terminal.Spec{Command: "true", Dir: dir}); backend.CodeOf(err) != backend.CodeUnavailable {
		t.Errorf("one more: %v", err)
	}
	pid := last.PID()
	s.Close()
	waitForProcessEnd(t, pid)
	if _, err := s.Start(terminal.Spec{Command: "true", Dir: dir}); backend.CodeOf(err) != backend.CodeUnavailable {
		t.Errorf("after the end of the session: %v", err)
	}
}
