package review

import (
	"context"
	"runtime"
	"sync"

	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// measureKey identifies the result of comparing a file. It includes the path, because git's attributes depend on it.
type measureKey struct {
	path     string
	old, new sideKey
	hide     bool
}

// sideKey identifies the content and mode of a side, in the same way as side.id.
type sideKey struct {
	mode, object string // object is the hash in git, or the reason why there is no content and the stamp
	hash         snapshot.Hash
}

func (s side) key() sideKey {
	if object := s.blob + s.commit + string(s.reason) + s.stamp; object != "" || !s.exists() {
		return sideKey{mode: s.mode, object: object}
	}
	return sideKey{mode: s.mode, hash: s.hash}
}

func keyOf(f file, hide bool) measureKey { return measureKey{f.Path, f.old.key(), f.new.key(), hide} }

// measured returns the stored result of comparing a file, or false if there is none.
func (m *Manager) measured(f file, hide bool) (measure, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, ok := m.measures[keyOf(f, hide)]
	return r, ok
}

// unmeasured returns the files that have no stored result.
func (m *Manager) unmeasured(files []file, hide bool) (todo []file) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range files {
		if _, ok := m.measures[keyOf(f, hide)]; !ok {
			todo = append(todo, f)
		}
	}
	return todo
}

// maxMeasures is the maximum number of stored results. When it is reached, all of them are discarded.
const maxMeasures = 50_000

func (m *Manager) setMeasured(f file, hide bool, r measure) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.measures) >= maxMeasures {
		m.measures = map[measureKey]measure{}
	}
	m.measures[keyOf(f, hide)] = r
}

// Limits for a batch. The contents of all files in a batch are in memory at the same time.
const (
	batchFiles = 32
	batchBytes = 1 << 20
)

// batch holds files that one goroutine compares.
type batch struct {
	files []file
	at    []int // indexes of the files in the list
	sides []sides
	bytes int64
}

func (b *batch) add(f file, at int, s sides) {
	b.files, b.at, b.sides = append(b.files, f), append(b.at, at), append(b.sides, s)
	b.bytes += f.old.size + f.new.size + int64(len(s.old)+len(s.new))
}

func (b *batch) isFull() bool { return len(b.files) == batchFiles || b.bytes >= batchBytes }

// measureAll compares the files without a stored result. It returns the number of files that it didn't compare because
// ctx ended first.
func (m *Manager) measureAll(ctx context.Context, l *list, files []file, hide bool) (missing int, err error) {
	todo := m.unmeasured(files, hide)
	if len(todo) == 0 {
		return 0, nil
	}
	done := make([]bool, len(todo))
	batches := make(chan batch)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for b := range batches {
				contents := l.contents(b.files...)
				for i, f := range b.files {
					if ctx.Err() != nil {
						break
					}
					s := &b.sides[i]
					l.fillFrom(contents, f, s)
					l.compare(ctx, f, s, hide)
					m.setMeasured(f, hide, s.measure)
					done[b.at[i]] = true
				}
			}
		})
	}
	var b batch
	err = l.each(ctx, todo, func(i int, s sides) {
		if b.add(todo[i], i, s); b.isFull() {
			batches <- b
			b = batch{}
		}
	})
	if len(b.files) > 0 {
		batches <- b
	}
	close(batches)
	workers.Wait()
	if err != nil && ctx.Err() == nil {
		return 0, err
	}
	for _, d := range done {
		if !d {
			missing++
		}
	}
	return missing, nil
}

// each reads those sides of the files that are git objects. It calls the function got for each file, in order, with the
// file's index in files. The other sides are left empty, and fill reads them later.
func (l *list) each(ctx context.Context, files []file, got func(i int, s sides)) error {
	var names []string
	for _, f := range files {
		for _, s := range []side{f.old, f.new} {
			if s.blob != "" {
				names = append(names, s.blob)
			}
		}
	}
	next := 0
	var s sides
	isNew := false // whether the next object in git is a new side
	end := func() {
		got(next, s)
		next, s, isNew = next+1, sides{}, false
	}
	// advance continues with the next side that is an object in git.
	advance := func() {
		for next < len(files) && files[next].old.blob == "" {
			if isNew = files[next].new.blob != ""; isNew {
				return
			}
			end()
		}
	}
	advance()
	if len(names) == 0 {
		return nil
	}
	return l.repo.blobs(ctx, names, maxDiffed, func(_ int, content []byte, size int64, err error) {
		s.tooLarge = s.tooLarge || err != nil || content == nil
		switch f := files[next]; {
		case isNew:
			s.new, s.size = content, size
		case f.new.blob != "":
			s.old, s.oldSize, isNew = content, size, true
			return
		default:
			s.old, s.oldSize = content, size
		}
		end()
		advance()
	})
}

// fill reads the sides of a file that aren't git objects.
func (l *list) fill(f file, s *sides) { l.fillFrom(l.contents(f), f, s) }

// contents returns the contents of those sides of the files that are stored in snapshots, by hash. Contents that aren't
// available are nil or left out.
func (l *list) contents(files ...file) map[snapshot.Hash][]byte {
	var hashes []snapshot.Hash
	for _, f := range files {
		for _, s := range []side{f.old, f.new} {
			if s.isStored() {
				hashes = append(hashes, s.hash)
			}
		}
	}
	byHash := make(map[snapshot.Hash][]byte, len(hashes))
	if contents, err := l.st.Contents(hashes); err == nil {
		for i, h := range hashes {
			byHash[h] = contents[i]
		}
	}
	return byHash
}

// isStored reports whether the side's content is in a snapshot and isn't too large.
func (s side) isStored() bool {
	return s.blob == "" && s.commit == "" && s.exists() && s.kind != snapshot.Unknown && s.size <= maxDiffed
}

// fillFrom does the same as fill, but gets the contents of the sides from a map that the method contents has returned.
func (l *list) fillFrom(contents map[snapshot.Hash][]byte, f file, s *sides) {
	read := func(of side) (content []byte, size int64) {
		switch {
		case of.commit != "":
			content = []byte("Subproject commit " + of.commit + "\n")
		case !of.exists():
			return []byte{}, 0
		case of.isStored():
			content = contents[of.hash]
		}
		if content == nil {
			s.tooLarge = true
			return nil, of.size
		}
		return content, int64(len(content))
	}
	if f.old.blob == "" {
		s.old, s.oldSize = read(f.old)
	}
	if f.new.blob == "" {
		s.new, s.size = read(f.new)
	}
}
