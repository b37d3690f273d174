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

// watchman decides whether a folder is trusted.
type watchman struct {
	mu      sync.Mutex
	refuses func() bool // nil trusts every folder
	folders []string    // folders it was asked about
}

func (m *watchman) trusted(_ context.Context, folder string) *agent.LaunchError {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.folders = append(m.folders, folder)
	if m.refuses == nil || !m.refuses() {
		return nil
	}
	return &agent.LaunchError{Cause: backend.CauseUntrusted, Message: backend.Plain("This folder has a hook.")}
}

func (m *watchman) refuse(when func() bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refuses = when
}

// trust makes the user trust the folder.
func (m *watchman) trust(w *world) {
	m.refuse(nil)
	w.agent.Retry()
}

func (m *watchman) config(_ *world, cfg *agent.Config) { cfg.CheckTrust = m.trusted }

func isAlways() bool { return true }

// needsTrust waits until the connection needs trust.
func (w *world) needsTrust() {
	w.t.Helper()
	c := w.waitState(backend.ConnectionNeedsTrust)
	equal(w.t, "cause", c.Cause, backend.CauseUntrusted)
	equal(w.t, "message", c.Message.String(), "This folder has a hook.")
	equal(w.t, "process", c.PID, 0)
}

func TestTrust_NothingStartsBefore(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "calls")
	script := fakeagent.Script{Version: "trust", Calls: file, Declares: declared}
	srv := newServer(t, byPort(script))
	for name, c := range map[string]struct {
		launch  func(*world) agent.Launch
		address bool
	}{
		"started": {fake(script), false},
		"by socket": {func(w *world) agent.Launch {
			l := fake(script)(w)
			l.Args = append(l.Args, fakeagent.SocketArgs...)
			return l
		}, false},
		"by its address": {srv.launch, true},
	} {
		t.Run(name, func(t *testing.T) {
			_ = os.Remove(file)
			m := &watchman{refuses: isAlways}
			w := newWorld(t, c.launch, m.config)
			if c.address {
				srv.start(w)
			}
			first := w.start(backend.SessionMain, "go")
			w.needsTrust()
			second := w.start("other", "go") // triggers another check of the folder, then waits
			w.wait("a second refusal", func(events []backend.Event) bool {
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
			same(t, "states", w.states(), []backend.ConnectionState{backend.ConnectionChecking, backend.ConnectionNeedsTrust, backend.ConnectionChecking, backend.ConnectionNeedsTrust})
			m.trust(w)
			w.mustEnd(first, backend.TurnDone)
			w.mustEnd(second, backend.TurnDone)
			equal(t, "prompts", len(calls(t, file, "session/prompt")), 2)
		})
	}
}

func TestTrust_EachSessionCheckedTwice(t *testing.T) {
	t.Parallel()
	type act func(w *world, arm func()) (end func())
	resumes := fakeagent.Script{Version: "trust resumes", Capabilities: `{"sessionCapabilities":{"resume":{}}}`, Answer: map[string]string{"session/resume": `{}`}}
	plain := fakeagent.Script{Version: "trust"}
	prompts := func(w *world, arm func()) func() {
		arm()
		tu := w.start(backend.SessionMain, "go on")
		return func() { w.mustEnd(tu, backend.TurnDone) }
	}
	fails := func(do func(w *world) error) act {
		return func(w *world, arm func()) func() {
			w.must("before", backend.TurnDone)
			arm()
			if err := do(w); backend.CodeOf(err) != backend.CodeUntrusted || !strings.Contains(err.Error(), "you haven't trusted this folder") {
				w.t.Errorf("got %v, want why it was not done", err)
			}
			return func() { w.must("go on", backend.TurnDone) }
		}
	}
	for name, c := range map[string]struct {
		method string
		script fakeagent.Script
		before bool           // a session of an earlier process exists
		harm   func(w *world) // damages the session
		do     act
	}{
		"new":    {method: "session/new", script: plain, do: prompts},
		"load":   {method: "session/load", script: plain, before: true, do: prompts},
		"resume": {method: "session/resume", script: resumes, before: true, do: prompts},
		"replaced": {method: "session/new", script: plain, before: true, do: prompts, harm: func(w *world) {
			noErr(w.t, os.Remove(filepath.Join(w.home, "session-state", w.session().ACPID+".json")))
		}},
		"restored": {method: "session/load", script: plain, before: true, do: func(w *world, arm func()) func() {
			arm()
			w.agent.Restore()
			return func() { w.must("go on", backend.TurnDone) }
		}},
		"delegated work": {method: "session/new", script: plain, do: func(w *world, arm func()) func() {
			w.must("before", backend.TurnDone)
			arm()
			tu := w.given("helper", "go on")
			return func() { w.mustEnd(tu, backend.TurnDone) }
		}},
		"fork": {method: "session/fork", script: plain, do: fails(func(w *world) error {
			_, err := w.agent.Fork(w.t.Context(), backend.SessionMain, "copy")
			return err
		})},
		"continued": {method: "session/load", script: plain, do: fails(func(w *world) error {
			noErr(w.t, os.WriteFile(filepath.Join(w.home, "session-state", "other.json"), []byte(`{"ID":"other","Cwd":"`+w.folder+`"}`), 0o600))
			return w.agent.Continue(w.t.Context(), "other", "older")
		})},
	} {
		for look, answered := range map[string]int{"before": 0, "after": 1} {
			t.Run(name+"/"+look, func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "calls")
				m, w := &watchman{}, emptyWorld(t)
				c.script.Declares = declared
				if c.before {
					w.open(fake(c.script), nil)
					w.must("before", backend.TurnDone)
					w.close()
				}
				if c.harm != nil {
					c.harm(w)
				}
				c.script.Calls = file
				w.open(fake(c.script), m.config)
				had := 0
				end := c.do(w, func() {
					had = len(calls(t, file, c.method))
					m.refuse(func() bool {
						return len(calls(t, file, "initialize")) > 0 && len(calls(t, file, c.method))-had >= answered
					})
				})
				w.needsTrust()
				equal(t, "times asked for the session", len(calls(t, file, c.method))-had, answered)
				times := func() (n int) {
					for _, blocks := range prompted(t, file) {
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

// given starts a turn for a task delegated to the session.
func (w *world) given(session, text string) *turn {
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
	m := &watchman{}
	w := newWorld(t, fake(fakeagent.Script{Version: "trust", Calls: file, On: map[string]fakeagent.Turn{"long": {fakeagent.Say("some of it"), fakeagent.Hang()}}}), m.config)
	w.must("before", backend.TurnDone)
	id := w.session().ACPID
	long := w.start(backend.SessionMain, "long")
	w.waitText("some of it")
	m.refuse(isAlways) // for example because of a hook written by a command
	helper := w.given("helper", "go")
	r := w.mustEnd(long, backend.TurnInterrupted)
	if r.Err == nil || !strings.Contains(r.Err.Message.String(), "VoxPilot stopped Copilot while it was answering because this folder has something new") {
		t.Errorf("got %v, want why it was stopped", r.Err)
	}
	w.needsTrust()
	m.trust(w)
	w.mustEnd(helper, backend.TurnDone)
	w.waitBanner(backend.BannerIncomplete)
	w.must("go on", backend.TurnDone)
	equal(t, "session", w.session().ACPID, id)
	equal(t, "prompts", len(calls(t, file, "session/prompt")), 4)
}

func TestTrust_CrashAsksAgain(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "calls")
	m := &watchman{}
	w := newWorld(t, fake(fakeagent.Script{Version: "trust", Calls: file}), m.config)
	w.must("go", backend.TurnDone)
	id := w.session().ACPID
	m.refuse(isAlways)
	kill(t, w.agent.Connection().PID)
	w.needsTrust()
	equal(t, "starts", len(calls(t, file, "initialize")), 1)
	m.trust(w)
	w.waitBanner(backend.BannerRestored)
	equal(t, "starts", len(calls(t, file, "initialize")), 2)
	w.must("go", backend.TurnDone)
	equal(t, "session", w.session().ACPID, id)
}

func TestTrust_StoppedChatEndsWait(t *testing.T) {
	t.Parallel()
	m := &watchman{refuses: isAlways}
	w := newWorld(t, fake(fakeagent.Script{}), m.config)
	tu := w.start(backend.SessionMain, "go")
	w.needsTrust()
	w.agent.Stop()
	w.mustEnd(tu, backend.TurnStopped)
	equal(t, "cause", w.waitState(backend.ConnectionIdle).Cause, backend.CauseStopped)
}

func TestTrust_OtherFolderCheckedAtOnce(t *testing.T) {
	t.Parallel()
	m := &watchman{}
	w := newWorld(t, fake(fakeagent.Script{}), m.config)
	m.refuse(func() bool { return m.folders[len(m.folders)-1] == w.folder })
	tu := w.start(backend.SessionMain, "go")
	w.needsTrust()
	other := t.TempDir()
	w.agent.Relocate(other)
	w.mustEnd(tu, backend.TurnDone)
	equal(t, "folder", w.session().Cwd, other)
}

func TestTrust_LaunchMayNeedIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, fake(fakeagent.Script{}), func(_ *world, cfg *agent.Config) {
		cfg.Launch = func(context.Context) (agent.Launch, *agent.LaunchError) {
			return agent.Launch{}, &agent.LaunchError{Cause: backend.CauseUntrusted, Message: backend.Plain("This folder has a hook.")}
		}
	})
	tu := w.start(backend.SessionMain, "go")
	w.needsTrust()
	tu.cancel()
	w.mustEnd(tu, backend.TurnStopped)
}
