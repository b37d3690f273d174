package sessionsearch_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/backend/sessionindex"
	"github.com/voxpilot/voxpilot/backend/sessionsearch"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/internal/process"
)

func TestMain(m *testing.M) {
	process.ExecIfRequested()
	goleak.VerifyTestMain(m)
}

// fixture is a home of the CLI and a database with the texts of its sessions.
type fixture struct {
	*testing.T
	home, data string
	enabled    atomic.Bool
	store      *store.Store
	index      *sessionindex.Index
	indexer    *sessionsearch.Indexer
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	w := &fixture{T: t, home: t.TempDir(), data: t.TempDir()}
	t.Setenv("COPILOT_HOME", w.home)
	w.enabled.Store(true)
	w.start()
	t.Cleanup(w.close)
	return w
}

func (w *fixture) noErr(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *fixture) start() {
	w.Helper()
	var err error
	w.store, _, err = store.Open(context.Background(), w.data)
	w.noErr(err)
	w.index = sessionindex.New(sessionindex.Config{
		Homes:     func(context.Context) ([]string, error) { return nil, nil },
		Temporary: func() (map[string]bool, error) { return nil, nil },
		Owners: func(ctx context.Context, _ string, ids []string) (map[string]string, error) {
			owners, err := w.store.SessionOwners(ctx, ids)
			chats := map[string]string{}
			for _, o := range owners {
				chats[o.ACPID] = o.ChatID
			}
			return chats, err
		},
		IsOwn: func(int) bool { return false }, Log: slog.New(slog.DiscardHandler),
	})
	w.indexer = sessionsearch.New(sessionsearch.Config{
		Sessions: func(ctx context.Context) (backend.CLISessions, error) { return w.index.List(ctx, sessionindex.Query{}) },
		Store:    w.store, Enabled: w.enabled.Load, Log: slog.New(slog.DiscardHandler),
	})
}

func (w *fixture) close() {
	w.indexer.Close()
	w.index.Close()
	w.noErr(w.store.Close())
}

// pass runs a pass after a restart, so that the list of sessions includes all changes so far.
func (w *fixture) pass() {
	w.Helper()
	w.index.Close()
	old := w.indexer
	w.noErr(w.store.Close())
	w.start()
	old.Close()
	w.noErr(w.indexer.Pass(w.Context()))
}

// line returns a line of a log.
func line(kind string, at time.Time, data map[string]any, more string) string {
	text, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"type":%q,"data":%s%s,"id":"%s","timestamp":%q,"parentId":null}`+"\n", kind, text, more, sessionfiles.NewID(), at.UTC().Format("2006-01-02T15:04:05.000Z"))
}

var start = time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)

func user(text string, minute int) string {
	return line("user.message", start.Add(time.Duration(minute)*time.Minute), map[string]any{"content": text}, "")
}

func answer(text string, minute int) string {
	return line("assistant.message", start.Add(time.Duration(minute)*time.Minute), map[string]any{"messageId": "m", "content": text}, "")
}

func (w *fixture) log(id string) string {
	return filepath.Join(w.home, "session-state", id, "events.jsonl")
}

// session writes a session with the given lines and returns its ID.
func (w *fixture) session(folder string, lines ...string) (id string) {
	w.Helper()
	id = sessionfiles.NewID()
	w.noErr(os.MkdirAll(filepath.Dir(w.log(id)), 0o700))
	first := line("session.start", start, map[string]any{"sessionId": id, "version": 1, "producer": "copilot-agent", "copilotVersion": "1", "startTime": start, "context": map[string]any{"cwd": folder}}, "")
	w.noErr(os.WriteFile(w.log(id), []byte(first+strings.Join(lines, "")), 0o600))
	return id
}

func (w *fixture) add(id, text string) {
	w.Helper()
	file, err := os.OpenFile(w.log(id), os.O_APPEND|os.O_WRONLY, 0)
	w.noErr(err)
	_, err = file.WriteString(text)
	w.noErr(err)
	w.noErr(file.Close())
}

func (w *fixture) search(q store.SessionQuery) (hits backend.Hits) {
	w.Helper()
	if q.Limit == 0 {
		q.Limit = 50
	}
	w.noErr(w.store.Read(context.Background(), func(v *store.ReadTx) (err error) {
		hits, err = v.SearchSessions(context.Background(), q)
		return err
	}))
	return hits
}

// found returns the kinds and excerpts of the hits.
func (w *fixture) found(q store.SessionQuery) []string {
	w.Helper()
	list := []string{}
	for _, h := range w.search(q).Hits {
		text := string(h.Kind) + " "
		for _, piece := range h.Snippet {
			text += piece.Text
		}
		list = append(list, text)
	}
	return list
}

func text(query string) store.SessionQuery {
	return store.SessionQuery{Query: store.Query{Text: query}}
}

// rows returns the number of sessions in the index, and of their texts with the word "the".
func (w *fixture) rows() (logs, texts int) {
	w.Helper()
	list, err := w.store.SessionLogs(context.Background())
	w.noErr(err)
	return len(list), w.search(text("the")).Total
}
