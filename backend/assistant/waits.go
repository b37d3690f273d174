package assistant

import (
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

// waits measures how long the turns of a chat wait for the user's decisions.
// Waits of one turn that overlap count once.
type waits struct {
	mu    sync.Mutex
	turns map[string]*waiting // turns that run, by id
	asked map[string][]string // the turns that wait for a request, by the request's id
}

// waiting is how long a turn has waited.
type waiting struct {
	caller string // the turn that gave it its work, "" if none did
	open   int    // requests
	since  backend.Millis
	total  backend.Millis
}

// begin measures a turn. What a turn that was given work waits for, the turn that
// gave it waits for too; caller is that one's id, or "".
func (w *waits) begin(turnID, caller string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.turns == nil {
		w.turns, w.asked = map[string]*waiting{}, map[string][]string{}
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
	if t.open > 0 {
		t.total += max(0, at-t.since)
	}
	return t.total
}

// takes notes that a request came or was decided.
func (w *waits) takes(p backend.Permission) {
	w.mu.Lock()
	defer w.mu.Unlock()
	of, known := w.asked[p.ID]
	switch open := p.State == backend.PermissionOpen; {
	case open && !known:
		for id := p.TurnID; w.turns[id] != nil; id = w.turns[id].caller {
			of = append(of, id)
			t := w.turns[id]
			if t.open++; t.open == 1 {
				t.since = p.CreatedAt
			}
		}
		if len(of) > 0 {
			w.asked[p.ID] = of
		}
	case !open && known:
		delete(w.asked, p.ID)
		for _, id := range of {
			if t := w.turns[id]; t != nil {
				if t.open--; t.open == 0 {
					t.total += max(0, p.DecidedAt-t.since)
				}
			}
		}
	}
}
