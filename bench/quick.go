package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"

	"github.com/voxpilot/voxpilot/backend/platform/instance"
)

// Messages that the app logs about the quick prompt.
const (
	logShown  = `msg="quick prompt shown"`
	logClosed = `msg="quick prompt closed"`
)

// beginQuick measures the time from pressing the global shortcut on the real desktop until the quick prompt is painted
// and its text field has the focus. The quick prompt's process is already running in the background, where it stays for
// ten minutes after each use. The baseline is the time for an empty Wails window that also exists already but is
// hidden: from calling WindowShow until the window is painted and has the focus.
func beginQuick(ctx context.Context, after *ends) (ours, bare side, err error) {
	dir, err := desktopFolder(ctx, after)
	if err != nil {
		return nil, nil, err
	}
	r := &running{}
	after.later(r.end)
	h := &home{dir: dir}
	if err := seed(ctx, h.data(), filepath.Join(dir, "work"), quickChats, quickChats); err != nil {
		return nil, nil, err
	}
	keys, err := newKeys()
	if err != nil {
		return nil, nil, err
	}
	r.later(keys.close)
	empty, err := r.startEmpty(ctx, h)
	if err != nil {
		return nil, nil, err
	}
	program, err := filepath.Abs(windowProgram)
	if err != nil {
		return nil, nil, err
	}
	cmd := exec.Command(program, "--hidden") //nolint:noctx // stopped by a signal
	cmd.Env = append(h.env(), "VOXPILOT_DEBUG=1")
	if err := r.begin(cmd); err != nil {
		return nil, nil, err
	}
	told := &tail{path: filepath.Join(h.data(), "logs", "voxpilot.log")}
	if err := warm(ctx, h, told, keys); err != nil {
		return nil, nil, err
	}
	ours = func(ctx context.Context) (float64, error) {
		pressed, err := keys.press("Control", "Shift", "space")
		if err != nil {
			return 0, err
		}
		shown, err := told.next(ctx, logShown)
		if err != nil {
			return 0, err
		}
		return shown.Sub(pressed).Seconds() * 1000, closeQuick(ctx, told, keys)
	}
	return ours, empty, nil
}

const (
	quickChats = 200
	quickLimit = 60 * time.Second
	settle     = 300 * time.Millisecond // time for the desktop to settle after a window was hidden
)

// warm waits until the app accepts requests, then opens the quick prompt for the first time and closes it.
func warm(ctx context.Context, h *home, told *tail, keys *keys) error {
	ctx, cancel := context.WithTimeout(ctx, quickLimit)
	defer cancel()
	for {
		err := instance.Do(ctx, h.data(), instance.Request{Verb: instance.Quick}, func(instance.Response) {})
		if err == nil {
			break
		}
		if !errors.Is(err, instance.ErrNotRunning) {
			return err
		}
		if err := wait(ctx, settle); err != nil {
			return err
		}
	}
	if _, err := told.next(ctx, logShown); err != nil {
		return err
	}
	return closeQuick(ctx, told, keys)
}

func closeQuick(ctx context.Context, told *tail, keys *keys) error {
	if _, err := keys.press("Escape"); err != nil {
		return err
	}
	if _, err := told.next(ctx, logClosed); err != nil {
		return err
	}
	return wait(ctx, settle)
}

// startEmpty starts the program with the empty window, which is hidden at first. It returns a side that shows the
// window, measures how long that takes, and hides the window again.
func (r *running) startEmpty(ctx context.Context, h *home) (side, error) {
	program, err := buildEmpty(ctx, h.dir)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program, "hidden")
	cmd.Env = h.env()
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	r.later(func() error {
		_ = cmd.Process.Kill() // it has nothing to clean up
		_ = cmd.Wait()
		return nil
	})
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); err != nil || line != "ready\n" {
		return nil, fmt.Errorf("the empty window printed %q: %w", line, err)
	}
	return func(ctx context.Context) (float64, error) {
		asked := time.Now()
		if _, err := io.WriteString(in, "show\n"); err != nil {
			return 0, err
		}
		var at int64
		for at < asked.UnixMicro() { // skip the report from the start, when the window was visible for a moment
			line, err := lines.ReadString('\n')
			if err == nil {
				at, err = strconv.ParseInt(strings.TrimSpace(line), 10, 64)
			}
			if err != nil {
				return 0, err
			}
		}
		if _, err := io.WriteString(in, "hide\n"); err != nil {
			return 0, err
		}
		return float64(at-asked.UnixMicro()) / 1000, wait(ctx, settle)
	}, nil
}

// tail reads new entries from a log file.
type tail struct {
	path string
	read int // in bytes
}

// next waits for the next log entry with the given message and returns the time of the entry.
func (t *tail) next(ctx context.Context, says string) (time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, quickLimit)
	defer cancel()
	for {
		text, err := os.ReadFile(t.path)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return time.Time{}, err
		}
		for t.read < len(text) {
			line, _, whole := strings.Cut(string(text[t.read:]), "\n")
			if !whole {
				break
			}
			t.read += len(line) + 1
			if strings.Contains(line, says) {
				at, _, _ := strings.Cut(strings.TrimPrefix(line, "time="), " ")
				return time.Parse(time.RFC3339Nano, at)
			}
		}
		if err := wait(ctx, 5*time.Millisecond); err != nil {
			return time.Time{}, fmt.Errorf("the log has no %s: %w", says, err)
		}
	}
}

// keys simulates key presses.
type keys struct {
	conn  *xgb.Conn
	codes map[string]byte
}

func newKeys() (*keys, error) {
	conn, err := xgb.NewConn()
	if err != nil {
		return nil, err
	}
	k := &keys{conn: conn, codes: map[string]byte{}}
	if err := xtest.Init(conn); err != nil {
		return nil, errors.Join(err, k.close())
	}
	setup := xproto.Setup(conn)
	first, n := setup.MinKeycode, byte(setup.MaxKeycode-setup.MinKeycode+1)
	all, err := xproto.GetKeyboardMapping(conn, first, n).Reply()
	if err != nil {
		return nil, errors.Join(err, k.close())
	}
	for name, symbol := range map[string]xproto.Keysym{"Control": 0xffe3, "Shift": 0xffe1, "space": 0x20, "Escape": 0xff1b} {
		for i, s := range all.Keysyms {
			if s == symbol {
				k.codes[name] = byte(first) + byte(i/int(all.KeysymsPerKeycode))
				break
			}
		}
	}
	return k, nil
}

// press presses the named keys together and then releases them. It returns the time at which all of them were pressed.
// It sends all events before it waits for a reply, because a key that is held down for too long repeats.
func (k *keys) press(names ...string) (at time.Time, err error) {
	var sent []xtest.FakeInputCookie
	fake := func(kind, code byte) {
		sent = append(sent, xtest.FakeInputChecked(k.conn, kind, code, 0, xproto.WindowNone, 0, 0, 0))
	}
	for _, name := range names {
		fake(xproto.KeyPress, k.codes[name])
	}
	at = time.Now()
	for i := range names {
		fake(xproto.KeyRelease, k.codes[names[len(names)-1-i]])
	}
	for _, one := range sent {
		err = errors.Join(err, one.Check())
	}
	return at, err
}

func (k *keys) close() error { k.conn.Close(); return nil }
