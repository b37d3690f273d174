package store_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/i18n"
	"github.com/voxpilot/voxpilot/backend/store"
)

// positions returns the positions of the items among events, in order.
func positions(events []backend.Event) (all []int64) {
	for _, e := range events {
		if e.Item != nil {
			all = append(all, e.Item.Pos)
		}
	}
	return all
}

// span returns all positions from the first to the last, including both.
func span(from, to int64) (all []int64) {
	for n := from; n <= to; n++ {
		all = append(all, n)
	}
	return all
}

// newHundredMessages creates a store with a chat of a hundred messages, whose positions
// start at 1, and another chat.
func newHundredMessages(t *testing.T) *store.Store {
	s := openStore(t, t.TempDir())
	events := []backend.Event{{Chat: &backend.Chat{ID: "chat"}}, {Chat: &backend.Chat{ID: "other"}}}
	for n := range 100 {
		events = append(events, textItem("chat", fmt.Sprint("item", n+1), backend.ItemMessage, "text")...)
		events = append(events, textItem("other", fmt.Sprint("other", n+1), backend.ItemMessage, "text")...)
	}
	apply(t, s, events...)
	return s
}

func TestPage_AroundPositionIsCentered(t *testing.T) {
	s := newHundredMessages(t)
	for _, test := range []struct{ pos, first, last, next int64 }{
		{50, 45, 54, 45},
		{6, 1, 10, 0},
		{7, 2, 11, 2},
		{1, 1, 5, 0},
		{100, 95, 100, 95},
		{96, 91, 100, 91},
		{97, 92, 100, 92},
	} {
		inView(t, s, func(v *store.ReadTx) error {
			events, next, err := v.ItemsAround(context.Background(), "chat", test.pos, 10)
			if got := positions(events); !slices.Equal(got, span(test.first, test.last)) || next != test.next {
				t.Errorf("around %d are %v, next %d", test.pos, got, next)
			}
			return err
		})
	}
	for _, nowhere := range []int64{0, 101, 1 << 62} {
		inView(t, s, func(v *store.ReadTx) error {
			events, next, err := v.ItemsAround(context.Background(), "chat", nowhere, 10)
			if len(events) > 0 || next != 0 {
				t.Errorf("around %d are %v, next %d", nowhere, positions(events), next)
			}
			return err
		})
	}
}

func TestPage_AfterPositionExcludesIt(t *testing.T) {
	s := newHundredMessages(t)
	for _, test := range []struct{ after, first, last int64 }{{0, 1, 10}, {1, 2, 11}, {90, 91, 100}, {95, 96, 100}, {100, 1, 0}, {1 << 62, 1, 0}} {
		inView(t, s, func(v *store.ReadTx) error {
			events, err := v.ItemsAfter(context.Background(), "chat", test.after, 10)
			if got := positions(events); !slices.Equal(got, span(test.first, test.last)) {
				t.Errorf("after %d are %v", test.after, got)
			}
			return err
		})
	}
}

func TestPage_BothDirectionsCoverTranscript(t *testing.T) {
	s := newHundredMessages(t)
	inView(t, s, func(v *store.ReadTx) error {
		events, before, err := v.ItemsAround(context.Background(), "chat", 42, 7)
		all := positions(events)
		for err == nil && before > 0 {
			events, before, err = v.Items(context.Background(), "chat", before, 7)
			all = append(positions(events), all...)
		}
		for more := true; err == nil && more; {
			events, err = v.ItemsAfter(context.Background(), "chat", all[len(all)-1], 7)
			all = append(all, positions(events)...)
			more = len(events) > 0
		}
		if !slices.Equal(all, span(1, 100)) {
			t.Errorf("the pages are %v", all)
		}
		return err
	})
}

func TestPage_AroundBlockItemHasBlock(t *testing.T) {
	s := openStore(t, t.TempDir())
	events := []backend.Event{{Chat: &backend.Chat{ID: "chat"}}}
	for n := range 20 {
		events = append(events, textItem("chat", fmt.Sprint("before", n), backend.ItemMessage, "text")...)
	}
	block := func(id, parent string) backend.Event {
		return backend.Event{Item: &backend.Item{ID: id, ChatID: "chat", ParentID: parent, Kind: backend.ItemBlock, Block: &backend.Block{}}}
	}
	events = append(events, block("outer", ""), block("inner", "outer"))
	for n := range 20 {
		events = append(events, textItem("chat", fmt.Sprint("between", n), backend.ItemMessage, "text")...)
	}
	events = append(events, backend.Event{Item: &backend.Item{ID: "deep", ChatID: "chat", ParentID: "inner", Kind: backend.ItemPlan}})
	for n := range 20 {
		events = append(events, textItem("chat", fmt.Sprint("after", n), backend.ItemMessage, "text")...)
	}
	apply(t, s, events...)
	inView(t, s, func(v *store.ReadTx) error {
		const deep, outer = 43, 21
		events, next, err := v.ItemsAround(context.Background(), "chat", deep, 4)
		if got := positions(events); !slices.Equal(got, []int64{19, 20, outer, 22, 23, deep}) || next != 19 {
			t.Errorf("around %d are %v, next %d", deep, got, next)
		}
		return err
	})
}

func TestRequest_IncludesPreviewOfEachFile(t *testing.T) {
	s := openStore(t, t.TempDir())
	files := []backend.PermissionFile{{Path: "/a/a.go", ContentID: "a"}, {Path: "/a/b.go", ContentID: "b"}, {Path: "/a/c.go"}, {ContentID: "more", More: 800}}
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat"}})
	for _, id := range []string{"a", "b", "more", "command", "other"} {
		apply(t, s, backend.Event{Content: &backend.Content{ID: id, ItemID: "far", ChatID: "chat", Type: backend.ContentDiff, Version: 1, Body: []byte("x")}})
	}
	apply(t, s,
		backend.Event{Permission: &backend.Permission{ID: "several", ChatID: "chat", State: backend.PermissionOpen, ContentID: "a", Files: files, CreatedAt: 1}},
		backend.Event{Permission: &backend.Permission{ID: "one", ChatID: "chat", State: backend.PermissionOpen, ContentID: "command", CreatedAt: 2}})
	for where, events := range map[string][]backend.Event{"all chats": appEvents(t, s), "the chat": firstOf(chatEvents(t, s, "chat", 10))} {
		var contents []string
		for _, e := range events {
			if e.Content != nil {
				contents = append(contents, e.Content.ID)
			}
		}
		if diff := cmp.Diff([]string{"a", "b", "more", "command"}, contents); diff != "" {
			t.Errorf("%s (-want +got):\n%s", where, diff)
		}
		state := newest(events)
		if diff := cmp.Diff(files, state["Permission several"].Permission.Files); diff != "" {
			t.Errorf("%s (-want +got):\n%s", where, diff)
		}
		if one := state["Permission one"].Permission; one.Files != nil {
			t.Errorf("%s: a request about one has %+v", where, one.Files)
		}
	}
}

func TestRead_MissingRowMessages(t *testing.T) {
	s := openStore(t, t.TempDir())
	_, noMessage := s.Item(t.Context(), "none")
	_, _, noContent := s.Content(t.Context(), "none", 0, 0)
	noChat := s.Read(t.Context(), func(tx *store.ReadTx) error {
		_, err := tx.Chat(t.Context(), "none")
		return err
	})
	for want, err := range map[string]error{
		"Diesen Chat gibt es nicht mehr.": noChat, "Diese Nachricht gibt es nicht mehr.": noMessage, "Diesen Inhalt gibt es nicht mehr.": noContent,
	} {
		if got := i18n.In("de").Text(backend.MessageOf(err)); got != want || backend.CodeOf(err) != backend.CodeNotFound {
			t.Errorf("got %q with code %q, want %q", got, backend.CodeOf(err), want)
		}
	}
}
