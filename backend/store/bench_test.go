package store_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

// BenchmarkApplyTexts measures a typical batch from a fast stream: 200 pieces of text
// per tick, for a few items.
func BenchmarkApplyTexts(b *testing.B) {
	for _, items := range []int{1, 4} {
		b.Run(fmt.Sprintf("items=%d", items), func(b *testing.B) {
			s := openStore(b, b.TempDir())
			events := []backend.Event{{Chat: &backend.Chat{ID: "chat"}}}
			for i := range items {
				events = append(events, backend.Event{Item: &backend.Item{ID: fmt.Sprint("item", i), ChatID: "chat", Kind: backend.ItemMessage, Open: true}})
			}
			apply(b, s, events...)
			text := strings.Repeat("0123456789", 5)
			offset := int64(0)
			for b.Loop() {
				events = events[:0]
				for i := range 200 {
					events = append(events, backend.Event{Text: &backend.Text{
						ItemID: fmt.Sprint("item", i%items), ChatID: "chat", Offset: offset + int64(i/items*len(text)), Text: text,
					}})
				}
				offset += int64(200 / items * len(text))
				apply(b, s, events...)
			}
		})
	}
}

func BenchmarkApplyItems(b *testing.B) {
	s := openStore(b, b.TempDir())
	apply(b, s, backend.Event{Chat: &backend.Chat{ID: "chat"}})
	for b.Loop() {
		var events []backend.Event
		for range 200 {
			events = append(events, backend.Event{Item: &backend.Item{
				ID: backend.NewID(), ChatID: "chat", Kind: backend.ItemTool, Tool: &backend.Tool{CallID: "call", Title: "Read a file"},
			}})
		}
		apply(b, s, events...)
	}
}

func BenchmarkApplyDurable(b *testing.B) {
	s := openStore(b, b.TempDir())
	apply(b, s, backend.Event{Chat: &backend.Chat{ID: "chat"}})
	for b.Loop() {
		err := s.Apply(context.Background(), []backend.Event{{Queued: &backend.QueuedPrompt{ID: "queued", ChatID: "chat", Text: "text"}}}, true)
		if err != nil {
			b.Fatal(err)
		}
	}
}

// fillHistory creates 1,000 chats with 200,000 rows.
func fillHistory(b *testing.B, s *store.Store) {
	b.Helper()
	text := strings.Repeat("A sentence of the agent's answer. ", 10)
	for chat := range 1000 {
		chatID := fmt.Sprint("chat", chat)
		events := []backend.Event{{Chat: &backend.Chat{ID: chatID, Title: "A chat", Folder: "/home/somebody/project", UpdatedAt: backend.Millis(chat)}}}
		for i := range 66 {
			id := fmt.Sprint(chatID, "-", i)
			events = append(events,
				backend.Event{Turn: &backend.Turn{ID: "turn " + id, ChatID: chatID, State: backend.TurnDone}},
				backend.Event{Item: &backend.Item{ID: id, ChatID: chatID, TurnID: "turn " + id, Kind: backend.ItemMessage}},
				backend.Event{Text: &backend.Text{ItemID: id, ChatID: chatID, Text: text}},
			)
		}
		apply(b, s, events...)
	}
}

func BenchmarkOpen(b *testing.B) {
	for _, name := range []string{"empty", "full"} {
		b.Run(name, func(b *testing.B) {
			dir := b.TempDir()
			s := openStore(b, dir)
			if name == "full" {
				fillHistory(b, s)
			}
			closeStore(b, s)
			for b.Loop() {
				s, _, err := store.Open(context.Background(), dir)
				if err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				closeStore(b, s)
				b.StartTimer()
			}
		})
	}
}

func BenchmarkReads(b *testing.B) {
	s := openStore(b, b.TempDir())
	fillHistory(b, s)
	b.Run("app", func(b *testing.B) {
		for b.Loop() {
			appEvents(b, s)
		}
	})
	b.Run("chat", func(b *testing.B) {
		for b.Loop() {
			chatEvents(b, s, "chat500", 60)
		}
	})
}
