package agent_test

import (
	"os"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

// returnContracts cover restored sessions.
var returnContracts = []contract{
	{
		name:  "A killed agent comes back with its session",
		turns: [][]act{{{say: "one"}}, {{say: "word ", chunks: 1000}}, {{say: "three"}}},
		run: func(t *testing.T, w *world) {
			w.must("Do 1.", backend.TurnDone)
			w.awaitWritten("one")
			id, pid := w.session().ACPID, w.agent.Connection().PID
			tu := w.start(backend.SessionMain, "Do 2.")
			w.waitText("word ")
			kill(t, pid)
			r := w.mustEnd(tu, backend.TurnInterrupted)
			if r.Err == nil || r.Err.Code != backend.CodeInterrupted || !strings.Contains(r.Err.Message.String(), "SIGKILL") {
				t.Errorf("error: %+v", r.Err)
			}
			if s := w.said(tu); !strings.HasPrefix(s, "word ") {
				t.Errorf("said %q", s)
			}
			w.allClosed()
			w.awaitReturn()
			equal(t, "said", w.said(w.must("Do 3.", backend.TurnDone)), "three")
			w.cameBack(t, id, "one", backend.BannerIncomplete)
			if w.agent.Connection().PID == pid {
				t.Error("the process is the same")
			}
		},
	},
	{
		name:  "An agent killed while idle comes back by itself",
		turns: [][]act{{{say: "one"}}, {{say: "two"}}},
		run: func(t *testing.T, w *world) {
			w.must("Do 1.", backend.TurnDone)
			w.awaitWritten("one")
			id := w.session().ACPID
			kill(t, w.agent.Connection().PID)
			w.awaitReturn()
			equal(t, "said", w.said(w.must("Do 2.", backend.TurnDone)), "two")
			w.cameBack(t, id, "one", backend.BannerRestored)
		},
	},
	{
		name:  "After a new start of the app the session goes on",
		turns: [][]act{{{say: "one"}}, {{say: "two"}}},
		run: func(t *testing.T, w *world) {
			w.must("Do 1.", backend.TurnDone)
			w.awaitWritten("one")
			id := w.session().ACPID
			before := len(w.items(nil))
			w.close()
			equal(t, "state of the session", w.session().State, backend.SessionUnloaded)
			w.reopen()
			tu := w.must("Do 2.", backend.TurnDone)
			equal(t, "said", w.said(tu), "two")
			w.cameBack(t, id, "one", backend.BannerResumed)
			equal(t, "items that are new", len(w.items(nil))-before, 2) // the banner and the answer; the replay isn't shown
		},
	},
	{
		name:  "A chat goes on in the new place of a folder that was moved",
		turns: [][]act{{{say: "one"}}, {{say: "two"}}},
		run: func(t *testing.T, w *world) {
			w.must("Do 1.", backend.TurnDone)
			w.awaitWritten("one")
			id := w.session().ACPID
			w.close()
			moved := w.folder + "-moved"
			if err := os.Rename(w.folder, moved); err != nil {
				t.Fatal(err)
			}
			w.reopen()
			tu := w.start(backend.SessionMain, "Do 2.")
			equal(t, "cause", w.waitState(backend.ConnectionFailed).Cause, backend.CauseFolderMissing)
			w.agent.Relocate(moved)
			w.mustEnd(tu, backend.TurnDone)
			equal(t, "said", w.said(tu), "two")
			equal(t, "folder", w.session().Cwd, moved)
			w.forgets = w.forgets || w.staysInFolder
			w.cameBack(t, id, "one", backend.BannerResumed)
		},
	},
}
