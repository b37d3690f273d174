// Package eventbus is the one way of facts: what is published is joined, committed,
// numbered and emitted, in that order, by one goroutine. Its promises:
//
//   - Events are committed, and numbered, in the order in which they were
//     published; joining does not change what they add up to.
//   - An event with a row is committed before it is emitted.
//   - Numbers begin at 1 and have no gaps.
//   - A snapshot taken at a number, and the events after that number, give the
//     same state as all events.
//   - What cannot be written now is kept in memory and tried again.
package eventbus

import (
	"context"
	"log/slog"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

// Config is what a Bus needs.
type Config struct {
	// Run is the id of this run of the app.
	Run string
	// Apply commits events, in order, all or none. It completes them in place
	// and empties those that have no effect any more. An error with
	// CodeInvalid says that an event among them can never be written; any
	// other, that it may work later.
	Apply func(ctx context.Context, events []backend.Event, durable bool) error
	// Emit hands a batch to the window. It must not block.
	Emit func(batch backend.Batch)
	// OnEvent, where there is one, hears of each event but streamed text once it is
	// committed, just before it gets its number. Events that were joined are one. It
	// may publish, but must not wait, least of all for a Commit.
	OnEvent func(event backend.Event)
	Log     *slog.Logger
}

// A Bus takes events and passes them on. Its methods may be called at the same
// time.
type Bus struct {
	cfg Config

	mu      sync.Mutex // guards these
	queue   queue
	closed  bool
	unsaved int // events that were given up at the end

	wake   chan struct{} // something was published
	hurry  chan struct{} // somebody waits
	ended  chan struct{} // closed when the loop has ended
	apply  context.Context
	giveUp context.CancelFunc

	// turn holds one token: whoever has it may number events, or be sure that
	// nobody else does. It guards what is below.
	turn    chan struct{}
	seq     uint64
	failing bool
	before  *backend.Storage // how the database stood before it failed

	retained  retained
	oversized oversized
}

// New makes a Bus that runs until it is closed.
func New(cfg Config) *Bus {
	f := &Bus{
		cfg:   cfg,
		wake:  make(chan struct{}, 1),
		hurry: make(chan struct{}, 1),
		ended: make(chan struct{}),
		turn:  make(chan struct{}, 1),
	}
	f.apply, f.giveUp = context.WithCancel(context.Background())
	go f.loop()
	return f
}

// Publish queues events and returns at once. The event bus copies what it keeps; only
// bodies (Content.Body, Permission.Raw, Unknown.Raw) must not be changed
// afterwards.
func (b *Bus) Publish(events ...backend.Event) {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		b.cfg.Log.Warn("events came after the end and were not saved", "events", len(events))
		return
	}
	for _, e := range events {
		b.queue.add(detach(e))
	}
	b.mu.Unlock()
	signal(b.wake)
}

// Commit queues events and waits until they, and all that was published before,
// are on the disk. After an error the events are not kept and have no effect;
// what was published before still is.
func (b *Bus) Commit(ctx context.Context, events ...backend.Event) error {
	g := &group{durable: true, done: make(chan error, 1)}
	for _, e := range events {
		g.entries = append(g.entries, queuedEvent{event: detach(e)})
	}
	return b.await(ctx, g)
}

// await queues a group and waits until it was committed. Where ctx is done
// before its turn has come, it is taken back.
func (b *Bus) await(ctx context.Context, g *group) error {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return errClosed
	}
	b.queue.append(g)
	b.mu.Unlock()
	signal(b.hurry)
	select {
	case err := <-g.done:
		return err
	case <-ctx.Done():
	}
	b.mu.Lock()
	withdrawn := b.queue.remove(g)
	b.mu.Unlock()
	if withdrawn {
		return ctx.Err()
	}
	return <-g.done
}

var errClosed = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("VoxPilot is quitting, so nothing more can be saved.")}

// Flush returns when all that was published before was committed, or could not be.
func (b *Bus) Flush(ctx context.Context) error {
	return b.await(ctx, &group{done: make(chan error, 1)})
}

// Snapshot commits what is queued, where it can, and then calls begin with the
// number of the newest event, while nothing can be numbered: a read transaction
// begun there, and Held called there, show exactly what is true at that number.
// begin must be short and must not call Commit or Snapshot.
func (b *Bus) Snapshot(ctx context.Context, begin func(seq uint64) error) error {
	// An error needs no care: what is still queued gets a number later.
	_ = b.Flush(ctx)
	select {
	case b.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-b.turn }()
	return begin(b.seq)
}

// Retained are the newest values of what has no row: how the database stands, the
// CLI, and the connection of each chat.
func (b *Bus) Retained() []backend.Event { return b.retained.events() }

// Event is an event that was too large to emit, by the number its Pull has. The
// newest of them are kept.
func (b *Bus) Event(seq uint64) (backend.Event, bool) { return b.oversized.get(seq) }

// Close commits what is queued and ends the event bus. Where that cannot be done
// before ctx is, the rest is given up and the error says how much that was.
func (b *Bus) Close(ctx context.Context) error {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	signal(b.hurry)
	select {
	case <-b.ended:
	case <-ctx.Done():
		b.giveUp()
		<-b.ended
	}
	b.giveUp()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.unsaved > 0 {
		return &backend.Error{
			Code:    backend.CodeStorage,
			Message: backend.Say("VoxPilot quit while its data couldn't be written. %d changes were lost.", b.unsaved),
		}
	}
	return nil
}

// signal notes something in a channel of one place.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
