package chaos_test

import (
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"github.com/voxpilot/voxpilot/backend"
)

// disk holds the content of the database, read directly from its files.
type disk struct {
	texts   map[string]string // by item
	queued  map[string]string // by id
	drafts  map[string]string // by chat
	running map[string]string // chats, by their running turns that were sent to an agent
	unsent  map[string]string // message texts of running turns that were not sent, by item
	streams map[string]string // chats, by agent messages that had not ended
}

// read reads the database as the killed app left it. It reads a copy: opening a
// database checkpoints and removes its WAL, which the next start must find.
func (h *appData) read() disk {
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
	sent := "true" // the first version has no sent_at
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

// pairs returns the result of a two-column query as a map; values with the same key are joined.
func (h *appData) pairs(db *sql.DB, query string) map[string]string {
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

// displayedTexts returns the texts of items, assembled from events as the page does.
func displayedTexts(events []backend.Event) map[string]string {
	texts := map[string]string{}
	for _, e := range events {
		if e.Text != nil {
			// The events of one app have no gaps: each chunk starts at the end of the text.
			texts[e.Text.ItemID] = texts[e.Text.ItemID][:e.Text.Offset] + e.Text.Text
		}
	}
	return texts
}

// restartScript makes the fake agents play their script from the start again.
func (h *appData) restartScript() {
	h.t.Helper()
	if err := os.RemoveAll(filepath.Join(h.home, "turns")); err != nil {
		h.t.Fatal(err)
	}
}

// prompts returns all prompts in the sessions that agents saved, with the number of times that each prompt occurs.
func (h *appData) prompts() map[string]int {
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
