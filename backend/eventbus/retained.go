package eventbus

import (
	"maps"
	"slices"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

// retained holds the retained events. They are updated when an event is numbered, so they always describe the state at
// the newest number.
type retained struct {
	mu      sync.Mutex
	newest  map[backend.Subject]backend.Event
	deleted map[string]bool // IDs of deleted chats; later events about them aren't retained
}

// note records an event if it must be retained. It returns false if the event has no effect because its chat is
// deleted.
func (r *retained) note(kind *backend.EventKind, e *backend.Event) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.newest == nil {
		r.newest, r.deleted = map[backend.Subject]backend.Event{}, map[string]bool{}
	}
	chat := kind.ChatOf(e)
	switch {
	case e.ChatDeleted != nil:
		// Later events of the chat must not be retained: its agent may still report its exit.
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

// storageNow returns the state of the database.
func (r *retained) storageNow() backend.Storage {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e, ok := r.newest[backend.Subject{Kind: "storage"}]; ok {
		return *e.Storage
	}
	return backend.Storage{State: backend.StorageOK}
}

// events returns the retained events in the order of Kinds and, within a kind, of the IDs of their subjects.
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

// Limits for the oversized events in memory: their number, and their total size as JSON in bytes.
const (
	maxOversized      = 512
	maxOversizedBytes = 64 << 20
)

// oversized holds the newest events that were too large to emit.
type oversized struct {
	mu     sync.Mutex
	events []oversizedEvent // ordered by number
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
