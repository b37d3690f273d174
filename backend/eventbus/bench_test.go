package eventbus_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/eventbus"
	"github.com/voxpilot/voxpilot/backend/store"
)

// BenchmarkFlood measures the processing of 100,000 pieces of text, from Publish to database rows and emitted JSON.
func BenchmarkFlood(b *testing.B) {
	const pieces = 100_000
	ctx := context.Background()
	for b.Loop() {
		s, _, err := store.Open(ctx, b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		batches, bytes := 0, 0
		f := eventbus.New(eventbus.Config{
			Run: "run", Apply: s.Apply, Log: slog.New(slog.DiscardHandler),
			Emit: func(batch backend.Batch) {
				text, err := json.Marshal(batch)
				if err != nil {
					b.Error(err)
				}
				batches++
				bytes += len(text)
			},
		})
		f.Publish(backend.Event{Chat: &backend.Chat{ID: "chat"}})
		for i := range int64(pieces) {
			message := i / 1000
			id := fmt.Sprint("item", message)
			if i%1000 == 0 {
				f.Publish(backend.Event{Item: &backend.Item{ID: id, ChatID: "chat", Kind: backend.ItemMessage, Open: true}})
			}
			f.Publish(backend.Event{Text: &backend.Text{ItemID: id, ChatID: "chat", Offset: i % 1000 * 10, Text: "a few word"}})
			if i%1000 == 999 {
				f.Publish(backend.Event{Item: &backend.Item{ID: id, ChatID: "chat", Kind: backend.ItemMessage}})
			}
		}
		if err := f.Close(ctx); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(batches), "batches")
		b.ReportMetric(float64(bytes)/pieces, "emitted-B/piece")
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(pieces)*float64(b.N)/b.Elapsed().Seconds(), "pieces/s")
}
