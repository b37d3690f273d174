package agent_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/question"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// elicit returns a step in which the fake agent sends an elicitation with the given members.
func elicit(members string) fakeagent.Step {
	return fakeagent.Ask("elicitation/create", `{"sessionId":"$SESSION",`+members+`}`)
}

const (
	askName  = `"mode":"form","message":"Which name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`
	openSite = `"mode":"url","message":"Sign in","elicitationId":"e","url":"https://sentry.io/oauth"`
)

// newElicitingEnv returns an env whose agent plays the turns, and the broker of its questions.
func newElicitingEnv(t *testing.T, change func(*env, *agent.Config), turns ...fakeagent.Turn) (*env, *question.Broker) {
	t.Helper()
	var questions *question.Broker
	w := newEnv(t, fake(fakeagent.Script{Turns: turns}), func(w *env, cfg *agent.Config) {
		questions = question.NewBroker(question.Config{Publish: w.publish, Commit: w.commit, IsViewed: func(string) bool { return true }})
		cfg.Questions = questions
		if change != nil {
			change(w, cfg)
		}
	})
	return w, questions
}

// nextQuestion waits for an open question other than the given ones.
func (w *env) nextQuestion(known ...string) (found backend.Permission) {
	w.t.Helper()
	w.waitFor("a question", func(events []backend.Event) bool {
		for _, e := range events {
			if p := e.Permission; p != nil && p.Question != nil && p.State == backend.PermissionOpen && !strings.Contains(strings.Join(known, " "), p.ID) {
				found = *p
				return true
			}
		}
		return false
	})
	return found
}

// outcome waits until a question is closed and returns its outcome.
func (w *env) outcome(id string) (outcome backend.QuestionOutcome) {
	w.t.Helper()
	w.waitFor("the end of the question", func(events []backend.Event) bool {
		for _, e := range events {
			if p := e.Permission; p != nil && p.ID == id && p.State != backend.PermissionOpen {
				outcome = p.Question.Outcome
				return true
			}
		}
		return false
	})
	return outcome
}

// sent reports whether VoxPilot has sent a message with the given method that contains the text.
func (w *env) sent(method, text string) bool {
	return slices.ContainsFunc(w.agent.Protocol(0, method, 1<<20), func(f backend.ProtocolMessage) bool {
		return f.Out && f.Method == method && strings.Contains(f.Body, text)
	})
}

func named(name string) backend.QuestionAnswer {
	return backend.QuestionAnswer{Values: []backend.FieldValue{{Name: "name", Values: []string{name}}}}
}

func TestElicitation_AnnouncedAndAnswered(t *testing.T) {
	t.Parallel()
	w, questions := newElicitingEnv(t, nil, fakeagent.Turn{
		updateLine("tool_call", `"toolCallId":"c1","title":"T","kind":"other","status":"in_progress"`),
		elicit(`"toolCallId":"c1",` + askName), elicit(openSite),
		fakeagent.Raw(`{"jsonrpc":"2.0","method":"elicitation/complete","params":{"elicitationId":"e"}}`),
		elicit(`"message":"Delete it?","requestedSchema":{"type":"object","properties":{}}`),
	})
	tu := w.start(backend.SessionMain, "go")
	form := w.nextQuestion()
	equal(t, "turn", form.TurnID, tu.id)
	equal(t, "session", form.Session, backend.SessionMain)
	if _, err := questions.Answer(t.Context(), form.ID, named("orbit")); err != nil {
		t.Fatal(err)
	}
	page := w.nextQuestion(form.ID)
	equal(t, "host", page.Question.Page.Host, "sentry.io")
	if _, err := questions.Answer(t.Context(), page.ID, backend.QuestionAnswer{}); err != nil {
		t.Fatal(err)
	}
	noErr(t, questions.Skip(t.Context(), w.nextQuestion(form.ID, page.ID).ID))
	w.expectEnd(tu, backend.TurnDone)
	equal(t, "responses", w.answerText(tu), `{"action":"accept","content":{"name":"orbit"}}{"action":"accept"}{"action":"decline"}`)
	facts := map[string]string{}
	for _, it := range w.tools(tu) {
		facts[it.Tool.Title] = it.Tool.ResultSummary.String()
		if it.Tool.Title == "Which name?" {
			equal(t, "call", it.Tool.CallID, "c1")
		}
	}
	equalDeep(t, "rows", facts, map[string]string{"T": "", "Which name?": "you sent 1 answer", "Sign in": "done", "Delete it?": "you declined"})
	equal(t, "announced", w.sent("initialize", `"elicitation":{"form":{},"url":{}}`), true)
	w.assertAllClosed()
}

func TestElicitation_InNamedSession(t *testing.T) {
	t.Parallel()
	w, questions := newElicitingEnv(t, nil, fakeagent.Turn{elicit(askName)})
	tu := w.start("helper", "go")
	p := w.nextQuestion()
	equal(t, "session", p.Session, "helper")
	equal(t, "turn", p.TurnID, tu.id)
	if _, err := questions.Answer(t.Context(), p.ID, named("x")); err != nil {
		t.Fatal(err)
	}
	w.expectEnd(tu, backend.TurnDone)
}

func TestElicitation_CannotBeAsked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ params, want string }{
		"an unknown session":          {`{"sessionId":"other",` + askName + `}`, `{"action":"cancel"}`},
		"a request outside a session": {`{"requestId":7,` + askName + `}`, `{"action":"cancel"}`},
		"a broken schema":             {`{"sessionId":"$SESSION","message":"m","requestedSchema":{"properties":{"a":{"type":"null"}}}}`, `-32602`},
		"a script":                    {`{"sessionId":"$SESSION","mode":"url","message":"m","elicitationId":"e","url":"javascript:alert(1)"}`, `-32602`},
		"a secret":                    {`{"sessionId":"$SESSION","message":"m","requestedSchema":{"properties":{"password":{"type":"string"}}}}`, `{"action":"decline"}`},
		"no parameters":               {`[]`, `{"action":"cancel"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _ := newElicitingEnv(t, nil, fakeagent.Turn{fakeagent.Ask("elicitation/create", c.params)})
			tu := w.promptAndExpect("go", backend.TurnDone)
			if got := w.answerText(tu); !strings.Contains(got, c.want) {
				t.Errorf("the response is %s, want %s", got, c.want)
			}
			refused := strings.Contains(c.params, "$SESSION")
			if rows := w.tools(tu); len(rows) > 0 != refused {
				t.Errorf("%d rows show the attempt", len(rows))
			}
		})
	}
}

func TestElicitation_WithoutBrokerIsCanceled(t *testing.T) {
	t.Parallel()
	w := newEnv(t, fake(fakeagent.Script{Turns: []fakeagent.Turn{{elicit(askName)}}}), nil)
	equal(t, "response", w.answerText(w.promptAndExpect("go", backend.TurnDone)), `{"action":"cancel"}`)
}

// TestElicitation_EndsWithoutAnswer checks that a question is closed when nothing waits for its answer.
func TestElicitation_EndsWithoutAnswer(t *testing.T) {
	t.Parallel()
	raw := fakeagent.Raw(`{"jsonrpc":"2.0","id":"w","method":"elicitation/create","params":{"sessionId":"$SESSION",` + askName + `}}`)
	for name, c := range map[string]struct {
		turn fakeagent.Turn
		end  func(w *env, tu *turn)
		want backend.TurnState
	}{
		"the user stops the turn": {fakeagent.Turn{elicit(askName)}, func(_ *env, tu *turn) { tu.cancel() }, backend.TurnStopped},
		"the turn ends":           {fakeagent.Turn{raw, fakeagent.WaitFor("$CWD/go")}, func(w *env, _ *turn) { w.write("go", "") }, backend.TurnDone},
		"the agent cancels it": {
			fakeagent.Turn{raw, fakeagent.WaitFor("$CWD/go"), fakeagent.Raw(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"w"}}`), fakeagent.WaitFor("$CWD/end")},
			func(w *env, _ *turn) { w.write("go", "") }, backend.TurnDone,
		},
		"the agent dies": {fakeagent.Turn{raw, fakeagent.WaitFor("$CWD/go"), fakeagent.Die(1, "")}, func(w *env, _ *turn) { w.write("go", "") }, backend.TurnInterrupted},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, questions := newElicitingEnv(t, nil, c.turn)
			tu := w.start(backend.SessionMain, "go")
			p := w.nextQuestion()
			c.end(w, tu)
			equal(t, "outcome", w.outcome(p.ID), backend.OutcomeClosed)
			w.write("end", "")
			w.expectEnd(tu, c.want)
			if _, err := questions.Answer(context.Background(), p.ID, named("late")); backend.CodeOf(err) != backend.CodeNotFound {
				t.Errorf("it was answered later: %v", err)
			}
			w.assertAllClosed()
		})
	}
}

// TestElicitation_AfterStopIsCanceled checks that a stopped turn can no longer ask.
func TestElicitation_AfterStopIsCanceled(t *testing.T) {
	t.Parallel()
	w, _ := newElicitingEnv(t, nil, fakeagent.Turn{fakeagent.Undeterred(fakeagent.Say("started"), fakeagent.WaitFor("$CWD/go"), elicit(askName))})
	tu := w.start(backend.SessionMain, "go")
	w.waitForText("started")
	tu.cancel()
	waitFor(t, "the cancellation", func() bool { return w.sent("session/cancel", "") })
	w.write("go", "")
	w.expectEnd(tu, backend.TurnStopped)
	waitFor(t, "the response", func() bool { return strings.Contains(w.answerText(tu), `{"action":"cancel"}`) })
}

func TestElicitation_OpenQuestionPreventsIdle(t *testing.T) {
	t.Parallel()
	var l idleChecks
	var asked atomic.Bool
	from := time.Now()
	w, questions := newElicitingEnv(t, func(w *env, cfg *agent.Config) {
		l.configure(w, cfg)
		cfg.Idle = func() time.Duration {
			limit := l.idleAfter()
			if !asked.Load() { // longer than the agent has been idle
				limit += time.Since(from)
			}
			return limit
		}
	}, fakeagent.Turn{fakeagent.After(fakeagent.WaitFor("$CWD/ended"), elicit(askName))})
	w.promptAndExpect("go", backend.TurnDone)
	noErr(t, os.WriteFile(filepath.Join(w.folder, "ended"), nil, 0o600))
	p := w.nextQuestion()
	asked.Store(true)
	l.expectRunning("an open question")
	noErr(t, questions.Skip(t.Context(), p.ID))
	l.waitForIdle()
}

// TestElicitation_WaitIsRecorded checks that the time for which a call waits for the answer is recorded.
func TestElicitation_WaitIsRecorded(t *testing.T) {
	t.Parallel()
	w, questions := newElicitingEnv(t, nil, fakeagent.Turn{
		updateLine("tool_call", `"toolCallId":"c1","title":"T","kind":"other","status":"in_progress"`),
		elicit(`"toolCallId":"c1",` + askName),
		updateLine("tool_call_update", `"toolCallId":"c1","status":"completed"`),
	})
	tu := w.start(backend.SessionMain, "go")
	p := w.nextQuestion()
	for backend.Now()-p.CreatedAt < 20 {
		if problems, err := questions.Check(p.ID, named("")); err != nil || len(problems) != 1 {
			t.Fatalf("%v, %v", problems, err)
		}
	}
	noErr(t, questions.Skip(t.Context(), p.ID))
	w.expectEnd(tu, backend.TurnDone)
	for _, it := range w.tools(tu) {
		if it.Waited < 15 || it.Waited > it.EndedAt-it.CreatedAt {
			t.Errorf("%s waited %d of %d ms", it.Tool.Title, it.Waited, it.EndedAt-it.CreatedAt)
		}
	}
}
