package snapshot

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// pack stores content in segments and finds it by its hash. Segments are immutable files that each end with an index.
// The content that a snapshot adds forms one segment, which gets its name only once it is complete and synced. The
// methods are safe for concurrent use, except that only one goroutine at a time may call flush, abort, forget or
// compact.
//
// A segment consists of the stored data of its entries, then the index, then the number of entries (8 bytes) and the
// SHA-256 of the index and that number. The index has the hash, offset, stored size and original size of each entry (32
// + 3×8 bytes, big endian). If the two sizes are equal, the data isn't compressed.
type pack struct {
	dir string
	// private has its own segments for contents that must not stay on disk once they aren't needed, such as those of
	// files that Git ignores. It is nil in that pack itself.
	private *pack

	mu   sync.RWMutex
	at   map[Hash]span
	segs map[uint64]int64 // sizes in bytes of segments, by number
	next uint64           // number of the next segment

	added *atomic.Int64 // bytes added to all packs (see Stores.Added)

	wmu     sync.Mutex // guards the segment that is being written; must be locked before mu
	file    *os.File
	size    int64
	pending map[Hash]span
}

// span is the location of content in a segment.
type span struct {
	seg                  uint64
	offset, stored, size int64 // in bytes; size is the original size
}

const (
	indexEntry = 32 + 3*8
	trailer    = 8 + 32
	segSuffix  = ".seg"
	tempPrefix = "tmp-"
	// probe is the number of bytes that are compressed first to decide whether compressing the rest is worthwhile.
	probe = 64 << 10
)

// openPack opens the pack of the store in dir.
func openPack(dir string, added *atomic.Int64) (*pack, error) {
	p, err := openSegments(filepath.Join(dir, "segments"), added)
	if err != nil {
		return nil, err
	}
	if p.private, err = openSegments(filepath.Join(dir, "private"), added); err != nil {
		return nil, err
	}
	return p, nil
}

// openSegments reads the indexes of all segments in dir and removes incomplete segments. It ignores segments with a
// damaged index.
func openSegments(dir string, added *atomic.Int64) (*pack, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	p := &pack{dir: dir, at: map[Hash]span{}, segs: map[uint64]int64{}, next: 1, added: added}
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		if strings.HasPrefix(e.Name(), tempPrefix) {
			_ = os.Remove(filepath.Join(dir, e.Name()))
			continue
		}
		var seg uint64
		if n, _ := fmt.Sscanf(e.Name(), "%d"+segSuffix, &seg); n != 1 {
			continue
		}
		p.next = max(p.next, seg+1)
		if err := p.readIndex(seg); err != nil && !errors.Is(err, ErrDamaged) {
			return nil, err
		}
	}
	return p, nil
}

func (p *pack) path(seg uint64) string {
	return filepath.Join(p.dir, fmt.Sprintf("%08d%s", seg, segSuffix))
}

func (p *pack) readIndex(seg uint64) error {
	f, err := os.Open(p.path(seg))
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	p.segs[seg] = info.Size()
	var end [trailer]byte
	if _, err := f.ReadAt(end[:], info.Size()-trailer); err != nil {
		return ErrDamaged
	}
	count := int64(binary.BigEndian.Uint64(end[:])) //nolint:gosec // checked next
	if count < 0 || count > (info.Size()-trailer)/indexEntry {
		return ErrDamaged
	}
	index := make([]byte, count*indexEntry, count*indexEntry+8)
	if _, err := f.ReadAt(index, info.Size()-trailer-int64(len(index))); err != nil {
		return err
	}
	if sum := sha256.Sum256(append(index, end[:8]...)); !bytes.Equal(sum[:], end[8:]) {
		return ErrDamaged
	}
	for i := range int(count) {
		b := index[i*indexEntry:]
		p.at[Hash(b[:32])] = span{seg: seg, offset: be(b[32:]), stored: be(b[40:]), size: be(b[48:])}
	}
	return nil
}

func be(b []byte) int64 { return int64(binary.BigEndian.Uint64(b)) } //nolint:gosec // written from an int64

// has reports whether the content with the hash h is stored.
func (p *pack) has(h Hash) bool {
	_, _, ok := p.find(h)
	return ok
}

// find returns the location of the content with the hash h, and the path of its segment.
func (p *pack) find(h Hash) (at span, segment string, ok bool) {
	p.mu.RLock()
	at, ok = p.at[h]
	p.mu.RUnlock()
	if !ok && p.private != nil {
		return p.private.find(h)
	}
	return at, p.path(at.seg), ok
}

// get returns the content with the hash h. The error is ErrNotFound, ErrDamaged or a system error.
func (p *pack) get(h Hash) ([]byte, error) {
	at, segment, ok := p.find(h)
	if !ok {
		return nil, fmt.Errorf("content %s: %w", h, ErrNotFound)
	}
	stored, err := readStored(segment, at)
	if err != nil {
		return nil, err
	}
	return unpack(h, stored, at.size)
}

// unpack extracts content from its stored data and returns it. h is the content's hash, and size is its size in bytes.
// If the data is damaged, the error is ErrDamaged.
func unpack(h Hash, stored []byte, size int64) (content []byte, err error) {
	content, ok := stored, true
	if int64(len(stored)) != size {
		content, ok = inflate(stored, size)
	}
	if !ok || sha256.Sum256(content) != h {
		return nil, fmt.Errorf("content %s: %w", h, ErrDamaged)
	}
	return content, nil
}

// readStored returns the stored data at a location in a segment. The error is ErrNotFound, ErrDamaged or a system
// error.
func readStored(segment string, at span) ([]byte, error) {
	f, err := os.Open(segment)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	stored := make([]byte, at.stored)
	if _, err := f.ReadAt(stored, at.offset); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return stored, nil
}

// put adds content to the segment that is being written, unless it is already stored, and returns its hash. Private
// content goes to the private pack.
func (p *pack) put(content []byte, private bool) (Hash, error) {
	h := Hash(sha256.Sum256(content))
	if p.has(h) {
		return h, nil
	}
	if private {
		p = p.private
	}
	return h, p.add(h, compress(content), int64(len(content)))
}

func (p *pack) add(h Hash, stored []byte, size int64) error {
	p.wmu.Lock()
	defer p.wmu.Unlock()
	if _, ok := p.pending[h]; ok {
		return nil
	}
	if p.file == nil {
		f, err := os.CreateTemp(p.dir, tempPrefix+"*")
		if err != nil {
			return err
		}
		p.file, p.size, p.pending = f, 0, map[Hash]span{}
	}
	if _, err := p.file.WriteAt(stored, p.size); err != nil {
		return err
	}
	p.pending[h] = span{offset: p.size, stored: int64(len(stored)), size: size}
	p.size += int64(len(stored))
	return nil
}

// flush completes the segments that are being written. If it returns an error, each content is stored either as a whole
// or not at all.
func (p *pack) flush() error {
	for _, one := range []*pack{p.private, p} {
		n, err := one.complete()
		p.added.Add(n)
		if err != nil {
			return err
		}
	}
	return nil
}

// complete completes the segment that is being written, and returns its size in bytes. If it returns an error, nothing
// was added to the pack.
func (p *pack) complete() (int64, error) {
	p.wmu.Lock()
	defer p.wmu.Unlock()
	if p.file == nil {
		return 0, nil
	}
	hashes := make([]Hash, 0, len(p.pending))
	for h := range p.pending {
		hashes = append(hashes, h)
	}
	slices.SortFunc(hashes, func(a, b Hash) int { return bytes.Compare(a[:], b[:]) })
	var index []byte
	for _, h := range hashes {
		at := p.pending[h]
		index = append(index, h[:]...)
		for _, n := range []int64{at.offset, at.stored, at.size} {
			index = binary.BigEndian.AppendUint64(index, uint64(n)) //nolint:gosec // not negative
		}
	}
	index = binary.BigEndian.AppendUint64(index, uint64(len(hashes)))
	sum := sha256.Sum256(index)
	index = append(index, sum[:]...)
	_, err := p.file.WriteAt(index, p.size)
	if err == nil {
		err = p.file.Sync()
	}
	seg := p.next
	name := p.file.Name()
	if err == nil {
		err = p.file.Close()
		p.file = nil
	}
	if err == nil {
		err = os.Rename(name, p.path(seg))
	}
	if err != nil {
		p.drop()
		_ = os.Remove(name)
		return 0, err
	}
	syncDir(p.dir)
	size := p.size + int64(len(index))
	p.mu.Lock()
	for h, at := range p.pending {
		at.seg = seg
		p.at[h] = at
	}
	p.segs[seg] = size
	p.next++
	p.mu.Unlock()
	p.pending = nil
	return size, nil
}

// abort discards the segments that are being written.
func (p *pack) abort() {
	if p.private != nil {
		p.private.abort()
	}
	p.wmu.Lock()
	defer p.wmu.Unlock()
	p.drop()
}

// drop discards the segment that is being written. The caller must hold p.wmu.
func (p *pack) drop() {
	if p.file != nil {
		_ = p.file.Close()
		_ = os.Remove(p.file.Name())
	}
	p.file, p.pending = nil, nil
}
