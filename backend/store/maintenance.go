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

// Maintain does, until ctx ends, what need not be done at once, in transactions so
// short that nobody waits for them: it reads chats of earlier versions into the
// search index, puts that together where it is in many pieces, and frees the words
// and pages of chats that were deleted. What an end cuts short goes on at the next
// start.
func (s *Store) Maintain(ctx context.Context) error {
	for {
		if err := s.CatchUp(ctx); err != nil {
			if ctx.Err() != nil {
				return nil //nolint:nilerr // it was asked to end
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

// wakeMaintenance has Upkeep look again.
func (s *Store) wakeMaintenance() {
	select {
	case s.wake <- struct{}{}:
	default: // it will look
	}
}

// CatchUp does what Upkeep has to do now.
func (s *Store) CatchUp(ctx context.Context) error {
	if err := s.catchUp(ctx); err != nil {
		return s.failed(backend.Say("VoxPilot couldn't update its search index"), err)
	}
	return nil
}

func (s *Store) catchUp(ctx context.Context) error {
	for _, step := range []func(*writer) (bool, error){(*writer).readTitles, (*writer).readItems, (*writer).tidy} {
		for more := true; more; {
			started := time.Now()
			err := s.transaction(false, func(w *writer) (err error) {
				more, err = step(w)
				return err
			})
			if err != nil {
				return err
			}
			// Half of the time is for others.
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

// How much is read into the index in one transaction.
const (
	readItems = 200
	readTime  = 50 * time.Millisecond
)

// readItems reads the newest of the items that were never read.
func (w *writer) readItems() (more bool, err error) {
	rows, err := w.rows("SELECT "+documentColumns+` FROM items
WHERE rowid <= (SELECT items FROM search_state) ORDER BY rowid DESC LIMIT ?`, readItems)
	if err != nil {
		return false, err
	}
	defer func() { _ = rows.Close() }()
	var documents []document
	for rows.Next() {
		var d document
		if err := d.scan(rows); err != nil {
			return false, err
		}
		documents = append(documents, d)
	}
	if err := rowsDone(rows); err != nil || len(documents) == 0 {
		return false, err
	}
	started, last := time.Now(), int64(0)
	for _, d := range documents {
		if err := w.indexDocument(&d); err != nil {
			return false, err
		}
		last = d.row
		if time.Since(started) > readTime {
			break
		}
	}
	return true, w.exec("UPDATE search_state SET items = ? - 1", last)
}

// mergePages is how many pages of the index are written anew in one transaction.
const mergePages = 200

// fragmented says that the index is in pieces: each word is looked up in all of
// them. A third of a large index beside its largest piece is too much; so it is
// written anew only after it has grown by that.
const fragmented = `
SELECT coalesce(sum(pages) > 500 AND max(pages) * 3 < sum(pages) * 2, 0)
FROM (SELECT count(*) AS pages FROM search_idx GROUP BY segid)`

// tidy writes a part of the index anew, where that is scattered or something was
// deleted. What was deleted is only marked there, and its words stay until what
// surrounds them is merged.
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
	pages := mergePages // goes on with the merge that the first step began
	if todo == 1 {
		pages = -mergePages // of everything
	}
	if err := w.exec("INSERT INTO search (search, rank) VALUES ('merge', ?)", pages); err != nil {
		return false, err
	}
	after, err := changes()
	if err != nil {
		return false, err
	}
	// The insert itself counts as a change. 2 says that a merge goes on, 3 that wipe is due.
	if more = after-before >= 2; more {
		return true, w.exec("UPDATE search_state SET tidy = 2")
	}
	return false, w.exec("UPDATE search_state SET tidy = 3")
}

// rewritten is the size of the largest file that is written anew after its index
// was tidied: writers wait for that.
const rewritten = 32 << 20

// wipe has the file keep nothing of what was deleted, once the index is tidied. A
// page that SQLite puts in order can hold older copies of its rows in the part that
// it does not use (secure_delete does not reach there), so a small file is written
// anew. In a large one they stay until the page needs that part. Row numbers, by
// which the index names items, outlast it: a VACUUM keeps those of a table that has
// an index (SQLite, insert.c, xferOptimization).
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
	// Nobody waits for one who reads: then the log is overwritten as it is used again.
	if _, err := s.conn.ExecContext(background, "PRAGMA busy_timeout = 0"); err != nil {
		return err
	}
	_, err = s.conn.ExecContext(background, "PRAGMA wal_checkpoint(truncate)")
	_, err2 := s.conn.ExecContext(background, fmt.Sprintf("PRAGMA busy_timeout = %d", busyTime.Milliseconds()))
	return errors.Join(err, err2)
}

// freedAtOnce is how many pages of the file are freed in one transaction.
const freedAtOnce = 500

// freePages gives the pages that nothing uses any more back to the system.
func (s *Store) freePages(ctx context.Context) error {
	for last := math.MaxInt; ctx.Err() == nil; {
		var free int
		err := s.transaction(false, func(w *writer) error {
			if err := w.conn.QueryRowContext(background, "PRAGMA freelist_count").Scan(&free); err != nil || free == 0 {
				return err
			}
			rows, err := w.rows(fmt.Sprintf("PRAGMA incremental_vacuum(%d)", freedAtOnce))
			if err != nil {
				return err
			}
			for rows.Next() { // a page each
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
