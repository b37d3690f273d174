package blame

import (
	"cmp"
	"context"
	"math"
	"path/filepath"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/snapshot"
	"github.com/voxpilot/voxpilot/backend/undo"
)

// recording gives access to the recorded turns and snapshots of a chat whose folder contains the file.
type recording struct {
	chat   backend.Chat
	folder string // the folder's path without symbolic links
	store  *snapshot.Store
	edits  []undo.Edit // the edits of the chat's edit tools
}

// name returns the name of a file in the snapshots of the chat. ok is false if the file is outside the folder.
func (p *recording) name(path string) (name string, ok bool) {
	rel, err := filepath.Rel(p.folder, path)
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel) && rel != "."
}

// step is a recorded version of the folder.
type step struct {
	recording *recording
	id        snapshot.ID // "" if it couldn't be recorded
	// by holds the writers of the changes since the previous step, the most likely one first. If it is empty, the
	// changes were made outside turns.
	by []writer
	// ref is the ID of a snapshot whose lines the step restores, because the step is an undo or redo, or because the
	// user went back or brought files back. For other steps, it is "".
	ref snapshot.ID
	// putBack means that in this step, the user undid or redid a part of a file's changes.
	putBack bool
	// running means that the version after a turn is missing because the turn is still running.
	running bool

	path  string // the file's path in this version, without symbolic links
	entry snapshot.Entry
	known bool // entry is set
}

// timeline collects the steps of a file from the records of turns.
type timeline struct {
	turns      map[string]backend.Turn
	recordings map[string]*recording // by chat ID
	ids        []string              // IDs of the turns; the turn of a writer has the index writer - firstTurn
	steps      []step
}

// read reads the records of the turns in all recordings, and adds their steps in the order of the turns.
func (t *timeline) read(ctx context.Context, cfg Config) error {
	rows, err := cfg.Store.TurnUndos(ctx, "")
	if err != nil {
		return err
	}
	rows = slices.DeleteFunc(rows, func(r backend.TurnUndo) bool { return t.recordings[r.ChatID] == nil })
	asides, err := cfg.Store.Asides(ctx, "")
	if err != nil {
		return err
	}
	var marks []mark
	for id, p := range t.recordings {
		parts := cfg.Undo.PartChanges(id)
		if len(parts) == 0 && !slices.ContainsFunc(rows, func(r backend.TurnUndo) bool { return r.ChatID == id }) {
			continue
		}
		if p.store, err = cfg.Undo.Snapshots().History(id); err != nil {
			return err
		}
		turns, err := cfg.Store.TurnsOf(ctx, id)
		if err != nil {
			return err
		}
		for _, turn := range turns {
			t.turns[turn.ID] = turn
		}
		p.edits = cfg.Undo.Edits(id)
		for _, c := range parts {
			marks = append(marks, mark{c.At, func() { t.addPart(p, c) }})
		}
	}
	t.add(rows, append(marks, t.asideMarks(asides, rows)...))
	return nil
}

// asideMarks returns the changes to files that were made by going back and by bringing files back. rows are the records
// of all turns.
func (t *timeline) asideMarks(asides []backend.Aside, rows []backend.TurnUndo) (marks []mark) {
	for _, a := range asides {
		p := t.recordings[a.ChatID]
		if p == nil || p.store == nil {
			continue
		}
		change := func(at backend.Millis, before, after, ref string) {
			if after != "" { // otherwise, no file was changed
				marks = append(marks, mark{at, func() { t.addChange(a.ChatID, before, after, ref) }})
			}
		}
		change(a.BackAt, a.BackBefore, a.BackAfter, a.Before)
		if slices.ContainsFunc(asides, func(o backend.Aside) bool {
			return o.ChatID == a.ChatID && o.BackAfter != "" && o.BackAt == a.At && o.BackAfter == a.After
		}) {
			continue // the aside was created by bringing other messages back, and that change is already in marks
		}
		ref := ""
		for _, r := range rows {
			// If only files went back, the aside doesn't name a turn. Its turn is the one that started at a.Since.
			if r.TurnID == a.FromTurn || a.FromTurn == "" && r.ChatID == a.ChatID && t.turns[r.TurnID].StartedAt == a.Since {
				ref = r.Before
			}
		}
		change(a.At, a.Before, a.After, ref)
	}
	return marks
}

// mark is a recorded change that was made between two turns.
type mark struct {
	at  backend.Millis
	add func() // adds the steps of the change
}

// add adds the steps of the turns in rows and of the marks and undos between these turns, in chronological
// order.
func (t *timeline) add(rows []backend.TurnUndo, marks []mark) {
	for _, r := range rows {
		if r.At > 0 && r.UndoAfter != "" {
			marks = append(marks, mark{r.At, func() { t.addUndo(r) }})
		}
	}
	slices.SortStableFunc(marks, func(a, b mark) int { return cmp.Compare(a.at, b.at) })
	isDue := func(r backend.TurnUndo) bool { return len(marks) > 0 && marks[0].at <= t.turns[r.TurnID].StartedAt }
	for len(rows) > 0 {
		for isDue(rows[0]) {
			marks[0].add()
			marks = marks[1:]
		}
		n := 1
		if rows[0].Shared {
			for n < len(rows) && rows[n].Shared && !isDue(rows[n]) {
				n++
			}
			t.addShared(rows[:n])
		} else {
			t.addTurn(rows[0])
		}
		rows = rows[n:]
	}
	for _, m := range marks {
		m.add()
	}
}

// writer returns the writer for a turn.
func (t *timeline) writer(turnID string) writer {
	at := slices.Index(t.ids, turnID)
	if at < 0 {
		at = len(t.ids)
		t.ids = append(t.ids, turnID)
	}
	return firstTurn + writer(at) //nolint:gosec // far fewer
}

func (t *timeline) addStep(r backend.TurnUndo, id string, by ...writer) {
	t.steps = append(t.steps, step{recording: t.recordings[r.ChatID], id: snapshot.ID(id), by: by})
}

// addPart adds a change that the user made by undoing or redoing a part of a file's changes.
func (t *timeline) addPart(p *recording, c undo.PartChange) {
	t.steps = append(t.steps, step{recording: p, id: c.Before}, step{recording: p, id: c.After, putBack: true})
}

// addUndo adds the last undo or redo of a turn. No turn was running while the undo or redo changed files.
func (t *timeline) addUndo(r backend.TurnUndo) {
	ref := r.After
	if r.State == backend.UndoUndone {
		ref = r.Before
	}
	t.addChange(r.ChatID, r.UndoBefore, r.UndoAfter, ref)
}

// addChange adds a change during which no turn was running. The parameters before and after are the IDs of the
// snapshots taken before and after the change, and ref has the same meaning as in step.
func (t *timeline) addChange(chatID, before, after, ref string) {
	p := t.recordings[chatID]
	t.steps = append(t.steps, step{recording: p, id: snapshot.ID(before)}, step{recording: p, id: snapshot.ID(after), ref: snapshot.ID(ref)})
}

// addTurn adds a turn during which no other turn ran in the folder.
func (t *timeline) addTurn(r backend.TurnUndo) {
	t.addStep(r, r.Before)
	if turn, ok := t.turns[r.TurnID]; ok && turn.SentAt == 0 && r.After == "" {
		return // no agent has received the turn
	}
	w := t.writer(r.TurnID)
	if r.Interrupted { // the user may have changed files before the app started again
		t.addStep(r, r.During, w)
		t.addStep(r, r.After, w, outside)
		return
	}
	t.addStep(r, r.After, w)
	t.steps[len(t.steps)-1].running = r.State == backend.UndoRecording
}

// addShared adds turns that ran at the same time. No change can be attributed to one of them with
// certainty, because a turn of a deleted chat may have run as well.
func (t *timeline) addShared(rows []backend.TurnUndo) {
	type edge struct {
		at  backend.Millis
		row backend.TurnUndo
		end bool
	}
	var edges []edge
	for _, r := range rows {
		turn := t.turns[r.TurnID]
		if turn.EndedAt == 0 {
			turn.EndedAt = math.MaxInt64
		}
		edges = append(edges, edge{turn.StartedAt, r, false}, edge{turn.EndedAt, r, true})
	}
	slices.SortStableFunc(edges, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
	var running []writer
	for _, e := range edges {
		w := t.writer(e.row.TurnID)
		by := slices.Clone(running)
		id := e.row.Before
		if e.end {
			id = e.row.After
			running = slices.DeleteFunc(running, func(o writer) bool { return o == w })
			by = append([]writer{w}, running...)
		} else {
			running = append(running, w)
		}
		if len(by) > 0 {
			by = append(by, another)
		}
		if e.row.Interrupted && e.end {
			by = append(by, outside)
		}
		t.addStep(e.row, id, by...)
	}
}
