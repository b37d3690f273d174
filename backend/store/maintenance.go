package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// Maintain runs deferred work until ctx ends, in short transactions, so that other writers barely have to wait. It
// indexes imported chats and those from earlier versions for search, and merges the index if it is fragmented. After a
// chat has been deleted, it removes the chat's words from the index and frees its pages. Interrupted work continues at
// the next start.
func (s *Store) Maintain(ctx context.Context) error {
	for {
		if err := s.CatchUp(ctx); err != nil {
			if ctx.Err() != nil {
				return nil //nolint:nilerr // canceled by the caller
			}
			return err
		}
		select {
		case <-s.wake:
		case <-ctx.Done():
			return nil
		}
	}
}

// wakeMaintenance makes a running Maintain check for work.
func (s *Store) wakeMaintenance() {
	select {
	case s.wake <- struct{}{}:
	default: // already signaled
	}
}

// CatchUp does the deferred work that is pending (see Maintain), and returns when it is done.
func (s *Store) CatchUp(ctx context.Context) error {
	if err := s.catchUp(ctx); err != nil {
		return s.failed(backend.Say("VoxPilot couldn't update its search index"), err)
	}
	return nil
}

func (s *Store) catchUp(ctx context.Context) error {
	for _, step := range []func(*writer) (bool, error){(*writer).readTitles, (*writer).readItems, (*writer).readImported, (*writer).tidy} {
		for more := true; more; {
			started := time.Now()
			err := s.transaction(fast, func(w *writer) (err error) {
				more, err = step(w)
				return err
			})
			if err != nil {
				return err
			}
			// Wait as long as the work took, so that other writers can use the database.
			pause := time.NewTimer(time.Since(started))
			select {
			case <-pause.C:
			case <-ctx.Done():
				pause.Stop()
				return ctx.Err()
			}
		}
	}
	if err := s.freePages(ctx); err != nil {
		return err
	}
	return s.wipe(ctx)
}

func (w *writer) readTitles() (more bool, err error) {
	var chats []chatRow
	if err := w.db.Select("id", "title").Where("(SELECT titles FROM search_state)").Find(&chats).Error; err != nil {
		return false, err
	}
	for _, chat := range chats {
		if err := w.indexTitle(chat.ID, chat.Title); err != nil {
			return false, err
		}
	}
	return false, w.exec("UPDATE search_state SET titles = 0 WHERE titles")
}

// Limits for indexing items in one transaction.
const (
	readItems = 200
	readTime  = 50 * time.Millisecond
)

// readItems indexes a batch of items, starting with the newest ones that aren't indexed. The result more is true if
// further items may need to be indexed.
func (w *writer) readItems() (more bool, err error) {
	var last int64
	if err := w.conn.QueryRowContext(background, "SELECT items FROM search_state").Scan(&last); err != nil || last == 0 {
		return false, err
	}
	next, err := w.indexDown(1, last)
	if err != nil {
		return false, err
	}
	return true, w.exec("UPDATE search_state SET items = ?", next)
}

// indexDown indexes a batch of the items whose row IDs are between first and last, both inclusive, starting with the
// newest one. It returns the ID of the row with which to continue, which is less than first if there are no more.
func (w *writer) indexDown(first, last int64) (next int64, err error) {
	rows, err := w.rows("SELECT "+documentColumns+" FROM items WHERE rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?", first, last, readItems)
	if err != nil {
		return 0, err
	}
	defer func() { _ = rows.Close() }()
	var documents []document
	for rows.Next() {
		var d document
		if err := d.scan(rows); err != nil {
			return 0, err
		}
		documents = append(documents, d)
	}
	if err := rowsDone(rows); err != nil || len(documents) == 0 {
		return first - 1, err
	}
	started := time.Now()
	for _, d := range documents {
		if err := w.indexDocument(&d); err != nil {
			return 0, err
		}
		next = d.row - 1
		if time.Since(started) > readTime {
			break
		}
	}
	return next, nil
}

// mergePages is the number of index pages that are rewritten in one transaction.
const mergePages = 200

// fragmented is a query that reports whether the index needs merging. A search looks up each word in every segment of
// the index, so it is slow if the index has many segments. The index needs merging if it has more than 500 pages and
// more than a third of them are outside its largest segment. It is therefore rewritten only after it has grown by half.
const fragmented = `
SELECT coalesce(sum(pages) > 500 AND max(pages) * 3 < sum(pages) * 2, 0)
FROM (SELECT count(*) AS pages FROM search_idx GROUP BY segid)`

// tidy merges part of the index if it is fragmented or something was deleted. The result more is true if the merge must
// continue. Deleted entries are only marked in the index; their words stay until the surrounding segments are merged.
func (w *writer) tidy() (more bool, err error) {
	var todo int
	if err := w.conn.QueryRowContext(background, "SELECT tidy FROM search_state").Scan(&todo); err != nil {
		return false, err
	}
	if todo == 0 {
		if err := w.conn.QueryRowContext(background, fragmented).Scan(&todo); err != nil || todo == 0 {
			return false, err
		}
	}
	changes := func() (n int, err error) {
		err = w.conn.QueryRowContext(background, "SELECT total_changes()").Scan(&n)
		return n, err
	}
	before, err := changes()
	if err != nil {
		return false, err
	}
	pages := mergePages // continues a merge
	if todo == 1 {
		pages = -mergePages // starts merging all segments
	}
	if err := w.exec("INSERT INTO search (search, rank) VALUES ('merge', ?)", pages); err != nil {
		return false, err
	}
	after, err := changes()
	if err != nil {
		return false, err
	}
	// The insert itself counts as a change. tidy = 2 means that a merge is in progress, and 3 that wipe is due.
	if more = after-before >= 2; more {
		return true, w.exec("UPDATE search_state SET tidy = 2")
	}
	return false, w.exec("UPDATE search_state SET tidy = 3")
}

// rewritten is the maximum size in bytes of a database file that is rewritten after its index has been merged.
// Rewriting a larger file would block writers for too long.
const rewritten = 32 << 20

// wipe removes the remains of deleted data from the file after the index has been merged. When SQLite reorganizes a
// page, older copies of its rows can remain in the unused part of the page, which secure_delete doesn't overwrite. A
// small file is therefore rewritten. In a large file, these copies remain until SQLite reuses that part of the page.
// The row IDs by which the index refers to items don't change: VACUUM preserves the row IDs of a table that has an
// index (SQLite, insert.c, xferOptimization).
func (s *Store) wipe(ctx context.Context) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.conn == nil {
		return errClosed
	}
	var due bool
	if err := s.conn.QueryRowContext(ctx, "SELECT tidy = 3 FROM search_state").Scan(&due); err != nil || !due {
		return err
	}
	file, err := os.Stat(s.path(fileName))
	if err != nil {
		return err
	}
	if file.Size() <= rewritten {
		if _, err := s.conn.ExecContext(ctx, "VACUUM"); err != nil {
			return err
		}
	}
	if _, err := s.conn.ExecContext(ctx, "UPDATE search_state SET tidy = 0"); err != nil {
		return err
	}
	// Don't wait for readers. If they prevent the truncation, SQLite overwrites the log when it reuses it.
	if _, err := s.conn.ExecContext(background, "PRAGMA busy_timeout = 0"); err != nil {
		return err
	}
	_, err = s.conn.ExecContext(background, "PRAGMA wal_checkpoint(truncate)")
	_, err2 := s.conn.ExecContext(background, fmt.Sprintf("PRAGMA busy_timeout = %d", busyTime.Milliseconds()))
	return errors.Join(err, err2)
}

// freedAtOnce is the maximum number of pages that are freed in one transaction.
const freedAtOnce = 500

// freePages returns the unused pages of the file to the system.
func (s *Store) freePages(ctx context.Context) error {
	for last := math.MaxInt; ctx.Err() == nil; {
		var free int
		err := s.transaction(fast, func(w *writer) error {
			if err := w.conn.QueryRowContext(background, "PRAGMA freelist_count").Scan(&free); err != nil || free == 0 {
				return err
			}
			rows, err := w.rows(fmt.Sprintf("PRAGMA incremental_vacuum(%d)", freedAtOnce))
			if err != nil {
				return err
			}
			for rows.Next() { // one row per page
			}
			return rowsDone(rows)
		})
		if err != nil || free == 0 || free >= last { // none could be freed
			return err
		}
		last = free
	}
	return ctx.Err()
}
