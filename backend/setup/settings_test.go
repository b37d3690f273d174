package setup

import (
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

func TestSettings_InvalidDesktopRefused(t *testing.T) {
	for name, change := range map[string]func(*backend.Settings){
		"a key alone":             func(s *backend.Settings) { s.Shortcut = "F5" },
		"no shortcut":             func(s *backend.Settings) { s.Shortcut = "anything" },
		"half of the quiet hours": func(s *backend.Settings) { s.Notify.QuietFrom = "22:00" },
		"a time that is none":     func(s *backend.Settings) { s.Notify.QuietFrom, s.Notify.QuietTo = "22:00", "25:00" },
	} {
		s := backend.DefaultSettings()
		change(&s)
		if err := Check(s); backend.CodeOf(err) != backend.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, change := range map[string]func(*backend.Settings){
		"what a new installation has": func(*backend.Settings) {},
		"no shortcut at all":          func(s *backend.Settings) { s.Shortcut = "" },
		"quiet hours over midnight":   func(s *backend.Settings) { s.Notify.QuietFrom, s.Notify.QuietTo = "22:00", "07:00" },
	} {
		s := backend.DefaultSettings()
		change(&s)
		if err := Check(s); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
