package snapshot

import (
	"bytes"
	"testing"
)

// leftOut returns a folder with an ignored file, and a file that is too large and has the given size and mtime.
func leftOut(size, mtime int64) *node {
	return &node{Entry: Entry{Kind: Dir}, kids: []*node{
		{Entry: Entry{Kind: Unknown, Reason: Ignored}, name: "build.log"},
		{Entry: Entry{Kind: Unknown, Reason: TooLarge, Size: size}, name: "video", stat: stat{mtime: mtime}},
		{Entry: Entry{Kind: File, Mode: 0o644, Size: 3, Hash: Hash{1}}, name: "x"},
	}}
}

func TestTree_KeepsTimesOfUnrecordedFiles(t *testing.T) {
	want := leftOut(51<<20, 1_700_000_000_123_456_789)
	got := &node{Entry: Entry{Kind: Dir}}
	if err := decode(got, encode(want)); err != nil {
		t.Fatal(err)
	}
	for i, k := range want.kids {
		if g := got.kids[i]; g.Entry != k.Entry || g.name != k.name || g.stat.mtime != k.stat.mtime {
			t.Errorf("got %+v, want %+v", g, k)
		}
	}
}

// TestTree_FirstVersionIsReadable checks that a folder without the times of Unknown entries is encoded in the same way
// as in the first version, and that this encoding can still be read.
func TestTree_FirstVersionIsReadable(t *testing.T) {
	first := []byte{1, 0}
	first = append(append(first, byte(Unknown), 0, 9), "build.log"...)
	first = append(append(first, byte(Unknown), 1, 5), "video"...)
	first = append(append(first, byte(File), 0xa4, 3, 3, 1), "x"...)
	hash := Hash{1}
	first = append(first, hash[:]...)
	if got := encode(leftOut(51<<20, 0)); !bytes.Equal(got, first) {
		t.Errorf("got %q, want %q", got, first)
	}
	n := &node{Entry: Entry{Kind: Dir}}
	if err := decode(n, first); err != nil {
		t.Fatal(err)
	}
	if k := n.kids[1]; k.Reason != TooLarge || k.name != "video" || changedUnrecorded(k, leftOut(1, 2).kids[1]) {
		t.Errorf("got %+v, want a file whose changes are unknown", k)
	}
	for end := range first[:len(first)-1] {
		if err := decode(&node{}, first[:end]); err == nil && end != 2 && end != 2+12 && end != 2+12+8 {
			t.Errorf("the first %d bytes count as a folder", end)
		}
	}
}
