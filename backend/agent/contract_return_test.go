package agent_test

import (
	"os"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

// returnContracts are the test cases about restored sessions.
var returnContracts = []contract{
	{
		name:  "A killed agent comes back with its session",
		turns: [][]act{{{text: "one"}}, {{text: "word ", chunks: 1000}}, {{text: "three"}}},
		run: func(t *testing.T, w *env) {
			w.promptAndExpect("Do 1.", backend.TurnDone)
			w.waitForWritten("one")
			id, pid := w.session().ACPID, w.agent.Connection().PID
			tu := w.start(backend.SessionMain, "Do 2.")
			w.waitForText("word ")
			kill(t, pid)
			r := w.expectEnd(tu, backend.TurnInterrupted)
			if r.Err == nil || r.Err.Code != backend.CodeInterrupted || !strings.Contains(r.Err.Message.String(), "SIGKILL") {
				t.Errorf("error: %+v", r.Err)
			}
			if s := w.answerText(tu); !strings.HasPrefix(s, "word ") {
				t.Errorf("said %q", s)
			}
			w.assertAllClosed()
			w.waitForRecovery()
			equal(t, "said", w.answerText(w.promptAndExpect("Do 3.", backend.TurnDone)), "three")
			w.assertRestored(t, id, "one", backend.BannerIncomplete)
			if w.agent.Connection().PID == pid {
				t.Error("the process is the same")
			}
		},
	},
	{
		name:  "An agent killed while idle comes back by itself",
		turns: [][]act{{{text: "one"}}, {{text: "two"}}},
		run: func(t *testing.T, w *env) {
			w.promptAndExpect("Do 1.", backend.TurnDone)
			w.waitForWritten("one")
			id := w.session().ACPID
			kill(t, w.agent.Connection().PID)
			w.waitForRecovery()
			equal(t, "said", w.answerText(w.promptAndExpect("Do 2.", backend.TurnDone)), "two")
			w.assertRestored(t, id, "one", backend.BannerRestored)
		},
	},
	{
		name:  "After a new start of the app the session goes on",
		turns: [][]act{{{text: "one"}}, {{text: "two"}}},
		run: func(t *testing.T, w *env) {
			w.promptAndExpect("Do 1.", backend.TurnDone)
			w.waitForWritten("one")
			id := w.session().ACPID
			before := len(w.items(nil))
			w.close()
			equal(t, "state of the session", w.session().State, backend.SessionUnloaded)
			w.restart()
			tu := w.promptAndExpect("Do 2.", backend.TurnDone)
			equal(t, "said", w.answerText(tu), "two")
			w.assertRestored(t, id, "one", backend.BannerResumed)
			equal(t, "items that are new", len(w.items(nil))-before, 2) // the banner and the answer; replayed items aren't shown
		},
	},
	{
		name:  "A chat goes on in the new place of a folder that was moved",
		turns: [][]act{{{text: "one"}}, {{text: "two"}}},
		run: func(t *testing.T, w *env) {
			w.promptAndExpect("Do 1.", backend.TurnDone)
			w.waitForWritten("one")
			id := w.session().ACPID
			w.close()
			moved := w.folder + "-moved"
			if err := os.Rename(w.folder, moved); err != nil {
				t.Fatal(err)
			}
			w.restart()
			tu := w.start(backend.SessionMain, "Do 2.")
			equal(t, "cause", w.waitForState(backend.ConnectionFailed).Cause, backend.CauseFolderMissing)
			w.agent.Relocate(moved)
			w.expectEnd(tu, backend.TurnDone)
			equal(t, "said", w.answerText(tu), "two")
			equal(t, "folder", w.session().Cwd, moved)
			w.noStorage = w.noStorage || w.staysInFolder
			w.assertRestored(t, id, "one", backend.BannerResumed)
		},
	},
}
