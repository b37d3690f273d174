package main

import (
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

func TestTheFirstWordsOfAnAnswerAreWithoutItsMarks(t *testing.T) {
	for text, want := range map[string]string{
		"All **tests** pass in `go test`.\nMore.":     "All tests pass in go test.",
		"\n\n## Done\n\nIt works.":                    "Done",
		"```go\nfunc main() {}\n```":                  "func main() {}",
		"> - See [the file](file:///a/b.go) and this": "See the file and this",
		" \n---\n": "",
		"":         "",
	} {
		if got := firstWords(text); got != want {
			t.Errorf("%q begins with %q, want %q", text, got, want)
		}
	}
}

func TestSettingsOfTheDesktopThatCannotBeMeantAreRefused(t *testing.T) {
	for name, change := range map[string]func(*backend.Settings){
		"a key alone":             func(s *backend.Settings) { s.Shortcut = "F5" },
		"no shortcut":             func(s *backend.Settings) { s.Shortcut = "anything" },
		"half of the quiet hours": func(s *backend.Settings) { s.Notify.QuietFrom = "22:00" },
		"a time that is none":     func(s *backend.Settings) { s.Notify.QuietFrom, s.Notify.QuietTo = "22:00", "25:00" },
	} {
		s := backend.DefaultSettings()
		change(&s)
		if err := checkSettings(s); backend.CodeOf(err) != backend.CodeInvalid {
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
		if err := checkSettings(s); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
