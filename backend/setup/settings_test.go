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

func TestSettings_InvalidSandboxRefused(t *testing.T) {
	for name, change := range map[string]func(*backend.SandboxSettings){
		"no reaction":     func(s *backend.SandboxSettings) { s.WhenBlocked = "" },
		"no network":      func(s *backend.SandboxSettings) { s.Network = "" },
		"a port":          func(s *backend.SandboxSettings) { s.Ports = []int{8080, 65536} },
		"a relative path": func(s *backend.SandboxSettings) { s.Write = []string{"x"} },
		"another's home":  func(s *backend.SandboxSettings) { s.Hidden = []string{"~ann/x"} },
		"a site":          func(s *backend.SandboxSettings) { s.Sites = []string{"https://example.test/x"} },
	} {
		s := backend.DefaultSettings()
		change(&s.Sandbox)
		if err := Check(s); backend.CodeOf(err) != backend.CodeInvalid {
			t.Errorf("%s: got %v", name, err)
		}
	}
	s := backend.DefaultSettings()
	s.Sandbox.Write, s.Sandbox.Sites, s.Sandbox.Ports = []string{"~/x", "/x"}, []string{"*.example.test", "example.test:8443"}, []int{8080}
	if err := Check(s); err != nil {
		t.Error(err)
	}
	if err := CheckSandbox(backend.Sandbox{On: true, Write: []string{"~/x"}}); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("a chat's place: got %v", err)
	}
}
