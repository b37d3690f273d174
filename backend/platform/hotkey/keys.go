package hotkey

import (
	"runtime"
	"strconv"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// Keys are keys that are pressed together.
type Keys struct {
	Ctrl, Alt, Shift bool
	Super            bool   // the Windows key, Command on a Mac
	Key              string // as in named, a letter, a digit, or F1 to F24
}

// named are the keys that have a name, besides letters, digits and F1 to F24.
var named = []string{"Space", "Insert", "Home", "End", "PageUp", "PageDown", "Left", "Right", "Up", "Down"}

// lastF is the number of the last function key.
const lastF = 24

// String writes the keys as the settings have them: "Ctrl+Alt+Shift+Super+Space".
func (k Keys) String() string {
	var parts []string
	for _, mod := range []struct {
		held bool
		name string
	}{{k.Ctrl, "Ctrl"}, {k.Alt, "Alt"}, {k.Shift, "Shift"}, {k.Super, "Super"}} {
		if mod.held {
			parts = append(parts, mod.name)
		}
	}
	return strings.Join(append(parts, k.Key), "+")
}

// Parse reads keys, and refuses those that cannot be a global shortcut on this
// system, with an error for a person.
func Parse(text string) (Keys, error) { return parse(text, runtime.GOOS) }

func parse(text, goos string) (Keys, error) {
	var k Keys
	parts := strings.Split(text, "+")
	for i, part := range parts {
		part = strings.TrimSpace(part)
		if i == len(parts)-1 {
			k.Key = keyNamed(part)
			break
		}
		mod := k.modifier(part)
		if mod == nil || *mod {
			return Keys{}, backend.Invalid("%s is not a shortcut. Write it as Ctrl+Shift+Space.", text)
		}
		*mod = true
	}
	if k.Key == "" {
		return Keys{}, backend.Invalid("A shortcut ends with a letter, a digit, Space, F1 to F24, Insert, Home, End, PageUp, PageDown or an arrow key. %s does not.", text)
	}
	if why := k.refused(goos); !why.IsZero() {
		return Keys{}, &backend.Error{Code: backend.CodeInvalid, Message: why}
	}
	return k, nil
}

func (k *Keys) modifier(name string) *bool {
	switch strings.ToLower(name) {
	case "ctrl", "control":
		return &k.Ctrl
	case "alt", "option":
		return &k.Alt
	case "shift":
		return &k.Shift
	case "super", "win", "cmd", "command", "meta":
		return &k.Super
	}
	return nil
}

// keyNamed is the name of a key as Keys has it, "" for one that cannot be used.
func keyNamed(name string) string {
	up := strings.ToUpper(name)
	if len(up) == 1 && (up[0] >= 'A' && up[0] <= 'Z' || up[0] >= '0' && up[0] <= '9') {
		return up
	}
	for _, known := range named {
		if strings.EqualFold(known, name) {
			return known
		}
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(up, "F")); err == nil && n >= 1 && n <= lastF && up == "F"+strconv.Itoa(n) {
		return up
	}
	return ""
}

// function is the number of a function key, 0 for another key.
func (k Keys) function() int {
	if len(k.Key) < 2 || k.Key[0] != 'F' {
		return 0
	}
	n, _ := strconv.Atoi(k.Key[1:])
	return n
}

// refused says why the keys cannot be a global shortcut: a global shortcut is
// taken away from every other program, so what programs and the system need is
// left to them. "" where nothing is against it.
func (k Keys) refused(goos string) backend.Message {
	mods := 0
	for _, held := range []bool{k.Ctrl, k.Alt, k.Shift, k.Super} {
		if held {
			mods++
		}
	}
	f, here := k.function(), k.String()
	switch {
	case mods == 0, mods == 1 && k.Shift:
		return backend.Say("%s is needed for typing and by other programs. Add Ctrl or Alt to it.", here)
	case goos == "windows" && k.Super:
		return backend.Say("Windows keeps shortcuts with the Windows key for itself. Use Ctrl, Alt and Shift.")
	case k.Alt && !k.Ctrl && !k.Super && f == 4:
		return backend.Say("%s closes windows. Choose other keys.", here)
	case k.Ctrl && k.Alt && f > 0 && goos == "linux":
		return backend.Say("%s switches to another console. Choose other keys.", here)
	case k.Ctrl && k.Alt && mods == 2 && f == 0 && len(k.Key) == 1 && goos == "windows":
		return backend.Say("%s types a letter on some keyboards, where Ctrl+Alt is AltGr. Add Shift to it.", here)
	case mods == 1 && f == 0 && (!k.Super || goos == "darwin"):
		return backend.Say("%s is used by other programs. Add Shift or another key to it.", here)
	}
	return backend.Message{}
}
