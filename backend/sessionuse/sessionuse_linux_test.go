package sessionuse_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/sessionuse"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const id = "0cd2575d-d593-4ec5-bc0e-fc0862cc248f"

// env is a Manager and a session with a log.
type env struct {
	*sessionuse.Manager
	t       *testing.T
	folder  string // of the session
	session backend.Session
	inUse   bool // VoxPilot's own agent is using the session

	mu       sync.Mutex
	uses     []backend.SessionUse
	rows     []string // lines, or "end" for a part that isn't live
	banners  []string
	unloaded int
}

func newEnv(t *testing.T) *env {
	t.Helper()
	home := t.TempDir()
	w := &env{t: t, folder: filepath.Join(home, "session-state", id)}
	w.session = backend.Session{ChatID: "chat", Name: backend.SessionMain, ACPID: id, Home: home, HadPrompt: true}
	noErr(t, os.MkdirAll(w.folder, 0o700))
	w.open(filepath.Join(t.TempDir(), "data"))
	return w
}

// open replaces the Manager.
func (w *env) open(dir string) {
	w.Manager = sessionuse.New(sessionuse.Config{
		Dir:    dir,
		Main:   func(context.Context, string) (backend.Session, bool) { return w.session, true },
		Active: func() []string { return nil },
		Unload: func(context.Context, string) error {
			if w.inUse {
				return errors.New("in use")
			}
			w.unloaded++
			return nil
		},
		Rows: func(_ context.Context, _ string, _ backend.Session, part sessionuse.Part) error {
			text, err := io.ReadAll(io.NewSectionReader(part.Log, part.From, 1<<30))
			for line := range strings.Lines(string(text)) {
				if line = strings.TrimSpace(line); line != "" {
					w.rows = append(w.rows, line)
				}
			}
			if !part.Live {
				w.rows = append(w.rows, "end")
			}
			return err
		},
		Publish: func(events ...backend.Event) {
			w.mu.Lock()
			defer w.mu.Unlock()
			for _, e := range events {
				w.uses = append(w.uses, *e.SessionUse)
			}
		},
		Commit: func(_ context.Context, events ...backend.Event) error {
			w.banners = append(w.banners, events[0].Item.ID[:3]+" "+events[0].Item.Banner.Detail.String())
			return nil
		},
		Skip: func(pid int) bool { return pid == os.Getpid() },
	})
	w.t.Cleanup(w.Close)
}

// write adds lines to the log.
func (w *env) write(lines ...string) {
	w.t.Helper()
	file, err := os.OpenFile(filepath.Join(w.folder, "events.jsonl"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	noErr(w.t, err)
	defer file.Close()
	for _, line := range lines {
		_, err := file.WriteString(line + "\n")
		noErr(w.t, err)
	}
}

// message returns a line of the log.
func message(text string) string {
	return fmt.Sprintf(`{"type":"user.message","data":{"content":%q},"id":%q,"timestamp":"2099-01-01T00:00:00.000Z"}`, text, "id of "+text)
}

// hold starts a program that opens the session as the CLI does and then runs the script.
func (w *env) hold(script string) *exec.Cmd {
	w.t.Helper()
	cmd := exec.CommandContext(w.t.Context(), "/bin/sh", "-c", `cd "$1"; exec 9>inuse.$$.hold; echo $$ >inuse.$$.lock; `+script, "sh", w.folder)
	return w.start(cmd)
}

// start starts a program and waits until it prints a line.
func (w *env) start(cmd *exec.Cmd) *exec.Cmd {
	w.t.Helper()
	out, err := cmd.StdoutPipe()
	noErr(w.t, err)
	noErr(w.t, cmd.Start())
	w.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	_, err = bufio.NewReader(out).ReadString('\n')
	noErr(w.t, err)
	return cmd
}

const (
	closes = `trap 'rm inuse.$$.*; exit' TERM; echo ready; while :; do sleep 0.02; done`
	stays  = `trap '' TERM; echo ready; while :; do sleep 0.02; done`
)

// waitFor waits until the last published use has the given properties. holder is true if it has a Holder.
func (w *env) waitFor(holder, closing, stayed bool) {
	w.t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		w.mu.Lock()
		var last backend.SessionUse
		if n := len(w.uses); n > 0 {
			last = w.uses[n-1]
		}
		w.mu.Unlock()
		if (last.Holder != nil) == holder && last.Closing == closing && last.Stayed == stayed {
			return
		}
		if time.Now().After(end) {
			w.t.Fatalf("timed out; the last use is %+v", last)
		}
	}
}

func expectUnavailable(t *testing.T, err error, words string) {
	t.Helper()
	var own *backend.Error
	if !errors.As(err, &own) || own.Code != backend.CodeUnavailable || !strings.Contains(own.Message.String(), words) {
		t.Errorf("got %v, want CodeUnavailable with %q", err, words)
	}
}

func TestFollow_ShowsProgramUntilItEnds(t *testing.T) {
	w := newEnv(t)
	w.write(message("known"))
	w.Look("chat")
	cmd := w.hold(closes)
	w.Look("chat")
	w.waitFor(true, false, false)
	if u := w.uses[0].Holder; u.PID != cmd.Process.Pid || w.unloaded != 1 {
		t.Errorf("got the holder %+v, unloaded %d times", u, w.unloaded)
	}
	for _, loaded := range []bool{true, false} {
		_, err := w.Check(t.Context(), w.session, loaded)
		expectUnavailable(t, err, "also open in another program")
	}
	expectUnavailable(t, w.MayStart(t.Context(), "chat"), "also open in another program")
	w.write(message("one"))
	w.Look("chat")
	w.Look("chat")
	w.write(message("two"), message("three"))
	w.Look("chat")
	w.write(message("four"))
	noErr(t, cmd.Process.Signal(syscall.SIGTERM))
	noErr(t, cmd.Wait())
	w.Look("chat")
	w.Look("chat")
	w.waitFor(false, false, false)
	if want := []string{message("one"), message("two"), message("three"), message("four"), "end"}; !slices.Equal(w.rows, want) {
		t.Errorf("got the rows %q", w.rows)
	}
	id := w.banners[0][:3]
	if want := []string{id + " 1 message", id + " 3 messages", id + " 4 messages"}; !slices.Equal(w.banners, want) {
		t.Errorf("got the banners %q", w.banners)
	}
	changed, err := w.Check(t.Context(), w.session, true)
	if err != nil || !changed {
		t.Errorf("the loaded session has changed: %t, %v", changed, err)
	}
	for _, loaded := range []bool{false, true} {
		if changed, err := w.Check(t.Context(), w.session, loaded); err != nil || changed {
			t.Errorf("after loading: changed %t, %v", changed, err)
		}
	}
	if len(w.uses) != 2 {
		t.Errorf("got %d uses: %+v", len(w.uses), w.uses)
	}
}

// TestFollow_KilledProgramEndsTurn checks that the rows are completed when the other program ends without writing
// anything more.
func TestFollow_KilledProgramEndsTurn(t *testing.T) {
	w := newEnv(t)
	w.write(message("known"))
	w.Look("chat")
	cmd := w.hold(stays)
	w.write(message("one"))
	w.Look("chat")
	noErr(t, cmd.Process.Kill())
	_ = cmd.Wait()
	w.Look("chat")
	w.Look("chat")
	if want := []string{message("one"), "end"}; !slices.Equal(w.rows, want) {
		t.Errorf("got the rows %q", w.rows)
	}
	w.waitFor(false, false, false)
}

func TestFollow_OwnTurnEndsFirst(t *testing.T) {
	w := newEnv(t)
	w.session.HadPrompt, w.inUse = false, true
	end := w.Begin(w.session, "mine")
	w.hold(closes)
	w.write(message("mine"), `{"type":"session.resume","data":{},"id":"r"}`, message("theirs"))
	w.Look("chat")
	w.waitFor(true, false, false)
	w.inUse = false // only a moment later
	w.Look("chat")
	if w.rows != nil {
		t.Errorf("during the turn: %q", w.rows)
	}
	end()
	w.Look("chat")
	if want := []string{message("theirs")}; !slices.Equal(w.rows, want) {
		t.Errorf("after the turn: %q", w.rows)
	}
}

func TestFollow_RestartContinues(t *testing.T) {
	w := newEnv(t)
	dir := t.TempDir()
	w.open(dir)
	w.session.HadPrompt = false
	end := w.Begin(w.session, "mine")
	w.write(message("mine"))
	end()
	w.session.HadPrompt = true
	w.open(dir)
	w.write(`{"type":"session.resume","data":{},"id":"r","parentId":"id of mine"}`, message("theirs"))
	changed, err := w.Check(t.Context(), w.session, false)
	noErr(t, err)
	if want := []string{message("theirs"), "end"}; !slices.Equal(w.rows, want) || changed {
		t.Errorf("got %q, changed %t", w.rows, changed)
	}
	w.open(dir)
	w.rows = nil
	if _, err := w.Check(t.Context(), w.session, false); err != nil || w.rows != nil {
		t.Errorf("read again: %q, %v", w.rows, err)
	}
	w.Forget("chat")
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
	w.open(dir)
	w.rows = nil
	w.Look("chat")
	if w.rows != nil {
		t.Errorf("a session that wasn't seen before counts as new: %q", w.rows)
	}
}

func TestCheck_OtherSessionsAreOnlyGuarded(t *testing.T) {
	w := newEnv(t)
	w.write(message("one"))
	w.Look("chat")
	w.write(message("two"))
	helper, trial := w.session, w.session
	helper.Name, trial.ACPID = "helper", "0cd2575d-d593-4ec5-bc0e-fc0862cc2490"
	noErr(t, os.CopyFS(filepath.Join(w.folder, "..", trial.ACPID), os.DirFS(w.folder)))
	for _, s := range []backend.Session{helper, trial} {
		_, err := w.Check(t.Context(), s, false)
		noErr(t, err)
	}
	if w.rows != nil {
		t.Errorf("got the rows %q", w.rows)
	}
	w.hold(closes)
	_, err := w.Check(t.Context(), helper, false)
	expectUnavailable(t, err, "also open in another program")
	if w.uses != nil {
		t.Errorf("published %+v", w.uses)
	}
	w.session.ACPID = "../../x"
	_, err = w.Check(t.Context(), w.session, false)
	noErr(t, err)
	w.Look("chat")
}

func TestTakeOver_ProgramCloses(t *testing.T) {
	w := newEnv(t)
	cmd := w.hold(closes)
	noErr(t, w.TakeOver(t.Context(), "chat"))
	noErr(t, w.TakeOver(t.Context(), "chat")) // it is already waiting
	w.waitFor(false, false, false)
	noErr(t, cmd.Wait())
	closing := slices.IndexFunc(w.uses, func(u backend.SessionUse) bool { return u.Closing && u.Holder != nil })
	if closing != 1 || len(w.uses) != 3 {
		t.Errorf("published %+v", w.uses)
	}
	noErr(t, w.TakeOver(t.Context(), "chat"))
}

func TestTakeOver_ProgramStays(t *testing.T) {
	w := newEnv(t)
	sessionuse.ShortClose(t, 200*time.Millisecond)
	cmd := w.hold(stays)
	noErr(t, w.TakeOver(t.Context(), "chat"))
	w.waitFor(true, true, false)
	w.waitFor(true, false, true)
	if err := cmd.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the program has ended: %v", err)
	}
	expectUnavailable(t, w.MayStart(t.Context(), "chat"), "also open")
	w.Close() // ends while it waits
}

// TestTakeOver_OtherProcessIsLeftAlone checks that a program isn't asked to close just because it has the PID in the
// session's lock.
func TestTakeOver_OtherProcessIsLeftAlone(t *testing.T) {
	w := newEnv(t)
	cmd := w.start(exec.CommandContext(t.Context(), "/bin/sh", "-c", "echo ready; while :; do sleep 0.02; done"))
	noErr(t, os.WriteFile(filepath.Join(w.folder, fmt.Sprintf("inuse.%d.lock", cmd.Process.Pid)), nil, 0o600))
	expectUnavailable(t, w.TakeOver(t.Context(), "chat"), "can't close the other program")
	if err := cmd.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the process has ended: %v", err)
	}
	w.waitFor(true, false, false)
}

func noErr(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
