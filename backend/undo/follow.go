package undo

import (
	"context"
	"errors"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// changeHistory describes how files changed during spans and between them.
type changeHistory struct {
	touched map[string]bool             // files changed during a span
	between map[string]bool             // files that changed between spans to a state that hadn't been recorded before
	gaps    map[string][]gap            // changes between spans, by file
	seen    map[string][]snapshot.Entry // states before and after the spans that changed the file, by file
	steps   map[string][]step           // changes during spans, by file
	nested  map[string]bool             // files that changed during a span that began during another one
	unsure  map[string]backend.Message  // files that changed during a turn but possibly not by it, with the reason
	last    snapshot.ID                 // snapshot of the folder after the last span
}

// gap is a change to one file between spans.
type gap struct {
	from  snapshot.Entry
	known bool // the file changed to a state that had been recorded before
	steps int  // number of the file's steps before the gap
}

// cancel drops the recorded changes to a file that were later reverted because an operation, such as the redo of an
// undo, returned the file to the given state. cancel looks for the first gap that began with this state and wasn't
// followed by a turn's change to the file, and drops this gap and all later changes to the file. It reports whether
// there was such a gap. Once an undo has been redone, only the redo is recorded, so the undo looks like a change
// between spans.
func (h *changeHistory) cancel(path string, to snapshot.Entry) bool {
	isTurns := func(s step) bool { return !s.isOperation }
	i := slices.IndexFunc(h.gaps[path], func(g gap) bool {
		return g.from == to && !slices.ContainsFunc(h.steps[path][g.steps:], isTurns)
	})
	if i < 0 {
		return false
	}
	h.steps[path] = h.steps[path][:h.gaps[path][i].steps]
	h.gaps[path] = h.gaps[path][:i]
	return true
}

// revert removes the last step of a file if an operation reverted it, and reports whether it did. That step must be an
// operation too, as when the user goes back and then brings the files back. The file must not have changed in between.
func (h *changeHistory) revert(it snapshot.Item) bool {
	steps, gaps := h.steps[it.Path], h.gaps[it.Path]
	last := len(steps) - 1
	if last < 0 || !steps[last].isOperation || steps[last].from != it.After || steps[last].to != it.Before {
		return false
	}
	if len(gaps) > 0 && gaps[len(gaps)-1].steps > last {
		return false
	}
	h.steps[it.Path] = steps[:last]
	return true
}

// follow returns the history of changes to files since the snapshot with the given ID. It needs all spans since that
// snapshot, and sets p.row to the row of the last turn among them.
func (m *Manager) follow(ctx context.Context, p *plan, before snapshot.ID, all []span) (changeHistory, error) {
	h := changeHistory{
		touched: map[string]bool{}, between: map[string]bool{}, gaps: map[string][]gap{}, seen: map[string][]snapshot.Entry{},
		steps: map[string][]step{}, nested: map[string]bool{}, unsure: map[string]backend.Message{}, last: before,
	}
	recorded := m.doubtsOf(p.chat.ID)
	until := backend.Millis(0) // the latest end of the spans so far
	for _, s := range all {
		if err := ctx.Err(); err != nil {
			return h, err
		}
		during, err := p.st.Changes(s.before, s.after)
		if errors.Is(err, snapshot.ErrNotFound) {
			continue // a snapshot is no longer stored, so the changes of this span count as made by the user
		}
		if err != nil {
			return h, failed(err)
		}
		if s.from >= until {
			between, err := p.st.Changes(h.last, s.before)
			if err != nil {
				return h, failed(err)
			}
			for _, it := range between {
				// If a snapshot contains the state after the change, nothing is lost when the change is reverted.
				known := slices.Contains(h.seen[it.Path], it.After)
				h.gaps[it.Path] = append(h.gaps[it.Path], gap{it.Before, known, len(h.steps[it.Path])})
			}
		}
		isNested := s.from < until
		if s.to >= until {
			until, h.last = s.to, s.after
		}
		for _, it := range during {
			h.touched[it.Path] = true
			if s.turn.ID == "" && !isNested && (h.revert(it) || h.cancel(it.Path, it.After)) {
				continue
			}
			h.seen[it.Path] = append(h.seen[it.Path], it.Before, it.After)
			h.steps[it.Path] = append(h.steps[it.Path], step{s.before, s.after, it.Before, it.After, s.turn.ID == ""})
			h.nested[it.Path] = h.nested[it.Path] || isNested
		}
		if s.turn.ID == "" {
			continue
		}
		p.row = s.row
		one := &plan{row: s.row, turn: s.turn, chat: p.chat, st: p.st, Plan: &snapshot.Plan{Before: s.before, After: s.after, Items: during}}
		if err := m.findUnsure(one, recorded); err != nil {
			return h, err
		}
		for path, reason := range one.unsure {
			h.unsure[path] = reason
		}
	}
	for path, gaps := range h.gaps {
		if slices.ContainsFunc(gaps, func(g gap) bool { return !g.known }) {
			h.between[path] = true
		}
	}
	return h, nil
}
