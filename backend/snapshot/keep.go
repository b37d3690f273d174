package snapshot

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Keep includes the given files in all later snapshots, even if Git ignores them. It also records the current state of
// these files, which then counts as their state in earlier snapshots that don't contain them. It must be called before
// a tool edits the files. Paths are absolute or relative to the chat's folder. Keep skips paths outside the folder and
// paths in a ".git". Sweep removes the recorded content together with the earlier snapshots.
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

// readBaselines returns the states that Keep recorded. If the file with these states is damaged, they are lost, and
// Git's rules apply to the files again, unless the last snapshot contains them. The damaged file is renamed.
func (s *Store) readBaselines() (map[string]Entry, error) {
	b, err := os.ReadFile(s.file("kept"))
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]Entry{}, nil
	}
	if err != nil {
		return nil, err
	}
	all := map[string]Entry{}
	if damage := gob.NewDecoder(bytes.NewReader(b)).Decode(&all); damage != nil {
		s.cfg.Log.Warn("lost the first states of files that Git ignores, because their record is damaged", "store", s.dir, "err", damage)
		return map[string]Entry{}, os.Rename(s.file("kept"), s.file("kept.damaged"))
	}
	return all, nil
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
		_, err = s.pack.put(content, true)
	}
	return e, err
}

// expire removes recorded states that are no longer needed: those of files that all stored snapshots contain (see
// Keep). The paths stay, so that later snapshots continue to include the files.
func (s *Store) expire() error {
	var paths []string
	for p, e := range s.baselines {
		if e.isFile() {
			paths = append(paths, p)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	needed, err := s.unrecorded(paths)
	if err != nil || len(needed) == len(paths) {
		return err
	}
	left := maps.Clone(s.baselines)
	for _, p := range paths {
		if !needed[p] {
			left[p] = unknown.Entry
		}
	}
	if err := writeGob(s.file("kept"), left); err != nil {
		return err
	}
	s.baselines = left
	return nil
}

// unrecorded returns each of the given paths that at least one stored snapshot leaves out because Git ignores it.
func (s *Store) unrecorded(paths []string) (map[string]bool, error) {
	type folder struct {
		path string
		hash Hash
	}
	found, seen := map[string]bool{}, map[folder]bool{}
	var visit func(n *node, at string, paths []string) error
	visit = func(n *node, at string, paths []string) error {
		if n.Kind == Dir && seen[folder{at, n.Hash}] {
			return nil
		}
		seen[folder{at, n.Hash}] = true
		if err := s.load(n); err != nil {
			if errors.Is(err, ErrNotFound) || errors.Is(err, ErrDamaged) {
				return nil // nothing in the folder can be restored
			}
			return err
		}
		below := map[string][]string{} // by path of the folder's entry
		for _, p := range paths {
			name, _, _ := strings.Cut(strings.TrimPrefix(p[len(at):], "/"), "/")
			entry := path.Join(at, name)
			below[entry] = append(below[entry], p)
		}
		for entry, paths := range below {
			k := n.kid(path.Base(entry))
			if k == nil {
				continue
			}
			if k.Kind == Unknown && k.Reason == Ignored && slices.Contains(paths, entry) {
				found[entry] = true
			}
			paths = slices.DeleteFunc(paths, func(p string) bool { return p == entry })
			if len(paths) == 0 {
				continue
			}
			if err := visit(k, entry, paths); err != nil {
				return err
			}
		}
		return nil
	}
	roots, err := s.roots()
	if err != nil {
		return nil, err
	}
	for _, root := range roots {
		if err := visit(root, "", paths); err != nil {
			return nil, err
		}
	}
	return found, nil
}
