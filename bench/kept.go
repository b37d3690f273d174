package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

// checkKept checks that the chat holds all that an agent said who answered the
// greeting and then by the script, byte for byte, and nothing else.
func checkKept(ctx context.Context, db *store.Store, chatID string, s *script) error {
	said, tools, err := kept(ctx, db, chatID)
	if err != nil {
		return err
	}
	want := slices.Concat([]byte(words[0]), s.said)
	if !bytes.Equal(said, want) {
		return fmt.Errorf("the %d bytes of text in the database are not the %d that the agent said", len(said), len(want))
	}
	if tools != s.tools {
		return fmt.Errorf("%d tool calls are in the database, not %d", tools, s.tools)
	}
	return nil
}

// kept is what the database holds of an agent's answers: their text, in order,
// and how many tool calls were completed.
func kept(ctx context.Context, db *store.Store, chatID string) (said []byte, tools int, err error) {
	var texts []backend.Item
	err = db.View(ctx, func(v *store.View) error {
		for before := int64(1) << 62; before > 0; {
			var events []backend.Event
			if events, before, err = v.Items(ctx, chatID, before, 500); err != nil {
				return err
			}
			for _, e := range events {
				switch {
				case e.Item == nil:
				case e.Item.Kind == backend.ItemMessage, e.Item.Kind == backend.ItemThought:
					texts = append(texts, *e.Item)
				case e.Item.Tool != nil && e.Item.Tool.Status == backend.ToolCompleted:
					tools++
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	slices.SortFunc(texts, func(a, b backend.Item) int { return cmp.Compare(a.Pos, b.Pos) })
	for _, item := range texts {
		text, total, err := db.Text(ctx, item.ID, 0, 1<<30)
		if err != nil || int64(len(text)) != total {
			return nil, 0, fmt.Errorf("the text of an item could not be read: %d of %d bytes, %w", len(text), total, err)
		}
		said = append(said, text...)
	}
	return said, tools, nil
}
