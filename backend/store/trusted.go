package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
)

// maxTrusted is the maximum number of trusted entries that are kept for a folder, twice as many as an inventory of the
// folder (trust.Inventory) can have. The oldest ones are deleted; the user must trust them again.
const maxTrusted = 20_000

// trusted writes a folder and the entries that were added to it, and updates its number of entries.
func (w *writer) trusted(f *backend.TrustedFolder) error {
	if err := w.save(&trustedRow{f.Key, f.Folder, f.Entries, f.TrustedAt}); err != nil {
		return err
	}
	entries := make([]trustedEntryRow, len(f.Add))
	for i, e := range f.Add {
		id, err := json.Marshal([]string{f.Key, e.File, e.Key, e.Digest})
		if err != nil {
			return err
		}
		sum := sha256.Sum256(id)
		entries[i] = trustedEntryRow{hex.EncodeToString(sum[:]), f.Key, e.File, e.Key, e.Digest, e.Value, f.TrustedAt}
	}
	for some := range slices.Chunk(entries, 1000) { // SQLite allows 32,766 variables per statement
		if err := w.save(&some); err != nil {
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
	var row trustedRow
	if err := w.db.Take(&row, `"key" = ?`, f.Key).Error; err != nil {
		return err
	}
	w.complete = append(w.complete, func() { f.Entries = row.Entries })
	return nil
}

// Trusted returns the trusted entries of the folder with the given key, newest first, and whether the
// user has trusted that folder.
func (s *Store) Trusted(ctx context.Context, key string) (entries []backend.TrustedEntry, known bool, err error) {
	err = s.Read(ctx, func(v *ReadTx) error {
		var folders []trustedRow
		if err := v.find(v.db(ctx).Where(`"key" = ?`, key), &folders); err != nil {
			return err
		}
		known = len(folders) > 0
		return v.find(v.db(ctx).Model(&trustedEntryRow{}).Where("folder_key = ?", key).Order("trusted_at DESC, rowid"), &entries)
	})
	return entries, known, err
}
