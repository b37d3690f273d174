package agent_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// newExternalEnv returns an env whose home directory contains sessions that another program started in the chat's
// folder. These sessions don't belong to the chat; ids are their ACP IDs.
func newExternalEnv(t *testing.T, sessions int, script fakeagent.Script, change func(*env, *agent.Config)) (w *env, ids []string) {
	t.Helper()
	other := newEmptyEnv(t)
	for range sessions {
		other.open(fake(fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("said elsewhere")}}), func(_ *env, c *agent.Config) { c.Sessions = nil })
		other.promptAndExpect("asked elsewhere", backend.TurnDone)
		ids = append(ids, other.acpID(backend.SessionMain))
		other.close()
	}
	w = newEmptyEnv(t)
	w.folder, w.home = other.folder, other.home
	w.open(fake(script), change)
	return w, ids
}

func TestExternalSessions_ListedByPage(t *testing.T) {
	t.Parallel()
	w, ids := newExternalEnv(t, 3, fakeagent.Script{PageSize: 2}, nil)
	first, next, err := w.agent.List(t.Context(), "")
	noErr(t, err)
	second, end, err := w.agent.List(t.Context(), next)
	noErr(t, err)
	var got []string
	for _, s := range append(first, second...) {
		equal(t, "folder", s.Cwd, w.folder)
		got = append(got, s.ACPID)
	}
	equalDeep(t, "sessions, the newest first", got, []string{ids[2], ids[1], ids[0]})
	equalDeep(t, "pages", []any{len(first), len(second), end}, []any{2, 1, ""})
}

func TestExternalSessions_UnsupportedListFails(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Version: "cannot list", Refuse: map[string]int{"session/list": -32601}}), nil)
	_, _, err := w.agent.List(t.Context(), "")
	equal(t, "code", backend.CodeOf(err), backend.CodeUnavailable)
}

func TestExternalSession_ContinuesUnderName(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "calls")
	compared := func(w *env, c *agent.Config) { c.History = w.history }
	w, ids := newExternalEnv(t, 1, fakeagent.Script{Calls: file}, compared)
	w.promptAndExpect("go", backend.TurnDone)
	noErr(t, w.agent.Continue(t.Context(), ids[0], "older"))
	equal(t, "its id", w.storedSessions()["older"].ACPID, ids[0])
	w.waitForText("This session was started in another program.")
	for what, err := range map[string]error{
		"a name that is taken": w.agent.Continue(t.Context(), "other", "older"),
		"main":                 w.agent.Continue(t.Context(), "other", backend.SessionMain),
		"one that is there":    w.agent.Continue(t.Context(), ids[0], "again"),
	} {
		equal(t, what, backend.CodeOf(err), backend.CodeInvalid)
	}
	equal(t, "one that there is not", backend.CodeOf(w.agent.Continue(t.Context(), "nobody", "new")), backend.CodeNotFound)
	tu := w.start("older", "go on")
	w.expectEnd(tu, backend.TurnDone)
	equal(t, "answer", w.answerText(tu), "ok")
	w.close()
	w.open(fake(fakeagent.Script{Calls: file}), compared)
	w.expectEnd(w.start("older", "and on"), backend.TurnDone)
	equal(t, "its id after a restart", w.acpID("older"), ids[0])
	equalDeep(t, "banners", w.bannersOf("older"), []backend.BannerKind{backend.BannerResumed})
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range w.events {
		if e.Text != nil && (e.Text.Text == "said elsewhere" || e.Text.Text == "asked elsewhere") {
			t.Errorf("what was said elsewhere is drawn: %+v", *e.Text)
		}
	}
}

func TestExternalSession_FailedLoadNotAdded(t *testing.T) {
	t.Parallel()
	w, ids := newExternalEnv(t, 1, fakeagent.Script{}, nil)
	files, err := filepath.Glob(filepath.Join(w.home, "session-state", "*.json"))
	noErr(t, err)
	noErr(t, os.WriteFile(files[0], []byte("garbage"), 0o600))
	err = w.agent.Continue(t.Context(), ids[0], "older")
	equal(t, "code", backend.CodeOf(err), backend.CodeNotFound)
	equal(t, "sessions", len(w.storedSessions()), 0)
	w.expectEnd(w.start("older", "go"), backend.TurnDone) // the name is available
	if id := w.acpID("older"); id == ids[0] {
		t.Error("it goes on with the one that cannot be loaded")
	}
}
