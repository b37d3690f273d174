package snapshot

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"os"
	"path/filepath"
)

// The cache holds the nodes of the last snapshot. With it, the first snapshot after a start reads only files that have
// changed since the last snapshot. If the cache is missing or damaged, all files are read.

// readCache sets s.root from the cache file. It does nothing unless the cache belongs to the chat's folder and the
// content of all files in the cache is stored.
func (s *Store) readCache() {
	b, err := os.ReadFile(s.file("cache"))
	if err != nil || len(b) < sha256.Size {
		return
	}
	body, sum := b[:len(b)-sha256.Size], b[len(b)-sha256.Size:]
	if want := sha256.Sum256(body); !bytes.Equal(want[:], sum) {
		return
	}
	r := &cacheReader{b: body}
	if r.text() != s.folder {
		return
	}
	if n := r.node(s.pack); !r.bad && len(r.b) == 0 && n.Kind == Dir {
		s.root = n
	}
}

// writeCache writes the nodes of the last snapshot to the cache.
func (s *Store) writeCache() error {
	b := binary.AppendUvarint(nil, uint64(len(s.folder)))
	b = append(b, s.folder...)
	b = appendNode(b, s.root)
	sum := sha256.Sum256(b)
	f, err := os.CreateTemp(s.dir, tempPrefix+"*")
	if err != nil {
		return err
	}
	_, err = f.Write(append(b, sum[:]...))
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(s.dir, "cache")) // not synced, because its checksum is verified
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return err
	}
	s.dirty = 0
	return nil
}

const (
	flagPartial = 1 << iota
	flagExcluded
	flagIsDir
	flagRacy
)

func appendNode(b []byte, n *node) []byte {
	b = binary.AppendUvarint(b, uint64(len(n.name)))
	b = append(b, n.name...)
	reason, flags := uint64(0), uint64(0)
	for i, r := range omissionReasons {
		if n.Reason == r {
			reason = uint64(i) //nolint:gosec // an index
		}
	}
	for flag, is := range map[uint64]bool{flagPartial: n.partial, flagExcluded: n.excluded, flagIsDir: n.isDir, flagRacy: n.racy} {
		if is {
			flags |= flag
		}
	}
	st := n.stat
	for _, v := range []uint64{
		uint64(n.Kind), reason, flags, uint64(n.Mode), uint64(n.Size), uint64(n.files), uint64(n.bytes), uint64(n.omitted), //nolint:gosec // not negative
		uint64(st.kind), uint64(st.mode), uint64(st.size), uint64(st.mtime), uint64(st.ctime), st.ino, st.dev, uint64(len(n.kids)), //nolint:gosec // read back as int64
	} {
		b = binary.AppendUvarint(b, v)
	}
	b = append(b, n.Hash[:]...)
	for _, k := range n.kids {
		b = appendNode(b, k)
	}
	return b
}

// cacheReader decodes nodes in the form in which appendNode encodes them.
type cacheReader struct {
	b   []byte
	bad bool
}

func (r *cacheReader) number() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *cacheReader) bytes(n uint64) []byte {
	if n > uint64(len(r.b)) {
		r.bad, r.b = true, nil
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *cacheReader) text() string { return string(r.bytes(r.number())) }

func (r *cacheReader) node(p *pack) *node {
	n := &node{name: r.text()}
	var v [16]uint64
	for i := range v {
		v[i] = r.number()
	}
	n.Kind = Kind(v[0]) //nolint:gosec // checked by its use
	if n.Kind == Unknown && v[1] < uint64(len(omissionReasons)) {
		n.Reason = omissionReasons[v[1]]
	}
	n.partial, n.excluded, n.isDir, n.racy = v[2]&flagPartial != 0, v[2]&flagExcluded != 0, v[2]&flagIsDir != 0, v[2]&flagRacy != 0
	n.Mode, n.Size, n.files, n.bytes, n.omitted = uint32(v[3]), int64(v[4]), int(v[5]), int64(v[6]), int(v[7])                                //nolint:gosec // written from these types
	n.stat = stat{kind: Kind(v[8]), mode: uint32(v[9]), size: int64(v[10]), mtime: int64(v[11]), ctime: int64(v[12]), ino: v[13], dev: v[14]} //nolint:gosec // written from these types
	copy(n.Hash[:], r.bytes(uint64(len(n.Hash))))
	if (n.Kind == Dir || n.isFile()) && !p.has(n.Hash) {
		r.bad = true
	}
	if n.Kind == Dir {
		n.kids = []*node{}
	}
	for i := uint64(0); i < v[15] && !r.bad; i++ {
		n.kids = append(n.kids, r.node(p))
	}
	return n
}
