package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"regexp"
	"time"
)

// maxBackups is the number of backups to keep. A backup is made before each migration.
const maxBackups = 3

const (
	backupPrefix = "voxpilot-before-"
	copyingName  = "voxpilot-copying.db" // a backup that isn't complete yet
)

// backupName matches the file names of backups. Files with other names, such as the
// user's copy of a backup, are never removed.
var backupName = regexp.MustCompile(`^voxpilot-before-\d{8}-\d{6}\.\d{3}-v\d+\.db$`)

// backUp copies the database to a new file in the same directory, and removes the oldest backups. A backup gets its
// final name only after it is complete and synced to disk.
func (s *Store) backUp(ctx context.Context, version int64) (path string, err error) {
	name := fmt.Sprintf("%s%s-v%d.db", backupPrefix, stamp(), version)
	path = s.path(name)
	copying := s.path(copyingName)
	// VACUUM INTO accepts an empty file and preserves its permissions.
	file, err := os.OpenFile(copying, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return "", err
	}
	_, err = s.conn.ExecContext(ctx, "VACUUM INTO ?", copying)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(copying, path)
	}
	if err != nil {
		return "", errors.Join(err, os.Remove(copying))
	}
	s.syncDir()
	s.removeOldBackups(name)
	return path, nil
}

// syncDir syncs the directory entries to disk if the system supports it.
func (s *Store) syncDir() {
	if dir, err := os.Open(s.dir); err == nil {
		_ = dir.Sync()
		_ = dir.Close()
	}
}

// removeOldBackups removes the oldest backups beyond maxBackups. It always keeps the new backup, even if its name
// doesn't sort last because the clock was set back. Failures are only logged.
func (s *Store) removeOldBackups(newName string) {
	entries, err := os.ReadDir(s.dir) // sorted by name and so by time
	if err != nil {
		slog.Warn("couldn't list old copies of the database", "err", err)
	}
	var others []string
	for _, entry := range entries {
		if name := entry.Name(); name != newName && backupName.MatchString(name) {
			others = append(others, name)
		}
	}
	for _, old := range others[:max(0, len(others)+1-maxBackups)] {
		if err := os.Remove(s.path(old)); err != nil {
			slog.Warn("couldn't delete an old copy of the database", "err", err)
		}
	}
}

// stamp returns the current time (UTC) for use in file names. Later times sort after earlier ones.
func stamp() string { return time.Now().UTC().Format("20060102-150405.000") }
