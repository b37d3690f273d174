package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
	"github.com/voxpilot/voxpilot/internal/fakegithub"
)

// heldAt gives the chat an agent whose start stops when it is known what it is to
// be started with, or why it is not, and goes on with go.
func (w *window) heldAt(chat backend.Chat) (known <-chan struct{}, goOn func()) {
	w.t.Helper()
	e, err := w.app.engine()
	must(w.t, err)
	cfg := e.agents.config(chat, nil, nil)
	launch, reached, free := cfg.Launch, make(chan struct{}), make(chan struct{})
	var once, freed sync.Once
	cfg.Launch = func(ctx context.Context) (agent.Launch, *agent.LaunchError) {
		l, lerr := launch(ctx)
		once.Do(func() {
			close(reached)
			<-free
		})
		return l, lerr
	}
	goOn = func() { freed.Do(func() { close(free) }) }
	w.t.Cleanup(goOn)
	e.agents.mu.Lock()
	defer e.agents.mu.Unlock()
	e.agents.byChat[chat.ID] = agent.New(cfg)
	return reached, goOn
}

func TestASignInInTheMomentOfARefusalIsNotMissed(t *testing.T) {
	gh := fakeGitHub(t)
	t.Setenv(copilot.PathVar, player(t, fakeagent.Script{}))
	w := openWindow(t, t.TempDir())
	chat := w.chat(backend.ProviderCopilot)
	refused, goOn := w.heldAt(chat)
	w.send(chat, "go")
	<-refused
	w.signIn(gh, newToken)
	goOn()
	w.done("the turn", 1)
}

func TestASignOutInTheMomentOfAStartStopsItToo(t *testing.T) {
	gh := fakeGitHub(t)
	t.Setenv(copilot.PathVar, player(t, fakeagent.Script{}))
	w := openWindow(t, t.TempDir())
	w.signIn(gh, newToken)
	chat := w.chat(backend.ProviderCopilot)
	checked, goOn := w.heldAt(chat)
	w.send(chat, "go")
	<-checked
	must(t, w.app.SignOut())
	goOn()
	w.until("the turn is stopped", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State != backend.TurnRunning })
	for _, e := range w.events() {
		if e.Connection != nil && e.Connection.State == backend.Starting {
			t.Error("an agent was started with a token that was signed out")
		}
	}
}

func TestSigningOutStopsAnAgentThatWasGivenTheTokenBefore(t *testing.T) {
	gh := fakeGitHub(t)
	program := player(t, fakeagent.Script{})
	w := openWindow(t, t.TempDir())
	w.signIn(gh, newToken)
	for _, change := range []func(backend.Profile){
		func(p backend.Profile) {
			p.GitHub = false
			_, err := w.app.SaveProfile(p, nil)
			must(t, err)
		},
		func(p backend.Profile) { must(t, w.app.DeleteProfile(p.ID)) },
	} {
		p, err := w.app.SaveProfile(backend.Profile{Name: "Other", Command: program, GitHub: true}, nil)
		must(t, err)
		chat := w.chat(p.ID)
		w.send(chat, "go")
		_, seen := w.connection(chat, 0, "it is ready", func(c backend.Connection) bool { return c.State == backend.Ready })
		w.until("the turn", func(e backend.Event) bool {
			return e.Turn != nil && e.Turn.ChatID == chat.ID && e.Turn.State == backend.TurnDone
		})
		change(p)
		must(t, w.app.SignOut())
		w.connection(chat, seen, "it is stopped", func(c backend.Connection) bool { return c.State == backend.Idle && c.PID == 0 })
		w.signIn(gh, newToken)
	}
}

func TestAnAgentThatStartedAfreshForARenewedTokenDoesNotDoSoAgain(t *testing.T) {
	gh := fakeGitHub(t)
	ready, calls := filepath.Join(t.TempDir(), "ready"), filepath.Join(t.TempDir(), "calls")
	t.Setenv(copilot.PathVar, player(t, fakeagent.Script{Calls: calls, Turns: []fakeagent.Turn{
		{fakeagent.Say("half"), fakeagent.WaitFor(ready), fakeagent.Fail(-32000, "Authentication required")}, {fakeagent.Say("whole")}, {fakeagent.Say("more")},
	}}))
	w := openWindow(t, t.TempDir())
	must(t, w.app.SignIn())
	w.until("a code", func(e backend.Event) bool { return e.SignIn != nil && e.SignIn.Code != "" })
	must(t, gh.Approve(fakegithub.Approval{User: octocat, Token: "ghu_marked0000000000000000000000000000old", ExpiresIn: 28800}))
	w.until("the sign-in", func(e backend.Event) bool { return e.SignIn != nil && e.SignIn.State == backend.SignInDone })
	t.Cleanup(func() { _ = w.app.SignOut() })
	chat := w.chat(backend.ProviderCopilot)
	w.send(chat, "one")
	w.until("the first piece", func(e backend.Event) bool { return e.Text != nil && e.Text.Text == "half" })
	gh.End("ghu_marked0000000000000000000000000000old")
	must(t, os.WriteFile(ready, nil, 0o600))
	w.until("the turn fails", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State == backend.TurnFailed })
	for n := 1; n <= 2; n++ {
		w.send(chat, "go on")
		done := map[string]bool{}
		w.until("a turn after it", func(e backend.Event) bool {
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
