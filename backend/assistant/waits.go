package assistant

import (
	"cmp"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

// waits measures how long the turns of a chat wait for the user's decisions.
// Waits of one turn that overlap count once.
type waits struct {
	mu    sync.Mutex
	turns map[string]*waiting // turns that run, by id
}

// waiting is how long a turn has waited.
type waiting struct {
	caller string // the turn that gave it its work, "" if none did
	waits  bool
	since  backend.Millis
	total  backend.Millis
}

// begin measures a turn. What a turn that was given work waits for, the turn that
// gave it waits for too; caller is that one's id, or "".
func (w *waits) begin(turnID, caller string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.turns == nil {
		w.turns = map[string]*waiting{}
	}
	w.turns[turnID] = &waiting{caller: caller}
}

// end stops measuring the turn and returns how long it has waited until at.
func (w *waits) end(turnID string, at backend.Millis) backend.Millis {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.turns[turnID]
	if t == nil {
		return 0
	}
	delete(w.turns, turnID)
	if t.waits {
		t.total += max(0, at-t.since)
	}
	return t.total
}

// takes notes that a request came or was decided; asks are those that are open since.
func (w *waits) takes(p backend.Permission, asks []backend.Permission) {
	w.mu.Lock()
	defer w.mu.Unlock()
	wait := map[*waiting]bool{}
	for _, ask := range asks {
		for t := w.turns[ask.TurnID]; t != nil; t = w.turns[t.caller] {
			wait[t] = true
		}
	}
	for _, t := range w.turns {
		switch {
		case wait[t] && !t.waits:
			t.since = p.CreatedAt
		case !wait[t] && t.waits:
			t.total += max(0, cmp.Or(p.DecidedAt, p.CreatedAt)-t.since)
		}
		t.waits = wait[t]
	}
}
