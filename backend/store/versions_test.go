package store_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pressly/goose/v3"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

// released lists the migrations that users may already have applied, each with the start of its checksum. A released
// migration must never change, because it isn't applied again.
var released = []struct{ name, sum string }{
	{"00001_first.sql", "da8e7c3447c279f8"},
	{"00002_engine.sql", "8a58e536f9d011df"},
	{"00003_account.sql", "6f02986355217a96"},
	{"00004_window.sql", "3991e2ece35605da"},
	{"00005_search.sql", "28399bdfec3fe5e2"},
	{"00006_words.sql", "6b0963daa75f3b8b"},
	{"00007_files.sql", "b04cfb08eff65319"},
	{"00008_daily.sql", "4405d7dbdd815e94"},
	{"00009_trust.sql", "97bf67a274ec7cfd"},
	{"00010_trusted.sql", "6722566d48e06a21"},
	{"00011_sandbox.sql", "4e3682b1c9625ace"},
	{"00012_undo.sql", "98fc3e4b2b249858"},
	{"00013_branches.sql", "1f6b430b4ad15cd8"},
	{"00014_viewed.sql", "cedf593e38e89fc5"},
	{"00015_review_comments.sql", "6fafcd15b8786eaf"},
	{"00016_review_drafts.sql", "25c59b3eb96d3355"},
	{"00017_session_texts.sql", "80a07d35c64d5c45"},
}

func TestMigrations_ReleasedOnesUnchanged(t *testing.T) {
	if all := mustValue(fs.Glob(os.DirFS("migrations"), "*.sql")); len(released) < len(all)-1 {
		t.Errorf("what came before %s is in use: list it, and test its data with testdata/version%d.sql", all[len(all)-1], len(all)-1)
	}
	for _, migration := range released {
		data, err := os.ReadFile(filepath.Join("migrations", migration.name))
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(data)
		if got := hex.EncodeToString(sum[:8]); got != migration.sum {
			t.Errorf("%s was changed (%s): add a migration instead", migration.name, got)
		}
	}
}

// newVersionDir returns a data directory as written by a VoxPilot with the given schema version. It contains the rows
// of the first version, and a value other than the default in every table and column of later versions. It has no open
// items and no running turns, so that opening it changes only the schema.
func newVersionDir(t *testing.T, version int) (dir string) {
	t.Helper()
	dir = newVersion1Dir(t)
	db := sqlite(t, dir)
	run := func(query string) {
		t.Helper()
		if _, err := db.Exec(query); err != nil {
			t.Fatal(err)
		}
	}
	run("UPDATE turns SET state = 'interrupted', ended_at = 1763700102000 WHERE state = 'running'")
	run("UPDATE chats SET turn_state = 'interrupted', turn_since = 1763700102000")
	run("UPDATE items SET open = 0, ended_at = 1763700102000 WHERE open = 1")
	run("UPDATE acp_sessions SET state = 'away'")
	run("UPDATE queued SET paused = 1")
	run("INSERT INTO settings VALUES ('cliPath', '\"/usr/bin/copilot\"')")
	for number := 2; number <= version; number++ {
		provider, err := goose.NewProvider(goose.DialectSQLite3, db, os.DirFS("migrations"), goose.WithDisableGlobalRegistry(true))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := provider.UpTo(t.Context(), int64(number)); err != nil {
			t.Fatal(err)
		}
		rows, err := os.ReadFile(filepath.Join("testdata", fmt.Sprintf("version%d.sql", number)))
		if err != nil {
			t.Fatal(err)
		}
		run(string(rows))
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// allValues returns all values in a database by table and column, in row order.
func allValues(t *testing.T, path string) map[string]map[string][]string {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	all := map[string]map[string][]string{}
	for _, table := range tables(t, db) {
		all[table] = map[string][]string{}
		for _, name := range column(t, db, fmt.Sprintf("SELECT name FROM pragma_table_info('%s')", table)) {
			all[table][name] = column(t, db, fmt.Sprintf(`SELECT quote("%s") FROM %s ORDER BY rowid`, name, table))
		}
	}
	return all
}

func TestMigrate_EveryVersionLosesNothing(t *testing.T) {
	beginning := allValues(t, filepath.Join(newVersionDir(t, 1), "voxpilot.db"))
	for version := 1; version <= len(released); version++ {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			ctx := context.Background()
			dir := newVersionDir(t, version)
			path := filepath.Join(dir, "voxpilot.db")
			before := allValues(t, path)
			for table, columns := range before {
				for name, rows := range columns {
					_, old := beginning[table][name]
					plain := func(v string) bool { return v == "NULL" || v == "0" || v == "''" }
					if len(rows) == 0 || !old && table != "search_state" && !slices.ContainsFunc(rows, func(v string) bool { return !plain(v) }) {
						t.Errorf("%s.%s has only %q, so its migration is not tested", table, name, rows)
					}
				}
			}

			s, storage, err := store.Open(ctx, dir)
			if err != nil {
				t.Fatal(err)
			}
			newestVersion := len(mustValue(fs.Glob(os.DirFS("migrations"), "*.sql")))
			if version == newestVersion {
				if storage.Backup != "" {
					t.Errorf("a copy was made: %s", storage.Backup)
				}
			} else if diff := cmp.Diff(before, allValues(t, storage.Backup)); diff != "" {
				t.Errorf("the copy is not what was there (-want +got):\n%s", diff)
			}
			after := allValues(t, path)
			delete(before, "search_state")
			for table, columns := range before {
				for name, rows := range columns {
					if diff := cmp.Diff(rows, after[table][name]); diff != "" {
						t.Errorf("%s.%s (-before +after):\n%s", table, name, diff)
					}
				}
			}

			// The window can show everything, and the search finds it.
			got := newest(append(appEvents(t, s), firstOf(chatEvents(t, s, "chat", 100))...))
			if got["Chat chat"].Chat == nil || got["Item item1"].Item == nil || got["Turn turn1"].Turn == nil || got["Queued queued1"].Queued == nil {
				t.Errorf("the window gets %v", got)
			}
			upkeep, end := context.WithCancel(ctx)
			done := make(chan error, 1)
			go func() { done <- s.Maintain(upkeep) }()
			for deadline := time.Now().Add(time.Minute); searchResult(t, s, "größe") != "message item2"; <-time.After(5 * time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatalf("the search finds %q", searchResult(t, s, "größe"))
				}
			}
			end()
			if err := <-done; err != nil {
				t.Error(err)
			}
			db := sqlite(t, dir)
			if check := column(t, db, "SELECT integrity_check FROM pragma_integrity_check"); !slices.Equal(check, []string{"ok"}) {
				t.Errorf("the database is damaged: %q", check)
			}
			if broken := column(t, db, `SELECT "table" FROM pragma_foreign_key_check`); len(broken) > 0 {
				t.Errorf("rows of %q belong to nothing", broken)
			}
			if err := errors.Join(db.Close(), s.Close()); err != nil {
				t.Error(err)
			}

			// The next start doesn't have to change anything.
			s, storage, err = store.Open(ctx, dir)
			if err != nil || storage.Backup != "" {
				t.Fatalf("the next start: %+v, %v", storage, err)
			}
			closeStore(t, s)
		})
	}
}

// TestBackup_RestoredByName checks that the instructions in docs/updates.md restore the backup of an older version.
func TestBackup_RestoredByName(t *testing.T) {
	dir := newVersionDir(t, 1)
	s, storage, err := store.Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "later", Title: "Made by the newer version"}})
	closeStore(t, s)
	copied := allValues(t, storage.Backup)
	if err := os.Rename(storage.Backup, filepath.Join(dir, "voxpilot.db")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(copied, allValues(t, filepath.Join(dir, "voxpilot.db"))); diff != "" {
		t.Errorf("the copy was changed (-want +got):\n%s", diff)
	}
	s = openAny(t, dir)
	got := newest(appEvents(t, s))
	if got["Chat chat"].Chat == nil || got["Chat later"].Chat != nil {
		t.Errorf("the chats are %v", got)
	}
}

func openAny(t *testing.T, dir string) *store.Store {
	t.Helper()
	s, _, err := store.Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeStore(t, s) })
	return s
}

func TestBackup_TruncatedIsIgnored(t *testing.T) {
	dir := newVersionDir(t, 1)
	// This file remains if the app is killed during the backup.
	if err := os.WriteFile(filepath.Join(dir, "voxpilot-copying.db"), []byte(strings.Repeat("half a database", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	before := allValues(t, filepath.Join(dir, "voxpilot.db"))
	_, storage, err := func() (*store.Store, backend.Storage, error) {
		s, storage, err := store.Open(context.Background(), dir)
		if err == nil {
			closeStore(t, s)
		}
		return s, storage, err
	}()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, allValues(t, storage.Backup)); diff != "" {
		t.Errorf("the copy is not what was there (-want +got):\n%s", diff)
	}
	if left := mustValue(filepath.Glob(filepath.Join(dir, "voxpilot-copying*"))); len(left) > 0 {
		t.Errorf("what is left is %q", left)
	}
}

func mustValue[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
