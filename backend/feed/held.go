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
	mu          sync.Mutex
	storage     *backend.Storage
	cli         *backend.CLI
	account     *backend.Account
	signIn      *backend.SignIn
	desktop     *backend.Desktop
	update      *backend.Update
	asked       *backend.Asked
	connections map[string]*backend.Connection   // by chat
	trust       map[string]*backend.TrustRequest // by key
	gone        map[string]bool                  // chats whose connections are of no interest any more
}

// note takes over what an event says. It is false where the event is about a
// chat that is gone, and has no effect.
func (h *held) note(e *backend.Event) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case e.Storage != nil:
		h.storage = e.Storage
	case e.CLI != nil:
		h.cli = e.CLI
	case e.Account != nil:
		h.account = e.Account
	case e.SignIn != nil:
		h.signIn = e.SignIn
	case e.Desktop != nil:
		h.desktop = e.Desktop
	case e.Update != nil:
		h.update = e.Update
	case e.Asked != nil:
		h.asked = e.Asked
	case e.Connection != nil:
		if h.gone[e.Connection.ChatID] {
			return false
		}
		if h.connections == nil {
			h.connections = map[string]*backend.Connection{}
		}
		h.connections[e.Connection.ChatID] = e.Connection
	case e.Trust != nil:
		if h.trust == nil {
			h.trust = map[string]*backend.TrustRequest{}
		}
		h.trust[e.Trust.Key] = e.Trust
	case e.TrustGone != nil:
		delete(h.trust, e.TrustGone.ID)
	case e.ChatGone != nil:
		// Its agent may still say how it ended.
		if h.gone == nil {
			h.gone = map[string]bool{}
		}
		h.gone[e.ChatGone.ID] = true
		delete(h.connections, e.ChatGone.ID)
	case e.Chat != nil:
		delete(h.gone, e.Chat.ID)
	}
	return true
}

// storageNow is how the database stands.
func (h *held) storageNow() backend.Storage {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.storage == nil {
		return backend.Storage{State: backend.StorageOK}
	}
	return *h.storage
}

func (h *held) events() []backend.Event {
	h.mu.Lock()
	defer h.mu.Unlock()
	var events []backend.Event
	if h.storage != nil {
		events = append(events, backend.Event{Storage: h.storage})
	}
	if h.cli != nil {
		events = append(events, backend.Event{CLI: h.cli})
	}
	if h.account != nil {
		events = append(events, backend.Event{Account: h.account})
	}
	if h.signIn != nil {
		events = append(events, backend.Event{SignIn: h.signIn})
	}
	if h.desktop != nil {
		events = append(events, backend.Event{Desktop: h.desktop})
	}
	if h.update != nil {
		events = append(events, backend.Event{Update: h.update})
	}
	if h.asked != nil {
		events = append(events, backend.Event{Asked: h.asked})
	}
	for _, id := range slices.Sorted(maps.Keys(h.connections)) {
		events = append(events, backend.Event{Connection: h.connections[id]})
	}
	for _, key := range slices.Sorted(maps.Keys(h.trust)) {
		events = append(events, backend.Event{Trust: h.trust[key]})
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
