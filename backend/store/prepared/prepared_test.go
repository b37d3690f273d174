package prepared_test

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"

	_ "github.com/glebarez/sqlite" // the driver
	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store/prepared"
)

// openConn opens an empty database and returns its connection and statements.
func openConn(t *testing.T) (*sql.Conn, *prepared.Statements) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+t.TempDir()+"/test.db?_pragma=foreign_keys(on)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s, err := prepared.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return conn, s
}

func mustExec(t *testing.T, s *prepared.Statements, text string, args ...any) int64 {
	t.Helper()
	changed, err := s.Exec(text, args...)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return changed
}

// TestExec_ValuesAsFromDriver checks that each type of parameter is stored as the driver stores it.
func TestExec_ValuesAsFromDriver(t *testing.T) {
	conn, s := openConn(t)
	mustExec(t, s, "CREATE TABLE kept (value)")
	long := strings.Repeat("é", 100_000)
	for _, value := range []any{
		nil, "", "é\x00🍞", long, []byte(nil), []byte{}, []byte{0, 255}, []byte(long), int64(-1 << 63), 7, true, false, 1.5, backend.Millis(1763700106000), backend.ItemUser,
		sql.NullString{}, sql.NullString{String: "set", Valid: true},
	} {
		const insert, read = "INSERT INTO kept VALUES (?)", "SELECT typeof(value), quote(value) FROM kept"
		stored := func() (got [2]string) {
			t.Helper()
			if err := conn.QueryRowContext(t.Context(), read).Scan(&got[0], &got[1]); err != nil {
				t.Fatal(err)
			}
			mustExec(t, s, "DELETE FROM kept")
			return got
		}
		if _, err := conn.ExecContext(t.Context(), insert, value); err != nil {
			t.Fatal(err)
		}
		want := stored()
		if changed := mustExec(t, s, insert, value); changed != 1 {
			t.Errorf("%d rows changed", changed)
		}
		if diff := cmp.Diff(want, stored()); diff != "" {
			t.Errorf("%T (-driver +prepared):\n%.500s", value, diff)
		}
	}
	if _, err := s.Exec("INSERT INTO kept VALUES (?)", struct{}{}); err == nil {
		t.Error("a struct was stored")
	}
}

func TestExec_ErrorsHaveCodes(t *testing.T) {
	conn, s := openConn(t)
	mustExec(t, s, "CREATE TABLE owners (id INTEGER PRIMARY KEY)")
	mustExec(t, s, "CREATE TABLE owned (owner INTEGER REFERENCES owners (id))")
	for text, want := range map[string]int{
		"INSERT INTO owned VALUES (1)":   787,  // SQLITE_CONSTRAINT_FOREIGNKEY
		"INSERT INTO missing VALUES (1)": 1,    // SQLITE_ERROR
		"INSERT INTO owners VALUES (2)":  1555, // SQLITE_CONSTRAINT_PRIMARYKEY
	} {
		mustExec(t, s, "INSERT OR IGNORE INTO owners VALUES (2)")
		_, err := s.Exec(text)
		failure, is := errors.AsType[*prepared.Error](err)
		if !is || failure.Code() != want || failure.Error() == "" {
			t.Errorf("%s: %v", text, err)
		}
	}
	// A failed statement can be used again.
	mustExec(t, s, "INSERT INTO owners VALUES (1)")
	mustExec(t, s, "INSERT INTO owned VALUES (1)")
	if changed := mustExec(t, s, "INSERT INTO owners VALUES (1) ON CONFLICT DO NOTHING"); changed != 0 {
		t.Errorf("%d rows changed", changed)
	}
	result, err := s.Pool(conn).ExecContext(t.Context(), "UPDATE owners SET id = id")
	if n, _ := result.RowsAffected(); err != nil || n != 2 {
		t.Errorf("%d rows changed: %v", n, err)
	}
}

// TestExec_MovingStack checks that values survive while the stack of the goroutine grows.
func TestExec_MovingStack(t *testing.T) {
	conn, s := openConn(t)
	mustExec(t, s, "CREATE TABLE kept (n INTEGER, value TEXT)")
	done := make(chan error)
	for n := range 200 {
		go func() {
			_, err := s.Exec("INSERT INTO kept VALUES (?, ?)", n, fmt.Sprint("value ", n))
			done <- err
		}()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	var right int
	if err := conn.QueryRowContext(t.Context(), "SELECT count(*) FROM kept WHERE value = 'value ' || n").Scan(&right); err != nil || right != 200 {
		t.Errorf("%d rows are right: %v", right, err)
	}
}
