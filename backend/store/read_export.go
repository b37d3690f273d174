package store

import (
	"context"
	"database/sql"
	"io"

	"github.com/voxpilot/voxpilot/backend"
)

// exportPage is how many items are read at once.
const exportPage = 200

// Chat is the chat with this id.
func (v *View) Chat(ctx context.Context, id string) (backend.Chat, error) {
	row, err := one[chatRow](ctx, v, "chat", id)
	return backend.Chat(row), err
}

// EachItem calls do with the items of a chat's transcript, or of the block
// parentID, in order, until that fails. Text that a later try of its model call
// replaced is not among them. It holds a page of them at a time.
func (v *View) EachItem(ctx context.Context, chatID, parentID string, do func(backend.Item) error) error {
	for last := int64(0); ; {
		var rows []itemRow
		err := v.find(v.db(ctx).Where("chat_id = ? AND parent_id = ? AND pos > ? AND replaced = 0", chatID, parentID, last).Order("pos").Limit(exportPage), &rows)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, row := range rows {
			if err := do(backend.Item(row)); err != nil {
				return err
			}
			last = row.Pos
		}
	}
}

// ContentsOf are the contents of an item, without their bodies.
func (v *View) ContentsOf(ctx context.Context, itemID string) ([]backend.Content, error) {
	var rows []contentRow
	err := v.find(v.db(ctx).Where("item_id = ?", itemID).Order("rowid"), &rows)
	contents := make([]backend.Content, len(rows))
	for i, row := range rows {
		contents[i] = backend.Content(row)
	}
	return contents, err
}

// WriteText writes the text of an item, piece by piece.
func (v *View) WriteText(ctx context.Context, to io.Writer, itemID string) error {
	return v.write(ctx, to, textPieces, itemID)
}

// WriteBody writes the body of a content, piece by piece.
func (v *View) WriteBody(ctx context.Context, to io.Writer, contentID string) error {
	return v.write(ctx, to, bodyPieces, contentID)
}

func (v *View) write(ctx context.Context, to io.Writer, table pieceTable, owner string) error {
	rows, err := v.rows(ctx)("SELECT body FROM "+table.name+" WHERE "+table.owner+" = ? ORDER BY offset", owner)
	if err != nil {
		return v.failed(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var body sql.RawBytes
		if err := rows.Scan(&body); err != nil {
			return v.failed(err)
		}
		if _, err := to.Write(body); err != nil {
			return err // the writer's, which is no matter of the database
		}
	}
	if err := rowsDone(rows); err != nil {
		return v.failed(err)
	}
	return nil
}
