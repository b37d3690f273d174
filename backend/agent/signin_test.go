package agent_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// refusing returns an agent that responds to method with -32000 until the file signedIn
// exists. It has a unique version, so that methods learned from other agents don't
// apply.
func refusing(method, signedIn, calls string) func(*world) agent.Launch {
	return fake(fakeagent.Script{Version: "0.0.1+" + method, Refuse: map[string]int{method: -32000}, RefuseUntil: signedIn, Calls: calls, Declares: declared})
}

// because makes the app return the cause when the agent wants a sign-in. asked counts
// the calls.
func because(cause backend.Cause, message string, asked *atomic.Int32) func(*world, *agent.Config) {
	return func(_ *world, cfg *agent.Config) {
		cfg.SignInCause = func(context.Context) (backend.Cause, backend.Message) {
			asked.Add(1)
			return cause, backend.Plain(message)
		}
	}
}

func TestSignIn_RequiredAnywhereLosesNothing(t *testing.T) {
	t.Parallel()
	prompt := func(w *world) func() {
		tu := w.start(backend.SessionMain, "go")
		return func() {
			w.mustEnd(tu, backend.TurnDone)
			equal(t, "said", w.said(tu), "ok")
		}
	}
	refused := func(w *world, err error) func() {
		w.t.Helper()
		equal(w.t, "code", backend.CodeOf(err), backend.CodeAuth)
		return func() { w.must("go", backend.TurnDone) }
	}
	for _, c := range []struct {
		method string
		before bool // a session of an earlier process exists
		do     func(w *world) (then func())
	}{
		{"initialize", false, prompt},
		{"session/new", false, prompt},
		{"session/prompt", false, prompt},
		{"session/list", true, prompt},
		{"session/load", true, prompt},
		{"session/set_mode", false, func(w *world) func() {
			w.must("before", backend.TurnDone)
			return refused(w, w.agent.SetMode(context.Background(), backend.SessionMain, w.session().Modes[1].ID))
		}},
		{"session/set_config_option", false, func(w *world) func() {
			w.must("before", backend.TurnDone)
			return refused(w, w.agent.SetOption(context.Background(), backend.SessionMain, "model", "m2"))
		}},
		{"session/fork", false, func(w *world) func() {
			w.must("before", backend.TurnDone)
			_, err := w.agent.Fork(context.Background(), backend.SessionMain, "copy")
			return refused(w, err)
		}},
		{"session/close", false, func(w *world) func() {
			w.must("before", backend.TurnDone)
			return refused(w, w.agent.CloseSession(context.Background(), backend.SessionMain))
		}},
	} {
		t.Run(c.method, func(t *testing.T) {
			signedIn := filepath.Join(t.TempDir(), "signed-in")
			var asked atomic.Int32
			change := because(backend.CauseNotSignedIn, "The token has been revoked.", &asked)
			w, id := emptyWorld(t), ""
			if c.before {
				w.open(fake(fakeagent.Script{}), nil)
				w.must("before", backend.TurnDone)
				id = w.session().ACPID
				w.close()
			}
			w.open(refusing(c.method, signedIn, ""), change)
			then := c.do(w)
			conn := w.waitState(backend.ConnectionNeedsLogin)
			equal(t, "cause", conn.Cause, backend.CauseNotSignedIn)
			equal(t, "message", conn.Message.String(), "The token has been revoked.")
			equal(t, "process", conn.PID, 0) // a running process wouldn't notice a sign-in
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
	w := newWorld(t, refusing("session/new", signedIn, ""), nil)
	tu := w.start(backend.SessionMain, "go")
	equal(t, "cause", w.waitState(backend.ConnectionNeedsLogin).Cause, backend.CauseNotSignedIn)
	w.agent.Retry()
	w.wait("a second refusal", func(events []backend.Event) bool {
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
	w.mustEnd(tu, backend.TurnDone)
}

func TestToken_CheckedBeforeEveryStart(t *testing.T) {
	t.Parallel()
	var checks atomic.Int32
	var bad atomic.Bool
	bad.Store(true)
	file := filepath.Join(t.TempDir(), "calls")
	w := newWorld(t, fake(fakeagent.Script{Calls: file}), func(_ *world, cfg *agent.Config) {
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
	c := w.waitState(backend.ConnectionNeedsLogin)
	equal(t, "cause", c.Cause, backend.CauseNotSignedIn)
	equal(t, "message", c.Message.String(), "The token has been revoked.")
	if _, err := os.Stat(file); err == nil {
		t.Error("the agent was started")
	}
	bad.Store(false)
	w.agent.Retry()
	w.mustEnd(tu, backend.TurnDone)
	kill(t, w.agent.Connection().PID)
	w.waitBanner(backend.BannerRestored)
	equal(t, "checks", checks.Load(), 3)
	equal(t, "starts", len(calls(t, file, "initialize")), 2)

	bad.Store(true)
	kill(t, w.waitState(backend.ConnectionReady).PID)
	w.waitState(backend.ConnectionNeedsLogin)
	equal(t, "checks", checks.Load(), 4)
	equal(t, "starts", len(calls(t, file, "initialize")), 2)
}

func TestToken_UnavailableReportsReason(t *testing.T) {
	t.Parallel()
	for _, cause := range []backend.Cause{backend.CauseNotSignedIn, backend.CauseNoAccess, backend.CauseLocked} {
		t.Run(string(cause), func(t *testing.T) {
			w := newWorld(t, fake(fakeagent.Script{}), func(_ *world, cfg *agent.Config) {
				cfg.Launch = func(context.Context) (agent.Launch, *agent.LaunchError) {
					return agent.Launch{}, &agent.LaunchError{Cause: cause, Message: backend.Plain("Why.")}
				}
			})
			tu := w.start(backend.SessionMain, "go")
			c := w.waitState(backend.ConnectionNeedsLogin)
			equal(t, "cause", c.Cause, cause)
			equal(t, "message", c.Message.String(), "Why.")
			tu.cancel()
			w.mustEnd(tu, backend.TurnStopped)
		})
	}
}

func TestSignIn_AgentWithOwnLoginHandlesIt(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	for name, change := range map[string]func(*world, *agent.Config){"nobody says why": nil, "it is not ours to say": because(backend.CauseNotSignedIn, "", &asked)} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, fake(fakeagent.Script{Title: "Other", Refuse: map[string]int{"session/new": -32000}}), change)
			tu := w.start(backend.SessionMain, "go")
			c := w.waitState(backend.ConnectionNeedsLogin)
			equal(t, "message", c.Message.String(), "Other needs you to sign in. Use its own program to sign in, then choose Check again. Your message is saved and will be sent then.")
			tu.cancel()
			w.mustEnd(tu, backend.TurnStopped)
		})
	}
}

func TestToken_WithoutAccessReported(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	w := newWorld(t, refusing("session/new", "", ""), because(backend.CauseNoAccess, "octocat has no Copilot access.", &asked))
	tu := w.start(backend.SessionMain, "go")
	c := w.waitState(backend.ConnectionNeedsLogin)
	equal(t, "cause", c.Cause, backend.CauseNoAccess)
	equal(t, "message", c.Message.String(), "octocat has no Copilot access.")
	tu.cancel()
	w.mustEnd(tu, backend.TurnStopped)
}

func TestGitHub_UnreachablePostponesStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	signedIn, file := filepath.Join(dir, "signed-in"), filepath.Join(dir, "calls")
	var online atomic.Bool
	launch := func(w *world) agent.Launch {
		l := refusing("session/new", signedIn, file)(w)
		l.Unreached = !online.Load()
		return l
	}
	var asked atomic.Int32
	w := newWorld(t, launch, because(backend.CauseOffline, "GitHub cannot be reached.", &asked))
	tu := w.start(backend.SessionMain, "go")
	w.wait("three tries", func(events []backend.Event) bool {
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
	w.wait("another try", func(events []backend.Event) bool {
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
	w.mustEnd(tu, backend.TurnDone) // without a retry by the user
	equal(t, "said", w.said(tu), "ok")
	equal(t, "starts", len(calls(t, file, "initialize")), 2)
	same(t, "banners", w.banners(), []backend.BannerKind(nil))
}

func TestToken_ReplacedRestartsAgent(t *testing.T) {
	t.Parallel()
	var fresh atomic.Bool
	w := newWorld(t, func(w *world) agent.Launch {
		if fresh.Load() {
			return fake(fakeagent.Script{})(w)
		}
		return refusing("session/prompt", "", "")(w)
	}, func(_ *world, cfg *agent.Config) {
		cfg.SignInCause = func(context.Context) (backend.Cause, backend.Message) {
			fresh.Store(true)
			return backend.CauseNone, backend.Message{}
		}
	})
	w.must("go", backend.TurnDone)
	same(t, "states", w.states(), []backend.ConnectionState{
		backend.ConnectionChecking, backend.ConnectionStarting, backend.ConnectionRestoring, backend.ConnectionReady, backend.ConnectionWaiting,
		backend.ConnectionChecking, backend.ConnectionStarting, backend.ConnectionRestoring, backend.ConnectionReady,
	})
	same(t, "banners", w.banners(), []backend.BannerKind(nil))
}

func TestGitHub_UnreachableAllowsUncheckedStart(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(w *world) agent.Launch {
		l := fake(fakeagent.Script{})(w)
		l.Unreached = true
		return l
	}, nil)
	w.must("go", backend.TurnDone)
	equal(t, "the token is known to be good", w.agent.Connection().TokenChecked, false)
}

func TestSignIn_RequiredSendsNothingMore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	signedIn, file := filepath.Join(dir, "signed-in"), filepath.Join(dir, "calls")
	asked, answer := make(chan bool, 2), make(chan bool)
	w := newWorld(t, refusing("session/new", signedIn, file), func(_ *world, cfg *agent.Config) {
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
	if err := w.agent.SetMode(ctx, "other", "plan"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a call while the sign-in is looked into: %v", err)
	}
	equal(t, "sessions asked for", len(calls(t, file, "session/new")), 1)
	answer <- true
	w.waitState(backend.ConnectionNeedsLogin)
	noErr(t, os.WriteFile(signedIn, nil, 0o600))
	w.agent.Retry()
	w.mustEnd(tu, backend.TurnDone)
	equal(t, "sessions asked for", len(calls(t, file, "session/new")), 2)
	equal(t, "times asked again", len(asked), 0)
}

func TestClose_DoesNotWaitForSignInReason(t *testing.T) {
	t.Parallel()
	asked := make(chan bool, 1)
	w := newWorld(t, refusing("session/new", "", ""), func(_ *world, cfg *agent.Config) {
		cfg.SignInCause = func(ctx context.Context) (backend.Cause, backend.Message) {
			asked <- true
			<-ctx.Done()
			return backend.CauseOffline, backend.Plain("Why.")
		}
	})
	tu := w.start(backend.SessionMain, "go")
	<-asked
	w.close()
	w.mustEnd(tu, backend.TurnStopped)
}
