package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// keptBackups is how many copies from before a migration are kept.
const keptBackups = 3

const (
	backupPrefix = "voxpilot-before-"
	copyingName  = "voxpilot-copying.db" // one that is not whole yet
)

// backUp copies the database beside itself and removes the oldest copies. A copy
// that has its name is whole and on the disk.
func (s *Store) backUp(ctx context.Context, version int64) (path string, err error) {
	path = s.path(fmt.Sprintf("%s%s-v%d.db", backupPrefix, stamp(), version))
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
	return path, s.removeOldBackups()
}

func (s *Store) removeOldBackups() error {
	entries, err := os.ReadDir(s.dir) // sorted by name, which is by time
	if err != nil {
		return err
	}
	var copies []string
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), backupPrefix) {
			copies = append(copies, s.path(entry.Name()))
		}
	}
	for _, old := range copies[:max(0, len(copies)-keptBackups)] {
		if err := os.Remove(old); err != nil {
			return err
		}
	}
	return nil
}

// stamp is the present in a form that sorts and suits a file name.
func stamp() string { return time.Now().UTC().Format("20060102-150405.000") }
