// Package changes computes which files a chat has changed, and the diff of each file. It works on the diffs reported by
// the chat's agents and uses neither the database nor the disk.
package changes

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/realpath"
)

// Edit is one change that an agent made to one file.
type Edit struct {
	ItemID    string
	Session   string
	Kind      backend.ToolKind
	Path      string // absolute
	To        string // absolute; the target of a move
	ContentID string // of the diff; "" if none was reported
	Size      int64  // of the diff, in bytes
	Added     int
	Removed   int
	Creates   bool // the file didn't exist before
	Deletes   bool // the file doesn't exist after
	At        backend.Millis
}

// Kind is the way in which a file changed.
//
//tsgen:name ChangeKind
type Kind string

// The kinds of file changes.
const (
	Edited  Kind = "edited"
	Added   Kind = "added"
	Removed Kind = "removed" // also moved to another path, where it is Added
)

// File is a file that a chat has changed, with all changes combined.
//
//tsgen:name ChangedFile
type File struct {
	Path    string         `json:"path"`
	Name    string         `json:"name"` // relative to the chat's folder if it is inside, else Path
	Added   int            `json:"added"`
	Removed int            `json:"removed"`
	Kind    Kind           `json:"kind"`
	Edits   int            `json:"edits"`
	At      backend.Millis `json:"at"` // time of the latest change
}

// List holds the files that a chat has changed.
//
//tsgen:name Changes
type List struct {
	Files   []File `json:"files"`
	Added   int    `json:"added"`
	Removed int    `json:"removed"`
	// Sessions is the number of sessions that changed the files.
	Sessions int `json:"sessions"`
}

// Files returns the files that the steps changed, sorted by name. Changes made to a file before it was
// moved are attributed to its new path.
func Files(steps []Edit, folder string) List {
	files := map[string]File{}
	note := func(path string, s Edit, kind Kind) {
		f := files[path]
		switch {
		case f.Edits == 0, kind == Removed, f.Kind == Removed:
			f.Kind = kind
		}
		f.Added += s.Added
		f.Removed += s.Removed
		f.Edits++
		f.At = max(f.At, s.At)
		files[path] = f
	}
	sessions := map[string]bool{}
	for _, s := range clean(steps) {
		sessions[s.Session] = true
		switch {
		case s.moves():
			gone := files[s.Path]
			delete(files, s.Path)
			f := files[s.To]
			f.Added, f.Removed, f.Edits = f.Added+gone.Added+s.Added, f.Removed+gone.Removed+s.Removed, f.Edits+gone.Edits+1
			f.Kind, f.At = Added, s.At
			files[s.To] = f
			if gone.Kind != Added { // it existed before the chat
				note(s.Path, Edit{At: s.At}, Removed)
			}
		case s.Deletes || s.Kind == backend.ToolDelete && s.ContentID == "":
			note(s.Path, s, Removed)
		case s.Creates:
			note(s.Path, s, Added)
		default:
			note(s.Path, s, Edited)
		}
	}
	list := List{Files: []File{}, Sessions: len(sessions)}
	for path, f := range files {
		f.Path, f.Name = path, Name(folder, path)
		list.Files = append(list.Files, f)
		list.Added += f.Added
		list.Removed += f.Removed
	}
	slices.SortFunc(list.Files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// moves reports whether the step moved a file.
func (s Edit) moves() bool {
	return s.Kind == backend.ToolMove && s.ContentID == "" && s.To != "" && s.To != s.Path
}

// clean returns steps with normalized paths.
func clean(steps []Edit) []Edit {
	out := slices.Clone(steps)
	for i := range out {
		out[i].Path = realpath.Tidy(out[i].Path)
		if out[i].To != "" {
			out[i].To = realpath.Tidy(out[i].To)
		}
	}
	return out
}

// Name returns path relative to folder, with forward slashes. It returns a path outside folder unchanged.
func Name(folder, path string) string {
	rel, err := filepath.Rel(folder, path)
	if err != nil || !filepath.IsLocal(rel) {
		return path
	}
	return filepath.ToSlash(rel)
}
