package snapshot

import "os"

// Contents returns the stored content for each of the hashes, in the same order. The content of a file is its data, and
// that of a link is its target. An element is nil if its content isn't stored or is damaged. Contents opens each
// segment only once, and blocks other methods only while it reads, not while it decompresses.
func (s *Store) Contents(hashes []Hash) ([][]byte, error) {
	s.mu.Lock()
	if err := s.start(); err != nil {
		s.mu.Unlock()
		return nil, err
	}
	all := s.pack.readAll(hashes)
	s.mu.Unlock()
	contents := make([][]byte, len(hashes))
	for i, h := range hashes {
		if all[i].data == nil {
			continue
		}
		if content, err := unpack(h, all[i].data, all[i].size); err == nil {
			contents[i] = content
		}
	}
	return contents, nil
}

// packed holds content in the form in which a segment stores it.
type packed struct {
	data []byte // nil if it can't be read
	size int64  // original size in bytes
}

// readAll reads the stored data for each of the hashes, and returns it in the same order.
func (p *pack) readAll(hashes []Hash) []packed {
	all := make([]packed, len(hashes))
	segments := map[string]*os.File{} // open segments by path; nil if a segment can't be opened
	defer func() {
		for _, f := range segments {
			_ = f.Close() // does nothing if f is nil
		}
	}()
	for i, h := range hashes {
		at, segment, ok := p.find(h)
		if !ok {
			continue
		}
		f, isOpen := segments[segment]
		if !isOpen {
			f, _ = os.Open(segment)
			segments[segment] = f
		}
		if f == nil {
			continue
		}
		data := make([]byte, at.stored)
		if _, err := f.ReadAt(data, at.offset); err == nil {
			all[i] = packed{data, at.size}
		}
	}
	return all
}
