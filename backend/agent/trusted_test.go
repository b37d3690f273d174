package agent_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// trustChecker decides whether a folder is trusted.
type trustChecker struct {
	mu      sync.Mutex
	refuse  func() bool // reports whether the folder isn't trusted; nil trusts every folder
	folders []string    // folders that were checked
}

func (m *trustChecker) check(_ context.Context, folder string) *agent.LaunchError {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.folders = append(m.folders, folder)
	if m.refuse == nil || !m.refuse() {
		return nil
	}
	return &agent.LaunchError{Cause: backend.CauseUntrusted, Message: backend.Plain("This folder has a hook.")}
}

func (m *trustChecker) refuseWhen(when func() bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refuse = when
}

// trust simulates that the user trusts the folder.
func (m *trustChecker) trust(w *env) {
	m.refuseWhen(nil)
	w.agent.Retry()
}

func (m *trustChecker) configure(_ *env, cfg *agent.Config) { cfg.CheckTrust = m.check }

func alwaysTrue() bool { return true }

// expectNeedsTrust waits until the agent's connection is waiting for the user to trust the folder.
func (w *env) expectNeedsTrust() {
	w.t.Helper()
	c := w.waitForState(backend.ConnectionNeedsTrust)
	equal(w.t, "cause", c.Cause, backend.CauseUntrusted)
	equal(w.t, "message", c.Message.String(), "This folder has a hook.")
	equal(w.t, "process", c.PID, 0)
}

func TestTrust_NothingStartsBefore(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "calls")
	script := fakeagent.Script{Version: "trust", Calls: file, Declares: declared}
	srv := newAgentServer(t, launchTCP(script))
	for name, c := range map[string]struct {
		launch  func(*env) agent.Launch
		address bool
	}{
		"started": {fake(script), false},
		"by socket": {func(w *env) agent.Launch {
			l := fake(script)(w)
			l.Args = append(l.Args, fakeagent.SocketArgs...)
			return l
		}, false},
		"by its address": {srv.launch, true},
	} {
		t.Run(name, func(t *testing.T) {
			_ = os.Remove(file)
			m := &trustChecker{refuse: alwaysTrue}
			w := newEnv(t, c.launch, m.configure)
			if c.address {
				srv.start(w)
			}
			first := w.start(backend.SessionMain, "go")
			w.expectNeedsTrust()
			second := w.start("other", "go") // triggers another check of the folder, then waits
			w.waitFor("a second refusal", func(events []backend.Event) bool {
				n := 0
				for _, e := range events {
					if e.Connection != nil && e.Connection.State == backend.ConnectionNeedsTrust {
						n++
					}
				}
				return n == 2
			})
			if err := w.agent.SetMode(context.Background(), backend.SessionMain, "ask"); err == nil || err.Error() != "This folder has a hook." {
				t.Errorf("a call while the folder is not trusted: %v", err)
			}
			if _, err := os.Stat(file); err == nil {
				t.Error("the agent was asked for something")
			}
			equalDeep(t, "states", w.states(), []backend.ConnectionState{backend.ConnectionChecking, backend.ConnectionNeedsTrust, backend.ConnectionChecking, backend.ConnectionNeedsTrust})
			m.trust(w)
			w.expectEnd(first, backend.TurnDone)
			w.expectEnd(second, backend.TurnDone)
			equal(t, "prompts", len(calls(t, file, "session/prompt")), 2)
		})
	}
}

func TestTrust_EachSessionCheckedTwice(t *testing.T) {
	t.Parallel()
	type act func(w *env, arm func()) (end func())
	resumes := fakeagent.Script{Version: "trust resumes", Capabilities: `{"sessionCapabilities":{"resume":{}}}`, Answer: map[string]string{"session/resume": `{}`}}
	plain := fakeagent.Script{Version: "trust"}
	prompts := func(w *env, arm func()) func() {
		arm()
		tu := w.start(backend.SessionMain, "go on")
		return func() { w.expectEnd(tu, backend.TurnDone) }
	}
	fails := func(do func(w *env) error) act {
		return func(w *env, arm func()) func() {
			w.promptAndExpect("before", backend.TurnDone)
			arm()
			if err := do(w); backend.CodeOf(err) != backend.CodeUntrusted || !strings.Contains(err.Error(), "you haven't trusted this folder") {
				w.t.Errorf("got %v, want why it was not done", err)
			}
			return func() { w.promptAndExpect("go on", backend.TurnDone) }
		}
	}
	for name, c := range map[string]struct {
		method string
		script fakeagent.Script
		before bool         // a session of an earlier process exists
		harm   func(w *env) // damages the stored session
		do     act
	}{
		"new":    {method: "session/new", script: plain, do: prompts},
		"load":   {method: "session/load", script: plain, before: true, do: prompts},
		"resume": {method: "session/resume", script: resumes, before: true, do: prompts},
		"replaced": {method: "session/new", script: plain, before: true, do: prompts, harm: func(w *env) {
			noErr(w.t, os.Remove(filepath.Join(w.home, "session-state", w.session().ACPID+".json")))
		}},
		"restored": {method: "session/load", script: plain, before: true, do: func(w *env, arm func()) func() {
			arm()
			w.agent.Restore()
			return func() { w.promptAndExpect("go on", backend.TurnDone) }
		}},
		"delegated work": {method: "session/new", script: plain, do: func(w *env, arm func()) func() {
			w.promptAndExpect("before", backend.TurnDone)
			arm()
			tu := w.startDelegated("helper", "go on")
			return func() { w.expectEnd(tu, backend.TurnDone) }
		}},
		"fork": {method: "session/fork", script: plain, do: fails(func(w *env) error {
			_, err := w.agent.Fork(w.t.Context(), backend.SessionMain, "copy")
			return err
		})},
		"continued": {method: "session/load", script: plain, do: fails(func(w *env) error {
			noErr(w.t, os.WriteFile(filepath.Join(w.home, "session-state", "other.json"), []byte(`{"ID":"other","Cwd":"`+w.folder+`"}`), 0o600))
			return w.agent.Continue(w.t.Context(), "other", "older")
		})},
	} {
		for look, answered := range map[string]int{"before": 0, "after": 1} {
			t.Run(name+"/"+look, func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "calls")
				m, w := &trustChecker{}, newEmptyEnv(t)
				c.script.Declares = declared
				if c.before {
					w.open(fake(c.script), nil)
					w.promptAndExpect("before", backend.TurnDone)
					w.close()
				}
				if c.harm != nil {
					c.harm(w)
				}
				c.script.Calls = file
				w.open(fake(c.script), m.configure)
				had := 0
				end := c.do(w, func() {
					had = len(calls(t, file, c.method))
					m.refuseWhen(func() bool {
						return len(calls(t, file, "initialize")) > 0 && len(calls(t, file, c.method))-had >= answered
					})
				})
				w.expectNeedsTrust()
				equal(t, "times asked for the session", len(calls(t, file, c.method))-had, answered)
				times := func() (n int) {
					for _, blocks := range promptBlocks(t, file) {
						if slices.Contains(blocks, "go on") {
							n++
						}
					}
					return n
				}
				equal(t, "times sent before", times(), 0)
				m.trust(w)
				end()
				equal(t, "times sent", times(), 1)
			})
		}
	}
}

// startDelegated starts a turn for a task that is delegated to the named session.
func (w *env) startDelegated(session, text string) *turn {
	ctx, cancel := context.WithCancel(context.Background())
	w.t.Cleanup(cancel)
	tu := &turn{w: w, id: backend.NewID(), cancel: cancel, done: make(chan agent.Result, 1), session: session, prompt: text}
	go func() {
		tu.done <- w.agent.Prompt(ctx, backend.Turn{ID: tu.id, ChatID: "chat", Session: session, BlockID: "block", State: backend.TurnRunning}, text)
	}()
	return tu
}

func TestTrust_LossDuringAnswerInterrupts(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "calls")
	m := &trustChecker{}
	w := newEnv(t, fake(fakeagent.Script{Version: "trust", Calls: file, On: map[string]fakeagent.Turn{"long": {fakeagent.Say("some of it"), fakeagent.Hang()}}}), m.configure)
	w.promptAndExpect("before", backend.TurnDone)
	id := w.session().ACPID
	long := w.start(backend.SessionMain, "long")
	w.waitForText("some of it")
	m.refuseWhen(alwaysTrue) // for example because of a hook written by a command
	helper := w.startDelegated("helper", "go")
	r := w.expectEnd(long, backend.TurnInterrupted)
	if r.Err == nil || !strings.Contains(r.Err.Message.String(), "VoxPilot stopped Copilot's answer because something new in this folder can run code") {
		t.Errorf("got %v, want why it was stopped", r.Err)
	}
	w.expectNeedsTrust()
	m.trust(w)
	w.expectEnd(helper, backend.TurnDone)
	w.waitForBanner(backend.BannerIncomplete)
	w.promptAndExpect("go on", backend.TurnDone)
	equal(t, "session", w.session().ACPID, id)
	equal(t, "prompts", len(calls(t, file, "session/prompt")), 4)
}

func TestTrust_CrashAsksAgain(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "calls")
	m := &trustChecker{}
	w := newEnv(t, fake(fakeagent.Script{Version: "trust", Calls: file}), m.configure)
	w.promptAndExpect("go", backend.TurnDone)
	id := w.session().ACPID
	m.refuseWhen(alwaysTrue)
	kill(t, w.agent.Connection().PID)
	w.expectNeedsTrust()
	equal(t, "starts", len(calls(t, file, "initialize")), 1)
	m.trust(w)
	w.waitForBanner(backend.BannerRestored)
	equal(t, "starts", len(calls(t, file, "initialize")), 2)
	w.promptAndExpect("go", backend.TurnDone)
	equal(t, "session", w.session().ACPID, id)
}

func TestTrust_StoppedChatEndsWait(t *testing.T) {
	t.Parallel()
	m := &trustChecker{refuse: alwaysTrue}
	w := newEnv(t, fake(fakeagent.Script{}), m.configure)
	tu := w.start(backend.SessionMain, "go")
	w.expectNeedsTrust()
	w.agent.Stop()
	w.expectEnd(tu, backend.TurnStopped)
	equal(t, "cause", w.waitForState(backend.ConnectionIdle).Cause, backend.CauseStopped)
}

func TestTrust_OtherFolderCheckedAtOnce(t *testing.T) {
	t.Parallel()
	m := &trustChecker{}
	w := newEnv(t, fake(fakeagent.Script{}), m.configure)
	m.refuseWhen(func() bool { return m.folders[len(m.folders)-1] == w.folder })
	tu := w.start(backend.SessionMain, "go")
	w.expectNeedsTrust()
	other := t.TempDir()
	w.agent.Relocate(other)
	w.expectEnd(tu, backend.TurnDone)
	equal(t, "folder", w.session().Cwd, other)
}

func TestTrust_LaunchMayNeedIt(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{}), func(_ *env, cfg *agent.Config) {
		cfg.Launch = func(context.Context) (agent.Launch, *agent.LaunchError) {
			return agent.Launch{}, &agent.LaunchError{Cause: backend.CauseUntrusted, Message: backend.Plain("This folder has a hook.")}
		}
	})
	tu := w.start(backend.SessionMain, "go")
	w.expectNeedsTrust()
	tu.cancel()
	w.expectEnd(tu, backend.TurnStopped)
}
