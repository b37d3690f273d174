package snapshot

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// node is an entry in a folder. The nodes of the last snapshot stay in memory, with further data that the next snapshot
// compares with the disk.
type node struct {
	Entry
	name    string
	partial bool    // for Dir: Git ignores the folder, and only some of its files are included or recorded as None
	kids    []*node // for Dir: the content, sorted by name; nil if it isn't loaded

	// These fields are set only in nodes that scan or readCache created:
	excluded bool     // the ignore rules match
	isDir    bool     // it is a directory on disk, even if the snapshot leaves it out
	racy     bool     // its content may have changed without a change of its stat
	stat     stat     // for Unknown: only the mtime, or 0 if it isn't recorded; nodes that were loaded have it, too
	rules    *ruleSet // for Dir: the rules for its content
	files    int      // for Dir: number of files and links below it
	bytes    int64    // for Dir: total size of all files below it
	omitted  int      // for Dir: number of paths below it that are left out, except those that Git ignores
}

// unknown is the node of a path in a folder that doesn't record whether the path exists.
var unknown = &node{Entry: Entry{Kind: Unknown, Reason: Ignored}}

// entryOf returns the entry of a node. A nil node means that the path doesn't exist.
func entryOf(n *node) Entry {
	if n == nil {
		return Entry{}
	}
	return n.Entry
}

// Versions of the encoding of folders. Only folders that contain an Unknown entry with a time use treeTimes, so that
// all other folders keep the hashes that they had before treeTimes was added.
const (
	treePlain = 1
	treeTimes = 2 // contains the size and mtime of each Unknown entry
)

// encode returns the encoded content of a folder. Equal contents have equal encodings.
func encode(n *node) []byte {
	b := make([]byte, 0, 2+64*len(n.kids))
	b = append(b, treePlain, 0)
	if slices.ContainsFunc(n.kids, func(k *node) bool { return k.Kind == Unknown && k.stat.mtime != 0 }) {
		b[0] = treeTimes
	}
	if n.partial {
		b[1] = 1
	}
	for _, k := range n.kids {
		b = append(b, byte(k.Kind))
		switch k.Kind {
		case Unknown:
			b = append(b, byte(slices.Index(omissionReasons, k.Reason)))
			if b[0] == treeTimes {
				b = binary.AppendUvarint(b, uint64(k.Size))       //nolint:gosec // not negative
				b = binary.AppendUvarint(b, uint64(k.stat.mtime)) //nolint:gosec // read back as int64
			}
		case File:
			b = binary.AppendUvarint(b, uint64(k.Mode))
			b = binary.AppendUvarint(b, uint64(k.Size)) //nolint:gosec // not negative
		case Dir:
			b = binary.AppendUvarint(b, uint64(k.Mode))
		default:
		}
		b = binary.AppendUvarint(b, uint64(len(k.name)))
		b = append(b, k.name...)
		if k.Kind != Unknown && k.Kind != None {
			b = append(b, k.Hash[:]...)
		}
	}
	return b
}

// decode sets n.kids and n.partial from a folder's encoded content.
func decode(n *node, b []byte) error {
	if len(b) < 2 || b[0] != treePlain && b[0] != treeTimes {
		return fmt.Errorf("folder %s: %w", n.Hash, ErrDamaged)
	}
	times := b[0] == treeTimes
	n.partial = b[1] == 1
	b = b[2:]
	number := func() uint64 {
		v, size := binary.Uvarint(b)
		if size <= 0 {
			b = nil
			return 0
		}
		b = b[size:]
		return v
	}
	kids := []*node{}
	for len(b) > 0 {
		k := &node{}
		k.Kind, b = Kind(b[0]), b[1:]
		switch {
		case k.Kind == Unknown && len(b) > 0 && int(b[0]) < len(omissionReasons):
			k.Reason, b = omissionReasons[b[0]], b[1:]
			if times {
				k.Size, k.stat.mtime = int64(number()), int64(number()) //nolint:gosec // written from these types
			}
		case k.Kind == File:
			k.Mode, k.Size = uint32(number()), int64(number()) //nolint:gosec // written from these types
		case k.Kind == Dir:
			k.Mode = uint32(number()) //nolint:gosec // written from this type
		case k.Kind != Link && k.Kind != None:
			return fmt.Errorf("folder %s: %w", n.Hash, ErrDamaged)
		}
		size := number()
		if size == 0 || size > uint64(len(b)) {
			return fmt.Errorf("folder %s: %w", n.Hash, ErrDamaged)
		}
		k.name, b = string(b[:size]), b[size:]
		if k.Kind != Unknown && k.Kind != None {
			if len(b) < len(k.Hash) {
				return fmt.Errorf("folder %s: %w", n.Hash, ErrDamaged)
			}
			k.Hash, b = Hash(b[:len(k.Hash)]), b[len(k.Hash):]
		}
		kids = append(kids, k)
	}
	n.kids = kids
	return nil
}

// load sets n.kids if n is a folder and n.kids isn't loaded.
func (s *Store) load(n *node) error {
	if n.Kind != Dir || n.kids != nil {
		return nil
	}
	b, err := s.pack.get(n.Hash)
	if err != nil {
		return err
	}
	return decode(n, b)
}

// rootOf returns the root folder of a snapshot.
func (s *Store) rootOf(id ID) (*node, error) {
	h, err := id.hash()
	if err != nil {
		return nil, err
	}
	n := &node{Entry: Entry{Kind: Dir, Hash: h}}
	return n, s.load(n)
}

// kid returns the node of the entry called name in a folder. It returns nil if the entry doesn't exist, and unknown if
// the folder doesn't record whether it exists.
func (n *node) kid(name string) *node {
	if n == nil || n.Kind == Unknown && n.Reason != Ignored && n.Reason != GitDir && n.Reason != Unreadable && n.Reason != TooDeep {
		return nil
	}
	if n.Kind == Unknown {
		return unknown
	}
	i, ok := slices.BinarySearchFunc(n.kids, name, func(k *node, name string) int { return strings.Compare(k.name, name) })
	switch {
	case ok && n.kids[i].Kind == None:
		return nil
	case ok:
		return n.kids[i]
	case n.partial:
		return unknown
	}
	return nil
}

// find returns the node of a path below root, or nil if the path doesn't exist. If root doesn't record the path, find
// returns the state that Keep recorded for it or, if there is none, unknown.
func (s *Store) find(root *node, path string) (*node, error) {
	n := root
	for name := range strings.SplitSeq(path, "/") {
		if n == nil {
			return nil, nil //nolint:nilnil // it doesn't exist
		}
		if err := s.load(n); err != nil {
			return nil, err
		}
		n = n.kid(name)
	}
	return s.known(path, n), nil
}

// known returns n or, if Git ignores the path and Keep recorded a state for it, that state.
func (s *Store) known(path string, n *node) *node {
	if n == nil || n.Kind != Unknown || n.Reason != Ignored {
		return n
	}
	kept, ok := s.baselines[path]
	switch {
	case !ok || kept.Kind == Unknown: // Unknown: Sweep has removed the state
		return n
	case kept.Kind == None:
		return nil
	}
	return &node{Entry: kept, name: n.name}
}

// difference is a path whose entry differs between two snapshots.
type difference struct {
	path string
	a, b *node // nil if the path didn't exist
}

// diff calls emit for each path that differs between two nodes, in the order of the paths. If a folder exists in only
// one of them, diff emits the folder before its content.
func (s *Store) diff(path string, a, b *node, emit func(difference)) error {
	a, b = s.known(path, a), s.known(path, b)
	if a == b || a != nil && b != nil && a.Entry == b.Entry && a.Kind != Dir && !changedUnrecorded(a, b) {
		return nil
	}
	aDir, bDir := a != nil && a.Kind == Dir, b != nil && b.Kind == Dir
	if aDir && bDir && a.Hash == b.Hash && a.Mode == b.Mode {
		return nil
	}
	for _, n := range []*node{a, b} {
		if n != nil {
			if err := s.load(n); err != nil {
				return err
			}
		}
	}
	aUnknown, bUnknown := a != nil && a.Kind == Unknown, b != nil && b.Kind == Unknown
	switch {
	case aUnknown && bUnknown:
		if changedUnrecorded(a, b) {
			emit(difference{path, a, b})
		}
	case !aDir && !bDir:
		emit(difference{path, a, b})
		return nil
	case aUnknown && b.partial || bUnknown && a.partial: // both snapshots ignore the folder; only included files can differ
	case aDir != bDir, a.Mode != b.Mode:
		emit(difference{path, a, b})
	}
	if aUnknown || bUnknown { // only the state that Keep recorded is known
		prefix := path + "/"
		var below []string
		for p := range s.baselines {
			if strings.HasPrefix(p, prefix) {
				below = append(below, p)
			}
		}
		slices.Sort(below)
		for _, p := range below {
			ka, err := s.findBelow(a, path, p)
			if err != nil {
				return err
			}
			kb, err := s.findBelow(b, path, p)
			if err != nil {
				return err
			}
			if !entryOf(ka).equal(entryOf(kb)) && entryOf(ka).Kind != Dir && entryOf(kb).Kind != Dir {
				emit(difference{p, ka, kb})
			}
		}
		return nil
	}
	for _, name := range names(a, b) {
		at := name
		if path != "" {
			at = path + "/" + name
		}
		var ka, kb *node
		if aDir {
			ka = a.kid(name)
		}
		if bDir {
			kb = b.kid(name)
		}
		if err := s.diff(at, ka, kb, emit); err != nil {
			return err
		}
	}
	return nil
}

// changedUnrecorded reports whether a path that both snapshots leave out changed between them. It returns false if one
// of the snapshots lacks the path's time.
func changedUnrecorded(a, b *node) bool {
	return a.Kind == Unknown && b.Kind == Unknown && a.stat.mtime != 0 && b.stat.mtime != 0 &&
		(a.Size != b.Size || a.stat.mtime != b.stat.mtime)
}

// findBelow does the same as find(root, below), but starts at n, the node of a parent folder. The parameter path is the
// path of that folder.
func (s *Store) findBelow(n *node, path, below string) (*node, error) {
	if n == nil {
		return nil, nil //nolint:nilnil // it doesn't exist
	}
	at := n
	for name := range strings.SplitSeq(strings.TrimPrefix(below, path+"/"), "/") {
		if at == nil {
			return nil, nil //nolint:nilnil // it doesn't exist
		}
		if err := s.load(at); err != nil {
			return nil, err
		}
		at = at.kid(name)
	}
	return s.known(below, at), nil
}

// names returns the names in two folders, sorted and without duplicates.
func names(a, b *node) []string {
	var all []string
	for _, n := range []*node{a, b} {
		if n != nil && n.Kind == Dir {
			for _, k := range n.kids {
				all = append(all, k.name)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
