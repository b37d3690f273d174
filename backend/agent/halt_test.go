package agent_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// idleChecks counts the agent's idle checks: each one calls Config.Idle once.
type idleChecks struct {
	w     *env
	count atomic.Int64
	limit atomic.Int64
}

// idleAfter implements Config.Idle.
func (l *idleChecks) idleAfter() time.Duration {
	l.count.Add(1)
	return time.Duration(l.limit.Load())
}

func (l *idleChecks) configure(w *env, cfg *agent.Config) {
	l.w, cfg.Idle = w, l.idleAfter
	l.limit.Store(int64(time.Millisecond))
}

// expectRunning waits for more than 20 idle checks and fails the test unless the agent is then still ready.
func (l *idleChecks) expectRunning(what string) {
	l.w.t.Helper()
	from := l.count.Load()
	waitFor(l.w.t, "the agent to be looked at", func() bool { return l.count.Load() > from+20 })
	if c := l.w.agent.Connection(); c.State != backend.ConnectionReady {
		l.w.t.Errorf("the agent was stopped with %s: %+v", what, c)
	}
}

func (l *idleChecks) waitForIdle() {
	l.w.t.Helper()
	c := l.w.waitForState(backend.ConnectionIdle)
	equal(l.w.t, "cause", c.Cause, backend.CauseIdle)
	equal(l.w.t, "process", c.PID, 0)
}

func TestIdle_StoppedAgentResumesSilently(t *testing.T) {
	t.Parallel()
	var l idleChecks
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("one")}, {fakeagent.Say("two")}}}), l.configure)
	w.promptAndExpect("go", backend.TurnDone)
	id := w.session().ACPID
	l.waitForIdle()
	assertNoOrphans(t, w.home, 0)
	equal(t, "said", w.answerText(w.promptAndExpect("go", backend.TurnDone)), "two")
	equal(t, "session", w.session().ACPID, id)
	l.waitForIdle()
	equalDeep(t, "banners", w.banners(), []backend.BannerKind(nil))
	w.assertAllClosed()
}

func TestIdle_OpenWorkPreventsStop(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("its commands are for a Unix shell")
	}
	var l idleChecks
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{
		{fakeagent.Edit("a.txt", "", "new"), fakeagent.Hang()},
		{fakeagent.Run("sleep 1000 > /dev/null 2>&1 & echo $! > pid")},
	}}), l.configure)
	tu := w.start(backend.SessionMain, "go")
	a := w.nextRequest()
	l.expectRunning("an open request")
	a.answer <- "allow_once"
	waitFor(t, "the file", func() bool { return w.read("a.txt") == "new" })
	l.expectRunning("a running prompt")
	tu.cancel()
	w.expectEnd(tu, backend.TurnStopped)
	l.waitForIdle()

	w.setPolicy("allow_once")
	w.promptAndExpect("go", backend.TurnDone)
	pid := w.waitForPID("pid")
	l.expectRunning("a command in the background")
	kill(t, pid)
	l.waitForIdle()
}

func TestIdle_WithoutLimitNeverStops(t *testing.T) {
	t.Parallel()
	var l idleChecks
	w := newEnv(t, fake(fakeagent.Script{}), func(w *env, cfg *agent.Config) {
		l.configure(w, cfg)
		l.limit.Store(0)
	})
	w.promptAndExpect("go", backend.TurnDone)
	pid := w.agent.Connection().PID
	w.promptAndExpect("next", backend.TurnDone)
	equal(t, "process", w.agent.Connection().PID, pid)
}

func TestIdle_RandomPromptsAndStopsLoseNothing(t *testing.T) {
	t.Parallel()
	var l idleChecks
	w := newEnv(t, fake(fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("$PROMPT")}}), l.configure)
	for _, text := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		equal(t, "said", w.answerText(w.promptAndExpect(text, backend.TurnDone)), text)
	}
	equalDeep(t, "banners", w.banners(), []backend.BannerKind(nil))
}

// TestStop_EndsProcessAndPromptsOnly checks that stopping an agent ends its process, the running prompt and the waiting
// one, and that the session continues with the next prompt. It isn't parallel because it searches all goroutines for
// the waiting prompt.
func TestStop_EndsProcessAndPromptsOnly(t *testing.T) {
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("one")}, {fakeagent.Say("half"), fakeagent.Hang()}, {fakeagent.Say("three")}}}), nil)
	w.promptAndExpect("go", backend.TurnDone)
	id, pid := w.session().ACPID, w.agent.Connection().PID
	running := w.start(backend.SessionMain, "go")
	w.waitForText("half")
	waiting := w.start(backend.SessionMain, "go")
	waitFor(t, "the second prompt to wait for the first", func() bool {
		stacks := make([]byte, 1<<20)
		return strings.Contains(string(stacks[:runtime.Stack(stacks, true)]), "(*Agent).enter(")
	})
	w.agent.Stop()
	w.expectEnd(running, backend.TurnStopped)
	w.expectEnd(waiting, backend.TurnStopped)
	c := w.waitForState(backend.ConnectionIdle)
	equal(t, "cause", c.Cause, backend.CauseStopped)
	equal(t, "process", c.PID, 0)
	waitForProcessEnd(t, pid)
	w.assertAllClosed()
	equal(t, "said", w.answerText(w.promptAndExpect("go", backend.TurnDone)), "three")
	equal(t, "session", w.session().ACPID, id)
	equalDeep(t, "banners", w.banners(), []backend.BannerKind(nil))
}

func TestStop_EndsPromptsWaitingForAgent(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]fakeagent.Script{
		"that does not start":  {ExitAtOnce: 1},
		"that wants a sign-in": {Refuse: map[string]int{"session/new": -32000}},
		"that does not answer": {Silent: []string{"initialize"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newEnv(t, fake(script), nil)
			tu := w.start(backend.SessionMain, "go")
			w.waitFor("a process", func([]backend.Event) bool {
				s := w.agent.Connection().State
				return s != backend.ConnectionIdle && s != backend.ConnectionChecking
			})
			w.agent.Stop()
			w.expectEnd(tu, backend.TurnStopped)
			w.waitForState(backend.ConnectionIdle)
			assertNoOrphans(t, w.home, 0)
		})
	}
}

func TestStop_WithoutProcessDoesNothing(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{}), nil)
	w.agent.Stop()
	equal(t, "state", w.agent.Connection().State, backend.ConnectionIdle)
	w.promptAndExpect("go", backend.TurnDone)
}

func TestStart_WaitsForPreviousProcessExit(t *testing.T) {
	t.Parallel()
	var before atomic.Int64
	w := newEnv(t, fake(fakeagent.Script{IgnoreEOF: true}), func(w *env, cfg *agent.Config) {
		cfg.Publish = func(events ...backend.Event) {
			for _, e := range events {
				if c, pid := e.Connection, int(before.Load()); c != nil && c.PID != 0 && pid != 0 && c.PID != pid && alive(pid) {
					t.Error("two processes run at once")
				}
			}
			w.publish(events...)
		}
	})
	w.promptAndExpect("go", backend.TurnDone)
	before.Store(int64(w.agent.Connection().PID))
	w.agent.Stop()
	w.promptAndExpect("next", backend.TurnDone)
	if w.agent.Connection().PID == int(before.Load()) {
		t.Error("the process is the same")
	}
}

func TestExitLimit_IsConfigurable(t *testing.T) {
	t.Parallel()
	for _, most := range []int{1, 3} {
		w := newEnv(t, fake(fakeagent.Script{ExitAtOnce: 1}), func(_ *env, cfg *agent.Config) {
			cfg.Attempts = func() int { return most }
		})
		tu := w.start(backend.SessionMain, "go")
		equal(t, "attempts", w.waitForState(backend.ConnectionFailed).Attempts, most)
		tries := 0
		for _, s := range w.states() {
			if s == backend.ConnectionStarting {
				tries++
			}
		}
		equal(t, "tries", tries, most)
		tu.cancel()
		w.expectEnd(tu, backend.TurnStopped)
	}
}

func TestConnection_HasNameAndCapabilities(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{}), nil)
	w.promptAndExpect("go", backend.TurnDone)
	c := w.agent.Connection()
	equal(t, "agent", c.Agent, "Copilot")
	if c.Capabilities == nil || *c.Capabilities != (backend.Capabilities{Load: true, List: true, Close: true, Image: true, EmbeddedContext: true}) {
		t.Errorf("it can %+v", c.Capabilities)
	}
}

func TestUpdate_ForRemovedSessionIgnored(t *testing.T) {
	t.Parallel()
	gone := filepath.Join(t.TempDir(), "gone")
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{
		{fakeagent.Say("one")},
		{fakeagent.Say("half"), fakeagent.After(
			fakeagent.WaitFor(gone), fakeagent.Chunks(2000, "late ", 0), fakeagent.Think("late"),
			fakeagent.Update(`{"sessionUpdate":"tool_call","toolCallId":"late","title":"Late","kind":"read","status":"completed"}`),
			fakeagent.Raw("all of it was said"),
		), fakeagent.Fail(-32002, "Session not found")},
		{fakeagent.Say("three")},
	}}), nil)
	w.promptAndExpect("go", backend.TurnDone)
	tu := w.promptAndExpect("go", backend.TurnFailed)
	before := len(w.items(nil))
	if err := os.WriteFile(gone, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w.waitForBanner(backend.BannerAgentError) // for the invalid line after the late updates
	equal(t, "said", w.answerText(tu), "half")
	equal(t, "items", len(w.items(nil)), before+1)
	// Ignored updates don't interfere with a new session.
	equal(t, "said", w.answerText(w.promptAndExpect("go", backend.TurnDone)), "three")
	if len(w.session().Commands) == 0 {
		t.Error("what came before the answer to session/new was lost")
	}
	w.assertAllClosed()
}

func TestResponse_MalformedStillEndsCall(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{
		"an error that is a text":         `{"jsonrpc":"2.0","id":$ID,"error":"boom"}`,
		"an error with a text for a code": `{"jsonrpc":"2.0","id":$ID,"error":{"code":"E1","message":7}}`,
		"a number with a point":           `{"jsonrpc":"2.0","id":$ID.0,"result":{"stopReason":"end_turn"}}`,
		"another member of a like name":   `{"jsonrpc":"2.0","id":$ID,"result":{"stopReason":"end_turn"},"Method":"x","ID":99}`,
		"neither a result nor an error":   `{"jsonrpc":"2.0","id":$ID}`,
		"a list":                          `{"jsonrpc":"2.0","id":$ID,"result":[1,2]}`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("a"), fakeagent.Answer(answer)}, {fakeagent.Say("b")}}}), nil)
			r := w.start(backend.SessionMain, "go").result()
			if r.State != backend.TurnDone && r.State != backend.TurnFailed {
				t.Errorf("the turn ended as %s (%v)", r.State, r.Err)
			}
			w.promptAndExpect("go", backend.TurnDone)
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			noErr(t, w.agent.Close(ctx))
		})
	}
}

func TestPrompt_SentWhenAgentReturns(t *testing.T) {
	t.Parallel()
	var starts atomic.Int32
	w := newEnv(t, func(w *env) agent.Launch {
		if starts.Add(1) < 3 {
			return fake(fakeagent.Script{ExitAtOnce: 1})(w)
		}
		return fake(fakeagent.Script{})(w)
	}, nil)
	w.promptAndExpect("go", backend.TurnDone)
	equal(t, "starts", starts.Load(), 3)
}

func TestPanic_EndsOneMessageOnly(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{
		fakeagent.Say("a"), fakeagent.Update(`{"sessionUpdate":"of no known kind"}`), fakeagent.Say("b"),
	}}}), func(w *env, cfg *agent.Config) {
		cfg.Publish = func(events ...backend.Event) {
			for _, e := range events {
				if e.UnknownUpdate != nil {
					panic("no")
				}
			}
			w.publish(events...)
		}
	})
	equal(t, "said", w.answerText(w.promptAndExpect("go", backend.TurnDone)), "ab")
	equalDeep(t, "banners", w.banners(), []backend.BannerKind{backend.BannerAgentError})
	w.promptAndExpect("next", backend.TurnDone)
}

func TestIdle_CopilotStopsAfterCommandsEnd(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its commands are for a Unix shell")
	}
	cli := copilotCLI(t)
	var l idleChecks
	w := newEmptyEnv(t)
	launch := copilotLaunch(t, w, cli, [][]act{{{command: "echo done > a.txt"}, {text: "one"}}, {{text: "two"}}})
	w.open(func(*env) agent.Launch { return launch }, l.configure)
	w.setPolicy("allow_once")
	w.promptAndExpect("Do 1.", backend.TurnDone)
	id := w.session().ACPID
	equal(t, "the file", w.read("a.txt"), "done\n")
	l.waitForIdle()
	assertNoOrphans(t, w.home, 0)
	equal(t, "said", w.answerText(w.promptAndExpect("Do 2.", backend.TurnDone)), "two")
	equal(t, "session", w.session().ACPID, id)
	equalDeep(t, "banners", w.banners(), []backend.BannerKind(nil))
}
