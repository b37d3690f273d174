package snapshot

import (
	"fmt"
	"io/fs"
)

// History returns the store of a chat for reading its snapshots with Entry, Content and Changes. Unlike
// Open, it doesn't read the chat's folder.
func (s *Stores) History(chat string) (*Store, error) {
	st, err := s.chat(chat)
	if err != nil {
		return nil, err
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	return st, st.start()
}

// Entry returns the state of a path in a snapshot.
func (s *Store) Entry(id ID, path string) (Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pack == nil {
		return Entry{}, fmt.Errorf("store %s: %w", s.dir, fs.ErrClosed)
	}
	root, err := s.rootOf(id)
	if err != nil {
		return Entry{}, err
	}
	n, err := s.find(root, path)
	return entryOf(n), err
}

// Content returns the stored content with the hash h: the content of a file, or the target of a link.
func (s *Store) Content(h Hash) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pack == nil {
		return nil, fmt.Errorf("store %s: %w", s.dir, fs.ErrClosed)
	}
	return s.pack.get(h)
}
