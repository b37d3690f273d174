package store_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/internal/need"
)

// TestBackup_FullDiskChangesNothing checks that a database of an older version isn't changed if there is no disk space
// for its backup. The test runs itself again in a mount namespace with a small disk, which needs no root privileges and
// leaves nothing behind.
func TestBackup_FullDiskChangesNothing(t *testing.T) {
	small := need.SmallDisk(t, "1500k")
	if small == "" {
		return
	}
	made := newVersionDir(t, 1)
	db := sqlite(t, made)
	if _, err := db.Exec("INSERT INTO texts VALUES ('item2', 31, randomblob(1000000))"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(made, "voxpilot.db"))
	if err == nil {
		err = os.WriteFile(filepath.Join(small, "voxpilot.db"), data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	s, storage, err := store.Open(context.Background(), small)
	if err == nil {
		closeStore(t, s)
		t.Fatal("it was opened")
	}
	if storage.State != backend.StorageUnusable || !strings.Contains(storage.Message.String(), "Free up some space") {
		t.Errorf("it says %+v", storage)
	}
	if copies, err := filepath.Glob(filepath.Join(small, "voxpilot-*.db")); err != nil || len(copies) > 0 {
		t.Errorf("what is left is %q, %v", copies, err)
	}
	if diff := cmp.Diff(allValues(t, filepath.Join(made, "voxpilot.db")), allValues(t, filepath.Join(small, "voxpilot.db"))); diff != "" {
		t.Errorf("the data was changed:\n%s", diff)
	}
}
