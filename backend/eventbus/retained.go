package eventbus

import (
	"maps"
	"slices"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

// retained are the newest values of what has no row. They change when an event gets
// its number, so they are what is true at the newest number.
type retained struct {
	mu      sync.Mutex
	newest  map[backend.Subject]backend.Event
	deleted map[string]bool // chats of which nothing is of interest any more
}

// note takes over what an event says. It is false where the event is about a
// chat that is gone, and has no effect.
func (r *retained) note(kind *backend.EventKind, e *backend.Event) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.newest == nil {
		r.newest, r.deleted = map[backend.Subject]backend.Event{}, map[string]bool{}
	}
	chat := kind.ChatOf(e)
	switch {
	case e.ChatDeleted != nil:
		// Its agent may still say how it ended.
		r.deleted[chat] = true
		maps.DeleteFunc(r.newest, func(_ backend.Subject, of backend.Event) bool {
			return backend.KindOf(&of).ChatOf(&of) == chat
		})
	case e.Chat != nil:
		delete(r.deleted, chat)
	case kind.Lifetime != backend.Retained:
	case kind.Removes():
		delete(r.newest, kind.SubjectOf(e))
	case r.deleted[chat]:
		return false
	default:
		r.newest[kind.SubjectOf(e)] = *e
	}
	return true
}

// storageNow is how the database stands.
func (r *retained) storageNow() backend.Storage {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e, ok := r.newest[backend.Subject{Kind: "storage"}]; ok {
		return *e.Storage
	}
	return backend.Storage{State: backend.StorageOK}
}

// events are in the order of Kinds, and then of their subjects.
func (r *retained) events() []backend.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	var events []backend.Event
	for i := range backend.Kinds {
		var ids []string
		for about := range r.newest {
			if about.Kind == backend.Kinds[i].Subject && !backend.Kinds[i].Removes() {
				ids = append(ids, about.ID)
			}
		}
		slices.Sort(ids)
		for _, id := range ids {
			events = append(events, r.newest[backend.Subject{Kind: backend.Kinds[i].Subject, ID: id}])
		}
	}
	return events
}

// How many events that were too large to emit are kept, and of what size in
// all.
const (
	maxOversized      = 512
	maxOversizedBytes = 64 << 20
)

// oversized are the newest events that were too large to emit.
type oversized struct {
	mu     sync.Mutex
	events []oversizedEvent // by number
	bytes  int
}

type oversizedEvent struct {
	seq   uint64
	bytes int
	event backend.Event
}

func (o *oversized) put(seq uint64, bytes int, e backend.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.events = append(o.events, oversizedEvent{seq, bytes, e})
	o.bytes += bytes
	drop := 0
	for drop < len(o.events)-1 && (len(o.events)-drop > maxOversized || o.bytes > maxOversizedBytes) {
		o.bytes -= o.events[drop].bytes
		drop++
	}
	o.events = slices.Delete(o.events, 0, drop)
}

func (o *oversized) get(seq uint64) (backend.Event, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, e := range o.events {
		if e.seq == seq {
			return e.event, true
		}
	}
	return backend.Event{}, false
}
