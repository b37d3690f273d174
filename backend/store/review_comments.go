package store

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
)

// reviewComment writes a comment with the version of its file, and deletes the versions that the chat's comments no
// longer need.
func (w *writer) reviewComment(c *backend.ReviewComment) error {
	if c.SeenText != nil {
		if err := w.exec("INSERT INTO review_texts (chat_id, hash, text) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", c.ChatID, c.Seen, c.SeenText); err != nil {
			return err
		}
	}
	if err := w.save((*reviewCommentRow)(c)); err != nil {
		return err
	}
	return w.dropReviewTexts(c.ChatID)
}

func (w *writer) removeReviewComment(d *backend.Deleted) error {
	if err := w.remove(&reviewCommentRow{}, "id = ?", d.ID); err != nil {
		return err
	}
	return w.dropReviewTexts(d.ChatID)
}

func (w *writer) dropReviewTexts(chatID string) error {
	return w.exec("DELETE FROM review_texts WHERE chat_id = ?1 AND hash NOT IN (SELECT seen FROM review_comments WHERE chat_id = ?1)", chatID)
}

// ReviewComments returns the comments of a chat in the order in which they were created. The line numbers of a comment
// refer to the version of the file in which the comment was last found.
func (s *Store) ReviewComments(ctx context.Context, chatID string) ([]backend.ReviewComment, error) {
	var rows []reviewCommentRow
	err := s.Read(ctx, func(v *ReadTx) error {
		return v.find(v.db(ctx).Where("chat_id = ?", chatID).Order("rowid"), &rows)
	})
	comments := make([]backend.ReviewComment, len(rows))
	for i, row := range rows {
		comments[i] = backend.ReviewComment(row)
	}
	return comments, err
}

// ReviewChat returns the ID of the chat that a comment belongs to, or CodeNotFound if the comment doesn't exist.
func (s *Store) ReviewChat(ctx context.Context, commentID string) (chatID string, err error) {
	err = s.Read(ctx, func(v *ReadTx) error {
		row, err := one[reviewCommentRow](ctx, v, commentID, &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This comment no longer exists.")})
		chatID = row.ChatID
		return err
	})
	return chatID, err
}

// ReviewText returns the stored text of the file version with the given hash, or nil if it isn't stored. Only versions
// in which comments of the chat were last found are stored.
func (s *Store) ReviewText(ctx context.Context, chatID, hash string) (text []byte, err error) {
	err = s.Read(ctx, func(v *ReadTx) error {
		var texts [][]byte
		err := v.query(ctx, &texts, "SELECT text FROM review_texts WHERE chat_id = ? AND hash = ?", chatID, hash)
		if len(texts) > 0 {
			text = texts[0]
		}
		return err
	})
	return text, err
}

// SetReviewDraft stores the texts that the fields of a chat's review contain. If draft is "", it deletes them.
func (s *Store) SetReviewDraft(chatID, draft string) error {
	return s.transaction(fast, func(w *writer) error {
		if draft == "" {
			return w.exec("DELETE FROM review_drafts WHERE chat_id = ?", chatID)
		}
		return w.exec("INSERT OR REPLACE INTO review_drafts SELECT id, ? FROM chats WHERE id = ?", draft, chatID)
	})
}

// ReviewDraft returns the texts in the fields of a chat's review, or "" if none are stored.
func (s *Store) ReviewDraft(ctx context.Context, chatID string) (draft string, err error) {
	err = s.Read(ctx, func(v *ReadTx) error {
		return v.query(ctx, &draft, "SELECT draft FROM review_drafts WHERE chat_id = ?", chatID)
	})
	return draft, err
}
