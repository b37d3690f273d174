package store_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

// TestSearch_SessionTextsStayApart checks that the texts of sessions don't change the search across chats, although
// both are in the same index, and that they don't hinder the removal of a chat.
func TestSearch_SessionTextsStayApart(t *testing.T) {
	s := openStore(t, t.TempDir())
	ctx := context.Background()
	for i := range 20 {
		chat := fmt.Sprintf("chat%d", i)
		apply(t, s, backend.Event{Chat: &backend.Chat{ID: chat, Title: "A word in a title", Folder: "/f", UpdatedAt: backend.Millis(i + 1)}})
		for n := range 5 {
			apply(t, s, textItem(chat, fmt.Sprintf("%s-%d", chat, n), backend.ItemUser, "a word")...)
		}
	}
	queries := []store.Query{{Text: "word"}, {Text: "wor"}, {Text: "word", Folder: "/f"}, {Text: "word", ChatID: "chat3"}, {Text: "word", Author: backend.HitByUser, Limit: 9}, {Text: "word", Count: true}, {Text: "word", From: 500}}
	results := func() (all []backend.Hits) {
		for _, q := range queries {
			all = append(all, searchHits(t, s, q))
		}
		return all
	}
	before := results()
	for i := range 30 {
		var texts []backend.SessionText
		for n := range 10 {
			texts = append(texts, backend.SessionText{Kind: backend.HitUser, At: backend.Millis(1000 * n), Text: "a word"})
		}
		if _, err := s.AddSessionTexts(store.SessionLog{SessionID: fmt.Sprint("s", i), Title: "t"}, texts); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(before, results()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	apply(t, s, backend.Event{ChatDeleted: &backend.Deleted{ID: "chat3"}})
	if err := s.CatchUp(ctx); err != nil {
		t.Fatal(err)
	}
	inView(t, s, func(v *store.ReadTx) error {
		hits, err := v.SearchSessions(ctx, store.SessionQuery{Query: store.Query{Text: "word", Limit: 10}})
		if hits.Total != 300 || hits.Chats != 30 {
			t.Errorf("%d hits in %d sessions", hits.Total, hits.Chats)
		}
		return err
	})
}
