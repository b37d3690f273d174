package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// stat is the state of a path as the system reports it. If it hasn't changed, the content hasn't either, unless the
// file is racy (isRacy).
type stat struct {
	kind         Kind // None for a socket, pipe or device
	mode         uint32
	size         int64
	mtime, ctime int64 // in nanoseconds since 1970
	ino, dev     uint64
}

// isRacy reports whether a file that was read at the given time may have changed later without a change of its stat.
// That is possible because file times have a limited resolution.
func (s stat) isRacy(read time.Time) bool {
	step := 50 * time.Millisecond
	if s.mtime%int64(time.Second) == 0 {
		step = 3 * time.Second // the resolution of FAT's times is 2 seconds
	}
	return max(s.mtime, s.ctime) > read.Add(-step).UnixNano()
}

const (
	// maxDepth is the maximum depth of folders. Each level uses a file descriptor.
	maxDepth = 200
	// maxSticky is the limit for a folder that Git has started to ignore. If the folder has at most this number of
	// files, snapshots continue to include it.
	maxSticky = 1000
	// tempName is the prefix of the names of Apply's temporary files.
	tempName = ".voxpilot-undo-"
	// readTries is the maximum number of attempts to read a file that changes while it is read.
	readTries = 3
)

// scanner reads a chat's folder and compares it with the nodes of the last snapshot.
type scanner struct {
	s        *Store
	ctx      context.Context
	slots    chan struct{} // contains a value for each running goroutine except the caller's
	included *inclusions
	skip     map[string]bool // paths in the folder that are never recorded (Store.private)

	files, bytes atomic.Int64
	newRules     atomic.Bool // a .gitignore has changed since the last scan

	mu    sync.Mutex
	err   error // the first error, which ends the scan
	repos []Repository
}

// scan returns the root node of the folder's current state. It adds new content to the pack without flushing it, and
// uses at most the given number of additional goroutines. The parameter old is the root of the last snapshot, or nil.
func (s *Store) scan(ctx context.Context, old *node, goroutines int) (*node, error) {
	rules, want, err := s.ignoring(ctx)
	if err != nil {
		return nil, err
	}
	private := s.private()
	var c *scanner
	once := func(goroutines int) (*node, error) {
		d, err := openFolder(s.folder)
		if err != nil {
			return nil, err
		}
		c = &scanner{s: s, ctx: ctx, slots: make(chan struct{}, goroutines), included: want, skip: private}
		n := c.dir(d, "", 0, 0, old, rules, false)
		return n, errors.Join(c.err, ctx.Err())
	}
	if s.inOrder {
		goroutines = 0
	}
	read := func() (*node, error) {
		n, err := once(goroutines)
		if errors.Is(err, errUnordered) {
			s.pack.abort()
			n, err = once(0)
		}
		return n, err
	}
	n, err := read()
	if err == nil && c.newRules.Load() { // the new rules may exclude files that git tracks
		s.forgetTracked()
		if rules, want, err = s.ignoring(ctx); err == nil {
			n, err = read()
		}
	}
	if err != nil {
		return nil, err
	}
	s.inOrder, s.repos = c.bytes.Load() > s.cfg.MaxTotal, c.repos
	switch {
	case n.Kind == Dir:
		return n, nil
	case n.Reason == GitDir:
		return nil, ErrGitDirectory
	}
	return nil, fmt.Errorf("read %s: %w", s.folder, fs.ErrPermission)
}

// errUnordered is the error of a scan by several goroutines if the files exceed Config.MaxTotal. The folder must then
// be read in the order of the paths, because chance would otherwise determine which files are left out.
var errUnordered = errors.New("the files are too large for several goroutines")

func (c *scanner) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = err
	}
}

func (c *scanner) failed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err != nil || c.ctx.Err() != nil
}

// dir returns the node of the open directory d, and closes d. If partial is set, Git ignores the directory; its node
// then contains only the paths for which c.included.has returns true.
func (c *scanner) dir(d folder, path string, depth int, mode uint32, old *node, rules *ruleSet, partial bool) *node {
	defer d.close()
	names, err := d.names()
	if err != nil {
		return leave(Unreadable, stat{}, true, partial, old)
	}
	if c.failed() {
		return &node{}
	}
	slices.Sort(names)
	if isGitDir(d, names) {
		return leave(GitDir, stat{}, true, partial, old)
	}
	rules = c.rulesIn(d, path, names, old, rules, partial)
	same := old != nil && old.rules == rules && old.partial == partial
	kids := make([]*node, len(names))
	var dirs sync.WaitGroup
	var oldKids []*node
	if old != nil {
		oldKids = old.kids
	}
	for i, name := range names {
		for len(oldKids) > 0 && oldKids[0].name < name {
			oldKids = oldKids[1:]
		}
		var was *node
		if len(oldKids) > 0 && oldKids[0].name == name {
			was = oldKids[0]
		}
		at := name
		if path != "" {
			at = path + "/" + name
		}
		if isGit(name) {
			c.addRepository(d, name, at)
			continue
		}
		if strings.HasPrefix(name, tempName) || c.skip[at] {
			continue
		}
		st, err := d.lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			kids[i] = leave(Unreadable, stat{}, false, partial, was).as(name)
			continue
		}
		excluded := partial
		switch {
		case partial:
		case same && was != nil && was.isDir == (st.kind == Dir):
			excluded = was.excluded
		default:
			excluded = rules.match(at, st.kind == Dir)
		}
		if excluded && !c.included.has(at, st.kind == Dir, was) && (rules.own == nil || !rules.own.has(at, st.kind == Dir, nil)) {
			if !partial {
				kids[i] = leave(Ignored, stat{}, st.kind == Dir, excluded, was).as(name)
			}
			continue
		}
		if st.kind != Dir {
			if n := c.file(d, name, st, excluded, was); n != nil {
				kids[i] = n.as(name)
			}
			continue
		}
		if depth == maxDepth {
			kids[i] = leave(TooDeep, stat{}, true, excluded, was).as(name)
			continue
		}
		sub, err := d.enter(name)
		if err != nil {
			kids[i] = leave(Unreadable, stat{mtime: st.mtime}, true, excluded, was).as(name)
			continue
		}
		visit := func() {
			n := c.dir(sub, at, depth+1, st.mode, was, rules, excluded).as(name)
			n.excluded, n.isDir = excluded, true
			kids[i] = n
		}
		select {
		case c.slots <- struct{}{}:
			dirs.Go(func() {
				defer func() { <-c.slots }()
				visit()
			})
		default:
			visit()
		}
	}
	dirs.Wait()
	kids = slices.DeleteFunc(kids, func(n *node) bool { return n == nil })
	if partial {
		kids = c.recordAbsent(kids, path, old, rules)
	}
	return c.built(kids, mode, old, rules, partial)
}

// built returns the node of a directory with the given content, or the parameter old if its content is the same.
func (c *scanner) built(kids []*node, mode uint32, old *node, rules *ruleSet, partial bool) *node {
	if c.failed() {
		return &node{}
	}
	if old != nil && old.Kind == Dir && old.Mode == mode && old.partial == partial && slices.Equal(old.kids, kids) {
		old.rules = rules
		return old
	}
	n := &node{Entry: Entry{Kind: Dir, Mode: mode}, partial: partial, kids: kids, isDir: true, rules: rules}
	for _, k := range kids {
		switch {
		case k.Kind == Dir:
			n.files, n.bytes, n.omitted = n.files+k.files, n.bytes+k.bytes, n.omitted+k.omitted
		case k.isFile():
			n.files, n.bytes = n.files+1, n.bytes+k.Size
		case k.Kind == Unknown && k.Reason != Ignored:
			n.omitted++
		}
	}
	h, err := c.s.pack.put(encode(n), false)
	if err != nil {
		c.fail(err)
	}
	n.Hash = h
	return n
}

// as sets the node's name and returns the node.
func (n *node) as(name string) *node {
	if n.name == name {
		return n
	}
	n.name = name
	return n
}

// leave returns the node of a path that is left out of the snapshot, with the size and mtime from st. If nothing has
// changed since the last snapshot, it returns the path's node from there (was).
func leave(reason Reason, st stat, isDir, excluded bool, was *node) *node {
	n := node{Entry: Entry{Kind: Unknown, Reason: reason, Size: st.size}, isDir: isDir, excluded: excluded, stat: stat{mtime: st.mtime}}
	if was != nil && was.Entry == n.Entry && was.stat == n.stat && was.isDir == isDir && was.excluded == excluded {
		return was
	}
	return &n
}

// file returns the node of a path that isn't a directory, or nil if the path no longer exists or the scan has
// failed.
func (c *scanner) file(d folder, name string, st stat, excluded bool, was *node) *node {
	known := was != nil && was.isFile()
	if c.files.Add(1) > int64(c.s.cfg.MaxFiles) {
		c.fail(ErrTooManyFiles)
		return nil
	}
	switch {
	case st.kind == None:
		return leave(Special, stat{}, false, excluded, was)
	case st.kind == File && st.size > c.s.cfg.MaxFile:
		return leave(TooLarge, st, false, excluded, was)
	case c.bytes.Add(st.size) > c.s.cfg.MaxTotal && cap(c.slots) > 0:
		c.fail(errUnordered)
		return nil
	case c.bytes.Load() > c.s.cfg.MaxTotal && !known:
		return leave(TooMuch, st, false, excluded, was)
	case known && was.stat == st && !was.racy:
		if was.excluded != excluded {
			n := *was
			n.excluded = excluded
			return &n
		}
		return was
	}
	if c.failed() {
		return nil
	}
	n, err := c.read(d, name, st, excluded)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return leave(Unreadable, st, false, excluded, was)
	case n == nil:
		return nil // the scan has failed
	}
	n.excluded = excluded
	if known && was.Entry == n.Entry && was.excluded == excluded {
		was.stat, was.racy = n.stat, n.racy
		return was
	}
	return n
}

// read returns the node of a file or link, and adds its content to the pack. If adding fails, the scan fails, and
// read returns nil without an error.
func (c *scanner) read(d folder, name string, st stat, excluded bool) (*node, error) {
	n := &node{stat: st}
	var content []byte
	for range readTries {
		started := time.Now()
		if st.kind == Link {
			target, err := d.target(name)
			if err != nil {
				return nil, err
			}
			content = []byte(target)
			n.Entry, n.stat, n.racy = Entry{Kind: Link}, st, st.isRacy(started)
			break
		}
		body, before, after, err := readFile(d, name, c.s.cfg.MaxFile)
		if err != nil {
			return nil, err
		}
		content = body
		n.Entry, n.stat = Entry{Kind: File, Mode: after.mode, Size: int64(len(body))}, after
		if before == after && after.size == int64(len(body)) {
			n.racy = after.isRacy(started)
			break
		}
		n.racy = true // the file is being changed
	}
	h, err := c.s.pack.put(content, excluded)
	if err != nil {
		c.fail(err)
		return nil, nil //nolint:nilnil // the scan has failed
	}
	n.Hash = h
	return n, nil
}

// readFile returns the content of a regular file, and its state before and after reading. It returns an error if
// the file is larger than limit bytes.
func readFile(d folder, name string, limit int64) (body []byte, before, after stat, err error) {
	f, before, err := d.open(name)
	if err != nil {
		return nil, before, after, err
	}
	defer func() { _ = f.Close() }()
	if before.size > limit {
		return nil, before, after, errors.New("too large")
	}
	body = make([]byte, before.size)
	n, err := io.ReadFull(f, body)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, before, after, err
	}
	after, err = fstat(f)
	return body[:n], before, after, err
}
