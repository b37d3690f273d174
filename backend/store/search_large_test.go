package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

func TestSearch_BusyChatHidesNoOther(t *testing.T) {
	s := openStore(t, t.TempDir())
	var want []string
	var events []backend.Event
	add := func(chatID string, entries int) {
		events = append(events, backend.Event{Chat: &backend.Chat{ID: chatID, Title: "A chat"}})
		for n := range entries {
			events = append(events, textItem(chatID, fmt.Sprint(chatID, "-", n, "-", len(events)), backend.ItemMessage, fmt.Sprintf("a zebra zeb%dx", n))...)
		}
	}
	for n := range 30 { // earlier chats, with the large one in between
		chatID := fmt.Sprintf("old%02d", n)
		add(chatID, 2)
		add("busy", 5)
		want = append([]string{chatID}, want...)
	}
	add("busy", backend.MaxHits-100)
	apply(t, s, events...)

	for _, text := range []string{"zebra", "zeb"} { // a prefix that more than maxEndings words have
		q := store.Query{Text: text, Limit: 24}
		hits := searchHits(t, s, q)
		if hits.Total < backend.FewHits || !hits.Capped || hits.Chats != 0 {
			t.Errorf("%s: %d hits in %d chats, capped: %t", text, hits.Total, hits.Chats, hits.Capped)
		}
		got := strings.Fields(chatOrder(hits))
		for q.Before = hits.More; q.Before != ""; q.Before = hits.More {
			hits = searchHits(t, s, q)
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
		if counted := searchHits(t, s, store.Query{Text: text, Count: true}); counted.Total != backend.MaxHits || !counted.Capped {
			t.Errorf("%s: counted is %+v", text, counted)
		}
	}
}

func TestSearch_BusyChatFullyListed(t *testing.T) {
	s := openStore(t, t.TempDir())
	events := []backend.Event{{Chat: &backend.Chat{ID: "busy", Title: "Zebra"}}, {Chat: &backend.Chat{ID: "old"}}}
	events = append(events, textItem("old", "one", backend.ItemMessage, "a zebra")...)
	for n := range 2 * backend.FewHits {
		events = append(events, textItem("busy", fmt.Sprint("busy", n), backend.ItemMessage, "a zebra")...)
	}
	apply(t, s, events...)
	all := searchAllPages(t, s, store.Query{Text: "zebra", Limit: 30})
	if len(all["busy"]) != 2*backend.FewHits+1 || len(all["old"]) != 1 {
		t.Errorf("in the busy chat are %d, in the old one %d", len(all["busy"]), len(all["old"]))
	}
}
