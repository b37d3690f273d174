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

func searchHits(t testing.TB, s *store.Store, q store.Query) (hits backend.Hits) {
	t.Helper()
	if q.Limit == 0 {
		q.Limit = 50
	}
	inView(t, s, func(v *store.ReadTx) (err error) {
		hits, err = v.Search(context.Background(), q)
		return err
	})
	return hits
}

// searchResult returns the hits of a search as kinds and IDs.
func searchResult(t testing.TB, s *store.Store, query string) string {
	t.Helper()
	var list []string
	for _, h := range searchHits(t, s, store.Query{Text: query}).Hits {
		list = append(list, string(h.Kind)+" "+h.ItemID)
	}
	return strings.Join(list, ", ")
}

// textItem returns the events of a complete item with its text.
func textItem(chatID, id string, kind backend.ItemKind, text string) []backend.Event {
	return []backend.Event{
		{Item: &backend.Item{ID: id, ChatID: chatID, Kind: kind, CreatedAt: 1000}},
		{Text: &backend.Text{ItemID: id, ChatID: chatID, Text: text}},
	}
}

// searchAllPages returns, for each chat, the hits on all pages of a search: the IDs of the items, and "" for the title.
// It also reads all further hits in each chat.
func searchAllPages(t *testing.T, s *store.Store, q store.Query) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	take := func(hits backend.Hits) {
		for _, h := range hits.Hits {
			all[h.ChatID] = append(all[h.ChatID], h.ItemID)
		}
	}
	total, isCapped := 0, false
	for first := true; first || q.Before != ""; first = false {
		hits := searchHits(t, s, q)
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
				more := searchHits(t, s, in)
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

// chatOrder returns the IDs of the chats on a page, in order.
func chatOrder(hits backend.Hits) string {
	ids := make([]string, len(hits.Groups))
	for i, g := range hits.Groups {
		ids[i] = g.ChatID
	}
	return strings.Join(ids, " ")
}

func TestSearch_FiltersAndPages(t *testing.T) {
	s := openStore(t, t.TempDir())
	var all []string // entries, newest first
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
		if diff := cmp.Diff(titled(only(every)), searchAllPages(t, s, q)); diff != "" {
			t.Errorf("by %d (-want +got):\n%s", limit, diff)
		}
		if counted := searchHits(t, s, store.Query{Text: "zebra", Count: true}); counted.Total != 63 || counted.Chats != 3 || counted.Capped || len(counted.Hits) != 0 {
			t.Errorf("counted is %+v", counted)
		}
	}
	if got := chatOrder(searchHits(t, s, store.Query{Text: "zebra"})); got != "chat2 chat1 chat0" {
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
		"answers":    {store.Query{Of: backend.HitAnswers}, only(every)},
		"nobody's":   {store.Query{Of: "poems"}, map[string][]string{}},
	} {
		test.query.Text, test.query.Limit = "zebra", 10
		if diff := cmp.Diff(test.want, searchAllPages(t, s, test.query)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	var err error
	inView(t, s, func(v *store.ReadTx) error {
		_, err = v.Search(context.Background(), store.Query{Text: "zebra", Before: "x"})
		return nil
	})
	if backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("a page that is none: %v", err)
	}
}

func TestSearch_FiltersByAuthorAndKind(t *testing.T) {
	s := openStore(t, t.TempDir())
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat", Title: "Zebra"}})
	apply(t, s, textItem("chat", "asked", backend.ItemUser, "a zebra")...)
	apply(t, s, textItem("chat", "said", backend.ItemMessage, "a zebra")...)
	inside := textItem("chat", "inside", backend.ItemMessage, "a zebra")
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
		"asked":                         {Author: backend.HitByUser},
		"other, fetch, edit, run, said": {Author: backend.HitByOrchestrator},
		"inside, block":                 {Author: backend.HitByCopilot},
		"asked ":                        {Of: backend.HitMessages},
		"inside, said":                  {Of: backend.HitAnswers},
		"said":                          {Of: backend.HitAnswers, Author: backend.HitByOrchestrator},
		"run":                           {Of: backend.HitCommands},
		"edit":                          {Of: backend.HitFiles},
		"other, fetch":                  {Of: backend.HitTools},
		"":                              {Of: backend.HitCommands, Author: backend.HitByUser},
	} {
		q.Text = "zebra"
		if got := strings.Join(searchAllPages(t, s, q)["chat"], ", "); got != strings.TrimSpace(want) {
			t.Errorf("%+v finds %s, want %s", q, got, want)
		}
	}
	// Marks don't match words.
	if hits := searchHits(t, s, store.Query{Text: "answers"}); hits.Total != 0 {
		t.Errorf("found was %+v", hits)
	}
	for _, h := range searchHits(t, s, store.Query{Text: "zebra", Of: backend.HitCommands}).Hits {
		if h.Tool != backend.ToolExecute {
			t.Errorf("the command is a %q", h.Tool)
		}
	}
}

func TestSearch_PrefixMatchesAllWords(t *testing.T) {
	s := openStore(t, t.TempDir())
	// The chat's ID is in the index, too, but doesn't match a word.
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "ele", Title: "A chat", Folder: "/home/me"}})
	apply(t, s, textItem("ele", "elephant", backend.ItemMessage, "An elephant goes by")...)
	apply(t, s, textItem("ele", "elevator", backend.ItemMessage, "The elevator goes up")...)
	apply(t, s, textItem("ele", "ele", backend.ItemMessage, "What is ele")...)
	apply(t, s, textItem("ele", "other", backend.ItemMessage, "All else goes by")...)
	for query, want := range map[string]string{
		"ele":        "message ele, message elevator, message elephant",
		"elep":       "message elephant",
		"goes ele":   "message elevator, message elephant",
		`"an ele`:    "message elephant",
		`"goes e`:    "", // a single letter is a word
		"elevators":  "",
		"els":        "message other",
		"ele ":       "message ele",
		"elephant ":  "message elephant",
		"unknown el": "",
	} {
		if got := searchResult(t, s, query); got != want {
			t.Errorf("%q finds %q and not %q", query, got, want)
		}
	}
	// More words may start with the prefix than are queried separately.
	for n := range 100 {
		id := fmt.Sprintf("many%03d", n)
		apply(t, s, textItem("ele", id, backend.ItemMessage, fmt.Sprintf("word elem%c%c", 'a'+n/10, 'a'+n%10))...)
	}
	if total := searchHits(t, s, store.Query{Text: "word elem"}).Total; total != 100 {
		t.Errorf("%d of 100 are found", total)
	}
}

// FuzzSearch_AcceptsAnyQuery checks that a search for arbitrary bytes causes no error.
func FuzzSearch_AcceptsAnyQuery(f *testing.F) {
	for _, seed := range []string{"", "a b", `"`, "*", "修\xff\"复", "e\u0301", strings.Repeat("x\u0300", 500)} {
		f.Add(seed)
	}
	s := openStore(f, f.TempDir())
	f.Fuzz(func(t *testing.T, query string) {
		_ = s.Read(t.Context(), func(v *store.ReadTx) error {
			if _, err := v.Search(t.Context(), store.Query{Text: query, Limit: 1}); err != nil {
				t.Errorf("%q is refused: %v", query, err)
			}
			return nil
		})
	})
}
