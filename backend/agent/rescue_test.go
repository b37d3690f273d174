package agent_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/agent/replay"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// rescues holds ways to recover sessions, for agent.Config.Rescues. It records which copies are kept or discarded.
type rescues struct {
	mu   sync.Mutex
	log  []string
	ways []func(w *env) (id string, err error)
}

// config returns a Config change that sets the ways and a recap. The note of each way is its number.
func (r *rescues) config(w *env, cfg *agent.Config) {
	withRecap("It was about tea.")(w, cfg)
	note := func(what, id string) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.log = append(r.log, what+" "+id)
	}
	cfg.Rescues = func(_ agent.Launch, lost backend.Session) (list []agent.Rescue) {
		for i, way := range r.ways {
			kind := []backend.BannerKind{backend.BannerSessionRepaired, backend.BannerSessionRebuilt}[min(i, 1)]
			list = append(list, agent.Rescue{
				Banner: kind,
				Copy: func(context.Context) (string, backend.Message, error) {
					note("copy", lost.ACPID)
					id, err := way(w)
					return id, backend.Plain("the note"), err
				},
				Keep:    func(id string) { note("keep", id) },
				Discard: func(id string) { note("discard", id) },
			})
		}
		return list
	}
}

func (r *rescues) wantLog(t *testing.T, want ...string) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	equalDeep(t, "copies", r.log, append([]string(nil), want...))
}

// copyOf returns a way to recover a session: it stores a copy with the given ID. content is the content of the
// session's file, and lost is the ID in it.
func copyOf(content []byte, lost, id string) func(*env) (string, error) {
	return func(w *env) (string, error) {
		return id, os.WriteFile(filepath.Join(w.home, "session-state", id+".json"), bytes.ReplaceAll(content, []byte(lost), []byte(id)), 0o600)
	}
}

// allEvents returns the events so far.
func (w *env) allEvents() []backend.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.events)
}

// storedMain returns an env whose main session has had a prompt, and the path and the content of the session's file.
func storedMain(t *testing.T) (w *env, file string, content []byte) {
	t.Helper()
	w = newEnvWithSessions(t, backend.SessionMain)
	file = filepath.Join(w.home, "session-state", w.session().ACPID+".json")
	content, err := os.ReadFile(file)
	noErr(t, err)
	return w, file, content
}

func TestRescue_TriesWaysInOrder(t *testing.T) {
	t.Parallel()
	w, file, content := storedMain(t)
	old := w.session().ACPID
	noErr(t, os.Remove(file))
	r := &rescues{ways: []func(*env) (string, error){
		func(*env) (string, error) { return "", agent.ErrNotRescued },
		func(*env) (string, error) { return "missing", nil },
		copyOf(content, old, "copy"),
		func(*env) (string, error) { return "never", nil },
	}}
	calls := filepath.Join(t.TempDir(), "calls")
	w.open(fake(fakeagent.Script{Calls: calls}), r.config)
	w.promptAndExpect("Go on.", backend.TurnDone)
	r.wantLog(t, "copy "+old, "copy "+old, "discard missing", "copy "+old, "keep copy")
	equal(t, "session", w.session().ACPID, "copy")
	equal(t, "replaced", w.session().ReplacesID, old)
	equal(t, "state", w.session().State, backend.SessionLoaded)
	equalDeep(t, "prompts", promptBlocks(t, calls), [][]string{{"Go on."}}) // without a recap
	equalDeep(t, "banners", w.banners(), []backend.BannerKind{backend.BannerSessionRebuilt})
	b := w.banner(backend.BannerSessionRebuilt)
	equal(t, "note", b.Note.String(), "the note")
	if !strings.Contains(b.Detail.String(), old) {
		t.Errorf("the detail: %s", b.Detail)
	}
	w.close()
	w.open(fake(fakeagent.Script{Calls: calls}), r.config)
	w.promptAndExpect("Once more.", backend.TurnDone)
	equal(t, "session after a restart", w.session().ACPID, "copy")
}

func TestRescue_ReplacesSessionIfNoneWorks(t *testing.T) {
	t.Parallel()
	w := newEnvWithLostMain(t)
	r := &rescues{ways: []func(*env) (string, error){func(*env) (string, error) { return "", agent.ErrNotRescued }}}
	w.open(fake(fakeagent.Script{}), r.config)
	w.promptAndExpect("Go on.", backend.TurnDone)
	equalDeep(t, "banners", w.banners(), []backend.BannerKind{backend.BannerSessionLost})
}

// TestRescue_CopyMustBeComplete checks that a copy that lacks messages isn't used, and that its ID is never stored.
func TestRescue_CopyMustBeComplete(t *testing.T) {
	t.Parallel()
	w, file, short := storedMain(t)
	old := w.session().ACPID
	w.open(fake(fakeagent.Script{}), nil)
	w.promptAndExpect("second", backend.TurnDone)
	w.close()
	whole, err := os.ReadFile(file)
	noErr(t, err)
	noErr(t, os.Remove(file))
	crashed := false
	r := &rescues{ways: []func(*env) (string, error){copyOf(short, old, "short"), func(w *env) (string, error) {
		if !crashed {
			crashed = true
			kill(t, w.agent.Connection().PID)
			return "", context.Canceled
		}
		return copyOf(whole, old, "whole")(w)
	}}}
	w.open(fake(fakeagent.Script{}), func(w *env, cfg *agent.Config) {
		r.config(w, cfg)
		cfg.History = func(context.Context, string) ([]replay.Exchange, error) {
			return []replay.Exchange{{Prompt: "go", State: backend.TurnDone}, {Prompt: "second", State: backend.TurnDone}}, nil
		}
	})
	before, events := len(w.banners()), len(w.allEvents())
	w.promptAndExpect("third", backend.TurnDone)
	equalDeep(t, "banners", w.banners()[before:], []backend.BannerKind{backend.BannerSessionRebuilt})
	r.wantLog(t, "copy "+old, "discard short", "copy "+old, "copy "+old, "discard short", "copy "+old, "keep whole")
	for _, e := range w.allEvents()[events:] {
		if e.Session != nil && e.Session.ACPID == "short" {
			t.Errorf("the discarded copy was stored: %+v", e.Session)
		}
	}
	row := w.session()
	equalDeep(t, "the row", []any{row.ACPID, row.ReplacesID, row.State}, []any{"whole", old, backend.SessionLoaded})
}

// TestRescue_TemporaryErrorKeepsSession checks that a session isn't replaced if its rescue may succeed later.
func TestRescue_TemporaryErrorKeepsSession(t *testing.T) {
	t.Parallel()
	w, file, content := storedMain(t)
	old := w.session().ACPID
	noErr(t, os.Remove(file))
	full := true
	r := &rescues{ways: []func(*env) (string, error){func(w *env) (string, error) {
		if full {
			return "", &backend.Error{Code: backend.CodeStorage, Message: backend.Plain("no space left")}
		}
		return copyOf(content, old, "copy")(w)
	}}}
	w.open(fake(fakeagent.Script{}), r.config)
	res := w.expectEnd(w.start(backend.SessionMain, "Go on."), backend.TurnFailed)
	equal(t, "the error", res.Err.Message.String(), "no space left")
	equal(t, "session", w.session().ACPID, old)
	equalDeep(t, "banners", w.banners(), []backend.BannerKind(nil))
	full = false
	w.promptAndExpect("Once more.", backend.TurnDone)
	equal(t, "session", w.session().ACPID, "copy")
	equalDeep(t, "banners", w.banners(), []backend.BannerKind{backend.BannerSessionRepaired})
}

// TestRescue_OnlyLostSessions checks that a session that can be loaded stays in use, even if its history lacks
// messages.
func TestRescue_OnlyLostSessions(t *testing.T) {
	t.Parallel()
	w, _, content := storedMain(t)
	old := w.session().ACPID
	file := filepath.Join(t.TempDir(), "calls")
	r := &rescues{ways: []func(*env) (string, error){copyOf(content, old, "copy")}}
	w.open(fake(fakeagent.Script{Calls: file}), func(w *env, cfg *agent.Config) {
		r.config(w, cfg)
		cfg.History = func(context.Context, string) ([]replay.Exchange, error) {
			return []replay.Exchange{{Prompt: "go", State: backend.TurnDone}, {Prompt: "second", State: backend.TurnDone}}, nil
		}
	})
	w.promptAndExpect("third", backend.TurnDone)
	r.wantLog(t)
	equal(t, "session", w.session().ACPID, old)
	equalDeep(t, "banners", w.banners(), []backend.BannerKind{backend.BannerResumed, backend.BannerHistoryMismatch})
	equal(t, "loads", len(calls(t, file, "session/load")), 1)
}

// TestRescue_CrashDuringCopyTriesAgain checks that a session isn't replaced if the agent exits during its rescue.
func TestRescue_CrashDuringCopyTriesAgain(t *testing.T) {
	t.Parallel()
	w, file, content := storedMain(t)
	old := w.session().ACPID
	noErr(t, os.Remove(file))
	crashed := false
	r := &rescues{ways: []func(*env) (string, error){func(w *env) (string, error) {
		if crashed {
			return copyOf(content, old, "copy")(w)
		}
		crashed = true
		kill(t, w.agent.Connection().PID)
		return copyOf(content, old, "early")(w)
	}}}
	w.open(fake(fakeagent.Script{}), r.config)
	w.promptAndExpect("Go on.", backend.TurnDone)
	equal(t, "session", w.session().ACPID, "copy")
	r.wantLog(t, "copy "+old, "discard early", "copy "+old, "keep copy")
	equal(t, "state", w.session().State, backend.SessionLoaded)
	equalDeep(t, "banners", w.banners(), []backend.BannerKind{backend.BannerSessionRepaired})
}
