package sessionfiles_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/copilottest"
)

// entry returns a line of a log, without its line ending.
func entry(kind string, data map[string]any) string {
	line, err := json.Marshal(struct {
		Type   string         `json:"type"`
		Data   map[string]any `json:"data"`
		ID     string         `json:"id"`
		Time   string         `json:"timestamp"`
		Parent any            `json:"parentId"`
	}{kind, data, sessionfiles.NewID(), "2026-11-30T03:28:04.000Z", nil})
	if err != nil {
		panic(err)
	}
	return string(line)
}

// conversation returns a log with two messages of the user, three answers, one of them empty, a command and a change to a
// file.
func conversation(id string) string {
	return strings.Join([]string{
		entry("session.start", map[string]any{
			"sessionId": id, "version": 1, "producer": "copilot-agent", "copilotVersion": "1.0.102", "startTime": "2026-11-30T03:28:03.000Z",
			"context": map[string]any{"cwd": "/code", "branch": "main"},
		}),
		entry("session.model_change", map[string]any{"newModel": "one"}),
		entry("user.message", map[string]any{"content": "Hello 😀\nsecond line"}),
		entry("assistant.message", map[string]any{"messageId": "a", "content": "Hi", "model": "two"}),
		entry("user.message", map[string]any{"content": "Change it"}),
		entry("assistant.message", map[string]any{"messageId": "b", "content": ""}),
		entry("tool.execution_start", map[string]any{"toolCallId": "c", "toolName": "bash"}),
		entry("tool.execution_complete", map[string]any{"toolCallId": "c", "success": true, "result": map[string]any{"content": "out"}}),
		entry("tool.execution_start", map[string]any{"toolCallId": "d", "toolName": "edit"}),
		entry("tool.execution_complete", map[string]any{
			"toolCallId": "d", "success": true, "fileEdits": []any{map[string]any{"path": "/code/a"}},
			"toolTelemetry": map[string]any{"metrics": map[string]any{"linesAdded": 3, "linesRemoved": 1}},
		}),
		entry("assistant.message", map[string]any{"messageId": "e", "content": "Changed."}),
	}, "\n") + "\n"
}

// writeSession creates a session with the given log in a new home.
func writeSession(t *testing.T, log func(id string) string) (folder *sessionfiles.Folder, id, dir string) {
	t.Helper()
	home, id, dir := newHeldSession(t)
	noErr(t, os.MkdirAll(filepath.Join(dir, "checkpoints"), 0o700))
	noErr(t, os.WriteFile(filepath.Join(dir, "events.jsonl"), []byte(log(id)), 0o600))
	noErr(t, os.WriteFile(filepath.Join(dir, "workspace.yaml"), []byte("id: "+id+"\ncwd: /code\nname: A name\nbranch: topic\n"), 0o600))
	folder, err := sessionfiles.OpenFolder(home)
	noErr(t, err)
	t.Cleanup(func() { noErr(t, folder.Close()) })
	return folder, id, dir
}

func scan(t *testing.T, f *sessionfiles.Folder, id string, from sessionfiles.Scan) sessionfiles.Scan {
	t.Helper()
	s, err := f.Scan(t.Context(), id, from, func() {})
	noErr(t, err)
	return s
}

func TestScan_Counts(t *testing.T) {
	f, id, _ := writeSession(t, conversation)
	s := scan(t, f, id, sessionfiles.Scan{})
	got := []int{s.Users, s.Answers, s.ToolCalls, s.Commands, s.FileChanges, len(s.Files), s.Added, s.Removed, s.Lines}
	if want := []int{2, 2, 2, 1, 1, 1, 3, 1, 11}; !cmp.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	texts, err := f.Texts(id, s)
	noErr(t, err)
	if want := (sessionfiles.Texts{First: "Hello 😀\nsecond line", Last: "Change it", Answer: "Changed."}); texts != want {
		t.Errorf("got %+v, want %+v", texts, want)
	}
	d, _, err := f.Describe(id)
	noErr(t, err)
	_, err = f.DescribeRest(id, &d)
	noErr(t, err)
	want := sessionfiles.Description{
		Name: "A name", First: "Hello 😀\nsecond line", Last: "Change it", Folder: "/code", Branch: "topic", Model: "two",
		Created: 1796009283000, Updated: 1796009284000, HasMessage: true,
	}
	if d != want {
		t.Errorf("got %+v, want %+v", d, want)
	}
}

// TestScan_FindsWhatTheCLIRejects checks that a session counts as damaged if and only if the real CLI can't load it.
func TestScan_FindsWhatTheCLIRejects(t *testing.T) {
	for i, d := range copilottest.Damages {
		t.Run(d.Name, func(t *testing.T) {
			f, id, dir := writeSession(t, conversation)
			d.Apply(t, chaos.Rand(t, chaos.Seed(t), i), dir)
			got := damageOf(t, f, id)
			if (got == backend.DamageNone) != d.Loads {
				t.Errorf("got %q, but the CLI loads it: %t", got, d.Loads)
			}
		})
	}
}

// damageOf returns the damage of a session.
func damageOf(t *testing.T, f *sessionfiles.Folder, id string) backend.SessionDamage {
	t.Helper()
	var d sessionfiles.Description
	if _, err := f.DescribeRest(id, &d); err != nil {
		return backend.DamageEmpty
	}
	s := scan(t, f, id, sessionfiles.Scan{})
	if got := s.Damage(); got != backend.DamageNone || !d.BadWorkspace {
		return got
	}
	return backend.DamageMetadata
}

func TestScan_KindsOfDamage(t *testing.T) {
	start := len(strings.SplitAfter(conversation(sessionfiles.NewID()), "\n")[0])
	for name, c := range map[string]struct {
		log  func(id string) string
		want backend.SessionDamage
		r    backend.SessionReport
	}{
		"whole":                      {conversation, backend.DamageNone, backend.SessionReport{}},
		"nothing":                    {func(string) string { return "" }, backend.DamageEmpty, backend.SessionReport{}},
		"lines of zeros":             {func(id string) string { return "\x00\x00\n" + inLine3("\x00\x00\x00\r")(id) + "\x00\n\n" }, backend.DamageNone, backend.SessionReport{}},
		"zeros before an event":      {inLine3("\x00\x00" + entry("weather", nil)), backend.DamageInvalid, backend.SessionReport{Messages: 4, ToolCalls: 2, FileChanges: 1, Invalid: 1, Line: 3}},
		"blank lines":                {func(string) string { return "\n \r\n" }, backend.DamageEmpty, backend.SessionReport{}},
		"garbage in line 3":          {inLine3("garbage"), backend.DamageInvalid, backend.SessionReport{Messages: 4, ToolCalls: 2, FileChanges: 1, Invalid: 1, Part: "garbage", Line: 3}},
		"not UTF-8 in a string":      {func(id string) string { return strings.Replace(conversation(id), "second", "\xff\xfe", 1) }, backend.DamageNone, backend.SessionReport{}},
		"control character":          {func(id string) string { return strings.Replace(conversation(id), "second", "\x01", 1) }, backend.DamageInvalid, backend.SessionReport{Messages: 3, ToolCalls: 2, FileChanges: 1, Invalid: 1, Line: 3}},
		"no start":                   {func(id string) string { return conversation(id)[start:] }, backend.DamageNoStart, backend.SessionReport{Messages: 4, ToolCalls: 2, FileChanges: 1, Line: 1}},
		"of another session":         {func(string) string { return conversation(sessionfiles.NewID()) }, backend.DamageMixed, backend.SessionReport{Messages: 4, ToolCalls: 2, FileChanges: 1, Mixed: 1, Line: 1}},
		"another session at the end": {func(id string) string { return conversation(id) + conversation(sessionfiles.NewID()) }, backend.DamageNone, backend.SessionReport{}},
		"cut off":                    {func(id string) string { return conversation(id) + `{"type":"us` }, backend.DamageNone, backend.SessionReport{}},
		"cut off with a line ending": {func(id string) string { return conversation(id) + `{"type":"us` + "\n" }, backend.DamageCutOff, backend.SessionReport{Messages: 4, ToolCalls: 2, FileChanges: 1, CutOff: 12, Part: `{"type":"us`, Line: 12}},
	} {
		t.Run(name, func(t *testing.T) {
			f, id, _ := writeSession(t, c.log)
			got := damageOf(t, f, id)
			if got != c.want {
				t.Fatalf("got %q, want %q", got, c.want)
			}
			if got == backend.DamageNone {
				return
			}
			r, err := f.Report(id, scan(t, f, id, sessionfiles.Scan{}), got)
			noErr(t, err)
			if r.UpTo == 0 && got != backend.DamageEmpty || r.Part == "" && got != backend.DamageEmpty {
				t.Errorf("got %+v", r)
			}
			r.UpTo = 0
			if c.r.Part == "" {
				r.Part = ""
			}
			if r != c.r {
				t.Errorf("got %+v, want %+v", r, c.r)
			}
		})
	}
}

// inLine3 returns the conversation with another line before the third one.
func inLine3(line string) func(id string) string {
	return func(id string) string {
		all := strings.SplitAfter(conversation(id), "\n")
		return all[0] + all[1] + line + "\n" + strings.Join(all[2:], "")
	}
}

// TestScan_ContinuesWhereItStopped checks that a log read in parts, cut anywhere, gives the same result as a log that is
// read at once, and that nothing is read twice.
func TestScan_ContinuesWhereItStopped(t *testing.T) {
	seed := chaos.Seed(t)
	for round := range 60 {
		r := chaos.Rand(t, seed, round)
		f, id, dir := writeSession(t, func(string) string { return "" })
		whole := damaged(r, conversation(id)+conversation(id))
		log := filepath.Join(dir, "events.jsonl")
		var s sessionfiles.Scan
		for at := 0; at < len(whole); {
			next := min(at+1+r.IntN(600), len(whole))
			at = next
			noErr(t, os.WriteFile(log, []byte(whole[:at]), 0o600))
			before := f.BytesRead()
			s = storedScan(t, scan(t, f, id, s))
			if read := f.BytesRead() - before; read > 3*4096+600+int64(longest(whole)) {
				t.Fatalf("read %d bytes", read)
			}
		}
		got, want := s, scan(t, f, id, sessionfiles.Scan{})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("round %d (-want +got):\n%s\n%s", round, diff, whole)
		}
	}
}

func longest(text string) (n int) {
	for line := range strings.Lines(text) {
		n = max(n, len(line))
	}
	return n
}

// storedScan returns the Scan after it was stored as JSON.
func storedScan(t *testing.T, s sessionfiles.Scan) (same sessionfiles.Scan) {
	t.Helper()
	b, err := json.Marshal(s)
	noErr(t, err)
	noErr(t, json.Unmarshal(b, &same))
	return same
}

// damaged damages some lines of a log.
func damaged(r *rand.Rand, log string) string {
	var b strings.Builder
	for line := range strings.Lines(log) {
		switch r.IntN(10) {
		case 0:
			line = line[:r.IntN(len(line))] + "\n"
		case 1:
			line = "\x00\x00\x00\n" + line
		case 2:
			line = "\n" + line
		case 3:
			line = strings.TrimSuffix(line, "\n") + "\r\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

// TestScan_ReadsChangedLogAgain checks that a log is read from its start if the part that was read has changed.
func TestScan_ReadsChangedLogAgain(t *testing.T) {
	f, id, dir := writeSession(t, conversation)
	s := scan(t, f, id, sessionfiles.Scan{})
	log := filepath.Join(dir, "events.jsonl")
	for name, text := range map[string]string{
		"another end": strings.Replace(conversation(id), "Changed.", "garbage\x01", 1) + conversation(id),
		"shorter":     conversation(id)[:600],
	} {
		noErr(t, os.WriteFile(log, []byte(text), 0o600))
		if diff := cmp.Diff(scan(t, f, id, sessionfiles.Scan{}), scan(t, f, id, s)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestScan_FindsMissingLineEnding checks that two events on one line count as damage even if the first one was read before
// the second one was written.
func TestScan_FindsMissingLineEnding(t *testing.T) {
	f, id, dir := writeSession(t, conversation)
	log := filepath.Join(dir, "events.jsonl")
	last := entry("assistant.message", map[string]any{"messageId": "f", "content": "last"})
	noErr(t, os.WriteFile(log, []byte(conversation(id)+last), 0o600))
	s := scan(t, f, id, sessionfiles.Scan{})
	if s.Damage() != backend.DamageNone || s.Messages() != 5 {
		t.Fatalf("got %+v", s)
	}
	whole, err := os.ReadFile(log)
	noErr(t, err)
	for _, next := range []struct {
		text     string
		want     backend.SessionDamage
		messages int
	}{{"\n", backend.DamageNone, 5}, {"\n" + last, backend.DamageNone, 6}, {last + "\n" + last + "\n", backend.DamageInvalid, 7}} {
		noErr(t, os.WriteFile(log, append(whole[:len(whole):len(whole)], next.text...), 0o600))
		for _, from := range []sessionfiles.Scan{s, {}} {
			if got := scan(t, f, id, from); got.Damage() != next.want || got.Messages() != next.messages {
				t.Errorf("%.10q: got %q and %d messages", next.text, got.Damage(), got.Messages())
			}
		}
	}
}

// TestScan_LongLines checks that reading long lines needs little memory, and that they count like other lines.
func TestScan_LongLines(t *testing.T) {
	big := strings.Repeat("é \"quoted\" and {more}[", 3<<20/24)
	f, id, dir := writeSession(t, conversation)
	log, err := os.OpenFile(filepath.Join(dir, "events.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	noErr(t, err)
	for _, line := range []string{
		strings.Replace(entry("user.message", map[string]any{"content": "big one"}), `"big one"`, `"big one","attachments":[{"data":"`+strings.Repeat("QUJD", 50<<20/4)+`"}]`, 1),
		entry("assistant.message", map[string]any{"messageId": "x", "content": big}),
	} {
		_, err = log.WriteString(line + "\n")
		noErr(t, err)
	}
	big = ""
	noErr(t, log.Close())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s := scan(t, f, id, sessionfiles.Scan{})
	runtime.ReadMemStats(&after)
	if s.Users != 3 || s.Answers != 3 || s.Invalid != 0 {
		t.Errorf("got %+v", s)
	}
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 16<<20 {
		t.Errorf("%d MB allocated", allocated>>20)
	}
	texts, err := f.Texts(id, s)
	noErr(t, err)
	if texts.Last != "big one" || len(texts.Answer) < backend.MaxPreviewText-10 || !strings.HasPrefix(texts.Answer, "é \"quoted\"") {
		t.Errorf("got %q and %d bytes: %.40q", texts.Last, len(texts.Answer), texts.Answer)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Scan(ctx, id, sessionfiles.Scan{}, func() {}); err == nil {
		t.Error("the scan didn't end with its context")
	}
}
