package snapshot_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend/snapshot"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/need"
)

func TestFullDisk_SnapshotAndUndoChangeNothing(t *testing.T) {
	disk := need.SmallDisk(t, "4m")
	if disk == "" {
		return
	}
	chaos.Row(t, "Full disk during an undo, a redo and a snapshot, then room again", 3)("nothing changed on the full disk; all went back afterward")
	f := newFixture(t)
	work, data := filepath.Join(disk, "work"), t.TempDir()
	f.noErr(os.Mkdir(work, 0o700))
	f.dir, f.cfg.Data = work, data
	f.open()
	for _, name := range []string{"a", "b", "c"} {
		f.write(name, strings.Repeat("before\n", 100_000))
	}
	before := f.snapshot()
	for _, name := range []string{"a", "b", "c"} {
		f.write(name, "after")
	}
	after := f.snapshot()
	fill := filepath.Join(disk, "fill")
	filled := fillDisk(t, fill)
	want := readTree(t, f.dir)
	if _, err := f.store.Apply(t.Context(), f.plan(before.ID, after.ID), nil); err == nil {
		t.Error("an undo on a full disk succeeds")
	}
	assertTree(t, readTree(t, f.dir), want)
	f.noErr(os.Truncate(fill, filled/4))
	if res := f.undo(before.ID, after.ID, nil); len(res.Done) != 3 {
		t.Errorf("with space again: got %+v", res)
	}
	undone := f.snapshot()
	fillDisk(t, fill+"2")
	full := readTree(t, f.dir)
	if _, err := f.store.Apply(t.Context(), f.plan(after.ID, undone.ID), nil); err == nil {
		t.Error("a redo on a full disk succeeds")
	}
	assertTree(t, readTree(t, f.dir), full)
	f.noErr(os.Remove(fill + "2"))
	f.undo(after.ID, undone.ID, nil)
	assertTree(t, readTree(t, f.dir), want)

	// The store is on the full disk.
	f.noErr(os.Remove(fill))
	f.dir, f.cfg.Data = t.TempDir(), filepath.Join(disk, "data")
	f.open()
	f.write("a", "1")
	first := f.snapshot()
	fillDisk(t, fill)
	f.write("a", strings.Repeat("x", 100_000)+"2")
	f.write("b", randomText(1<<20))
	if _, err := f.store.Snapshot(t.Context()); err == nil {
		t.Error("a snapshot on a full disk succeeds")
	}
	if _, content, err := f.store.Read(first.ID, "a"); err != nil || string(content) != "1" {
		t.Errorf("got %q (%v), want the earlier snapshot", content, err)
	}
	f.noErr(os.Remove(fill))
	var second snapshot.Snapshot
	if second = f.snapshot(); second.Files != 2 {
		t.Errorf("got %+v, want 2 files", second)
	}
	if _, content, err := f.store.Read(second.ID, "b"); err != nil || len(content) != 1<<20 {
		t.Errorf("got %d bytes (%v)", len(content), err)
	}
}

// fillDisk writes a file until the disk is full, and returns its size.
func fillDisk(t *testing.T, path string) (size int64) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for {
		n, err := file.Write(make([]byte, 4096))
		size += int64(n)
		if err != nil {
			_ = file.Close()
			return size
		}
	}
}
