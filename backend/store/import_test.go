package store_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

func importRows(t testing.TB, s *store.Store, events ...backend.Event) {
	t.Helper()
	if err := s.Import(context.Background(), events); err != nil {
		t.Fatalf("Import: %v", err)
	}
}

// conversation returns the events of a conversation in batches. Later batches change rows of earlier ones.
func conversation(chatID string) [][]backend.Event {
	row := func(id string, kind backend.ItemKind, open bool) backend.Event {
		it := &backend.Item{ID: chatID + id, ChatID: chatID, TurnID: chatID + "turn", Session: "main", Kind: kind, Open: open, CreatedAt: 5}
		if kind == backend.ItemTool {
			it.Tool = &backend.Tool{Kind: backend.ToolExecute, Title: "Run it", ResultSummary: backend.Count(2, "1 line", "%d lines")}
		}
		return backend.Event{Item: it}
	}
	says := func(id, text string, offset int) backend.Event {
		return backend.Event{Text: &backend.Text{ItemID: chatID + id, ChatID: chatID, Text: text, Offset: int64(offset)}}
	}
	has := func(id, item string, version int64, body string) backend.Event {
		return backend.Event{Content: &backend.Content{ID: chatID + id, ItemID: chatID + item, ChatID: chatID, Type: backend.ContentTerminal, Version: version, Body: []byte(body)}}
	}
	turn := func(state backend.TurnState, usage *backend.Usage) backend.Event {
		return backend.Event{Turn: &backend.Turn{ID: chatID + "turn", ChatID: chatID, Session: "main", State: state, StartedAt: 4, SentAt: 4, Usage: usage}}
	}
	long := strings.Repeat("marmalade\n", 20_000)
	return [][]backend.Event{
		{
			turn(backend.TurnRunning, nil), row("ask", backend.ItemUser, false), says("ask", "toast with é and 🍞", 0),
			row("tool", backend.ItemTool, true), has("out", "tool", 1, long), has("out", "tool", 2, "butter"), row("answer", backend.ItemMessage, false), says("answer", "so", 0),
		},
		{
			row("tool", backend.ItemTool, false), has("out", "tool", 3, "jam"), says("answer", " far", 2), row("next", backend.ItemMessage, false), says("next", long, 0),
			turn(backend.TurnDone, &backend.Usage{Input: 3}),
			{UnknownUpdate: &backend.UnknownUpdate{ID: chatID + "unknown", ChatID: chatID, Kind: "k", Raw: []byte("{}")}},
		},
	}
}

func TestImport_SameRowsAsApply(t *testing.T) {
	for name, batches := range map[string][][]backend.Event{"a conversation": conversation("chat"), "each kind": {allEvents()}} {
		t.Run(name, func(t *testing.T) {
			chat := backend.Event{Chat: &backend.Chat{ID: "chat"}}
			applied, imported := t.TempDir(), t.TempDir()
			a, i := openStore(t, applied), openStore(t, imported)
			apply(t, a, chat)
			apply(t, i, chat)
			for _, batch := range append(batches, batches[len(batches)-1]) {
				importRows(t, i, batch...)
				apply(t, a, batch...)
				if diff := cmp.Diff(dump(t, applied), dump(t, imported)); diff != "" {
					t.Fatalf("(-applied +imported):\n%s", diff)
				}
			}
			importRows(t, i)
		})
	}
}

// TestImport_IndexedLater checks that a search reports that imported rows aren't indexed yet, and that Maintain indexes
// them, even after a crash and if the rows of a deleted chat had the same row IDs.
func TestImport_IndexedLater(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	find := func(word string, want int, reading bool) {
		t.Helper()
		hits := searchHits(t, s, store.Query{Text: word, Limit: 10})
		if hits.Total != want || hits.Reading != reading {
			t.Errorf("%s: %d hits, still reading %t, want %d and %t", word, hits.Total, hits.Reading, want, reading)
		}
	}
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "live"}})
	apply(t, s, textItem("live", "m", backend.ItemMessage, "marmalade")...)
	find("marmalade", 1, false)
	for _, id := range []string{"a", "b"} {
		apply(t, s, backend.Event{Chat: &backend.Chat{ID: id}})
		importRows(t, s, conversation(id)[0]...)
		if id == "a" {
			apply(t, s, backend.Event{ChatDeleted: &backend.Deleted{ID: "a"}})
		}
	}
	apply(t, s, textItem("live", "n", backend.ItemMessage, "toast")...)
	find("toast", 1, true)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openStore(t, dir)
	find("toast", 1, true)
	importRows(t, s, conversation("b")[1]...)
	if err := s.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	find("toast", 2, false)
	find("marmalade", 2, false)
	find("jam", 1, false)
	find("butter", 0, false)
}

func TestImport_IntoDeletedChatHasNoEffect(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	before := dump(t, dir)
	for _, batch := range conversation("gone") {
		importRows(t, s, batch...)
	}
	if diff := cmp.Diff(before, dump(t, dir)); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}

// TestImport_FailureChangesNothing checks that a batch with an event that can't be written leaves no rows.
func TestImport_FailureChangesNothing(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat"}})
	before := dump(t, dir)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Import(cancelled, conversation("chat")[0]); err == nil {
		t.Error("a canceled import succeeded")
	}
	db := sqlite(t, dir)
	if _, err := db.Exec("CREATE TRIGGER refuse BEFORE INSERT ON unknown_updates BEGIN SELECT raise(ABORT, 'refused'); END"); err != nil {
		t.Fatal(err)
	}
	err := s.Import(t.Context(), append(conversation("chat")[0], conversation("chat")[1]...))
	if problem, is := errors.AsType[*backend.Error](err); !is || problem.Code != backend.CodeInvalid || !strings.Contains(problem.Detail, "refused") {
		t.Errorf("Import: %#v", err)
	}
	if diff := cmp.Diff(before, dump(t, dir)); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}

// TestImport_OtherWritesDontWaitForTheBatch checks that a write requested while a batch is being imported is done
// before the rest of the batch, and that the batch is complete afterward.
func TestImport_OtherWritesDontWaitForTheBatch(t *testing.T) {
	s := openStore(t, t.TempDir())
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat"}}, backend.Event{Chat: &backend.Chat{ID: "live"}})
	const items = 4000
	var events []backend.Event
	for i := range items {
		events = append(events, textItem("chat", fmt.Sprint("item", i), backend.ItemMessage, "marmalade")...)
	}
	release := s.HoldWrites()
	imported := make(chan error, 1)
	go func() { imported <- s.Import(context.Background(), events) }()
	waits := func(n int) {
		for s.Waiting() < n {
			runtime.Gosched()
		}
	}
	waits(1)
	count := func() (n int) {
		inView(t, s, func(v *store.ReadTx) error {
			return v.EachItem(t.Context(), "chat", "", func(backend.Item) error { n++; return nil })
		})
		return n
	}
	applied := make(chan int, 1)
	go func() {
		apply(t, s, textItem("live", "m", backend.ItemMessage, "toast")...)
		applied <- count()
	}()
	waits(2)
	release()
	if n := <-applied; n == items {
		t.Error("the other write waited for the whole batch")
	}
	if err := <-imported; err != nil {
		t.Fatal(err)
	}
	if n := count(); n != items {
		t.Errorf("%d of %d items are imported", n, items)
	}
	if err := s.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if hits := searchHits(t, s, store.Query{Text: "marmalade", Count: true}); hits.Total != backend.MaxHits {
		t.Errorf("%d hits", hits.Total)
	}
}
