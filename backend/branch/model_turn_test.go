package branch_test

import (
	"maps"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/guard"
	"github.com/voxpilot/voxpilot/backend/undo"
)

// runningTurn is a turn that is running.
type runningTurn struct {
	c         *modelChat
	row       backend.Turn
	recording *undo.Recording
	*modelTurn
}

// begin starts a turn of a chat. When begin returns, the agent has already changed some files.
func (h *history) begin(c *modelChat) *runningTurn {
	row := backend.Turn{ID: backend.NewID(), ChatID: c.ID, Session: backend.SessionMain, State: backend.TurnRunning, StartedAt: h.tick()}
	r := &runningTurn{c: c, row: row, modelTurn: &modelTurn{id: row.ID, span: &span{at: h.clock, before: h.files(), byUser: map[string]bool{}}}}
	h.logf("%s starts turn %s", c.Title, row.ID)
	item := backend.Item{ID: backend.NewID(), ChatID: c.ID, TurnID: row.ID, Session: backend.SessionMain, Kind: backend.ItemUser, CreatedAt: row.StartedAt}
	h.apply(backend.Event{Turn: &row}, backend.Event{Item: &item}, backend.Event{Text: &backend.Text{ItemID: item.ID, ChatID: c.ID, Text: row.ID}})
	h.own("starting a turn", func() {
		r.recording, _ = h.undo.Begin(h.t.Context(), row, "x")
		r.row.SentAt = h.tick()
		sent := r.row
		h.noErr(h.undo.Commit(h.t.Context(), backend.Event{Turn: &sent}))
	})
	h.busy[c.ID] = true
	c.turns, c.spans = append(c.turns, r.modelTurn), append(c.spans, r.span)
	if h.r.IntN(8) == 0 {
		h.userEdits(r)
	}
	if h.r.IntN(12) > 0 {
		h.work(r)
	}
	return r
}

// end ends a turn. Before that, the agent may change more files.
func (h *history) end(r *runningTurn) {
	if h.r.IntN(4) == 0 {
		h.userEdits(r)
	}
	if h.r.IntN(3) == 0 {
		h.work(r)
	}
	r.row.State, r.row.EndedAt = backend.TurnDone, h.tick()
	h.own("ending a turn", func() { r.recording.End(r.row) })
	h.apply(backend.Event{Turn: &r.row})
	h.logf("%s ends turn %s", r.c.Title, r.id)
	r.after, h.busy[r.c.ID] = h.files(), false
	if !r.hasWorked {
		r.after = r.before // all changes are the user's
	}
}

// work changes files as the agent's tools do. Sometimes it also runs a git command. It reports the tools as one
// command.
func (h *history) work(r *runningTurn) {
	r.hasWorked = true
	item := backend.Item{
		ID: backend.NewID(), ChatID: r.c.ID, TurnID: r.id, Session: backend.SessionMain, Kind: backend.ItemTool, Open: true, CreatedAt: backend.Now(),
		Tool: &backend.Tool{CallID: backend.NewID(), Title: "command", Kind: backend.ToolExecute, Status: backend.ToolInProgress},
	}
	h.apply(backend.Event{Item: &item})
	h.own("a snapshot", func() {
		h.undo.BeforeTool(h.t.Context(), r.c.ID, guard.Call{Event: guard.ToolCall, SessionID: "x", Tool: "bash"})
	})
	h.edit(r.c)
	if h.r.IntN(6) == 0 {
		h.gitOperation(r.c)
	}
	now := h.files()
	for name, is := range r.byUser {
		r.isUnclear = r.isUnclear || is && now[name] == ""
	}
	item.Open, item.EndedAt, item.Tool.Status = false, backend.Now(), backend.ToolCompleted
	h.apply(backend.Event{Item: &item})
}

// betweenTools is the pause around changes by the user. VoxPilot attributes changes made shortly before and after a
// tool call to that call; the pause is longer than that.
const betweenTools = 60 * time.Millisecond

// userEdits changes files as the user would during a turn, while no tool is running.
func (h *history) userEdits(r *runningTurn) {
	h.logf("the user, during turn %s", r.id)
	time.Sleep(betweenTools)
	was, signed := h.files(), maps.Clone(h.author)
	h.edited = nil
	h.edit(nil)
	now := h.files()
	for _, name := range h.edited { // a mode that was changed twice: VoxPilot sees only the time of the change
		r.isUnclear = r.isUnclear || was[name] == now[name]
	}
	for name := range changed(was, now) {
		r.byUser[name] = now[name] != ""
		r.isUnclear = r.isUnclear || now[name] == ""
	}
	for line, c := range h.author {
		if _, is := signed[line]; !is && c == nil && !h.first[line] {
			h.written[line] = r.at
		}
	}
	time.Sleep(betweenTools)
	h.during++
}

// both runs a turn of each chat at the same time. VoxPilot doesn't restore a file that changed during these turns,
// because the other chat may have changed it.
func (h *history) both() {
	a := h.begin(h.chats[0])
	b := h.begin(h.chats[1])
	a.isShared, b.isShared = true, true
	if h.r.IntN(2) == 0 {
		a, b = b, a
	}
	h.end(a)
	h.end(b)
}

// whileRunning tries an undo, going back and bringing back while one of the chats is running. VoxPilot must refuse all
// of these, with one exception: in the other chat, messages can be set aside and brought back as long as no files
// change.
func (h *history) whileRunning(c *modelChat) {
	running := h.begin(h.chats[h.r.IntN(2)])
	for range 3 {
		was, turns := h.files(), len(c.turns)
		if turns == 0 {
			break
		}
		i, scope := h.r.IntN(turns), h.randomScope()
		t, id, withFiles := c.turns[i], "", h.r.IntN(2) == 0
		if len(c.order) > 0 {
			id = c.order[h.r.IntN(len(c.order))]
		}
		isFree := c != running.c // to change the conversation
		asides, err := h.store.Asides(h.t.Context(), c.ID)
		h.noErr(err)
		h.tick()
		switch op := h.r.IntN(3); {
		case op == 0 && t.isUndone:
			h.own("a redo", func() { err = h.undo.Redo(h.t.Context(), t.id, nil) })
		case op == 0:
			h.own("an undo", func() { err = h.undo.Undo(h.t.Context(), t.id, nil) })
		case op == 1 && scope == backend.BackConversation && isFree:
			h.goBackTo(c, i, scope)
			continue
		case op == 1:
			h.own("going back", func() { err = h.branch.GoBack(h.t.Context(), t.id, backend.GoBackRequest{Scope: scope}) })
			p, failed := h.branch.Preview(h.t.Context(), t.id)
			if failed != nil || p.FilesBlocked.IsZero() || p.Blocked.IsZero() == !isFree {
				h.t.Errorf("the preview is %+v, %v", p, failed)
			}
		case id == "":
			continue
		case !withFiles && isFree && len(c.asides[id].turns) > 0:
			h.bring(c, id, false)
			continue
		default:
			h.own("bringing back", func() { err = h.branch.BringBack(h.t.Context(), c.ID, id, withFiles) })
		}
		if backend.CodeOf(err) != backend.CodeUnavailable || backend.AsError(err).Message.IsZero() {
			h.t.Errorf("while %s works, %s got %v", running.c.Title, c.Title, err)
		}
		h.refused++
		h.wantFiles("after it was refused", was)
		h.wantShown(c)
		after, err := h.store.Asides(h.t.Context(), c.ID)
		h.noErr(err)
		if diff := cmp.Diff(asides, after); diff != "" {
			h.t.Errorf("after it was refused, what is set aside differs (-want +got):\n%s", diff)
		}
	}
	h.end(running)
}
