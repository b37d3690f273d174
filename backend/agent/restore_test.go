package agent_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestRestore_LostSessionReplacedWithBanner(t *testing.T) {
	t.Parallel()
	for name, harm := range map[string]func(t *testing.T, file string){
		"not there": func(t *testing.T, file string) { noErr(t, os.Remove(file)) },
		"corrupt":   func(t *testing.T, file string) { noErr(t, os.WriteFile(file, []byte("{nonsense"), 0o600)) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("one")}}}), nil)
			w.promptAndExpect("go", backend.TurnDone)
			id := w.session().ACPID
			w.close()
			harm(t, filepath.Join(w.home, "session-state", id+".json"))
			w.open(fake(fakeagent.Script{}), nil)
			w.promptAndExpect("go", backend.TurnDone)
			if w.session().ACPID == id {
				t.Error("the session has the same id")
			}
			equalDeep(t, "banners", w.banners(), []backend.BannerKind{backend.BannerSessionLost})
		})
	}
}

func TestRestore_FindsSessionOnLastPage(t *testing.T) {
	t.Parallel()
	script := fakeagent.Script{PageSize: 2}
	w := newEnv(t, fake(script), nil)
	w.promptAndExpect("go", backend.TurnDone)
	id := w.session().ACPID
	for i := range 5 {
		w.expectEnd(w.start(fmt.Sprint("other", i), "go"), backend.TurnDone)
	}
	w.close()
	w.open(fake(script), nil)
	w.promptAndExpect("go", backend.TurnDone)
	equal(t, "session", w.session().ACPID, id)
	equalDeep(t, "banners", w.banners(), []backend.BannerKind{backend.BannerResumed})
}

func TestRestore_UnpromptedSessionReplacedSilently(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{}), func(_ *env, cfg *agent.Config) {
		cfg.Sessions = []backend.Session{{ChatID: "chat", Name: backend.SessionMain, ACPID: "old", Cwd: cfg.Folder}}
	})
	w.promptAndExpect("go", backend.TurnDone)
	equalDeep(t, "banners", w.banners(), []backend.BannerKind(nil))
}

func TestRestore_ReplacementDropsOldMode(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Answer: map[string]string{"session/set_mode": `{}`}}), nil)
	noErr(t, w.agent.SetMode(t.Context(), backend.SessionMain, "plan"))
	w.agent.Stop()
	w.waitForState(backend.ConnectionIdle)
	w.promptAndExpect("go", backend.TurnDone)
	kill(t, w.agent.Connection().PID)
	w.waitForBanner(backend.BannerRestored)
}

func TestRestore_UnsupportedLoadCreatesSession(t *testing.T) {
	t.Parallel()
	script := fakeagent.Script{NoSessions: true}
	w := newEnv(t, fake(script), nil)
	w.promptAndExpect("go", backend.TurnDone)
	w.close()
	w.open(fake(script), nil)
	w.promptAndExpect("go", backend.TurnDone)
	equalDeep(t, "banners", w.banners(), []backend.BannerKind{backend.BannerSessionLost})
}

func TestRestore_UnrequestedCancelReloads(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("half"), fakeagent.Stop("cancelled")}, {fakeagent.Say("whole")}}}), nil)
	tu := w.start(backend.SessionMain, "go")
	w.expectEnd(tu, backend.TurnInterrupted)
	equalDeep(t, "banners", w.banners(), []backend.BannerKind{backend.BannerIncomplete})
	id, pid := w.session().ACPID, w.agent.Connection().PID
	equal(t, "said", w.answerText(w.promptAndExpect("go", backend.TurnDone)), "whole")
	equal(t, "session", w.session().ACPID, id)
	equal(t, "process", w.agent.Connection().PID, pid)
}

func TestRestore_LoadTimeoutDoesNotReplace(t *testing.T) {
	w := newEnv(t, fake(fakeagent.Script{}), nil)
	w.promptAndExpect("go", backend.TurnDone)
	id := w.session().ACPID
	w.close()
	agent.ShortLimits(t, 300*time.Millisecond)
	w.open(fake(fakeagent.Script{Silent: []string{"session/load"}}), nil)
	tu := w.start(backend.SessionMain, "go")
	w.waitForState(backend.ConnectionWaiting)
	tu.cancel()
	w.expectEnd(tu, backend.TurnStopped)
	equal(t, "session", w.session().ACPID, id)
	equalDeep(t, "banners", w.banners(), []backend.BannerKind(nil))
}

func TestRestore_SignInDuringLoadLosesNothing(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{}), nil)
	w.promptAndExpect("go", backend.TurnDone)
	id := w.session().ACPID
	w.close()
	signedIn := filepath.Join(t.TempDir(), "signed-in")
	w.open(fake(fakeagent.Script{Refuse: map[string]int{"session/load": -32000}, RefuseUntil: signedIn}), nil)
	tu := w.start(backend.SessionMain, "go")
	w.waitForState(backend.ConnectionNeedsLogin)
	if err := os.WriteFile(signedIn, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w.agent.Retry()
	w.expectEnd(tu, backend.TurnDone)
	equal(t, "session", w.session().ACPID, id)
	equalDeep(t, "banners", w.banners(), []backend.BannerKind{backend.BannerResumed})
}

// TestRestore_BannerIsNotLaterThanPrompt checks that the banner about an interruption isn't dated later than the next
// prompt. The store compares these times to determine which interruption a banner is about.
func TestRestore_BannerIsNotLaterThanPrompt(t *testing.T) {
	t.Parallel()
	w := newEnvWithSessions(t, backend.SessionMain)
	loads := w.path("load")
	w.open(fake(fakeagent.Script{LoadAfter: loads}), func(_ *env, cfg *agent.Config) { cfg.Interrupted = []string{backend.SessionMain} })
	w.agent.Restore()
	w.waitForState(backend.ConnectionRestoring)
	tu := w.start(backend.SessionMain, "go")
	waitFor(t, "the prompt to wait", w.agent.Working)
	w.write("load", "")
	sent := w.expectEnd(tu, backend.TurnDone).SentAt
	equalDeep(t, "banners", w.banners(), []backend.BannerKind{backend.BannerIncomplete})
	for _, it := range w.items(nil) {
		if it.Banner != nil && it.CreatedAt > sent {
			t.Errorf("the banner is of %d, after the prompt at %d", it.CreatedAt, sent)
		}
	}
}

func TestRestore_InterruptedByQuitIsIncomplete(t *testing.T) {
	t.Parallel()
	w := newEnvWithSessions(t, backend.SessionMain, "helper")
	w.open(fake(fakeagent.Script{}), func(_ *env, cfg *agent.Config) { cfg.Interrupted = []string{"helper", "gone"} })
	w.promptAndExpect("go", backend.TurnDone)
	w.waitForLoaded(backend.SessionMain, "helper")
	w.waitFor("the helper to be told of", func(events []backend.Event) bool {
		return slices.ContainsFunc(events, func(e backend.Event) bool {
			return e.Item != nil && e.Item.Banner != nil && e.Item.Banner.Session == "helper"
		})
	})
	equalDeep(t, "banners of main", w.bannersOf(backend.SessionMain), []backend.BannerKind{backend.BannerResumed})
	equalDeep(t, "banners of the helper", w.bannersOf("helper"), []backend.BannerKind{backend.BannerIncomplete})
}
