package store

import "context"

// Viewed is a changed file that the user has viewed in a review, in a version.
type Viewed struct{ Source, Path, Version string }

// SetViewed records that the user has viewed a file of a chat or, if the version is "", that they haven't.
func (s *Store) SetViewed(chatID string, v Viewed) error {
	return s.transaction(false, func(w *writer) error {
		if v.Version == "" {
			return w.exec("DELETE FROM viewed_files WHERE chat_id = ? AND source = ? AND path = ?", chatID, v.Source, v.Path)
		}
		return w.exec("INSERT OR REPLACE INTO viewed_files SELECT id, ?, ?, ? FROM chats WHERE id = ?", v.Source, v.Path, v.Version, chatID)
	})
}

// Viewed returns the files of a source that the user has viewed in a chat.
func (s *Store) Viewed(ctx context.Context, chatID, source string) (files []Viewed, err error) {
	err = s.Read(ctx, func(v *ReadTx) error {
		return v.query(ctx, &files, "SELECT source, path, version FROM viewed_files WHERE chat_id = ? AND source = ?", chatID, source)
	})
	return files, err
}
