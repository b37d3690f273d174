package store_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

func TestFind_TextInOneChat(t *testing.T) {
	s := openStore(t, t.TempDir())
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat"}}, backend.Event{Chat: &backend.Chat{ID: "other"}})
	apply(t, s, textItem("chat", "asked", backend.ItemUser, "Zebra, ZEBRA; zeb")...)
	apply(t, s, textItem("chat", "thought", backend.ItemThought, "two: zebra")...)
	apply(t, s, textItem("other", "else", backend.ItemMessage, "zebra")...)
	cut := strings.Repeat("x", 64*1024-2) + "zebraGRÖSSE" + strings.Repeat("y", 64*1024) // split between two stored pieces
	cut2 := strings.Repeat("x", 64*1024-8) + "zebraGRÖSSE"                               // split within a character
	apply(t, s,
		backend.Event{Item: &backend.Item{ID: "block", ChatID: "chat", Kind: backend.ItemBlock, Block: &backend.Block{Prompt: "find the zebra"}}},
		backend.Event{Item: &backend.Item{ID: "tool", ParentID: "block", ChatID: "chat", Kind: backend.ItemTool, Tool: &backend.Tool{Title: "zebra", Command: "zebra", Path: "/zebra"}}},
		backend.Event{Content: &backend.Content{ID: "long", ItemID: "tool", ChatID: "chat", Type: backend.ContentText, Body: []byte(cut)}},
		backend.Event{Content: &backend.Content{ID: "long2", ItemID: "tool", ChatID: "chat", Type: backend.ContentTerminal, Body: []byte(cut2)}},
		backend.Event{Content: &backend.Content{ID: "image", ItemID: "tool", ChatID: "chat", Type: backend.ContentImage, Body: []byte("zebra")}},
		backend.Event{Item: &backend.Item{ID: "plan", ChatID: "chat", Kind: backend.ItemPlan, Plan: []backend.PlanEntry{{Content: "zebra"}, {Content: "zebra"}}}},
	)
	find := func(text string) (places backend.Matches) {
		t.Helper()
		inView(t, s, func(v *store.ReadTx) (err error) {
			places, err = v.Find(context.Background(), "chat", text)
			return err
		})
		return places
	}
	want := backend.Matches{Total: 11, Matches: []backend.Match{
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
	if got := find(""); got.Total != 0 || got.Matches == nil {
		t.Errorf("nothing finds %+v", got)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()
	inView(t, s, func(v *store.ReadTx) error {
		if places, err := v.Find(ctx, "chat", "zebra"); err != nil || !places.Capped {
			t.Errorf("without time: %+v, %v", places, err)
		}
		return nil
	})
}

// TestFind_DiffAsDisplayed checks that a search finds nothing in line markers and in the line numbers of hunks, no
// matter where the stored pieces are split.
func TestFind_DiffAsDisplayed(t *testing.T) {
	s := openStore(t, t.TempDir())
	apply(t, s,
		backend.Event{Chat: &backend.Chat{ID: "chat"}},
		backend.Event{Item: &backend.Item{ID: "tool", ChatID: "chat", Kind: backend.ItemTool, Tool: &backend.Tool{}}},
		backend.Event{Content: &backend.Content{ID: "names", ItemID: "tool", ChatID: "chat", Type: backend.ContentNames, Body: []byte("foo\n")}},
	)
	spot := func(text string, nth int) (spot *backend.MatchLocation) {
		t.Helper()
		inView(t, s, func(v *store.ReadTx) (err error) {
			spot, err = v.MatchLocation(context.Background(), "tool", text, nth)
			return err
		})
		return spot
	}
	for cut := range 60 {
		head := "--- /a\n+++ /a\n@@ -1,9 +1,9 @@\n"
		diff := head + " " + strings.Repeat("x", 64*1024-len(head)-cut) + "\n-12\n+foo\n@@ -12 +12 @@ func foo\n+foo +foo @@\n\\ No newline at end of file\n"
		apply(t, s, backend.Event{Content: &backend.Content{ID: "diff", ItemID: "tool", ChatID: "chat", Type: backend.ContentDiff, Version: int64(cut + 1), Body: []byte(diff)}})
		for text, want := range map[string][]string{
			"12": {"12\n+foo"}, "foo": {"foo\n@@", "foo\n+foo", "foo +", "foo @@"}, "+foo": {"+foo @@"}, "@@": {"@@\n\\"}, "-12": nil, "newline": nil, "unc f": {"unc f"},
		} {
			for n, want := range want {
				if got := spot(text, n); got == nil || !strings.HasPrefix(diff[got.Offset:], want) {
					t.Errorf("cut %d from the line's end: match %d of %q is at %+v", cut, n, text, got)
				}
			}
			if got := spot(text, len(want)); got != nil {
				t.Errorf("cut %d from the line's end: one more %q is at %+v", cut, text, got)
			}
		}
	}
}

func TestFind_MatchPositionsAreExact(t *testing.T) {
	s := openStore(t, t.TempDir())
	const red = "\x1b[31m"
	long := strings.Repeat("x", 64*1024-2) + "zebra" + strings.Repeat("y", 64*1024) + "Zebra" // the first match is split between two stored pieces
	colors := strings.Repeat(red+"GRÖSSE "+red, 10_000) + "the " + red + "zebra"
	diff := "--- /zebra.go\n+++ /zebra.go\n@@ -1 +1 @@\n-a zebra\n+zebra zebra\n"
	apply(t, s,
		backend.Event{Chat: &backend.Chat{ID: "chat"}},
		backend.Event{Item: &backend.Item{ID: "tool", ChatID: "chat", Kind: backend.ItemTool, Tool: &backend.Tool{Title: "zebra", Command: "zebra", Path: "/zebra"}}},
		backend.Event{Content: &backend.Content{ID: "long", ItemID: "tool", ChatID: "chat", Type: backend.ContentText, Body: []byte(long)}},
		backend.Event{Content: &backend.Content{ID: "colors", ItemID: "tool", ChatID: "chat", Type: backend.ContentTerminal, Body: []byte(colors)}},
		backend.Event{Content: &backend.Content{ID: "diff", ItemID: "tool", ChatID: "chat", Type: backend.ContentDiff, Body: []byte(diff)}},
	)
	apply(t, s, textItem("chat", "said", backend.ItemMessage, "a ZEBRA and a zebra")...)
	spot := func(item, text string, nth int) (spot *backend.MatchLocation) {
		t.Helper()
		inView(t, s, func(v *store.ReadTx) (err error) {
			spot, err = v.MatchLocation(context.Background(), item, text, nth)
			return err
		})
		return spot
	}
	at := func(body, text string, from int) int64 { return int64(from + strings.Index(body[from:], text)) }
	want := []backend.MatchLocation{
		{Nth: 0},
		{Nth: 1},
		{Nth: 2},
		{ContentID: "long", Offset: at(long, "zebra", 0)},
		{ContentID: "long", Offset: at(long, "Zebra", 0), Nth: 1},
		{ContentID: "colors", Offset: at(colors, "zebra", 0)},
		{ContentID: "diff", Offset: at(diff, "zebra", strings.Index(diff, "-a "))},
		{ContentID: "diff", Offset: at(diff, "zebra", strings.Index(diff, "+zebra")), Nth: 1},
		{ContentID: "diff", Offset: at(diff, "zebra", strings.Index(diff, "+zebra")+2), Nth: 2},
	}
	for n, want := range want {
		if got := spot("tool", "ZEBRA", n); got == nil || *got != want {
			t.Errorf("match %d is at %+v and not %+v", n, got, want)
		}
	}
	var places backend.Matches
	inView(t, s, func(v *store.ReadTx) (err error) {
		places, err = v.Find(context.Background(), "chat", "zebra")
		return err
	})
	if got := places.Matches[0].Count; got != len(want) {
		t.Errorf("%d are counted, and %d are somewhere", got, len(want))
	}
	if got := spot("tool", "zebra", len(want)); got != nil {
		t.Errorf("one more is at %+v", got)
	}
	if got := spot("tool", "grösse", 9_999); got == nil || got.Offset != int64(strings.LastIndex(colors, "GRÖSSE")) {
		t.Errorf("behind colors it is at %+v and not %d", got, strings.LastIndex(colors, "GRÖSSE"))
	}
	if got := spot("said", "zebra", 1); got == nil || *got != (backend.MatchLocation{Offset: 14, Nth: 1}) {
		t.Errorf("in a text it is at %+v", got)
	}
	for _, none := range []*backend.MatchLocation{spot("tool", "", 0), spot("nobody", "zebra", 0), spot("tool", "lion", 0)} {
		if none != nil {
			t.Errorf("nothing is at %+v", none)
		}
	}
}
