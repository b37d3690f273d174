package sessionfiles_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
)

const original = "06a11c58-0ad4-43db-826d-e50082dfdd1c"

// event returns a line of a session's log. The time of the event is the given number of seconds after a fixed
// start time.
func event(kind, data string, second int) string {
	return fmt.Sprintf(`{"type":%q,"data":%s,"id":"e%d","timestamp":%q,"parentId":null}`, kind, data, second, at(second).Format("2006-01-02T15:04:05.000Z")) + "\n"
}

func at(second int) time.Time { return time.Date(2026, 11, 27, 19, 0, second, 0, time.UTC) }

// newSession creates a session with a log, in a new home.
func newSession(t *testing.T, log ...string) (home string) {
	t.Helper()
	home = t.TempDir()
	for name, text := range map[string]string{
		"events.jsonl": strings.Join(log, ""), "workspace.yaml": "id: " + original + "\ncwd: /home/x\n",
		"files/a/b": "kept", "inuse.123.lock": "123", "inuse.123.hold": "", ".workspace-fork.lock": "", "checkpoints/index.md": "none",
	} {
		path := filepath.Join(home, "session-state", original, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

// filesOf returns the contents of a session's files, by path relative to the session's folder.
func filesOf(t *testing.T, home, id string) map[string]string {
	t.Helper()
	all := map[string]string{}
	dir := filepath.Join(home, "session-state", id)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		all[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// wantOnly fails the test unless home contains exactly the sessions with the given IDs. Incomplete forks count as
// sessions.
func wantOnly(t *testing.T, home string, ids ...string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(home, "session-state"))
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	slices.Sort(ids)
	if err != nil || !slices.Equal(got, ids) { // ReadDir sorts, too
		t.Errorf("there is %q, want %q (%v)", got, ids, err)
	}
}

func TestForkSession_EndsBeforeMessage(t *testing.T) {
	start := event("session.start", `{"sessionId":"`+original+`","context":{"cwd":"/home/x"}}`, 0)
	first := event("user.message", `{"content":"one"}`, 1) + event("assistant.message", `{"content":"user.message"}`, 2)
	sub := `{"type":"user.message","data":{"content":"task"},"id":"s","timestamp":"2026-11-27T19:00:09.000Z","agentId":"sub"}` + "\n"
	second := event("user.message", `{"content":"two"}`, 3) + event("assistant.message", `{}`, 4)
	home := newSession(t, start, first, sub, second)
	before := filesOf(t, home, original)
	id := sessionfiles.NewID()
	if err := sessionfiles.Fork(t.Context(), home, original, id, at(3)); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"events.jsonl": strings.ReplaceAll(start+first+sub, original, id), "workspace.yaml": "id: " + id + "\ncwd: /home/x\n",
		"files/a/b": "kept", "checkpoints/index.md": "none",
	}
	if diff := cmp.Diff(want, filesOf(t, home, id)); diff != "" {
		t.Errorf("the fork (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(before, filesOf(t, home, original)); diff != "" {
		t.Errorf("the original changed (-want +got):\n%s", diff)
	}
	wantOnly(t, home, original, id)

	whole := sessionfiles.NewID()
	if err := sessionfiles.Fork(t.Context(), home, original, whole, time.Time{}); err != nil {
		t.Fatal(err)
	}
	if got, want := filesOf(t, home, whole)["events.jsonl"], strings.ReplaceAll(start+first+sub+second, original, whole); got != want {
		t.Errorf("the whole copy has %q, want %q", got, want)
	}
	if !sessionfiles.Exists(home, whole) || sessionfiles.Exists(home, sessionfiles.NewID()) {
		t.Error("the wrong sessions exist")
	}
}

func TestForkSession_RefusedWithoutTrace(t *testing.T) {
	home := newSession(t, event("session.start", `{}`, 0), event("user.message", `{}`, 1), event("user.message", `{}`, 3))
	none := sessionfiles.NewID()
	for _, c := range []struct {
		from, to string
		before   int
		want     error
	}{
		{original, sessionfiles.NewID(), 4, sessionfiles.ErrNothingLater},
		{original, sessionfiles.NewID(), 1, sessionfiles.ErrNothingEarlier},
		{none, sessionfiles.NewID(), 3, sessionfiles.ErrNoSession},
		{"../" + original, sessionfiles.NewID(), 3, sessionfiles.ErrNoSession},
		{original, "../../x", 3, sessionfiles.ErrNoSession},
	} {
		if err := sessionfiles.Fork(t.Context(), home, c.from, c.to, at(c.before)); !errors.Is(err, c.want) {
			t.Errorf("from %s to %s before %d: %v, want %v", c.from, c.to, c.before, err, c.want)
		}
	}
	if err := sessionfiles.Fork(t.Context(), home, original, original, at(3)); err == nil {
		t.Error("a session was copied onto itself")
	}
	if err := sessionfiles.Fork(t.Context(), t.TempDir(), original, none, at(3)); !errors.Is(err, sessionfiles.ErrNoSession) {
		t.Errorf("in an empty home: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := sessionfiles.Fork(ended, home, original, none, at(3)); !errors.Is(err, context.Canceled) {
		t.Errorf("after it was canceled: %v", err)
	}
	wantOnly(t, home, original)
	if err := os.MkdirAll(filepath.Join(home, "session-state", ".voxpilot-fork-"+none, "files"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := sessionfiles.Delete(home, none); err != nil {
		t.Fatal(err)
	}
	wantOnly(t, home, original)
}

// TestForkSession_DamagedAndLongLines checks that sessions can be forked if their log ends in the middle of a
// line, as after a kill, or has long lines. Long lines are copied in chunks; the session's ID must be replaced
// even if it spans two chunks.
func TestForkSession_DamagedAndLongLines(t *testing.T) {
	start := event("session.start", `{"sessionId":"`+original+`"}`, 0) + event("user.message", `{"content":"one"}`, 1)
	long := event("tool.execution_complete", `{"content":"`+strings.Repeat("x"+original, 100_000)+`"}`, 2)
	image := event("user.message", `{"content":"`+strings.Repeat("image ", 400_000)+`"}`, 3)
	last := event("user.message", `{"content":"last"}`, 5)
	for name, c := range map[string]struct {
		log, want string
		before    time.Time
	}{
		"long":            {start + long + image + last, start + long + image, at(5)},
		"long message":    {start + long + image + last, start + long, at(3)},
		"cut off":         {start + last[:len(last)/2], start, time.Time{}},
		"cut off long":    {start + long[:len(long)-9], start, time.Time{}},
		"cut off message": {start + image[:len(image)-9], start, time.Time{}},
		"without newline": {start + strings.TrimSuffix(last, "\n"), start + last, time.Time{}},
	} {
		t.Run(name, func(t *testing.T) {
			home, id := newSession(t, c.log), sessionfiles.NewID()
			if err := sessionfiles.Fork(t.Context(), home, original, id, c.before); err != nil {
				t.Fatal(err)
			}
			got := filesOf(t, home, id)["events.jsonl"]
			if want := strings.ReplaceAll(c.want, original, id); got != want {
				t.Errorf("the log has %d bytes, want %d; the same up to byte %d", len(got), len(want), common(got, want))
			}
		})
	}
}

// common returns the number of equal bytes at the start of a and b.
func common(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// BenchmarkForkSession shows that the memory used for a fork doesn't depend on the size of the log.
func BenchmarkForkSession(b *testing.B) {
	home := b.TempDir()
	dir := filepath.Join(home, "session-state", original)
	var log bytes.Buffer
	log.WriteString(event("user.message", `{}`, 1))
	for log.Len() < 64<<20 {
		log.WriteString(event("assistant.message", `{"content":"`+strings.Repeat("word ", 1000)+`"}`, 2))
	}
	log.WriteString(event("user.message", `{}`, 3))
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "events.jsonl"), log.Bytes(), 0o600)); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(log.Len()))
	b.ReportAllocs()
	for b.Loop() {
		id := sessionfiles.NewID()
		if err := errors.Join(sessionfiles.Fork(b.Context(), home, original, id, at(3)), sessionfiles.Delete(home, id)); err != nil {
			b.Fatal(err)
		}
	}
}
