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

// heldAt gives the chat an agent whose start blocks until goOn is called. known is
// closed once the launch parameters or the launch error are known.
func (w *window) heldAt(chat backend.Chat) (known <-chan struct{}, goOn func()) {
	w.T.Helper()
	e, err := w.App.Engine()
	must(w.T, err)
	reached, free := make(chan struct{}), make(chan struct{})
	var once, freed sync.Once
	goOn = func() { freed.Do(func() { close(free) }) }
	w.T.Cleanup(goOn)
	e.StartHeld(chat, func() {
		once.Do(func() {
			close(reached)
			<-free
		})
	})
	return reached, goOn
}

func TestSignIn_DuringRefusalNotMissed(t *testing.T) {
	gh := fakeGitHub(t)
	t.Setenv(copilot.PathVar, apptest.Player(t, fakeagent.Script{}))
	w := openWindow(t, t.TempDir())
	chat := w.Chat(backend.ProviderCopilot)
	refused, goOn := w.heldAt(chat)
	w.Send(chat, "go")
	<-refused
	w.signIn(gh, newToken)
	goOn()
	w.Done("the turn", 1)
}

func TestSignOut_DuringStartStopsAgent(t *testing.T) {
	gh := fakeGitHub(t)
	t.Setenv(copilot.PathVar, apptest.Player(t, fakeagent.Script{}))
	w := openWindow(t, t.TempDir())
	w.signIn(gh, newToken)
	chat := w.Chat(backend.ProviderCopilot)
	checked, goOn := w.heldAt(chat)
	w.Send(chat, "go")
	<-checked
	must(t, w.App.SignOut())
	goOn()
	w.Until("the turn is stopped", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State != backend.TurnRunning })
	for _, e := range w.Events() {
		if e.Connection != nil && e.Connection.State == backend.ConnectionStarting {
			t.Error("an agent was started with a token that was signed out")
		}
	}
}

func TestSignOut_StopsAgentWithEarlierToken(t *testing.T) {
	gh := fakeGitHub(t)
	program := apptest.Player(t, fakeagent.Script{})
	w := openWindow(t, t.TempDir())
	w.signIn(gh, newToken)
	for _, change := range []func(backend.CustomAgent){
		func(p backend.CustomAgent) {
			p.GitHub = false
			_, err := w.App.SaveProfile(p, nil)
			must(t, err)
		},
		func(p backend.CustomAgent) { must(t, w.App.DeleteProfile(p.ID)) },
	} {
		p, err := w.App.SaveProfile(backend.CustomAgent{Name: "Other", Command: program, GitHub: true}, nil)
		must(t, err)
		chat := w.Chat(p.ID)
		w.Send(chat, "go")
		_, seen := w.connection(chat, 0, "it is ready", func(c backend.Connection) bool { return c.State == backend.ConnectionReady })
		w.Until("the turn", func(e backend.Event) bool {
			return e.Turn != nil && e.Turn.ChatID == chat.ID && e.Turn.State == backend.TurnDone
		})
		change(p)
		must(t, w.App.SignOut())
		w.connection(chat, seen, "it is stopped", func(c backend.Connection) bool { return c.State == backend.ConnectionIdle && c.PID == 0 })
		w.signIn(gh, newToken)
	}
}

func TestToken_RenewedRestartsAgentOnce(t *testing.T) {
	gh := fakeGitHub(t)
	ready, calls := filepath.Join(t.TempDir(), "ready"), filepath.Join(t.TempDir(), "calls")
	t.Setenv(copilot.PathVar, apptest.Player(t, fakeagent.Script{Calls: calls, Turns: []fakeagent.Turn{
		{fakeagent.Say("half"), fakeagent.WaitFor(ready), fakeagent.Fail(-32000, "Authentication required")}, {fakeagent.Say("whole")}, {fakeagent.Say("more")},
	}}))
	w := openWindow(t, t.TempDir())
	must(t, w.App.SignIn())
	w.Until("a code", func(e backend.Event) bool { return e.SignIn != nil && e.SignIn.Code != "" })
	must(t, gh.Approve(fakegithub.Approval{User: octocat, Token: "ghu_marked0000000000000000000000000000old", ExpiresIn: 28800}))
	w.Until("the sign-in", func(e backend.Event) bool { return e.SignIn != nil && e.SignIn.State == backend.SignInDone })
	t.Cleanup(func() { _ = w.App.SignOut() })
	chat := w.Chat(backend.ProviderCopilot)
	w.Send(chat, "one")
	w.Until("the first piece", func(e backend.Event) bool { return e.Text != nil && e.Text.Text == "half" })
	gh.End("ghu_marked0000000000000000000000000000old")
	must(t, os.WriteFile(ready, nil, 0o600))
	w.Until("the turn fails", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State == backend.TurnFailed })
	for n := 1; n <= 2; n++ {
		w.Send(chat, "go on")
		done := map[string]bool{}
		w.Until("a turn after it", func(e backend.Event) bool {
			if e.Turn != nil && e.Turn.State == backend.TurnDone {
				done[e.Turn.ID] = true
			}
			return len(done) == n
		})
	}
	data, err := os.ReadFile(calls)
	must(t, err)
	if n := strings.Count(string(data), `"initialize"`); n != 2 {
		t.Errorf("it was started %d times, want twice", n)
	}
}
