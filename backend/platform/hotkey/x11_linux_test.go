package hotkey

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"
	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/need"
)

// useX11 starts a display just for the test, so that no other key presses reach it.
func useX11(t *testing.T) {
	t.Helper()
	need.Programs(t, "Xvfb", "xdotool")
	t.Cleanup(func() { goleak.VerifyNone(t) })
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	server := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "640x480x24", "-nolisten", "tcp")
	server.ExtraFiles = []*os.File{write}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait() // it was killed
	})
	_ = write.Close() // it belongs to the server
	number, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatalf("Xvfb did not start: %v", err)
	}
	t.Setenv("DISPLAY", ":"+strings.TrimSpace(number))
	t.Setenv("WAYLAND_DISPLAY", "")
	t.Setenv("XDG_SESSION_TYPE", "x11")
}

func xdotool(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), "xdotool", args...).CombinedOutput(); err != nil {
		t.Fatalf("xdotool %v: %v\n%s", args, err, out)
	}
}

func TestX11_FiresWithAnyLockKeys(t *testing.T) {
	useX11(t)
	d := newEnv(t)
	d.Set("Ctrl+Shift+Space")
	d.waitForState(backend.ShortcutActive, "Ctrl+Shift+Space")
	xdotool(t, "key", "ctrl+shift+space")
	d.waitForPress()
	for _, lock := range []string{"Caps_Lock", "Num_Lock"} {
		xdotool(t, "key", lock)
		xdotool(t, "key", "ctrl+shift+space")
		d.waitForPress()
	}
}

func TestX11_IgnoresOtherKeys(t *testing.T) {
	useX11(t)
	d := newEnv(t)
	d.Set("Ctrl+Alt+V")
	d.waitForState(backend.ShortcutActive, "Ctrl+Alt+V")
	for _, keys := range []string{"v", "ctrl+v", "alt+v", "ctrl+alt+shift+v", "ctrl+alt+b"} {
		xdotool(t, "key", keys)
	}
	xdotool(t, "key", "ctrl+alt+v")
	d.waitForPress()
	if n := len(d.pressed); n > 0 {
		t.Errorf("other keys were heard, %d times", n)
	}
}

func TestX11_TakenKeysKeepPrevious(t *testing.T) {
	useX11(t)
	other, d := newEnv(t), newEnv(t)
	other.Set("Ctrl+Alt+P")
	other.waitForState(backend.ShortcutActive, "Ctrl+Alt+P")
	d.Set("Ctrl+Alt+O")
	d.waitForState(backend.ShortcutActive, "Ctrl+Alt+O")

	d.Set("Ctrl+Alt+P")
	s := d.waitForState(backend.ShortcutInUse, "Ctrl+Alt+P")
	if !strings.HasPrefix(s.Message.String(), "Another program is using Ctrl+Alt+P.") || !strings.HasSuffix(s.Message.String(), "Ctrl+Alt+O still works.") || s.Command != "voxpilot quick" {
		t.Errorf("it says %+v", s)
	}
	xdotool(t, "key", "ctrl+alt+o")
	d.waitForPress()

	other.Set("")
	other.waitForState(backend.ShortcutOff, "")
	d.Set("Ctrl+Alt+P") // the user retries
	d.waitForState(backend.ShortcutActive, "Ctrl+Alt+P")
	xdotool(t, "key", "ctrl+alt+p")
	d.waitForPress()
	other.Set("Ctrl+Alt+O") // which is available now
	other.waitForState(backend.ShortcutActive, "Ctrl+Alt+O")
}

func TestX11_InvalidKeysKeepPrevious(t *testing.T) {
	useX11(t)
	d := newEnv(t)
	d.Set("Ctrl+Alt+O")
	d.waitForState(backend.ShortcutActive, "Ctrl+Alt+O")
	d.Set("Ctrl+C")
	d.waitForState(backend.ShortcutUnsupported, "Ctrl+C")
	d.Set("Ctrl+Alt+O")
	d.waitForState(backend.ShortcutActive, "Ctrl+Alt+O")
}

func TestX11_FollowsRemappedKey(t *testing.T) {
	useX11(t)
	d := newEnv(t)
	d.Set("Ctrl+Alt+F12")
	d.waitForState(backend.ShortcutUnsupported, "Ctrl+Alt+F12") // it switches consoles
	d.Set("Ctrl+F12")
	d.waitForState(backend.ShortcutActive, "Ctrl+F12")

	opened, err := openX11(func() {}, func() {})
	x, ok := opened.(*x11)
	if err != nil || !ok {
		t.Fatal(err)
	}
	defer x.close()
	here, there := x.codeOf(t, "F12"), x.codeOf(t, "Home")
	x.rename(t, here, "Home")
	x.rename(t, there, "F12")
	// The server reports its new mapping with a delay.
	until := time.Now().Add(patience)
	for len(d.pressed) == 0 {
		if time.Now().After(until) {
			t.Fatal("the key at its new place is not heard")
		}
		xdotool(t, "key", "ctrl+F12")
	}
}

// codeOf returns the keycode of a key.
func (x *x11) codeOf(t *testing.T, key string) xproto.Keycode {
	t.Helper()
	board, err := x.keyboard()
	if err != nil {
		t.Fatal(err)
	}
	return board.codes(keysym(key))[0]
}

// rename assigns a keycode to another key.
func (x *x11) rename(t *testing.T, code xproto.Keycode, key string) {
	t.Helper()
	board, err := x.keyboard()
	if err != nil {
		t.Fatal(err)
	}
	symbols := make([]xproto.Keysym, board.width)
	symbols[0] = keysym(key)
	if err := xproto.ChangeKeyboardMappingChecked(x.conn, 1, code, byte(board.width), symbols).Check(); err != nil {
		t.Fatal(err)
	}
}

// TestX11_MissingKeyReturns checks that a shortcut survives a remapping. Since keys are
// remapped one by one, no key produces the shortcut for a while.
func TestX11_MissingKeyReturns(t *testing.T) {
	useX11(t)
	opened, err := openX11(func() {}, func() {})
	x, ok := opened.(*x11)
	if err != nil || !ok {
		t.Fatal(err)
	}
	defer x.close()
	release, _, err := x.take(t.Context(), Combo{Ctrl: true, Key: "F11"})
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	here, there := x.codeOf(t, "F11"), x.codeOf(t, "End")
	x.rename(t, here, "End")
	if !x.grabMissing() {
		t.Fatal("the keys are lost as soon as the keyboard has none")
	}
	x.rename(t, there, "F11")
	if !x.grabMissing() {
		t.Fatal("the keys are lost at their new place")
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if places := x.grabs[0].keyGrabs; len(places) == 0 || places[0].code != there {
		t.Errorf("got the places %v, want the key %d", places, there)
	}
}

func TestX11_KeyRepeatFiresOnce(t *testing.T) {
	var p press
	steps := []struct {
		down bool
		at   xproto.Timestamp
		want bool
	}{
		{true, 1000, true},
		{false, 1500, false},
		{true, 1500, false}, // a repeat: both events at the same time
		{false, 1530, false},
		{true, 1530, false},
		{true, 1560, false}, // a repeat without a release
		{false, 1600, false},
		{true, 1700, true}, // pressed again
	}
	for _, s := range steps {
		if !s.down {
			p.up(s.at)
			continue
		}
		if got := p.down(s.at); got != s.want {
			t.Errorf("pressed at %d counts: %v", s.at, got)
		}
	}
}
