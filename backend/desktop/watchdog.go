package desktop

import (
	"log/slog"
	"sync"
	"time"
)

// watchdog detects that the page has stopped responding: its web process may hang, or may crash without
// the system reporting it. Wails doesn't notice that, and its own reload doesn't recover the page, so onFrozen
// asks the user whether to restart VoxPilot.
type watchdog struct {
	onFrozen func()
	ticker   *time.Ticker // stopped while no heartbeat is expected
	done     chan struct{}
	once     sync.Once

	mu       sync.Mutex
	enabled  bool // the page is visible and sends heartbeats
	busy     bool // something was sent to the page since its last heartbeat
	missed   int  // ticks since a heartbeat was due
	isFrozen bool // the page was found frozen and has sent no heartbeat since
	stopped  bool
	since    time.Time     // start of waiting for a heartbeat, or the last tick
	diedAt   time.Time     // last crash of the web process
	beats    chan struct{} // closed and replaced by each heartbeat
}

// A page sends a heartbeat within 20 seconds after something was sent to it, and otherwise every five minutes. The
// intervals are long because each heartbeat wakes three processes, and each tick wakes the app. A page counts as
// frozen after missedBusy ticks if its heartbeat is due within 20 seconds, and otherwise after missedIdle ticks.
// The count restarts after the computer has slept, because on some systems the ticks continue during sleep.
const (
	busyInterval = 20 * time.Second
	missedBusy   = 3
	idleInterval = 2 * time.Minute
	missedIdle   = 3
)

// minPageLife is the minimum time between two crashes of the web process. If the second one comes sooner, the
// page isn't reloaded automatically.
const minPageLife = time.Minute

func newWatchdog(frozen func()) *watchdog {
	p := &watchdog{onFrozen: frozen, ticker: time.NewTicker(idleInterval), done: make(chan struct{}), beats: make(chan struct{})}
	go p.run()
	return p
}

func (w *watchdog) heartbeat(visible bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.enabled, w.busy, w.isFrozen = visible, false, false
	w.expect()
	close(w.beats)
	w.beats = make(chan struct{})
}

// sent records that the page has received something to draw.
func (w *watchdog) sent() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.busy {
		w.busy = true
		w.expect()
	}
}

// expect starts waiting for the next heartbeat. The caller must hold w.mu.
func (w *watchdog) expect() {
	w.missed, w.since = 0, time.Now()
	switch {
	case w.stopped || !w.enabled:
		w.ticker.Stop()
	case w.busy:
		w.ticker.Reset(busyInterval)
	default:
		w.ticker.Reset(idleInterval)
	}
}

// processDied handles a crash of the web process and reports whether to reload the page. If the
// previous crash was less than minPageLife ago, the user is asked instead.
func (w *watchdog) processDied() (again bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	again = w.diedAt.IsZero() || time.Since(w.diedAt) > minPageLife
	w.diedAt = time.Now()
	slog.Error("the page's render process exited", "again", again)
	if again {
		w.enabled, w.busy = true, true // a heartbeat is expected
		w.expect()
		return true
	}
	w.enabled, w.isFrozen = false, true
	go w.onFrozen()
	return false
}

// next returns a channel that is closed at the next heartbeat. dead is true if no heartbeat is expected because
// the page is frozen.
func (w *watchdog) next() (beat <-chan struct{}, dead bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.beats, w.isFrozen
}

func (w *watchdog) stop() {
	w.once.Do(func() {
		close(w.done)
		w.mu.Lock()
		defer w.mu.Unlock()
		w.stopped = true
		w.ticker.Stop()
	})
}

func (w *watchdog) run() {
	for {
		select {
		case <-w.ticker.C:
		case <-w.done:
			return
		}
		w.tick()
	}
}

// tick counts an interval without a heartbeat, and reports the page as frozen after too many.
func (w *watchdog) tick() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.enabled {
		return
	}
	w.missed++
	limit, every := missedIdle, idleInterval
	if w.busy {
		limit, every = missedBusy, busyInterval
	}
	now := time.Now()
	if now.Round(0).Sub(w.since.Round(0)) > every+every/2 { // wall clock
		w.missed = 0
	}
	w.since = now
	if w.missed >= limit {
		w.enabled, w.isFrozen = false, true
		w.expect()
		go w.onFrozen()
	}
}
