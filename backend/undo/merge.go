package undo

import (
	"bytes"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/diff"
	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// step is the change to one file during a span.
type step struct {
	before, after snapshot.ID // snapshots of the folder
	from, to      snapshot.Entry
	isOperation   bool // the user's, such as an undo
}

// without returns the current content of a file with the given steps undone. The steps must be in chronological order.
// Changes made between and after them are kept. ok is false if the changes can't be separated, or if the file would be
// unchanged.
func (p *plan) without(it snapshot.Item, steps []step, budget *int64) (content []byte, ok bool) {
	read := func(id snapshot.ID, e snapshot.Entry) (text []byte, ok bool) {
		if *budget -= e.Size; e.Kind != snapshot.File || e.Size > maxCountedFile || *budget < 0 {
			return nil, false
		}
		_, text, err := p.st.Read(id, it.Path)
		return text, err == nil
	}
	now, ok := read(p.Now, it.Now)
	if !ok {
		return nil, false
	}
	content = now
	for i := len(steps) - 1; i >= 0; i-- {
		s := steps[i]
		after, ok := read(s.after, s.to)
		if !ok {
			return nil, false
		}
		before, ok := read(s.before, s.from)
		if !ok {
			return nil, false
		}
		if content, ok = snapshot.Merge(after, content, before); !ok {
			return nil, false
		}
	}
	return content, !bytes.Equal(content, now)
}

// mergeBetween finds the files that also changed between the spans, and makes them mergeable if possible.
func (p *plan) mergeBetween(h changeHistory) {
	p.merged = map[string][]byte{}
	budget := int64(maxPartWork)
	for i, it := range p.Items {
		if !h.between[it.Path] {
			continue
		}
		p.Items[i].Mergeable = false // a single merge would also undo the user's changes
		if !h.nested[it.Path] && h.unsure[it.Path].IsZero() {
			if content, ok := p.without(it, h.steps[it.Path], &budget); ok {
				p.Items[i].Mergeable, p.merged[it.Path] = true, append([]byte{}, content...)
			}
		}
	}
}

// sides compares the current state of a file with the state that going back would give it.
func (p *plan) sides(it snapshot.Item) (res backend.UndoComparison, err error) {
	res, err = p.compareStates(it, side{p.Now, it.Now}, side{p.Before, it.Before})
	res.ToEarlier = true
	return res, err
}

// side is one of the two states of a file in a comparison.
type side struct {
	in    snapshot.ID
	entry snapshot.Entry
}

// compareStates compares two states of a file.
func (p *plan) compareStates(it snapshot.Item, a, b side) (res backend.UndoComparison, err error) {
	res.Path = it.Path
	counts := lineCounter{st: p.st}
	before, ok := counts.text(a.in, it.Path, a.entry)
	after, is := counts.text(b.in, it.Path, b.entry)
	switch {
	case it.State == snapshot.Omitted:
		res.Reason = leftReason(it.Reason)
	case a.entry.Kind == snapshot.Link || b.entry.Kind == snapshot.Link || it.Now.Kind == snapshot.Dir || !ok || !is:
		res.Reason = backend.Say("This isn't a text file, so it can't be compared.")
	case len(before)+len(after) > maxCompared:
		res.Reason = backend.Say("The file is too large to compare.")
	case before == after && a.entry.Mode != b.entry.Mode:
		res.Reason = backend.Say("Only the permissions differ.")
	case before == after:
		res.Reason = backend.Say("Both versions of the file are the same.")
	default:
		from, to := diff.InHead(it.Path), diff.InHead(it.Path)
		if a.entry.Kind == snapshot.None {
			from = "/dev/null"
		}
		if b.entry.Kind == snapshot.None {
			to = "/dev/null"
		}
		res.Diff, _, _ = diff.Unified(from, to, before, after)
	}
	return res, nil
}

// maxCompared is the maximum total size in bytes of two states of a file that can be compared.
const maxCompared = 4 << 20
