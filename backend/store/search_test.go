package store_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

func search(t testing.TB, s *store.Store, q store.Query) (hits backend.Hits) {
	t.Helper()
	if q.Limit == 0 {
		q.Limit = 50
	}
	view(t, s, func(v *store.View) (err error) {
		hits, err = v.Search(context.Background(), q)
		return err
	})
	return hits
}

// found is what a search finds, as kinds and ids.
func found(t testing.TB, s *store.Store, query string) string {
	t.Helper()
	var list []string
	for _, h := range search(t, s, store.Query{Text: query}).Hits {
		list = append(list, string(h.Kind)+" "+h.ItemID)
	}
	return strings.Join(list, ", ")
}

// says is an item of a chat, complete, with its text.
func says(chatID, id string, kind backend.ItemKind, text string) []backend.Event {
	return []backend.Event{
		{Item: &backend.Item{ID: id, ChatID: chatID, Kind: kind, CreatedAt: 1000}},
		{Text: &backend.Text{ItemID: id, ChatID: chatID, Text: text}},
	}
}

func TestAllThatIsShownIsFound(t *testing.T) {
	s := openStore(t, t.TempDir())
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat", Title: "The walrus chat", Folder: "/home/me"}})
	apply(t, s, says("chat", "asked", backend.ItemUser, "Where is the ZEBRA of the café?")...)
	apply(t, s, says("chat", "said", backend.ItemMessage, "It is in **backend/animals/zebra_test.go**, 修复测试.")...)
	apply(t, s, says("chat", "thought", backend.ItemThought, "Is an okapi a zebra?")...)
	apply(t, s,
		backend.Event{Item: &backend.Item{ID: "tool", ChatID: "chat", Kind: backend.ItemTool, Tool: &backend.Tool{
			CallID: "1", Title: "Run the giraffe", Command: "make giraffe", Path: "/home/me/Makefile", To: "/tmp/moved.txt",
		}}},
		backend.Event{Content: &backend.Content{ID: "out", ItemID: "tool", ChatID: "chat", Type: backend.ContentTerminal, Body: []byte("\x1b[31mele\x1b[0mphant passed")}},
		backend.Event{Content: &backend.Content{ID: "diff", ItemID: "tool", ChatID: "chat", Type: backend.ContentDiff, Path: "/home/me/lion.go", Body: []byte("+tiger")}},
		backend.Event{Item: &backend.Item{ID: "block", ChatID: "chat", Kind: backend.ItemBlock, Block: &backend.Block{SessionName: "tests", Prompt: "Look after the camel"}}},
	)
	apply(t, s, backend.Event{Content: &backend.Content{ID: "late", ItemID: "tool", ChatID: "chat", Type: backend.ContentText, Body: []byte("a late antelope")}})
	for query, want := range map[string]string{
		"walrus":                  "title ",
		"zebra":                   "message said, user asked", // what was thought is not searched
		"CAFE ":                   "user asked",
		`"is the zebra"`:          "user asked",
		`"zebra the is"`:          "",
		"animals/zebra_test.go":   "message said",
		"backend/ani":             "message said",
		"修复":                      "message said",
		"试修":                      "",
		"giraffe make":            "tool tool",
		"/home/me/Makefile":       "tool tool",
		"moved.txt":               "tool tool",
		"elephant":                "tool tool",
		"lion.go":                 "tool tool",
		"tiger":                   "",
		"antelope":                "tool tool",
		"camel":                   "block block",
		"zebra elephant":          "", // both have to be in one entry
		"zeb":                     "message said, user asked",
		"zeb ":                    "",
		`" - * ( AND OR NOT NEAR`: "",
		"":                        "",
	} {
		if got := found(t, s, query); got != want {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
	hit := search(t, s, store.Query{Text: "elephant"}).Hits[0]
	want := backend.Hit{
		ChatID: "chat", Title: "The walrus chat", Folder: "/home/me", ItemID: "tool", Pos: 4, Kind: backend.HitTool,
		Snippet: []backend.Excerpt{{Text: "elephant", Hit: true}, {Text: " passed"}},
	}
	if diff := cmp.Diff(want, hit); diff != "" {
		t.Errorf("the hit is (-want +got):\n%s", diff)
	}
}

func TestTheIndexFollowsTheRows(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	expect := func(when, query, want string) {
		t.Helper()
		if got := found(t, s, query); got != want {
			t.Errorf("%s, %q finds %q, want %q", when, query, got, want)
		}
	}
	open := backend.Item{ID: "one", ChatID: "chat", TurnID: "turn", Kind: backend.ItemMessage, Open: true}
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat", Title: "Before"}}, backend.Event{Item: &open})
	apply(t, s, backend.Event{Text: &backend.Text{ItemID: "one", ChatID: "chat", Text: "an ele"}})
	apply(t, s, backend.Event{Text: &backend.Text{ItemID: "one", ChatID: "chat", Offset: 6, Text: "phant"}})
	expect("while it streams", "elephant", "")
	closed := open
	closed.Open = false
	apply(t, s, backend.Event{Item: &closed})
	expect("when it is complete", "elephant", "message one")

	tool := backend.Item{ID: "tool", ChatID: "chat", Kind: backend.ItemTool, Tool: &backend.Tool{Title: "Look"}}
	apply(t, s, backend.Event{Item: &tool}, backend.Event{Content: &backend.Content{ID: "c", ItemID: "tool", ChatID: "chat", Type: backend.ContentText, Body: []byte("zebra")}})
	apply(t, s, backend.Event{Content: &backend.Content{ID: "c", ItemID: "tool", ChatID: "chat", Type: backend.ContentText, Version: 2, Body: []byte("okapi")}})
	expect("when output was replaced", "zebra", "")
	expect("when output was replaced", "okapi", "tool tool")

	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat", Title: "After"}})
	expect("when it has another title", "before", "")
	expect("when it has another title", "after", "title ")

	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat", Title: "After", DeletedAt: 1}})
	expect("when it is deleted", "elephant", "")
	expect("when it is deleted", "after", "")
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat", Title: "After"}})
	expect("when it is restored", "elephant", "message one")
	expect("when it is restored", "after", "title ")

	// What an app that died leaves is put right with the index.
	apply(t, s,
		backend.Event{Turn: &backend.Turn{ID: "turn2", ChatID: "chat", State: backend.TurnRunning}},
		backend.Event{Item: &backend.Item{ID: "unsent", ChatID: "chat", TurnID: "turn2", Kind: backend.ItemUser}},
		backend.Event{Text: &backend.Text{ItemID: "unsent", ChatID: "chat", Text: "a giraffe"}},
		backend.Event{Item: &backend.Item{ID: "cut", ChatID: "chat", Kind: backend.ItemMessage, Open: true}},
		backend.Event{Text: &backend.Text{ItemID: "cut", ChatID: "chat", Text: "a came"}},
	)
	expect("before it waits", "giraffe", "user unsent")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openStore(t, dir)
	expect("when it waits", "giraffe", "")
	expect("when it was cut off", "came", "message cut")

	// Rows of a chat that is gone are used again.
	apply(t, s, backend.Event{ChatGone: &backend.Gone{ID: "chat"}})
	expect("when it is gone", "elephant", "")
	expect("when it is gone", "after", "")
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "new", Title: "New"}})
	apply(t, s, says("new", "first", backend.ItemMessage, "a llama")...)
	expect("in a new chat", "llama", "message first")
	expect("in a new chat", "elephant", "")
}

func TestSearchesAreNarrowedAndPaged(t *testing.T) {
	s := openStore(t, t.TempDir())
	var all []string // of the entries, the newest first
	for n := range 60 {
		chatID := fmt.Sprint("chat", n%3)
		if n < 3 {
			apply(t, s, backend.Event{Chat: &backend.Chat{ID: chatID, Title: "Zebra " + chatID, Folder: fmt.Sprint("/home/", n%2), UpdatedAt: backend.Millis(n)}})
		}
		id := fmt.Sprint("item", n)
		apply(t, s,
			backend.Event{Item: &backend.Item{ID: id, ChatID: chatID, Kind: backend.ItemMessage, CreatedAt: backend.Millis(n) * 10_000_000}},
			backend.Event{Text: &backend.Text{ItemID: id, ChatID: chatID, Text: "a zebra"}})
		all = append([]string{id}, all...)
	}
	pages := func(q store.Query) (ids []string) {
		t.Helper()
		chats := map[string]bool{}
		for total, in := -1, 0; ; {
			hits := search(t, s, q)
			if total < 0 {
				total, in = hits.Total, hits.Chats
			}
			if hits.Total != total || hits.Chats != in || hits.Capped || len(hits.Hits) > q.Limit {
				t.Errorf("of a page of %d there are %d hits, of %d in all, not %d", q.Limit, len(hits.Hits), hits.Total, total)
			}
			for _, h := range hits.Hits {
				chats[h.ChatID] = true
				id := h.ItemID
				if h.Kind == backend.HitTitle {
					id = h.ChatID
				}
				ids = append(ids, id)
			}
			if hits.More == "" {
				if len(ids) != total || len(chats) != in {
					t.Errorf("%d hits of %d, in %d chats of %d", len(ids), total, len(chats), in)
				}
				return ids
			}
			q.Before = hits.More
		}
	}
	titles := []string{"chat2", "chat1", "chat0"}
	for _, limit := range []int{1, 2, 3, 7, 63, 100} {
		if diff := cmp.Diff(append(append([]string{}, titles...), all...), pages(store.Query{Text: "zebra", Limit: limit})); diff != "" {
			t.Errorf("by %d (-want +got):\n%s", limit, diff)
		}
	}
	only := func(take func(n int) bool) (ids []string) {
		for i, id := range all {
			if take(59 - i) {
				ids = append(ids, id)
			}
		}
		return ids
	}
	for what, test := range map[string]struct {
		query store.Query
		want  []string
	}{
		"a chat":     {store.Query{ChatID: "chat1"}, append([]string{"chat1"}, only(func(n int) bool { return n%3 == 1 })...)},
		"a folder":   {store.Query{Folder: "/home/0"}, append([]string{"chat2", "chat0"}, only(func(n int) bool { return n%3 != 1 })...)},
		"no folder":  {store.Query{Folder: "/home"}, nil},
		"other chat": {store.Query{ChatID: "chat1", Folder: "/home/0"}, nil},
		"a time":     {store.Query{From: 200_000_000, To: 400_000_000}, only(func(n int) bool { return n >= 20 && n <= 40 })},
		"since":      {store.Query{From: 550_000_000}, only(func(n int) bool { return n >= 55 })},
		"until":      {store.Query{To: 30_000_000}, append(append([]string{}, titles...), only(func(n int) bool { return n <= 3 })...)},
	} {
		test.query.Text, test.query.Limit = "zebra", 10
		if diff := cmp.Diff(test.want, pages(test.query)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	var err error
	view(t, s, func(v *store.View) error {
		_, err = v.Search(context.Background(), store.Query{Text: "zebra", Before: "x"})
		return nil
	})
	if backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("a page that is none: %v", err)
	}
}

func TestAHitInABlockSaysWhoseWorkItIs(t *testing.T) {
	s := openStore(t, t.TempDir())
	block := backend.Item{ID: "block", ChatID: "chat", Session: "tests", Kind: backend.ItemBlock, Block: &backend.Block{SessionName: "tests", Prompt: "look at the zebra"}}
	inside := says("chat", "inside", backend.ItemMessage, "a zebra")
	inside[0].Item.ParentID, inside[0].Item.Session = "block", "tests"
	outside := says("chat", "outside", backend.ItemMessage, "a zebra")
	outside[0].Item.Session = backend.SessionMain
	apply(t, s, slices.Concat([]backend.Event{{Chat: &backend.Chat{ID: "chat", Title: "Zebra"}}, {Item: &block}}, inside, outside)...)
	got := map[string]string{}
	for _, h := range search(t, s, store.Query{Text: "zebra", Limit: 10}).Hits {
		got[h.ItemID] = h.Session
	}
	if diff := cmp.Diff(map[string]string{"": "", "block": "tests", "inside": "tests", "outside": ""}, got); diff != "" {
		t.Error("(-want +got):\n", diff)
	}
}

func TestTooManyHitsAreNotCounted(t *testing.T) {
	s := openStore(t, t.TempDir())
	events := []backend.Event{{Chat: &backend.Chat{ID: "chat"}}}
	for n := range backend.MaxHits + 5 {
		events = append(events, says("chat", fmt.Sprint("item", n), backend.ItemMessage, "a zebra")...)
	}
	apply(t, s, events...)
	hits := search(t, s, store.Query{Text: "zebra", Limit: 2})
	if hits.Total != backend.MaxHits || !hits.Capped || hits.Chats != 0 {
		t.Errorf("there are %d hits, capped: %t", hits.Total, hits.Capped)
	}
	if hits = search(t, s, store.Query{Text: "zebra", Limit: 2, Before: hits.More}); hits.Total != backend.MaxHits || !hits.Capped {
		t.Errorf("on the next page there are %d hits, capped: %t", hits.Total, hits.Capped)
	}
}

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

func TestTheBeginningOfAWordStandsForAllThatBeginSo(t *testing.T) {
	s := openStore(t, t.TempDir())
	// Its id is in the index as well, and is no word.
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "ele", Title: "A chat", Folder: "/home/me"}})
	apply(t, s, says("ele", "elephant", backend.ItemMessage, "An elephant goes by")...)
	apply(t, s, says("ele", "elevator", backend.ItemMessage, "The elevator goes up")...)
	apply(t, s, says("ele", "ele", backend.ItemMessage, "What is ele")...)
	apply(t, s, says("ele", "other", backend.ItemMessage, "All else goes by")...)
	for query, want := range map[string]string{
		"ele":        "message ele, message elevator, message elephant",
		"elep":       "message elephant",
		"goes ele":   "message elevator, message elephant",
		`"an ele`:    "message elephant",
		`"goes e`:    "", // a letter alone is a word
		"elevators":  "",
		"els":        "message other",
		"ele ":       "message ele",
		"elephant ":  "message elephant",
		"unknown el": "",
	} {
		if got := found(t, s, query); got != want {
			t.Errorf("%q finds %q and not %q", query, got, want)
		}
	}
	// They may be more than are looked up one by one.
	for n := range 100 {
		id := fmt.Sprintf("many%03d", n)
		apply(t, s, says("ele", id, backend.ItemMessage, fmt.Sprintf("word elem%c%c", 'a'+n/10, 'a'+n%10))...)
	}
	if total := search(t, s, store.Query{Text: "word elem"}).Total; total != 100 {
		t.Errorf("%d of 100 are found", total)
	}
}

func TestAnIndexInManyPiecesIsPutTogether(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat", Title: "A chat", Folder: "/home/me"}})
	// Words that are all different make a large index of few items.
	for n := range 30 {
		var text strings.Builder
		for word := range 20_000 {
			fmt.Fprintf(&text, "w%dx%d ", (word*7919+n)%100_000, n)
		}
		apply(t, s, says("chat", fmt.Sprint("item", n), backend.ItemMessage, text.String())...)
	}
	before := pieces(t, dir)
	if err := s.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after := pieces(t, dir); before < 2 || after != 1 {
		t.Errorf("%d pieces became %d", before, after)
	}
	if got := found(t, s, "w7919x0 "); got != "message item0" {
		t.Errorf("a word is found in %q", got)
	}
}

// pieces is of how many pieces the index is.
func pieces(t *testing.T, dir string) (n int) {
	t.Helper()
	if err := sqlite(t, dir).QueryRow("SELECT count(DISTINCT segid) FROM search_idx").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
