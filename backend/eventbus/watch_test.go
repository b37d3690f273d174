package eventbus_test

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/eventbus"
)

// watchedEnv is an env that also records the order in which events are written, passed
// to OnEvent and emitted.
type watchedEnv struct {
	env
	mu    sync.Mutex
	steps []string
}

func (d *watchedEnv) record(what string, events ...backend.Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, e := range events {
		d.steps = append(d.steps, what+" "+name(e))
	}
}

func (d *watchedEnv) take() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	steps := d.steps
	d.steps = nil
	return steps
}

func newWatchedEnv(t *testing.T, hears func(*watchedEnv, backend.Event)) *watchedEnv {
	d := &watchedEnv{env: env{t: t, next: 1}}
	d.bus = eventbus.New(eventbus.Config{
		Run: "run", Log: slog.New(slog.DiscardHandler),
		Apply: func(ctx context.Context, events []backend.Event, durable bool) error {
			err := d.apply(ctx, events, durable)
			if err == nil {
				d.record("write", events...)
			}
			return err
		},
		OnEvent: func(e backend.Event) {
			d.record("hear", e)
			hears(d, e)
		},
		Emit: func(b backend.Batch) {
			d.record("emit", b.Events...)
			d.emit(b)
		},
	})
	return d
}

func (d *watchedEnv) expect(steps ...string) {
	d.t.Helper()
	if diff := cmp.Diff(steps, d.take()); diff != "" {
		d.t.Errorf("the steps (-want +got):\n%s", diff)
	}
}

func TestWatch_SavedEventsArriveBeforeEmit(t *testing.T) {
	d := newWatchedEnv(t, func(*watchedEnv, backend.Event) {})
	defer d.close()
	if err := d.bus.Commit(t.Context(), chat("a", "one"), item("i", 1)); err != nil {
		t.Fatal(err)
	}
	d.expect("write chat a=one", "write item i=1", "hear chat a=one", "hear item i=1", "emit chat a=one", "emit item i=1")

	d.bus.Publish(item("i", 2), text("t", 0, "x"), item("j", 1), item("i", 3))
	if err := d.bus.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	heard := slices.DeleteFunc(d.take(), func(step string) bool { return !strings.HasPrefix(step, "hear") })
	if diff := cmp.Diff([]string{"hear item i=3", "hear item j=1"}, heard); diff != "" {
		t.Errorf("joined events, and no text (-want +got):\n%s", diff)
	}

	d.setApplyError(func([]backend.Event) error { return &backend.Error{Code: backend.CodeInvalid} })
	if err := d.bus.Commit(t.Context(), chat("b", "two")); err == nil {
		t.Error("got no error of what cannot be written")
	}
	d.expect()
}

func TestWatch_MayPublish(t *testing.T) {
	d := newWatchedEnv(t, func(d *watchedEnv, e backend.Event) {
		if e.Chat != nil {
			d.bus.Publish(item("of "+e.Chat.ID, 1))
		}
	})
	if err := d.bus.Commit(t.Context(), chat("a", "one"), chat("b", "two")); err != nil {
		t.Fatal(err)
	}
	if err := d.bus.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.close()
	d.expect("write chat a=one", "write chat b=two", "hear chat a=one", "hear chat b=two", "emit chat a=one", "emit chat b=two",
		"write item of a=1", "write item of b=1", "hear item of a=1", "hear item of b=1", "emit item of a=1", "emit item of b=1")
}

func TestWatch_LastEventsArriveOnClose(t *testing.T) {
	d := newWatchedEnv(t, func(d *watchedEnv, e backend.Event) {
		if e.Chat != nil {
			d.bus.Publish(item("late", 1)) // dropped, because the bus is closed
		}
	})
	d.setApplyError(func([]backend.Event) error {
		return &backend.Error{Code: backend.CodeStorage, Message: backend.Plain("disk full")}
	})
	d.bus.Publish(chat("a", "one"))
	if err := d.bus.Flush(t.Context()); err == nil {
		t.Fatal("got no error of a full disk")
	}
	d.take()
	d.setApplyError(nil)
	d.close()
	if got := d.take(); !slices.Contains(got, "hear chat a=one") || slices.Contains(got, "hear item late=1") {
		t.Errorf("got %q, want the chat to be heard of, and nothing that came after the end", got)
	}
}
