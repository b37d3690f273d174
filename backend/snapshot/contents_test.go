package snapshot_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// TestContents_AreThoseOfEachHash checks that a single call of Contents returns the content of each hash, from several
// segments. The content is small, compressed, empty or not stored. If one segment is damaged, the content in the other
// segments can still be read.
func TestContents_AreThoseOfEachHash(t *testing.T) {
	f := newFixture(t)
	long := strings.Repeat("the same line\n", 10_000)
	f.write("a.txt", long)
	f.write("empty", "")
	first := f.snapshot().ID
	f.write("a.txt", "short")
	f.write("b.txt", "other")
	second := f.snapshot().ID
	hash := func(id snapshot.ID, path string) snapshot.Hash {
		e, err := f.store.Entry(id, path)
		f.noErr(err)
		return e.Hash
	}
	hashes := []snapshot.Hash{hash(second, "b.txt"), hash(first, "a.txt"), {1}, hash(first, "empty"), hash(second, "a.txt")}
	read := func() [][]byte {
		contents, err := f.store.Contents(hashes)
		f.noErr(err)
		return contents
	}
	want := [][]byte{[]byte("other"), []byte(long), nil, {}, []byte("short")}
	for i, content := range read() {
		if !bytes.Equal(content, want[i]) || (content == nil) != (want[i] == nil) {
			t.Errorf("content %d: got %.20q, want %.20q", i, content, want[i])
		}
	}
	segments, err := filepath.Glob(filepath.Join(f.cfg.Data, "snapshots", "chat", "segments", "*"))
	f.noErr(err)
	if len(segments) != 2 {
		t.Fatalf("got segments %v, want one for each snapshot", segments)
	}
	f.noErr(os.Truncate(segments[0], 0))
	for i, content := range read() {
		fromFirst := i == 1 || i == 3
		if got := content == nil; got != (fromFirst && len(want[i]) > 0 || i == 2) {
			t.Errorf("content %d after the damage: got %.20q", i, content)
		}
	}
}
