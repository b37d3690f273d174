package eventbus_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/eventbus"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// env is an event bus with a database that records writes and a window that records batches.
type env struct {
	t   testing.TB
	bus *eventbus.Bus

	mu         sync.Mutex
	applyError func(events []backend.Event) error // called before each write
	applied    [][]string
	durable    []bool
	times      []time.Time
	events     []backend.Event // emitted events, as decoded by a page
	next       uint64
}

func newEnv(t testing.TB) *env {
	d := &env{t: t, next: 1}
	d.bus = eventbus.New(eventbus.Config{Run: "run", Apply: d.apply, Emit: d.emit, Log: slog.New(slog.DiscardHandler)})
	return d
}

func (d *env) apply(ctx context.Context, events []backend.Event, durable bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	d.mu.Lock()
	refuse := d.applyError
	d.mu.Unlock()
	if refuse != nil {
		if err := refuse(events); err != nil {
			return err
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.applied = append(d.applied, names(events))
	d.durable = append(d.durable, durable)
	d.times = append(d.times, time.Now())
	return nil
}

// emit receives a batch as JSON, like the window.
func (d *env) emit(batch backend.Batch) {
	text, err := json.Marshal(batch)
	if err != nil {
		d.t.Errorf("a batch is no JSON: %v", err)
	}
	if len(text) >= backend.MaxBatchBytes {
		d.t.Errorf("a batch has %d bytes", len(text))
	}
	var got backend.Batch
	if err := json.Unmarshal(text, &got); err != nil {
		d.t.Errorf("a batch cannot be read: %v", err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if got.First != d.next || got.Run != "run" || len(got.Events) == 0 {
		d.t.Errorf("a batch of %d events of run %q begins at %d, want %d", len(got.Events), got.Run, got.First, d.next)
	}
	d.next = got.First + uint64(len(got.Events))
	d.events = append(d.events, got.Events...)
}

func (d *env) close() {
	d.t.Helper()
	if err := d.bus.Close(context.Background()); err != nil {
		d.t.Errorf("Close: %v", err)
	}
}

// takeApplied and takeEmitted return the events that have arrived since the same method was last called.
func (d *env) takeApplied() [][]string {
	d.mu.Lock()
	defer d.mu.Unlock()
	applied := d.applied
	d.applied = nil
	return applied
}

func (d *env) takeEmitted() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	events := d.events
	d.events = nil
	return names(events)
}

func (d *env) setApplyError(refuse func([]backend.Event) error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.applyError = refuse
}

// names returns a short description of each event.
func names(events []backend.Event) []string {
	list := make([]string, 0, len(events))
	for _, e := range events {
		list = append(list, name(e))
	}
	return list
}

func name(e backend.Event) string {
	switch {
	case e.Chat != nil:
		return "chat " + e.Chat.ID + "=" + e.Chat.Title
	case e.ChatDeleted != nil:
		return "chat " + e.ChatDeleted.ID + " gone"
	case e.Turn != nil:
		return "turn " + e.Turn.ID + "=" + string(e.Turn.State)
	case e.Item != nil:
		return fmt.Sprintf("item %s=%d", e.Item.ID, e.Item.EndedAt)
	case e.Text != nil:
		return fmt.Sprintf("text %s@%d=%s", e.Text.ItemID, e.Text.Offset, e.Text.Text)
	case e.Content != nil:
		return fmt.Sprintf("content %s=%d %s", e.Content.ID, e.Content.Version, e.Content.Body)
	case e.Permission != nil:
		return fmt.Sprintf("permission %s=%s %s%q", e.Permission.ID, e.Permission.State, e.Permission.Raw, e.Permission.Commands)
	case e.Queued != nil:
		return "queued " + e.Queued.ID + "=" + e.Queued.Text
	case e.QueuedDeleted != nil:
		return "queued " + e.QueuedDeleted.ID + " gone"
	case e.Session != nil:
		return "session " + e.Session.ChatID + "/" + e.Session.Name + "=" + e.Session.Mode
	case e.UnknownUpdate != nil:
		return "unknown " + e.UnknownUpdate.ID
	case e.Connection != nil:
		return "connection " + e.Connection.ChatID + "=" + string(e.Connection.State)
	case e.TrustRequest != nil:
		return "trust " + e.TrustRequest.Key + "=" + e.TrustRequest.ID
	case e.TrustRequestDeleted != nil:
		return "trustGone " + e.TrustRequestDeleted.ID
	case e.CLI != nil:
		return "cli=" + e.CLI.Version
	case e.Storage != nil:
		return "storage=" + string(e.Storage.State) + " " + e.Storage.Message.String()
	case e.EventRef != nil:
		return fmt.Sprintf("pull %d", e.EventRef.Seq)
	case e.DialogResult != nil:
		return "picked " + e.DialogResult.Request
	}
	text, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func chat(id, title string) backend.Event {
	return backend.Event{Chat: &backend.Chat{ID: id, Title: title}}
}

func chatRemoved(id string) backend.Event {
	return backend.Event{ChatDeleted: &backend.Deleted{ID: id}}
}

func item(id string, version int) backend.Event {
	return backend.Event{Item: &backend.Item{ID: id, ChatID: "c", EndedAt: backend.Millis(version)}}
}

func text(id string, offset int64, text string) backend.Event {
	return backend.Event{Text: &backend.Text{ItemID: id, ChatID: "c", Offset: offset, Text: text}}
}

func content(id string, version int64, body string) backend.Event {
	c := &backend.Content{ID: id, ChatID: "c", Version: version}
	if body != "" {
		c.Body = []byte(body)
	}
	return backend.Event{Content: c}
}

func connection(chat string, state backend.ConnectionState) backend.Event {
	return backend.Event{Connection: &backend.Connection{ChatID: chat, State: state}}
}

func trust(key, id string) backend.Event {
	return backend.Event{TrustRequest: &backend.TrustRequest{Key: key, ID: id}}
}

func queued(id, text string) backend.Event {
	return backend.Event{Queued: &backend.QueuedPrompt{ID: id, ChatID: "c", Text: text}}
}

func TestPublish_CallerMayReuseEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newEnv(t)
		defer d.close()
		tool := &backend.Tool{Title: "before"}
		i := &backend.Item{ID: "a", EndedAt: 1, Tool: tool, Plan: []backend.PlanEntry{{Content: "before"}}}
		got := make(chan backend.Item, 1)
		d.setApplyError(func(events []backend.Event) error {
			got <- *events[0].Item
			return nil
		})
		d.bus.Publish(backend.Event{Item: i})
		i.EndedAt, tool.Title, i.Plan[0].Content = 2, "after", "after"
		if seen := <-got; seen.EndedAt != 1 || seen.Tool.Title != "before" || seen.Plan[0].Content != "before" {
			t.Errorf("the database got %+v", seen)
		}
	})
}

func TestCommit_MakesEarlierEventsDurable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newEnv(t)
		defer d.close()
		d.bus.Publish(item("first", 1))
		synctest.Wait()
		d.takeApplied()
		// Within a tick: Commit doesn't wait for the tick to end.
		start := time.Now()
		d.bus.Publish(item("a", 1), text("a", 0, "one"))
		if err := d.bus.Commit(context.Background(), text("a", 3, "two"), item("a", 2)); err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(start); waited != 0 {
			t.Errorf("it waited for %s", waited)
		}
		want := [][]string{{"item a=1", "text a@0=one", "text a@3=two", "item a=2"}}
		if diff := cmp.Diff(want, d.takeApplied()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		if diff := cmp.Diff([]bool{false, true}, d.durable); diff != "" {
			t.Errorf("durable (-want +got):\n%s", diff)
		}
	})
}

func TestCommit_CancelledIsNotStored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newEnv(t)
		defer d.close()
		running, done := make(chan struct{}), make(chan struct{})
		d.setApplyError(func([]backend.Event) error {
			d.setApplyError(nil)
			close(running)
			<-done
			return nil
		})
		d.bus.Publish(item("slow", 1))
		<-running
		ctx, cancel := context.WithCancel(context.Background())
		result := make(chan error)
		go func() { result <- d.bus.Commit(ctx, item("cancelled", 1)) }()
		synctest.Wait()
		cancel()
		if err := <-result; !errors.Is(err, context.Canceled) {
			t.Errorf("Commit: %v", err)
		}
		close(done)
		if err := d.bus.Commit(context.Background(), item("last", 1)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([][]string{{"item slow=1"}, {"item last=1"}}, d.takeApplied()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestPublish_ConcurrentKeepOrder(t *testing.T) {
	d := newEnv(t)
	var all sync.WaitGroup
	for p := range 8 {
		all.Go(func() {
			id := fmt.Sprint("p", p)
			for i := range int64(2000) {
				switch {
				case i%500 == 0:
					if err := d.bus.Commit(context.Background(), text(id, i*4, fmt.Sprintf("%03d,", i%1000))); err != nil {
						t.Error(err)
					}
				case i%700 == 0:
					if err := d.bus.Snapshot(context.Background(), func(uint64) error { d.bus.Retained(); return nil }); err != nil {
						t.Error(err)
					}
					fallthrough
				default:
					d.bus.Publish(text(id, i*4, fmt.Sprintf("%03d,", i%1000)), connection(id, backend.ConnectionReady))
				}
			}
		})
	}
	all.Wait()
	d.close()
	var want strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&want, "%03d,", i%1000)
	}
	got := map[string]string{}
	for _, e := range d.events {
		if e.Text != nil {
			if e.Text.Offset != int64(len(got[e.Text.ItemID])) {
				t.Fatalf("after %d bytes comes a piece at %d", len(got[e.Text.ItemID]), e.Text.Offset)
			}
			got[e.Text.ItemID] += e.Text.Text
		}
	}
	for p := range 8 {
		if got[fmt.Sprint("p", p)] != want.String() {
			t.Errorf("what p%d published came out differently", p)
		}
	}
}

func TestRetained_NewestWithoutRow(t *testing.T) {
	d := newEnv(t)
	defer d.close()
	d.bus.Publish(
		chat("c", ""), chat("d", ""),
		connection("c", backend.ConnectionReady), connection("d", backend.ConnectionWaiting), connection("d", backend.ConnectionFailed),
		backend.Event{CLI: &backend.CLI{Version: "1"}}, backend.Event{CLI: &backend.CLI{Version: "2"}},
		backend.Event{Storage: &backend.Storage{State: backend.StorageOK}},
		backend.Event{DialogResult: &backend.DialogResult{Request: "r"}},
		trust("k", "1"), trust("l", "1"), trust("k", "2"), trust("m", "1"), backend.Event{TrustRequestDeleted: &backend.Deleted{ID: "l"}},
		chatRemoved("c"),
		connection("c", backend.ConnectionIdle), // from an agent that is still stopping
	)
	if err := d.bus.Commit(context.Background()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"storage=ok ", "cli=2", "connection d=failed", "trust k=2", "trust m=1"}, names(d.bus.Retained())); diff != "" {
		t.Errorf("held (-want +got):\n%s", diff)
	}
	if got := d.takeEmitted(); slices.Contains(got, "connection c=idle") {
		t.Errorf("a chat that is gone has a connection: %q", got)
	}
}
