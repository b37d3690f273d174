package snapshot

import (
	"errors"
	"io/fs"
	"os"
	"slices"
)

// bytes returns the total size of all segments.
func (p *pack) bytes() (n int64) {
	if p.private != nil {
		n = p.private.bytes()
	}
	p.mu.RLock()
	defer p.mu.RUnlock()
	for _, size := range p.segs {
		n += size
	}
	return n
}

// forget removes everything from the index except the contents in live. If a removed content is passed to put later,
// put stores it again.
func (p *pack) forget(live map[Hash]bool) {
	if p.private != nil {
		p.private.forget(live)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for h := range p.at {
		if !live[h] {
			delete(p.at, h)
		}
	}
}

const (
	// smallSegment is the size in bytes below which segments are merged, if there are more than maxSmall of them.
	smallSegment = 4 << 20
	maxSmall     = 32
)

// compact removes segments that have no content in the index. It also rewrites one segment if more than half of its
// content is no longer in the index. In the private pack, any such content is enough. If there is no such segment but
// there are too many small ones, it merges those. more is true if further segments need rewriting.
func (p *pack) compact() (more bool, err error) {
	isPrivate := p.private == nil
	if !isPrivate {
		if more, err = p.private.compact(); more || err != nil {
			return more, err
		}
	}
	p.mu.RLock()
	known, bySeg := map[uint64]int64{}, map[uint64][]Hash{}
	for h, at := range p.at {
		known[at.seg] += at.stored + indexEntry
		bySeg[at.seg] = append(bySeg[at.seg], h)
	}
	var dead, small, wasteful []uint64
	for seg, size := range p.segs {
		switch {
		case known[seg] == 0:
			dead = append(dead, seg)
		case size > 2*known[seg]+trailer, isPrivate && size > known[seg]+trailer:
			wasteful = append(wasteful, seg)
		case size < smallSegment:
			small = append(small, seg)
		}
	}
	p.mu.RUnlock()
	slices.Sort(wasteful)
	rewrite := wasteful[:min(1, len(wasteful))]
	if len(rewrite) == 0 && len(small) > maxSmall {
		rewrite = small
	}
	for _, seg := range rewrite {
		for _, h := range bySeg[seg] {
			p.mu.RLock()
			at := p.at[h]
			p.mu.RUnlock()
			stored, err := readStored(p.path(at.seg), at)
			if err == nil {
				err = p.add(h, stored, at.size)
			}
			if err != nil {
				p.abort()
				return false, err
			}
		}
	}
	if _, err := p.complete(); err != nil {
		return false, err
	}
	for _, seg := range slices.Concat(dead, rewrite) {
		if err := os.Remove(p.path(seg)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
		p.mu.Lock()
		delete(p.segs, seg)
		p.mu.Unlock()
	}
	return len(wasteful) > 1, nil
}
