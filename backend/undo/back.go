package undo

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// Going back over several turns is one operation. It reverts the changes of a turn and of all later ones, whether they
// are shown or set aside, and of the user's undos and other operations since that turn. All other changes in that time
// count as made by the user. A file that only the user changed isn't part of the operation. A file that both the turns
// and the user changed keeps its content, unless the user chooses otherwise.

// span is a period during which files in a chat's folder were changed: a turn, or one of the user's operations such as
// an undo.
type span struct {
	from, to      backend.Millis
	before, after snapshot.ID      // snapshots of the folder
	row           backend.TurnUndo // for a turn
	turn          backend.Turn     // zero for an operation
}

// spans returns the spans of a chat in the order in which they began. It leaves out spans that began before the given
// time, and spans without snapshots before and after them.
func (m *Manager) spans(ctx context.Context, chatID string, from backend.Millis) ([]span, error) {
	undos, err := m.cfg.Store.TurnUndos(ctx, chatID)
	if err != nil {
		return nil, err
	}
	turns, err := m.cfg.Store.TurnsOf(ctx, chatID)
	if err != nil {
		return nil, err
	}
	asides, err := m.cfg.Store.Asides(ctx, chatID)
	if err != nil {
		return nil, err
	}
	byID := map[string]backend.Turn{}
	for _, t := range turns {
		byID[t.ID] = t
	}
	var all []span
	add := func(s span) {
		if s.from >= from && s.before != "" && s.after != "" {
			all = append(all, s)
		}
	}
	operation := func(at backend.Millis, before, after string) {
		add(span{from: at, to: at, before: snapshot.ID(before), after: snapshot.ID(after)})
	}
	for _, u := range undos {
		t := byID[u.TurnID]
		add(span{from: t.StartedAt, to: cmp.Or(t.EndedAt, math.MaxInt64), before: snapshot.ID(u.Before), after: snapshot.ID(u.After), row: u, turn: t})
		operation(u.At, u.UndoBefore, u.UndoAfter)
	}
	for _, p := range m.parts(chatID) {
		operation(p.At, string(p.Before), string(p.After))
	}
	for _, a := range asides {
		operation(a.At, a.Before, a.After)
		operation(a.BackAt, a.BackBefore, a.BackAfter)
	}
	slices.SortStableFunc(all, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	return all, nil
}

// Hold prevents turns, undos and redos in the chat's folder until the function done is called. It first waits for an
// undo or redo that is running there. It returns CodeUnavailable if a turn is running. It also completes the records of
// the chat's earlier undos that were interrupted.
func (m *Manager) Hold(ctx context.Context, chat backend.Chat) (done func(), err error) {
	m.awaitChange(ctx, chat.Folder)
	done, err = m.block(chat)
	if err != nil {
		return nil, err
	}
	undos, err := m.cfg.Store.TurnUndos(ctx, chat.ID)
	if err != nil {
		done()
		return nil, err
	}
	for _, u := range undos {
		if u.Pending != "" {
			m.repair(chat, u)
		}
	}
	return done, nil
}

// HoldWhenFree does the same as Hold, but waits until nothing is running in the folder.
func (m *Manager) HoldWhenFree(ctx context.Context, chat backend.Chat) (done func(), err error) {
	for {
		done, err := m.Hold(ctx, chat)
		var busy *backend.Error
		if !errors.As(err, &busy) || busy.Code != backend.CodeUnavailable {
			return done, err
		}
		select {
		case <-time.After(holdPause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// holdPause is the time after which HoldWhenFree checks the folder again.
const holdPause = 200 * time.Millisecond

// Record takes a snapshot of the chat's folder and returns its ID.
func (m *Manager) Record(ctx context.Context, chat backend.Chat) (string, error) {
	st, err := m.stores.Open(chat.ID, chat.Folder)
	if err != nil {
		return "", failed(err)
	}
	now, err := st.Snapshot(ctx)
	if err != nil {
		return "", failed(err)
	}
	return string(now.ID), nil
}

// ChangedFiles returns the number of files that differ between two snapshots of the chat's folder. A moved file counts
// once.
func (m *Manager) ChangedFiles(chat backend.Chat, before, after string) (int, error) {
	st, err := m.stores.Open(chat.ID, chat.Folder)
	if err != nil {
		return 0, err
	}
	items, err := st.Changes(snapshot.ID(before), snapshot.ID(after))
	items = slices.DeleteFunc(items, func(it snapshot.Item) bool { return it.State == snapshot.Omitted })
	return len(items) - len(movedFrom(items)), err
}

// IsStored reports whether the changes between two snapshots of the chat's folder can still be reverted.
func (m *Manager) IsStored(chat backend.Chat, before, after string) (bool, error) {
	st, err := m.stores.History(chat.ID)
	if err != nil {
		return false, err
	}
	_, err = st.Changes(snapshot.ID(before), snapshot.ID(after))
	if errors.Is(err, snapshot.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Back is a plan for returning files to an earlier state.
type Back struct {
	m *Manager
	p *plan
	// forward means that PlanForward made the plan. The user then sees no preview, so the outcome names the files that
	// keep their content.
	forward bool
}

// PlanBack returns a plan for returning the files to their state before a turn.
func (m *Manager) PlanBack(ctx context.Context, turnID string) (*Back, error) {
	row, turn, err := m.row(ctx, turnID)
	if err != nil {
		return nil, err
	}
	if row.Before == "" {
		if !row.Reason.IsZero() {
			return nil, &backend.Error{Code: backend.CodeUnavailable, Message: row.Reason}
		}
		return nil, errNotRecorded
	}
	chat, err := m.cfg.Chat(turn.ChatID)
	if err != nil {
		return nil, err
	}
	return m.planBack(ctx, chat, turn, row.Before, turn.StartedAt)
}

// PlanForward returns a plan for returning the files to their state in the earlier snapshot with the given ID and time.
// The plan reverts the changes by turns and operations that began at that time or later.
func (m *Manager) PlanForward(ctx context.Context, chat backend.Chat, before string, since backend.Millis) (*Back, error) {
	b, err := m.planBack(ctx, chat, backend.Turn{ChatID: chat.ID, StartedAt: since}, before, since)
	if err == nil {
		b.forward = true
	}
	return b, err
}

func (m *Manager) planBack(ctx context.Context, chat backend.Chat, turn backend.Turn, before string, since backend.Millis) (*Back, error) {
	p := &plan{turn: turn, chat: chat, since: true, unsure: map[string]backend.Message{}}
	var err error
	if p.st, err = m.stores.Open(chat.ID, chat.Folder); err != nil {
		return nil, failed(err)
	}
	all, err := m.spans(ctx, chat.ID, since)
	if err != nil {
		return nil, err
	}
	now, err := p.st.Snapshot(ctx)
	if err != nil {
		return nil, failed(err)
	}
	h, err := m.follow(ctx, p, snapshot.ID(before), all)
	if err != nil {
		return nil, err
	}
	if p.Plan, err = p.st.Plan(ctx, snapshot.ID(before), h.last, now.ID); err != nil {
		return nil, failed(err)
	}
	p.Limit(func(path string) bool { return h.touched[path] })
	p.between = h.between
	recorded := m.doubtsOf(chat.ID)
	for _, s := range all {
		p.addMeanwhile(recorded[s.turn.ID])
	}
	for path, reason := range h.unsure {
		p.unsure[path] = reason
	}
	p.mergeOnlyOwn()
	p.mergeBetween(h)
	for path := range h.between {
		if p.unsure[path].IsZero() {
			p.unsure[path] = backend.Say("You or another program also changed this file between these messages.")
		}
	}
	later, err := p.st.Changes(h.last, now.ID)
	if err != nil {
		return nil, failed(err)
	}
	p.keepMoved(h.steps, later)
	p.copyMoved()
	return &Back{m: m, p: p}, nil
}

// Preview returns the effect that going back would now have.
func (b *Back) Preview(ctx context.Context) (backend.UndoPreview, error) {
	res, err := b.m.preview(ctx, b.p)
	res.Since = b.p.turn.StartedAt
	return res, err
}

// Compare compares a file's state after the last turn with its current state. If the file also changed between the
// turns, Compare instead compares its current state with the state that going back would give it.
func (b *Back) Compare(path string) (backend.UndoComparison, error) { return compare(b.p, path) }

// Outcome is the result of going back.
type Outcome struct {
	Before, After string // IDs of snapshots of the folder; After is "" if no file was changed
	Files         int    // number of changed files
	Skipped       int    // files not changed because of an error or, without a preview, later changes
	Note          backend.Message
	Failure       error // the reason why some files weren't changed; nil if all were handled
}

// ErrUnrecorded means that files were changed, but no snapshot of the folder could be taken afterward. VoxPilot takes
// that snapshot at its next start.
var ErrUnrecorded = errors.New("the folder couldn't be recorded")

// Apply changes the files. A file without a choice is handled as the preview says. Before the first change, it calls
// the function begin with the ID of a snapshot of the unchanged folder. If there is nothing to change, it doesn't call
// the function. The caller must have called Manager.Hold. An error other than ErrUnrecorded means that nothing was
// changed.
func (b *Back) Apply(ctx context.Context, choices map[string]backend.UndoChoice, begin func(ctx context.Context, now string) error) (res Outcome, err error) {
	res.Before = string(b.p.Now)
	selected, err := b.p.choose(choices)
	if err != nil {
		return res, err
	}
	changes := func(it snapshot.Item) bool {
		choice, chosen := selected[it.Path]
		return !choice.Keep && (chosen || it.State == snapshot.GoesBack)
	}
	stay := b.stay(selected)
	if !slices.ContainsFunc(b.p.Items, changes) {
		res.explain(nil, stay)
		return res, nil
	}
	if err := begin(ctx, res.Before); err != nil {
		return res, err
	}
	// From now on, the result must be stored even if the caller no longer waits.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	did, failure := b.p.st.Apply(ctx, b.p.Plan, selected)
	if len(did.Done) == 0 && failure != nil {
		return res, failed(failure)
	}
	now, err := b.p.st.Snapshot(ctx)
	if err != nil {
		b.m.cfg.Log.Error("couldn't record a folder after it went back", "chat", b.p.chat.ID, "err", err)
		return res, errors.Join(failed(errors.Join(failure, err)), ErrUnrecorded)
	}
	moved := movedFrom(b.p.Items)
	res.Files = len(slices.DeleteFunc(slices.Clone(did.Done), func(path string) bool { return moved[path] }))
	if len(did.Done) > 0 {
		res.After = string(now.ID)
	}
	var kept []string
	for _, s := range did.Skipped {
		kept = append(kept, s.Path)
		b.m.cfg.Log.Warn("going back left a file as it is", "chat", b.p.chat.ID, "path", s.Path, "reason", s.Reason, "err", s.Err)
	}
	res.explain(kept, stay)
	if failure != nil {
		res.Failure = failed(failure)
	}
	return res, nil
}

// stay returns the files that keep their later changes when the plan is applied. It returns nil if PlanBack made the
// plan, because the user has then seen these files in a preview.
func (b *Back) stay(selected map[string]snapshot.Choice) (paths []string) {
	for _, it := range b.p.Items {
		if b.forward && b.p.changed(it) && selected[it.Path].Keep {
			paths = append(paths, it.Path)
		}
	}
	return paths
}

// explain sets o.Skipped and o.Note. It takes the files that couldn't be changed (failed) and the files that kept their
// later changes (stay).
func (o *Outcome) explain(failed, stay []string) {
	o.Skipped = len(failed) + len(stay)
	switch {
	case len(failed) > 0 && len(stay) > 0:
		o.Note = backend.Say("Couldn't change %s. Files with later changes were kept: %s.", list(failed), list(stay))
	case len(failed) > 0:
		o.Note = backend.Say("Couldn't change %s.", list(failed))
	case len(stay) > 0:
		o.Note = backend.Say("Files with later changes were kept: %s.", list(stay))
	}
}
