package eventbus_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
)

func TestBatches_BoundedForAnyText(t *testing.T) {
	// env.emit checks the JSON size of each batch.
	d := newEnv(t)
	alphabet := []string{"a", "b ", "\n", "\"", "\\", "<", "&", "\x01", "\x7f", "é", "語", "\u2028", "🙂", "�", strings.Repeat("plain ", 40)}
	want := map[string]*strings.Builder{}
	for _, id := range []string{"a", "b", strings.Repeat("c", 26)} {
		want[id] = &strings.Builder{}
		for range 200 {
			var piece strings.Builder
			for range rand.IntN(200) {
				piece.WriteString(alphabet[rand.IntN(len(alphabet))])
			}
			d.bus.Publish(text(id, int64(want[id].Len()), piece.String()), item(id, 1))
			want[id].WriteString(piece.String())
		}
		d.bus.Publish(text(id, int64(want[id].Len()), strings.Repeat("<", 50_000)))
		want[id].WriteString(strings.Repeat("<", 50_000))
	}
	d.close()
	got := map[string]*strings.Builder{}
	for id := range want {
		got[id] = &strings.Builder{}
	}
	for _, e := range d.events {
		if e.Text == nil {
			continue
		}
		whole := got[e.Text.ItemID]
		if len(e.Text.Text) > backend.MaxTextBytes {
			t.Errorf("a piece has %d bytes", len(e.Text.Text))
		}
		if e.Text.Offset != int64(whole.Len()) {
			t.Fatalf("after %d bytes comes a piece at %d", whole.Len(), e.Text.Offset)
		}
		whole.WriteString(e.Text.Text)
		if e.Text.Size != int64(whole.Len()) {
			t.Errorf("after %d bytes the size is %d", whole.Len(), e.Text.Size)
		}
	}
	for id := range want {
		if got[id].String() != want[id].String() {
			t.Errorf("the text of %.3s came out differently", id)
		}
	}
}

func TestBatches_FilledWithPlainText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newEnv(t)
		d.bus.Publish(text("a", 0, strings.Repeat("plain ", 20_000)))
		d.close()
		// The text has 120,000 bytes. A batch has room for nearly 8,000, in two pieces.
		if got := len(d.takeEmitted()); got > 34 {
			t.Errorf("it came in %d pieces", got)
		}
	})
}

func TestEmit_OversizedEventIsPulled(t *testing.T) {
	d := newEnv(t)
	defer d.close()
	large := &backend.Permission{ID: "p", ChatID: "c", Title: strings.Repeat("t", 10_000), Raw: []byte("raw"), Commands: []string{"ls"}}
	d.bus.Publish(chat("c", "1"), backend.Event{Permission: large}, chat("d", "1"))
	if err := d.bus.Commit(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(d.takeEmitted(), ", "); got != "chat c=1, pull 2, chat d=1" {
		t.Errorf("emitted: %s", got)
	}
	got, ok := d.bus.Event(2)
	if !ok || got.Permission == nil || got.Permission.Title != large.Title {
		t.Errorf("the event is %+v, %t", got, ok)
	}
	if got.Permission.Raw != nil || got.Permission.Commands != nil {
		t.Error("what only the database needs is kept in memory")
	}
	if _, ok := d.bus.Event(1); ok {
		t.Error("an event that was emitted is kept too")
	}
}

func TestEmit_NewestLargeEventsRetained(t *testing.T) {
	d := newEnv(t)
	defer d.close()
	title := strings.Repeat("t", 200_000)
	for range 600 { // 120 MB
		d.bus.Publish(backend.Event{DialogResult: &backend.DialogResult{Path: title}})
	}
	if err := d.bus.Commit(context.Background()); err != nil {
		t.Fatal(err)
	}
	kept := 0
	for seq := uint64(600); seq > 0; seq-- {
		if _, ok := d.bus.Event(seq); ok {
			kept++
		} else {
			break
		}
	}
	if kept*len(title) > 64<<20 || (kept+2)*len(title) < 64<<20 {
		t.Errorf("the newest %d are kept", kept)
	}
	for range 600 {
		d.bus.Publish(backend.Event{DialogResult: &backend.DialogResult{Path: title[:10_000]}})
	}
	if err := d.bus.Commit(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, ok := d.bus.Event(1200 - 512); ok {
		t.Error("more than 512 are kept")
	}
	if _, ok := d.bus.Event(1200 - 511); !ok {
		t.Error("fewer than 512 are kept")
	}
}

func TestEmit_FirstAtOnceRestAtTick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newEnv(t)
		defer d.close()
		start := time.Now()
		for i := range int64(100) { // 100 ms of text
			d.bus.Publish(text("a", i, "x"))
			time.Sleep(time.Millisecond)
		}
		synctest.Wait()
		d.mu.Lock()
		defer d.mu.Unlock()
		var at []time.Duration
		for _, moment := range d.times {
			at = append(at, moment.Sub(start))
		}
		ms := time.Millisecond
		if diff := cmp.Diff([]time.Duration{0, 16 * ms, 32 * ms, 48 * ms, 64 * ms, 80 * ms, 96 * ms}, at); diff != "" {
			t.Errorf("it was committed at (-want +got):\n%s", diff)
		}
	})
}

func TestEmit_SkipsEventsWithoutEffect(t *testing.T) {
	d := newEnv(t)
	d.setApplyError(func(events []backend.Event) error {
		for i, e := range events {
			if e.Item != nil && e.Item.ID == "orphan" {
				events[i] = backend.Event{}
			}
		}
		return nil
	})
	d.bus.Publish(item("a", 1), item("orphan", 1), backend.Event{UnknownUpdate: &backend.UnknownUpdate{ID: "u"}}, item("b", 1))
	d.close()
	if diff := cmp.Diff([]string{"item a=1", "item b=1"}, d.takeEmitted()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
