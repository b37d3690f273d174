// Package power tells of what happens to the computer while VoxPilot runs: sleep
// and resume, another network, a locked screen, the end of the session.
//
// What a system does not tell is noticed each minute: a sleep by the clocks (one
// that counts the time of day goes on in sleep, one that counts the time awake
// does not), and another network by the computer's address.
package power

import (
	"context"
	"log/slog"
	"net"
	"time"
)

// Events are what is told, each by a call that returns when what has to be done
// was done. One call runs at a time, in the order in which things happened. None
// may be nil.
type Events struct {
	// Sleep and Ending come before the computer sleeps, and before the session
	// ends or the computer shuts down, which waits for them, for some seconds at
	// most. A system that has no words for it tells neither.
	Sleep  func()
	Ending func()
	// Resume comes after a sleep, also where nothing was told before it.
	Resume func()
	// NetworkChanged comes when the computer has got onto a network, or onto
	// another one. That it lost one is not told.
	NetworkChanged func()
	// Unlocked comes when the user is back at a screen that was locked.
	Unlocked func()
}

// Watch tells of what happens until ctx ends.
func Watch(ctx context.Context, events Events, log *slog.Logger) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w := &watcher{events: make(chan powerEvent), clock: newClock(time.Now()), address: localAddresses, settle: settleTime}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		listen(ctx, func(what eventKind) {
			done := make(chan struct{})
			select {
			case w.events <- powerEvent{what, done}:
			case <-ctx.Done():
				return
			}
			if what == sleepStarts || what == shutdownStarts {
				select {
				case <-done:
				case <-ctx.Done():
				}
			}
		}, log)
	}()
	w.loop(ctx, events)
	cancel()
	<-ended
}

// eventKind is something that a system tells.
type eventKind int

const (
	sleepStarts    eventKind = iota // and waits until that was dealt with
	shutdownStarts                  // the session, or the computer's day; and waits
	woke                            // after a sleep
	addressChanged                  // an address or a route has changed, in whatever way
	unlocked                        // the screen
	connected                       // to the internet, as the system knows by asking
)

type powerEvent struct {
	kind eventKind
	done chan struct{} // closed when it was dealt with
}

// watcher decides what is told of what the system says.
type watcher struct {
	events  chan powerEvent
	clock   *clock
	address func() string // see outward
	settle  time.Duration
}

const (
	// tick is how often the clocks and the addresses are compared, which Linux and
	// Windows make needless by telling of changes themselves.
	tick = time.Minute
	// settleTime is how long nothing has to change before a network counts as
	// changed: joining one is many changes.
	settleTime = 1500 * time.Millisecond
)

func (w *watcher) loop(ctx context.Context, events Events) {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	told := w.address() // where the network was when it was told of last
	moved := false      // it was elsewhere since
	var settled <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if w.clock.slept(time.Now()) {
				events.Resume()
			}
			if moved || w.address() != told {
				moved, settled = true, time.After(w.settle)
			}
		case <-settled:
			settled = nil
			if now := w.address(); now != "" && moved {
				told, moved = now, false
				events.NetworkChanged()
			}
		case h := <-w.events:
			switch h.kind {
			case sleepStarts:
				events.Sleep()
			case shutdownStarts:
				events.Ending()
			case woke:
				w.clock = newClock(time.Now())
				events.Resume()
			case unlocked:
				events.Unlocked()
			case connected:
				moved, settled = true, time.After(w.settle)
			case addressChanged:
				moved = moved || w.address() != told
				settled = time.After(w.settle)
			}
			close(h.done)
		}
	}
}

// clock notices a sleep that nobody has told of.
type clock struct{ last time.Time }

func newClock(now time.Time) *clock { return &clock{now} }

// slept says whether the computer has slept since the last call.
func (c *clock) slept(now time.Time) bool {
	awake := now.Sub(c.last)
	passed := now.Round(0).Sub(c.last.Round(0)) // by the time of day alone
	c.last = now
	return slept(passed, awake)
}

// slept says whether there was a sleep between two ticks: the time of day went on
// by more than the time awake, or nothing ran for long.
func slept(passed, awake time.Duration) bool {
	return passed-awake > jump || awake > tick+late
}

const (
	jump = 10 * time.Second // what the time of day may be set right by
	late = time.Minute      // what a busy machine may be late by
)

// localAddresses are the addresses that this computer has towards the internet, "" where
// it has none. Nothing is sent to find out.
func localAddresses() (addresses string) {
	for _, to := range []string{"192.0.2.1:9", "[2001:db8::1]:9"} { // nobody's, for documentation
		conn, err := net.Dial("udp", to) //nolint:noctx // it takes no time
		if err != nil {
			continue
		}
		if a, ok := conn.LocalAddr().(*net.UDPAddr); ok {
			addresses += a.IP.String() + " "
		}
		_ = conn.Close()
	}
	return addresses
}
