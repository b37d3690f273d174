package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestExit_RightAfterAnswerLosesNothing(t *testing.T) {
	t.Parallel()
	for i := range 30 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Chunks(500, "x", 0), fakeagent.Leave()}}}), nil)
			tu := w.promptAndExpect("go", backend.TurnDone)
			equal(t, "size of what was said", len(w.answerText(tu)), 500)
		})
	}
}

func TestFlood_ArrivesCompleteAndInOrder(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{
		fakeagent.Chunks(50_000, "0123456789", 0), fakeagent.Think("hm"), fakeagent.Chunks(50_000, "ä€👋", 0),
	}}}), nil)
	tu := w.promptAndExpect("go", backend.TurnDone)
	if w.answerText(tu) != strings.Repeat("0123456789", 50_000)+strings.Repeat("ä€👋", 50_000) {
		t.Error("the text is another one")
	}
	equalDeep(t, "items", kindsOf(w.items(tu)), []backend.ItemKind{backend.ItemMessage, backend.ItemThought, backend.ItemMessage})
}

func kindsOf(items []*item) (out []backend.ItemKind) {
	for _, it := range items {
		out = append(out, it.Kind)
	}
	return out
}

func TestWire_InvalidLinesReportedOnce(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{
		fakeagent.Say("a"),
		fakeagent.Raw("this is a line of a library that prints"),
		fakeagent.Raw(`{"jsonrpc":"2.0","method":"session/update","params":{`),
		fakeagent.Raw(`[{"jsonrpc":"2.0","method":"session/update"}]`),
		fakeagent.Raw(`{"jsonrpc":"2.0"}`), fakeagent.Raw(`"text"`), fakeagent.Raw("\x00\x01"), fakeagent.Raw(""),
		fakeagent.Raw(`{"jsonrpc":"2.0","id":777,"result":{}}`),
		fakeagent.Raw(`{"jsonrpc":"2.0","method":"_vendor/notification","params":{}}`),
		fakeagent.Raw(`{"jsonrpc":"2.0","method":"session/update"}`),
		fakeagent.Long("garbage", 20<<20), fakeagent.Long("nested", 20<<20),
		fakeagent.Raw("\xEF\xBB\xBF" + `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"$SESSION","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"b"}}}}`),
		fakeagent.Say("c"),
	}, {fakeagent.Say("next")}}}), nil)
	equal(t, "said", w.answerText(w.promptAndExpect("go", backend.TurnDone)), "abc")
	equal(t, "said", w.answerText(w.promptAndExpect("go", backend.TurnDone)), "next")
	equalDeep(t, "banners", w.banners(), []backend.BannerKind{backend.BannerAgentError})
}

func TestToolResult_TwentyMegabytesDisplayed(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Long("tool", 20<<20), fakeagent.Say("done")}}}), nil)
	tu := w.promptAndExpect("go", backend.TurnDone)
	equal(t, "size", w.tools(tu)[0].contents[0].Size, 20<<20)
	equal(t, "lines", w.tools(tu)[0].contents[0].Lines, 20<<20/16)
	equal(t, "said", w.answerText(tu), "done")
}

func TestRequest_TwelveMegabytesAnswered(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Long("ask", 12<<20)}}}), nil)
	tu := w.start(backend.SessionMain, "go")
	a := w.nextRequest()
	diff := w.content(t, a.permission.ItemID, a.permission.ContentID)
	equal(t, "lines added", diff.Added, 12<<20/16)
	if len(a.permission.Raw) > 2<<20 || !json.Valid(a.permission.Raw) {
		t.Errorf("the request for the audit has %d bytes", len(a.permission.Raw))
	}
	a.answer <- "allow_once"
	w.expectEnd(tu, backend.TurnDone)
	equal(t, "the answer", w.answerText(tu), "allow")
}

func TestWire_EndlessLineEndsAgentOnly(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("a"), fakeagent.Long("garbage", 70<<20)}}}), nil)
	r := w.expectEnd(w.start(backend.SessionMain, "go"), backend.TurnInterrupted)
	if !strings.Contains(r.Err.Message.String(), "64 MB") {
		t.Errorf("error: %v", r.Err)
	}
	w.waitForBanner(backend.BannerIncomplete)
	w.waitFor("the cause", func(events []backend.Event) bool {
		return slices.ContainsFunc(events, func(e backend.Event) bool {
			return e.Connection != nil && e.Connection.Cause == backend.CauseLineTooLong
		})
	})
	w.promptAndExpect("go", backend.TurnDone)
}

func TestUpdate_UnknownKindStoredUnchanged(t *testing.T) {
	t.Parallel()
	const raw = `{"content":{"text":"x","type":"text"},"sessionUpdate":"weather_report","size":7}`
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Update(raw), fakeagent.Say("ok")}}}), nil)
	tu := w.promptAndExpect("go", backend.TurnDone)
	equalDeep(t, "items", kindsOf(w.items(tu)), []backend.ItemKind{backend.ItemMessage})
	w.waitFor("the update", func(events []backend.Event) bool {
		return slices.ContainsFunc(events, func(e backend.Event) bool {
			return e.UnknownUpdate != nil && e.UnknownUpdate.Kind == "weather_report" && string(e.UnknownUpdate.Raw) == raw && e.UnknownUpdate.Session == backend.SessionMain
		})
	})
}

func TestUpdate_AfterAnswerNotLost(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{
		fakeagent.Say("a"), fakeagent.After(fakeagent.Say("b"), fakeagent.Think("t"), fakeagent.Say("c"), fakeagent.Update(
			`{"sessionUpdate":"tool_call","toolCallId":"late","title":"Late","kind":"read","status":"completed"}`)),
	}}}), nil)
	tu := w.promptAndExpect("go", backend.TurnDone)
	waitFor(t, "the late tool call", func() bool { return len(w.tools(tu)) == 1 })
	equal(t, "said", w.answerText(tu), "abc")
	equalDeep(t, "items", kindsOf(w.items(tu)), []backend.ItemKind{backend.ItemMessage, backend.ItemThought, backend.ItemMessage, backend.ItemTool})
	w.assertAllClosed()
}

func TestRequest_UnknownMethodRefused(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"_vendor/ask", "vendor/ask", "mcp/connect"} {
		t.Run(method, func(t *testing.T) {
			w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Ask(method, `{"sessionId":"$SESSION","path":"$CWD/x"}`)}}}), nil)
			if s := w.answerText(w.promptAndExpect("go", backend.TurnDone)); !strings.Contains(s, "-32601") {
				t.Errorf("it was answered %s", s)
			}
		})
	}
}

func TestStart_ImmediateExitReportsStderr(t *testing.T) {
	t.Parallel()
	var broken atomic.Bool
	broken.Store(true)
	w := newEnv(t, func(w *env) agent.Launch {
		if broken.Load() {
			return fake(fakeagent.Script{ExitAtOnce: 42, Stderr: "it is Tuesday"})(w)
		}
		return fake(fakeagent.Script{})(w)
	}, nil)
	tu := w.start(backend.SessionMain, "go")
	c := w.waitForState(backend.ConnectionFailed)
	equal(t, "cause", c.Cause, backend.CauseExitedOnStart)
	if c.ExitCode == nil || *c.ExitCode != 42 || c.Stderr != "it is Tuesday" || c.Message.IsZero() {
		t.Errorf("connection: %+v", c)
	}
	tries := 0
	for _, s := range w.states() {
		if s == backend.ConnectionStarting {
			tries++
		}
	}
	equal(t, "tries", tries, backend.MaxAttempts)
	broken.Store(false)
	w.agent.Retry()
	w.expectEnd(tu, backend.TurnDone) // the message was retained
}

func TestStop_PromptWaitingForAgent(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{ExitAtOnce: 1}), nil)
	tu := w.start(backend.SessionMain, "go")
	w.waitForState(backend.ConnectionFailed)
	w.agent.Cancel(backend.SessionMain)
	w.expectEnd(tu, backend.TurnStopped)
}

func TestStart_UnresponsiveAgentRetried(t *testing.T) {
	for _, method := range []string{"initialize", "session/new"} {
		t.Run(method, func(t *testing.T) {
			agent.ShortLimits(t, 200*time.Millisecond)
			w := newEnv(t, fake(fakeagent.Script{Silent: []string{method}}), nil)
			tu := w.start(backend.SessionMain, "go")
			w.waitFor("the cause", func(events []backend.Event) bool {
				return slices.ContainsFunc(events, func(e backend.Event) bool {
					return e.Connection != nil && e.Connection.State == backend.ConnectionWaiting && e.Connection.Cause == backend.CauseNoAnswer && e.Connection.Attempt > 0
				})
			})
			tu.cancel()
			w.expectEnd(tu, backend.TurnStopped)
		})
	}
}

func TestCancel_IgnoredKillsAgent(t *testing.T) {
	agent.ShortLimits(t, 2*time.Second)
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("a"), fakeagent.Deaf()}}}), nil)
	tu := w.start(backend.SessionMain, "go")
	w.waitForText("a")
	w.agent.Cancel(backend.SessionMain)
	w.expectEnd(tu, backend.TurnStopped)
	w.waitForState(backend.ConnectionReady)
	w.promptAndExpect("next", backend.TurnDone)
}

func TestAgent_NotReadingIsKilled(t *testing.T) {
	agent.ShortLimits(t, 2*time.Second)
	w := newEnv(t, fake(fakeagent.Script{DeafAfter: 2}), nil)
	r := w.expectEnd(w.start(backend.SessionMain, strings.Repeat("long ", 200_000)), backend.TurnInterrupted)
	if !strings.Contains(r.Err.Message.String(), "stopped reading") {
		t.Errorf("error: %v", r.Err)
	}
}

func TestStart_FailureReportedAndMessageWaits(t *testing.T) {
	t.Parallel()
	t.Run("no program", func(t *testing.T) {
		var there atomic.Bool
		w := newEnv(t, fake(fakeagent.Script{}), func(w *env, cfg *agent.Config) {
			launch := cfg.Launch
			cfg.Launch = func(ctx context.Context) (agent.Launch, *agent.LaunchError) {
				if !there.Load() {
					return agent.Launch{}, &agent.LaunchError{Cause: backend.CauseCLIMissing, Message: backend.Plain("Not found."), Searched: []string{"/a", "/b"}}
				}
				return launch(ctx)
			}
		})
		tu := w.start(backend.SessionMain, "go")
		c := w.waitForState(backend.ConnectionFailed)
		equal(t, "cause", c.Cause, backend.CauseCLIMissing)
		equalDeep(t, "searched", c.Searched, []string{"/a", "/b"})
		there.Store(true)
		w.agent.Retry()
		w.expectEnd(tu, backend.TurnDone)
	})
	t.Run("no folder", func(t *testing.T) {
		w := newEnv(t, fake(fakeagent.Script{}), nil)
		if err := os.Rename(w.folder, w.folder+"x"); err != nil {
			t.Fatal(err)
		}
		tu := w.start(backend.SessionMain, "go")
		c := w.waitForState(backend.ConnectionFailed)
		equal(t, "cause", c.Cause, backend.CauseFolderMissing)
		if !strings.Contains(c.Message.String(), w.folder) {
			t.Errorf("message: %s", c.Message)
		}
		if err := os.Rename(w.folder+"x", w.folder); err != nil {
			t.Fatal(err)
		}
		w.agent.Retry()
		w.expectEnd(tu, backend.TurnDone)
	})
	t.Run("folder removed while connected", func(t *testing.T) {
		w := newEnv(t, fake(fakeagent.Script{}), nil)
		w.promptAndExpect("go", backend.TurnDone)
		if err := os.Rename(w.folder, w.folder+"x"); err != nil {
			t.Fatal(err)
		}
		tu := w.start(backend.SessionMain, "go on")
		c := w.waitForState(backend.ConnectionFailed)
		equal(t, "cause", c.Cause, backend.CauseFolderMissing)
		if err := os.Rename(w.folder+"x", w.folder); err != nil {
			t.Fatal(err)
		}
		w.agent.Retry()
		w.expectEnd(tu, backend.TurnDone)
	})
	t.Run("no program of this system", func(t *testing.T) {
		w := newEnv(t, func(w *env) agent.Launch {
			path := filepath.Join(w.home, "copilot")
			if err := os.WriteFile(path, []byte("\x7fELF no"), 0o700); err != nil { //nolint:gosec // must be executable
				t.Error(err)
			}
			return agent.Launch{Path: path, Env: os.Environ()}
		}, nil)
		tu := w.start(backend.SessionMain, "go")
		c := w.waitForState(backend.ConnectionFailed)
		equal(t, "cause", c.Cause, backend.CauseSpawnFailed)
		if !strings.Contains(c.Message.String(), "exec format error") {
			t.Errorf("message: %s", c.Message)
		}
		tu.cancel()
		w.expectEnd(tu, backend.TurnStopped)
	})
}

func TestPrompt_UnsavedSessionPreventsSend(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{}), nil)
	w.fail = errors.New("disk full")
	r := w.expectEnd(w.start(backend.SessionMain, "go"), backend.TurnFailed)
	equal(t, "code", r.Err.Code, backend.CodeStorage)
	if files, _ := filepath.Glob(filepath.Join(w.home, "turns")); len(files) > 0 {
		t.Error("the agent got the prompt")
	}
	w.mu.Lock()
	w.fail = nil
	w.mu.Unlock()
	w.promptAndExpect("go", backend.TurnDone)
}

func TestClose_AgentRejectsFurtherCalls(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]func(w *env){
		"before it was started": func(*env) {},
		"while it runs":         func(w *env) { w.promptAndExpect("go", backend.TurnDone) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newEnv(t, fake(fakeagent.Script{}), nil)
			before(w)
			w.close()
			w.close()
			w.agent.Retry()
			w.agent.Cancel(backend.SessionMain)
			w.promptAndExpect("go", backend.TurnStopped)
			equal(t, "state", w.agent.Connection().State, backend.ConnectionIdle)
		})
	}
}

func TestClose_EndsWaitingPrompt(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Refuse: map[string]int{"session/new": -32000}}), nil)
	first, second := w.start(backend.SessionMain, "go"), w.start(backend.SessionMain, "go")
	w.waitForState(backend.ConnectionNeedsLogin)
	w.close()
	w.expectEnd(first, backend.TurnStopped)
	w.expectEnd(second, backend.TurnStopped)
}

func noErr(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
