package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// copyTables copies all readable rows and makes them consistent.
func (c *copier) copyTables(ctx context.Context) (counts salvageCounts, err error) {
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

// copyAll copies all tables, except the search index and its tables, which are rebuilt, and session_logs and
// session_texts, which are made again from the sessions' files. It skips rows that can't be read. Errors of the new
// database make it fail.
func (c *copier) copyAll(ctx context.Context) error {
	for _, table := range []string{
		"chats", "acp_sessions", "turns", "turn_undos", "asides", "items", "texts", "contents", "content_bodies", "permissions",
		"permission_rules", "queued", "review_comments", "review_texts", "review_drafts", "providers", "profiles", "logins", "trusted_folders", "trusted_entries", "settings", "unknown_updates", "viewed_files",
	} {
		if is, err := c.ids(ctx, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name = '"+table+"'"); err != nil {
			return err
		} else if len(is) == 0 {
			continue // a later version than that of the damaged file added this table
		}
		if err := c.copyTable(ctx, table); err != nil {
			return fmt.Errorf("copy %s: %w", table, err)
		}
	}
	return nil
}

// copyTable copies a table in the order of its row IDs. When it reaches a damaged part, it finds the next readable row
// after that part, searches the part for readable rows, and continues after it.
func (c *copier) copyTable(ctx context.Context, table string) error {
	var last int64
	for {
		reached, whole, err := c.copyUp(ctx, table, last, math.MaxInt64)
		if whole || err != nil {
			return err
		}
		behind, more, err := c.findBehind(ctx, table, reached)
		if err != nil {
			return err
		}
		if err := c.copyBetween(ctx, table, reached, behind); err != nil || !more {
			return err
		}
		last = behind - 1
	}
}

// copyBetween copies the readable rows between two row IDs: first in ascending order, then in
// descending order, and then in each half of the rest.
func (c *copier) copyBetween(ctx context.Context, table string, low, high int64) error {
	low, whole, err := c.copyUp(ctx, table, low, high)
	if whole || err != nil {
		return err
	}
	high, whole, err = c.copyDown(ctx, table, low, high)
	if whole || err != nil || high-low <= 2 {
		return err
	}
	middle := low + (high-low)/2
	if err := c.copyBetween(ctx, table, low, middle+1); err != nil {
		return err
	}
	return c.copyBetween(ctx, table, middle, high)
}

// copyUp copies the rows whose IDs are between low and high, both exclusive, in ascending order. It returns the last
// row ID that it reached. The result whole is false if reading failed after that row.
func (c *copier) copyUp(ctx context.Context, table string, low, high int64) (reached int64, whole bool, err error) {
	return c.copyRows(ctx, table, low,
		"SELECT rowid, * FROM "+table+" NOT INDEXED WHERE rowid > ? AND rowid < ? ORDER BY rowid", low, high)
}

// copyDown does the same as copyUp in descending order.
func (c *copier) copyDown(ctx context.Context, table string, low, high int64) (reached int64, whole bool, err error) {
	return c.copyRows(ctx, table, high,
		"SELECT rowid, * FROM "+table+" NOT INDEXED WHERE rowid > ? AND rowid < ? ORDER BY rowid DESC", low, high)
}

// findBehind finds a readable row after a damaged part. The parameter last is the ID of the last row before that part.
// If there is a readable row, the result behind is its ID and more is true. Otherwise, all further rows that could be
// found have smaller IDs than behind.
func (c *copier) findBehind(ctx context.Context, table string, last int64) (behind int64, more bool, err error) {
	for step := int64(1); step > 0 && step < math.MaxInt64-last; step *= 2 {
		err := c.from.QueryRowContext(ctx,
			"SELECT rowid FROM "+table+" NOT INDEXED WHERE rowid > ? ORDER BY rowid LIMIT 1", last+step).Scan(&behind)
		switch {
		case err == nil:
			return behind, true, nil
		case errors.Is(err, sql.ErrNoRows):
			return last + step + 1, false, nil
		case ctx.Err() != nil:
			return last, false, ctx.Err()
		}
	}
	// The end of the table is damaged. The index on its key also contains the row IDs.
	highest := last
	rows, err := c.from.QueryContext(ctx, "SELECT rowid FROM "+table+" INDEXED BY sqlite_autoindex_"+table+"_1")
	if err != nil {
		return highest, false, ctx.Err()
	}
	defer rows.Close()
	for rows.Next() {
		var row int64
		if err := rows.Scan(&row); err != nil {
			return highest, false, err
		}
		highest = max(highest, row)
	}
	if rows.Err() != nil {
		c.lost = true // the IDs that could be read are sufficient
	}
	return highest + 1, false, ctx.Err()
}

// copyRows copies the rows returned by a query on the damaged database. The first column of the query
// must be the row ID. The results are the same as for copyUp.
func (c *copier) copyRows(ctx context.Context, table string, start int64, query string, args ...any) (reached int64, whole bool, err error) {
	reached = start
	rows, err := c.from.QueryContext(ctx, query, args...)
	if err != nil {
		c.lost = true
		return reached, false, ctx.Err()
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return reached, false, err
	}
	insert := fmt.Sprintf(`INSERT OR IGNORE INTO %s ("%s") VALUES (%s)`, table,
		strings.Join(columns[1:], `", "`), strings.TrimSuffix(strings.Repeat("?, ", len(columns)-1), ", "))
	values := make([]any, len(columns))
	into := []any{&reached}
	for i := range values[1:] {
		into = append(into, &values[1+i])
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return reached, false, err
		}
		result, err := c.to.ExecContext(ctx, insert, values[1:]...)
		if code := resultCode(err); code == sqliteConstraint || code == sqliteMismatch {
			c.lost = true // not a valid row of this table
			continue
		}
		if err != nil {
			return reached, false, err
		}
		if inserted, err := result.RowsAffected(); err != nil {
			return reached, false, err
		} else if inserted == 0 {
			c.lost = true
		}
	}
	if rows.Err() != nil {
		c.lost = true
		return reached, false, ctx.Err()
	}
	return reached, true, nil
}

// mendStatements make the copied rows consistent. If the row of a chat is lost but its items are readable, the chat
// gets a new row. Rows that belong to a lost row are deleted. The statements work with the schema of every version.
var mendStatements = []string{
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

// mendTrustStatements make the rows of trusted folders consistent: if a folder's row is lost, its entries are deleted,
// so that they are no longer trusted.
var mendTrustStatements = []string{
	`DELETE FROM trusted_entries WHERE folder_key NOT IN (SELECT "key" FROM trusted_folders)`,
	`UPDATE trusted_folders SET entries = (SELECT count(*) FROM trusted_entries WHERE folder_key = trusted_folders."key")
	 WHERE entries <> (SELECT count(*) FROM trusted_entries WHERE folder_key = trusted_folders."key")`,
}

// mendAsideStatements make the asides consistent: the asides of lost chats are deleted, and turns and items whose
// aside is lost are shown again.
var mendAsideStatements = []string{
	"DELETE FROM asides WHERE chat_id NOT IN (SELECT id FROM chats)",
	"UPDATE turns SET aside = '' WHERE aside <> '' AND aside NOT IN (SELECT id FROM asides)",
	"UPDATE items SET aside = '' WHERE aside <> '' AND aside NOT IN (SELECT id FROM asides)",
}

// mendReviewStatements delete the comments of lost chats, and the file versions stored with them.
var mendReviewStatements = []string{
	"DELETE FROM review_comments WHERE chat_id NOT IN (SELECT id FROM chats)",
	"DELETE FROM review_texts WHERE chat_id NOT IN (SELECT id FROM chats)",
}

// mend makes the copied rows consistent.
func (c *copier) mend(ctx context.Context) error {
	statements := mendStatements
	for _, of := range []struct { // tables that aren't in all versions
		table string
		mend  []string
	}{
		{"trusted_entries", mendTrustStatements},
		{"turn_undos", []string{"DELETE FROM turn_undos WHERE turn_id NOT IN (SELECT id FROM turns)"}},
		{"asides", mendAsideStatements},
		{"viewed_files", []string{"DELETE FROM viewed_files WHERE chat_id NOT IN (SELECT id FROM chats)"}},
		{"review_comments", mendReviewStatements},
		{"review_drafts", []string{"DELETE FROM review_drafts WHERE chat_id NOT IN (SELECT id FROM chats)"}},
	} {
		if is, err := c.ids(ctx, "SELECT name FROM sqlite_schema WHERE name = '"+of.table+"'"); err != nil {
			return err
		} else if len(is) > 0 {
			statements = append(slices.Clone(statements), of.mend...)
		}
	}
	for _, statement := range statements {
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
	// The copied rows aren't indexed yet.
	if is, err := c.ids(ctx, "SELECT name FROM sqlite_schema WHERE name = 'search_state'"); err != nil {
		return err
	} else if len(is) > 0 {
		_, err := c.to.ExecContext(ctx, "UPDATE search_state SET titles = 1, items = coalesce((SELECT max(rowid) FROM items), 0)")
		if err != nil {
			return err
		}
	}
	w := &writer{conn: c.to}
	for _, table := range []pieceTable{textPieces, bodyPieces} {
		// If a piece is missing, the following ones are moved up.
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
