package desktop

import (
	"log/slog"
	"sync"
	"time"
)

// watchdog notices a page that has stopped drawing: its web process hangs, or has
// crashed where the system says nothing of that. Wails has no hook for it and
// cannot revive it (its reload does nothing); only a new process can.
type watchdog struct {
	onFrozen func()
	ticker   *time.Ticker // stands still where no beat is expected
	done     chan struct{}
	once     sync.Once

	mu       sync.Mutex
	enabled  bool // the page is visible and beats
	busy     bool // something was sent to the page since its last beat
	missed   int  // ticks since it was to beat
	isFrozen bool // it was found frozen and has not beaten since
	stopped  bool
	since    time.Time     // when a beat was expected first, or the last tick
	diedAt   time.Time     // when its process ended by itself, last
	beats    chan struct{} // closed and replaced by each beat
}

// A page beats within 20 seconds after something was sent to it, and every five
// minutes where nothing is: each beat wakes three processes up, and each tick the
// app. A page counts as frozen after so many ticks without a beat, which begin anew
// where the computer slept: on some systems ticks are due then, and beats are not.
const (
	busyInterval = 20 * time.Second
	missedBusy   = 3
	idleInterval = 2 * time.Minute
	missedIdle   = 3
)

// minPageLife is how long a page has to live that is loaded again in a new process.
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

// sent says that the page has something to draw.
func (w *watchdog) sent() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.busy {
		w.busy = true
		w.expect()
	}
}

// expect counts from now on how late the next beat is. p.mu is held.
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

// processDied is told that the page's process has ended by itself, and says whether the
// page is to be loaded again. Where that has just been done, the user is asked.
func (w *watchdog) processDied() (again bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	again = w.diedAt.IsZero() || time.Since(w.diedAt) > minPageLife
	w.diedAt = time.Now()
	slog.Error("the process that draws the page has ended", "again", again)
	if again {
		w.enabled, w.busy = true, true // it is expected to beat
		w.expect()
		return true
	}
	w.enabled, w.isFrozen = false, true
	go w.onFrozen()
	return false
}

// next is closed by the next beat of the page. dead says that none is expected:
// it was found frozen.
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

// tick counts a stretch of time without a beat.
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
	if now.Round(0).Sub(w.since.Round(0)) > every+every/2 { // by the time of day
		w.missed = 0
	}
	w.since = now
	if w.missed >= limit {
		w.enabled, w.isFrozen = false, true
		w.expect()
		go w.onFrozen()
	}
}
