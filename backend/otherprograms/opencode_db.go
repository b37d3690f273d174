package otherprograms

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	_ "github.com/glebarez/sqlite" // the driver "sqlite"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// errChanged means that opencode wrote to its database while VoxPilot read it without a lock.
var errChanged = errors.New("opencode changed its database while it was read")

// database calls read with a read-only connection to opencode's database. It does nothing if the database doesn't
// exist. It changes neither the database nor the files next to it; over a normal connection, SQLite would write to the
// index of the write-ahead log. It returns errChanged if opencode changed the database meanwhile.
func (p *opencode) database(ctx context.Context, read func(*sql.DB) error) error {
	name := filepath.Join(p.dir, "opencode.db")
	before, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	options := "immutable=1"
	for _, file := range []string{name, name + "-wal", name + "-shm"} {
		info, err := os.Lstat(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case !info.Mode().IsRegular():
			return fmt.Errorf("%s: %w", file, errNotRegular)
		case file == name+"-shm":
			options = "readonly_shm=1"
		}
	}
	path := filepath.ToSlash(name)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	db, err := sql.Open("sqlite", "file://"+(&url.URL{Path: path}).EscapedPath()+"?mode=ro&"+options)
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if err := checkTables(ctx, db); err != nil {
		return err
	}
	if err := read(db); err != nil {
		return err
	}
	after, err := os.Lstat(name)
	if err == nil && options == "immutable=1" && (after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime())) {
		return errChanged
	}
	return err
}

// errNotTables means that the database doesn't contain opencode's tables as plain tables.
var errNotTables = errors.New("the database isn't one of opencode")

// checkTables returns an error if one of the tables that are read isn't a plain table: a view or a computed column
// could run a query that never ends.
func checkTables(ctx context.Context, db *sql.DB) error {
	var tables, computed int
	err := db.QueryRowContext(ctx, `
SELECT (SELECT count(*) FROM sqlite_master WHERE name IN ('session', 'message', 'part') AND type = 'table' AND sql LIKE 'CREATE TABLE %'),
	(SELECT count(*) FROM (SELECT 'session' AS t UNION SELECT 'message' UNION SELECT 'part'), pragma_table_xinfo(t) WHERE hidden <> 0)`).Scan(&tables, &computed)
	if err == nil && (tables < 3 || computed > 0) {
		err = errNotTables
	}
	return err
}

// Limits for rows of the database.
const (
	maxRows   = 100_000 // conversations that are listed
	maxColumn = 4096    // bytes of a folder's path; a conversation with a longer one isn't listed
)

func (p *opencode) listDatabase(ctx context.Context) (list []Conversation, err error) {
	err = p.database(ctx, func(db *sql.DB) error {
		rows, err := db.QueryContext(ctx, `
SELECT id, directory, CASE WHEN octet_length(title) <= ?2 THEN title ELSE '' END, time_created, time_updated FROM session
WHERE parent_id IS NULL AND octet_length(id) <= ?1 AND octet_length(directory) <= ?1 ORDER BY time_updated DESC LIMIT ?3`, maxColumn, maxSmall, maxRows)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			c := Conversation{root: p.dir}
			c.Program = backend.ProgramOpencode
			var title string
			if err := rows.Scan(&c.ID, &c.Folder, &title, &c.CreatedAt, &c.UpdatedAt); err != nil {
				return err
			}
			c.Title = titleOf(title)
			list = append(list, c)
		}
		return rows.Err()
	})
	return list, err
}

// readDatabase reads a conversation from the database. Texts that are longer than maxRecord are left out.
func (p *opencode) readDatabase(ctx context.Context, id string, r *opencodeReader) error {
	return p.database(ctx, func(db *sql.DB) error {
		var revert sql.NullString
		if err := db.QueryRowContext(ctx, `SELECT CASE WHEN octet_length(revert) <= ?2 THEN revert END FROM session WHERE id = ?1`, id, maxSmall).Scan(&revert); err != nil {
			return err
		}
		r.revert = gjson.Get(revert.String, "messageID").String()
		rows, err := db.QueryContext(ctx, `
SELECT m.id, m.data, CASE WHEN octet_length(p.data) <= ?2 THEN p.data ELSE '' END, p.id IS NOT NULL
FROM message m LEFT JOIN part p ON p.message_id = m.id
WHERE m.session_id = ?1 AND octet_length(m.data) <= ?2 ORDER BY m.time_created, m.id, p.id`, id, maxRecord)
		if err != nil {
			return err
		}
		defer rows.Close()
		last, total := "", int64(0)
		for rows.Next() {
			var message, data string
			var part sql.NullString
			var has bool
			if err := rows.Scan(&message, &data, &part, &has); err != nil {
				return err
			}
			if message != last {
				if last != "" {
					if err := r.end(); err != nil {
						return err
					}
				}
				last = message
				if err := r.message(message, gjson.Parse(data)); err != nil {
					return err
				}
			}
			total += int64(len(part.String))
			r.to.Progress(total)
			switch {
			case !has:
			case !json.Valid([]byte(part.String)):
				r.to.Skip(true)
			default:
				if err := r.part(gjson.Parse(part.String)); err != nil {
					return err
				}
			}
		}
		if err := rows.Err(); err != nil || last == "" {
			return err
		}
		return r.end()
	})
}
