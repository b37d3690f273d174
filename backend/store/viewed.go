package store

import "context"

// Viewed is a version of a changed file that the user has viewed in a review. Source identifies the changes under
// review.
type Viewed struct{ Source, Path, Version string }

// SetViewed records that the user has viewed a version of a file in a review of the chat. If v.Version is "", it
// records that the user hasn't viewed the file.
func (s *Store) SetViewed(chatID string, v Viewed) error {
	return s.transaction(fast, func(w *writer) error {
		if v.Version == "" {
			return w.exec("DELETE FROM viewed_files WHERE chat_id = ? AND source = ? AND path = ?", chatID, v.Source, v.Path)
		}
		return w.exec("INSERT OR REPLACE INTO viewed_files SELECT id, ?, ?, ? FROM chats WHERE id = ?", v.Source, v.Path, v.Version, chatID)
	})
}

// Viewed returns the files that the user has viewed in a review of the chat. The parameter source identifies the
// reviewed changes.
func (s *Store) Viewed(ctx context.Context, chatID, source string) (files []Viewed, err error) {
	err = s.Read(ctx, func(v *ReadTx) error {
		return v.query(ctx, &files, "SELECT source, path, version FROM viewed_files WHERE chat_id = ? AND source = ?", chatID, source)
	})
	return files, err
}
