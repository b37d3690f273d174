package snapshot

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/voxpilot/voxpilot/internal/atomicfile"
)

// Config configures Stores.
type Config struct {
	// Data is VoxPilot's data folder, which is never part of a snapshot. The stores are in its subfolder "snapshots".
	Data string
	// Private returns the absolute paths of further folders that are never part of a chat's snapshots. It may be nil.
	Private func(chat string) []string
	// LoginPath returns the user's PATH, which is searched for git. Without git, snapshots leave out tracked files that
	// match the ignore rules, and core.excludesFile has no effect.
	LoginPath func() string
	// MaxFile is the maximum size of a file in bytes, and MaxTotal the maximum total size of all files in a snapshot.
	// If they are 0, the limits are 50 MB and 2 GB.
	MaxFile, MaxTotal int64
	// MaxFiles is the maximum number of files in a chat's folder and its subfolders. If it is 0, the limit is 500,000.
	MaxFiles int
	Log      *slog.Logger // may be nil
}

// Stores holds the snapshots of all chats. It is safe for concurrent use. Only one process may use a data
// folder at a time.
type Stores struct {
	cfg   Config
	dir   string
	added atomic.Int64 // bytes added since the last Sweep

	mu    sync.Mutex
	chats map[string]*Store
}

// New returns the stores in the data folder.
func New(cfg Config) *Stores {
	if cfg.MaxFile == 0 {
		cfg.MaxFile = 50 << 20
	}
	if cfg.MaxTotal == 0 {
		cfg.MaxTotal = 2 << 30
	}
	if cfg.MaxFiles == 0 {
		cfg.MaxFiles = 500_000
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return &Stores{cfg: cfg, dir: filepath.Join(cfg.Data, "snapshots"), chats: map[string]*Store{}}
}

// Store holds the snapshots of a chat. It is safe for concurrent use; its methods run one at a time.
type Store struct {
	cfg   *Config
	dir   string
	added *atomic.Int64 // see Stores.added

	mu        sync.Mutex
	deleted   bool
	folder    string           // the chat's folder; "" if it isn't open
	pack      *pack            // nil while it isn't loaded
	baselines map[string]Entry // states recorded by Keep, by path relative to the folder
	root      *node            // root of the last snapshot
	repos     []Repository     // found by the last scan
	dirty     int              // number of files changed since the cache was written
	inOrder   bool             // the last snapshot exceeded Config.MaxTotal, so the next one reads the files in order

	// These fields hold the last results of Store.ignoring, and the values from which they were derived.
	excludes      *string // path of the user's global ignore rules; nil if it isn't known yet
	top           *ruleSet
	sources       []source
	included      *inclusions
	baselineCount int          // number of baselines in included
	trackedLast   []string     // tracked files in included
	tracked       trackedFiles // of the chat's folder
	nestedMu      sync.Mutex
	nested        map[string]nested // by path
}

// chat returns the store of a chat, which may not be loaded yet. The ID must be a plain file name.
func (s *Stores) chat(id string) (*Store, error) {
	if id == "" || strings.HasPrefix(id, ".") || !filepath.IsLocal(id) || strings.ContainsAny(id, `/\:`) {
		return nil, fmt.Errorf("invalid chat ID %q", id)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.chats[id]
	if st == nil {
		st = &Store{cfg: &s.cfg, dir: filepath.Join(s.dir, id), added: &s.added}
		s.chats[id] = st
	}
	return st, nil
}

// Open returns the store of a chat that works in folder, an absolute path. If an earlier process ended during Apply,
// Open completes or reverts the operation. If that fails, for example because the folder is missing, Open returns the
// error and also the store. The store's Apply then fails until Recover succeeds.
func (s *Stores) Open(chat, folder string) (*Store, error) {
	st, err := s.chat(chat)
	if err != nil {
		return nil, err
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	if err := st.start(); err != nil {
		return nil, err
	}
	if st.folder != folder {
		st.folder, st.root, st.excludes, st.top, st.tracked = folder, nil, nil, nil, trackedFiles{}
		st.readCache()
	}
	_, err = st.recover()
	return st, err
}

// Chats returns the IDs of the chats that have a store in which no file was added or removed after the given time.
func (s *Stores) Chats(unchangedSince time.Time) (ids []string, err error) {
	list, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range list {
		info, missing := e.Info()
		if missing != nil || !e.IsDir() || info.ModTime().After(unchangedSince) {
			continue
		}
		if _, invalid := s.chat(e.Name()); invalid == nil {
			ids = append(ids, e.Name())
		}
	}
	return ids, err
}

// Delete removes all snapshots of a chat.
func (s *Stores) Delete(chat string) error {
	st, err := s.chat(chat)
	if err != nil {
		return err
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	_, err = st.recover() // otherwise temporary files would remain in the folder
	err = errors.Join(err, os.RemoveAll(st.dir))
	st.pack, st.baselines, st.root, st.folder, st.deleted = nil, nil, nil, "", true
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.chats, chat)
	return err
}

// Close writes the caches of all stores. The caches only make the next start faster.
func (s *Stores) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	for _, st := range s.chats {
		st.mu.Lock()
		if st.root != nil && st.dirty > 0 {
			err = errors.Join(err, st.writeCache())
		}
		st.mu.Unlock()
	}
	s.chats = map[string]*Store{}
	return err
}

// Unload frees the memory of all stores that aren't open. They are loaded again when they are used.
func (s *Stores) Unload() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, st := range s.chats {
		st.mu.Lock()
		st.unload()
		st.mu.Unlock()
	}
}

// unload implements Unload. The caller must hold s.mu.
func (s *Store) unload() {
	if s.folder == "" {
		s.pack, s.baselines = nil, nil
	}
}

// start loads the parts of the store that don't depend on the chat's folder, unless they are in memory. It returns
// fs.ErrClosed if the store was deleted. The caller must hold s.mu.
func (s *Store) start() (err error) {
	if s.deleted {
		return fmt.Errorf("store %s: %w", s.dir, fs.ErrClosed)
	}
	if s.pack != nil {
		return nil
	}
	if err := os.MkdirAll(s.file(marks), 0o700); err != nil {
		return err
	}
	for _, pattern := range []string{tempPrefix + "*", ".voxpilot-*"} { // left by a process that ended unexpectedly
		files, _ := filepath.Glob(s.file(pattern))
		for _, file := range files {
			_ = os.Remove(file)
		}
	}
	if s.pack, err = openPack(s.dir, s.added); err != nil {
		return err
	}
	if s.baselines, err = s.readBaselines(); err != nil {
		s.pack = nil
	}
	return err
}

// marks is the name of the folder that contains one empty file per snapshot. The file is named after the snapshot's ID;
// its modification time is the time when the snapshot was last taken.
const marks = "snapshots"

func (s *Store) file(name string) string { return filepath.Join(s.dir, name) }

func readGob(file string, into any) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	return gob.NewDecoder(f).Decode(into)
}

func writeGob(file string, from any) error {
	err := atomicfile.Write(file, func(w io.Writer) error { return gob.NewEncoder(w).Encode(from) })
	syncDir(filepath.Dir(file))
	return err
}

// Snapshot records the current state of the folder. If it returns an error, for example because the disk is full,
// earlier snapshots aren't affected.
func (s *Store) Snapshot(ctx context.Context) (Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.snapshot(ctx)
}

func (s *Store) snapshot(ctx context.Context) (Snapshot, error) {
	n, err := s.read(ctx, max(3, runtime.GOMAXPROCS(0))) // mostly system calls, so that more goroutines than processors help
	if err != nil {
		return Snapshot{}, err
	}
	snap := Snapshot{ID: ID(n.Hash.String()), Files: n.files, Bytes: n.bytes, OmittedCount: n.omitted, Repositories: s.repos}
	omissions(n, "", &snap.Omitted)
	return snap, s.mark(snap.ID)
}

// WarmUp reads the folder in one goroutine, so that it hardly slows down other programs. The next snapshot then reads
// only files that have changed meanwhile. WarmUp records no snapshot. It does nothing if the folder has already been
// read, and has no effect if ctx ends.
func (s *Store) WarmUp(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.root != nil {
		return nil
	}
	if _, err := s.read(ctx, 0); err != nil {
		return err
	}
	return s.writeCache()
}

// read reads the current state of the folder into s.root and returns it. It uses at most the given number of additional
// goroutines.
func (s *Store) read(ctx context.Context, goroutines int) (*node, error) {
	if s.pack == nil || s.folder == "" {
		return nil, fmt.Errorf("store %s: %w", s.dir, fs.ErrClosed)
	}
	old := s.root
	n, err := s.scan(ctx, old, goroutines)
	if err == nil {
		err = s.pack.flush()
	}
	if err != nil {
		s.pack.abort()
		return nil, err
	}
	s.root = n
	if n != old {
		if s.dirty += changedFiles(old, n); s.dirty > 500 {
			_ = s.writeCache() // only makes the next start faster
		}
	}
	return n, nil
}

// mark records the current time as the time when the snapshot was last taken.
func (s *Store) mark(id ID) error {
	file := filepath.Join(s.file(marks), string(id))
	now := time.Now()
	err := os.Chtimes(file, now, now)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		return err
	}
	syncDir(s.file(marks))
	return nil
}

// changedFiles returns the approximate number of files that differ between two scans.
func changedFiles(a, b *node) int {
	if a == nil || a.Kind != Dir {
		return max(b.files, 1)
	}
	was := make(map[*node]bool, len(a.kids))
	byName := make(map[string]*node, len(a.kids))
	for _, k := range a.kids {
		was[k], byName[k.name] = true, k
	}
	n := 0
	for _, k := range b.kids {
		switch {
		case was[k]:
		case k.Kind == Dir:
			n += changedFiles(byName[k.name], k)
		default:
			n++
		}
	}
	return n
}

// omissions adds to the list the paths below the folder n that were left out of the snapshot, except those that Git
// ignores. The list gets at most maxOmitted entries.
func omissions(n *node, at string, list *[]Omission) {
	for _, k := range n.kids {
		if len(*list) == maxOmitted {
			return
		}
		switch {
		case k.Kind == Unknown && k.Reason != Ignored:
			*list = append(*list, Omission{Path: path.Join(at, k.name), Reason: k.Reason, Size: k.Size})
		case k.Kind == Dir && k.omitted > 0:
			omissions(k, path.Join(at, k.name), list)
		}
	}
}

// Read returns the state of a path in a snapshot and its content: the data of a file, the target of a
// link, or nil for anything else.
func (s *Store) Read(id ID, path string) (e Entry, content []byte, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.start(); err != nil {
		return e, nil, err
	}
	root, err := s.rootOf(id)
	if err != nil {
		return e, nil, err
	}
	n, err := s.find(root, path)
	if err != nil {
		return e, nil, err
	}
	e = entryOf(n)
	if e.isFile() {
		content, err = s.pack.get(e.Hash)
	}
	return e, content, err
}
