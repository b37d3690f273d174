package eventbus_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
)

// full is the error for a full disk.
var full = &backend.Error{Code: backend.CodeStorage, Message: backend.Plain("The disk is full.")}

func diskFull([]backend.Event) error { return full }

// refuseEvent returns a function that rejects a list of events if one of them has the given name.
func refuseEvent(bad string) func([]backend.Event) error {
	return func(events []backend.Event) error {
		for _, e := range events {
			if name(e) == bad {
				return &backend.Error{Code: backend.CodeInvalid, Message: backend.Plain("refused"), Detail: bad}
			}
		}
		return nil
	}
}

func TestWrite_FailureHoldsAndRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newEnv(t)
		defer d.close()
		ok := backend.Storage{State: backend.StorageSalvaged, Path: "/data", Message: backend.Plain("It was damaged.")}
		d.bus.Publish(backend.Event{Storage: &ok}, chat("c", "1"))
		synctest.Wait()
		d.takeApplied()
		d.takeEmitted()

		time.Sleep(time.Second)
		var tries []time.Duration
		start := time.Now()
		d.setApplyError(func([]backend.Event) error {
			tries = append(tries, time.Since(start))
			return full
		})
		d.bus.Publish(item("a", 1), text("a", 0, "one "))
		time.Sleep(100 * time.Millisecond)
		d.bus.Publish(item("b", 1), text("a", 4, "two "), connection("c", backend.ConnectionReady))
		time.Sleep(12 * time.Second)
		synctest.Wait()
		ms := time.Millisecond
		if diff := cmp.Diff([]time.Duration{0, 250 * ms, 750 * ms, 1750 * ms, 3750 * ms, 7750 * ms}, tries); diff != "" {
			t.Errorf("it was tried at (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{"storage=failing The disk is full."}, d.takeEmitted()); diff != "" {
			t.Errorf("while it fails (-want +got):\n%s", diff)
		}
		if held := d.bus.Retained()[0].Storage; held.Path != "/data" || held.State != backend.StorageFailing {
			t.Errorf("held is %+v", held)
		}

		d.setApplyError(nil)
		d.bus.Publish(text("a", 8, "three"))
		time.Sleep(5 * time.Second)
		synctest.Wait()
		want := []string{"item a=1", "text a@0=one two three", "item b=1", "connection c=ready"}
		if diff := cmp.Diff([][]string{want}, d.takeApplied()); diff != "" {
			t.Errorf("afterward, written (-want +got):\n%s", diff)
		}
		want = append(want, "storage=salvaged It was damaged.")
		if diff := cmp.Diff(want, d.takeEmitted()); diff != "" {
			t.Errorf("afterward, emitted (-want +got):\n%s", diff)
		}
		d.bus.Publish(item("c", 1))
		synctest.Wait()
		if diff := cmp.Diff([]string{"item c=1"}, d.takeEmitted()); diff != "" {
			t.Errorf("and then (-want +got):\n%s", diff)
		}
	})
}

func TestCommit_FailureIsNotStored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newEnv(t)
		defer d.close()
		d.setApplyError(diskFull)
		d.bus.Publish(item("a", 1))
		if err := d.bus.Commit(context.Background(), item("message", 1)); !errors.Is(err, full) {
			t.Errorf("Commit: %v", err)
		}
		d.bus.Publish(item("b", 1))
		// Each Commit tries at once, regardless of the back-off.
		start := time.Now()
		if err := d.bus.Commit(context.Background(), item("message", 2)); !errors.Is(err, full) || time.Since(start) != 0 {
			t.Errorf("Commit: %v after %s", err, time.Since(start))
		}
		d.setApplyError(nil)
		if err := d.bus.Commit(context.Background(), item("message", 3)); err != nil || time.Since(start) != 0 {
			t.Errorf("Commit: %v after %s", err, time.Since(start))
		}
		want := []string{"item a=1", "item b=1", "item message=3"}
		if diff := cmp.Diff([][]string{want}, d.takeApplied()); diff != "" {
			t.Errorf("written (-want +got):\n%s", diff)
		}
		want = append([]string{"storage=failing The disk is full."}, append(want, "storage=ok ")...)
		if diff := cmp.Diff(want, d.takeEmitted()); diff != "" {
			t.Errorf("emitted (-want +got):\n%s", diff)
		}
	})
}

func TestStatus_RecoversOnlyAfterRealWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newEnv(t)
		defer d.close()
		d.setApplyError(diskFull)
		if err := d.bus.Commit(context.Background(), item("a", 1)); !errors.Is(err, full) {
			t.Errorf("Commit: %v", err)
		}
		d.setApplyError(nil)
		if err := d.bus.Snapshot(context.Background(), func(uint64) error { return nil }); err != nil {
			t.Error(err)
		}
		d.bus.Publish(connection("c", backend.ConnectionReady))
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if diff := cmp.Diff([]string{"storage=failing The disk is full.", "connection c=ready"}, d.takeEmitted()); diff != "" {
			t.Errorf("before anything was written (-want +got):\n%s", diff)
		}
		if err := d.bus.Commit(context.Background(), item("a", 1)); err != nil {
			t.Errorf("Commit: %v", err)
		}
		if diff := cmp.Diff([]string{"item a=1", "storage=ok "}, d.takeEmitted()); diff != "" {
			t.Errorf("afterward (-want +got):\n%s", diff)
		}
	})
}

func TestCommit_UnwritableBlocksNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newEnv(t)
		defer d.close()
		d.setApplyError(refuseEvent("item bad=1"))
		d.bus.Publish(item("a", 1))
		if err := d.bus.Commit(context.Background(), item("good", 1), item("bad", 1)); backend.CodeOf(err) != backend.CodeInvalid {
			t.Errorf("Commit: %v", err)
		}
		if err := d.bus.Commit(context.Background(), item("b", 1)); err != nil {
			t.Errorf("Commit: %v", err)
		}
		if diff := cmp.Diff([]string{"item a=1", "item b=1"}, d.takeEmitted()); diff != "" {
			t.Errorf("emitted (-want +got):\n%s", diff)
		}
	})
}

func TestWrite_OnlyUnwritableEventSkipped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newEnv(t)
		defer d.close()
		d.setApplyError(refuseEvent("item 3=1"))
		d.bus.Publish(item("1", 1), item("2", 1), item("3", 1), item("4", 1), item("5", 1), item("6", 1), item("7", 1))
		synctest.Wait()
		got := strings.Join(d.takeEmitted(), ", ")
		want := "item 1=1, item 2=1, storage=ok One change couldn't be saved and was skipped. All others were saved. See the log in Settings > Doctor., " +
			"item 4=1, item 5=1, item 6=1, item 7=1"
		if got != want {
			t.Errorf("emitted:\n%s\nwant:\n%s", got, want)
		}
		var written []string
		for _, batch := range d.takeApplied() {
			written = append(written, batch...)
		}
		if got, want := strings.Join(written, ", "), "item 1=1, item 2=1, item 4=1, item 5=1, item 6=1, item 7=1"; got != want {
			t.Errorf("written: %s\nwant: %s", got, want)
		}
	})
}

func TestWrite_NoDuplicatesAroundFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newEnv(t)
		defer d.close()
		// Bisection finds the poisoned event, and then the disk is full.
		bad := refuseEvent("item 2=1")
		d.setApplyError(func(events []backend.Event) error {
			if err := bad(events); err != nil {
				return err
			}
			if name(events[len(events)-1]) == "item 4=1" {
				return full
			}
			return nil
		})
		d.bus.Publish(item("1", 1), item("2", 1), item("3", 1), item("4", 1))
		synctest.Wait()
		if diff := cmp.Diff([][]string{{"item 1=1"}}, d.takeApplied()); diff != "" {
			t.Errorf("written (-want +got):\n%s", diff)
		}
		d.setApplyError(bad)
		time.Sleep(time.Second)
		synctest.Wait()
		if diff := cmp.Diff([][]string{{"item 3=1", "item 4=1"}}, d.takeApplied()); diff != "" {
			t.Errorf("written later (-want +got):\n%s", diff)
		}
	})
}

func TestSnapshot_WorksDuringWriteFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newEnv(t)
		defer d.close()
		d.bus.Publish(item("a", 1))
		synctest.Wait()
		d.setApplyError(diskFull)
		d.bus.Publish(item("b", 1))
		var at uint64
		var held []string
		err := d.bus.Snapshot(context.Background(), func(seq uint64) error {
			at, held = seq, names(d.bus.Retained())
			return nil
		})
		// 1 is the item, 2 the storage failure.
		if err != nil || at != 2 || len(held) != 1 || held[0] != "storage=failing The disk is full." {
			t.Errorf("the snapshot is at %d, %v, and has %q", at, err, held)
		}
		d.setApplyError(nil)
	})
}

func TestSnapshot_ReturnsErrors(t *testing.T) {
	d := newEnv(t)
	defer d.close()
	wrong := errors.New("wrong")
	if err := d.bus.Snapshot(context.Background(), func(uint64) error { return wrong }); !errors.Is(err, wrong) {
		t.Errorf("Snapshot: %v", err)
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	err := d.bus.Snapshot(context.Background(), func(uint64) error {
		return d.bus.Snapshot(cancelled, func(uint64) error { t.Error("two at once"); return nil })
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Snapshot of a cancelled context: %v", err)
	}
}

func TestClose_WritesQueue(t *testing.T) {
	d := newEnv(t)
	for range 100 {
		d.bus.Publish(item(backend.NewID(), 1))
	}
	d.close()
	if got := len(d.takeEmitted()); got != 100 {
		t.Errorf("%d events came out", got)
	}
	d.bus.Publish(item("late", 1))
	if err := d.bus.Commit(context.Background(), item("late", 2)); backend.CodeOf(err) != backend.CodeUnavailable {
		t.Errorf("a late commit: %v", err)
	}
	at := uint64(0)
	if err := d.bus.Snapshot(context.Background(), func(seq uint64) error { at = seq; return nil }); err != nil || at != 100 {
		t.Errorf("a late snapshot is at %d, %v", at, err)
	}
	if got := d.takeEmitted(); len(got) != 0 {
		t.Errorf("after the end came %q", got)
	}
	d.close()
}

func TestClose_RetriesUntilDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, test := range []struct {
			repaired time.Duration
			events   []backend.Event
			want     string
		}{
			{3 * time.Second, []backend.Event{item("a", 1), item("b", 1)}, ""},
			{time.Hour, []backend.Event{item("a", 1), item("b", 1)}, "VoxPilot quit before it could write all of its data. 2 changes were lost."},
			{time.Hour, []backend.Event{item("a", 1)}, "VoxPilot quit before it could write all of its data. 1 change was lost."},
		} {
			d := newEnv(t)
			start := time.Now()
			d.setApplyError(func([]backend.Event) error {
				if time.Since(start) < test.repaired {
					return full
				}
				return nil
			})
			d.bus.Publish(test.events...)
			synctest.Wait()
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			err := d.bus.Close(ctx)
			cancel()
			got := ""
			if err != nil {
				got = err.Error()
			}
			if got != test.want || time.Since(start) > 10*time.Second {
				t.Errorf("repaired after %s, Close says %q after %s; want %q", test.repaired, got, time.Since(start), test.want)
			}
		}
	})
}
