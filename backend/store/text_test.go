package store_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

// newStoreWithItem returns a store with an open item without text, and the store's directory.
func newStoreWithItem(t testing.TB) (*store.Store, string) {
	t.Helper()
	dir := t.TempDir()
	s := openStore(t, dir)
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat"}}, message(true))
	return s, dir
}

func message(open bool) backend.Event {
	return backend.Event{Item: &backend.Item{ID: "item", ChatID: "chat", Kind: backend.ItemMessage, Open: open}}
}

func piece(offset int64, text string) backend.Event {
	return backend.Event{Text: &backend.Text{ItemID: "item", ChatID: "chat", Offset: offset, Text: text}}
}

func wholeText(t testing.TB, s *store.Store) string {
	t.Helper()
	text, total, err := s.Text(context.Background(), "item", 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if int64(len(text)) != total {
		t.Errorf("the text has %d bytes and is said to have %d", len(text), total)
	}
	return string(text)
}

func TestText_StoredOnceForAnySplit(t *testing.T) {
	for name, batches := range map[string][][]backend.Event{
		"in one batch":                 {{piece(0, "one "), piece(4, "two "), piece(8, "three")}},
		"in three":                     {{piece(0, "one ")}, {piece(4, "two ")}, {piece(8, "three")}},
		"twice":                        {{piece(0, "one two "), piece(0, "one two ")}, {piece(0, "one two "), piece(8, "three")}},
		"overlapping":                  {{piece(0, "one tw")}, {piece(4, "two three")}},
		"overlapping in one batch":     {{piece(0, "one tw"), piece(4, "two three"), piece(2, "e tw")}},
		"with a part that never came":  {{piece(0, "one ")}, {piece(100, "two "), piece(104, "three")}},
		"around the item's own events": {{piece(0, "one "), message(true), piece(4, "two ")}, {message(false), piece(8, "three"), message(false)}},
		"with nothing in it":           {{piece(0, ""), piece(0, "one two three"), piece(13, "")}},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := newStoreWithItem(t)
			shown := ""
			for _, events := range batches {
				apply(t, s, events...)
				for _, e := range events {
					if e.Text == nil {
						continue
					}
					if e.Text.Offset != int64(len(shown)) {
						t.Errorf("after %d bytes comes a piece at %d", len(shown), e.Text.Offset)
					}
					shown += e.Text.Text
					if e.Text.Size != int64(len(shown)) {
						t.Errorf("the size is %d after %q", e.Text.Size, shown)
					}
				}
			}
			if want := "one two three"; shown != want || wholeText(t, s) != want {
				t.Errorf("%q was passed on and %q kept, want %q", shown, wholeText(t, s), want)
			}
		})
	}
}

func TestText_ClosedItemIsCompacted(t *testing.T) {
	s, dir := newStoreWithItem(t)
	text := strings.Repeat("0123456789", 20_000)
	for at := 0; at < len(text); at += 4000 {
		apply(t, s, piece(int64(at), text[at:at+4000]))
	}
	rows := func() string {
		return column(t, sqlite(t, dir), "SELECT count(*) || ' rows, at most ' || max(length(body)) FROM texts")[0]
	}
	if got, want := rows(), "50 rows, at most 4000"; got != want {
		t.Errorf("while it is open there are %s, want %s", got, want)
	}
	apply(t, s, message(false))
	if got, want := rows(), "4 rows, at most 65536"; got != want {
		t.Errorf("once it is closed there are %s, want %s", got, want)
	}
	if wholeText(t, s) != text {
		t.Error("its text is another one")
	}
	apply(t, s, piece(int64(len(text)), "late"))
	if wholeText(t, s) != text+"late" {
		t.Error("what came late was lost")
	}
}

func TestRange_EndsBetweenCharacters(t *testing.T) {
	s, _ := newStoreWithItem(t)
	var made strings.Builder
	for made.Len() < 300_000 {
		made.WriteString([]string{"a", "é", "語", "🙂", "long piece of plain text "}[rand.IntN(5)])
	}
	text := made.String()
	apply(t, s, piece(0, text[:len("a")]))
	apply(t, s, piece(0, text))
	for _, limit := range []int64{1, 2, 3, 4, 5, 1000, 64 << 10, 100_000, 1 << 40, 0} {
		got, reads := "", 0
		for len(got) < len(text) {
			if reads == 100 {
				got = text // small limits have been tested sufficiently
				break
			}
			part, total, err := s.Text(context.Background(), "item", int64(len(got)), limit)
			if err != nil || total != int64(len(text)) {
				t.Fatalf("Text: size %d, %v", total, err)
			}
			if !utf8.Valid(part) || len(part) == 0 {
				t.Fatalf("with limit %d, %q comes at %d", limit, part, len(got))
			}
			if limit >= utf8.UTFMax && int64(len(part)) > limit {
				t.Fatalf("with limit %d, %d bytes come", limit, len(part))
			}
			if !strings.HasPrefix(text[len(got):], string(part)) {
				t.Fatalf("with limit %d, another text comes at %d", limit, len(got))
			}
			got += string(part)
			reads++
		}
		if got != text {
			t.Errorf("with limit %d the parts make another text", limit)
		}
	}
	if part, _, err := s.Text(context.Background(), "item", int64(len(text)), 10); len(part) != 0 || err != nil {
		t.Errorf("after the end comes %q, %v", part, err)
	}
	if _, _, err := s.Text(context.Background(), "nobody", 0, 10); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("the text of no item: %v", err)
	}
}

func TestBody_ReplacedAndReadByRange(t *testing.T) {
	ctx := context.Background()
	s, dir := newStoreWithItem(t)
	content := func(kind backend.ContentType, version int64, body []byte) backend.Event {
		return backend.Event{Content: &backend.Content{ID: "content", ItemID: "item", ChatID: "chat", Type: kind, Version: version, Body: body}}
	}
	image := make([]byte, 200_001)
	for i := range image {
		image[i] = byte(rand.IntN(256))
	}
	first := content(backend.ContentImage, 1, image)
	apply(t, s, first)
	if first.Content.Size != int64(len(image)) {
		t.Errorf("its size is %d", first.Content.Size)
	}
	for _, r := range [][2]int64{{0, 0}, {0, 1}, {65_535, 2}, {65_536, 65_536}, {200_000, 10}, {300_000, 10}} {
		body, facts, err := s.Content(ctx, "content", r[0], r[1])
		if err != nil || facts.Size != int64(len(image)) || facts.Version != 1 {
			t.Fatalf("Content: %+v, %v", facts, err)
		}
		end := min(r[0]+r[1], int64(len(image)))
		if r[1] == 0 {
			end = int64(len(image))
		}
		if !bytes.Equal(body, image[min(r[0], end):end]) {
			t.Errorf("at %d, %d bytes, comes something else", r[0], r[1])
		}
	}
	apply(t, s, content(backend.ContentTerminal, 2, []byte("büro")))
	body, facts, err := s.Content(ctx, "content", 0, 2)
	if string(body) != "b" || facts.Version != 2 || facts.Size != 5 || err != nil {
		t.Errorf("of the new body comes %q, %+v, %v", body, facts, err)
	}
	apply(t, s, content(backend.ContentTerminal, 3, []byte{}))
	if left := dump(t, dir)["content_bodies"]; len(left) != 0 {
		t.Errorf("an empty body left %d rows", len(left))
	}
	if _, _, err := s.Content(ctx, "nothing", 0, 10); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("a content that is not: %v", err)
	}
}

func TestPositions_UniqueAndIncreasing(t *testing.T) {
	s := openStore(t, t.TempDir())
	item := func(chat, id string) backend.Event {
		return backend.Event{Item: &backend.Item{ID: id, ChatID: chat, Kind: backend.ItemTool}}
	}
	positions := func(events ...backend.Event) (got []int64) {
		apply(t, s, events...)
		for _, e := range events {
			got = append(got, e.Item.Pos)
		}
		return got
	}
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "a"}}, backend.Event{Chat: &backend.Chat{ID: "b"}})
	got := positions(item("a", "1"), item("a", "2"), item("b", "3"), item("a", "1"), item("a", "4"))
	if diff := cmp.Diff([]int64{1, 2, 1, 1, 3}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got = positions(item("a", "4"), item("a", "5"), item("b", "6"))
	if diff := cmp.Diff([]int64{3, 4, 2}, got); diff != "" {
		t.Errorf("in a later transaction (-want +got):\n%s", diff)
	}
}

func TestPage_HasAllPartsOfItems(t *testing.T) {
	s := openStore(t, t.TempDir())
	events := []backend.Event{{Chat: &backend.Chat{ID: "chat"}}, {Chat: &backend.Chat{ID: "other"}}}
	add := func(chat, id, parent string, kind backend.ItemKind) {
		item := &backend.Item{ID: id, ChatID: chat, TurnID: "turn of " + id, ParentID: parent, Kind: kind}
		events = append(events,
			backend.Event{Turn: &backend.Turn{ID: item.TurnID, ChatID: chat, State: backend.TurnDone}},
			backend.Event{Item: item},
			backend.Event{Text: &backend.Text{ItemID: id, ChatID: chat, Text: "text of " + id}},
			backend.Event{Content: &backend.Content{ID: "content of " + id, ItemID: id, ChatID: chat}},
			backend.Event{Permission: &backend.Permission{ID: "permission of " + id, ItemID: id, ChatID: chat, State: backend.PermissionDecided}},
		)
	}
	for i := range 7 {
		add("chat", fmt.Sprint(i), "", backend.ItemMessage)
	}
	add("other", "elsewhere", "", backend.ItemMessage)
	add("chat", "block", "", backend.ItemBlock)
	add("chat", "inside", "block", backend.ItemBlock)
	add("chat", "deep inside", "inside", backend.ItemTool)
	add("chat", "last", "", backend.ItemMessage)
	apply(t, s, events...)

	// names returns the IDs of a page's items, and fails the test unless each item has its own data.
	names := func(events []backend.Event) (ids []string) {
		have := newest(events)
		for _, e := range events {
			if e.Item == nil {
				continue
			}
			ids = append(ids, e.Item.ID)
			for _, key := range []string{"Turn turn of ", "Text ", "Content content of ", "Permission permission of "} {
				if _, ok := have[key+e.Item.ID]; !ok {
					t.Errorf("%s has no %s", e.Item.ID, key)
				}
			}
		}
		if len(have) != 5*len(ids) {
			t.Errorf("the page has %d facts about %d items", len(have), len(ids))
		}
		return ids
	}
	page, before := chatEvents(t, s, "chat", 4)
	if diff := cmp.Diff([]string{"5", "6", "block", "inside", "deep inside", "last"}, names(page)); diff != "" {
		t.Errorf("the newest page (-want +got):\n%s", diff)
	}
	for _, want := range [][]string{{"1", "2", "3", "4"}, {"0"}} {
		inView(t, s, func(v *store.ReadTx) (err error) {
			page, before, err = v.Items(context.Background(), "chat", before, 4)
			return err
		})
		if diff := cmp.Diff(want, names(page)); diff != "" {
			t.Errorf("a page before it (-want +got):\n%s", diff)
		}
	}
	if before != 0 {
		t.Errorf("before the first page there is one at %d", before)
	}
	inView(t, s, func(v *store.ReadTx) error {
		page, next, err := v.ItemsOf(context.Background(), "chat", "block", 0, 4)
		if diff := cmp.Diff([]string{"inside", "deep inside"}, names(page)); diff != "" || next != 0 {
			t.Errorf("inside the block (-want +got), next %d:\n%s", next, diff)
		}
		return err
	})
	inView(t, s, func(v *store.ReadTx) error {
		if _, _, err := v.ChatEvents(context.Background(), "nobody's", 4); backend.CodeOf(err) != backend.CodeNotFound {
			t.Errorf("a chat that is not: %v", err)
		}
		return nil
	})
}

func TestPage_LargeBlockHasNewestItems(t *testing.T) {
	s := openStore(t, t.TempDir())
	events := []backend.Event{
		{Chat: &backend.Chat{ID: "chat"}},
		{Item: &backend.Item{ID: "block", ChatID: "chat", Kind: backend.ItemBlock}},
	}
	for i := range store.MaxChildren + 3 {
		events = append(events, backend.Event{Item: &backend.Item{ID: fmt.Sprint(i), ChatID: "chat", ParentID: "block", Kind: backend.ItemTool}})
	}
	apply(t, s, events...)
	page, _ := chatEvents(t, s, "chat", 10)
	if len(page) != 1+store.MaxChildren || page[1].Item.ID != "3" {
		t.Fatalf("%d items come, the first inside is %s", len(page), page[1].Item.ID)
	}
	inView(t, s, func(v *store.ReadTx) error {
		rest, next, err := v.ItemsOf(context.Background(), "chat", "block", page[1].Item.Pos, 10)
		if err != nil || len(rest) != 3 || next != 0 || rest[0].Item.ID != "0" {
			t.Errorf("before them come %d, next %d, %v", len(rest), next, err)
		}
		return nil
	})
}

func TestPage_LongTextIsTruncated(t *testing.T) {
	s, _ := newStoreWithItem(t)
	text := "a" + strings.Repeat("é", 600_000)
	apply(t, s, piece(0, text))
	page, _ := chatEvents(t, s, "chat", 10)
	got := page[len(page)-1].Text
	if got.Size != int64(len(text)) || len(got.Text) != 65_535 || !strings.HasPrefix(text, got.Text) {
		t.Errorf("it comes with %d of %d bytes", len(got.Text), got.Size)
	}
}

func TestPage_HasNewestAnswersInFull(t *testing.T) {
	s := openStore(t, t.TempDir())
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat"}})
	sizes := map[string]int{"old": 200_000, "thought": 100_000, "question": 90_000, "middle": 700_000, "new": 300_000}
	for _, item := range []struct {
		id   string
		kind backend.ItemKind
	}{
		{"old", backend.ItemMessage},
		{"middle", backend.ItemMessage},
		{"thought", backend.ItemThought},
		{"question", backend.ItemUser},
		{"new", backend.ItemMessage},
	} {
		text := strings.Repeat("x", sizes[item.id])
		apply(t, s,
			backend.Event{Item: &backend.Item{ID: item.id, ChatID: "chat", Session: "main", Kind: item.kind}},
			backend.Event{Text: &backend.Text{ItemID: item.id, ChatID: "chat", Text: text, Size: int64(len(text))}})
	}
	page, _ := chatEvents(t, s, "chat", 10)
	got := map[string]int{}
	for _, event := range page {
		if event.Text != nil {
			got[event.Text.ItemID] = len(event.Text.Text)
			if want := int64(sizes[event.Text.ItemID]); event.Text.Size != want {
				t.Errorf("got size %d of %s, want %d", event.Text.Size, event.Text.ItemID, want)
			}
		}
	}
	want := map[string]int{"old": 65_536, "thought": 65_536, "question": 65_536, "middle": 700_000, "new": 300_000}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
