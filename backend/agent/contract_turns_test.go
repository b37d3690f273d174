package agent_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

// turnContracts cover prompts and answers.
var turnContracts = []contract{
	{
		name:  "A prompt streams its answer",
		turns: [][]act{{{say: "Hello, wörld 👋"}}},
		run: func(t *testing.T, w *world) {
			tu := w.must("Do 1.", backend.TurnDone)
			equal(t, "said", w.said(tu), "Hello, wörld 👋")
			same(t, "states", w.states(), []backend.ConnectionState{backend.ConnectionChecking, backend.ConnectionStarting, backend.ConnectionRestoring, backend.ConnectionReady})
			c := w.agent.Connection()
			if c.PID == 0 || c.Version == "" || c.Path == "" {
				t.Errorf("the connection says too little: %+v", c)
			}
			s := w.session()
			if s.ACPID == "" || !s.HadPrompt || s.State != backend.SessionLoaded || s.Mode == "" || len(s.Modes) == 0 {
				t.Errorf("the session says too little: %+v", s)
			}
			w.wait("its commands", func(events []backend.Event) bool {
				return slices.ContainsFunc(events, func(e backend.Event) bool { return e.Session != nil && len(e.Session.Commands) > 0 })
			})
			w.allClosed()
		},
	},
	{
		name:  "A thought is told apart from the answer",
		turns: [][]act{{{think: "Let me see."}, {say: "Hello."}}},
		run: func(t *testing.T, w *world) {
			tu := w.must("Do 1.", backend.TurnDone)
			var got []string
			for _, it := range w.items(tu) {
				got = append(got, string(it.Kind)+": "+it.text)
			}
			same(t, "the items", got, []string{"thought: Let me see.", "message: Hello."})
			w.allClosed()
		},
	},
	{
		name:  "A turn of which the model fails has failed, and the next one works",
		turns: [][]act{{{fail: true}}, {{say: "after"}}},
		run: func(t *testing.T, w *world) {
			r := w.mustEnd(w.start(backend.SessionMain, "Do 1."), backend.TurnFailed)
			if r.Err == nil || r.Err.Message.IsZero() || !strings.Contains(r.Err.Message.String()+r.Err.Detail, "401") {
				t.Errorf("error: %+v", r.Err)
			}
			equal(t, "said", w.said(w.must("Do 2.", backend.TurnDone)), "after")
			w.allClosed()
		},
	},
	{
		name:  "A second prompt goes on in the same session",
		turns: [][]act{{{say: "one"}}, {{say: "two"}}},
		run: func(t *testing.T, w *world) {
			w.must("Do 1.", backend.TurnDone)
			id, pid := w.session().ACPID, w.agent.Connection().PID
			equal(t, "said", w.said(w.must("Do 2.", backend.TurnDone)), "two")
			w.recalled(t, "one")
			equal(t, "session", w.session().ACPID, id)
			equal(t, "process", w.agent.Connection().PID, pid)
		},
	},
	{
		name:  "A stopped prompt keeps what was said, and the next one works",
		turns: [][]act{{{say: "word ", chunks: 1000}}, {{say: "after"}}},
		run: func(t *testing.T, w *world) {
			tu := w.start(backend.SessionMain, "Do 1.")
			w.waitText("word ")
			w.agent.Cancel(backend.SessionMain)
			r := w.mustEnd(tu, backend.TurnStopped)
			equal(t, "reason", r.StopReason, "cancelled")
			if s := w.said(tu); !strings.HasPrefix(s, "word ") {
				t.Errorf("said %q", s)
			}
			w.allClosed()
			equal(t, "said", w.said(w.must("Do 2.", backend.TurnDone)), "after")
			same(t, "banners", w.banners(), []backend.BannerKind(nil))
		},
	},
	{
		name:  "Sessions of one process run side by side",
		turns: [][]act{{{say: "word ", chunks: 1000}}, {{edit: "a.txt", text: "new"}, {say: "two"}}},
		run: func(t *testing.T, w *world) {
			tu := w.start(backend.SessionMain, "Do 1.")
			w.waitText("word ")
			pid := w.agent.Connection().PID
			other := w.start("helper", "Do 2.")
			a := w.next()
			equal(t, "session of the request", a.p.Session, "helper")
			a.to <- "allow_once"
			w.mustEnd(other, backend.TurnDone)
			equal(t, "said", w.said(other), "two")
			equal(t, "the file", w.read("a.txt"), "new")
			w.agent.Cancel(backend.SessionMain)
			w.mustEnd(tu, backend.TurnStopped)
			if s := w.said(tu); strings.Trim(strings.ReplaceAll(s, "word", ""), " ") != "" {
				t.Errorf("said %q", s)
			}
			equal(t, "process", w.agent.Connection().PID, pid)
			equal(t, "sessions", len(w.sessions()), 2)
			w.allClosed()
		},
	},
}
