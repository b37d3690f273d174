package undo

import (
	"os"
	pathpkg "path"
	"path/filepath"
	"slices"

	"github.com/voxpilot/voxpilot/backend/workspace"
)

// location identifies a folder on disk, no matter which of its paths is used, for example a symbolic link or a name in
// another case.
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

// inFolder returns a path relative to a chat's folder, with slashes. The path may be absolute or relative to the
// folder. It may lead through links; if the file at its end is a link, the result is the path of the link's target.
// inside is false if the file isn't in the folder, and for the folder itself.
func inFolder(folder, path string) (rel string, inside bool) {
	if path == "" {
		return "", false
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, path)
	}
	if at, err := workspace.Locate(folder, path); err == nil {
		return at.Rel(), at.Inside && !at.IsFolder()
	}
	rel, err := filepath.Rel(folder, path) // for example, the folder doesn't exist
	return filepath.ToSlash(rel), err == nil && rel != "." && filepath.IsLocal(rel)
}

// entryInFolder does the same as inFolder, but if the file at the end of the path is a link, the result is the path of
// the link itself.
func entryInFolder(folder, path string) (rel string, inside bool) {
	if path == "" {
		return "", false
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, path)
	}
	dir, err := workspace.Locate(folder, filepath.Dir(path))
	if err != nil || !dir.Inside {
		return inFolder(folder, path)
	}
	rel = pathpkg.Join(dir.Rel(), filepath.Base(path))
	return rel, rel != "."
}

// localPaths returns paths relative to a chat's folder, with slashes. It leaves out paths that aren't in the folder.
// For a link, it returns both the link's path and that of its target.
func localPaths(folder string, paths ...string) (all []string) {
	for _, path := range paths {
		for _, of := range []func(folder, path string) (string, bool){inFolder, entryInFolder} {
			if rel, inside := of(folder, path); inside && !slices.Contains(all, rel) {
				all = append(all, rel)
			}
		}
	}
	return all
}
