package store_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

func TestInspect_OpenAndClosedDatabase(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	settings := backend.DefaultSettings()
	settings.CLIPath = "/opt/copilot"
	login := backend.Login{ID: "github.com/octocat", Host: "github.com", Login: "octocat", Kind: backend.LoginToken, Key: backend.KeyKeychain}
	apply(t, s, backend.Event{Settings: &settings}, backend.Event{Login: &login})
	for _, inUse := range []bool{true, false} {
		if !inUse {
			closeStore(t, s)
		}
		in := store.Inspect(context.Background(), dir)
		if in.InUse != inUse || in.Storage.State != backend.StorageOK || (!in.Storage.Message.IsZero()) != inUse {
			t.Errorf("in use %v: %+v", inUse, in)
		}
		if diff := cmp.Diff([]any{settings, []backend.Login{login}}, []any{in.Settings, in.Logins}); diff != "" {
			t.Errorf("in use %v (-want +got):\n%s", inUse, diff)
		}
	}
}

func TestInspect_ReportsProblemsReadOnly(t *testing.T) {
	dir := t.TempDir()
	if in := store.Inspect(context.Background(), dir); in.Storage.State != backend.StorageOK || in.Storage.Message.IsZero() || in.Settings.Mode != backend.ModeAsk {
		t.Errorf("of none: %+v", in)
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("it made %v", entries)
	}
	path := filepath.Join(dir, "voxpilot.db")
	if err := os.WriteFile(path, []byte("no database at all, but of some length"), 0o600); err != nil {
		t.Fatal(err)
	}
	if in := store.Inspect(context.Background(), dir); in.Storage.State != backend.StorageUnusable || in.Storage.Message.IsZero() {
		t.Errorf("of another file: %+v", in)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	closeStore(t, openStore(t, dir))
	db := sqlite(t, dir)
	if _, err := db.Exec("PRAGMA user_version = 999"); err != nil {
		t.Fatal(err)
	}
	if in := store.Inspect(context.Background(), dir); in.Storage.State != backend.StorageNewer {
		t.Errorf("of a newer one: %+v", in)
	}
}
