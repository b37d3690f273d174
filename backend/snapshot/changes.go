package snapshot

import (
	"context"
	"time"
)

// Change is a file that differs between two snapshots of a folder.
type Change struct {
	Path          string
	Before, After Entry
	// At is the time at which the system last changed the file or its permissions, or the zero Time if the file no
	// longer exists or its time isn't known. On Windows, it is the later of the times of creation and of the last
	// change to the content.
	At time.Time
	// IsCoarse means that the file system may store only even seconds.
	IsCoarse bool
}

// SnapshotSince records the current state of the folder, like Snapshot, and also returns the files that have changed
// since the snapshot with the given ID. It returns no files if since is "" or that snapshot isn't stored.
func (s *Store) SnapshotSince(ctx context.Context, since ID) (Snapshot, []Change, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	snap, err := s.snapshot(ctx)
	if err != nil || since == "" || since == snap.ID {
		return snap, nil, err
	}
	old, err := s.rootOf(since)
	if err != nil {
		s.cfg.Log.Warn("couldn't compare a folder with an earlier snapshot", "store", s.dir, "err", err)
		return snap, nil, nil
	}
	var changes []Change
	err = s.diff("", old, s.root, func(d difference) {
		isFolder := func(n *node) bool { return n == nil || n.Kind == Dir }
		if isFolder(d.a) && isFolder(d.b) {
			return // the files in it have their own changes
		}
		c := Change{Path: d.path, Before: entryOf(d.a), After: entryOf(d.b)}
		if d.b != nil && d.b.isFile() {
			if changed := max(d.b.stat.mtime, d.b.stat.ctime); changed > 0 {
				c.At, c.IsCoarse = time.Unix(0, changed), changed%int64(time.Second) == 0
			}
		}
		changes = append(changes, c)
	})
	if err != nil {
		s.cfg.Log.Warn("couldn't compare a folder with an earlier snapshot", "store", s.dir, "err", err)
	}
	return snap, changes, nil
}
