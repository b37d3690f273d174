package engine_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/environment"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
	"github.com/voxpilot/voxpilot/internal/fakegithub"
)

// pauseStart gives the chat an agent that doesn't start until resume is called. The returned channel is closed when the
// launch parameters, or the reason why there are none, have been determined.
func (w *appEnv) pauseStart(chat backend.Chat) (known <-chan struct{}, resume func()) {
	w.T.Helper()
	e, err := w.App.Engine()
	noErr(w.T, err)
	reached, free := make(chan struct{}), make(chan struct{})
	var once, freed sync.Once
	resume = func() { freed.Do(func() { close(free) }) }
	w.T.Cleanup(resume)
	e.StartPaused(chat, func() {
		once.Do(func() {
			close(reached)
			<-free
		})
	})
	return reached, resume
}

func TestSignIn_DuringRefusalNotMissed(t *testing.T) {
	gh := fakeGitHub(t)
	t.Setenv(copilot.PathVar, apptest.FakeAgentProgram(t, fakeagent.Script{}))
	w := newAppEnv(t, t.TempDir())
	chat := w.Chat(backend.ProviderCopilot)
	refused, resume := w.pauseStart(chat)
	w.Send(chat, "go")
	<-refused
	w.signIn(gh, newToken)
	resume()
	w.WaitForDone("the turn", 1)
}

func TestSignOut_DuringStartStopsAgent(t *testing.T) {
	gh := fakeGitHub(t)
	t.Setenv(copilot.PathVar, apptest.FakeAgentProgram(t, fakeagent.Script{}))
	w := newAppEnv(t, t.TempDir())
	w.signIn(gh, newToken)
	chat := w.Chat(backend.ProviderCopilot)
	checked, resume := w.pauseStart(chat)
	w.Send(chat, "go")
	<-checked
	noErr(t, w.App.SignOut())
	resume()
	w.WaitFor("the turn is stopped", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State != backend.TurnRunning })
	for _, e := range w.Events() {
		if e.Connection != nil && e.Connection.State == backend.ConnectionStarting {
			t.Error("an agent was started with a token that was signed out")
		}
	}
}

func TestSignOut_StopsAgentWithEarlierToken(t *testing.T) {
	gh := fakeGitHub(t)
	program := apptest.FakeAgentProgram(t, fakeagent.Script{})
	w := newAppEnv(t, t.TempDir())
	w.signIn(gh, newToken)
	for _, change := range []func(backend.CustomAgent){
		func(p backend.CustomAgent) {
			p.GitHub = false
			_, err := w.App.SaveProfile(p, nil)
			noErr(t, err)
		},
		func(p backend.CustomAgent) { noErr(t, w.App.DeleteProfile(p.ID)) },
	} {
		p, err := w.App.SaveProfile(backend.CustomAgent{Name: "Other", Command: program, GitHub: true}, nil)
		noErr(t, err)
		chat := w.Chat(p.ID)
		w.Send(chat, "go")
		_, seen := w.waitForConnection(chat, 0, "it is ready", func(c backend.Connection) bool { return c.State == backend.ConnectionReady })
		w.WaitFor("the turn", func(e backend.Event) bool {
			return e.Turn != nil && e.Turn.ChatID == chat.ID && e.Turn.State == backend.TurnDone
		})
		change(p)
		noErr(t, w.App.SignOut())
		w.waitForConnection(chat, seen, "it is stopped", func(c backend.Connection) bool { return c.State == backend.ConnectionIdle && c.PID == 0 })
		w.signIn(gh, newToken)
	}
}

func TestToken_RenewedRestartsAgentOnce(t *testing.T) {
	gh := fakeGitHub(t)
	ready, calls := filepath.Join(t.TempDir(), "ready"), filepath.Join(t.TempDir(), "calls")
	t.Setenv(copilot.PathVar, apptest.FakeAgentProgram(t, fakeagent.Script{Calls: calls, Turns: []fakeagent.Turn{
		{fakeagent.Say("half"), fakeagent.WaitFor(ready), fakeagent.Fail(-32000, "Authentication required")}, {fakeagent.Say("whole")}, {fakeagent.Say("more")},
	}}))
	w := newAppEnv(t, t.TempDir())
	noErr(t, w.App.SignIn())
	w.WaitFor("a code", func(e backend.Event) bool { return e.SignIn != nil && e.SignIn.Code != "" })
	noErr(t, gh.Approve(fakegithub.Approval{User: octocat, Token: "ghu_marked0000000000000000000000000000old", ExpiresIn: 28800}))
	w.WaitFor("the sign-in", func(e backend.Event) bool { return e.SignIn != nil && e.SignIn.State == backend.SignInDone })
	t.Cleanup(func() { _ = w.App.SignOut() })
	chat := w.Chat(backend.ProviderCopilot)
	w.Send(chat, "one")
	w.WaitFor("the first piece", func(e backend.Event) bool { return e.Text != nil && e.Text.Text == "half" })
	gh.End("ghu_marked0000000000000000000000000000old")
	noErr(t, os.WriteFile(ready, nil, 0o600))
	w.WaitFor("the turn fails", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State == backend.TurnFailed })
	for n := 1; n <= 2; n++ {
		w.Send(chat, "go on")
		done := map[string]bool{}
		w.WaitFor("a turn after it", func(e backend.Event) bool {
			if e.Turn != nil && e.Turn.State == backend.TurnDone {
				done[e.Turn.ID] = true
			}
			return len(done) == n
		})
	}
	data, err := os.ReadFile(calls)
	noErr(t, err)
	if n := strings.Count(string(data), `"initialize"`); n != 2 {
		t.Errorf("it was started %d times, want twice", n)
	}
}

func TestSignIn_SendsWaitingToRestoredSession(t *testing.T) {
	gh := fakeGitHub(t)
	calls := filepath.Join(t.TempDir(), "calls")
	program, envFile := newRecordingAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("to $PROMPT")}, Calls: calls})
	t.Setenv(copilot.PathVar, program)
	starts := func() int {
		data, _ := os.ReadFile(calls) // may not exist yet
		return strings.Count(string(data), `"initialize"`)
	}
	w := newAppEnv(t, t.TempDir())
	chat := w.Chat(backend.ProviderCopilot)

	w.Send(chat, "one")
	c, seen := w.waitForConnection(chat, 0, "a sign-in is asked for", needsLogin)
	if c.Cause != backend.CauseNotSignedIn || c.PID != 0 || starts() != 0 {
		t.Errorf("without an account, %d starts: %+v", starts(), c)
	}
	w.signIn(gh, oldToken)
	w.WaitForDone("the first turn", 1)
	env, err := os.ReadFile(envFile)
	noErr(t, err)
	if !strings.Contains(string(env), environment.TokenVar+"="+oldToken+"\n") {
		t.Error("the agent has not got the token")
	}
	a := w.waitForAccount("who it is", func(a backend.Account) bool { return a.State == backend.AccountValid })
	if a.Login != octocat.Login || a.Source != backend.SourceStored {
		t.Errorf("the account is %+v", a)
	}
	c, seen = w.waitForConnection(chat, seen, "it is ready", func(c backend.Connection) bool { return c.State == backend.ConnectionReady })
	if !c.TokenChecked {
		t.Error("the token does not count as checked")
	}

	gh.Revoke(oldToken)
	endProcess(t, c.PID)
	c, _ = w.waitForConnection(chat, seen, "the revoked token is noticed", needsLogin)
	if c.Cause != backend.CauseNotSignedIn || starts() != 1 {
		t.Errorf("with a revoked token, %d starts: %+v", starts(), c)
	}
	w.Send(chat, "two")
	w.Send(chat, "three")
	w.signIn(gh, newToken)
	w.WaitForDone("what waited", 3)
	if got := w.Text(chat.ID, backend.ItemMessage); !slices.Equal(got, []string{"to one", "to two", "to three"}) {
		t.Errorf("the answers are %q", got)
	}
	if env, err = os.ReadFile(envFile); err != nil || !strings.Contains(string(env), newToken) || strings.Contains(string(env), oldToken) {
		t.Errorf("the agent has not got the new token: %v", err)
	}
	ids := map[string]bool{}
	for _, e := range w.Events() {
		if e.Session != nil {
			ids[e.Session.ACPID] = true
		}
	}
	if len(ids) != 1 {
		t.Errorf("the sessions are %v", ids)
	}
}

func TestSignIn_ConcurrentChatsCheckOnce(t *testing.T) {
	gh := fakeGitHub(t)
	gh.Grant(oldToken, octocat)
	t.Setenv("GH_TOKEN", oldToken)
	t.Setenv(copilot.PathVar, apptest.FakeAgentProgram(t, fakeagent.Script{}))
	w := newAppEnv(t, t.TempDir())
	w.waitForAccount("the first check", func(a backend.Account) bool { return a.State == backend.AccountValid })
	before := len(gh.Requests("/user"))
	hold := gh.Hold()
	defer hold.Release()
	chats := []backend.Chat{w.Chat(backend.ProviderCopilot), w.Chat(backend.ProviderCopilot), w.Chat(backend.ProviderCopilot)}
	for _, chat := range chats {
		w.Send(chat, "go")
	}
	for _, chat := range chats {
		w.waitForConnection(chat, 0, "it checks", func(c backend.Connection) bool { return c.State == backend.ConnectionChecking })
	}
	hold.Release()
	w.WaitForDone("all turns", len(chats))
	// A check that starts during another request may require a second one.
	if n := len(gh.Requests("/user")) - before; n < 1 || n > 2 {
		t.Errorf("GitHub was asked %d times for %d chats", n, len(chats))
	}
}

func TestSignIn_InOneChatReleasesAll(t *testing.T) {
	gh := fakeGitHub(t)
	t.Setenv(copilot.PathVar, apptest.FakeAgentProgram(t, fakeagent.Script{}))
	w := newAppEnv(t, t.TempDir())
	chats := []backend.Chat{w.Chat(backend.ProviderCopilot), w.Chat(backend.ProviderCopilot)}
	for _, chat := range chats {
		w.Send(chat, "go")
		w.waitForConnection(chat, 0, "a sign-in is asked for", needsLogin)
	}
	w.signIn(gh, newToken)
	w.WaitForDone("both turns", len(chats))
}

func TestSignIn_LossDuringTurnPausesQueue(t *testing.T) {
	gh := fakeGitHub(t)
	gh.Grant(oldToken, octocat)
	t.Setenv("GH_TOKEN", oldToken)
	ready := filepath.Join(t.TempDir(), "ready")
	t.Setenv(copilot.PathVar, apptest.FakeAgentProgram(t, fakeagent.Script{Turns: []fakeagent.Turn{
		{fakeagent.Say("half"), fakeagent.WaitFor(ready), fakeagent.Fail(-32000, "Authentication required")}, {fakeagent.Say("whole")},
	}}))
	w := newAppEnv(t, t.TempDir())
	chat := w.Chat(backend.ProviderCopilot)
	w.Send(chat, "one")
	w.WaitFor("the first piece", func(e backend.Event) bool { return e.Text != nil && e.Text.Text == "half" })
	w.Send(chat, "two")
	gh.Revoke(oldToken)
	noErr(t, os.WriteFile(ready, nil, 0o600))
	first := w.WaitFor("the turn fails", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State == backend.TurnFailed }).Turn
	if first.Error == nil || first.Error.Code != backend.CodeAuth {
		t.Errorf("the turn: %+v", first.Error)
	}
	w.waitForConnection(chat, 0, "a sign-in is asked for", needsLogin)
	w.signIn(gh, newToken) // replaces the token from the environment variable
	w.WaitFor("what was queued", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State == backend.TurnDone })
	if got := w.Text(chat.ID, backend.ItemMessage); !slices.Equal(got, []string{"half", "whole"}) {
		t.Errorf("the answers are %q", got)
	}
	for _, e := range w.Events() {
		if e.Queued != nil && e.Queued.Paused {
			t.Error("the queue was paused")
		}
	}
}

func TestSignIn_ModelRefusesToken(t *testing.T) {
	gh := fakeGitHub(t)
	gh.Grant(oldToken, octocat)
	t.Setenv("GH_TOKEN", oldToken)
	t.Setenv(copilot.PathVar, apptest.FakeAgentProgram(t, fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("hello")}, {fakeagent.Say("Error: 401 Unauthorized")}}}))
	w := newAppEnv(t, t.TempDir())
	chat := w.Chat(backend.ProviderCopilot)
	w.Send(chat, "one")
	w.WaitForDone("the turn", 1)
	gh.Revoke(oldToken)
	w.Send(chat, "two")
	w.WaitFor("the turn fails", func(e backend.Event) bool {
		return e.Turn != nil && e.Turn.Error != nil && e.Turn.Error.Code == backend.CodeModel
	})
	a := w.waitForAccount("the token is refused", func(a backend.Account) bool { return a.State == backend.AccountExpired })
	if a.Source != backend.SourceEnv || a.Variable != "GH_TOKEN" {
		t.Errorf("the account is %+v", a)
	}
}
