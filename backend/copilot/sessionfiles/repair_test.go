package sessionfiles_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
)

// logEvent returns a line of a log in the form that the CLI can load.
func logEvent(kind, data string) string {
	return strings.Replace(event(kind, data, 1), `"id":"e1"`, `"id":"`+sessionfiles.NewID()+`"`, 1)
}

// TestRepair_CopiesWholeEvents checks which lines of a damaged log are in the repaired copy. The tests of the engine check
// with the real CLI that it loads such copies.
func TestRepair_CopiesWholeEvents(t *testing.T) {
	start := logEvent("session.start", `{"sessionId":"`+original+`","producer":"p","copilotVersion":"1","startTime":"t","version":1,"context":{"cwd":"/a"}}`)
	other := strings.ReplaceAll(start, original, sessionfiles.NewID())
	one, two := logEvent("user.message", `{"content":"one"}`), logEvent("user.message", `{"content":"two"}`)
	long := logEvent("user.message", `{"content":"`+strings.Repeat("long ", 500_000)+`"}`)
	weather := logEvent("weather.report", `{}`)
	for name, c := range map[string]struct {
		log     string
		want    []string // the events after the first one
		dropped int
		cwd     string
	}{
		"whole":           {start + one + two, []string{one, two}, 0, "/a"},
		"long":            {start + long + two, []string{long, two}, 0, "/a"},
		"no start":        {one + two, []string{one, two}, 0, "/folder"},
		"garbage":         {start + "garbage\x00\xff\n{\n" + one, []string{one}, 2, "/a"},
		"cut off":         {start + one + two[:30], []string{one}, 1, "/a"},
		"cut off between": {start + one[:30] + "\n" + two, []string{two}, 1, "/a"},
		"cut off, glued":  {start + one[:30] + two, []string{two}, 1, "/a"},
		"glued":           {strings.TrimSpace(start) + one + two, []string{one, two}, 0, "/a"},
		"zeros":           {"\x00\x00" + start + "\x00" + one + "\x00\x00", []string{one}, 0, "/a"},
		"mark, CR LF":     {"\ufeff" + strings.ReplaceAll(start+one, "\n", "\r\n"), []string{one}, 0, "/a"},
		"unknown":         {start + weather + one, []string{weather, one}, 0, "/a"},
		"other session":   {start + other + one, []string{one}, 1, "/a"},
		"only other":      {other + one, []string{one}, 0, "/a"},
		"wrong data":      {start + logEvent("user.message", `{}`) + logEvent("assistant.message", `{"content":"x"}`) + one, []string{one}, 2, "/a"},
		"wrong time":      {start + strings.Replace(one, `"timestamp":"2`, `"timestamp":"x`, 1) + two, []string{two}, 1, "/a"},
	} {
		t.Run(name, func(t *testing.T) {
			home, id := newSession(t, c.log), sessionfiles.NewID()
			was := filesOf(t, home, original)
			var seen []string
			dropped, err := sessionfiles.Repair(t.Context(), home, original, id, "/folder", func(e sessionfiles.Event) { seen = append(seen, e.Type) })
			noErr(t, err)
			if dropped != c.dropped {
				t.Errorf("%d lines dropped, want %d", dropped, c.dropped)
			}
			lines := strings.SplitAfter(filesOf(t, home, id)["events.jsonl"], "\n")
			first := gjson.Parse(lines[0])
			if first.Get("type").String() != "session.start" || first.Get("data.sessionId").String() != id || first.Get("data.context.cwd").String() != c.cwd {
				t.Errorf("the first event is %s", lines[0])
			}
			if diff := cmp.Diff(append(c.want, ""), lines[1:]); diff != "" {
				t.Errorf("the log (-want +got):\n%s", diff[:min(len(diff), 2000)])
			}
			if len(seen) != len(c.want)+1 {
				t.Errorf("saw %q", seen)
			}
			if diff := cmp.Diff(was, filesOf(t, home, original)); diff != "" {
				t.Errorf("the damaged session changed (-was +is):\n%s", diff)
			}
		})
	}
}

// TestRepair_LeavesNothingIfItFails checks that Repair leaves no copy behind when it fails.
func TestRepair_LeavesNothingIfItFails(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	one := logEvent("user.message", `{"content":"one"}`)
	for name, c := range map[string]struct {
		log  string
		ctx  context.Context
		want error
	}{
		"empty":     {"", t.Context(), sessionfiles.ErrUnreadable},
		"garbage":   {"garbage\n", t.Context(), sessionfiles.ErrUnreadable},
		"no prompt": {logEvent("weather.report", `{}`), t.Context(), sessionfiles.ErrUnreadable},
		"too long":  {logEvent("user.message", `{"content":"`+strings.Repeat("x", 65<<20)+`"}`), t.Context(), sessionfiles.ErrUnreadable},
		"stopped":   {one, stopped, context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			home := newSession(t, c.log)
			_, err := sessionfiles.Repair(c.ctx, home, original, sessionfiles.NewID(), "/folder", func(sessionfiles.Event) {})
			if !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
			wantOnly(t, home, original)
		})
	}
	if _, err := sessionfiles.Repair(t.Context(), t.TempDir(), original, sessionfiles.NewID(), "/folder", nil); !errors.Is(err, sessionfiles.ErrNoSession) {
		t.Errorf("without a session: %v", err)
	}
}

// TestRepair_LeavesDamagedWorkspaceOut checks that workspace.yaml is copied only if it is in the CLI's own form.
func TestRepair_LeavesDamagedWorkspaceOut(t *testing.T) {
	for text, want := range map[string]bool{
		"id: " + original + "\ncwd: /a\nname: One 😀\n": true, "id: " + original + "\r\ncwd: /a\r\n": true,
		"": false, "5\n": false, "{: [nonsense": false, "\x00\x01": false, "cwd: /a\n": false, "id: " + sessionfiles.NewID() + "\n": false,
	} {
		home, id := newSession(t, logEvent("user.message", `{"content":"one"}`)), sessionfiles.NewID()
		noErr(t, os.WriteFile(filepath.Join(home, "session-state", original, "workspace.yaml"), []byte(text), 0o600))
		_, err := sessionfiles.Repair(t.Context(), home, original, id, "/folder", func(sessionfiles.Event) {})
		noErr(t, err)
		got, has := filesOf(t, home, id)["workspace.yaml"]
		if has != want || has && got != strings.ReplaceAll(text, original, id) {
			t.Errorf("%q: has one %t: %q", text, has, got)
		}
	}
}
