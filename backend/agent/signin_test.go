package agent_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// launchRefusing returns a function that returns a Launch for a fake agent. The agent responds to the given method with
// error -32000 until the file named by signedIn exists, or always if signedIn is empty. The version contains the
// method, so that VoxPilot doesn't apply its knowledge of other agents' methods to this agent.
func launchRefusing(method, signedIn, calls string) func(*env) agent.Launch {
	return fake(fakeagent.Script{Version: "0.0.1+" + method, Refuse: map[string]int{method: -32000}, RefuseUntil: signedIn, Calls: calls, Declares: declared})
}

// withSignInReason returns a function that changes a Config: when the agent requests a sign-in, the app gives the cause
// and the message as the reason. asked counts how often the app is asked for it.
func withSignInReason(cause backend.Cause, message string, asked *atomic.Int32) func(*env, *agent.Config) {
	return func(_ *env, cfg *agent.Config) {
		cfg.SignInCause = func(context.Context) (backend.Cause, backend.Message) {
			asked.Add(1)
			return cause, backend.Plain(message)
		}
	}
}

func TestSignIn_RequiredAnywhereLosesNothing(t *testing.T) {
	t.Parallel()
	prompt := func(w *env) func() {
		tu := w.start(backend.SessionMain, "go")
		return func() {
			w.expectEnd(tu, backend.TurnDone)
			equal(t, "said", w.answerText(tu), "ok")
		}
	}
	refused := func(w *env, err error) func() {
		w.t.Helper()
		equal(w.t, "code", backend.CodeOf(err), backend.CodeAuth)
		return func() { w.promptAndExpect("go", backend.TurnDone) }
	}
	for _, c := range []struct {
		method string
		before bool // a session of an earlier process exists
		do     func(w *env) (then func())
	}{
		{"initialize", false, prompt},
		{"session/new", false, prompt},
		{"session/prompt", false, prompt},
		{"session/list", true, prompt},
		{"session/load", true, prompt},
		{"session/set_mode", false, func(w *env) func() {
			w.promptAndExpect("before", backend.TurnDone)
			return refused(w, w.agent.SetMode(context.Background(), backend.SessionMain, w.session().Modes[1].ID))
		}},
		{"session/set_config_option", false, func(w *env) func() {
			w.promptAndExpect("before", backend.TurnDone)
			return refused(w, w.agent.SetOption(context.Background(), backend.SessionMain, "model", "m2"))
		}},
		{"session/fork", false, func(w *env) func() {
			w.promptAndExpect("before", backend.TurnDone)
			_, err := w.agent.Fork(context.Background(), backend.SessionMain, "copy")
			return refused(w, err)
		}},
		{"session/close", false, func(w *env) func() {
			w.promptAndExpect("before", backend.TurnDone)
			return refused(w, w.agent.CloseSession(context.Background(), backend.SessionMain))
		}},
	} {
		t.Run(c.method, func(t *testing.T) {
			signedIn := filepath.Join(t.TempDir(), "signed-in")
			var asked atomic.Int32
			change := withSignInReason(backend.CauseNotSignedIn, "The token has been revoked.", &asked)
			w, id := newEmptyEnv(t), ""
			if c.before {
				w.open(fake(fakeagent.Script{}), nil)
				w.promptAndExpect("before", backend.TurnDone)
				id = w.session().ACPID
				w.close()
			}
			w.open(launchRefusing(c.method, signedIn, ""), change)
			then := c.do(w)
			conn := w.waitForState(backend.ConnectionNeedsLogin)
			equal(t, "cause", conn.Cause, backend.CauseNotSignedIn)
			equal(t, "message", conn.Message.String(), "The token has been revoked.")
			equal(t, "process", conn.PID, 0) // a process that keeps running wouldn't notice a sign-in
			equal(t, "times asked", asked.Load(), 1)
			noErr(t, os.WriteFile(signedIn, nil, 0o600))
			w.agent.Retry()
			then()
			if id != "" {
				equal(t, "session", w.session().ACPID, id)
			}
			for _, b := range w.banners() {
				if b == backend.BannerSessionLost {
					t.Error("a session was lost")
				}
			}
		})
	}
}

func TestSignIn_SecondRefusalWaitsAgain(t *testing.T) {
	t.Parallel()
	signedIn := filepath.Join(t.TempDir(), "signed-in")
	w := newEnv(t, launchRefusing("session/new", signedIn, ""), nil)
	tu := w.start(backend.SessionMain, "go")
	equal(t, "cause", w.waitForState(backend.ConnectionNeedsLogin).Cause, backend.CauseNotSignedIn)
	w.agent.Retry()
	w.waitFor("a second refusal", func(events []backend.Event) bool {
		n := 0
		for _, e := range events {
			if e.Connection != nil && e.Connection.State == backend.ConnectionNeedsLogin {
				n++
			}
		}
		return n == 2
	})
	noErr(t, os.WriteFile(signedIn, nil, 0o600))
	w.agent.Retry()
	w.expectEnd(tu, backend.TurnDone)
}

func TestToken_CheckedBeforeEveryStart(t *testing.T) {
	t.Parallel()
	var checks atomic.Int32
	var bad atomic.Bool
	bad.Store(true)
	file := filepath.Join(t.TempDir(), "calls")
	w := newEnv(t, fake(fakeagent.Script{Calls: file}), func(_ *env, cfg *agent.Config) {
		launch := cfg.Launch
		cfg.Launch = func(ctx context.Context) (agent.Launch, *agent.LaunchError) {
			checks.Add(1)
			if bad.Load() {
				return agent.Launch{}, &agent.LaunchError{Cause: backend.CauseNotSignedIn, Message: backend.Plain("The token has been revoked.")}
			}
			return launch(ctx)
		}
	})
	tu := w.start(backend.SessionMain, "go")
	c := w.waitForState(backend.ConnectionNeedsLogin)
	equal(t, "cause", c.Cause, backend.CauseNotSignedIn)
	equal(t, "message", c.Message.String(), "The token has been revoked.")
	if _, err := os.Stat(file); err == nil {
		t.Error("the agent was started")
	}
	bad.Store(false)
	w.agent.Retry()
	w.expectEnd(tu, backend.TurnDone)
	kill(t, w.agent.Connection().PID)
	w.waitForBanner(backend.BannerRestored)
	equal(t, "checks", checks.Load(), 3)
	equal(t, "starts", len(calls(t, file, "initialize")), 2)

	bad.Store(true)
	kill(t, w.waitForState(backend.ConnectionReady).PID)
	w.waitForState(backend.ConnectionNeedsLogin)
	equal(t, "checks", checks.Load(), 4)
	equal(t, "starts", len(calls(t, file, "initialize")), 2)
}

func TestToken_UnavailableReportsReason(t *testing.T) {
	t.Parallel()
	for _, cause := range []backend.Cause{backend.CauseNotSignedIn, backend.CauseNoAccess, backend.CauseLocked} {
		t.Run(string(cause), func(t *testing.T) {
			w := newEnv(t, fake(fakeagent.Script{}), func(_ *env, cfg *agent.Config) {
				cfg.Launch = func(context.Context) (agent.Launch, *agent.LaunchError) {
					return agent.Launch{}, &agent.LaunchError{Cause: cause, Message: backend.Plain("Why.")}
				}
			})
			tu := w.start(backend.SessionMain, "go")
			c := w.waitForState(backend.ConnectionNeedsLogin)
			equal(t, "cause", c.Cause, cause)
			equal(t, "message", c.Message.String(), "Why.")
			tu.cancel()
			w.expectEnd(tu, backend.TurnStopped)
		})
	}
}

func TestSignIn_AgentWithOwnLoginHandlesIt(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	for name, change := range map[string]func(*env, *agent.Config){"nobody says why": nil, "it is not ours to say": withSignInReason(backend.CauseNotSignedIn, "", &asked)} {
		t.Run(name, func(t *testing.T) {
			w := newEnv(t, fake(fakeagent.Script{Title: "Other", Refuse: map[string]int{"session/new": -32000}}), change)
			tu := w.start(backend.SessionMain, "go")
			c := w.waitForState(backend.ConnectionNeedsLogin)
			equal(t, "message", c.Message.String(), "Other needs you to sign in. Use its own program to sign in, then choose “Check again”. Your message is saved and will be sent then.")
			tu.cancel()
			w.expectEnd(tu, backend.TurnStopped)
		})
	}
}

func TestToken_WithoutAccessReported(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	w := newEnv(t, launchRefusing("session/new", "", ""), withSignInReason(backend.CauseNoAccess, "octocat has no Copilot access.", &asked))
	tu := w.start(backend.SessionMain, "go")
	c := w.waitForState(backend.ConnectionNeedsLogin)
	equal(t, "cause", c.Cause, backend.CauseNoAccess)
	equal(t, "message", c.Message.String(), "octocat has no Copilot access.")
	tu.cancel()
	w.expectEnd(tu, backend.TurnStopped)
}

func TestGitHub_UnreachablePostponesStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	signedIn, file := filepath.Join(dir, "signed-in"), filepath.Join(dir, "calls")
	var online atomic.Bool
	launch := func(w *env) agent.Launch {
		l := launchRefusing("session/new", signedIn, file)(w)
		l.Unreached = !online.Load()
		return l
	}
	var asked atomic.Int32
	w := newEnv(t, launch, withSignInReason(backend.CauseOffline, "Can't reach GitHub.", &asked))
	tu := w.start(backend.SessionMain, "go")
	w.waitFor("three tries", func(events []backend.Event) bool {
		for _, e := range events {
			c := e.Connection
			if c == nil || c.State != backend.ConnectionWaiting {
				continue
			}
			if c.Cause != backend.CauseOffline || c.PID != 0 || c.Attempts != 0 || c.NextTryAt == 0 {
				w.t.Fatalf("while GitHub is out of reach: %+v", c)
			}
			if c.Attempt == 3 {
				return true
			}
		}
		return false
	})
	w.agent.Retry() // a retry by the user can't start it either
	w.waitFor("another try", func(events []backend.Event) bool {
		first := 0
		for _, e := range events {
			if e.Connection != nil && e.Connection.State == backend.ConnectionWaiting && e.Connection.Attempt == 1 {
				first++
			}
		}
		return first == 2
	})
	equal(t, "starts", len(calls(t, file, "initialize")), 1)
	equal(t, "times asked", asked.Load(), 1)

	noErr(t, os.WriteFile(signedIn, nil, 0o600))
	online.Store(true)
	w.expectEnd(tu, backend.TurnDone) // without a retry by the user
	equal(t, "said", w.answerText(tu), "ok")
	equal(t, "starts", len(calls(t, file, "initialize")), 2)
	equalDeep(t, "banners", w.banners(), []backend.BannerKind(nil))
}

func TestToken_ReplacedRestartsAgent(t *testing.T) {
	t.Parallel()
	var fresh atomic.Bool
	w := newEnv(t, func(w *env) agent.Launch {
		if fresh.Load() {
			return fake(fakeagent.Script{})(w)
		}
		return launchRefusing("session/prompt", "", "")(w)
	}, func(_ *env, cfg *agent.Config) {
		cfg.SignInCause = func(context.Context) (backend.Cause, backend.Message) {
			fresh.Store(true)
			return backend.CauseNone, backend.Message{}
		}
	})
	w.promptAndExpect("go", backend.TurnDone)
	equalDeep(t, "states", w.states(), []backend.ConnectionState{
		backend.ConnectionChecking, backend.ConnectionStarting, backend.ConnectionRestoring, backend.ConnectionReady, backend.ConnectionWaiting,
		backend.ConnectionChecking, backend.ConnectionStarting, backend.ConnectionRestoring, backend.ConnectionReady,
	})
	equalDeep(t, "banners", w.banners(), []backend.BannerKind(nil))
}

func TestGitHub_UnreachableAllowsUncheckedStart(t *testing.T) {
	t.Parallel()
	w := newEnv(t, func(w *env) agent.Launch {
		l := fake(fakeagent.Script{})(w)
		l.Unreached = true
		return l
	}, nil)
	w.promptAndExpect("go", backend.TurnDone)
	equal(t, "the token is known to be good", w.agent.Connection().TokenChecked, false)
}

func TestSignIn_RequiredSendsNothingMore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	signedIn, file := filepath.Join(dir, "signed-in"), filepath.Join(dir, "calls")
	asked, answer := make(chan bool, 2), make(chan bool)
	w := newEnv(t, launchRefusing("session/new", signedIn, file), func(_ *env, cfg *agent.Config) {
		cfg.SignInCause = func(ctx context.Context) (backend.Cause, backend.Message) {
			asked <- true
			select {
			case <-answer:
			case <-ctx.Done():
			}
			return backend.CauseNotSignedIn, backend.Plain("Why.")
		}
	})
	tu := w.start(backend.SessionMain, "go")
	<-asked
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := w.agent.SetMode(ctx, "other", "plan"); backend.CodeOf(err) != backend.CodeUnavailable || !strings.Contains(err.Error(), "still starting") {
		t.Errorf("a call while the sign-in is looked into: %v", err)
	}
	equal(t, "sessions asked for", len(calls(t, file, "session/new")), 1)
	answer <- true
	w.waitForState(backend.ConnectionNeedsLogin)
	noErr(t, os.WriteFile(signedIn, nil, 0o600))
	w.agent.Retry()
	w.expectEnd(tu, backend.TurnDone)
	equal(t, "sessions asked for", len(calls(t, file, "session/new")), 2)
	equal(t, "times asked again", len(asked), 0)
}

func TestClose_DoesNotWaitForSignInReason(t *testing.T) {
	t.Parallel()
	asked := make(chan bool, 1)
	w := newEnv(t, launchRefusing("session/new", "", ""), func(_ *env, cfg *agent.Config) {
		cfg.SignInCause = func(ctx context.Context) (backend.Cause, backend.Message) {
			asked <- true
			<-ctx.Done()
			return backend.CauseOffline, backend.Plain("Why.")
		}
	})
	tu := w.start(backend.SessionMain, "go")
	<-asked
	w.close()
	w.expectEnd(tu, backend.TurnStopped)
}
