package review_test

import "testing"

// TestSetViewed_FileWithoutCopies checks that a file's check mark disappears when the file changes, even if VoxPilot
// keeps no copy of the file.
func TestSetViewed_FileWithoutCopies(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": "a\n"})
	big := make([]byte, 51<<20)
	e.write("big.bin", string(big))
	l := e.list("working")
	view := func() {
		t.Helper()
		if err := e.Engine().Review.SetViewed(t.Context(), e.chat.ID, "working", "big.bin", e.list("working").Files[0].Version, true); err != nil {
			t.Fatal(err)
		}
		if again := e.list("working"); again.Viewed != 1 {
			t.Errorf("after the mark, the files are %s", summary(again))
		}
	}
	view()
	big[5] = 7
	e.write("big.bin", string(big))
	if again := e.list("working"); again.Viewed != 0 || again.Files[0].Version == l.Files[0].Version {
		t.Errorf("after a change, the files are %s", summary(again))
	}
	view()
	e.write("big.bin", string(big[1:]))
	if again := e.list("working"); again.Viewed != 0 {
		t.Errorf("with another size, the files are %s", summary(again))
	}
}
