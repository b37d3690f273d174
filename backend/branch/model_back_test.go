package branch_test

import (
	"slices"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

// wantShown fails the test unless a chat shows the messages that the model expects.
func (h *history) wantShown(c *modelChat) {
	h.t.Helper()
	lines, err := h.store.Lines(h.t.Context(), c.ID)
	h.noErr(err)
	var got, want []string
	for _, l := range lines {
		if l.Aside == "" {
			got = append(got, l.ID)
		}
	}
	for _, t := range c.turns {
		want = append(want, t.id)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		h.t.Errorf("what is shown (-want +got):\n%s", diff)
	}
}

// setAside moves a chat's last turns to an aside in the model, as the store has already done. It returns the ID of that
// aside, which is the newest one in the store.
func (h *history) setAside(c *modelChat, from int, was files) (id string) {
	all, err := h.store.Asides(h.t.Context(), c.ID)
	h.noErr(err)
	a := all[len(all)-1]
	c.asides[a.ID] = &modelAside{after: a.AfterTurn, turns: slices.Clone(c.turns[from:]), at: h.clock, files: was}
	c.turns, c.order = c.turns[:from], append(c.order, a.ID)
	return a.ID
}

// did records an operation in the model if it changed files.
func (h *history) did(c *modelChat, was files) *span {
	s := &span{at: h.clock, before: was, after: h.files(), isOperation: true}
	if len(changed(was, s.after)) > 0 {
		c.spans = append(c.spans, s)
	}
	return s
}

// merges returns a random choice of the files that can be merged when going back to the point before a turn.
func (h *history) merges(turnID string) map[string]backend.UndoChoice {
	choices := map[string]backend.UndoChoice{}
	p, err := h.branch.Preview(h.t.Context(), turnID)
	h.noErr(err)
	for _, f := range p.Files {
		if f.Merge && h.r.IntN(3) > 0 {
			h.logf("  merging %s", f.Path)
			choices[f.Path] = backend.UndoMerge
		}
	}
	return choices
}

func (h *history) randomScope() backend.BackScope {
	return []backend.BackScope{backend.BackBoth, backend.BackBoth, backend.BackConversation, backend.BackFiles}[h.r.IntN(4)]
}

// goBack goes back to the point before a random turn. Sometimes it immediately brings the messages back and checks that
// this restores all files.
func (h *history) goBack(c *modelChat) {
	if len(c.turns) == 0 {
		return
	}
	was := h.files()
	id := h.goBackTo(c, h.r.IntN(len(c.turns)), h.randomScope())
	if id != "" && h.r.IntN(3) == 0 && !h.t.Failed() {
		h.bring(c, id, true)
		h.wantFiles("after bringing back", was)
		h.identities++
	}
}

// goBackTo goes back to the point before a shown turn. It returns the ID of the aside, or "" if no file was changed.
func (h *history) goBackTo(c *modelChat, i int, scope backend.BackScope) (id string) {
	t := c.turns[i]
	h.logf("%s back to before %s: %s", c.Title, t.id, scope)
	h.tick()
	was := h.files()
	choices, err := map[string]backend.UndoChoice{}, error(nil)
	h.own("going back", func() {
		if scope != backend.BackConversation {
			choices = h.merges(t.id)
		}
		err = h.branch.GoBack(h.t.Context(), t.id, backend.GoBackRequest{Scope: scope, Choices: choices})
	})
	want := forecast{files: was}
	if scope != backend.BackConversation {
		want = h.forecast(c, t.before, t.at, was)
	}
	if scope != backend.BackFiles || backend.CodeOf(err) != backend.CodeUnavailable { // otherwise, there is no file to change
		h.noErr(err)
	}
	h.checkBack(t.before, was, want, choices)
	if err != nil {
		return ""
	}
	h.did(c, was)
	if scope == backend.BackFiles {
		i = len(c.turns)
	}
	id = h.setAside(c, i, was)
	h.wantShown(c)
	return id
}

// bring brings back the messages of an aside and, if withFiles is set, its files.
func (h *history) bring(c *modelChat, id string, withFiles bool) {
	h.logf("%s brings back %s, files %t", c.Title, id, withFiles)
	h.tick()
	a := c.asides[id]
	at := slices.IndexFunc(c.turns, func(t *modelTurn) bool { return t.id == a.after })
	was := h.files()
	var err error
	h.own("bringing back", func() { err = h.branch.BringBack(h.t.Context(), c.ID, id, withFiles) })
	isDeep := len(a.turns) > 0 && a.after != "" && at < 0
	want := forecast{files: was}
	if (withFiles || len(a.turns) == 0) && !isDeep {
		want = h.forecast(c, a.files, a.at, was)
	}
	h.checkBack(a.files, was, want, nil)
	switch {
	case isDeep:
		if backend.CodeOf(err) != backend.CodeUnavailable {
			h.t.Errorf("after a turn that is set aside: %v", err)
		}
		return
	case len(a.turns) == 0 && backend.CodeOf(err) == backend.CodeUnavailable:
		return // no file to change
	}
	h.noErr(err)
	h.did(c, was)
	delete(c.asides, id)
	c.order = slices.DeleteFunc(c.order, func(o string) bool { return o == id })
	if len(a.turns) > 0 {
		if at+1 < len(c.turns) {
			h.setAside(c, at+1, was)
		}
		c.turns = append(c.turns, a.turns...)
	}
	h.wantShown(c)
}

// undoTurn undoes or redoes a turn that is shown. Sometimes it undoes a turn, immediately redoes it, and checks that no
// file has changed.
func (h *history) undoTurn(c *modelChat) {
	if len(c.turns) == 0 {
		return
	}
	t := c.turns[h.r.IntN(len(c.turns))]
	was := h.files()
	if h.revert(c, t) && t.isUndone && h.r.IntN(2) == 0 && !h.t.Failed() {
		h.revert(c, t)
		h.wantFiles("after undo and redo", was)
		h.identities++
	}
}

// revert undoes a turn or, if it is undone, redoes it. It reports whether files were changed.
func (h *history) revert(c *modelChat, t *modelTurn) bool {
	what, do, of := "undo", h.undo.Undo, t.span
	if t.isUndone {
		what, do, of = "redo", h.undo.Redo, t.last
	}
	h.logf("%s %ss %s", c.Title, what, t.id)
	h.tick()
	was := h.files()
	want := forecast{files: of.reverted(was), texts: of.before.texts(), moved: of.moves(), mayStay: map[string]bool{}, since: of.at}
	for name := range changed(of.before, of.after) {
		want.mayStay[name] = of.hasLosses()
	}
	if of.isShared {
		want.files = was // the other chat may have changed them
	}
	var err error
	h.own(what, func() {
		_, _ = h.undo.Preview(h.t.Context(), t.id)
		err = do(h.t.Context(), t.id, nil)
	})
	h.check(of.before, was, want)
	now := h.files()
	code := backend.Code("")
	switch {
	case len(changed(of.before, of.after)) == 0:
		code = backend.CodeNotFound
	case len(changed(was, now)) == 0:
		code = backend.CodeUnavailable
	}
	if err != nil && backend.CodeOf(err) != code {
		h.noErr(err)
	} else if err == nil && code != "" {
		h.t.Errorf("the %s changed no file and returned no error", what)
	}
	if code != "" {
		return false
	}
	if t.last != nil {
		t.last.isReplaced = true
	}
	t.last, t.isUndone = h.did(c, was), !t.isUndone
	h.undone += len(changed(was, now))
	return true
}

// newChat branches into a new chat, which must contain the messages shown before a turn.
func (h *history) newChat(c *modelChat) {
	if len(c.turns) == 0 {
		return
	}
	i := h.r.IntN(len(c.turns))
	h.logf("new chat before %s", c.turns[i].id)
	was := h.files()
	var chat backend.Chat
	h.own("a new chat", func() {
		var err error
		chat, err = h.branch.NewChat(h.t.Context(), c.turns[i].id)
		h.noErr(err)
	})
	var texts []string
	h.noErr(h.store.Read(h.t.Context(), func(v *store.ReadTx) error {
		return v.EachItem(h.t.Context(), chat.ID, "", func(item backend.Item) error {
			if item.Kind == backend.ItemTool {
				return nil
			}
			text, _, err := h.store.Text(h.t.Context(), item.ID, 0, 0)
			texts = append(texts, string(text))
			return err
		})
	}))
	var want []string
	for _, t := range c.turns[:i] {
		want = append(want, t.id)
	}
	if diff := cmp.Diff(want, texts); diff != "" {
		h.t.Errorf("the new chat has (-want +got):\n%s", diff)
	}
	h.wantFiles("after branching", was)
	h.wantShown(c)
}
