package store

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
)

// TurnsOf returns the turns of a chat in no particular order.
func (s *Store) TurnsOf(ctx context.Context, chatID string) ([]backend.Turn, error) {
	var rows []turnRow
	err := s.Read(ctx, func(v *ReadTx) error {
		return v.find(v.db(ctx).Where("chat_id = ?", chatID), &rows)
	})
	turns := make([]backend.Turn, len(rows))
	for i, row := range rows {
		turns[i] = backend.Turn(row)
	}
	return turns, err
}

// Prompt is the start of the user's message that a turn answers.
type Prompt struct {
	TurnID string
	ItemID string
	Pos    int64  // of the item in the chat
	Text   string // at most the requested number of bytes
}

// Prompts returns the user's messages in the given turns of a chat, each with at most limit bytes of text.
// Turns without a message from the user are left out.
func (s *Store) Prompts(ctx context.Context, chatID string, turnIDs []string, limit int64) (prompts []Prompt, err error) {
	err = s.Read(ctx, func(v *ReadTx) error {
		err := v.query(ctx, &prompts, `
SELECT turn_id, id AS item_id, pos FROM items
WHERE chat_id = ? AND kind = ? AND turn_id IN (SELECT value FROM json_each(?)) ORDER BY pos`, chatID, backend.ItemUser, idList(turnIDs))
		for i, p := range prompts {
			if err != nil {
				break
			}
			var text []byte
			text, err = v.part(ctx, textPieces, p.ItemID, 0, limit, true)
			prompts[i].Text = string(text)
		}
		return err
	})
	return prompts, err
}
