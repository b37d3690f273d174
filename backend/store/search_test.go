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
	titles := []string{"chat2", "chat1", "chat0"}
	only := func(take func(n int) bool) map[string][]string {
		byChat := map[string][]string{}
		for i, id := range all {
			if n := 59 - i; take(n) {
				chatID := fmt.Sprint("chat", n%3)
				byChat[chatID] = append(byChat[chatID], id)
			}
		}
		return byChat
	}
	every := func(int) bool { return true }
	titled := func(of map[string][]string) map[string][]string {
		for _, id := range titles {
			of[id] = append([]string{""}, of[id]...)
		}
		return of
	}
	for _, limit := range []int{1, 2, 3, 7, 63, 100} {
		q := store.Query{Text: "zebra", Limit: limit}
		if diff := cmp.Diff(titled(only(every)), allFound(t, s, q)); diff != "" {
			t.Errorf("by %d (-want +got):\n%s", limit, diff)
		}
		if counted := search(t, s, store.Query{Text: "zebra", Count: true}); counted.Total != 63 || counted.Chats != 3 || counted.Capped || len(counted.Hits) != 0 {
			t.Errorf("counted is %+v", counted)
		}
	}
	if got := order(search(t, s, store.Query{Text: "zebra"})); got != "chat2 chat1 chat0" {
		t.Errorf("the newest titles come first, not %s", got)
	}
	for what, test := range map[string]struct {
		query store.Query
		want  map[string][]string
	}{
		"a chat":     {store.Query{ChatID: "chat1"}, map[string][]string{"chat1": titled(only(every))["chat1"]}},
		"a folder":   {store.Query{Folder: "/home/0"}, map[string][]string{"chat0": titled(only(every))["chat0"], "chat2": titled(only(every))["chat2"]}},
		"no folder":  {store.Query{Folder: "/home"}, map[string][]string{}},
		"other chat": {store.Query{ChatID: "chat1", Folder: "/home/0"}, map[string][]string{}},
		"a time":     {store.Query{From: 200_000_000, To: 400_000_000}, only(func(n int) bool { return n >= 20 && n <= 40 })},
		"since":      {store.Query{From: 550_000_000}, only(func(n int) bool { return n >= 55 })},
		"until":      {store.Query{To: 30_000_000}, titled(only(func(n int) bool { return n <= 3 }))},
		"answers":    {store.Query{Of: backend.OfAnswers}, only(every)},
		"nobody's":   {store.Query{Of: "poems"}, map[string][]string{}},
	} {
		test.query.Text, test.query.Limit = "zebra", 10
		if diff := cmp.Diff(test.want, allFound(t, s, test.query)); diff != "" {
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

// allFound is what all pages of a search have, by chat: the ids of the entries,
// and "" for the title. Of each chat it reads on to the end.
func allFound(t *testing.T, s *store.Store, q store.Query) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	take := func(hits backend.Hits) {
		for _, h := range hits.Hits {
			all[h.ChatID] = append(all[h.ChatID], h.ItemID)
		}
	}
	total, isCapped := 0, false
	for first := true; first || q.Before != ""; first = false {
		hits := search(t, s, q)
		if first {
			total, isCapped = hits.Total, hits.Capped
		}
		if hits.Total != total || hits.Capped != isCapped {
			t.Errorf("there are %d hits, and %d on a later page", total, hits.Total)
		}
		for _, g := range hits.Groups {
			if len(all[g.ChatID]) > 0 && q.ChatID == "" {
				t.Errorf("chat %s comes again", g.ChatID)
			}
		}
		take(hits)
		for _, g := range hits.Groups {
			if len(all[g.ChatID]) < min(g.Total, backend.HitsPerChat) && q.ChatID == "" {
				t.Errorf("of %d hits of %s a page has %d", g.Total, g.ChatID, len(all[g.ChatID]))
			}
			in := q
			in.ChatID, in.Before = g.ChatID, g.More
			for in.Before != "" && q.ChatID == "" {
				more := search(t, s, in)
				take(more)
				in.Before = more.More
			}
			if n := len(all[g.ChatID]); q.ChatID == "" && (n < g.Total || n != g.Total && !g.Capped) {
				t.Errorf("of %d hits of %s, %d are shown; capped: %t", g.Total, g.ChatID, n, g.Capped)
			}
		}
		q.Before = hits.More
	}
	n := 0
	for _, ids := range all {
		n += len(ids)
	}
	if n != total && !isCapped {
		t.Errorf("of %d hits, %d are shown", total, n)
	}
	return all
}

// order is the chats of a page, in their order.
func order(hits backend.Hits) string {
	ids := make([]string, len(hits.Groups))
	for i, g := range hits.Groups {
		ids[i] = g.ChatID
	}
	return strings.Join(ids, " ")
}

func TestABusyChatHidesNoOther(t *testing.T) {
	s := openStore(t, t.TempDir())
	var want []string
	var events []backend.Event
	add := func(chatID string, entries int) {
		events = append(events, backend.Event{Chat: &backend.Chat{ID: chatID, Title: "A chat"}})
		for n := range entries {
			events = append(events, says(chatID, fmt.Sprint(chatID, "-", n, "-", len(events)), backend.ItemMessage, fmt.Sprintf("a zebra zeb%dx", n))...)
		}
	}
	for n := range 30 { // chats of the past, and now and then the busy one
		chatID := fmt.Sprintf("old%02d", n)
		add(chatID, 2)
		add("busy", 5)
		want = append([]string{chatID}, want...)
	}
	add("busy", backend.MaxHits-100)
	apply(t, s, events...)

	for _, text := range []string{"zebra", "zeb"} { // the beginning of more words than are looked up
		q := store.Query{Text: text, Limit: 24}
		hits := search(t, s, q)
		if hits.Total < backend.FewHits || !hits.Capped || hits.Chats != 0 {
			t.Errorf("%s: %d hits in %d chats, capped: %t", text, hits.Total, hits.Chats, hits.Capped)
		}
		got := strings.Fields(order(hits))
		for q.Before = hits.More; q.Before != ""; q.Before = hits.More {
			hits = search(t, s, q)
			for _, g := range hits.Groups {
				if !slices.Contains(got, g.ChatID) {
					got = append(got, g.ChatID)
				} else if text == "zebra" {
					t.Errorf("%s: %s comes again", text, g.ChatID)
				}
			}
		}
		if diff := cmp.Diff(append([]string{"busy"}, want...), got); diff != "" {
			t.Errorf("%s: of the chats (-want +got):\n%s", text, diff)
		}
		if counted := search(t, s, store.Query{Text: text, Count: true}); counted.Total != backend.MaxHits || !counted.Capped {
			t.Errorf("%s: counted is %+v", text, counted)
		}
	}
}

func TestAllOfABusyChatCanBeShown(t *testing.T) {
	s := openStore(t, t.TempDir())
	events := []backend.Event{{Chat: &backend.Chat{ID: "busy", Title: "Zebra"}}, {Chat: &backend.Chat{ID: "old"}}}
	events = append(events, says("old", "one", backend.ItemMessage, "a zebra")...)
	for n := range 2 * backend.FewHits {
		events = append(events, says("busy", fmt.Sprint("busy", n), backend.ItemMessage, "a zebra")...)
	}
	apply(t, s, events...)
	all := allFound(t, s, store.Query{Text: "zebra", Limit: 30})
	if len(all["busy"]) != 2*backend.FewHits+1 || len(all["old"]) != 1 {
		t.Errorf("in the busy chat are %d, in the old one %d", len(all["busy"]), len(all["old"]))
	}
}

func TestWhatComesMeanwhileIsNoPartOfThePagesThatFollow(t *testing.T) {
	s := openStore(t, t.TempDir())
	for n := range 4 {
		chatID := fmt.Sprint("chat", n)
		apply(t, s, backend.Event{Chat: &backend.Chat{ID: chatID}})
		apply(t, s, says(chatID, chatID+"-1", backend.ItemMessage, "a zebra")...)
	}
	hits := search(t, s, store.Query{Text: "zebra", Limit: 6})
	apply(t, s, says("chat0", "chat0-2", backend.ItemMessage, "a zebra")...)
	next := search(t, s, store.Query{Text: "zebra", Limit: 6, Before: hits.More})
	if got := order(hits) + ", " + order(next); got != "chat3 chat2, chat1 chat0" || next.Groups[1].Total != 1 {
		t.Errorf("the pages are %s", got)
	}
}

func TestASearchIsNarrowedToWhoWroteAndToKinds(t *testing.T) {
	s := openStore(t, t.TempDir())
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat", Title: "Zebra"}})
	apply(t, s, says("chat", "asked", backend.ItemUser, "a zebra")...)
	apply(t, s, says("chat", "said", backend.ItemMessage, "a zebra")...)
	inside := says("chat", "inside", backend.ItemMessage, "a zebra")
	inside[0].Item.ParentID = "block"
	tool := func(id string, kind backend.ToolKind) backend.Event {
		return backend.Event{Item: &backend.Item{ID: id, ChatID: "chat", Kind: backend.ItemTool, Tool: &backend.Tool{Kind: kind, Title: "zebra"}}}
	}
	apply(t, s, slices.Concat([]backend.Event{
		{Item: &backend.Item{ID: "block", ChatID: "chat", Kind: backend.ItemBlock, Block: &backend.Block{Prompt: "zebra"}}},
		tool("run", backend.ToolExecute), tool("edit", backend.ToolEdit), tool("fetch", backend.ToolFetch), tool("other", ""),
	}, inside)...)
	for want, q := range map[string]store.Query{
		", inside, other, fetch, edit, run, block, said, asked": {},
		"asked":                         {Who: backend.FromYou},
		"other, fetch, edit, run, said": {Who: backend.FromVoxPilot},
		"inside, block":                 {Who: backend.FromCopilot},
		"asked ":                        {Of: backend.OfMessages},
		"inside, said":                  {Of: backend.OfAnswers},
		"said":                          {Of: backend.OfAnswers, Who: backend.FromVoxPilot},
		"run":                           {Of: backend.OfCommands},
		"edit":                          {Of: backend.OfFiles},
		"other, fetch":                  {Of: backend.OfTools},
		"":                              {Of: backend.OfCommands, Who: backend.FromYou},
	} {
		q.Text = "zebra"
		if got := strings.Join(allFound(t, s, q)["chat"], ", "); got != strings.TrimSpace(want) {
			t.Errorf("%+v finds %s, want %s", q, got, want)
		}
	}
	// They are no words.
	if hits := search(t, s, store.Query{Text: "answers"}); hits.Total != 0 {
		t.Errorf("found was %+v", hits)
	}
	for _, h := range search(t, s, store.Query{Text: "zebra", Of: backend.OfCommands}).Hits {
		if h.Tool != backend.ToolExecute {
			t.Errorf("the command is a %q", h.Tool)
		}
	}
}

func TestHitsAreCountedToALimit(t *testing.T) {
	s := openStore(t, t.TempDir())
	events := []backend.Event{{Chat: &backend.Chat{ID: "chat"}}}
	for n := range backend.MaxHits + 5 {
		events = append(events, says("chat", fmt.Sprint("item", n), backend.ItemMessage, "a zebra")...)
	}
	apply(t, s, events...)
	hits := search(t, s, store.Query{Text: "zebra", Limit: 2})
	if hits.Total != backend.FewHits || !hits.Capped || hits.Chats != 0 || hits.Groups[0].Total != backend.FewHits || !hits.Groups[0].Capped {
		t.Errorf("there are %d hits, capped: %t, of %+v", hits.Total, hits.Capped, hits.Groups)
	}
	if hits = search(t, s, store.Query{Text: "zebra", Count: true}); hits.Total != backend.MaxHits || !hits.Capped || hits.Chats != 0 {
		t.Errorf("counted are %d, capped: %t", hits.Total, hits.Capped)
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

func TestEachMatchOfAnItemIsWhereItIsSaidToBe(t *testing.T) {
	s := openStore(t, t.TempDir())
	const red = "\x1b[31m"
	long := strings.Repeat("x", 64*1024-2) + "zebra" + strings.Repeat("y", 64*1024) + "Zebra" // the pieces that it is kept in cut the first
	colours := strings.Repeat(red+"GRÖSSE "+red, 10_000) + "the " + red + "zebra"
	diff := "--- /zebra.go\n+++ /zebra.go\n@@ -1 +1 @@\n-a zebra\n+zebra zebra\n"
	apply(t, s,
		backend.Event{Chat: &backend.Chat{ID: "chat"}},
		backend.Event{Item: &backend.Item{ID: "tool", ChatID: "chat", Kind: backend.ItemTool, Tool: &backend.Tool{Title: "zebra", Command: "zebra", Path: "/zebra"}}},
		backend.Event{Content: &backend.Content{ID: "long", ItemID: "tool", ChatID: "chat", Type: backend.ContentText, Body: []byte(long)}},
		backend.Event{Content: &backend.Content{ID: "colours", ItemID: "tool", ChatID: "chat", Type: backend.ContentTerminal, Body: []byte(colours)}},
		backend.Event{Content: &backend.Content{ID: "diff", ItemID: "tool", ChatID: "chat", Type: backend.ContentDiff, Body: []byte(diff)}},
	)
	apply(t, s, says("chat", "said", backend.ItemMessage, "a ZEBRA and a zebra")...)
	spot := func(item, text string, nth int) (spot *backend.Spot) {
		t.Helper()
		view(t, s, func(v *store.View) (err error) {
			spot, err = v.Spot(context.Background(), item, text, nth)
			return err
		})
		return spot
	}
	at := func(body, text string, from int) int64 { return int64(from + strings.Index(body[from:], text)) }
	want := []backend.Spot{
		{Nth: 0},
		{Nth: 1},
		{Nth: 2},
		{ContentID: "long", Offset: at(long, "zebra", 0)},
		{ContentID: "long", Offset: at(long, "Zebra", 0), Nth: 1},
		{ContentID: "colours", Offset: at(colours, "zebra", 0)},
		{ContentID: "diff", Offset: at(diff, "zebra", strings.Index(diff, "-a "))},
		{ContentID: "diff", Offset: at(diff, "zebra", strings.Index(diff, "+zebra")), Nth: 1},
		{ContentID: "diff", Offset: at(diff, "zebra", strings.Index(diff, "+zebra")+2), Nth: 2},
	}
	for n, want := range want {
		if got := spot("tool", "ZEBRA", n); got == nil || *got != want {
			t.Errorf("match %d is at %+v and not %+v", n, got, want)
		}
	}
	var places backend.Places
	view(t, s, func(v *store.View) (err error) {
		places, err = v.Find(context.Background(), "chat", "zebra")
		return err
	})
	if got := places.Places[0].Count; got != len(want) {
		t.Errorf("%d are counted, and %d are somewhere", got, len(want))
	}
	if got := spot("tool", "zebra", len(want)); got != nil {
		t.Errorf("one more is at %+v", got)
	}
	if got := spot("tool", "grösse", 9_999); got == nil || got.Offset != int64(strings.LastIndex(colours, "GRÖSSE")) {
		t.Errorf("behind colours it is at %+v and not %d", got, strings.LastIndex(colours, "GRÖSSE"))
	}
	if got := spot("said", "zebra", 1); got == nil || *got != (backend.Spot{Offset: 14, Nth: 1}) {
		t.Errorf("in a text it is at %+v", got)
	}
	for _, none := range []*backend.Spot{spot("tool", "", 0), spot("nobody", "zebra", 0), spot("tool", "lion", 0)} {
		if none != nil {
			t.Errorf("nothing is at %+v", none)
		}
	}
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
