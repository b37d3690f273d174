package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

// Properties of the searched databases.
const (
	searchMany    = 1_000_000 // items in the large one
	searchFew     = 1_000     // items in the small one
	searchPerChat = 500       // items
	searchWords   = 15        // words per item
	searchFolders = 20        // folders among which the chats are distributed
	searchPage    = 50        // hits per page, as the window requests
)

// vocabulary generates words for the items, with the lengths and frequencies of a natural language (Zipf's law).
type vocabulary struct {
	words  []string
	random *rand.Rand
	next   *rand.Zipf
}

func newVocabulary() *vocabulary {
	v := &vocabulary{random: rand.New(rand.NewPCG(1, 1))} //nolint:gosec // reproducible words
	v.words = make([]string, 30_000)
	for i := range v.words {
		var word strings.Builder
		for range 3 + v.random.IntN(8) {
			word.WriteByte("etaoinshrdlucmfwypvbgkjqxz"[min(25, int(v.random.ExpFloat64()*6))])
		}
		v.words[i] = word.String()
	}
	v.next = rand.NewZipf(v.random, 1.07, 3, uint64(len(v.words)-1))
	return v
}

// text returns text with the given number of words.
func (v *vocabulary) text(words int) string {
	var b strings.Builder
	for range words {
		b.WriteString(v.words[v.next.Uint64()])
		b.WriteByte(' ')
	}
	return b.String()
}

// queries returns typical searches: one word, two words, a word and a prefix, a phrase, and a word in
// one folder. The words are so frequent that even the small corpus has many hits.
func (v *vocabulary) queries() []store.Query {
	return []store.Query{
		{Text: v.words[20] + " "},
		{Text: v.words[1] + " " + v.words[4] + " "},
		{Text: v.words[4] + " " + v.words[30][:min(5, len(v.words[30]))]},
		{Text: `"` + v.words[0] + " " + v.words[1] + `"`},
		{Text: v.words[8] + " ", Folder: searchFolder(1)},
	}
}

func searchFolder(n int) string { return fmt.Sprintf("/home/somebody/project-%02d", n) }

// fillSearch fills the database with the given number of items.
func fillSearch(ctx context.Context, db *store.Store, items int) error {
	v := newVocabulary()
	clock := backend.Now() - backend.Millis(items)*1000
	for n := 0; n < items; n += searchPerChat {
		chatID := backend.NewID()
		events := []backend.Event{{Chat: &backend.Chat{
			ID: chatID, Title: v.text(4), Folder: searchFolder(n / searchPerChat % searchFolders), CreatedAt: clock, UpdatedAt: clock,
		}}}
		for range min(searchPerChat, items-n) {
			clock += 1000
			item := &backend.Item{ID: backend.NewID(), ChatID: chatID, Session: backend.SessionMain, Kind: backend.ItemMessage, CreatedAt: clock, EndedAt: clock}
			events = append(events, backend.Event{Item: item}, backend.Event{Text: &backend.Text{ItemID: item.ID, ChatID: chatID, Text: v.text(searchWords)}})
		}
		if err := db.Apply(ctx, events, false); err != nil {
			return err
		}
		if done := n + searchPerChat; done%100_000 == 0 {
			say("  %d of %d items written", done, items)
		}
	}
	return db.CatchUp(ctx)
}

// beginSearch measures the mean time of a search until the first page of results is available. It searches a large
// corpus and, as the baseline, a small one.
func beginSearch(ctx context.Context, after *ends) (ours, bare side, err error) {
	dir, err := after.folder()
	if err != nil {
		return nil, nil, err
	}
	search := func(items int) (side, error) {
		db, _, err := store.Open(ctx, filepath.Join(dir, fmt.Sprint(items)))
		if err != nil {
			return nil, err
		}
		after.later(db.Close)
		queries := newVocabulary().queries()
		return func(ctx context.Context) (float64, error) {
			started := time.Now()
			for _, q := range queries {
				q.Limit = searchPage
				err := db.Read(ctx, func(v *store.ReadTx) error {
					hits, err := v.Search(ctx, q)
					if err == nil && len(hits.Hits) < searchPage/5 {
						err = fmt.Errorf("found only %d items for %q", len(hits.Hits), q.Text)
					}
					return err
				})
				if err != nil {
					return 0, err
				}
			}
			return float64(time.Since(started).Microseconds()) / 1000 / float64(len(queries)), nil
		}, fillSearch(ctx, db, items)
	}
	if ours, err = search(searchMany); err == nil {
		bare, err = search(searchFew)
	}
	return ours, bare, err
}
