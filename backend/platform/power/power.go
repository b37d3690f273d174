// Package power reports system events while VoxPilot runs: sleep and resume, network changes, unlocking
// the screen and the end of the session.
//
// A check that runs every minute detects sleep and network changes that the system doesn't report. It
// detects a sleep by comparing the wall clock, which continues during sleep, with the monotonic clock, which
// can stop. It detects a network change by comparing the computer's addresses.
package power

import (
	"context"
	"log/slog"
	"net"
	"time"
)

// Events holds the handlers. A handler must not return before its work is done. Handlers are called one at a time, in
// the order of the events. No handler may be nil.
type Events struct {
	// Sleep is called before the computer sleeps, and Ending before the session ends or the computer shuts down. The
	// system waits for these handlers, but only for a few seconds. Neither is called if the system doesn't announce the
	// event.
	Sleep  func()
	Ending func()
	// Resume is called after a sleep, even if Sleep wasn't called.
	Resume func()
	// NetworkChanged is called when the computer has joined a network, switched to another one or gained internet
	// access. It isn't called when the computer has only lost a network.
	NetworkChanged func()
	// Unlocked is called when the user unlocks the screen.
	Unlocked func()
}

// Watch calls the handlers until ctx ends.
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

// eventKind is a kind of event that the system reports.
type eventKind int

const (
	sleepStarts    eventKind = iota // the system waits for the handler
	shutdownStarts                  // end of the session or shutdown; the system waits
	woke                            // after a sleep
	addressChanged                  // any change to an address or route
	unlocked                        // the screen was unlocked
	connected                       // the system has verified an internet connection
)

type powerEvent struct {
	kind eventKind
	done chan struct{} // closed when the event has been handled
}

// watcher calls the handlers for the system's events.
type watcher struct {
	events  chan powerEvent
	clock   *clock
	address func() string // localAddresses, except in tests
	settle  time.Duration
}

const (
	// tick is the interval for comparing clocks and addresses. On Linux and Windows, the comparison finds only changes
	// that the system didn't report.
	tick = time.Minute
	// settleTime is the delay before a network change is reported. Each further change restarts the delay, because
	// joining a network causes many changes.
	settleTime = 1500 * time.Millisecond
)

func (w *watcher) loop(ctx context.Context, events Events) {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	told := w.address() // addresses at the last reported change
	moved := false      // the addresses have differed since
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

// clock detects a sleep that the system didn't report.
type clock struct{ last time.Time }

func newClock(now time.Time) *clock { return &clock{now} }

// slept reports whether the computer has slept since the last call.
func (c *clock) slept(now time.Time) bool {
	awake := now.Sub(c.last)
	passed := now.Round(0).Sub(c.last.Round(0)) // wall clock only
	c.last = now
	return slept(passed, awake)
}

// slept reports whether there was a sleep between two ticks: the wall clock gained more than jump on the monotonic
// clock, or the second tick was more than late behind schedule.
func slept(passed, awake time.Duration) bool {
	return passed-awake > jump || awake > tick+late
}

const (
	jump = 10 * time.Second // tolerance for wall clock corrections
	late = time.Minute      // tolerance for a busy machine
)

// localAddresses returns the local addresses that this computer uses to reach the
// internet, or "" if there are none. It sends no packets.
func localAddresses() (addresses string) {
	for _, to := range []string{"192.0.2.1:9", "[2001:db8::1]:9"} { // reserved for documentation
		conn, err := net.Dial("udp", to) //nolint:noctx // doesn't block
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
