package workspace

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// Rel returns the path as a slash-separated path relative to the chat's folder: "." is the folder
// itself. It returns "" for a path outside the folder.
func (p ResolvedPath) Rel() string {
	if !p.Inside {
		return ""
	}
	return filepath.ToSlash(p.rel)
}

// Exists reports whether the path exists. It doesn't follow a link that has replaced
// the file or folder.
func (p ResolvedPath) Exists() bool {
	dir, name, err := p.parent(false)
	if err != nil {
		return false
	}
	defer func() { _ = dir.Close() }()
	_, err = dir.Lstat(name)
	return err == nil
}

// Open opens the file for reading. It must be a regular file: a link that has replaced it isn't followed. Errors are of
// type *backend.Error, as with Read.
func (p ResolvedPath) Open() (*os.File, fs.FileInfo, error) {
	dir, name, err := p.parent(false)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = dir.Close() }()
	return p.openFile(dir, name, os.O_RDONLY)
}

// IsDir reports whether the path is currently a directory.
func (p ResolvedPath) IsDir() bool {
	dir, name, err := p.parent(false)
	if err != nil {
		return false
	}
	defer func() { _ = dir.Close() }()
	info, err := dir.Lstat(name)
	return err == nil && info.IsDir()
}

// Entries returns up to limit entries of the directory, sorted by name. The result more is true if the directory has
// further entries; it is then unspecified which entries are returned.
func (p ResolvedPath) Entries(limit int) (entries []fs.DirEntry, more bool, err error) {
	parent, name, err := p.parent(false)
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = parent.Close() }()
	info, err := parent.Lstat(name)
	if err != nil {
		return nil, false, p.openError(err)
	}
	if !info.IsDir() {
		return nil, false, backend.Invalid("%s is a file, not a folder.", p.Path)
	}
	root, err := enter(parent, name, false)
	if err != nil {
		return nil, false, p.openError(err)
	}
	defer func() { _ = root.Close() }()
	dir, err := root.Open(".")
	if err != nil {
		return nil, false, p.openError(err)
	}
	defer func() { _ = dir.Close() }()
	entries, err = dir.ReadDir(limit + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, p.readError(err)
	}
	if len(entries) > limit {
		entries, more = entries[:limit], true
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, more, nil
}

// Tree gives access to many files in a chat's folder. Files outside the folder can't be opened through
// it, and links to files aren't followed.
type Tree struct{ root *os.Root }

// OpenTree opens the folder. The caller must close the Tree.
func OpenTree(folder string) (*Tree, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Can't open the folder %s.", folder), Detail: err.Error()}
	}
	return &Tree{root: root}, nil
}

// Close closes the tree.
func (t *Tree) Close() { _ = t.root.Close() }

// FS returns the tree as a file system for walking it.
func (t *Tree) FS() fs.FS { return t.root.FS() }

// Stat returns information about the regular file with the given name below the folder. ok is false for
// anything else, including links.
func (t *Tree) Stat(name string) (info fs.FileInfo, ok bool) {
	info, err := t.root.Lstat(filepath.FromSlash(name))
	return info, err == nil && info.Mode().IsRegular()
}

// Open opens the regular file with the given name below the folder. It returns an error if there is no such file, for
// example fs.ErrNotExist for a link or folder.
func (t *Tree) Open(name string) (*os.File, fs.FileInfo, error) {
	if _, ok := t.Stat(name); !ok {
		return nil, nil, fs.ErrNotExist
	}
	f, err := t.root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errReplaced
	}
	if err != nil {
		_ = f.Close()
		return nil, nil, err
	}
	return f, info, nil
}
