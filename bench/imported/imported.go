// Package imported measures the import of a session of the Copilot CLI, for the benchmark sessions.import.
package imported

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/eventbus"
	"github.com/voxpilot/voxpilot/backend/sessionimport"
	"github.com/voxpilot/voxpilot/backend/store"
)

// logSize is the size of the log in bytes.
const logSize = 200 << 20

// Import runs the two sides of the benchmark, Ours and Bare, and holds the other values that they measure.
type Import struct {
	dir, log string
	// More is the largest increase of the memory during an import, in MB.
	More float64
	// Reading is the time in milliseconds for reading the log without storing its rows.
	Reading float64
	runs    int
}

// Begin writes the log to dir.
func Begin(dir string) (*Import, error) {
	i := &Import{dir: dir, log: filepath.Join(dir, "events.jsonl")}
	return i, i.write()
}

// write writes a log with the kinds of events that the real CLI writes, in about the same proportions.
func (i *Import) write() (err error) {
	file, err := os.Create(i.log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := bufio.NewWriterSize(file, 1<<20)
	w := &writer{out: out, at: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	w.event("session.start", map[string]any{"sessionId": "0cd2575d-d593-4ec5-bc0e-fc0862cc248f", "version": 1, "producer": "copilot-agent", "copilotVersion": "1", "startTime": "2026-01-01T00:00:00.000Z", "context": map[string]any{"cwd": "/code"}})
	w.event("system.message", map[string]any{"role": "system", "content": strings.Repeat("You are an agent. ", 1500)})
	for n := 0; w.size < logSize; n++ {
		w.turn(n)
	}
	return errors.Join(w.err, out.Flush())
}

// writer writes the events of a session log of the Copilot CLI, and counts them (n) and their bytes (size).
type writer struct {
	out  io.Writer
	at   time.Time
	n    int
	size int64
	err  error
}

func (w *writer) event(kind string, data map[string]any) {
	w.n++
	w.at = w.at.Add(37 * time.Millisecond)
	text, err := json.Marshal(data)
	id := fmt.Sprintf("%08x-0000-4000-8000-%012x", w.n, w.n)
	n, failed := fmt.Fprintf(w.out, `{"type":%q,"data":%s,"id":%q,"timestamp":%q,"parentId":null}`+"\n", kind, text, id, w.at.Format("2006-01-02T15:04:05.000Z"))
	w.size += int64(n)
	w.err = errors.Join(w.err, err, failed)
}

// turn writes a turn with four tool calls.
func (w *writer) turn(n int) {
	w.event("user.message", map[string]any{"content": fmt.Sprintf("Please fix number %d. ", n) + strings.Repeat("It fails in the tests. ", 10), "transformedContent": strings.Repeat("It fails in the tests. ", 12), "attachments": []any{}, "interactionId": "x"})
	path := fmt.Sprintf("/code/src/file%d.go", n%500)
	lines := strings.Repeat("\tif err := do(ctx, \"value\", 42); err != nil {\n\t\treturn fmt.Errorf(\"failed: %w\", err)\n\t}\n", 60+n%80)
	diff := "\ndiff --git a" + path + " b" + path + "\nindex 0000000..0000000 100644\n--- a" + path + "\n+++ b" + path + "\n@@ -1,4 +1,4 @@\n one\n-two\n+2\n three\n \n"
	for call, tool := range []struct {
		name   string
		args   map[string]any
		result map[string]any
	}{
		{"bash", map[string]any{"command": "go test ./...", "description": "Run the tests"}, map[string]any{"content": strings.Repeat("ok  \tgithub.com/example/project/package\t0.123s\n", 80) + "<shellId: 0 completed with exit code 0>"}},
		{"view", map[string]any{"path": path}, map[string]any{"content": lines, "detailedContent": "\ndiff --git a/x b/x\nindex 0000000..0000000 100644\n--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n " + strings.ReplaceAll(lines, "\n", "\n ") + "\n"}},
		{"edit", map[string]any{"path": path, "old_str": "two", "new_str": "2"}, map[string]any{"content": "File updated with changes.", "detailedContent": diff}},
		{"grep", map[string]any{"pattern": "err", "path": "/code/src", "output_mode": "content"}, map[string]any{"content": strings.Repeat("/code/src/file.go:12:\treturn err\n", 40)}},
	} {
		id := fmt.Sprintf("call_%d_%d", n, call)
		w.event("assistant.turn_start", map[string]any{"turnId": "0", "interactionId": "x"})
		w.event("session.usage_record", map[string]any{"usage": map[string]any{"model": "gpt", "inputTokens": 12227, "outputTokens": 300, "cacheReadTokens": 9000, "cacheWriteTokens": 0, "cost": 1.0, "duration": 4900, "apiCallId": id, "toolCounts": map[string]any{tool.name: 1}, "details": strings.Repeat("x", 600)}})
		w.event("assistant.message", map[string]any{"messageId": id, "model": "gpt", "content": strings.Repeat("I look at the code and run the tests. ", 6), "reasoningText": strings.Repeat("The test may depend on the clock. ", 10), "toolRequests": []any{map[string]any{"toolCallId": id, "name": tool.name, "arguments": tool.args}}})
		w.event("tool.execution_start", map[string]any{"toolCallId": id, "toolName": tool.name, "arguments": tool.args, "turnId": "0", "model": "gpt"})
		w.event("hook.start", map[string]any{"hookInvocationId": id, "hookType": "preToolUse", "input": map[string]any{"cwd": "/code", "toolCalls": []any{map[string]any{"id": id, "name": tool.name, "args": tool.args}}}})
		w.event("hook.end", map[string]any{"hookInvocationId": id, "hookType": "preToolUse", "success": true})
		w.event("tool.execution_complete", map[string]any{"toolCallId": id, "model": "gpt", "success": true, "result": tool.result, "toolTelemetry": map[string]any{"properties": map[string]any{"command": tool.name}, "metrics": map[string]any{"resultLength": 14}}})
		w.event("assistant.turn_end", map[string]any{"turnId": "0"})
	}
	w.event("assistant.message", map[string]any{"messageId": fmt.Sprint(n), "model": "gpt", "content": strings.Repeat("The test passes now, because the clock is passed in. ", 12), "toolRequests": []any{}})
	w.event("assistant.turn_end", map[string]any{"turnId": "1"})
}

// Ours returns the time in milliseconds until all rows of the log are in a new database, so that the chat can be read
// and continued. The index for search follows later.
func (i *Import) Ours(ctx context.Context) (took float64, err error) {
	i.runs++
	dir := filepath.Join(i.dir, fmt.Sprint(i.runs))
	if err := os.Mkdir(dir, 0o700); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	db, _, err := store.Open(ctx, dir)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	bus := eventbus.New(eventbus.Config{Run: backend.NewID(), Apply: db.Apply, Emit: func(backend.Batch) {}, OnEvent: func(backend.Event) {}, Log: slog.New(slog.DiscardHandler)})
	defer func() { err = errors.Join(err, bus.Close(context.WithoutCancel(ctx))) }()
	now := backend.Now()
	chat := backend.Chat{ID: backend.NewID(), Folder: "/code", ProviderID: backend.ProviderCopilot, PermissionMode: backend.ModeAsk, CreatedAt: now, UpdatedAt: now}
	if err := bus.Commit(ctx, backend.Event{Chat: &chat}); err != nil {
		return 0, err
	}
	stop := i.watch()
	began := time.Now()
	stats, err := i.read(ctx, filepath.Join(dir, "state.json"), chat.ID, db.Import)
	if err == nil {
		err = bus.Commit(ctx, backend.Event{Chat: &chat}) // the end of an import, after which the chat can be continued
	}
	took = float64(time.Since(began)) / float64(time.Millisecond)
	stop()
	if err == nil && (stats.Damaged > 0 || stats.Turns < 1000) {
		err = fmt.Errorf("read %+v", stats)
	}
	return took, err
}

func (i *Import) read(ctx context.Context, state, chatID string, commit func(context.Context, []backend.Event) error) (sessionimport.Stats, error) {
	log, err := os.Open(i.log)
	if err != nil {
		return sessionimport.Stats{}, err
	}
	defer log.Close()
	r := sessionimport.NewReader(state, sessionimport.Target{ChatID: chatID, Name: backend.SessionMain, Folder: "/code"})
	err = r.Read(ctx, log, commit, func(int64, int64) {})
	return r.Stats(), err
}

// watch measures the memory of this process until stop is called, and updates i.More.
func (i *Import) watch() (stop func()) {
	before := memory()
	done := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				i.More = max(i.More, memory()-before)
			}
		}
	})
	return func() { close(done); all.Wait() }
}

// memory returns the resident memory of this process in MB. It returns 0 on systems other than Linux.
func memory() (mb float64) {
	text, err := os.ReadFile("/proc/self/statm")
	var size, resident float64
	if _, scanned := fmt.Sscan(string(text), &size, &resident); err != nil || scanned != nil {
		return 0
	}
	return resident * float64(os.Getpagesize()) / (1 << 20)
}

// Bare returns the time in milliseconds that a loop takes to decode each line of the log once with encoding/json. It
// also measures i.Reading.
func (i *Import) Bare(ctx context.Context) (float64, error) {
	started := time.Now()
	if _, err := i.read(ctx, "", "chat", func(context.Context, []backend.Event) error { return nil }); err != nil {
		return 0, err
	}
	i.Reading = float64(time.Since(started)) / float64(time.Millisecond)
	log, err := os.Open(i.log)
	if err != nil {
		return 0, err
	}
	defer log.Close()
	began := time.Now()
	in := bufio.NewReaderSize(log, 1<<20)
	lines := 0
	for ctx.Err() == nil {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return 0, err
		}
		var e struct {
			Type      string         `json:"type"`
			ID        string         `json:"id"`
			Timestamp time.Time      `json:"timestamp"`
			AgentID   string         `json:"agentId"`
			Data      map[string]any `json:"data"`
		}
		if err := json.Unmarshal(line, &e); err != nil {
			return 0, err
		}
		lines++
	}
	if lines < 1000 {
		return 0, fmt.Errorf("the log has only %d lines", lines)
	}
	return float64(time.Since(began)) / float64(time.Millisecond), ctx.Err()
}
