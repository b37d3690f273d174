package store_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

func TestATextIsFoundInOneChat(t *testing.T) {
	s := openStore(t, t.TempDir())
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat"}}, backend.Event{Chat: &backend.Chat{ID: "other"}})
	apply(t, s, says("chat", "asked", backend.ItemUser, "Zebra, ZEBRA; zeb")...)
	apply(t, s, says("chat", "thought", backend.ItemThought, "two: zebra")...)
	apply(t, s, says("other", "else", backend.ItemMessage, "zebra")...)
	cut := strings.Repeat("x", 64*1024-2) + "zebraGRÖSSE" + strings.Repeat("y", 64*1024) // the pieces that it is kept in cut it
	cut2 := strings.Repeat("x", 64*1024-8) + "zebraGRÖSSE"                               // within a character
	apply(t, s,
		backend.Event{Item: &backend.Item{ID: "block", ChatID: "chat", Kind: backend.ItemBlock, Block: &backend.Block{Prompt: "find the zebra"}}},
		backend.Event{Item: &backend.Item{ID: "tool", ParentID: "block", ChatID: "chat", Kind: backend.ItemTool, Tool: &backend.Tool{Title: "zebra", Command: "zebra", Path: "/zebra"}}},
		backend.Event{Content: &backend.Content{ID: "long", ItemID: "tool", ChatID: "chat", Type: backend.ContentText, Body: []byte(cut)}},
		backend.Event{Content: &backend.Content{ID: "long2", ItemID: "tool", ChatID: "chat", Type: backend.ContentTerminal, Body: []byte(cut2)}},
		backend.Event{Content: &backend.Content{ID: "image", ItemID: "tool", ChatID: "chat", Type: backend.ContentImage, Body: []byte("zebra")}},
		backend.Event{Item: &backend.Item{ID: "plan", ChatID: "chat", Kind: backend.ItemPlan, Plan: []backend.PlanEntry{{Content: "zebra"}, {Content: "zebra"}}}},
	)
	find := func(text string) (places backend.Places) {
		t.Helper()
		view(t, s, func(v *store.View) (err error) {
			places, err = v.Find(context.Background(), "chat", text)
			return err
		})
		return places
	}
	want := backend.Places{Total: 11, Places: []backend.Place{
		{ItemID: "asked", Pos: 1, Count: 2},
		{ItemID: "thought", Pos: 2, Count: 1},
		{ItemID: "block", Pos: 3, Count: 1},
		{ItemID: "tool", ParentID: "block", Pos: 4, Count: 5},
		{ItemID: "plan", Pos: 5, Count: 2},
	}}
	if diff := cmp.Diff(want, find("zEbRa")); diff != "" {
		t.Errorf("found was (-want +got):\n%s", diff)
	}
	if got := find("größe"); got.Total != 0 {
		t.Errorf("found was %+v", got)
	}
	if got := find("gRöSSe"); got.Total != 2 {
		t.Errorf("found was %+v", got)
	}
	if got := find(""); got.Total != 0 || got.Places == nil {
		t.Errorf("nothing finds %+v", got)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()
	view(t, s, func(v *store.View) error {
		if places, err := v.Find(ctx, "chat", "zebra"); err != nil || !places.Capped {
			t.Errorf("without time: %+v, %v", places, err)
		}
		return nil
	})
}
