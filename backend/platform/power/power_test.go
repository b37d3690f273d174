package power

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// recorder is a watcher with handlers that record their calls in order.
type recorder struct {
	t     *testing.T
	watch *watcher
	calls chan string
	stop  func()
}

func newRecorder(t *testing.T, address func() string) *recorder {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	w := &recorder{t: t, calls: make(chan string, 100), stop: cancel}
	w.watch = &watcher{events: make(chan powerEvent), clock: newClock(time.Now()), address: address, settle: settleTime}
	go w.watch.loop(ctx, w.events())
	return w
}

func (w *recorder) events() Events {
	note := func(name string) func() { return func() { w.calls <- name } }
	return Events{Sleep: note("sleep"), Ending: note("ending"), Resume: note("resume"), NetworkChanged: note("network"), Unlocked: note("unlocked")}
}

func (w *recorder) notify(what eventKind) {
	done := make(chan struct{})
	w.watch.events <- powerEvent{what, done}
	<-done
}

func (w *recorder) allCalls() (calls []string) {
	synctest.Wait()
	for {
		select {
		case c := <-w.calls:
			calls = append(calls, c)
		default:
			return calls
		}
	}
}

func equalCalls(t *testing.T, when string, got []string, want ...string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: got %q, want %q", when, got, want)
		return
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%s: got %q, want %q", when, got, want)
		}
	}
}

func TestNetwork_ReportedWhenUpAndDifferent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		address := "10.0.0.2"
		w := newRecorder(t, func() string { return address })
		defer w.stop()
		synctest.Wait()
		change := func(to string) {
			address = to
			w.notify(addressChanged)
		}
		w.notify(addressChanged)
		time.Sleep(settleTime)
		equalCalls(t, "something else changed, as a container's network", w.allCalls())
		change("")
		time.Sleep(time.Hour)
		equalCalls(t, "the network is gone", w.allCalls())
		change("10.0.0.2")
		equalCalls(t, "it is not settled", w.allCalls())
		time.Sleep(settleTime)
		equalCalls(t, "it is back, with the same address", w.allCalls(), "network")
		change("10.0.0.3")
		time.Sleep(settleTime / 2)
		change("")
		time.Sleep(settleTime / 2)
		change("10.9.9.9")
		time.Sleep(settleTime / 2)
		equalCalls(t, "it goes on changing", w.allCalls())
		time.Sleep(settleTime / 2)
		equalCalls(t, "it has settled", w.allCalls(), "network")
		time.Sleep(time.Minute)
		equalCalls(t, "afterward", w.allCalls())
		w.notify(connected)
		time.Sleep(settleTime)
		equalCalls(t, "a network lets requests through that did not", w.allCalls(), "network")
	})
}

func TestWatch_DetectsUnreportedNetwork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var address atomic.Pointer[string]
		first := "10.0.0.2"
		address.Store(&first)
		w := newRecorder(t, func() string { return *address.Load() })
		defer w.stop()
		synctest.Wait()
		for _, next := range []string{"", "10.0.0.3"} {
			address.Store(&next)
			time.Sleep(tick + settleTime)
		}
		equalCalls(t, "another network", w.allCalls(), "network")
		time.Sleep(time.Hour)
		equalCalls(t, "afterward", w.allCalls())
	})
}

func TestWatch_EventsInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newRecorder(t, func() string { return "" })
		defer w.stop()
		for _, what := range []eventKind{sleepStarts, woke, unlocked, shutdownStarts} {
			w.notify(what)
		}
		equalCalls(t, "all", w.allCalls(), "sleep", "resume", "unlocked", "ending")
		time.Sleep(time.Hour)
		equalCalls(t, "an hour awake", w.allCalls())
	})
}

func TestSleep_DetectedByClocks(t *testing.T) {
	for _, c := range []struct {
		name          string
		passed, awake time.Duration
		slept         bool
	}{
		{"a tick", tick, tick, false},
		{"a busy machine", tick + late, tick + late, false},
		{"the time was set right", tick + jump, tick, false},
		{"the time was set back", -time.Hour, tick, false},
		{"a sleep", tick + time.Hour, tick, true},
		{"a sleep of a quarter of a minute", tick + 15*time.Second, tick, true},
		{"a process that was stopped, or a clock that goes on in sleep", time.Hour, time.Hour, true},
	} {
		if got := slept(c.passed, c.awake); got != c.slept {
			t.Errorf("%s: got %t", c.name, got)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		c := newClock(time.Now())
		time.Sleep(time.Hour)
		if !c.slept(time.Now()) {
			t.Error("an hour without a tick is not noticed")
		}
		time.Sleep(tick)
		if c.slept(time.Now()) {
			t.Error("the hour is noticed twice")
		}
	})
}

func TestWatch_EndsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	nothing := func() { t.Error("something was told") }
	Watch(ctx, Events{Sleep: nothing, Ending: nothing, Resume: nothing, NetworkChanged: nothing, Unlocked: nothing}, slog.New(slog.DiscardHandler))
}
