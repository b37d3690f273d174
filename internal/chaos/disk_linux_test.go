package chaos_test

import (
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"github.com/voxpilot/voxpilot/backend"
)

// disk is what the database holds, read without the app.
type disk struct {
	texts   map[string]string // by item
	queued  map[string]string // by id
	drafts  map[string]string // by chat
	running map[string]string // chats, by the turns that run in them and were sent to an agent
	unsent  map[string]string // texts of the messages whose turns run and were not, by item
	streams map[string]string // chats, by the messages of agents that had not ended
}

// read reads the database as the death of the app has left it. It reads a copy:
// SQLite puts away the log of a database that it opens, and the next start is
// to find it.
func (h *household) read() disk {
	h.t.Helper()
	dir := h.t.TempDir()
	for _, name := range []string{"voxpilot.db", "voxpilot.db-wal"} {
		data, err := os.ReadFile(filepath.Join(h.dir, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), data, 0o600)
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			h.t.Fatal(err)
		}
	}
	defer os.RemoveAll(dir)
	db, err := sql.Open("sqlite", filepath.Join(dir, "voxpilot.db"))
	if err != nil {
		h.t.Fatal(err)
	}
	defer db.Close()
	if found := h.pairs(db, "SELECT 'integrity', integrity_check FROM pragma_integrity_check"); found["integrity"] != "ok" {
		h.t.Fatalf("the database is damaged: %s", found["integrity"])
	}
	sent := "true" // for all that the first version knows
	if len(h.pairs(db, "SELECT name, '' FROM pragma_table_info('turns') WHERE name = 'sent_at'")) > 0 {
		sent = "sent_at > 0"
	}
	return disk{
		texts:   h.pairs(db, "SELECT item_id, body FROM texts ORDER BY item_id, offset"),
		queued:  h.pairs(db, "SELECT id, text FROM queued"),
		drafts:  h.pairs(db, "SELECT id, draft FROM chats"),
		running: h.pairs(db, "SELECT id, chat_id FROM turns WHERE state = 'running' AND "+sent),
		unsent: h.pairs(db, `
SELECT items.id, body FROM turns JOIN items ON turn_id = turns.id JOIN texts ON item_id = items.id
WHERE state = 'running' AND kind = 'user' AND NOT `+sent+` ORDER BY items.id, offset`),
		streams: h.pairs(db, "SELECT id, chat_id FROM items WHERE kind = 'message' AND open = 1"),
	}
}

// pairs are the rows of a query with two columns; values of one key are joined.
func (h *household) pairs(db *sql.DB, query string) map[string]string {
	h.t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		h.t.Fatal(err)
	}
	defer rows.Close()
	found := map[string]string{}
	for rows.Next() {
		var key, value string
		if err := rows.Scan(&key, &value); err != nil {
			h.t.Fatal(err)
		}
		found[key] += value
	}
	if err := rows.Err(); err != nil {
		h.t.Fatal(err)
	}
	return found
}

// shownTexts are the texts of items as the page put them together.
func shownTexts(events []backend.Event) map[string]string {
	texts := map[string]string{}
	for _, e := range events {
		if e.Text != nil {
			// The events of one app have no gaps: each piece begins where the
			// text ends.
			texts[e.Text.ItemID] = texts[e.Text.ItemID][:e.Text.Offset] + e.Text.Text
		}
	}
	return texts
}

// rewind makes the agents' script begin anew.
func (h *household) rewind() {
	h.t.Helper()
	if err := os.RemoveAll(filepath.Join(h.home, "turns")); err != nil {
		h.t.Fatal(err)
	}
}

// prompts are all that the agents were sent in sessions that they kept, and how
// often.
func (h *household) prompts() map[string]int {
	h.t.Helper()
	files, err := filepath.Glob(filepath.Join(h.home, "session-state", "*.json"))
	if err != nil {
		h.t.Fatal(err)
	}
	found := map[string]int{}
	for _, file := range files {
		var session struct {
			Log []struct {
				Update  string `json:"sessionUpdate"`
				Content struct{ Text string }
			}
		}
		data, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(data, &session)
		}
		if err != nil {
			h.t.Fatal(err)
		}
		for _, u := range session.Log {
			if u.Update == "user_message_chunk" {
				found[u.Content.Text]++
			}
		}
	}
	return found
}
