package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

func TestView_IsConsistentSnapshot(t *testing.T) {
	ctx := context.Background()
	s := openStore(t, t.TempDir())
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "before"}})
	v, err := s.BeginRead(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "after"}})
	for range 2 {
		events, err := v.AppEvents(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if len(events) != 2 || events[1].Chat.ID != "before" {
			t.Errorf("the view shows %d events", len(events))
		}
	}
	if events := appEvents(t, s); len(events) != 3 {
		t.Errorf("a new view shows %d events, want 3", len(events))
	}
}

func TestClose_EndsOpenViews(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	s, _, err := store.Open(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.BeginRead(ctx)
	if err != nil {
		t.Fatal(err)
	}
	closed := make(chan error)
	go func() { closed <- s.Close() }()
	for err == nil { // until the ReadTx is canceled
		_, err = v.AppEvents(ctx)
	}
	v.Close()
	if err := <-closed; err != nil {
		t.Errorf("Close: %v", err)
	}
	if _, err := s.BeginRead(ctx); backend.CodeOf(err) != backend.CodeUnavailable {
		t.Errorf("a view of a closed store: %v", err)
	}
	if err := s.Apply(ctx, nil, false); backend.CodeOf(err) != backend.CodeUnavailable {
		t.Errorf("Apply on a closed store: %v", err)
	}
}

func TestBatch_IsAtomic(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	apply(t, s, allEvents()...)
	db := sqlite(t, dir)
	if _, err := db.Exec("CREATE TRIGGER refuse BEFORE INSERT ON queued WHEN new.text = 'poison' BEGIN SELECT raise(ABORT, 'refused'); END"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	before := dump(t, dir)
	batch := func(text string) []backend.Event {
		return []backend.Event{
			{Item: &backend.Item{ID: "new", ChatID: "chat", Kind: backend.ItemMessage}},
			{Text: &backend.Text{ItemID: "item", ChatID: "chat", Offset: 2, Text: "üße again"}},
			{Item: &backend.Item{ID: "of nobody", ChatID: "no chat"}},
			{Queued: &backend.QueuedPrompt{ID: "q", ChatID: "chat", Text: text}},
		}
	}
	poisoned := batch("poison")
	err := s.Apply(context.Background(), poisoned, true)
	if backend.CodeOf(err) != backend.CodeInvalid {
		t.Fatalf("Apply: %v", err)
	}
	if diff := cmp.Diff(before, dump(t, dir)); diff != "" {
		t.Errorf("a batch that failed changed (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(batch("poison"), poisoned); diff != "" {
		t.Errorf("and its events (-before +after):\n%s", diff)
	}
	good := batch("fine")
	apply(t, s, good...)
	if good[0].Item.Pos != 2 || good[1].Text.Text != " again" || good[2] != (backend.Event{}) {
		t.Errorf("a batch that worked was not completed: %s", cmp.Diff(batch("fine"), good))
	}
}

func TestApply_CancelledContextAppliesNothing(t *testing.T) {
	s := openStore(t, t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.Apply(ctx, allEvents(), false); !errors.Is(err, context.Canceled) {
		t.Errorf("Apply: %v", err)
	}
	if events := appEvents(t, s); len(events) != 1 {
		t.Errorf("%d events are there", len(events))
	}
}
