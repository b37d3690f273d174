// Package sessionindex lists the sessions of the Copilot CLI on this computer by reading their files. It starts no
// process and needs no sign-in.
//
//   - index.go: the index and its list; filter.go: the search in it.
//   - pass.go: finds new, changed and deleted sessions.
//   - work.go: reads the whole logs in the background.
//   - entry.go: the known properties of a session; cache.go: stores them between runs.
//   - preview.go: describes one session in detail.
package sessionindex

import (
	"context"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
)

// Config holds the dependencies of an Index.
type Config struct {
	Cache string // path of the file in which the index is stored; "" stores nothing
	// Homes returns the home directories of the CLI in addition to the default one, as in backend.Session.Home.
	Homes func(ctx context.Context) ([]string, error)
	// Temporary returns the IDs of VoxPilot's temporary sessions, which aren't listed.
	Temporary func() (map[string]bool, error)
	// Owners returns, by session ID, the IDs of the chats that contain the given sessions. home is the home directory
	// of the sessions, in the form of backend.Session.Home.
	Owners func(ctx context.Context, home string, ids []string) (map[string]string, error)
	// IsOwn reports whether a process belongs to VoxPilot. Such a process isn't listed as the holder of a session.
	IsOwn func(pid int) bool
	Log   *slog.Logger
}

// Index is the list of all sessions. Its methods can be called concurrently. It does nothing until the list is first
// requested.
type Index struct {
	cfg   Config
	life  context.Context
	end   context.CancelFunc
	tasks sync.WaitGroup

	stale atomic.Bool // the owners may have changed

	mu        sync.Mutex
	closed    bool
	homes     []*home
	revision  int64
	failure   backend.Message
	pass      *pass // the running pass, or nil
	passed    bool  // a pass has ended
	lastPass  time.Time
	passTime  time.Duration               // duration of the last pass
	loaded    bool                        // the cache has been read
	unsaved   bool                        // the index has changes that aren't in the cache
	cached    map[string]map[string]Known // sessions in the cache that no pass has seen yet
	saved     time.Time                   // time of the last save
	reading   bool                        // the background work is running
	checking  bool                        // the working directories are being checked
	foldersAt time.Time                   // time of the last check
	read      int64                       // bytes read from files of homes that are no longer open
}

// home is a home directory of the CLI.
type home struct {
	name     string // as in backend.Session.Home
	dir      string // the directory, without links
	folder   *sessionfiles.Folder
	sessions map[string]*entry // by ID
	failed   bool              // some sessions can't be read
}

// New returns an index. The caller must close it.
func New(cfg Config) *Index {
	i := &Index{cfg: cfg, revision: time.Now().UnixMilli()} // higher than in earlier runs
	i.life, i.end = context.WithCancel(context.Background())
	return i
}

// Close ends the background work and stores the index.
func (i *Index) Close() {
	i.mu.Lock()
	i.closed = true
	i.mu.Unlock()
	i.end()
	i.tasks.Wait()
	i.save()
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, h := range i.homes {
		i.closeHome(h)
	}
	i.homes = nil
}

// OwnersChanged tells the index that chats or their sessions have changed. It returns at once.
func (i *Index) OwnersChanged() { i.stale.Store(true) }

// passWait is the maximum time that a request waits for a pass. The result of a slower pass is in the answer to the
// next request.
const passWait = 2 * time.Second

// List returns the sessions that match the query, after looking for changes. It returns no sessions if q.Since is the
// current revision.
func (i *Index) List(ctx context.Context, q Query) (backend.CLISessions, error) {
	if err := i.refresh(ctx); err != nil {
		return backend.CLISessions{}, err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	list := backend.CLISessions{Revision: i.revision, Reading: i.reading || !i.passed, Failure: i.failure}
	match := q.matcher()
	sessions := []backend.CLISession{}
	for _, h := range i.homes {
		for _, e := range h.sessions {
			if !e.isListed() || !match(e) {
				continue
			}
			if q.Since != i.revision {
				sessions = append(sessions, e.row(h))
			}
			if e.chatID != "" {
				list.Known++
			}
		}
	}
	if q.Since != i.revision {
		sortNewestFirst(sessions)
		list.Sessions = sessions
	}
	return list, nil
}

// refresh looks for changes, unless it has just done so. It waits for a running pass, up to passWait. It returns an
// error only if ctx is done.
func (i *Index) refresh(ctx context.Context) error {
	i.mu.Lock()
	p, pause := i.pass, max(minPause, 20*i.passTime)
	if i.stale.Load() {
		pause = minPause
	}
	if p == nil && !i.closed && (!i.passed || time.Since(i.lastPass) > pause) {
		p = &pass{done: make(chan struct{})}
		i.pass = p
		i.tasks.Go(func() { i.runPass(p) })
	}
	i.mu.Unlock()
	if p == nil {
		return nil
	}
	late := time.NewTimer(passWait)
	defer late.Stop()
	select {
	case <-p.done:
	case <-late.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// minPause is the minimum time between two passes.
const minPause = 200 * time.Millisecond

// homeDir returns the directory for a name of a home, without links.
func homeDir(name string) string {
	dir := sessionfiles.HomeDir(sessionfiles.HomeOf(backend.Session{Home: name}))
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return filepath.Clean(dir)
}

// homeNamed returns the home with the given name, or nil. The caller must hold i.mu.
func (i *Index) homeNamed(name string) *home {
	dir := homeDir(name)
	for _, h := range i.homes {
		if h.dir == dir {
			return h
		}
	}
	return nil
}

// closeHome closes the folder of a home. The caller must hold i.mu.
func (i *Index) closeHome(h *home) {
	if h.folder != nil {
		i.read += h.folder.BytesRead()
		_ = h.folder.Close() // nothing was written
	}
}

// BytesRead returns the number of bytes that were read from the sessions' files.
func (i *Index) BytesRead() int64 {
	i.mu.Lock()
	defer i.mu.Unlock()
	n := i.read
	for _, h := range i.homes {
		if h.folder != nil {
			n += h.folder.BytesRead()
		}
	}
	return n
}
