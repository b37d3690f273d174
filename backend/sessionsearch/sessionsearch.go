// Package sessionsearch adds the texts of the Copilot CLI's sessions to the search index, if the user has switched the
// search in sessions on.
//
//   - sessionsearch.go: when to look for changes.
//   - pass.go: reads new texts, and removes those of deleted sessions.
package sessionsearch

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

// Config holds the dependencies of an Indexer.
type Config struct {
	// Sessions returns all sessions, newest first.
	Sessions func(ctx context.Context) (backend.CLISessions, error)
	Store    *store.Store
	Enabled  func() bool // the user has switched the search in sessions on
	Log      *slog.Logger
}

// Indexer keeps the texts of sessions in the search index. It works in the background, one session at a time, and
// continues after a restart where it stopped. Its methods can be called concurrently.
type Indexer struct {
	cfg   Config
	life  context.Context
	end   context.CancelFunc
	tasks sync.WaitGroup
	wake  chan struct{}

	mu      sync.Mutex
	reading bool
	partial bool      // the list of sessions wasn't complete in the last pass
	looked  time.Time // time at which the index was last up to date
}

// The intervals between passes.
const (
	startDelay = 5 * time.Second // before the first pass, so that it doesn't slow down the start of the app
	interval   = 2 * time.Minute
	listDelay  = 2 * time.Second // while the list of sessions is incomplete
	searchAge  = 5 * time.Second // a search starts a pass only if the index was last up to date longer ago
)

// New returns an Indexer. The caller must call Start before the other methods, and Close at the end.
func New(cfg Config) *Indexer {
	i := &Indexer{cfg: cfg, wake: make(chan struct{}, 1)}
	i.life, i.end = context.WithCancel(context.Background())
	return i
}

// Start starts the background work.
func (i *Indexer) Start() { i.tasks.Go(i.run) }

// Close stops the background work and waits until it has ended.
func (i *Indexer) Close() {
	i.end()
	i.tasks.Wait()
}

// Changed tells the Indexer that the user has changed the setting. It returns at once.
func (i *Indexer) Changed() {
	i.setReading(i.cfg.Enabled())
	i.wakeUp()
}

// Searched tells the Indexer that the user is searching, so that it checks the sessions soon. It returns at once. The
// result reports whether texts may still be missing from the index.
func (i *Indexer) Searched() (reading bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.cfg.Enabled() && time.Since(i.looked) > searchAge {
		i.wakeUp()
	}
	return i.reading
}

func (i *Indexer) wakeUp() {
	select {
	case i.wake <- struct{}{}:
	default: // already signaled
	}
}

func (i *Indexer) setReading(is bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.reading = is
	if !is {
		i.looked = time.Now()
	}
}

func (i *Indexer) run() {
	wait := startDelay
	for {
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-i.wake:
			timer.Stop()
		case <-i.life.Done():
			timer.Stop()
			return
		}
		if err := i.Pass(i.life); err != nil && i.life.Err() == nil {
			i.cfg.Log.Warn("couldn't add sessions of the Copilot CLI to the search", "err", err)
		}
		wait = interval
		i.mu.Lock()
		if i.partial {
			wait = listDelay
		}
		i.mu.Unlock()
	}
}
