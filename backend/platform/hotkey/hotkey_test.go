package hotkey

import (
	"log/slog"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// patience is the time limit for waiting, long enough for a busy machine.
const patience = 60 * time.Second

// env is a Hotkey with its recorded events.
type env struct {
	*Hotkey
	t       *testing.T
	pressed chan struct{}
	changed chan backend.Shortcut
}

func newEnv(t *testing.T) *env {
	d := &env{t: t, pressed: make(chan struct{}, 100), changed: make(chan backend.Shortcut, 100)}
	d.Hotkey = Start(Config{
		Pressed: func() { d.pressed <- struct{}{} },
		Changed: func(s backend.Shortcut) { d.changed <- s },
		Command: "voxpilot quick",
		Log:     slog.New(slog.DiscardHandler),
	})
	t.Cleanup(func() { d.Close() })
	return d
}

// waitForState waits for the next change of the shortcut's state and returns the new state. It fails the test if the
// new state or its keys aren't the given ones.
func (d *env) waitForState(state backend.ShortcutState, keys string) backend.Shortcut {
	d.t.Helper()
	select {
	case s := <-d.changed:
		if s.State != state || s.Keys != keys {
			d.t.Fatalf("the shortcut is %+v, want %s %q", s, state, keys)
		}
		return s
	case <-time.After(patience):
		d.t.Fatalf("the shortcut was never %s", state)
	}
	panic("not reached")
}

func (d *env) waitForPress() {
	d.t.Helper()
	select {
	case <-d.pressed:
	case <-time.After(patience):
		d.t.Fatal("the shortcut was not heard")
	}
}
