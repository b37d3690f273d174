package desktop

import (
	"log/slog"
	"sync"
	"time"
)

// pulse notices a page that has stopped drawing: its web process hangs, or has
// crashed where the system says nothing of that. Wails has no hook for it and
// cannot revive it (its reload does nothing); only a new process can.
type pulse struct {
	frozen func()
	ticker *time.Ticker // stands still where no beat is expected
	done   chan struct{}
	once   sync.Once

	mu      sync.Mutex
	watch   bool // the page is visible and beats
	busy    bool // something was sent to the page since its last beat
	missed  int  // ticks since it was to beat
	dead    bool // it was found frozen and has not beaten since
	stopped bool
	since   time.Time     // when a beat was expected first, or the last tick
	ended   time.Time     // when its process ended by itself, last
	beaten  chan struct{} // closed and replaced by each beat
}

// A page beats within 20 seconds after something was sent to it, and every five
// minutes where nothing is: each beat wakes three processes up, and each tick the
// app. A page counts as frozen after so many ticks without a beat, which begin anew
// where the computer slept: on some systems ticks are due then, and beats are not.
const (
	busyTick   = 20 * time.Second
	missedBusy = 3
	restTick   = 2 * time.Minute
	missedRest = 3
)

// diesAgain is how long a page has to live that is loaded again in a new process.
const diesAgain = time.Minute

func newPulse(frozen func()) *pulse {
	p := &pulse{frozen: frozen, ticker: time.NewTicker(restTick), done: make(chan struct{}), beaten: make(chan struct{})}
	go p.run()
	return p
}

func (p *pulse) beat(visible bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.watch, p.busy, p.dead = visible, false, false
	p.expect()
	close(p.beaten)
	p.beaten = make(chan struct{})
}

// sent says that the page has something to draw.
func (p *pulse) sent() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.busy {
		p.busy = true
		p.expect()
	}
}

// expect counts from now on how late the next beat is. p.mu is held.
func (p *pulse) expect() {
	p.missed, p.since = 0, time.Now()
	switch {
	case p.stopped || !p.watch:
		p.ticker.Stop()
	case p.busy:
		p.ticker.Reset(busyTick)
	default:
		p.ticker.Reset(restTick)
	}
}

// died is told that the page's process has ended by itself, and says whether the
// page is to be loaded again. Where that has just been done, the user is asked.
func (p *pulse) died() (again bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	again = p.ended.IsZero() || time.Since(p.ended) > diesAgain
	p.ended = time.Now()
	slog.Error("the process that draws the page has ended", "again", again)
	if again {
		p.watch, p.busy = true, true // it is expected to beat
		p.expect()
		return true
	}
	p.watch, p.dead = false, true
	go p.frozen()
	return false
}

// next is closed by the next beat of the page. dead says that none is expected:
// it was found frozen.
func (p *pulse) next() (beat <-chan struct{}, dead bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.beaten, p.dead
}

func (p *pulse) stop() {
	p.once.Do(func() {
		close(p.done)
		p.mu.Lock()
		defer p.mu.Unlock()
		p.stopped = true
		p.ticker.Stop()
	})
}

func (p *pulse) run() {
	for {
		select {
		case <-p.ticker.C:
		case <-p.done:
			return
		}
		p.tick()
	}
}

// tick counts a stretch of time without a beat.
func (p *pulse) tick() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.watch {
		return
	}
	p.missed++
	limit, every := missedRest, restTick
	if p.busy {
		limit, every = missedBusy, busyTick
	}
	now := time.Now()
	if now.Round(0).Sub(p.since.Round(0)) > every+every/2 { // by the time of day
		p.missed = 0
	}
	p.since = now
	if p.missed >= limit {
		p.watch, p.dead = false, true
		p.expect()
		go p.frozen()
	}
}
