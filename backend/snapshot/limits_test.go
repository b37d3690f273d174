package snapshot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// omitted returns the paths that a snapshot leaves out for the given reason. It fails the test if the snapshot leaves
// out any path for another reason.
func (f *fixture) omitted(snap snapshot.Snapshot, reason snapshot.Reason) (paths []string) {
	f.t.Helper()
	for _, o := range snap.Omitted {
		if o.Reason != reason {
			f.t.Errorf("%s is left out: %s", o.Path, o.Reason)
		}
		paths = append(paths, o.Path)
	}
	if len(paths) != snap.OmittedCount {
		f.t.Errorf("got %d omissions and a count of %d", len(paths), snap.OmittedCount)
	}
	return paths
}

// TestSnapshot_MaxTotalDependsOnPaths checks a folder that is too large. Only the paths and sizes of the files may
// determine which ones are left out, and a file that is in a snapshot must also be in the next ones.
func TestSnapshot_MaxTotalDependsOnPaths(t *testing.T) {
	const dirs, files, size = 20, 10, 1000
	f := newFixture(t, func(c *snapshot.Config) { c.MaxTotal = dirs * files * size / 2 })
	var all []string
	for i := range dirs {
		for j := range files {
			all = append(all, fmt.Sprintf("d%02d/f%d", i, j))
			f.write(all[len(all)-1], fmt.Sprintf("%04d", len(all))+strings.Repeat("x", size-4))
		}
	}
	first := f.snapshot()
	want := all[len(all)/2:]
	if got := f.omitted(first, snapshot.TooMuch); !slices.Equal(got, want) || first.Files != len(all)/2 {
		t.Errorf("got %d files without %v", first.Files, got)
	}
	if segment, err := f.size(); err != nil || segment > 250_000 {
		t.Errorf("the store has %d bytes (%v)", segment, err)
	}
	for i := range 5 {
		if next := f.snapshot(); next.ID != first.ID {
			t.Errorf("the snapshot without a change differs: without %v", f.omitted(next, snapshot.TooMuch))
		}
		store, err := f.stores.Open(fmt.Sprint("other", i), f.dir)
		f.noErr(err)
		if other, err := store.Snapshot(t.Context()); err != nil || other.ID != first.ID {
			t.Errorf("another chat's snapshot differs (%v): without %v", err, f.omitted(other, snapshot.TooMuch))
		}
	}
	f.noErr(f.stores.Close())
	f.open()
	if f.snapshot().ID != first.ID {
		t.Error("the snapshot after a restart differs")
	}
	// The folder now exceeds the limit even more, but files that were recorded stay in the snapshots.
	f.write("a", strings.Repeat("y", 2*size))
	grown := f.snapshot()
	if got := f.omitted(grown, snapshot.TooMuch); !slices.Equal(got, want) || grown.Files != len(all)/2+1 {
		t.Errorf("after a new file, got %d files without %v", grown.Files, got)
	}
	f.remove("a")
	for i := range dirs / 2 {
		f.remove(fmt.Sprintf("d%02d", i))
	}
	if got := f.omitted(f.snapshot(), snapshot.TooMuch); len(got) != 0 {
		t.Errorf("after there is space, %v are left out", got)
	}
}

func TestSnapshot_TooDeepFolders(t *testing.T) {
	f := newFixture(t)
	deep := strings.TrimSuffix(strings.Repeat("d/", 200), "/")
	f.write(deep+"/f", "1")
	f.write(deep+"/e/f", "1")
	f.write("a", "1")
	first := f.snapshot()
	if got := f.omitted(first, snapshot.TooDeep); !slices.Equal(got, []string{deep + "/e"}) || first.Files != 2 {
		t.Errorf("got %d files without %v", first.Files, got)
	}
	if f.snapshot().ID != first.ID {
		t.Error("the snapshot without a change differs")
	}
	f.write(deep+"/f", "2")
	f.write(deep+"/e/f", "2")
	f.undo(first.ID, f.snapshot().ID, nil)
	for name, want := range map[string]string{deep + "/f": "1", deep + "/e/f": "2"} {
		if got := f.read(name); got != want {
			t.Errorf("%s: got %q, want %q", name[len(deep):], got, want)
		}
	}
}
