package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestWhatIsKnownIsOnTheDiskBeforeASleep(t *testing.T) {
	playing(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("an answer")}})
	dir, copied := t.TempDir(), t.TempDir()
	w := openWindow(t, dir)
	chat := w.chat(backend.ProviderCopilot)
	w.send(chat, "a question")
	w.done("the turn", 1)
	w.app.saveTime = time.Minute
	w.app.powerEvents().Sleep()
	// The file alone, without its log: as it is after a sleep in which the
	// computer has lost its power.
	b, err := os.ReadFile(filepath.Join(dir, "voxpilot.db"))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(copied, "voxpilot.db"), b, 0o600))
	again := openWindow(t, copied)
	if got := again.text(chat.ID, backend.ItemMessage); len(got) != 1 || got[0] != "an answer" {
		t.Errorf("the answer is %q", got)
	}
}

func TestTheEndOfTheSessionQuitsWithoutAQuestion(t *testing.T) {
	w, _ := atWork(t)
	quit := make(chan struct{})
	w.atDesk(func(d *desktop) { d.quit = func() { close(quit) } })
	w.app.powerEvents().Ending()
	<-quit
	if w.app.beforeClose(t.Context()) {
		t.Error("the window stays")
	}
}

func TestTheSignInIsLookedAtAfterASleepAndOnAnotherNetwork(t *testing.T) {
	gh := fakeGitHub(t)
	gh.Grant(oldToken, octocat)
	t.Setenv("GH_TOKEN", oldToken)
	playing(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("hello")}})
	w := openWindow(t, t.TempDir())
	w.account("the token is known", func(a backend.Account) bool { return a.State == backend.AccountValid })
	gh.Revoke(oldToken)
	w.app.powerEvents().Resume()
	w.account("the token is refused", func(a backend.Account) bool { return a.State == backend.AccountExpired })
	chat := w.chat(backend.ProviderCopilot)
	w.send(chat, "go")
	w.connection(chat, 0, "the agent waits for a sign-in", needsLogin)
	gh.Grant(oldToken, octocat)
	w.app.powerEvents().NetworkChanged()
	w.done("the message goes out", 1)
}
