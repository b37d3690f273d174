package eventbus

import (
	"errors"
	"slices"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

const (
	// tick is the minimum time between two commits unless a caller waits for one. Events published in that
	// time are merged. About 60 commits per second match a screen's refresh rate.
	tick = 16 * time.Millisecond

	// firstRetry is the delay before the first retry of a failed write. The delay doubles with each attempt, up to
	// lastRetry.
	firstRetry = 250 * time.Millisecond
	lastRetry  = 5 * time.Second
)

// loop commits the queue repeatedly until the bus is closed and the queue is empty or abandoned.
func (b *Bus) loop() {
	defer close(b.ended)
	var last time.Time
	var retry time.Duration // 0 unless writes fail
	for {
		if !b.wait(last, retry) {
			b.abandon()
			return
		}
		b.turn <- struct{}{}
		b.commitQueue()
		failing := b.failing
		<-b.turn
		last = time.Now()
		switch {
		case !failing:
			retry = 0
		case retry == 0:
			retry = firstRetry
		default:
			retry = min(2*retry, lastRetry)
		}
		if b.isFinished() {
			return
		}
	}
}

// wait waits until the queue must be committed, and then returns true. It returns immediately if a caller waits for a
// commit or the bus was closed. Otherwise, it returns once an event has been published, but no earlier than one tick
// after last, the time of the previous commit. If retry is positive, the previous write failed: wait then ignores new
// events and returns after that duration at the latest. It returns false if the remaining events must be abandoned.
func (b *Bus) wait(last time.Time, retry time.Duration) bool {
	news := b.wake
	var timer <-chan time.Time
	if retry > 0 {
		t := time.NewTimer(retry)
		defer t.Stop()
		news, timer = nil, t.C
	}
	for {
		select {
		case <-b.apply.Done():
			return false
		case <-b.hurry:
			return true
		case <-timer:
			return true
		case <-news:
			rest := time.Until(last.Add(tick))
			if rest <= 0 {
				return true
			}
			t := time.NewTimer(rest)
			defer t.Stop()
			news, timer = nil, t.C
		}
	}
}

// isFinished reports whether the bus is closed and the queue is empty.
func (b *Bus) isFinished() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closed && len(b.queue.groups) == 0
}

// abandon discards the queue, makes the waiting calls fail and counts the lost published events.
func (b *Bus) abandon() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, g := range b.queue.take() {
		if g.done != nil {
			g.done <- errClosed
		} else {
			b.unsaved += len(g.entries)
		}
	}
}

// commitQueue commits the queued events and emits them.
func (b *Bus) commitQueue() {
	b.mu.Lock()
	groups := b.queue.take()
	b.mu.Unlock()
	if len(groups) == 0 {
		return
	}
	out := &batcher{bus: b}
	left, err := b.commitGroups(groups, out)
	if err != nil {
		b.mu.Lock()
		b.queue.putBack(left)
		b.mu.Unlock()
		b.reportFailure(err, out)
	} else if b.failing && out.wrote {
		b.reportRecovery(out)
	}
	out.flush()
	for _, g := range groups {
		if g.done != nil {
			g.done <- g.result
		}
	}
}

// commitGroups commits all groups together. If that fails, it commits them one by one, so that a Commit whose events
// can never be written affects no other group. If err isn't nil, left holds the published events that must be committed
// again later.
func (b *Bus) commitGroups(groups []*group, out *batcher) (left []backend.Event, err error) {
	var all []backend.Event
	durable := false
	events := make([][]backend.Event, len(groups))
	for i, g := range groups {
		events[i] = g.events()
		all = append(all, events[i]...)
		durable = durable || g.durable
	}
	var failed error
	if len(all) > 0 {
		failed = b.cfg.Apply(b.apply, all, durable)
	}
	if failed == nil {
		out.add(all)
		return nil, nil
	}
	for i, g := range groups {
		if err != nil {
			// Later groups must not be committed before the events that must be retried.
			if g.result = err; g.done == nil {
				left = append(left, events[i]...)
			}
			continue
		}
		if len(groups) > 1 {
			failed = b.cfg.Apply(b.apply, events[i], g.durable)
		}
		if g.done == nil {
			left, err = b.settle(events[i], failed, out)
			continue
		}
		if g.result = failed; failed == nil {
			out.add(events[i])
		} else if backend.CodeOf(failed) != backend.CodeInvalid {
			err = failed
		}
	}
	return left, err
}

// settle continues with published events for which Apply returned result. If they were committed, it adds them to out.
// If some of them can never be written, it divides the events repeatedly to find those, drops them and commits the
// others. If err isn't nil, left holds the events that must be committed again later.
func (b *Bus) settle(events []backend.Event, result error, out *batcher) (left []backend.Event, err error) {
	switch {
	case result == nil:
		out.add(events)
		return nil, nil
	case backend.CodeOf(result) != backend.CodeInvalid:
		return events, result
	case len(events) == 1:
		b.dropEvent(events[0], result, out)
		return nil, nil
	}
	first, second := events[:len(events)/2], events[len(events)/2:]
	left, err = b.settle(first, b.cfg.Apply(b.apply, first, false), out)
	if err != nil {
		return slices.Concat(left, second), err
	}
	return b.settle(second, b.cfg.Apply(b.apply, second, false), out)
}

// dropEvent reports in the log and to the user that an event was dropped because it can never be written.
func (b *Bus) dropEvent(e backend.Event, err error, out *batcher) {
	about := backend.KindOf(&e).SubjectOf(&e)
	b.cfg.Log.Error("couldn't save a change; dropped it", "kind", about.Kind, "id", about.ID, "err", err, "detail", detail(err))
	storage := b.retained.storageNow()
	storage.Message = backend.Say("One change couldn't be saved and was skipped. All others were saved. See the log in Settings > Doctor.")
	out.add([]backend.Event{{Storage: &storage}})
}

// reportFailure publishes an event to report that the database can't be written.
func (b *Bus) reportFailure(err error, out *batcher) {
	storage := b.retained.storageNow()
	if !b.failing {
		b.failing = true
		before := storage
		b.before = &before
		b.cfg.Log.Error("can't write to the database; keeping new data in memory and retrying", "err", err, "detail", detail(err))
	} else if storage.Message == backend.MessageOf(err) {
		return
	}
	storage.State, storage.Message = backend.StorageFailing, backend.MessageOf(err)
	out.add([]backend.Event{{Storage: &storage}})
}

// reportRecovery publishes an event to report that the database can be written again.
func (b *Bus) reportRecovery(out *batcher) {
	b.failing = false
	b.cfg.Log.Info("can write to the database again")
	out.add([]backend.Event{{Storage: b.before}})
}

func detail(err error) string {
	var e *backend.Error
	if errors.As(err, &e) {
		return e.Detail
	}
	return ""
}
