package sessionimport_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/backend/sessionimport"
	"github.com/voxpilot/voxpilot/internal/chaos"
)

// logFile is a log in memory. size is the number of bytes written so far.
type logFile struct {
	*bytes.Reader
	size int64
}

func (l logFile) Stat() (fs.FileInfo, error) { return info{size: l.size}, nil }

type info struct {
	fs.FileInfo
	size int64
}

func (i info) Size() int64 { return i.size }

func openLog(text []byte, size int) logFile {
	return logFile{bytes.NewReader(text[:size]), int64(size)}
}

// rows holds the rows that a Reader has written, with the same semantics as the database.
type rows struct {
	order    []string // IDs of items
	items    map[string]backend.Item
	turns    map[string]backend.Turn
	texts    map[string]string
	contents map[string]string
	unknown  map[string]string
}

func newRows() *rows {
	return &rows{nil, map[string]backend.Item{}, map[string]backend.Turn{}, map[string]string{}, map[string]string{}, map[string]string{}}
}

func (w *rows) commit(_ context.Context, events []backend.Event) error {
	for _, e := range events {
		switch {
		case e.Item != nil:
			if _, known := w.items[e.Item.ID]; !known {
				w.order = append(w.order, e.Item.ID)
			}
			w.items[e.Item.ID] = *e.Item
		case e.Text != nil:
			if _, known := w.items[e.Text.ItemID]; !known {
				return errors.New("a text without an item")
			}
			if have := int64(len(w.texts[e.Text.ItemID])); have < e.Text.Size {
				w.texts[e.Text.ItemID] += e.Text.Text[have-e.Text.Offset:]
			}
		case e.Content != nil:
			if _, known := w.items[e.Content.ItemID]; !known {
				return errors.New("a content without an item")
			}
			c := *e.Content
			c.Body, c.Version = nil, 0
			w.contents[c.ID] = fmt.Sprintf("%+v %q", c, e.Content.Body)
		case e.Turn != nil:
			w.turns[e.Turn.ID] = *e.Turn
		case e.UnknownUpdate != nil:
			w.unknown[e.UnknownUpdate.ID] = e.UnknownUpdate.Kind + string(e.UnknownUpdate.Raw)
		}
	}
	return nil
}

// String returns all rows as text.
func (w *rows) String() string {
	var out strings.Builder
	line := func(v any) {
		b, err := json.Marshal(v)
		fmt.Fprintf(&out, "%s %v\n", b, err)
	}
	for _, id := range w.order {
		line(w.items[id])
		line(w.texts[id])
	}
	line(w.turns)
	line(w.contents)
	line(w.unknown)
	return out.String()
}

var target = sessionimport.Target{ChatID: "chat", Name: "main", ACPID: "0cd2575d-d593-4ec5-bc0e-fc0862cc248f", Folder: "/code"}

// read reads a log with a new Reader that continues from the state in file.
func read(t *testing.T, file string, log sessionimport.Log, to *rows) sessionimport.Stats {
	t.Helper()
	r, err := sessionimport.Load(file)
	if errors.Is(err, fs.ErrNotExist) {
		r, err = sessionimport.NewReader(file, target), nil
	}
	noErr(t, err)
	noErr(t, r.Read(t.Context(), log, to.commit, func(int64, int64) {}))
	return r.Stats()
}

func noErr(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// generator writes a log.
type generator struct {
	*rand.Rand
	out  bytes.Buffer
	n    int
	open []string // IDs of tool calls that haven't ended
}

func (g *generator) line(kind, agent string, data map[string]any) {
	g.n++
	e := map[string]any{
		"type": kind, "data": data, "id": fmt.Sprintf("%08x-0000-4000-8000-%012x", g.Uint32(), g.n), "parentId": nil,
		"timestamp": time.Date(2026, 1, 1, 0, 0, g.n, 0, time.UTC).Format("2006-01-02T15:04:05.000Z"),
	}
	if agent != "" {
		e["agentId"] = agent
	}
	text, _ := json.Marshal(e)
	g.out.Write(text)
	if g.IntN(40) > 0 {
		g.out.WriteByte('\n')
	}
}

func (g *generator) words() string {
	return strings.Repeat([]string{"some words ", "ein Satz 😀\n", "一些文字", "\u0000\u001b[31m", ""}[g.IntN(5)], 1+g.IntN(20))
}

// step writes some events.
func (g *generator) step() {
	agent := ""
	if g.IntN(5) == 0 {
		agent = "0cd2575d-0000-4000-8000-000000000001"
	}
	switch g.IntN(16) {
	case 0, 1:
		g.line("session.binary_asset", "", map[string]any{"assetId": "sha256:1", "type": "image", "mimeType": "image/png", "data": base64.StdEncoding.EncodeToString([]byte("an image"))})
		g.line("user.message", agent, map[string]any{"content": g.words(), "attachments": []any{
			map[string]any{"type": "file", "path": "/tmp/x.png", "assetId": "sha256:1", "mimeType": "image/png"}, map[string]any{"type": "file", "path": "a.txt"},
		}})
	case 2, 3, 4:
		requests := []any{}
		if g.IntN(2) == 0 {
			requests = append(requests, map[string]any{"toolCallId": "x"})
		}
		g.line("assistant.turn_start", agent, map[string]any{})
		g.line("assistant.message", agent, map[string]any{"messageId": "m", "content": g.words(), "reasoningText": g.words(), "toolRequests": requests, "model": "gpt"})
		g.line("assistant.turn_end", agent, map[string]any{})
	case 5, 6, 7:
		id := fmt.Sprintf("call_%d", g.n)
		g.open = append(g.open, id)
		name := []string{"bash", "view", "edit", "create", "grep", "mcp-tool"}[g.IntN(6)]
		g.line("tool.execution_start", agent, map[string]any{"toolCallId": id, "toolName": name, "arguments": map[string]any{
			"command": "echo " + g.words(), "path": "/code/a.txt", "old_str": "a\nb", "new_str": g.words(), "pattern": "x", "file_text": g.words(),
		}})
	case 8, 9, 10:
		if len(g.open) > 0 {
			i := g.IntN(len(g.open))
			g.line("tool.execution_complete", agent, map[string]any{"toolCallId": g.open[i], "success": g.IntN(3) > 0, "result": map[string]any{"content": g.words()}, "error": map[string]any{"message": "no", "code": "failure"}})
			g.open = slices.Delete(g.open, i, i+1)
		}
	case 11:
		g.line([]string{"abort", "session.error", "session.resume", "session.model_change", "session.compaction_complete"}[g.IntN(5)], agent, map[string]any{
			"message": "it failed", "previousModel": "a", "newModel": "b", "success": true,
		})
	case 12:
		g.line("session.usage_record", agent, map[string]any{"usage": map[string]any{"inputTokens": 10, "outputTokens": 3}})
	case 13:
		g.line("weather.report", agent, map[string]any{"text": g.words()})
	case 14:
		g.out.WriteString([]string{"garbage\n", "{\n", "null\n", "\x00\x00\x00\n", "\r\n", `{"type":"user.message","data":{}}` + "\n", "\xff\xfe\n"}[g.IntN(7)])
	case 15:
		g.line("assistant.message", agent, map[string]any{"messageId": "m", "content": strings.Repeat("long ", 2000+g.IntN(60_000)), "toolRequests": []any{}})
	}
}

func generate(r *rand.Rand, steps int) []byte {
	g := &generator{Rand: r}
	g.line("session.start", "", map[string]any{"sessionId": target.ACPID, "version": 1, "producer": "x", "copilotVersion": "1", "startTime": "2026-01-01T00:00:00Z"})
	for range steps {
		g.step()
	}
	return g.out.Bytes()
}

// TestReader_CutAnywhere checks that reading a log up to any place and then the rest gives the same rows as reading it at
// once, even if the app is killed after the first rows were stored and before the reader's state was.
func TestReader_CutAnywhere(t *testing.T) {
	seed := chaos.Seed(t)
	runs := chaos.Runs(60, 1000)
	result := chaos.Row(t, "Logs of Copilot CLI sessions cut", runs)
	atLineEnds := 0
	for run := range runs {
		r := chaos.Rand(t, seed, run)
		log := generate(r, 1+r.IntN(60))
		whole := newRows()
		read(t, filepath.Join(t.TempDir(), "state"), openLog(log, len(log)), whole)
		cut := r.IntN(len(log) + 1)
		if ends := lineEnds(log); run%2 == 0 && len(ends) > 0 {
			cut = ends[r.IntN(len(ends))]
			atLineEnds++
		}
		for _, killed := range []bool{false, true} {
			file, parts := filepath.Join(t.TempDir(), "state"), newRows()
			if early := r.IntN(cut + 1); killed { // the state is that from before the rows up to cut were stored
				read(t, file, openLog(log, early), parts)
			}
			state, _ := os.ReadFile(file)
			read(t, file, openLog(log, cut), parts)
			if killed {
				noErr(t, os.WriteFile(file, state, 0o600))
			}
			read(t, file, openLog(log, len(log)), parts)
			if diff := cmp.Diff(whole.String(), parts.String()); diff != "" {
				t.Fatalf("run %d: cut at %d of %d, killed %t: rows (-whole +parts):\n%s", run, cut, len(log), killed, diff)
			}
		}
	}
	result("%d at the end of a line; the rows were the same as without the cut", atLineEnds)
}

// lineEnds returns the offsets after the line endings.
func lineEnds(log []byte) (ends []int) {
	for i, c := range log {
		if c == '\n' {
			ends = append(ends, i+1)
		}
	}
	return ends
}

// event returns a line of a log.
func event(n int, kind, data string) string {
	return fmt.Sprintf(`{"type":%q,"data":%s,"id":"0cd2575d-0000-4000-8000-%012x","timestamp":"2026-01-01T00:00:%02d.000Z","parentId":null}`+"\n", kind, data, n, n%60)
}

// TestReader_HostileLogs checks that lines that no CLI writes are counted or ignored, and that the lines around them are
// read.
func TestReader_HostileLogs(t *testing.T) {
	before, after := event(1, "user.message", `{"content":"before"}`), event(2, "user.message", `{"content":"after"}`)
	for name, c := range map[string]struct {
		lines string
		want  sessionimport.Stats
	}{
		"a line that is too long": {`{"type":"user.message","data":{"content":"` + strings.Repeat("x", sessionfiles.MaxLine+5) + "\n", sessionimport.Stats{Skipped: 1}},
		"many lines of garbage":   {strings.Repeat("\xff\x00{[\n", 10_000), sessionimport.Stats{Damaged: 10_000}},
		"deep nesting":            {`{"type":"x","data":` + strings.Repeat("[", 200_000) + "\n", sessionimport.Stats{Damaged: 1}},
		"many calls that never end": {func() string {
			var all strings.Builder
			for i := range 5000 {
				all.WriteString(event(10+i, "tool.execution_start", fmt.Sprintf(`{"toolCallId":"c%d","toolName":"bash"}`, i)))
			}
			return all.String()
		}(), sessionimport.Stats{}},
		"the wrong types": {
			event(5, "tool.execution_start", `{"toolCallId":"c","toolName":"edit","arguments":[{"path":1}]}`) + event(6, "tool.execution_complete", `{"toolCallId":"c","success":true,"result":7}`) +
				event(7, "session.usage_record", `{"usage":{"inputTokens":-5,"outputTokens":1e300}}`) + event(8, "session.error", `{"message":{}}`) + event(9, "assistant.message", `{"content":"","messageId":"m","toolRequests":{"a":1}}`), sessionimport.Stats{},
		},
		"an image that isn't one": {event(5, "user.message", `{"content":"x","attachments":[{"mimeType":"image/png","data":"%%%"},{"mimeType":"image/png","assetId":"none"},{"path":7}]}`), sessionimport.Stats{Messages: 1, Turns: 1}},
		"a kind that is unknown":  {event(5, "a.b", `{}`), sessionimport.Stats{Unknown: 1}},
		"an ID that occurs twice": {strings.Repeat(event(5, "a.b", `{"x":1}`), 3), sessionimport.Stats{Unknown: 3}},
	} {
		t.Run(name, func(t *testing.T) {
			log, got := []byte(before+c.lines+after), newRows()
			stats := read(t, filepath.Join(t.TempDir(), "state"), openLog(log, len(log)), got)
			if stats.Damaged != c.want.Damaged || stats.Skipped != c.want.Skipped || stats.Unknown != c.want.Unknown || stats.Turns != c.want.Turns+2 {
				t.Errorf("%+v", stats)
			}
			var texts []string
			for _, id := range got.order {
				texts = append(texts, got.texts[id])
			}
			if !slices.Contains(texts, "before") || !slices.Contains(texts, "after") {
				t.Errorf("%d texts, %q", len(texts), texts[:min(len(texts), 5)])
			}
		})
	}
}

// TestReader_FollowsLog checks that a turn continued by another program is shown as running until it ends, that a line
// counts only once it is complete, and that SkipToEnd skips the part of the log that the chat already contains.
func TestReader_FollowsLog(t *testing.T) {
	log := []byte(event(1, "user.message", `{"content":"first"}`) + event(2, "assistant.message", `{"content":"answer","messageId":"m","toolRequests":[]}`) +
		event(3, "assistant.turn_end", `{}`) + event(4, "user.message", `{"content":"second"}`))
	ends := lineEnds(log)
	r, got := sessionimport.NewReader("", target), newRows()
	r.Live = true
	for i, want := range []struct {
		state backend.TurnState
		items int
	}{{backend.TurnRunning, 1}, {backend.TurnRunning, 2}, {backend.TurnDone, 2}, {backend.TurnRunning, 3}} {
		noErr(t, r.Read(t.Context(), openLog(log, ends[i]-20), got.commit, func(int64, int64) {})) // incomplete
		noErr(t, r.Read(t.Context(), openLog(log, ends[i]), got.commit, func(int64, int64) {}))
		if state := r.Stats().State; state != want.state || len(got.order) != want.items || r.Offset() != int64(ends[i]) {
			t.Errorf("after line %d: %s, %d items", i+1, state, len(got.order))
		}
	}
	noErr(t, r.Read(t.Context(), openLog(log, len(log)), got.commit, func(int64, int64) {}))
	r.Live = false
	noErr(t, r.Read(t.Context(), openLog(log, len(log)), got.commit, func(int64, int64) {}))
	if r.Stats().State != backend.TurnInterrupted {
		t.Errorf("at the end: %s", r.Stats().State)
	}
	if err := r.Read(t.Context(), openLog(log, 5), got.commit, func(int64, int64) {}); err == nil {
		t.Error("a log that was shortened is read")
	}

	skipping, rest := sessionimport.NewReader("", target), newRows()
	noErr(t, skipping.SkipToEnd(openLog(log, ends[2]+7)))
	noErr(t, skipping.Read(t.Context(), openLog(log, len(log)), rest.commit, func(int64, int64) {}))
	if len(rest.order) != 1 || rest.texts[rest.order[0]] != "second" {
		t.Errorf("after the skipped part: %q", rest.texts)
	}
}
