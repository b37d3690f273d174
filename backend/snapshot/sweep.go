package snapshot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Limits holds the limits for Sweep.
type Limits struct {
	Age   time.Duration // maximum time since a snapshot was last taken
	Bytes int64         // maximum total size of all stores
	Keep  []ID          // snapshots that are never removed
}

// Swept is the result of a Sweep.
type Swept struct {
	Removed int   // number of removed snapshots
	Bytes   int64 // total size of all stores after the Sweep
}

// marked is a snapshot of a chat, with the time when it was last taken.
type marked struct {
	store *Store
	id    ID
	at    time.Time
}

// Sweep removes snapshots that are too old, and then the oldest ones until all stores together have at most
// limits.Bytes. It always keeps the snapshots in limits.Keep and the newest snapshot of each open chat. It can run in
// the background, because it locks only one chat at a time. It continues if one chat's store fails.
func (s *Stores) Sweep(ctx context.Context, limits Limits) (res Swept, err error) {
	list, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return res, nil
	}
	if err != nil {
		return res, err
	}
	s.added.Store(0)
	var all []marked
	var stores []*Store
	for _, e := range list {
		st, failed := s.chat(e.Name())
		if failed != nil || !e.IsDir() {
			continue
		}
		marks, failed := st.marks()
		if failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		all, stores = append(all, marks...), append(stores, st)
	}
	slices.SortFunc(all, func(a, b marked) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.id, b.id)) })
	all = slices.DeleteFunc(all, func(m marked) bool { return slices.Contains(limits.Keep, m.id) || m.store.isCurrent(m.id) })
	cutoff := time.Now().Add(-limits.Age)
	old := slices.IndexFunc(all, func(m marked) bool { return !m.at.Before(cutoff) })
	if old < 0 {
		old = len(all)
	}
	for {
		n, failed := remove(all[:old])
		res.Removed += n
		err = errors.Join(err, failed)
		all = all[old:]
		res.Bytes = 0
		stores = slices.DeleteFunc(stores, func(st *Store) bool {
			size, failed := st.sweep(ctx)
			res.Bytes += size
			if failed != nil {
				err = errors.Join(err, fmt.Errorf("store %s: %w", st.dir, failed))
			}
			return failed != nil
		})
		if ctx.Err() != nil || res.Bytes <= limits.Bytes || len(all) == 0 {
			return res, err
		}
		old = (len(all) + 9) / 10
	}
}

// Added returns the total size in bytes of the content that was added to the stores since the last Sweep, or since New.
func (s *Stores) Added() int64 { return s.added.Load() }

// marks returns the snapshots of a store.
func (s *Store) marks() ([]marked, error) {
	list, err := os.ReadDir(s.file(marks))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var all []marked
	for _, e := range list {
		if info, err := e.Info(); err == nil {
			all = append(all, marked{s, ID(e.Name()), info.ModTime()})
		}
	}
	return all, nil
}

func (s *Store) isCurrent(id ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.root != nil && ID(s.root.Hash.String()) == id
}

// remove removes snapshots, but not yet their content. It skips snapshots that were taken again meanwhile. It returns
// the number of snapshots that it removed.
func remove(all []marked) (n int, err error) {
	for _, m := range all {
		file := filepath.Join(m.store.file(marks), string(m.id))
		m.store.mu.Lock()
		info, failed := os.Stat(file)
		again := failed == nil && info.ModTime() != m.at // taken again meanwhile
		if failed == nil && !again {
			failed = os.Remove(file)
		}
		m.store.mu.Unlock()
		if failed != nil && !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		} else if !again {
			n++
		}
	}
	return n, err
}

// sweep removes the content that no snapshot needs, and returns the size of the remaining content in bytes.
func (s *Store) sweep(ctx context.Context) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := os.Lstat(s.dir); errors.Is(err, fs.ErrNotExist) {
		return 0, nil // deleted meanwhile
	}
	if err := s.start(); err != nil {
		return 0, err
	}
	if err := s.expire(); err != nil {
		return 0, err
	}
	live, err := s.live()
	if err != nil {
		return 0, err
	}
	s.pack.forget(live)
	for more := true; more; {
		if more, err = s.pack.compact(); err != nil {
			return 0, err
		}
		s.mu.Unlock() // other calls for the chat can continue between two segments
		err := ctx.Err()
		s.mu.Lock()
		if err != nil {
			return 0, err
		}
		if s.pack == nil {
			return 0, nil // deleted meanwhile
		}
	}
	size := s.pack.bytes()
	s.unload()
	return size, nil
}

// live returns the hashes of all content that is needed: by snapshots, by the states that Keep recorded (see expire),
// by a journal, and by the nodes of the last snapshot in memory.
func (s *Store) live() (map[Hash]bool, error) {
	live := map[Hash]bool{}
	for _, e := range s.baselines {
		if e.isFile() {
			live[e.Hash] = true
		}
	}
	var j journal
	if err := readGob(s.file(journalName), &j); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, o := range j.Ops {
		live[o.From.Hash], live[o.To.Hash] = true, true
	}
	var visit func(n *node) error
	visit = func(n *node) error {
		if live[n.Hash] {
			return nil
		}
		if n.Kind == Unknown {
			return nil
		}
		live[n.Hash] = true
		if err := s.load(n); err != nil {
			if errors.Is(err, ErrNotFound) || errors.Is(err, ErrDamaged) {
				return nil // the rest of the snapshot is still usable
			}
			return err
		}
		for _, k := range n.kids {
			if err := visit(k); err != nil {
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
		if err := visit(root); err != nil {
			return nil, err
		}
	}
	if s.root != nil {
		return live, visit(s.root)
	}
	return live, nil
}

// roots returns the roots of all stored snapshots. Their contents aren't loaded.
func (s *Store) roots() (all []*node, err error) {
	marks, err := s.marks()
	for _, m := range marks {
		if h, invalid := m.id.hash(); invalid == nil { // otherwise, it isn't the file of a snapshot
			all = append(all, &node{Entry: Entry{Kind: Dir, Hash: h}})
		}
	}
	return all, err
}
