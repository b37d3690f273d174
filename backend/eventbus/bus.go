// Package eventbus merges, commits, numbers and emits events, in that order. One goroutine commits,
// numbers and emits them. The package guarantees:
//
//   - Events are committed and numbered in the order of publication; merging doesn't
//     change their combined effect.
//   - An event that changes a row of the database is committed before it is emitted.
//   - Numbers start at 1 and have no gaps.
//   - A snapshot at a number and the events after that number give the same state as
//     all events.
//   - Published events that temporarily can't be written stay in memory and are retried. A published event that
//     can never be written is dropped, and a message reports this to the user.
package eventbus

import (
	"context"
	"log/slog"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

// Config holds the dependencies of a Bus.
type Config struct {
	// Run is the ID of this run of the app.
	Run string
	// Apply commits events atomically and in order (see store.Store.Apply). It sets missing fields in the events, and
	// clears the events that no longer have an effect. An error with CodeInvalid means that one of the events can
	// never be written; other errors are temporary.
	Apply func(ctx context.Context, events []backend.Event, durable bool) error
	// Emit sends a batch to the window. It must not block.
	Emit func(batch backend.Batch)
	// OnEvent, if not nil, is called for each event that is sent to the window, except text, just before
	// the event gets its number. Merged events count as one. OnEvent may publish events, but must not
	// block, and so must not call Commit.
	OnEvent func(event backend.Event)
	Log     *slog.Logger
}

// Bus is the event bus, with the guarantees in the package comment. It is safe for concurrent use.
type Bus struct {
	cfg Config

	mu      sync.Mutex // guards queue, closed and unsaved
	queue   queue
	closed  bool
	unsaved int // number of published events lost when the bus was closed

	wake   chan struct{} // signals that an event was published
	hurry  chan struct{} // signals that a caller is waiting for a commit, or that the bus was closed
	ended  chan struct{} // closed when the loop has ended
	apply  context.Context
	giveUp context.CancelFunc

	// turn is a semaphore with one slot, which guards seq, failing and before. The loop acquires it to number events.
	// Snapshot acquires it so that no event is numbered while its callback runs.
	turn    chan struct{}
	seq     uint64
	failing bool
	before  *backend.Storage // state of the database before it failed

	retained  retained
	oversized oversized
}

// New creates a Bus that runs until it is closed.
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

// Publish queues events and returns immediately. After Close, it drops them. The bus copies events, except their byte
// slices (Content.Body, Permission.Raw, UnknownUpdate.Raw, ReviewComment.SeenText), which must not be changed
// afterward.
func (b *Bus) Publish(events ...backend.Event) {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		b.cfg.Log.Warn("dropped events after shutdown", "events", len(events))
		return
	}
	for _, e := range events {
		b.queue.add(detach(e))
	}
	b.mu.Unlock()
	signal(b.wake)
}

// Commit queues events and waits until they and all previously published events are on disk. If Commit returns an
// error, its own events have no effect; published events aren't affected.
func (b *Bus) Commit(ctx context.Context, events ...backend.Event) error {
	g := &group{durable: true, done: make(chan error, 1)}
	for _, e := range events {
		g.entries = append(g.entries, queuedEvent{event: detach(e)})
	}
	return b.await(ctx, g)
}

// await queues a group and waits until it is committed. If ctx is done before the
// commit starts, the group is removed from the queue.
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

// Flush waits until all previously published events are committed. It returns an error
// if that fails or ctx ends first.
func (b *Bus) Flush(ctx context.Context) error {
	return b.await(ctx, &group{done: make(chan error, 1)})
}

// Snapshot commits the queue if possible and then calls the given function with the number of the newest event. No
// event is numbered while the function runs, so a read transaction that it starts, or its call to Retained, sees
// exactly the state at that number. The function must be short and must not call Commit or Snapshot.
func (b *Bus) Snapshot(ctx context.Context, begin func(seq uint64) error) error {
	// An error is harmless: events that are still queued get later numbers.
	_ = b.Flush(ctx)
	select {
	case b.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-b.turn }()
	return begin(b.seq)
}

// Retained returns the retained events. These are the newest events of the kinds with the lifetime backend.Retained,
// such as the state of the database itself, the CLI and each chat's connection.
func (b *Bus) Retained() []backend.Event { return b.retained.events() }

// Event returns an event that was too large to emit. seq is the Seq of the EventRef that the window received instead.
// Event returns false if the event is no longer available: only the newest such events are kept in memory.
func (b *Bus) Event(seq uint64) (backend.Event, bool) { return b.oversized.get(seq) }

// Close commits the queue and closes the bus. If ctx ends first, Close discards the remaining events. If published
// events are among them, it returns an error that states their number.
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
			Code: backend.CodeStorage,
			Message: backend.Count(b.unsaved,
				"VoxPilot quit before it could write all of its data. 1 change was lost.",
				"VoxPilot quit before it could write all of its data. %d changes were lost."),
		}
	}
	return nil
}

// signal sends on c, which has a buffer of one, unless the buffer is full.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
