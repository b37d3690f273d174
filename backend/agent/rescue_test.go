package agent_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/agent/replay"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// rescues are ways to recover sessions, for agent.Config.Rescues. They record what happens to the copies.
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
	equalDeep(t, "copies", r.log, want)
}

// copyOf returns a way that stores content, the file of the session lost, as the session id.
func copyOf(content []byte, lost, id string) func(*env) (string, error) {
	return func(w *env) (string, error) {
		return id, os.WriteFile(filepath.Join(w.home, "session-state", id+".json"), bytes.ReplaceAll(content, []byte(lost), []byte(id)), 0o600)
	}
}

// storedMain returns an env whose main session has had a prompt, and the session's stored content.
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
		func(*env) (string, error) { return "", errors.New("no") },
		func(*env) (string, error) { return "missing", nil },
		copyOf(content, old, "copy"),
		func(*env) (string, error) { return "never", nil },
	}}
	calls := filepath.Join(t.TempDir(), "calls")
	w.open(fake(fakeagent.Script{Calls: calls}), r.config)
	w.promptAndExpect("Go on.", backend.TurnDone)
	r.wantLog(t, "copy "+old, "copy "+old, "discard missing", "copy "+old, "keep copy")
	equal(t, "session", w.session().ACPID, "copy")
	equal(t, "replaced", w.session().ReplacesID, "")
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
	r := &rescues{ways: []func(*env) (string, error){func(*env) (string, error) { return "", errors.New("no") }}}
	w.open(fake(fakeagent.Script{}), r.config)
	w.promptAndExpect("Go on.", backend.TurnDone)
	equalDeep(t, "banners", w.banners(), []backend.BannerKind{backend.BannerSessionLost})
}

// TestRescue_IncompleteHistory checks that a session whose history lacks messages is replaced by a copy that has them, or
// stays in use if there is none.
func TestRescue_IncompleteHistory(t *testing.T) {
	for name, c := range map[string]struct {
		whole bool
		want  []backend.BannerKind
	}{
		"a whole copy":  {true, []backend.BannerKind{backend.BannerSessionRepaired}},
		"no whole copy": {false, []backend.BannerKind{backend.BannerResumed, backend.BannerHistoryMismatch}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, file, short := storedMain(t)
			old := w.session().ACPID
			w.open(fake(fakeagent.Script{}), nil)
			w.promptAndExpect("second", backend.TurnDone)
			w.close()
			copied, err := os.ReadFile(file)
			noErr(t, err)
			noErr(t, os.WriteFile(file, short, 0o600))
			if !c.whole {
				copied = short
			}
			r := &rescues{ways: []func(*env) (string, error){copyOf(copied, old, "copy")}}
			w.open(fake(fakeagent.Script{}), func(w *env, cfg *agent.Config) {
				r.config(w, cfg)
				cfg.History = func(context.Context, string) ([]replay.Exchange, error) {
					return []replay.Exchange{{Prompt: "go", State: backend.TurnDone}, {Prompt: "second", State: backend.TurnDone}}, nil
				}
			})
			before := len(w.banners())
			w.promptAndExpect("third", backend.TurnDone)
			equalDeep(t, "banners", w.banners()[before:], c.want)
			if c.whole {
				r.wantLog(t, "copy "+old, "keep copy")
				equal(t, "session", w.session().ACPID, "copy")
			} else {
				r.wantLog(t, "copy "+old, "discard copy")
				equal(t, "session", w.session().ACPID, old)
			}
		})
	}
}

// TestRescue_CrashDuringCopyTriesAgain checks that a session isn't replaced because the agent exits during its rescue.
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
	equalDeep(t, "banners", w.banners(), []backend.BannerKind{backend.BannerSessionRepaired})
}
