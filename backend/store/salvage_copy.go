package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
)

// copyTables copies what can be read, and makes of it a database whose rows
// fit together.
func (c *copier) copyTables(ctx context.Context) (counts salvaged, err error) {
	exec := func(query string) {
		if err == nil {
			_, err = c.to.ExecContext(ctx, query)
		}
	}
	exec("BEGIN")
	if c.from != nil && err == nil {
		err = c.copyAll(ctx)
	}
	if err == nil {
		err = c.mend(ctx)
	}
	exec("COMMIT")
	if err != nil {
		return counts, err
	}
	err = c.to.QueryRowContext(ctx, "SELECT (SELECT count(*) FROM chats), (SELECT count(*) FROM items)").Scan(&counts.chats, &counts.items)
	counts.lost = c.lost
	return counts, err
}

// copyAll copies every table. An error is one of the fresh database; what
// cannot be read is left out.
func (c *copier) copyAll(ctx context.Context) error {
	for _, table := range []string{
		"chats", "acp_sessions", "turns", "items", "contents", "permissions",
		"permission_rules", "queued", "providers", "unknown_updates",
	} {
		if err := c.copyByRowID(ctx, table); err != nil {
			return fmt.Errorf("copy %s: %w", table, err)
		}
	}
	for _, pieces := range []struct{ table, owner, owners string }{
		{"texts", "item_id", "items"},
		{"content_bodies", "content_id", "contents"},
	} {
		if err := c.copyPieces(ctx, pieces.table, pieces.owner, pieces.owners); err != nil {
			return fmt.Errorf("copy %s: %w", pieces.table, err)
		}
	}
	_, err := c.copyRows(ctx, "settings", "SELECT * FROM settings", nil)
	return err
}

// copyByRowID walks through a table by its row numbers. Where a page cannot be
// read it goes on behind it, and comes back from there as far as it can.
func (c *copier) copyByRowID(ctx context.Context, table string) error {
	last := int64(math.MinInt64)
	note := func(rowID int64) { last = max(last, rowID) }
	ahead := "SELECT rowid, * FROM " + table + " NOT INDEXED WHERE rowid > ? ORDER BY rowid"
	back := "SELECT rowid, * FROM " + table + " NOT INDEXED WHERE rowid > ? AND rowid < ? ORDER BY rowid DESC"
	for {
		whole, err := c.copyRows(ctx, table, ahead, note, last)
		if whole || err != nil {
			return err
		}
		before := last
		found := false
		for step := int64(1); step > 0 && !found; step *= 2 {
			start := max(last, 0) + step
			if start < 0 {
				break // beyond all row numbers
			}
			whole, err := c.copyRows(ctx, table, ahead+" LIMIT 1", note, start)
			if err != nil {
				return err
			}
			if found = last > before; whole && !found {
				break // nothing is left behind the damage
			}
		}
		if !found {
			return nil
		}
		if _, err := c.copyRows(ctx, table, back, func(int64) {}, before, last); err != nil {
			return err
		}
	}
}

// copyPieces copies a table of bodies, whose key is its order: at once, or, where
// that breaks off, for one owner after the other.
func (c *copier) copyPieces(ctx context.Context, table, owner, owners string) error {
	whole, err := c.copyRows(ctx, table, "SELECT * FROM "+table, nil)
	if whole || err != nil {
		return err
	}
	ids, err := c.ids(ctx, "SELECT id FROM "+owners)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := c.copyRows(ctx, table, "SELECT * FROM "+table+" WHERE "+owner+" = ?", nil, id); err != nil {
			return err
		}
	}
	return nil
}

// copyRows copies the rows that a query of the damaged database gives. It is
// not whole where the query broke off. With note, the first column is the row's
// number and is told to note, and not copied.
func (c *copier) copyRows(ctx context.Context, table, query string, note func(int64), args ...any) (whole bool, err error) {
	rows, err := c.from.QueryContext(ctx, query, args...)
	if err != nil {
		c.lost = true
		return false, ctx.Err()
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return false, err
	}
	first := 0
	if note != nil {
		first = 1
	}
	insert := fmt.Sprintf(`INSERT OR IGNORE INTO %s ("%s") VALUES (%s)`, table,
		strings.Join(columns[first:], `", "`), strings.TrimSuffix(strings.Repeat("?, ", len(columns)-first), ", "))
	values := make([]any, len(columns))
	into := make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return false, err
		}
		_, err := c.to.ExecContext(ctx, insert, values[first:]...)
		switch resultCode(err) {
		case sqliteConstraint, sqliteMismatch:
			c.lost = true // what was read is no row of this table
		default:
			if err != nil {
				return false, err
			}
		}
		if note != nil {
			note(values[0].(int64))
		}
	}
	if rows.Err() != nil {
		c.lost = true
		return false, ctx.Err()
	}
	return true, nil
}

// mending makes rows fit together. A chat of which only the entries could be
// read gets a row; what has no owner any more goes.
var mending = []string{
	`INSERT INTO chats (id, title, title_by_user, folder, provider_id, turn_state, turn_since,
	     detail, unread, draft, created_at, updated_at)
	 SELECT chat_id, 'Recovered chat', 0,
	     coalesce((SELECT cwd FROM acp_sessions WHERE acp_sessions.chat_id = items.chat_id LIMIT 1), ''),
	     'copilot', 'interrupted', max(created_at), '', 0, '', min(created_at), max(created_at)
	 FROM items WHERE chat_id NOT IN (SELECT id FROM chats) GROUP BY chat_id`,
	`DELETE FROM acp_sessions WHERE chat_id NOT IN (SELECT id FROM chats)`,
	`DELETE FROM turns WHERE chat_id NOT IN (SELECT id FROM chats)`,
	`DELETE FROM contents WHERE chat_id NOT IN (SELECT id FROM chats)`,
	`DELETE FROM permissions WHERE chat_id NOT IN (SELECT id FROM chats)`,
	`DELETE FROM queued WHERE chat_id NOT IN (SELECT id FROM chats)`,
	`DELETE FROM unknown_updates WHERE chat_id NOT IN (SELECT id FROM chats)`,
	`DELETE FROM texts WHERE item_id NOT IN (SELECT id FROM items)`,
	`DELETE FROM content_bodies WHERE content_id NOT IN (SELECT id FROM contents)`,
}

// mend makes the rows that were copied fit together.
func (c *copier) mend(ctx context.Context) error {
	for _, statement := range mending {
		result, err := c.to.ExecContext(ctx, statement)
		if err != nil {
			return err
		}
		if changed, err := result.RowsAffected(); err != nil {
			return err
		} else if changed > 0 {
			c.lost = true
		}
	}
	w := &writer{conn: c.to}
	for _, table := range []pieceTable{textPieces, bodyPieces} {
		// Where a piece is missing, those after it close up.
		ids, err := c.ids(ctx, `
SELECT DISTINCT owner FROM (
    SELECT `+table.owner+` AS owner, offset,
        lag(offset + length(body), 1, 0) OVER (PARTITION BY `+table.owner+` ORDER BY offset) AS expected
    FROM `+table.name+`
) WHERE offset <> expected`)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if err := w.repack(table, id); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *copier) ids(ctx context.Context, query string) (ids []string, err error) {
	rows, err := c.to.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, errors.Join(rows.Err(), rows.Close())
}
