package branch_test

import (
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

// check verifies the files after going back from the state was to the state earlier, which they had in the given step.
// In merged files, the lines that the user has written since must still exist. It returns the number of files that went
// back.
func (h *history) check(earlier map[string]string, step int, was map[string]string, merged map[string]backend.UndoChoice) (back int) {
	now := h.files(true)
	for _, name := range modelNames {
		user, changed := h.byUser[name]
		switch {
		case !changed || user < step: // only the agent changed it since
			if now[name] != earlier[name] {
				h.t.Errorf("%s is %q, want %q as earlier (was %q)", name, now[name], earlier[name], was[name])
			}
			if was[name] != now[name] {
				back++
			}
		case merged[name] == backend.UndoMerge:
			h.merged++
			for _, line := range strings.Fields(was[name]) {
				written, is := h.userLines[name+": "+line]
				if is && written >= step && !slices.Contains(strings.Fields(now[name]), line) {
					h.t.Errorf("%s is %q and lost %q of the user: it was %q, and earlier %q", name, now[name], line, was[name], earlier[name])
				}
			}
			back++
		case now[name] != was[name] && now[name] != earlier[name]:
			h.t.Errorf("%s is %q, neither %q as earlier nor %q as it was", name, now[name], earlier[name], was[name])
		}
	}
	return back
}

// wantShown compares what the chat shows with the model.
func (h *history) wantShown() {
	h.t.Helper()
	lines, err := h.store.Lines(h.t.Context(), h.chat.ID)
	h.must(err)
	var got, want []string
	for _, l := range lines {
		if l.Aside == "" {
			got = append(got, l.ID)
		}
	}
	for _, t := range h.turns {
		want = append(want, t.id)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		h.t.Errorf("what is shown (-want +got):\n%s", diff)
	}
}

// setAside moves turns in the model to the newest aside of the store.
func (h *history) setAside(from int, files map[string]string) string {
	all, err := h.store.Asides(h.t.Context(), h.chat.ID)
	h.must(err)
	a := all[len(all)-1]
	h.asides[a.ID] = &modelAside{after: a.AfterTurn, turns: slices.Clone(h.turns[from:]), step: h.step, files: files}
	h.turns, h.order = h.turns[:from], append(h.order, a.ID)
	return a.ID
}

// merges chooses to merge some of the files that can be merged when going back to the point before a turn.
func (h *history) merges(turnID string) map[string]backend.UndoChoice {
	choices := map[string]backend.UndoChoice{}
	p, err := h.branch.Preview(h.t.Context(), turnID)
	h.must(err)
	for _, f := range p.Files {
		if f.Merge && h.r.IntN(3) > 0 {
			h.logf("  merging %s", f.Path)
			choices[f.Path] = backend.UndoMerge
		}
	}
	return choices
}

// goBack goes back at random. It returns the number of files that went back.
func (h *history) goBack() (back int) {
	if len(h.turns) == 0 {
		return 0
	}
	i := h.r.IntN(len(h.turns))
	t := h.turns[i]
	scope := []backend.BackScope{backend.BackBoth, backend.BackBoth, backend.BackConversation, backend.BackFiles}[h.r.IntN(4)]
	h.logf("back to before %s: %s", t.id, scope)
	h.tick()
	was, git := h.files(true), h.git()
	choices := h.merges(t.id)
	err := h.branch.GoBack(h.t.Context(), t.id, backend.GoBackRequest{Scope: scope, Choices: choices})
	if scope == backend.BackFiles && backend.CodeOf(err) == backend.CodeUnavailable {
		return 0 // no file to change
	}
	h.must(err)
	if diff := cmp.Diff(git, h.git()); diff != "" {
		h.t.Errorf("git's files changed:\n%s", diff)
	}
	var id string
	if scope == backend.BackConversation {
		if diff := cmp.Diff(was, h.files(true)); diff != "" {
			h.t.Errorf("files changed:\n%s", diff)
		}
	} else {
		back = h.check(t.files, t.step, was, choices)
	}
	if scope == backend.BackFiles {
		id = h.setAside(len(h.turns), was)
	} else {
		id = h.setAside(i, was)
	}
	h.wantShown()
	if h.r.IntN(3) == 0 && !h.t.Failed() { // bringing the messages back undoes going back
		h.logf("and forward")
		h.tick()
		h.bring(id, true)
		if diff := cmp.Diff(was, h.files(true)); diff != "" {
			h.t.Errorf("after bringing back (-want +got):\n%s", diff)
		}
	}
	return back
}

// bring brings back the messages of an aside and, if files is set, its files.
func (h *history) bring(id string, files bool) {
	a := h.asides[id]
	at := slices.IndexFunc(h.turns, func(t modelTurn) bool { return t.id == a.after })
	was := h.files(true)
	err := h.branch.BringBack(h.t.Context(), h.chat.ID, id, files)
	switch {
	case len(a.turns) > 0 && a.after != "" && at < 0:
		if backend.CodeOf(err) != backend.CodeUnavailable {
			h.t.Errorf("after a turn that is set aside: %v", err)
		}
		return
	case len(a.turns) == 0 && backend.CodeOf(err) == backend.CodeUnavailable:
		return // no file to change
	}
	h.must(err)
	if files || len(a.turns) == 0 {
		h.check(a.files, a.step, was, nil)
	} else if diff := cmp.Diff(was, h.files(true)); diff != "" {
		h.t.Errorf("files changed:\n%s", diff)
	}
	delete(h.asides, id)
	h.order = slices.DeleteFunc(h.order, func(o string) bool { return o == id })
	if len(a.turns) > 0 {
		if at+1 < len(h.turns) {
			h.setAside(at+1, was)
		}
		h.turns = append(h.turns, a.turns...)
	}
	h.wantShown()
}

// undoTurn undoes or redoes a turn that is shown.
func (h *history) undoTurn() {
	if len(h.turns) == 0 {
		return
	}
	t := h.turns[h.r.IntN(len(h.turns))]
	h.tick()
	if err := h.undo.Undo(h.t.Context(), t.id, nil); err == nil {
		h.logf("undo %s", t.id)
	} else if err := h.undo.Redo(h.t.Context(), t.id, nil); err == nil {
		h.logf("redo %s", t.id)
	}
}

// newChat branches into a new chat, which must have the messages shown before a turn.
func (h *history) newChat() {
	if len(h.turns) == 0 {
		return
	}
	i := h.r.IntN(len(h.turns))
	h.logf("new chat before %s", h.turns[i].id)
	was := h.files(true)
	chat, err := h.branch.NewChat(h.t.Context(), h.turns[i].id)
	h.must(err)
	var texts []string
	h.must(h.store.Read(h.t.Context(), func(v *store.ReadTx) error {
		return v.EachItem(h.t.Context(), chat.ID, "", func(item backend.Item) error {
			text, _, err := h.store.Text(h.t.Context(), item.ID, 0, 0)
			texts = append(texts, string(text))
			return err
		})
	}))
	var want []string
	for _, t := range h.turns[:i] {
		want = append(want, t.id)
	}
	if diff := cmp.Diff(want, texts); diff != "" {
		h.t.Errorf("the new chat has (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(was, h.files(true)); diff != "" {
		h.t.Errorf("files changed:\n%s", diff)
	}
	h.wantShown()
}
