package undo

import (
	"os"
	"path/filepath"
	"slices"
)

// location is the place of a folder on disk. It is the same for all paths of the folder, such as a symbolic link or a
// name in another case.
type location struct {
	path  string
	infos []os.FileInfo // of the folder and the folders above it; empty if the folder can't be read
}

func locate(folder string) location {
	at := location{path: folder}
	dir, err := filepath.EvalSymlinks(folder)
	if err != nil {
		dir = folder
	}
	info, err := os.Stat(dir)
	for err == nil {
		at.infos = append(at.infos, info)
		above := filepath.Dir(dir)
		if above == dir {
			break
		}
		dir = above
		info, err = os.Stat(dir)
	}
	return at
}

// overlaps reports whether one folder is, or contains, the other.
func (l location) overlaps(o location) bool { return l.contains(o) || o.contains(l) }

func (l location) contains(o location) bool {
	isIn := func(above os.FileInfo) bool { return os.SameFile(l.infos[0], above) }
	return within(l.path, o.path) || len(l.infos) > 0 && slices.ContainsFunc(o.infos, isIn)
}

// is reports whether both are the same folder.
func (l location) is(o location) bool { return l.contains(o) && o.contains(l) }

// within reports whether a path is a folder's path or below it.
func within(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}
