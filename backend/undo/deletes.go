package undo

import (
	"io/fs"
	"os"
	"path/filepath"

	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// CanRestore reports whether undoing the chat's running turn can bring back all files that now exist at the given paths
// and below them. Paths are relative to the chat's folder. The result is false if there are more than count files.
func (m *Manager) CanRestore(chatID string, paths []string, count int) bool {
	if count == 0 {
		return false
	}
	r := m.recorded(chatID)
	if r == nil {
		return false
	}
	files, err := filesAt(r.folder, paths, count)
	if err != nil || len(files) == 0 {
		return false
	}
	r.mu.Lock()
	before := r.row.Before
	r.mu.Unlock()
	entries, err := r.store.Entries(snapshot.ID(before), files)
	for _, e := range entries {
		if e.Kind != snapshot.File && e.Kind != snapshot.Link {
			return false
		}
	}
	return err == nil
}

// filesAt returns the files at the given paths in a folder, and below them. It fails if there are more than limit.
func filesAt(folder string, paths []string, limit int) (files []string, err error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	for _, path := range paths {
		start := filepath.ToSlash(filepath.Clean(path))
		err := fs.WalkDir(root.FS(), start, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				files = append(files, path)
			}
			if len(files) > limit {
				return fs.ErrInvalid
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}
