package agent_test

import (
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
)

// withoutSignIn returns l without anything that the Copilot CLI accepts as a sign-in.
func withoutSignIn(l agent.Launch, home string) agent.Launch {
	l.Env = nil
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if !strings.HasPrefix(name, "COPILOT_") && name != "GH_TOKEN" && name != "GITHUB_TOKEN" {
			l.Env = append(l.Env, v)
		}
	}
	l.Env = append(l.Env, "COPILOT_HOME="+home, "HOME="+home)
	return l
}

func TestSignIn_CopilotWithoutOneKeepsMessage(t *testing.T) {
	signedIn := cliOf(t, [][]act{{{text: "One."}}})
	var in atomic.Bool
	var asked atomic.Int32
	w := newEnv(t, func(w *env) agent.Launch {
		l := signedIn(w)
		if !in.Load() {
			l = withoutSignIn(l, w.home)
		}
		return l
	}, withSignInReason(backend.CauseNotSignedIn, "There is no token.", &asked))
	tu := w.start(backend.SessionMain, "Do 1.")
	c := w.waitForState(backend.ConnectionNeedsLogin)
	equalDeep(t, "why", []any{c.Cause, c.Message, c.PID}, []any{backend.CauseNotSignedIn, "There is no token.", 0})
	equal(t, "times asked", asked.Load(), 1)
	equalDeep(t, "told of the turn", w.sentAt(tu), []bool(nil))
	in.Store(true)
	w.agent.Retry()
	w.expectEnd(tu, backend.TurnDone)
	equal(t, "said", w.answerText(tu), "One.")
	equalDeep(t, "banners", w.banners(), []backend.BannerKind(nil))
	w.close()
}

// TestSignIn_CopilotRequestLosesNothing checks that a message waits if the Copilot CLI isn't signed in, and is sent in
// the same session after the sign-in. Removing the CLI's credentials has the same effect as an expired or revoked
// sign-in.
func TestSignIn_CopilotRequestLosesNothing(t *testing.T) {
	signedIn := cliOf(t, [][]act{{{text: "One."}}, {{text: "Two."}}})
	var out atomic.Bool
	launch := func(w *env) agent.Launch {
		l := signedIn(w)
		if out.Load() {
			return withoutSignIn(l, w.home)
		}
		return l
	}
	w := newEnv(t, launch, withRecap("It is told to nobody."))
	w.promptAndExpect("Do 1.", backend.TurnDone)
	id := w.session().ACPID
	w.close()
	out.Store(true)
	w.open(launch, withRecap("It is told to nobody."))
	tu := w.start(backend.SessionMain, "Do 2.")
	equal(t, "cause", w.waitForState(backend.ConnectionNeedsLogin).Cause, backend.CauseNotSignedIn)
	equalDeep(t, "told of the turn", w.sentAt(tu), []bool(nil))
	out.Store(false)
	w.agent.Retry()
	if r := w.expectEnd(tu, backend.TurnDone); r.SentAt == 0 {
		t.Error("the result does not say when it was sent")
	}
	equal(t, "said", w.answerText(tu), "Two.")
	equal(t, "session", w.session().ACPID, id)
	equalDeep(t, "banners", w.banners(), []backend.BannerKind{backend.BannerResumed})
	w.close()
}
