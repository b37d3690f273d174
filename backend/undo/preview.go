package undo

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// plan is a plan for an undo, for a redo, or for going back over several turns.
type plan struct {
	row  backend.TurnUndo
	turn backend.Turn
	chat backend.Chat
	st   *snapshot.Store
	redo bool
	// since means that the plan is for going back. Such a plan covers the turn and all later ones.
	since bool
	*snapshot.Plan
	// unsure holds the files that would be restored although the turn may not have changed them. Each value is the
	// reason. These files aren't restored unless the user chooses otherwise.
	unsure map[string]backend.Message
	// between holds the files that the user or another program changed between the turns of a plan for several turns.
	// If such a file can be merged, merged holds its content without the turns' changes.
	between map[string]bool
	// meanwhile holds files that changed while a command of the turns was running, and that the user may have edited
	// meanwhile.
	meanwhile map[string]bool
	merged    map[string][]byte
}

// errNotRecorded is the error for a turn whose changes can't be undone or redone.
var errNotRecorded = &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This message has no changes that can be undone or redone.")}

// errForeign is the error for a turn that another program made.
var errForeign = &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("VoxPilot can't undo these changes because another program made them. VoxPilot's history of the folder doesn't include them.")}

// row returns a turn and the row that describes its undo.
func (m *Manager) row(ctx context.Context, turnID string) (row backend.TurnUndo, turn backend.Turn, err error) {
	turn, err = m.cfg.Store.Turn(ctx, turnID)
	if err != nil {
		return row, turn, err
	}
	undos, err := m.cfg.Store.TurnUndos(ctx, turn.ChatID)
	if err != nil {
		return row, turn, err
	}
	i := slices.IndexFunc(undos, func(u backend.TurnUndo) bool { return u.TurnID == turnID })
	switch {
	case i >= 0:
		return undos[i], turn, nil
	case m.cfg.Foreign != nil && m.cfg.Foreign(turn):
		return row, turn, errForeign
	}
	return row, turn, errNotRecorded
}

// plan returns the plan for undoing a turn or, if the turn has been undone, for redoing it.
func (m *Manager) plan(ctx context.Context, turnID string) (*plan, error) {
	row, turn, err := m.row(ctx, turnID)
	if err != nil {
		return nil, err
	}
	p := &plan{row: row, turn: turn, redo: row.State == backend.UndoUndone}
	if !p.redo && row.State != backend.UndoAvailable {
		return nil, errNotRecorded
	}
	if p.chat, err = m.cfg.Chat(turn.ChatID); err != nil {
		return nil, err
	}
	if p.st, err = m.stores.Open(p.chat.ID, p.chat.Folder); err != nil {
		return nil, failed(err)
	}
	now, err := p.st.Snapshot(ctx)
	if err != nil {
		return nil, failed(err)
	}
	before, after := snapshot.ID(row.Before), snapshot.ID(row.After)
	if p.redo {
		before, after = snapshot.ID(row.UndoBefore), snapshot.ID(row.UndoAfter)
	}
	p.Plan, err = p.st.Plan(ctx, before, after, now.ID)
	if errors.Is(err, snapshot.ErrNotFound) {
		row.State, row.Reason = backend.UndoUnavailable, reasonFor(err)
		m.cfg.Publish(backend.Event{TurnUndo: &row})
	}
	if err != nil {
		return nil, failed(err)
	}
	if err := m.findUnsure(p, m.doubtsOf(p.chat.ID)); err != nil {
		return nil, err
	}
	p.mergeOnlyOwn()
	p.keepMoved(p.steps(), nil)
	p.copyMoved()
	return p, nil
}

// findUnsure sets p.unsure to the files that another task or the user may have changed during the turn. It takes the
// recorded doubts about the chat's turns.
func (m *Manager) findUnsure(p *plan, recorded map[string]doubts) error {
	p.unsure = map[string]backend.Message{}
	if p.redo {
		return nil
	}
	d, judged := recorded[p.row.TurnID]
	idle := map[string]bool{}
	for _, path := range d.Idle {
		idle[path] = true
	}
	for _, it := range p.Items { // a file in doubt may have its earlier content again
		if idle[it.Path] {
			p.unsure[it.Path] = idleReason
		}
	}
	p.addMeanwhile(d)
	if p.row.Interrupted {
		items, err := p.st.Changes(snapshot.ID(p.row.During), p.After)
		if err != nil {
			return failed(err)
		}
		for _, it := range items {
			p.unsure[it.Path] = backend.Say("VoxPilot quit during this turn, so you may have made this change yourself.")
		}
	}
	if p.row.Shared {
		for _, it := range p.Items {
			if !judged || !d.Own[it.Path] {
				p.unsure[it.Path] = backend.Say("Another task worked in this folder at the same time and may have made this change.")
			}
		}
	}
	for _, it := range p.Items { // a file that another task may have moved must not move back; for the user, see judgment.idle
		if reason, is := p.unsure[it.MovesFrom]; is && !idle[it.MovesFrom] && p.unsure[it.Path].IsZero() {
			p.unsure[it.Path] = reason
		}
	}
	return nil
}

// idleReason is the reason for keeping a file that changed while no tool was running.
var idleReason = backend.Say("No tool was running when this file changed, so you or another program may have changed it.")

// addMeanwhile adds the files of a turn's doubts to p.meanwhile.
func (p *plan) addMeanwhile(d doubts) {
	if p.meanwhile == nil {
		p.meanwhile = map[string]bool{}
	}
	for _, path := range d.Meanwhile {
		p.meanwhile[path] = true
	}
}

// copyMoved restores a moved file as a copy if the file that now has its content stays.
func (p *plan) copyMoved() {
	for i, it := range p.Items {
		if _, stays := p.unsure[it.MovesFrom]; stays && p.unsure[it.Path].IsZero() {
			p.Items[i].MovesFrom = ""
		}
	}
}

// mergeOnlyOwn prevents merges of files in p.unsure, because a merge would also remove changes that the turn may not
// have made.
func (p *plan) mergeOnlyOwn() {
	for i, it := range p.Items {
		if !p.unsure[it.Path].IsZero() {
			p.Items[i].Mergeable = false
		}
	}
}

// changed reports whether the user can choose how to treat a file. The user can choose if the file was changed after
// the turn, or if the turn may not have changed it.
func (p *plan) changed(it snapshot.Item) bool {
	return it.State == snapshot.Conflict || it.State == snapshot.GoesBack && !p.unsure[it.Path].IsZero()
}

// movedFrom returns the current paths of files that move back to their earlier paths.
func movedFrom(items []snapshot.Item) map[string]bool {
	moved := map[string]bool{}
	for _, it := range items {
		if it.MovesFrom != "" {
			moved[it.MovesFrom] = true
		}
	}
	return moved
}

// Preview returns the effect that undoing or redoing the turn's changes would now have.
func (m *Manager) Preview(ctx context.Context, turnID string) (backend.UndoPreview, error) {
	p, err := m.plan(ctx, turnID)
	if err != nil {
		return backend.UndoPreview{}, err
	}
	return m.preview(ctx, p)
}

// preview returns the effect of a plan.
func (m *Manager) preview(ctx context.Context, p *plan) (backend.UndoPreview, error) {
	res := backend.UndoPreview{TurnID: p.turn.ID, Files: []backend.UndoFile{}, NotUndone: []backend.UndoRest{}}
	res.Redo, res.EdgesOnly, res.Since = p.redo, p.row.EdgesOnly && !p.redo, p.turn.StartedAt
	if p.redo {
		res.Since = p.row.At
	}
	at := locate(p.chat.Folder)
	m.mu.Lock()
	res.Blocked = m.blocked(p.chat, at)
	m.mu.Unlock()
	counts, since := lineCounter{st: p.st, budget: maxCounted}, lineCounter{st: p.st, budget: maxCounted}
	moved := movedFrom(p.Items)
	var shown, omitted []snapshot.Item
	for _, it := range p.Items {
		switch {
		case it.State == snapshot.Omitted:
			omitted = append(omitted, it)
		case it.State == snapshot.Same, moved[it.Path] && !p.changed(it):
		case p.changed(it):
			res.Changed++
			shown = append(shown, it)
		default:
			if res.Ready++; p.meanwhile[it.Path] {
				res.Meanwhile++
			}
			shown = append(shown, it)
		}
	}
	removes := func(it snapshot.Item) bool { return !p.changed(it) && effectOf(it) == backend.UndoRemoves }
	slices.SortStableFunc(shown, func(a, b snapshot.Item) int {
		return cmp.Or(
			cmp.Compare(index(p.changed(b)), index(p.changed(a))),
			cmp.Compare(index(removes(b)), index(removes(a))),
			cmp.Compare(a.Path, b.Path),
		)
	})
	res.NotUndone = append(res.NotUndone, unrecorded(omitted)...)
	res.Total = len(shown)
	shown = shown[:min(len(shown), backend.MaxUndoFiles)]
	authors, keepRunning := m.authorsSince(ctx, p), sync.OnceValue(func() bool { return m.keepRunning(ctx, p) })
	for _, it := range shown {
		f := backend.UndoFile{Path: it.Path, From: it.MovesFrom, Effect: effectOf(it), Choice: backend.UndoTake}
		if it.MovesFrom == "" {
			n := counts.between(it.Path, p.After, p.Before, it.After, it.Before)
			f.Added, f.Removed, f.Binary = n.added, n.removed, n.binary
		}
		if p.changed(it) {
			f.Changed, f.Choice, f.Merge = true, backend.UndoKeep, it.Mergeable
			if f.Reason = p.unsure[it.Path]; f.Reason == idleReason && keepRunning() {
				f.Reason = backend.Say("No tool was running when this file changed. You, another program or a command that kept running may have changed it.")
			}
			if it.State == snapshot.Conflict {
				f.Reason = changeReason(it.Reason)
				n := since.between(it.Path, p.After, p.Now, it.After, it.Now)
				f.ChangedLines = n.added + n.removed
				if by, is := authors[it.Path]; is {
					f.ByChatID, f.Reason = by.chatID, by.reason
				} else if keepRunning() {
					f.Reason = backend.Say("Changed by you, another program or a command from this turn that kept running.")
				}
			}
			if info, err := os.Lstat(filepath.Join(p.chat.Folder, filepath.FromSlash(it.Path))); err == nil {
				f.ChangedAt = backend.Millis(info.ModTime().UnixMilli())
			}
		}
		res.Files = append(res.Files, f)
	}
	if !p.redo {
		rest, err := m.notUndone(ctx, p)
		if err != nil {
			return res, err
		}
		res.NotUndone = append(res.NotUndone, rest...)
	}
	return res, nil
}

// Compare compares the state of a file after the turn with its current state. For a redo, it uses the state after the
// undo instead of the one after the turn.
func (m *Manager) Compare(ctx context.Context, turnID, path string) (backend.UndoComparison, error) {
	p, err := m.plan(ctx, turnID)
	if err != nil {
		return backend.UndoComparison{Path: path}, err
	}
	return compare(p, path)
}

func compare(p *plan, path string) (res backend.UndoComparison, err error) {
	res.Path = path
	i := slices.IndexFunc(p.Items, func(it snapshot.Item) bool { return it.Path == path })
	if i < 0 {
		return res, errNotRecorded
	}
	it := p.Items[i]
	if p.between[path] {
		return p.sides(it)
	}
	return p.compareStates(it, side{p.After, it.After}, side{p.Now, it.Now})
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

func effectOf(it snapshot.Item) backend.UndoEffect {
	switch {
	case it.MovesFrom != "":
		return backend.UndoMoves
	case it.Before.Kind == snapshot.None || it.Before.Kind == snapshot.Dir:
		return backend.UndoRemoves
	case it.Now.Kind == snapshot.None:
		return backend.UndoReturns
	}
	return backend.UndoRestores
}

// author is the chat whose turn made a later change to a file. reason is the description of that change for the
// preview.
type author struct {
	chatID string
	reason backend.Message
}

// maxLater is the maximum number of later turns that are searched for the authors of later changes.
const maxLater = 50

// authorsSince returns the authors of later changes to files, by path. It considers later turns of all chats in the
// same folder; the author of the latest change to a file counts. It returns nothing if the plan has no conflicts.
func (m *Manager) authorsSince(ctx context.Context, p *plan) map[string]author {
	authors := map[string]author{}
	undos, err := m.cfg.Store.TurnUndos(ctx, "")
	i := slices.IndexFunc(undos, func(u backend.TurnUndo) bool { return u.TurnID == p.row.TurnID })
	if err != nil || i < 0 || !slices.ContainsFunc(p.Items, func(it snapshot.Item) bool { return it.State == snapshot.Conflict }) {
		return authors
	}
	later, at := undos[i+1:], locate(p.chat.Folder)
	for _, u := range later[max(0, len(later)-maxLater):] {
		st, a := p.st, author{u.ChatID, backend.Say("Changed in a later turn of this chat.")}
		if u.After == "" || u.State == backend.UndoUndone {
			continue
		}
		if u.ChatID != p.chat.ID {
			chat, err := m.cfg.Chat(u.ChatID)
			if err != nil || !at.is(locate(chat.Folder)) {
				continue
			}
			if st, err = m.stores.Open(chat.ID, chat.Folder); err != nil {
				continue
			}
			a.reason = backend.Say("Changed in the chat “%s”.", chat.Title)
		}
		items, err := st.Changes(snapshot.ID(u.Before), snapshot.ID(u.After))
		if err != nil {
			continue // a snapshot no longer exists
		}
		for _, it := range items {
			authors[it.Path] = a
		}
	}
	return authors
}
