package sessionfiles_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
)

// TestEachEvent_HostileLines checks that no line exhausts the stack, that the time for a line grows only with its size,
// and that whole events are found between damaged ones.
func TestEachEvent_HostileLines(t *testing.T) {
	event := `{"type":"a.b","data":{},"id":"0cd2575d-0000-4000-8000-000000000001","timestamp":"2026-01-01T00:00:00.000Z","parentId":null}`
	for name, c := range map[string]struct {
		line           string
		events, damage int // at least
	}{
		"deep":                       {`{"type":"a.b","data":` + strings.Repeat("[", 12<<20), 0, 1},
		"deep behind an event":       {event + `{"type":"a.b","data":` + strings.Repeat("[", 12<<20) + event, 2, 1},
		"deeper and deeper":          {strings.Repeat(`{"type":"a.b","data":`, 1<<17), 0, 40},
		"deep with a long text":      {strings.Repeat(`{"type":"a.b","data":`, 9000) + `"` + strings.Repeat("x", 4<<20), 0, 4},
		"many without a line ending": {strings.Repeat(event, 20_000), 20_000, 0},
		"cut off":                    {strings.Repeat(event[:40]+event, 5000), 5000, 5000},
	} {
		t.Run(name, func(t *testing.T) {
			events := 0
			damaged, err := sessionfiles.EachEvent([]byte(c.line), func(sessionfiles.Event) error { events++; return nil })
			if err != nil || events < c.events || damaged < c.damage {
				t.Errorf("%d events and %d damaged ones, %v", events, damaged, err)
			}
		})
	}
}

// TestIsCutOff_LastLine checks which logs count as cut off: those whose last line is only the start of an event.
func TestIsCutOff_LastLine(t *testing.T) {
	whole := event("session.start", `{}`, 0) + event("user.message", `{"content":"a"}`, 1)
	long := event("assistant.message", `{"content":"`+strings.Repeat("word ", 100_000)+`","messageId":"m"}`, 2)
	for name, c := range map[string]struct {
		log  string
		want bool
	}{
		"whole":               {whole, false},
		"empty":               {"", false},
		"cut off":             {whole[:len(whole)-10], true},
		"one character":       {whole + "{", true},
		"a long line":         {whole + long[:len(long)-100], true},
		"only a long line":    {long[:len(long)-100], true},
		"no line ending":      {strings.TrimRight(whole+long, "\n"), false},
		"zeros":               {whole + strings.Repeat("\x00", 5000), false},
		"cut off, then zeros": {whole[:len(whole)-10] + strings.Repeat("\x00", 5000), true},
	} {
		t.Run(name, func(t *testing.T) {
			home := newSession(t, c.log)
			if got, err := sessionfiles.IsCutOff(home, original); err != nil || got != c.want {
				t.Errorf("got %t, %v", got, err)
			}
		})
	}
	if _, err := sessionfiles.IsCutOff(t.TempDir(), original); !errors.Is(err, sessionfiles.ErrNoSession) {
		t.Errorf("got %v", err)
	}
}
