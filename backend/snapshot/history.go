package snapshot

// History returns a chat's store for reading its snapshots with Entry, Content and Changes. Unlike Open, it doesn't
// read the chat's folder.
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
	if err := s.start(); err != nil {
		return Entry{}, err
	}
	root, err := s.rootOf(id)
	if err != nil {
		return Entry{}, err
	}
	n, err := s.find(root, path)
	return entryOf(n), err
}

// HasIgnored reports whether a snapshot leaves out files or folders that Git ignores.
func (s *Store) HasIgnored(id ID) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.start(); err != nil {
		return false, err
	}
	if s.root != nil && string(id) == s.root.Hash.String() { // the nodes are in memory
		return s.hasIgnored(s.root)
	}
	root, err := s.rootOf(id)
	if err != nil {
		return false, err
	}
	return s.hasIgnored(root)
}

func (s *Store) hasIgnored(n *node) (bool, error) {
	if err := s.load(n); err != nil {
		return false, err
	}
	if n.partial {
		return true, nil
	}
	for _, k := range n.kids {
		if k.Kind == Unknown && k.Reason == Ignored {
			return true, nil
		}
		if is, err := s.hasIgnored(k); is || err != nil {
			return is, err
		}
	}
	return false, nil
}

// Content returns the stored content with the hash h: the content of a file, or the target of a link.
func (s *Store) Content(h Hash) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.start(); err != nil {
		return nil, err
	}
	return s.pack.get(h)
}

// Entries returns the states of paths in a snapshot, in the same order.
func (s *Store) Entries(id ID, paths []string) ([]Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.start(); err != nil {
		return nil, err
	}
	root, err := s.rootOf(id)
	if err != nil {
		return nil, err
	}
	entries := make([]Entry, len(paths))
	for i, path := range paths {
		n, err := s.find(root, path)
		if err != nil {
			return nil, err
		}
		entries[i] = entryOf(n)
	}
	return entries, nil
}

// Add stores content that isn't in a snapshot, and returns its hash. Apply can then write the content.
func (s *Store) Add(content []byte) (h Hash, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.start(); err != nil {
		return h, err
	}
	if h, err = s.pack.put(content, true); err == nil {
		err = s.pack.flush()
	}
	if err != nil {
		s.pack.abort()
	}
	return h, err
}
