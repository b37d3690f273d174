package agent_test

import (
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// waitForCalls waits until the file, in which the fake agents record their requests, contains at least n requests with
// the given method.
func waitForCalls(t *testing.T, file, method string, n int) {
	t.Helper()
	waitFor(t, "the requests "+method, func() bool { return len(calls(t, file, method)) >= n })
}

func TestRestore_CrashDuringLoadKeepsSession(t *testing.T) {
	t.Parallel()
	w := newEnvWithSessions(t, backend.SessionMain)
	id := w.session().ACPID
	file := filepath.Join(t.TempDir(), "calls")
	var starts atomic.Int32
	w.open(func(w *env) agent.Launch {
		s := fakeagent.Script{Calls: file}
		if starts.Add(1) == 1 {
			s.Delay = map[string]time.Duration{"session/load": time.Hour}
		}
		return fake(s)(w)
	}, withRecap("It is told to nobody."))
	tu := w.start(backend.SessionMain, "go")
	waitForCalls(t, file, "session/load", 1)
	kill(t, w.agent.Connection().PID)
	w.expectEnd(tu, backend.TurnDone)
	equal(t, "session", w.session().ACPID, id)
	equalDeep(t, "prompts", promptBlocks(t, file), [][]string{{"go"}})
	equalDeep(t, "told of the turn", w.sentAt(tu), []bool{true})
}

func TestRestore_StopLeavesLoadRunning(t *testing.T) {
	t.Parallel()
	w := newEnvWithSessions(t, "helper")
	id := w.acpID("helper")
	file := filepath.Join(t.TempDir(), "calls")
	w.open(fake(fakeagent.Script{Calls: file, Delay: map[string]time.Duration{"session/load": time.Second}}), nil)
	tu := w.start("helper", "go")
	waitForCalls(t, file, "session/load", 1)
	tu.cancel()
	equal(t, "sent at", w.expectEnd(tu, backend.TurnStopped).SentAt, 0)
	w.expectEnd(w.start("helper", "go"), backend.TurnDone)
	equal(t, "session", w.acpID("helper"), id)
	equal(t, "loads", len(calls(t, file, "session/load")), 1)
	equalDeep(t, "banners", w.banners(), []backend.BannerKind{backend.BannerResumed})
}

func TestRestore_ContinuesAfterSignIn(t *testing.T) {
	t.Parallel()
	w := newEnvWithSessions(t, backend.SessionMain, "helper")
	signedIn := filepath.Join(t.TempDir(), "signed-in")
	w.open(fake(fakeagent.Script{Refuse: map[string]int{"session/load": -32000}, RefuseUntil: signedIn}), nil)
	w.agent.Restore(backend.SessionMain, "helper")
	w.waitForState(backend.ConnectionNeedsLogin)
	noErr(t, os.WriteFile(signedIn, nil, 0o600))
	w.agent.Retry()
	w.waitForLoaded(backend.SessionMain, "helper") // even a process that is ended at once may do this
	w.waitFor("the helper to be restored", func(events []backend.Event) bool {
		return slices.ContainsFunc(events, func(e backend.Event) bool {
			return e.Item != nil && e.Item.Banner != nil && e.Item.Banner.Session == "helper"
		})
	})
	equalDeep(t, "banners of the helper", w.bannersOf("helper"), []backend.BannerKind{backend.BannerResumed})
}

func TestRestore_CrashReplacesUnpromptedSilently(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Answer: map[string]string{"session/set_mode": `{}`}}), nil)
	noErr(t, w.agent.SetMode(t.Context(), backend.SessionMain, "plan"))
	equal(t, "mode", w.session().Mode, "plan")
	id := w.session().ACPID
	w.killAndWait()
	w.promptAndExpect("go", backend.TurnDone)
	if w.session().ACPID == id {
		t.Error("the session has the same id")
	}
	equal(t, "replaced", w.session().ReplacesID, "")
	equal(t, "mode", w.session().Mode, "plan")
	equalDeep(t, "banners", w.banners(), []backend.BannerKind(nil))
}
