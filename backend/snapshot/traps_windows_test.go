package snapshot_test

import (
	"os"
	"slices"
	"testing"

	"github.com/voxpilot/voxpilot/backend/snapshot"
	"github.com/voxpilot/voxpilot/internal/chaos"
)

// TestTraps_OpenFile checks an undo while another program has files open, which therefore can't be replaced or removed.
// These files stay unchanged, and can be restored once they are closed. The other files are restored at once.
func TestTraps_OpenFile(t *testing.T) {
	chaos.Row(t, "Files that another program has open on Windows", 2)("skipped and named; they went back once they were closed")
	f := newFixture(t)
	f.write("edited", "1")
	f.write("other", "1")
	want := readTree(t, f.dir)
	before := f.snapshot()
	f.write("edited", "2")
	f.write("other", "2")
	f.write("new", "2")
	after := f.snapshot()
	changed := readTree(t, f.dir)
	var open []*os.File
	for _, name := range []string{"edited", "new"} {
		file, err := os.Open(f.path(name)) // other programs can't remove the file while it is open
		f.noErr(err)
		open = append(open, file)
	}
	res := f.undo(before.ID, after.ID, nil)
	if !slices.Equal(res.Done, []string{"other"}) || len(res.Skipped) != 2 {
		t.Errorf("while they are open: got %+v", res)
	}
	for _, s := range res.Skipped {
		if s.Reason != snapshot.NotWritable {
			t.Errorf("got %+v, want it not writable", s)
		}
	}
	changed["other"] = want["other"]
	assertTree(t, readTree(t, f.dir), changed)
	for _, file := range open {
		f.noErr(file.Close())
	}
	f.undoAndRedo(before.ID, after.ID, want)
}
