package agent

import (
	"fmt"
	"path/filepath"
	"testing"
)

func TestAPathIsFollowedOnceForARequest(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	var paths []string
	for i := range 1000 {
		paths = append(paths, filepath.Join(folder, fmt.Sprintf("f%d", i)))
	}
	r := reachOf(folder, paths[:maxAsked]...)
	r.add(paths[:maxAsked]...)
	if r.more || r.outside() || !r.below() || len(r.files) != maxAsked || len(r.places) != maxAsked {
		t.Errorf("of %d files: more %v, %d files, %d followed", maxAsked, r.more, len(r.files), len(r.places))
	}
	r.add(paths...)
	r.add(paths...)
	if !r.more || !r.outside() || r.below() || len(r.files) != maxAsked || len(r.places) > 4*maxAsked {
		t.Errorf("of 1000 files: more %v, %d files, %d followed", r.more, len(r.files), len(r.places))
	}
	if _, ok := r.real(paths[maxAsked]); ok {
		t.Error("a file that is not shown can be granted")
	}
}
