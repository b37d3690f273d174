package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/voxpilot/voxpilot/backend"
)

// futureMigrations returns the migrations of a later version of VoxPilot: the current ones, and another one for each
// of the given statements.
func futureMigrations(t testing.TB, more ...string) fs.FS {
	t.Helper()
	files := fstest.MapFS{}
	names, err := fs.Glob(embedded, "migrations/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := fs.ReadFile(embedded, name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = &fstest.MapFile{Data: data}
	}
	version, err := newest(files)
	if err != nil {
		t.Fatal(err)
	}
	for i, statement := range more {
		number := version + int64(i) + 1
		files[fmt.Sprintf("%05d_more.sql", number)] = &fstest.MapFile{
			Data: fmt.Appendf(nil, "-- +goose Up\n%s;\nPRAGMA user_version = %d;\n", statement, number),
		}
	}
	return files
}

func mustOpen(t *testing.T, dir string, migrations fs.FS) *Store {
	t.Helper()
	s, storage, err := open(context.Background(), dir, migrations)
	if err != nil {
		t.Fatalf("Open: %v (%+v)", err, storage)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func mustClose(t *testing.T, s *Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}
}

func backups(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "voxpilot-before-*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestMigrate_LatestSetsVersion(t *testing.T) {
	migrations := futureMigrations(t)
	target, err := newest(migrations)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	mustOpen(t, dir, migrations)
	// The file's header contains the version even while the file is in use.
	header, err := os.ReadFile(filepath.Join(dir, fileName))
	if err != nil {
		t.Fatal(err)
	}
	if got := userVersion(header); got != target {
		t.Errorf("user_version is %d, the newest migration %d", got, target)
	}
	if found := backups(t, dir); len(found) != 0 {
		t.Errorf("a new file was backed up: %q", found)
	}
}

func TestMigrate_BacksUpFirst(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	steps := []string{}
	for i := range maxBackups + 2 {
		s := mustOpen(t, dir, futureMigrations(t, steps...))
		if err := s.Apply(ctx, []backend.Event{{Chat: &backend.Chat{ID: fmt.Sprint(i)}}}, false); err != nil {
			t.Fatal(err)
		}
		mustClose(t, s)
		steps = append(steps, fmt.Sprintf("CREATE TABLE more%d (a TEXT) STRICT", i))
	}
	found := backups(t, dir)
	if len(found) != maxBackups {
		t.Fatalf("the backups are %q", found)
	}
	for i, path := range found {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s can be used by others: %v, %v", path, info.Mode(), err)
		}
		// The backup is a complete database from before its migration.
		old := t.TempDir()
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(old, fileName), data, 0o600); err != nil {
			t.Fatal(err)
		}
		s := mustOpen(t, old, futureMigrations(t, steps[:i+1]...))
		var chats []chatRow
		if err := s.Read(ctx, func(v *ReadTx) error { return v.query(ctx, &chats, "SELECT * FROM chats") }); err != nil {
			t.Fatal(err)
		}
		if len(chats) != i+2 {
			t.Errorf("%s has %d chats", path, len(chats))
		}
	}
}

func TestBackup_OnlyOwnOldCopiesRemoved(t *testing.T) {
	dir := t.TempDir()
	mustClose(t, mustOpen(t, dir, futureMigrations(t)))
	keep := []string{
		// The clock was set back, so these names are later than that of the new backup.
		"voxpilot-before-29990101-000000.000-v1.db", "voxpilot-before-29990101-000000.001-v1.db",
		// These belong to the user.
		"voxpilot-before-20200101-000000.000-v1.db.keep", "voxpilot-before-20200101-000000.000-v1 (copy).db", "voxpilot-before-the-holidays.db",
	}
	for _, name := range append(keep, "voxpilot-before-20200101-000000.000-v1.db") {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// This backup can't be removed, because it is a directory with a file in it.
	stuck := "voxpilot-before-20190101-000000.000-v1.db"
	if err := os.MkdirAll(filepath.Join(dir, stuck, "in"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := mustOpen(t, dir, futureMigrations(t, "CREATE TABLE more (a TEXT) STRICT"))
	keep = append(keep, stuck, filepath.Base(s.backup))
	var left []string
	for _, path := range backups(t, dir) {
		left = append(left, filepath.Base(path))
	}
	slices.Sort(keep)
	if !slices.Equal(left, keep) {
		t.Errorf("what is left is %q, want %q", left, keep)
	}
}

func TestMigrate_FailureChangesNothing(t *testing.T) {
	dir := t.TempDir()
	mustClose(t, mustOpen(t, dir, futureMigrations(t)))
	before, err := os.ReadFile(filepath.Join(dir, fileName))
	if err != nil {
		t.Fatal(err)
	}
	s, storage, err := open(context.Background(), dir, futureMigrations(t, "ALTER TABLE chats ADD COLUMN more TEXT; SELECT nonsense"))
	if s != nil || err == nil || storage.State != backend.StorageUnusable || !strings.Contains(storage.Message.String(), dir) {
		t.Errorf("Open: %+v, %v", storage, err)
	}
	after, err := os.ReadFile(filepath.Join(dir, fileName))
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file was changed, %v", err)
	}
	mustOpen(t, dir, futureMigrations(t))
}

func TestMigrate_DamagedFileSalvagedFirst(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	s := mustOpen(t, dir, futureMigrations(t))
	if err := s.Apply(ctx, []backend.Event{{Chat: &backend.Chat{ID: "chat"}}}, false); err != nil {
		t.Fatal(err)
	}
	// The index of the settings key has one page, which is still empty.
	var page int64
	if err := s.conn.QueryRowContext(ctx, "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_settings_1'").Scan(&page); err != nil {
		t.Fatal(err)
	}
	mustClose(t, s)
	file, err := os.OpenFile(filepath.Join(dir, fileName), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteAt(bytes.Repeat([]byte{0x99}, 4096), (page-1)*4096); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, suspectName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s, storage, err := open(ctx, dir, futureMigrations(t, "ALTER TABLE chats ADD COLUMN more TEXT NOT NULL DEFAULT 'new'"))
	if err != nil || storage.State != backend.StorageSalvaged {
		t.Fatalf("Open: %+v, %v", storage, err)
	}
	t.Cleanup(func() { _ = s.Close() })
	var more string
	if err := s.conn.QueryRowContext(ctx, "SELECT more FROM chats WHERE id = 'chat'").Scan(&more); err != nil || more != "new" {
		t.Errorf("the new column is %q, %v", more, err)
	}
}

// codedError is an error with an SQLite result code.
type codedError int

func (c codedError) Error() string { return fmt.Sprintf("code %d", int(c)) }
func (c codedError) Code() int     { return int(c) }

func TestErrors_HaveAdvice(t *testing.T) {
	for _, test := range []struct {
		code int
		want backend.Code
		says string
	}{
		{sqliteFull, backend.CodeStorage, "Free up some space"},
		{sqliteBusy, backend.CodeStorage, "Quit that program"},
		{sqliteLocked | 1<<8, backend.CodeStorage, "Quit that program"},
		{sqliteReadOnly | 4<<8, backend.CodeStorage, "Check the permissions"},
		{sqliteCantOpen, backend.CodeStorage, "Check the permissions"},
		{sqliteIOErr | 12<<8, backend.CodeStorage, "Check that it's connected"},
		{sqliteCorrupt | 1<<8, backend.CodeStorage, "Restart VoxPilot"},
		{sqliteNotADB, backend.CodeStorage, "Restart VoxPilot"},
		{sqliteConstraint | 5<<8, backend.CodeInvalid, "report this"},
		{sqliteTooBig, backend.CodeInvalid, "report this"},
		{99, backend.CodeStorage, "If this keeps happening, restart VoxPilot"},
	} {
		err := explain(backend.Plain("VoxPilot could not save this"), fmt.Errorf("wrapped: %w", codedError(test.code)))
		if backend.CodeOf(err) != test.want || !strings.HasPrefix(err.Error(), "VoxPilot could not save this. ") || !strings.Contains(err.Error(), test.says) {
			t.Errorf("code %d: %s, %v", test.code, backend.CodeOf(err), err)
		}
	}
	if err := explain(backend.Plain("VoxPilot could not save this"), context.Canceled); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context: %v", err)
	}
}

func TestBatch_DurableSyncsToDisk(t *testing.T) {
	s := mustOpen(t, t.TempDir(), futureMigrations(t))
	for _, durable := range []bool{false, true, true, false} {
		if err := s.Apply(context.Background(), nil, durable); err != nil {
			t.Fatal(err)
		}
		var mode int
		if err := s.conn.QueryRowContext(context.Background(), "PRAGMA synchronous").Scan(&mode); err != nil {
			t.Fatal(err)
		}
		if want := map[bool]int{false: 1, true: 2}[durable]; mode != want { // NORMAL, FULL
			t.Errorf("for durable %t, synchronous is %d", durable, mode)
		}
	}
}
