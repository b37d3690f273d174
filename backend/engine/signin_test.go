package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
	"github.com/voxpilot/voxpilot/internal/fakegithub"
)

// pauseStart gives the chat an agent that doesn't start until goOn is called. known is
// closed once the launch parameters or the launch error are known.
func (w *appEnv) pauseStart(chat backend.Chat) (known <-chan struct{}, goOn func()) {
	w.T.Helper()
	e, err := w.App.Engine()
	noErr(w.T, err)
	reached, free := make(chan struct{}), make(chan struct{})
	var once, freed sync.Once
	goOn = func() { freed.Do(func() { close(free) }) }
	w.T.Cleanup(goOn)
	e.StartPaused(chat, func() {
		once.Do(func() {
			close(reached)
			<-free
		})
	})
	return reached, goOn
}

func TestSignIn_DuringRefusalNotMissed(t *testing.T) {
	gh := fakeGitHub(t)
	t.Setenv(copilot.PathVar, apptest.FakeAgentProgram(t, fakeagent.Script{}))
	w := newAppEnv(t, t.TempDir())
	chat := w.Chat(backend.ProviderCopilot)
	refused, goOn := w.pauseStart(chat)
	w.Send(chat, "go")
	<-refused
	w.signIn(gh, newToken)
	goOn()
	w.WaitForDone("the turn", 1)
}

func TestSignOut_DuringStartStopsAgent(t *testing.T) {
	gh := fakeGitHub(t)
	t.Setenv(copilot.PathVar, apptest.FakeAgentProgram(t, fakeagent.Script{}))
	w := newAppEnv(t, t.TempDir())
	w.signIn(gh, newToken)
	chat := w.Chat(backend.ProviderCopilot)
	checked, goOn := w.pauseStart(chat)
	w.Send(chat, "go")
	<-checked
	noErr(t, w.App.SignOut())
	goOn()
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
