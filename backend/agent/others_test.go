package agent_test

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// others is another program that uses the sessions.
type others struct {
	mu      sync.Mutex
	open    bool // it has the sessions open
	changed bool // it has written to them
	prompts []string
	ended   int
}

func (o *others) set(open, changed bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.open, o.changed = open, changed
}

func (o *others) Check(_ context.Context, _ backend.Session, loaded bool) (bool, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.open {
		return false, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Plain("It is open.")}
	}
	if !loaded {
		o.changed = false
	}
	return o.changed, nil
}

func (o *others) Begin(_ backend.Session, text string) func() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.prompts = append(o.prompts, text)
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.ended++
	}
}

// newEnvWithOthers returns an env whose main session had a prompt in an earlier process, another program that uses the
// session, and the file in which the fake agent records its calls.
func newEnvWithOthers(t *testing.T) (w *env, o *others, file string) {
	t.Helper()
	w, o, file = newEnvWithSessions(t, backend.SessionMain), &others{}, filepath.Join(t.TempDir(), "calls")
	w.open(fake(fakeagent.Script{Calls: file}), func(_ *env, cfg *agent.Config) { cfg.Others = o })
	return w, o, file
}

// expectRefused checks that a prompt fails because the session is open in another program, and isn't sent.
func (w *env) expectRefused(text string) {
	w.t.Helper()
	turn := w.expectEnd(w.start(backend.SessionMain, text), backend.TurnFailed)
	if turn.Err == nil || turn.Err.Code != backend.CodeUnavailable || !strings.Contains(turn.Err.Message.String(), "It is open.") || turn.SentAt != 0 {
		w.t.Errorf("got %+v, sent at %d", turn.Err, turn.SentAt)
	}
}

func TestOthers_OpenSessionIsNotLoaded(t *testing.T) {
	t.Parallel()
	w, o, file := newEnvWithOthers(t)
	o.set(true, false)
	w.agent.Restore()
	w.waitForState(backend.ConnectionReady)
	w.expectRefused("no")
	equal(t, "loads", len(calls(t, file, "session/load")), 0)
	equal(t, "new sessions", len(calls(t, file, "session/new")), 0)
	equal(t, "prompts", len(calls(t, file, "session/prompt")), 0)
	o.set(false, false)
	w.promptAndExpect("go", backend.TurnDone)
	equal(t, "loads", len(calls(t, file, "session/load")), 1)
	equalDeep(t, "prompts that began", o.prompts, []string{"go"})
	equal(t, "ended", o.ended, 1)
}

func TestOthers_LoadedSessionIsClosed(t *testing.T) {
	t.Parallel()
	w, o, file := newEnvWithOthers(t)
	w.promptAndExpect("go", backend.TurnDone)
	o.set(true, false)
	w.expectRefused("no")
	equal(t, "closed", len(calls(t, file, "session/close")), 1)
	o.set(false, true)
	w.promptAndExpect("again", backend.TurnDone)
	equal(t, "loads", len(calls(t, file, "session/load")), 2)
	equalDeep(t, "prompts", promptBlocks(t, file), [][]string{{"go"}, {"again"}})
}

func TestOthers_ChangedSessionIsLoadedAgain(t *testing.T) {
	t.Parallel()
	w, o, file := newEnvWithOthers(t)
	w.promptAndExpect("go", backend.TurnDone)
	o.set(false, true)
	w.promptAndExpect("again", backend.TurnDone)
	equal(t, "closed", len(calls(t, file, "session/close")), 1)
	equal(t, "loads", len(calls(t, file, "session/load")), 2)
	w.promptAndExpect("more", backend.TurnDone)
	equal(t, "loads", len(calls(t, file, "session/load")), 2)
}

func TestUnload_BusySessionStays(t *testing.T) {
	t.Parallel()
	w, _, file := newEnvWithOthers(t)
	w.promptAndExpect("go", backend.TurnDone)
	noErr(t, w.agent.Unload(t.Context(), backend.SessionMain))
	noErr(t, w.agent.Unload(t.Context(), backend.SessionMain))
	equal(t, "closed", len(calls(t, file, "session/close")), 1)
	w.close()
	noErr(t, w.agent.Unload(t.Context(), backend.SessionMain))
}
