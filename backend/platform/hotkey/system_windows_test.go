package hotkey

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend"
)

var keyboardEvent = user32.NewProc("keybd_event")

// pressKeys presses and releases keys, given by their codes.
func pressKeys(keys ...uintptr) {
	const up = 0x0002
	for _, key := range keys {
		_, _, _ = keyboardEvent.Call(key, 0, 0, 0)
	}
	for i := len(keys) - 1; i >= 0; i-- {
		_, _, _ = keyboardEvent.Call(keys[i], 0, up, 0)
	}
}

const (
	shift   = 0x10
	control = 0x11
	alt     = 0x12
)

func TestHotkey_Fires(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	d := newEnv(t)
	d.Set("Ctrl+Shift+Space")
	d.waitForState(backend.ShortcutActive, "Ctrl+Shift+Space")
	pressKeys(control, shift, 0x20)
	d.waitForPress()
	d.Set("Ctrl+Alt+Shift+V")
	d.waitForState(backend.ShortcutActive, "Ctrl+Alt+Shift+V")
	pressKeys(control, shift, 0x20) // which are available again
	pressKeys(control, alt, shift, 'V')
	d.waitForPress()
	if n := len(d.pressed); n > 0 {
		t.Errorf("the keys of before are heard as well")
	}
}

func TestHotkey_TakenKeysRefused(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	other, d := newEnv(t), newEnv(t)
	other.Set("Ctrl+Shift+F9")
	other.waitForState(backend.ShortcutActive, "Ctrl+Shift+F9")
	d.Set("Ctrl+Shift+F8")
	d.waitForState(backend.ShortcutActive, "Ctrl+Shift+F8")
	d.Set("Ctrl+Shift+F9")
	d.waitForState(backend.ShortcutInUse, "Ctrl+Shift+F9")
	pressKeys(control, shift, 0x77)
	d.waitForPress() // the previous keys still work
	other.Set("")
	other.waitForState(backend.ShortcutOff, "")
	d.Set("Ctrl+Shift+F9")
	d.waitForState(backend.ShortcutActive, "Ctrl+Shift+F9")
}
