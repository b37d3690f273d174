package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/voxpilot/voxpilot/backend"
)

var (
	upsertTrusted      = upsert("trusted_folders", `"key"`, "folder, entries, trusted_at")
	upsertTrustedEntry = upsert("trusted_entries", "id", `folder_key, file, "key", digest, value, trusted_at`)
)

// maxTrusted is how many entries of a folder are kept, the newest ones: twice as
// many as an inventory can have. What is dropped is asked for again.
const maxTrusted = 20_000

// trusted writes a folder and the entries that are added to it. Its number of
// entries is counted here.
func (w *writer) trusted(f *backend.TrustedFolder) error {
	if err := w.exec(upsertTrusted, f.Key, f.Folder, f.Entries, f.TrustedAt); err != nil {
		return err
	}
	for _, e := range f.Add {
		id, err := json.Marshal([]string{f.Key, e.File, e.Key, e.Digest})
		if err != nil {
			return err
		}
		sum := sha256.Sum256(id)
		if err := w.exec(upsertTrustedEntry, hex.EncodeToString(sum[:]), f.Key, e.File, e.Key, e.Digest, e.Value, f.TrustedAt); err != nil {
			return err
		}
	}
	if err := w.exec(`
DELETE FROM trusted_entries WHERE folder_key = ? AND id IN (
    SELECT id FROM trusted_entries WHERE folder_key = ? ORDER BY trusted_at DESC, rowid DESC LIMIT -1 OFFSET ?)`, f.Key, f.Key, maxTrusted); err != nil {
		return err
	}
	if err := w.exec(`
UPDATE trusted_folders SET entries = (SELECT count(*) FROM trusted_entries WHERE folder_key = trusted_folders."key") WHERE "key" = ?`, f.Key); err != nil {
		return err
	}
	var entries int
	if err := w.conn.QueryRowContext(background, `SELECT entries FROM trusted_folders WHERE "key" = ?`, f.Key).Scan(&entries); err != nil {
		return err
	}
	w.complete = append(w.complete, func() { f.Entries = entries })
	return nil
}

// Trusted returns what the user trusts in the folder with this key, the newest
// first, and whether it is a folder that the user has trusted.
func (s *Store) Trusted(ctx context.Context, key string) (entries []backend.TrustedEntry, known bool, err error) {
	err = s.View(ctx, func(v *View) error {
		var found []string
		if err := v.query(ctx, &found, `SELECT "key" FROM trusted_folders WHERE "key" = ?`, key); err != nil {
			return err
		}
		known = len(found) > 0
		return v.query(ctx, &entries, `
SELECT file, "key", digest, value FROM trusted_entries WHERE folder_key = ? ORDER BY trusted_at DESC, rowid`, key)
	})
	return entries, known, err
}
