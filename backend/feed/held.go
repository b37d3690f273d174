package feed

import (
	"maps"
	"slices"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

// held are the newest values of what has no row. They change when an event gets
// its number, so they are what is true at the newest number.
type held struct {
	mu     sync.Mutex
	newest map[backend.Subject]backend.Event
	gone   map[string]bool // chats of which nothing is of interest any more
}

// note takes over what an event says. It is false where the event is about a
// chat that is gone, and has no effect.
func (h *held) note(kind *backend.EventKind, e *backend.Event) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.newest == nil {
		h.newest, h.gone = map[backend.Subject]backend.Event{}, map[string]bool{}
	}
	chat := kind.ChatOf(e)
	switch {
	case e.ChatDeleted != nil:
		// Its agent may still say how it ended.
		h.gone[chat] = true
		maps.DeleteFunc(h.newest, func(_ backend.Subject, of backend.Event) bool {
			return backend.KindOf(&of).ChatOf(&of) == chat
		})
	case e.Chat != nil:
		delete(h.gone, chat)
	case kind.Lifetime != backend.Retained:
	case kind.Removes():
		delete(h.newest, kind.SubjectOf(e))
	case h.gone[chat]:
		return false
	default:
		h.newest[kind.SubjectOf(e)] = *e
	}
	return true
}

// storageNow is how the database stands.
func (h *held) storageNow() backend.Storage {
	h.mu.Lock()
	defer h.mu.Unlock()
	if e, ok := h.newest[backend.Subject{Kind: "storage"}]; ok {
		return *e.Storage
	}
	return backend.Storage{State: backend.StorageOK}
}

// events are in the order of Kinds, and then of their subjects.
func (h *held) events() []backend.Event {
	h.mu.Lock()
	defer h.mu.Unlock()
	var events []backend.Event
	for i := range backend.Kinds {
		var ids []string
		for about := range h.newest {
			if about.Kind == backend.Kinds[i].Subject && !backend.Kinds[i].Removes() {
				ids = append(ids, about.ID)
			}
		}
		slices.Sort(ids)
		for _, id := range ids {
			events = append(events, h.newest[backend.Subject{Kind: backend.Kinds[i].Subject, ID: id}])
		}
	}
	return events
}

// How many events that were too large to emit are kept, and of what size in
// all.
const (
	maxLarge      = 512
	maxLargeBytes = 64 << 20
)

// large are the newest events that were too large to emit.
type large struct {
	mu     sync.Mutex
	events []largeEvent // by number
	bytes  int
}

type largeEvent struct {
	seq   uint64
	bytes int
	event backend.Event
}

func (l *large) put(seq uint64, bytes int, e backend.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, largeEvent{seq, bytes, e})
	l.bytes += bytes
	drop := 0
	for drop < len(l.events)-1 && (len(l.events)-drop > maxLarge || l.bytes > maxLargeBytes) {
		l.bytes -= l.events[drop].bytes
		drop++
	}
	l.events = slices.Delete(l.events, 0, drop)
}

func (l *large) get(seq uint64) (backend.Event, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.events {
		if e.seq == seq {
			return e.event, true
		}
	}
	return backend.Event{}, false
}
