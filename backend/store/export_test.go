package store

// HoldWrites makes writes wait until release is called.
func (s *Store) HoldWrites() (release func()) {
	s.writing.Lock()
	return s.writing.Unlock
}

// Waiting returns the number of waiting writes.
func (s *Store) Waiting() int { return int(s.waiting.Load()) }
