package agent_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

// turnContracts are the test cases for prompts and answers.
var turnContracts = []contract{
	{
		name:  "A prompt streams its answer",
		turns: [][]act{{{text: "Hello, wörld 👋"}}},
		run: func(t *testing.T, w *env) {
			tu := w.promptAndExpect("Do 1.", backend.TurnDone)
			equal(t, "said", w.answerText(tu), "Hello, wörld 👋")
			equalDeep(t, "states", w.states(), []backend.ConnectionState{backend.ConnectionChecking, backend.ConnectionStarting, backend.ConnectionRestoring, backend.ConnectionReady})
			c := w.agent.Connection()
			if c.PID == 0 || c.Version == "" || c.Path == "" {
				t.Errorf("the connection says too little: %+v", c)
			}
			s := w.session()
			if s.ACPID == "" || !s.HadPrompt || s.State != backend.SessionLoaded || s.Mode == "" || len(s.Modes) == 0 {
				t.Errorf("the session says too little: %+v", s)
			}
			w.waitFor("its commands", func(events []backend.Event) bool {
				return slices.ContainsFunc(events, func(e backend.Event) bool { return e.Session != nil && len(e.Session.Commands) > 0 })
			})
			w.assertAllClosed()
		},
	},
	{
		name:  "A thought is told apart from the answer",
		turns: [][]act{{{think: "Let me see."}, {text: "Hello."}}},
		run: func(t *testing.T, w *env) {
			tu := w.promptAndExpect("Do 1.", backend.TurnDone)
			var got []string
			for _, it := range w.items(tu) {
				got = append(got, string(it.Kind)+": "+it.text)
			}
			equalDeep(t, "the items", got, []string{"thought: Let me see.", "message: Hello."})
			w.assertAllClosed()
		},
	},
	{
		name:  "A turn of which the model fails has failed, and the next one works",
		turns: [][]act{{{fail: true}}, {{text: "after"}}},
		run: func(t *testing.T, w *env) {
			r := w.expectEnd(w.start(backend.SessionMain, "Do 1."), backend.TurnFailed)
			if r.Err == nil || r.Err.Message.IsZero() || !strings.Contains(r.Err.Message.String()+r.Err.Detail, "401") {
				t.Errorf("error: %+v", r.Err)
			}
			equal(t, "said", w.answerText(w.promptAndExpect("Do 2.", backend.TurnDone)), "after")
			w.assertAllClosed()
		},
	},
	{
		name:  "A second prompt goes on in the same session",
		turns: [][]act{{{text: "one"}}, {{text: "two"}}},
		run: func(t *testing.T, w *env) {
			w.promptAndExpect("Do 1.", backend.TurnDone)
			id, pid := w.session().ACPID, w.agent.Connection().PID
			equal(t, "said", w.answerText(w.promptAndExpect("Do 2.", backend.TurnDone)), "two")
			w.assertRemembers(t, "one")
			equal(t, "session", w.session().ACPID, id)
			equal(t, "process", w.agent.Connection().PID, pid)
		},
	},
	{
		name:  "A stopped prompt keeps what was said, and the next one works",
		turns: [][]act{{{text: "word ", chunks: 1000}}, {{text: "after"}}},
		run: func(t *testing.T, w *env) {
			tu := w.start(backend.SessionMain, "Do 1.")
			w.waitForText("word ")
			w.agent.Cancel(backend.SessionMain)
			r := w.expectEnd(tu, backend.TurnStopped)
			equal(t, "reason", r.StopReason, "cancelled")
			if s := w.answerText(tu); !strings.HasPrefix(s, "word ") {
				t.Errorf("said %q", s)
			}
			w.assertAllClosed()
			equal(t, "said", w.answerText(w.promptAndExpect("Do 2.", backend.TurnDone)), "after")
			equalDeep(t, "banners", w.banners(), []backend.BannerKind(nil))
		},
	},
	{
		name:  "Sessions of one process run side by side",
		turns: [][]act{{{text: "word ", chunks: 1000}}, {{edit: "a.txt", newText: "new"}, {text: "two"}}},
		run: func(t *testing.T, w *env) {
			tu := w.start(backend.SessionMain, "Do 1.")
			w.waitForText("word ")
			pid := w.agent.Connection().PID
			other := w.start("helper", "Do 2.")
			a := w.nextRequest()
			equal(t, "session of the request", a.permission.Session, "helper")
			a.answer <- "allow_once"
			w.expectEnd(other, backend.TurnDone)
			equal(t, "said", w.answerText(other), "two")
			equal(t, "the file", w.read("a.txt"), "new")
			w.agent.Cancel(backend.SessionMain)
			w.expectEnd(tu, backend.TurnStopped)
			if s := w.answerText(tu); strings.Trim(strings.ReplaceAll(s, "word", ""), " ") != "" {
				t.Errorf("said %q", s)
			}
			equal(t, "process", w.agent.Connection().PID, pid)
			equal(t, "sessions", len(w.sessions()), 2)
			w.assertAllClosed()
		},
	},
}
