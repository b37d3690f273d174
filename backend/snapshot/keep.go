package snapshot

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Keep includes the given files in all later snapshots, even if Git ignores them. Because earlier snapshots don't
// contain these files, Keep also records their current state, which then counts as their state in the earlier ones. It
// must be called before a tool edits the files. Paths are absolute or relative to the chat's folder. Keep skips paths
// outside the folder and paths in a ".git".
func (s *Store) Keep(paths ...string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pack == nil || s.folder == "" {
		return fmt.Errorf("store %s: %w", s.dir, fs.ErrClosed)
	}
	add := map[string]Entry{}
	for _, p := range paths {
		rel, ok := s.relative(p)
		if _, has := s.baselines[rel]; !ok || has {
			continue
		}
		if s.root != nil {
			if n, err := s.find(s.root, rel); err == nil && n != nil && n.Kind != Unknown {
				continue // the last snapshot contains the file
			}
		}
		e, err := s.current(rel)
		if err != nil {
			s.pack.abort()
			return err
		}
		if e.Kind == None || e.isFile() {
			add[rel] = e
		}
	}
	if len(add) == 0 {
		return nil
	}
	if err := s.pack.flush(); err != nil {
		return err
	}
	for rel, e := range s.baselines {
		add[rel] = e
	}
	if err := writeGob(s.file("kept"), add); err != nil {
		return err
	}
	s.baselines = add
	return nil
}

// relative returns p as a slash-separated path relative to the chat's folder. ok is false if the path
// can't be in a snapshot.
func (s *Store) relative(p string) (rel string, ok bool) {
	if filepath.IsAbs(p) {
		var err error
		if p, err = filepath.Rel(s.folder, p); err != nil {
			return "", false
		}
	}
	rel = filepath.ToSlash(filepath.Clean(p))
	if !filepath.IsLocal(filepath.FromSlash(rel)) || rel == "." {
		return "", false
	}
	for name := range strings.SplitSeq(rel, "/") {
		if isGit(name) {
			return "", false
		}
	}
	return rel, true
}

// current returns the current state of a path on disk, and adds the content of a file or link to the
// pack.
func (s *Store) current(rel string) (Entry, error) {
	root, err := os.OpenRoot(s.folder)
	if err != nil {
		return Entry{}, err
	}
	defer func() { _ = root.Close() }()
	dir, err := parentOf(root, rel)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotFolder) {
		return Entry{}, nil
	}
	if err != nil {
		return Entry{}, err
	}
	defer func() { _ = dir.Close() }()
	e, content, err := entryAt(dir, path.Base(rel), s.cfg.MaxFile)
	if err == nil && e.isFile() {
		_, err = s.pack.put(content)
	}
	return e, err
}
