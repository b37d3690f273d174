package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

func TestSearch_PagesHaveEveryHitOnce(t *testing.T) {
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, seed)) //nolint:gosec // the same chats in each run
		s := openStore(t, t.TempDir())
		want := map[string][]string{}
		var events []backend.Event
		var ids []string
		for n := range 40 {
			id := fmt.Sprintf("chat%02d", n)
			ids = append(ids, id)
			title := "A chat"
			if random.IntN(5) == 0 {
				title = "All about zebras, and a zebra"
				want[id] = append(want[id], "")
			}
			events = append(events, backend.Event{Chat: &backend.Chat{ID: id, Title: title, Folder: fmt.Sprint("/f", n%2), UpdatedAt: backend.Millis(n)}})
		}
		for n := 0; n < 900; { // a few chats at a time, as in normal use
			at := random.IntN(len(ids))
			for range 1 + random.IntN(60) {
				chat := ids[min(len(ids)-1, at+random.IntN(2))]
				text := "a horse"
				if random.IntN(3) > 0 {
					text = "a zebra"
					want[chat] = append(want[chat], fmt.Sprint("item", n))
				}
				events = append(events, textItem(chat, fmt.Sprint("item", n), backend.ItemMessage, text)...)
				n++
			}
		}
		apply(t, s, events...)
		for _, q := range []struct{ text, folder string }{{"zebra", ""}, {"zebra", "/f1"}, {`"a zebra"`, ""}, {"zebr", ""}} {
			expected := map[string][]string{}
			for i, id := range ids {
				if items := slices.Clone(want[id]); len(items) > 0 && (q.folder == "" || fmt.Sprint("/f", i%2) == q.folder) {
					slices.Sort(items)
					expected[id] = items
				}
			}
			got := searchAllPages(t, s, store.Query{Text: q.text, Folder: q.folder, Limit: 30})
			for _, items := range got {
				slices.Sort(items)
			}
			if diff := cmp.Diff(expected, got); diff != "" {
				t.Errorf("seed %d, %+v (-want +got):\n%s", seed, q, diff)
			}
		}
	}
}
