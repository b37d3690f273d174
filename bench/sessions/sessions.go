// Package sessions creates sessions of the Copilot CLI. For the benchmark sessions.index, it measures how fast VoxPilot
// lists them.
package sessions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/backend/sessionindex"
)

// Sizes of the sessions.
const (
	Count    = 1000
	logSize  = 2 << 20 // bytes of each log
	headSize = 4 << 10 // bytes of each log that ReadHeads reads
)

// Write creates the sessions in home.
func Write(home string) error {
	for n := range Count {
		if err := write(filepath.Join(home, "session-state"), n); err != nil {
			return err
		}
	}
	return nil
}

// write creates the session number n as the CLI does.
func write(state string, n int) (err error) {
	id := sessionfiles.NewID()
	dir := filepath.Join(state, id)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	at := time.Date(2026, 1, 1, 0, n, 0, 0, time.UTC).Format("2006-01-02T15:04:05.000Z")
	workspace := fmt.Sprintf("id: %s\ncwd: /code/%d\nname: Session %d\nuser_named: false\ncreated_at: %s\nupdated_at: %s\n", id, n%20, n, at, at)
	if err := os.WriteFile(filepath.Join(dir, "workspace.yaml"), []byte(workspace), 0o600); err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(dir, "events.jsonl"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	size := int64(0)
	event := func(kind, data string) {
		if err != nil {
			return
		}
		var wrote int
		wrote, err = fmt.Fprintf(log, `{"type":%q,"data":%s,"id":%q,"timestamp":%q,"parentId":null}`+"\n", kind, data, sessionfiles.NewID(), at)
		size += int64(wrote)
	}
	event("session.start", fmt.Sprintf(`{"sessionId":%q,"version":1,"producer":"copilot-agent","copilotVersion":"1.0.102","startTime":%q,"context":{"cwd":"/code/%d"}}`, id, at, n%20))
	event("session.model_change", `{"newModel":"claude-sonnet-4.5"}`)
	event("user.message", fmt.Sprintf(`{"content":"Message %d: find out why the test fails","transformedContent":"Message %d: find out why the test fails"}`, n, n))
	event("system.message", fmt.Sprintf(`{"role":"system","content":%q}`, strings.Repeat("You are an agent. ", 1200)))
	result := strings.Repeat("ok  example.org/package  0.1s ", 1<<10)
	for size < logSize {
		event("assistant.message", `{"messageId":"m","content":"I run the tests."}`)
		event("tool.execution_start", `{"toolCallId":"c","toolName":"bash","arguments":{"command":"make test"}}`)
		event("tool.execution_complete", fmt.Sprintf(`{"toolCallId":"c","success":true,"result":{"content":%q}}`, result))
	}
	event("assistant.message", `{"messageId":"m","content":"All tests pass."}`)
	return err
}

// List returns the time in milliseconds until a new index has listed the sessions in home.
func List(ctx context.Context, home string) (float64, error) {
	index := sessionindex.New(sessionindex.Config{
		Homes:     func(context.Context) ([]string, error) { return []string{home}, nil },
		Temporary: func() (map[string]bool, error) { return nil, nil },
		Owners:    func(context.Context, string, []string) (map[string]string, error) { return nil, nil },
		IsOwn:     func(int) bool { return false },
		Log:       slog.New(slog.DiscardHandler),
	})
	defer index.Close()
	start := time.Now()
	list, err := index.List(ctx, sessionindex.Query{})
	took := time.Since(start).Seconds() * 1000
	if err == nil && len(list.Sessions) != Count {
		err = fmt.Errorf("%d sessions are listed", len(list.Sessions))
	}
	return took, err
}

// ReadHeads returns the time in milliseconds that it takes to read the first 4 KB of each log in home.
func ReadHeads(home string) (float64, error) {
	start, read, b := time.Now(), 0, make([]byte, headSize)
	state := filepath.Join(home, "session-state")
	entries, err := os.ReadDir(state)
	if err != nil {
		return 0, err
	}
	for _, e := range entries {
		log, err := os.Open(filepath.Join(state, e.Name(), "events.jsonl"))
		if err != nil {
			return 0, err
		}
		n, err := io.ReadFull(log, b)
		read += n
		if err := errors.Join(err, log.Close()); err != nil {
			return 0, err
		}
	}
	took := time.Since(start).Seconds() * 1000
	if read != Count*headSize {
		err = fmt.Errorf("%d bytes were read", read)
	}
	return took, err
}
