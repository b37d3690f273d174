package store_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

func TestSearch_FindsEverythingDisplayed(t *testing.T) {
	s := openStore(t, t.TempDir())
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat", Title: "The walrus chat", Folder: "/home/me"}})
	apply(t, s, textItem("chat", "asked", backend.ItemUser, "Where is the ZEBRA of the café?")...)
	apply(t, s, textItem("chat", "said", backend.ItemMessage, "It is in **backend/animals/zebra_test.go**, 修复测试.")...)
	apply(t, s, textItem("chat", "thought", backend.ItemThought, "Is an okapi a zebra?")...)
	apply(t, s,
		backend.Event{Item: &backend.Item{ID: "tool", ChatID: "chat", Kind: backend.ItemTool, Tool: &backend.Tool{
			CallID: "1", Title: "Run the giraffe", Command: "make giraffe", Path: "/home/me/Makefile", To: "/tmp/moved.txt",
		}}},
		backend.Event{Content: &backend.Content{ID: "out", ItemID: "tool", ChatID: "chat", Type: backend.ContentTerminal, Body: []byte("\x1b[31mele\x1b[0mphant passed")}},
		backend.Event{Content: &backend.Content{ID: "diff", ItemID: "tool", ChatID: "chat", Type: backend.ContentDiff, Path: "/home/me/lion.go", Body: []byte("+tiger")}},
		backend.Event{Item: &backend.Item{ID: "block", ChatID: "chat", Kind: backend.ItemBlock, Block: &backend.Block{SessionName: "tests", Prompt: "Look after the camel"}}},
	)
	apply(t, s, backend.Event{Content: &backend.Content{ID: "late", ItemID: "tool", ChatID: "chat", Type: backend.ContentText, Body: []byte("a late antelope")}})
	apply(t, s, backend.Event{Content: &backend.Content{ID: "asked", ItemID: "tool", ChatID: "chat", Type: backend.ContentQuestion, Body: []byte("1. Feed the heron")}})
	for query, want := range map[string]string{
		"walrus":                  "title ",
		"zebra":                   "message said, user asked", // thoughts aren't searched
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
		"heron":                   "tool tool", // a step of a plan
		"camel":                   "block block",
		"zebra elephant":          "", // both words must be in one entry
		"zeb":                     "message said, user asked",
		"zeb ":                    "",
		`" - * ( AND OR NOT NEAR`: "",
		"":                        "",
	} {
		if got := searchResult(t, s, query); got != want {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
	hit := searchHits(t, s, store.Query{Text: "elephant"}).Hits[0]
	want := backend.Hit{
		ChatID: "chat", Title: "The walrus chat", Folder: "/home/me", ItemID: "tool", Pos: 4, Kind: backend.HitTool,
		Snippet: []backend.Excerpt{{Text: "elephant", Hit: true}, {Text: " passed"}},
	}
	if diff := cmp.Diff(want, hit); diff != "" {
		t.Errorf("the hit is (-want +got):\n%s", diff)
	}
}

func TestIndex_FollowsRows(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	expect := func(when, query, want string) {
		t.Helper()
		if got := searchResult(t, s, query); got != want {
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

	// State that a killed app left is repaired together with the index.
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

	// The row IDs of a deleted chat are used again.
	apply(t, s, backend.Event{ChatDeleted: &backend.Deleted{ID: "chat"}})
	expect("when it is gone", "elephant", "")
	expect("when it is gone", "after", "")
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "new", Title: "New"}})
	apply(t, s, textItem("new", "first", backend.ItemMessage, "a llama")...)
	expect("in a new chat", "llama", "message first")
	expect("in a new chat", "elephant", "")
}

func TestIndex_MergesSegments(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat", Title: "A chat", Folder: "/home/me"}})
	// Words that all differ make a large index from few items.
	for n := range 30 {
		var text strings.Builder
		for word := range 20_000 {
			fmt.Fprintf(&text, "w%dx%d ", (word*7919+n)%100_000, n)
		}
		apply(t, s, textItem("chat", fmt.Sprint("item", n), backend.ItemMessage, text.String())...)
	}
	before := segmentCount(t, dir)
	if err := s.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after := segmentCount(t, dir); before < 2 || after != 1 {
		t.Errorf("%d segments became %d", before, after)
	}
	if got := searchResult(t, s, "w7919x0 "); got != "message item0" {
		t.Errorf("a word is found in %q", got)
	}
}

// segmentCount returns the number of segments of the index.
func segmentCount(t *testing.T, dir string) (n int) {
	t.Helper()
	if err := sqlite(t, dir).QueryRow("SELECT count(DISTINCT segid) FROM search_idx").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
