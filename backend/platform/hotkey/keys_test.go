package hotkey

import (
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

func TestKeys_ParseAnySpelling(t *testing.T) {
	for text, want := range map[string]string{
		"Ctrl+Shift+Space":      "Ctrl+Shift+Space",
		"shift + control+space": "Ctrl+Shift+Space",
		"Ctrl+Alt+Shift+v":      "Ctrl+Alt+Shift+V",
		"Option+Shift+9":        "Alt+Shift+9",
		"Ctrl+F12":              "Ctrl+F12",
		"ctrl+shift+pagedown":   "Ctrl+Shift+PageDown",
		"Super+Shift+F24":       "Shift+Super+F24",
		"Meta+Shift+Up":         "Shift+Super+Up",
	} {
		keys, err := parse(text, "linux")
		if err != nil || keys.String() != want {
			t.Errorf("%q is read as %q, %v; want %q", text, keys, err, want)
		}
		if again, err := parse(keys.String(), "linux"); err != nil || again != keys {
			t.Errorf("%q does not survive being written: %v, %v", text, again, err)
		}
	}
}

func TestKeys_ReservedRefusedWithReason(t *testing.T) {
	for _, c := range []struct{ text, goos, why string }{
		{"Space", "linux", "for typing"},
		{"F5", "linux", "other programs"},
		{"Shift+A", "darwin", "for typing"},
		{"Ctrl+C", "linux", "Other programs may use"},
		{"Alt+Space", "windows", "Other programs may use"},
		{"Ctrl+Insert", "linux", "Other programs may use"},
		{"Super+Space", "darwin", "Other programs may use"},
		{"Alt+F4", "linux", "closes windows"},
		{"Alt+Shift+F4", "windows", "closes windows"},
		{"Ctrl+Alt+F2", "linux", "console"},
		{"Ctrl+Alt+Q", "windows", "AltGr"},
		{"Super+Shift+V", "windows", "Windows key"},
		{"Ctrl+Shift+Escape", "linux", "must end with"},
		{"Ctrl+Shift+", "linux", "must end with"},
		{"", "linux", "must end with"},
		{"Ctrl+Shift+F25", "linux", "must end with"},
		{"Ctrl+Shift+F05", "linux", "must end with"},
		{"Ctrl+Ctrl+Space", "linux", "isn't a valid shortcut"},
		{"Hyper+Space", "linux", "isn't a valid shortcut"},
		{"Ctrl+Shift+ä", "linux", "must end with"},
	} {
		_, err := parse(c.text, c.goos)
		if backend.CodeOf(err) != backend.CodeInvalid || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%q on %s: %v; want an error with %q", c.text, c.goos, err, c.why)
		}
	}
}

func TestKeys_FreeAccepted(t *testing.T) {
	for _, c := range []struct{ text, goos string }{
		{backend.DefaultSettings().Shortcut, "linux"},
		{backend.DefaultSettings().Shortcut, "windows"},
		{backend.DefaultSettings().Shortcut, "darwin"},
		{"Ctrl+Alt+V", "linux"},
		{"Ctrl+Alt+Space", "windows"},
		{"Super+V", "linux"},
		{"Shift+Super+Space", "darwin"},
		{"Ctrl+Alt+F2", "darwin"},
		{"Ctrl+F4", "linux"},
	} {
		if _, err := parse(c.text, c.goos); err != nil {
			t.Errorf("%s on %s: %v", c.text, c.goos, err)
		}
	}
}
