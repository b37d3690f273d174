package agent_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// sentAt returns, for each published state of the turn, whether SentAt was set.
func (w *env) sentAt(tu *turn) (out []bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range w.events {
		if e.Turn != nil && e.Turn.ID == tu.id {
			out = append(out, e.Turn.SentAt != 0)
		}
	}
	return out
}

func TestSent_DurableBeforePrompt(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "calls")
	w := newEnv(t, fake(fakeagent.Script{Calls: file}), func(w *env, cfg *agent.Config) {
		cfg.Commit = func(ctx context.Context, events ...backend.Event) error {
			for _, e := range events {
				if e.Turn == nil {
					continue
				}
				equal(t, "prompts that were sent before", len(promptBlocks(t, file)), 0)
				if !slices.ContainsFunc(events, func(e backend.Event) bool { return e.Session != nil && e.Session.HadPrompt }) {
					t.Error("the session's row is not in the same commit")
				}
			}
			return w.commit(ctx, events...)
		}
	})
	tu := w.start(backend.SessionMain, "go")
	r := w.expectEnd(tu, backend.TurnDone)
	if r.SentAt == 0 {
		t.Error("the result does not say when it was sent")
	}
	equalDeep(t, "told of the turn", w.sentAt(tu), []bool{true})
}

func TestSent_WaitingForSignInIsUnsent(t *testing.T) {
	t.Parallel()
	signedIn := filepath.Join(t.TempDir(), "signed-in")
	file := filepath.Join(t.TempDir(), "calls")
	w := newEnv(t, fake(fakeagent.Script{Refuse: map[string]int{"session/prompt": -32000}, RefuseUntil: signedIn, Calls: file}), nil)
	tu := w.start(backend.SessionMain, "go")
	w.waitForState(backend.ConnectionNeedsLogin)
	w.waitFor("the turn to be unsent", func(events []backend.Event) bool {
		n := 0
		for _, e := range events {
			if e.Turn != nil && e.Turn.SentAt == 0 {
				n++
			}
		}
		return n == 1
	})
	equal(t, "the session has a prompt", w.session().HadPrompt, false)
	noErr(t, os.WriteFile(signedIn, nil, 0o600))
	w.agent.Retry()
	if r := w.expectEnd(tu, backend.TurnDone); r.SentAt == 0 {
		t.Error("the result does not say when it was sent")
	}
	equalDeep(t, "told of the turn", w.sentAt(tu), []bool{true, false, true})
	equalDeep(t, "banners", w.banners(), []backend.BannerKind(nil))
}

func TestSent_StoppedUndeliveredPromptIsUnsent(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Silent: []string{"session/new"}}), nil)
	tu := w.start(backend.SessionMain, "go")
	w.waitForState(backend.ConnectionReady)
	tu.cancel()
	equal(t, "sent at", w.expectEnd(tu, backend.TurnStopped).SentAt, 0)
	equalDeep(t, "told of the turn", w.sentAt(tu), []bool(nil))
}

func TestSent_SignInLossMidAnswerSendsOnce(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "calls")
	w := newEnv(t, fake(fakeagent.Script{Calls: file, Turns: []fakeagent.Turn{{fakeagent.Say("half"), fakeagent.Fail(-32000, "Authentication required")}}}), nil)
	r := w.expectEnd(w.start(backend.SessionMain, "go"), backend.TurnFailed)
	if r.Err.Code != backend.CodeAuth || r.SentAt == 0 {
		t.Errorf("the result: %+v, %+v", r, r.Err)
	}
	w.waitForState(backend.ConnectionNeedsLogin)
	w.agent.Retry()
	w.waitForState(backend.ConnectionReady)
	equal(t, "prompts", len(promptBlocks(t, file)), 1)
}

func TestSent_UnknownSessionRetriedOnce(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "calls")
	w := newEnv(t, fake(fakeagent.Script{Calls: file, Turns: []fakeagent.Turn{{fakeagent.Say("one"), fakeagent.Forget()}, {fakeagent.Say("two")}}}), nil)
	w.promptAndExpect("first", backend.TurnDone)
	id := w.session().ACPID
	tu := w.promptAndExpect("second", backend.TurnDone)
	equal(t, "said", w.answerText(tu), "two")
	equal(t, "session", w.session().ACPID, id)
	equal(t, "loads", len(calls(t, file, "session/load")), 1)
	equalDeep(t, "prompts", promptBlocks(t, file), [][]string{{"first"}, {"second"}, {"second"}})
	equalDeep(t, "told of the turn", w.sentAt(tu), []bool{true, false, true})
	equalDeep(t, "banners", w.banners(), []backend.BannerKind(nil))
}

func TestSent_TwiceRefusedIsNotRetried(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "calls")
	w := newEnv(t, fake(fakeagent.Script{Calls: file, Refuse: map[string]int{"session/prompt": -32002}}), nil)
	r := w.expectEnd(w.start(backend.SessionMain, "go"), backend.TurnFailed)
	if r.Err.Code != backend.CodeAgent || r.SentAt != 0 {
		t.Errorf("the result: %+v, %+v", r, r.Err)
	}
	equal(t, "prompts", len(promptBlocks(t, file)), 2)
}

func TestErrors_EachHasMessage(t *testing.T) {
	t.Parallel()
	for code, says := range map[int]string{
		-32700: "couldn't read VoxPilot's request", -32600: "accept this message right now", -32601: "doesn't support VoxPilot's request", -32602: "rejected",
		-32603: "inside Copilot", -32000: "was signed out", -32002: "will reopen the session",
	} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			// The turn had started, so it isn't retried.
			w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("half"), fakeagent.Fail(code, "why")}}}), nil)
			tu := w.start(backend.SessionMain, "go")
			r := w.expectEnd(tu, backend.TurnFailed)
			if r.Err == nil || !strings.Contains(r.Err.Message.String(), says) || !strings.Contains(r.Err.Detail, "why") {
				t.Errorf("error: %+v", r.Err)
			}
			equal(t, "said", w.answerText(tu), "half")
			w.assertAllClosed()
		})
	}
}

func TestUsage_TurnCostIsDifference(t *testing.T) {
	t.Parallel()
	use := func(in, out, cached int) fakeagent.Step {
		return fakeagent.Usage(fmt.Sprintf(`{"inputTokens":%d,"outputTokens":%d,"cachedReadTokens":%d,"totalTokens":%d}`, in, out, cached, in+out))
	}
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{use(100, 10, 5)}, {use(250, 30, 5)}, {use(250, 30, 5)}, {}, {use(40, 4, 0)}}}), nil)
	for i, want := range []*backend.Usage{{Input: 100, Output: 10, CacheRead: 5}, {Input: 150, Output: 20}, nil, nil, {Input: 40, Output: 4}} {
		r := w.expectEnd(w.start(backend.SessionMain, "go"), backend.TurnDone)
		if (r.Usage == nil) != (want == nil) || want != nil && *r.Usage != *want {
			t.Errorf("turn %d cost %+v, want %+v", i+1, r.Usage, want)
		}
	}
}

func TestRestore_AlreadyLoadedClosedAndReloaded(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "calls")
	w := newEnv(t, fake(fakeagent.Script{Calls: file, Turns: []fakeagent.Turn{
		{fakeagent.Say("one")}, {fakeagent.Fail(-32602, "Session not found")}, {fakeagent.Say("three")},
	}}), nil)
	w.promptAndExpect("first", backend.TurnDone)
	id := w.session().ACPID
	equal(t, "said", w.answerText(w.promptAndExpect("second", backend.TurnDone)), "three")
	equal(t, "session", w.session().ACPID, id)
	equalDeep(t, "loads and closes", []int{len(calls(t, file, "session/load")), len(calls(t, file, "session/close"))}, []int{2, 1})
}
