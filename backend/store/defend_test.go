package store

import (
	"database/sql"
	"path/filepath"
	"testing"
)

// sqliteVersion is the expected version of SQLite. Change it with each driver update,
// after running the tests of this package.
const sqliteVersion = "3.54.1"

// newConnection opens a database in the same way as the store's connections.
func newConnection(t *testing.T) *sql.DB {
	t.Helper()
	db, err := openPool(filepath.Join(t.TempDir(), "x.db"), 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	pool, err := db.DB()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
	})
	return pool
}

func TestEngine_HasKnownVersion(t *testing.T) {
	var version string
	if err := newConnection(t).QueryRow("SELECT sqlite_version()").Scan(&version); err != nil || version != sqliteVersion {
		t.Errorf("got SQLite %s, %v, want %s", version, err, sqliteVersion)
	}
}

func TestConnections_TrustNoFileContents(t *testing.T) {
	db := newConnection(t)
	for pragma, want := range map[string]int{"trusted_schema": 0, "cell_size_check": 1} {
		var got int
		if err := db.QueryRow("PRAGMA " + pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s: got %d, %v, want %d", pragma, got, err, want)
		}
	}
}

func TestConnections_AreDefensive(t *testing.T) {
	db := newConnection(t)
	for _, statement := range []string{
		"CREATE TABLE t (a)", "CREATE VIRTUAL TABLE f USING fts5(a)", "INSERT INTO f VALUES ('x')", "PRAGMA writable_schema = on",
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	for _, statement := range []string{"DELETE FROM sqlite_schema", "UPDATE sqlite_schema SET sql = ''", "DELETE FROM f_data", "UPDATE f_config SET v = 9"} {
		if _, err := db.Exec(statement); err == nil {
			t.Errorf("%s: got no error", statement)
		}
	}
}
