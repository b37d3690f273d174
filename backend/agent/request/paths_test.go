package request

import (
	"fmt"
	"path/filepath"
	"testing"
)

func TestPaths_ResolvedOncePerRequest(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	var paths []string
	for i := range 1000 {
		paths = append(paths, filepath.Join(folder, fmt.Sprintf("f%d", i)))
	}
	r := PathsOf(folder, paths[:MaxFiles]...)
	r.Add(paths[:MaxFiles]...)
	if r.More || r.Outside() || !r.AllInFolder() || len(r.Files) != MaxFiles || len(r.resolved) != MaxFiles {
		t.Errorf("of %d files: more %v, %d files, %d followed", MaxFiles, r.More, len(r.Files), len(r.resolved))
	}
	r.Add(paths...)
	r.Add(paths...)
	if !r.More || !r.Outside() || r.AllInFolder() || len(r.Files) != MaxFiles || len(r.resolved) > 4*MaxFiles {
		t.Errorf("of 1000 files: more %v, %d files, %d followed", r.More, len(r.Files), len(r.resolved))
	}
	if _, ok := r.Real(paths[MaxFiles]); ok {
		t.Error("a file that is not shown can be granted")
	}
}
