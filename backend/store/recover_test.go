package store_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

func TestRecover_UnsentMessageReturnsToQueueHead(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	long := strings.Repeat("Größe 🙂\x00\n", 30_000) // stored in several pieces; a character may be split between two of them
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat", TurnState: backend.TurnRunning, TurnSince: 200, Draft: "more"}})
	apply(t, s, promptEvents(backend.Turn{ID: "old", State: backend.TurnDone, StartedAt: 100, SentAt: 101, EndedAt: 150}, "m1", "one")...)
	apply(t, s, promptEvents(backend.Turn{ID: "unsent", State: backend.TurnRunning, StartedAt: 200}, "m2", long)...)
	apply(t, s,
		backend.Event{Item: &backend.Item{ID: "banner", ChatID: "chat", TurnID: "unsent", Kind: backend.ItemBanner, Banner: &backend.Banner{Kind: backend.BannerResumed}}},
		backend.Event{Queued: &backend.QueuedPrompt{ID: "m3", ChatID: "chat", Text: "three", Pos: 1, CreatedAt: 210}},
		backend.Event{Queued: &backend.QueuedPrompt{ID: "m4", ChatID: "chat", Text: "four", Pos: 2, CreatedAt: 220}},
	)
	for range 2 { // also if the app starts again before the user has sent anything
		closeStore(t, s)
		s = openStore(t, dir)
		events, _ := chatEvents(t, s, "chat", 10)
		var waiting []backend.QueuedPrompt
		var shown []string
		for _, e := range events {
			switch {
			case e.Queued != nil:
				waiting = append(waiting, *e.Queued)
			case e.Item != nil:
				shown = append(shown, e.Item.ID+" of "+e.Item.TurnID)
			case e.Text != nil && e.Text.ItemID == "m2":
				t.Error("its text is still there")
			case e.Turn != nil && e.Turn.ID == "unsent":
				t.Error("its turn is still there")
			}
		}
		want := []backend.QueuedPrompt{
			{ID: "m2", ChatID: "chat", Text: long, Pos: 0, Paused: true, CreatedAt: 200},
			{ID: "m3", ChatID: "chat", Text: "three", Pos: 1, Paused: true, CreatedAt: 210},
			{ID: "m4", ChatID: "chat", Text: "four", Pos: 2, Paused: true, CreatedAt: 220},
		}
		if diff := cmp.Diff(want, waiting); diff != "" {
			t.Errorf("what waits is (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{"m1 of old", "banner of "}, shown); diff != "" {
			t.Errorf("the transcript is (-want +got):\n%s", diff)
		}
		chat := newest(appEvents(t, s))["Chat chat"].Chat
		if chat.TurnState != backend.TurnDone || chat.TurnSince != 150 || chat.Draft != "more" {
			t.Errorf("the chat is %+v", chat)
		}
	}
}

func TestRecover_UnsentFirstMessageRemovesTurn(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat", TurnState: backend.TurnRunning, TurnSince: 200}})
	apply(t, s, promptEvents(backend.Turn{ID: "unsent", State: backend.TurnRunning, StartedAt: 200}, "m1", "one")...)
	closeStore(t, s)
	s = openStore(t, dir)
	if chat := newest(appEvents(t, s))["Chat chat"].Chat; chat.TurnState != "" || chat.TurnSince != 0 {
		t.Errorf("the chat is %+v", chat)
	}
	if queued := newest(appEvents(t, s))["Queued m1"].Queued; queued == nil || queued.Text != "one" || !queued.Paused {
		t.Errorf("what waits is %+v", queued)
	}
}

func TestRecover_SentMessageNotRequeued(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat", TurnState: backend.TurnRunning}})
	apply(t, s, promptEvents(backend.Turn{ID: "sent", State: backend.TurnRunning, StartedAt: 200, SentAt: 201}, "m1", "one")...)
	closeStore(t, s)
	s = openStore(t, dir)
	for _, table := range []string{"queued", "items", "turns"} {
		if got, want := count(t, dir, table), map[string]int{"items": 1, "turns": 1}[table]; got != want {
			t.Errorf("%s has %d rows, want %d", table, got, want)
		}
	}
	chat := newest(appEvents(t, s))["Chat chat"].Chat
	turns := column(t, sqlite(t, dir), "SELECT state || ' ' || ended_at FROM turns")
	if chat.TurnState != backend.TurnInterrupted || len(turns) != 1 || turns[0] != fmt.Sprintf("interrupted %d", chat.TurnSince) {
		t.Errorf("the chat is %+v, its turns %q", chat, turns)
	}
}

func TestRecover_CountsWaits(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat", TurnState: backend.TurnRunning}})
	apply(t, s, promptEvents(backend.Turn{ID: "main", State: backend.TurnRunning, StartedAt: 100, SentAt: 101}, "m", "one")...)
	call := func(id, turn string) backend.Event {
		return backend.Event{Item: &backend.Item{ID: id, ChatID: "chat", TurnID: turn, Kind: backend.ItemTool, Open: true, CreatedAt: 110, Tool: &backend.Tool{Status: backend.ToolPending}}}
	}
	request := func(id, turn, item string, from, to backend.Millis) backend.Event {
		p := backend.Permission{ID: id, ChatID: "chat", TurnID: turn, ItemID: item, State: backend.PermissionOpen, CreatedAt: from}
		if to > 0 {
			p.State, p.Decision, p.DecidedAt = backend.PermissionDecided, backend.DecisionAllowedOnce, to
		}
		return backend.Event{Permission: &p}
	}
	begins := backend.Now() - 100_000
	apply(t, s,
		backend.Event{Item: &backend.Item{ID: "block", ChatID: "chat", TurnID: "main", Kind: backend.ItemBlock, Open: true, Block: &backend.Block{SessionName: "tests"}}},
		backend.Event{Turn: &backend.Turn{ID: "work", ChatID: "chat", Session: "tests", BlockID: "block", State: backend.TurnRunning, StartedAt: 105, SentAt: 106}},
		call("done", "main"), call("waits", "work"),
		request("p1", "main", "done", 200, 300),
		request("p2", "work", "waits", 250, 400),
		request("p3", "work", "waits", begins, 0),
	)
	closeStore(t, s)
	s = openStore(t, dir)
	rows := newest(append(appEvents(t, s), chatEventsOf(t, s)...))
	ended := rows["Turn main"].Turn.EndedAt
	want := map[string]backend.Millis{
		"Item done": 100, "Item waits": 150 + ended - begins, "Item block": 150 + ended - begins,
		"Turn main": 200 + ended - begins, "Turn work": 150 + ended - begins,
	}
	got := map[string]backend.Millis{}
	for key := range want {
		switch e := rows[key]; {
		case e.Item != nil:
			got[key] = e.Item.Waited
		case e.Turn != nil:
			got[key] = e.Turn.Waited
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("waited (-want +got):\n%s", diff)
	}
}

func chatEventsOf(t *testing.T, s *store.Store) []backend.Event {
	t.Helper()
	events, _ := chatEvents(t, s, "chat", 50)
	return events
}
