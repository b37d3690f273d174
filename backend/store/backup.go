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

// maxBackups is how many copies from before a migration are kept.
const maxBackups = 3

const (
	backupPrefix = "voxpilot-before-"
	copyingName  = "voxpilot-copying.db" // one that is not whole yet
)

// backupName is what a copy is called. A file of the user's that is called
// otherwise, as a copy of a copy, is left alone.
var backupName = regexp.MustCompile(`^voxpilot-before-\d{8}-\d{6}\.\d{3}-v\d+\.db$`)

// backUp copies the database beside itself and removes the oldest copies. A copy
// that has its name is whole and on the disk.
func (s *Store) backUp(ctx context.Context, version int64) (path string, err error) {
	name := fmt.Sprintf("%s%s-v%d.db", backupPrefix, stamp(), version)
	path = s.path(name)
	copying := s.path(copyingName)
	// VACUUM INTO takes an empty file, and keeps its permissions.
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

// syncDir has the names in the folder written down, where the system can.
func (s *Store) syncDir() {
	if dir, err := os.Open(s.dir); err == nil {
		_ = dir.Sync()
		_ = dir.Close()
	}
}

// removeOldBackups removes the oldest copies, and never the one that was just made:
// where the clock was set back it has not the last name. One too many is no reason
// not to start.
func (s *Store) removeOldBackups(made string) {
	entries, err := os.ReadDir(s.dir) // sorted by name, which is by time
	if err != nil {
		slog.Warn("old copies of the database cannot be looked for", "err", err)
	}
	var others []string
	for _, entry := range entries {
		if name := entry.Name(); name != made && backupName.MatchString(name) {
			others = append(others, name)
		}
	}
	for _, old := range others[:max(0, len(others)+1-maxBackups)] {
		if err := os.Remove(s.path(old)); err != nil {
			slog.Warn("an old copy of the database cannot be removed", "err", err)
		}
	}
}

// stamp is the present in a form that sorts and suits a file name.
func stamp() string { return time.Now().UTC().Format("20060102-150405.000") }
