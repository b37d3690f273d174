package engine_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestSleep_FlushesToDisk(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("an answer")}})
	dir, copied := t.TempDir(), t.TempDir()
	w := newAppEnv(t, dir)
	chat := w.Chat(backend.ProviderCopilot)
	w.Send(chat, "a question")
	w.WaitForDone("the turn", 1)
	w.App.SetSaveTime(time.Minute)
	w.App.Save()
	// The copy has only the database file, without its WAL, as after a power loss during sleep.
	b, err := os.ReadFile(filepath.Join(dir, "voxpilot.db"))
	noErr(t, err)
	noErr(t, os.WriteFile(filepath.Join(copied, "voxpilot.db"), b, 0o600))
	again := newAppEnv(t, copied)
	if got := again.Text(chat.ID, backend.ItemMessage); len(got) != 1 || got[0] != "an answer" {
		t.Errorf("the answer is %q", got)
	}
}

func TestSignIn_CheckedAfterWakeAndNetworkChange(t *testing.T) {
	gh := fakeGitHub(t)
	gh.Grant(oldToken, octocat)
	t.Setenv("GH_TOKEN", oldToken)
	apptest.UseFakeAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("hello")}})
	w := newAppEnv(t, t.TempDir())
	w.waitForAccount("the token is known", func(a backend.Account) bool { return a.State == backend.AccountValid })
	gh.Revoke(oldToken)
	w.Engine().OnWake()
	w.waitForAccount("the token is refused", func(a backend.Account) bool { return a.State == backend.AccountExpired })
	chat := w.Chat(backend.ProviderCopilot)
	w.Send(chat, "go")
	w.waitForConnection(chat, 0, "the agent waits for a sign-in", needsLogin)
	gh.Grant(oldToken, octocat)
	w.Engine().OnWake()
	w.WaitForDone("the message goes out", 1)
}
