package chaos_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// oldRows is data from the first VoxPilot version: a chat with an answered message, a
// queued one, and a turn that was running when the app was killed.
const oldRows = `
CREATE TABLE goose_db_version (id INTEGER PRIMARY KEY AUTOINCREMENT, version_id INTEGER NOT NULL, is_applied INTEGER NOT NULL, tstamp TIMESTAMP DEFAULT (datetime('now')));
INSERT INTO goose_db_version (version_id, is_applied) VALUES (0, 1), (1, 1);
INSERT INTO chats VALUES ('chat', 'Old', 0, '/tmp', 'copilot', 'running', 1, '', 0, 'a draft', 1, 1);
INSERT INTO turns VALUES ('turn', 'chat', 'main', 'running', '', NULL, 1, 0);
INSERT INTO items VALUES ('said', 'chat', 'turn', '', 'main', 1, 'user', 0, 1, 1, NULL, NULL, NULL, 0);
INSERT INTO items VALUES ('answer', 'chat', 'turn', '', 'main', 2, 'message', 1, 1, 0, NULL, NULL, NULL, 0);
INSERT INTO texts VALUES ('said', 0, CAST('the message' AS BLOB)), ('answer', 0, CAST('the ' AS BLOB)), ('answer', 4, CAST('answer' AS BLOB));
INSERT INTO queued VALUES ('waits', 'chat', 'what waits', 1, 0, 1);
`

// createVersion1 creates the database of the first VoxPilot version in dir.
func createVersion1(t *testing.T, dir string) {
	t.Helper()
	schema, err := os.ReadFile(filepath.Join("..", "..", "backend", "store", "migrations", "00001_first.sql"))
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, "voxpilot.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, statements := range []string{string(schema), oldRows} {
		if _, err := db.Exec(statements); err != nil {
			t.Fatal(err)
		}
	}
}

func TestChaosKillWhileOpening_LosesNothing(t *testing.T) {
	rounds, seed := chaos.Runs(5, 200), chaos.Seed(t)
	result := chaos.Row(t, "SIGKILL of the app while it opens or upgrades its data", rounds)
	program := apptest.FakeAgentProgram(t, fakeagent.Script{})

	// The duration determines the moments for the kills.
	h := newAppData(t)
	createVersion1(t, h.dir)
	started := time.Now()
	l := h.start(program)
	l.waitForOpen()
	opening := time.Since(started)
	l.quit()

	opened := 0
	for round := range rounds {
		r := chaos.Rand(t, seed, round)
		h := newAppData(t)
		createVersion1(t, h.dir)
		for range 1 + r.IntN(3) { // again, on the remains of the previous kill
			l := h.start(program)
			<-time.After(time.Duration(r.Int64N(int64(opening))))
			h.waitForAllExits(l.kill())
		}
		if left := h.read(); left.texts["said"] != "the message" || left.texts["answer"] != "the answer" ||
			left.queued["waits"] != "what waits" || left.drafts["chat"] != "a draft" {
			t.Fatalf("in round %d the database was left with %+v", round, left)
		} else if left.running["turn"] == "" {
			opened++
		}
		l := h.start(program)
		var storage backend.StorageState
		var waits, interrupted bool
		for _, e := range l.waitForOpen().Events {
			switch {
			case e.Storage != nil:
				storage = e.Storage.State
			case e.Queued != nil:
				waits = e.Queued.Text == "what waits" && e.Queued.Paused
			case e.Chat != nil:
				interrupted = e.Chat.TurnState == backend.TurnInterrupted && e.Chat.Draft == "a draft"
			}
		}
		if storage != backend.StorageOK || !waits || !interrupted {
			t.Fatalf("in round %d the next start shows the storage as %s, that the message waits: %v, that the turn was interrupted: %v", round, storage, waits, interrupted)
		}
		text := displayedTexts(l.snapshot("/data/chat?id=chat").Events)
		if text["said"] != "the message" || text["answer"] != "the answer" {
			t.Fatalf("in round %d the next start shows %q", round, text)
		}
		l.quit()
		h.waitForAllExits(time.Now())
	}
	result("all stored data was there at the next start; %d times the data had been opened before the kill", opened)
}
