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

const day = backend.Millis(24 * 60 * 60 * 1000)

// dated is a matching item for tests of time spans.
type dated struct {
	id string
	at backend.Millis
}

// history writes chats of random times, some of them imported, deletes some, and sets the clock back now and then. It
// returns the matching items of each chat that is left, newest rows first.
func history(t *testing.T, s *store.Store, random *rand.Rand) map[string][]dated {
	t.Helper()
	want := map[string][]dated{}
	clock := 400 * day
	for n := range 24 {
		chat := fmt.Sprintf("chat%02d", n)
		at, step, write := clock, backend.Millis(random.IntN(60_000)), apply
		switch random.IntN(4) {
		case 0: // imported
			at, write = backend.Millis(random.Int64N(int64(clock))), importRows
			step = backend.Millis(random.Int64N(int64(day)))
		case 1:
			clock -= backend.Millis(random.Int64N(int64(3 * day))) // the user corrects the clock
			at = clock
		}
		apply(t, s, backend.Event{Chat: &backend.Chat{ID: chat, Title: "A chat", UpdatedAt: clock}})
		var events []backend.Event
		for i := range 1 + random.IntN(900) {
			item := dated{fmt.Sprintf("%s-%d", chat, i), at}
			text := "a horse"
			if random.IntN(3) == 0 {
				text = "a zebra"
				want[chat] = append([]dated{item}, want[chat]...)
			}
			events = append(events, textItem(chat, item.id, backend.ItemMessage, text)...)
			events[len(events)-2].Item.CreatedAt = at
			at += step
		}
		write(t, s, events...)
		clock = max(clock, min(at, clock+day)) + backend.Millis(random.Int64N(int64(20*day)))
		if random.IntN(5) == 0 { // the rows of the next chat get the same IDs
			apply(t, s, backend.Event{ChatDeleted: &backend.Deleted{ID: chat}})
			delete(want, chat)
		}
	}
	if err := s.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	return want
}

// TestSearch_TimeSpanOfRowsInAnyOrder compares searches in time spans with a plain filter.
func TestSearch_TimeSpanOfRowsInAnyOrder(t *testing.T) {
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, 22)) //nolint:gosec // the same chats in each run
		s := openStore(t, t.TempDir())
		all := history(t, s, random)
		for range 12 {
			q := store.Query{Text: []string{"zebra", "zebr", "a zebra"}[random.IntN(3)], Limit: 12}
			if random.IntN(4) > 0 {
				q.From = backend.Millis(random.Int64N(int64(700 * day)))
			}
			if random.IntN(4) > 0 {
				q.To = q.From + backend.Millis(random.Int64N(int64(200*day)))
			}
			want, total := map[string][]string{}, 0
			for chat, items := range all {
				for _, item := range items {
					if item.at >= q.From && (q.To == 0 || item.at <= q.To) {
						want[chat] = append(want[chat], item.id)
						total++
					}
				}
			}
			if diff := cmp.Diff(want, searchAllPages(t, s, q)); diff != "" {
				t.Fatalf("seed %d, %+v (-want +got):\n%s", seed, q, diff)
			}
			q.Count = true
			counted := searchHits(t, s, q)
			if counted.Total != min(total, backend.MaxHits) || counted.Capped != (total > backend.MaxHits) || !counted.Capped && counted.Chats != len(want) {
				t.Errorf("seed %d, %+v: counted %d in %d chats, want %d in %d", seed, q, counted.Total, counted.Chats, total, len(want))
			}
		}
	}
}

// TestSearch_TimeOfChangedItem checks that an item is found by its new time.
func TestSearch_TimeOfChangedItem(t *testing.T) {
	s := openStore(t, t.TempDir())
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat"}})
	apply(t, s, textItem("chat", "m", backend.ItemMessage, "a zebra")...)
	for _, at := range []backend.Millis{50 * day, 9 * day, 99 * day} {
		apply(t, s, backend.Event{Item: &backend.Item{ID: "m", ChatID: "chat", Kind: backend.ItemMessage, CreatedAt: at}})
		if hits := searchHits(t, s, store.Query{Text: "zebra", From: at - day, To: at + day}); hits.Total != 1 {
			t.Errorf("at day %d: %d hits", at/day, hits.Total)
		}
	}
}

// TestMigrate_ItemTimes checks that a database of an earlier version can be searched by time.
func TestMigrate_ItemTimes(t *testing.T) {
	s := openAny(t, newVersionDir(t, 17))
	if err := s.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, h := range searchHits(t, s, store.Query{Text: "größe", From: 1}).Hits {
		found = append(found, h.ItemID)
	}
	if !slices.Contains(found, "item2") {
		t.Errorf("found %q", found)
	}
}
