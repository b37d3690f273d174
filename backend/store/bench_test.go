package store_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

func BenchmarkApplyTexts(b *testing.B) {
	for _, items := range []int{1, 4} {
		b.Run(fmt.Sprintf("items=%d", items), func(b *testing.B) {
			s := openStore(b, b.TempDir())
			ctx := context.Background()
			events := []backend.Event{{Chat: &backend.Chat{ID: "c"}}}
			for i := range items {
				events = append(events, backend.Event{Item: &backend.Item{ID: fmt.Sprint("i", i), ChatID: "c", Kind: backend.ItemMessage, Open: true}})
			}
			if err := s.Apply(ctx, events, false); err != nil {
				b.Fatal(err)
			}
			offset := int64(0)
			b.ResetTimer()
			for b.Loop() {
				events = events[:0]
				for i := range 200 {
					id := fmt.Sprint("i", i%items)
					events = append(events, backend.Event{Text: &backend.Text{ItemID: id, ChatID: "c", Offset: offset + int64(i/items)*50, Text: "01234567890123456789012345678901234567890123456789"}})
				}
				offset += int64(200/items) * 50
				if err := s.Apply(ctx, events, false); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkApplyItems(b *testing.B) {
	s := openStore(b, b.TempDir())
	ctx := context.Background()
	if err := s.Apply(ctx, []backend.Event{{Chat: &backend.Chat{ID: "c"}}}, false); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		var events []backend.Event
		for range 200 {
			events = append(events, backend.Event{Item: &backend.Item{ID: backend.NewID(), ChatID: "c", Kind: backend.ItemTool, Tool: &backend.Tool{CallID: "x", Title: "Read a file"}}})
		}
		if err := s.Apply(ctx, events, false); err != nil {
			b.Fatal(err)
		}
	}
}
