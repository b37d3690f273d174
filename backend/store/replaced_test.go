package store_test

import (
	"context"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

// TestReplacedText_IsLeftOut checks what happens to text when a later attempt at the same model call replaces it: the
// text stays stored and is read for the transcript, but for nothing else.
func TestReplacedText_IsLeftOut(t *testing.T) {
	ctx := context.Background()
	s := openStore(t, t.TempDir())
	apply(t, s,
		backend.Event{Chat: &backend.Chat{ID: "chat"}},
		backend.Event{Session: &backend.Session{ChatID: "chat", Name: "main", ACPID: "x", CreatedAt: 50}},
	)
	apply(t, s, promptEvents(backend.Turn{ID: "t", State: backend.TurnDone, StartedAt: 100, SentAt: 101}, "q", "question")...)
	apply(t, s, answerEvents("first", "t", "halfway")...)
	if got := searchResult(t, s, "halfway"); got != "message first" {
		t.Fatalf("found %q before it was replaced", got)
	}
	apply(t, s, backend.Event{Item: &backend.Item{ID: "first", ChatID: "chat", TurnID: "t", Session: "main", Kind: backend.ItemMessage, Replaced: true}})
	apply(t, s, answerEvents("second", "t", "whole")...)
	apply(t, s, backend.Event{Item: &backend.Item{ID: "last", ChatID: "chat", TurnID: "t", Session: "main", Kind: backend.ItemMessage, Replaced: true}})
	apply(t, s, backend.Event{Text: &backend.Text{ItemID: "last", ChatID: "chat", Text: "later"}})

	if got := searchResult(t, s, "halfway") + searchResult(t, s, "later"); got != "" {
		t.Errorf("found %q, want nothing", got)
	}
	if got := searchResult(t, s, "whole"); got != "message second" {
		t.Errorf("found %q, want the text that stands", got)
	}
	history, err := s.History(ctx, "chat", "main")
	if err != nil || len(history) != 1 || history[0].Answer != "whole" {
		t.Errorf("history: got %+v, %v, want the answer whole", history, err)
	}
	recap, err := s.Recap(ctx, "chat", "main")
	if err != nil {
		t.Fatal(err)
	}
	answer := ""
	for _, e := range recap {
		if e.Text != nil {
			answer = e.Text.Text
		}
	}
	if answer != "whole" {
		t.Errorf("recap: got the answer %q, want whole", answer)
	}
	var exported []string
	inView(t, s, func(v *store.ReadTx) error {
		return v.EachItem(ctx, "chat", "", func(it backend.Item) error {
			exported = append(exported, it.ID)
			return nil
		})
	})
	if len(exported) != 2 || exported[1] != "second" {
		t.Errorf("exported: got %q, want q and second", exported)
	}
}
