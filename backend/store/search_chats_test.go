package store_test

import (
	"fmt"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

func TestSearch_NewRowsStayOutOfLaterPages(t *testing.T) {
	s := openStore(t, t.TempDir())
	for n := range 4 {
		chatID := fmt.Sprint("chat", n)
		apply(t, s, backend.Event{Chat: &backend.Chat{ID: chatID}})
		apply(t, s, textItem(chatID, chatID+"-1", backend.ItemMessage, "a zebra")...)
	}
	hits := searchHits(t, s, store.Query{Text: "zebra", Limit: 6})
	apply(t, s, textItem("chat0", "chat0-2", backend.ItemMessage, "a zebra")...)
	next := searchHits(t, s, store.Query{Text: "zebra", Limit: 6, Before: hits.More})
	if got := chatOrder(hits) + ", " + chatOrder(next); got != "chat3 chat2, chat1 chat0" || next.Groups[1].Total != 1 {
		t.Errorf("the pages are %s", got)
	}
}

func TestSearch_HitCountIsCapped(t *testing.T) {
	s := openStore(t, t.TempDir())
	events := []backend.Event{{Chat: &backend.Chat{ID: "chat"}}}
	for n := range backend.MaxHits + 5 {
		events = append(events, textItem("chat", fmt.Sprint("item", n), backend.ItemMessage, "a zebra")...)
	}
	apply(t, s, events...)
	hits := searchHits(t, s, store.Query{Text: "zebra", Limit: 2})
	if hits.Total != backend.FewHits || !hits.Capped || hits.Chats != 0 || hits.Groups[0].Total != backend.FewHits || !hits.Groups[0].Capped {
		t.Errorf("there are %d hits, capped: %t, of %+v", hits.Total, hits.Capped, hits.Groups)
	}
	if hits = searchHits(t, s, store.Query{Text: "zebra", Count: true}); hits.Total != backend.MaxHits || !hits.Capped || hits.Chats != 0 {
		t.Errorf("counted are %d, capped: %t", hits.Total, hits.Capped)
	}
}
