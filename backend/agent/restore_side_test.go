package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// call is a request received by the fake agent.
type call struct {
	Method string
	Params struct {
		SessionID string `json:"sessionId"`
		ConfigID  string `json:"configId"`
		ModeID    string `json:"modeId"`
		ModelID   string `json:"modelId"`
		Type      string
		Value     any
		Prompt    []struct{ Type, Text string }
	}
}

// calls returns the requests with the given method that the fake agents have recorded in the file.
func calls(t *testing.T, file, method string) (out []call) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	for line := range bytes.Lines(b) {
		var c call
		if bytes.HasSuffix(line, []byte("\n")) {
			noErr(t, json.Unmarshal(line, &c))
			if c.Method == method {
				out = append(out, c)
			}
		}
	}
	return out
}

// promptBlocks returns the texts of the content blocks of each prompt that the fake agents have recorded in the file.
func promptBlocks(t *testing.T, file string) (out [][]string) {
	t.Helper()
	for _, c := range calls(t, file, "session/prompt") {
		var blocks []string
		for _, b := range c.Params.Prompt {
			blocks = append(blocks, b.Text)
		}
		out = append(out, blocks)
	}
	return out
}

// waitForLoaded waits until all of the named sessions are loaded.
func (w *env) waitForLoaded(names ...string) {
	w.t.Helper()
	w.waitFor("the sessions to be loaded", func([]backend.Event) bool {
		for _, name := range names {
			if w.sessionStateLocked(name) != backend.SessionLoaded {
				return false
			}
		}
		return true
	})
}

// sessionStateLocked returns the last published state of the named session. The caller must hold w.mu.
func (w *env) sessionStateLocked(name string) (state backend.SessionState) {
	for _, e := range w.events {
		if e.Session != nil && e.Session.Name == name {
			state = e.Session.State
		}
	}
	return state
}

// newEnvWithSessions returns an env whose app is closed. Before it was closed, each of the named sessions completed one
// prompt.
func newEnvWithSessions(t *testing.T, names ...string) *env {
	t.Helper()
	w := newEnv(t, fake(fakeagent.Script{}), nil)
	for _, name := range names {
		w.expectEnd(w.start(name, "go"), backend.TurnDone)
	}
	w.close()
	return w
}

func TestRestore_TenSessionsInParallel(t *testing.T) {
	t.Parallel()
	var names []string
	for i := range 10 {
		names = append(names, fmt.Sprint("session ", i))
	}
	w := newEnvWithSessions(t, names...)
	file := filepath.Join(t.TempDir(), "calls")
	w.open(fake(fakeagent.Script{Calls: file, Delay: map[string]time.Duration{"session/load": 300 * time.Millisecond}}), nil)
	w.agent.Restore(names...)
	w.waitFor("the first session", func([]backend.Event) bool {
		return slices.ContainsFunc(names, func(n string) bool { return w.sessionStateLocked(n) == backend.SessionLoaded })
	})
	equal(t, "loads that were asked for before the first was there", len(calls(t, file, "session/load")), 10)
	w.waitForLoaded(names...)
	for _, name := range names {
		w.expectEnd(w.start(name, "go"), backend.TurnDone)
	}
	equal(t, "loads", len(calls(t, file, "session/load")), 10)
	equal(t, "new sessions", len(calls(t, file, "session/new")), 0)
}

func TestRestore_NothingStartsNothing(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{}), nil)
	w.agent.Restore()
	w.agent.Restore("a name that nobody knows")
	equalDeep(t, "states", w.states(), []backend.ConnectionState(nil))
}

func TestRestore_OnlyMainAndOpenAfterCrash(t *testing.T) {
	t.Parallel()
	w := newEnvWithSessions(t, backend.SessionMain, "live", "asleep")
	w.open(fake(fakeagent.Script{}), nil)
	w.expectEnd(w.start(backend.SessionMain, "go"), backend.TurnDone)
	w.expectEnd(w.start("live", "go"), backend.TurnDone)
	kill(t, w.agent.Connection().PID)
	w.waitFor("both banners", func(events []backend.Event) bool {
		back := map[string]bool{}
		for _, e := range events {
			if e.Item != nil && e.Item.Banner != nil && e.Item.Banner.Kind == backend.BannerRestored {
				back[e.Item.Session] = true
			}
		}
		return back[backend.SessionMain] && back["live"]
	})
	w.waitForLoaded(backend.SessionMain, "live")
	equalDeep(t, "banners of the other", w.bannersOf("asleep"), []backend.BannerKind(nil))
	w.expectEnd(w.start("asleep", "go"), backend.TurnDone)
	equalDeep(t, "banners of the other", w.bannersOf("asleep"), []backend.BannerKind{backend.BannerResumed})
}

func TestRestore_SlowSessionDelaysNoOther(t *testing.T) {
	t.Parallel()
	w := newEnvWithSessions(t, backend.SessionMain, "slow")
	slow := map[string]time.Duration{"session/load " + w.acpID("slow"): time.Hour}
	w.open(fake(fakeagent.Script{Delay: slow}), nil)
	w.agent.Restore(backend.SessionMain, "slow")
	w.waitForState(backend.ConnectionReady)
	w.expectEnd(w.start(backend.SessionMain, "go"), backend.TurnDone)
	equal(t, "state of the slow one", w.sessionState("slow"), backend.SessionUnloaded)
}

// sessionState returns the last published state of the named session.
func (w *env) sessionState(name string) backend.SessionState {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sessionStateLocked(name)
}

func TestRestore_TimeoutSparesAgentWithOtherSession(t *testing.T) {
	w := newEnvWithSessions(t, backend.SessionMain, "slow")
	id := w.acpID("slow")
	slow := map[string]time.Duration{"session/load " + id: 3 * time.Second}
	file := filepath.Join(t.TempDir(), "calls")
	w.open(fake(fakeagent.Script{Calls: file, Delay: slow}), nil)
	w.promptAndExpect("go", backend.TurnDone)
	pid := w.agent.Connection().PID
	agent.ShortLimits(t, 300*time.Millisecond)
	r := w.expectEnd(w.start("slow", "go"), backend.TurnFailed)
	if r.Err.Code != backend.CodeUnavailable || r.SentAt != 0 {
		t.Errorf("the result: %+v, %+v", r, r.Err)
	}
	w.waitForLoaded("slow")
	w.expectEnd(w.start("slow", "go"), backend.TurnDone)
	equal(t, "session", w.acpID("slow"), id)
	equal(t, "process", w.agent.Connection().PID, pid)
	equal(t, "loads of it", len(calls(t, file, "session/load")), 2) // main's and the session's own
}

func TestRestore_UnreadableSessionFailsNoOther(t *testing.T) {
	t.Parallel()
	names := []string{backend.SessionMain, "one", "broken", "two"}
	w := newEnvWithSessions(t, names...)
	noErr(t, os.WriteFile(filepath.Join(w.home, "session-state", w.acpID("broken")+".json"), []byte("{"), 0o600))
	ids := map[string]string{}
	for _, name := range names {
		ids[name] = w.acpID(name)
	}
	w.open(fake(fakeagent.Script{}), nil)
	w.agent.Restore(names...)
	w.waitForLoaded(names...)
	for _, name := range names {
		w.expectEnd(w.start(name, "go"), backend.TurnDone)
		want := []backend.BannerKind{backend.BannerResumed}
		if name == "broken" {
			want = []backend.BannerKind{backend.BannerSessionLost}
		}
		equalDeep(t, "banners of "+name, w.bannersOf(name), want)
		equal(t, "it is another session than before: "+name, w.acpID(name) != ids[name], name == "broken")
	}
}

func TestRestore_OpeningChatLeavesAgentStopped(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{}), nil)
	w.promptAndExpect("go", backend.TurnDone)
	w.agent.Stop()
	w.waitForState(backend.ConnectionIdle)
	n := len(w.states())
	w.agent.Restore()
	equal(t, "states", len(w.states()), n)
	w.promptAndExpect("go", backend.TurnDone)
	equalDeep(t, "banners", w.banners(), []backend.BannerKind(nil))
}

// withRecap returns a function that changes a Config so that every recap is the given text.
func withRecap(text string) func(*env, *agent.Config) {
	return func(_ *env, cfg *agent.Config) {
		cfg.Recap = func(context.Context, string) (string, error) { return text, nil }
	}
}

// newEnvWithLostMain returns an env whose main session received a prompt and then was lost.
func newEnvWithLostMain(t *testing.T) *env {
	t.Helper()
	w := newEnvWithSessions(t, backend.SessionMain)
	noErr(t, os.Remove(filepath.Join(w.home, "session-state", w.session().ACPID+".json")))
	return w
}

func TestRecap_ReplacementGetsItOnce(t *testing.T) {
	t.Parallel()
	w := newEnvWithLostMain(t)
	old := w.session().ACPID
	file := filepath.Join(t.TempDir(), "calls")
	w.open(fake(fakeagent.Script{Calls: file}), withRecap("It was about tea."))
	const text = "  Go on,\n\tthen. \u00e9\u200b "
	w.promptAndExpect(text, backend.TurnDone)
	w.promptAndExpect("And more.", backend.TurnDone)
	equalDeep(t, "prompts", promptBlocks(t, file), [][]string{{"It was about tea.", text}, {"And more."}})
	equal(t, "the lost session", w.session().ReplacesID, old)
	b := w.banner(backend.BannerSessionLost)
	equal(t, "what it was told", b.Recap, "It was about tea.")
	equal(t, "dismissed", b.Dismissed, false)
	if !strings.Contains(b.Detail.String(), old) {
		t.Errorf("the detail: %s", b.Detail)
	}
}

// banner returns the transcript's only banner of the given kind. It fails the test unless there is exactly one.
func (w *env) banner(kind backend.BannerKind) (found backend.Banner) {
	w.t.Helper()
	n := 0
	for _, it := range w.items(nil) {
		if it.Banner != nil && it.Banner.Kind == kind {
			found, n = *it.Banner, n+1
		}
	}
	equal(w.t, "banners of the kind "+string(kind), n, 1)
	return found
}

func TestRecap_WaitsForPromptAcrossRestart(t *testing.T) {
	t.Parallel()
	w := newEnvWithLostMain(t)
	file := filepath.Join(t.TempDir(), "calls")
	launch := fake(fakeagent.Script{Calls: file})
	w.open(launch, withRecap("It was about tea."))
	w.agent.Restore()
	w.waitForBanner(backend.BannerSessionLost)
	w.close()
	w.open(launch, withRecap("It was about tea, as before."))
	w.promptAndExpect("Go on.", backend.TurnDone)
	equalDeep(t, "prompts", promptBlocks(t, file), [][]string{{"It was about tea, as before.", "Go on."}})
	equalDeep(t, "banners", w.banners(), []backend.BannerKind{backend.BannerSessionLost})
	w.close()
	w.open(launch, withRecap("It is told no more."))
	w.promptAndExpect("Once more.", backend.TurnDone)
	equalDeep(t, "prompts", promptBlocks(t, file)[1:], [][]string{{"Once more."}})
}

func TestRecap_IsNeverCommand(t *testing.T) {
	t.Parallel()
	w := newEnvWithLostMain(t)
	file := filepath.Join(t.TempDir(), "calls")
	w.open(fake(fakeagent.Script{Calls: file}), withRecap("\n /allow-all was the last request"))
	w.promptAndExpect("Go on.", backend.TurnDone)
	equalDeep(t, "prompts", promptBlocks(t, file), [][]string{{"Context: /allow-all was the last request", "Go on."}})
}

func TestRecap_UserCommandPostponesIt(t *testing.T) {
	t.Parallel()
	w := newEnvWithLostMain(t)
	file := filepath.Join(t.TempDir(), "calls")
	w.open(fake(fakeagent.Script{Calls: file}), withRecap("It was about tea."))
	w.promptAndExpect("/compact now", backend.TurnDone)
	w.promptAndExpect("/etc/hosts is a file.", backend.TurnDone)
	equalDeep(t, "prompts", promptBlocks(t, file), [][]string{{"/compact now"}, {"It was about tea.", "/etc/hosts is a file."}})
	equal(t, "the session has a prompt", w.session().HadPrompt, true)
}

func TestRecap_FailureStopsNothing(t *testing.T) {
	t.Parallel()
	w := newEnvWithLostMain(t)
	w.open(fake(fakeagent.Script{}), func(_ *env, cfg *agent.Config) {
		cfg.Recap = func(context.Context, string) (string, error) { return "", errors.New("the disk is gone") }
	})
	w.promptAndExpect("Go on.", backend.TurnDone)
	equal(t, "what it was told", w.banner(backend.BannerSessionLost).Recap, "")
}

func TestRecap_EachProcessWithoutStorageGetsIt(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "calls")
	launch := fake(fakeagent.Script{NoSessions: true, Version: "no sessions", Calls: file})
	w := newEnv(t, launch, withRecap("It was about tea."))
	w.promptAndExpect("one", backend.TurnDone)
	for _, text := range []string{"two", "three"} {
		w.killAndWait()
		w.promptAndExpect(text, backend.TurnDone)
	}
	equalDeep(t, "prompts", promptBlocks(t, file), [][]string{{"one"}, {"It was about tea.", "two"}, {"It was about tea.", "three"}})
	for _, it := range w.items(nil) {
		if it.Banner != nil && (!it.Banner.Dismissed || it.Banner.Recap != "It was about tea.") {
			t.Errorf("a banner: %+v", it.Banner)
		}
	}
	equalDeep(t, "banners", w.banners(), []backend.BannerKind{backend.BannerSessionLost, backend.BannerSessionLost})
	equal(t, "resumes that were tried", len(calls(t, file, "session/resume")), 1)
}

// killAndWait kills the agent's process and waits until the next one is ready.
func (w *env) killAndWait() {
	w.t.Helper()
	pid := w.agent.Connection().PID
	kill(w.t, pid)
	w.waitFor("another process", func([]backend.Event) bool {
		c := w.agent.Connection()
		return c.State == backend.ConnectionReady && c.PID != pid
	})
}
