package agent_test

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// The contract is what VoxPilot builds on, whatever the agent: every case runs
// against the fake agent, the real GitHub Copilot CLI and Qwen Code, of which
// the real ones talk to a scripted model.

// subject is an agent that the suite runs on.
type subject struct {
	// launch says how the agent is started in the world. It does the turns.
	launch func(t *testing.T, w *world, turns [][]act) agent.Launch
	traits
	parallel bool
}

// traits are what agents may do in one way or another. The cases say what has
// to hold for either.
type traits struct {
	// exitCodes: how a command ended is told apart from its output.
	exitCodes bool
	// endsCalls: when it is told to stop it ends its tool calls itself, as
	// completed; else they stay open and are ended by the client.
	endsCalls bool
	// forgets: it does not declare loadSession.
	forgets bool
	// staysInFolder: it has the sessions of the folder it works in and no others.
	staysInFolder bool
	// wrote says whether it has said text in what it keeps of its sessions; nil
	// where that is so before it answers. What it has not written when it ends
	// it does not know later, and no client can help that.
	wrote func(w *world, text string) bool
}

// act is something that the agent does when it is prompted, in the words of
// all of them.
type act struct {
	think   string
	say     string
	fail    bool // the model cannot be reached
	chunks  int  // of say, slowly: long enough to be cut
	edit    string
	old     string
	text    string
	command string
}

// pace is the time between two chunks.
const pace = 20 * time.Millisecond

type contract struct {
	name  string
	turns [][]act
	run   func(t *testing.T, w *world)
}

var contracts = []contract{
	{
		name:  "A prompt streams its answer",
		turns: [][]act{{{say: "Hello, wörld 👋"}}},
		run: func(t *testing.T, w *world) {
			tu := w.must("Do 1.", backend.TurnDone)
			equal(t, "said", w.said(tu), "Hello, wörld 👋")
			same(t, "states", w.states(), []backend.ConnectionState{backend.Checking, backend.Starting, backend.Restoring, backend.Ready})
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
			if r.Err == nil || r.Err.Message == "" || !strings.Contains(r.Err.Message+r.Err.Detail, "401") {
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
		name:  "An edit that is allowed changes the file",
		turns: [][]act{{{say: "I will."}, {edit: "a.txt", old: "two", text: "three"}, {say: "Edited."}}},
		run: func(t *testing.T, w *world) {
			w.write("a.txt", "one\ntwo\n")
			tu := w.start(backend.SessionMain, "Do 1.")
			a := w.next()
			equal(t, "kind", a.p.Kind, backend.ToolEdit)
			equal(t, "path", a.p.Path, w.path("a.txt"))
			if a.p.Scope == nil || a.p.Scope.Kind != backend.RuleEdits || a.p.Scope.Folder != w.folder {
				t.Errorf("scope: %+v", a.p.Scope)
			}
			diff := w.content(t, a.p.ItemID, a.p.ContentID)
			if diff.Type != backend.ContentDiff || diff.Added != 1 || diff.Removed != 1 || !strings.Contains(string(diff.Body), "\n-two\n+three\n") {
				t.Errorf("the preview: %+v\n%s", diff, diff.Body)
			}
			equal(t, "the file before the answer", w.read("a.txt"), "one\ntwo\n")
			a.to <- "allow_once"
			w.mustEnd(tu, backend.TurnDone)
			equal(t, "the file", w.read("a.txt"), "one\nthree\n")
			tool := w.tool(tu, backend.ToolEdit)
			equal(t, "status", tool.Tool.Status, backend.ToolCompleted)
			equal(t, "decision", tool.Tool.Decision, backend.DecisionAllowedOnce)
			equal(t, "item of the request", a.p.ItemID, tool.ID)
			equal(t, "diffs", countOf(tool, backend.ContentDiff), 1)
			var kinds []backend.ItemKind
			for _, it := range w.items(tu) {
				// What it reads before it edits is its own business.
				if it.Kind != backend.ItemNote && (it.Tool == nil || it.Tool.Kind != backend.ToolRead) {
					kinds = append(kinds, it.Kind)
				}
			}
			same(t, "the order", kinds, []backend.ItemKind{backend.ItemMessage, backend.ItemTool, backend.ItemMessage})
			w.allClosed()
		},
	},
	{
		name:  "An edit that is rejected leaves the file alone",
		turns: [][]act{{{edit: "a.txt", old: "two", text: "three"}, {say: "never"}}, {{say: "still here"}}},
		run: func(t *testing.T, w *world) {
			w.write("a.txt", "one\ntwo\n")
			tu := w.start(backend.SessionMain, "Do 1.")
			w.next().to <- "reject_once"
			w.mustEnd(tu, backend.TurnDone)
			equal(t, "the file", w.read("a.txt"), "one\ntwo\n")
			tool := w.tool(tu, backend.ToolEdit)
			equal(t, "status", tool.Tool.Status, backend.ToolFailed)
			equal(t, "decision", tool.Tool.Decision, backend.DecisionRejected)
			equal(t, "said", w.said(w.must("Do 2.", backend.TurnDone)), "still here")
			w.allClosed()
		},
	},
	{
		name:  "A command that is allowed runs and shows its output and exit code",
		turns: [][]act{{{command: "echo out; echo made > made.txt; exit 3"}, {say: "Ran."}}},
		run: func(t *testing.T, w *world) {
			tu := w.start(backend.SessionMain, "Do 1.")
			a := w.next()
			equal(t, "kind", a.p.Kind, backend.ToolExecute)
			equal(t, "command", a.p.Command, "echo out; echo made > made.txt; exit 3")
			same(t, "commands", a.p.Commands, []string{"echo out; echo made > made.txt; exit 3"})
			if a.p.Scope == nil || a.p.Scope.Kind != backend.RuleCommand || a.p.Scope.Command != a.p.Command {
				t.Errorf("scope: %+v", a.p.Scope)
			}
			equal(t, "the preview", string(w.content(t, a.p.ItemID, a.p.ContentID).Body), a.p.Command)
			equal(t, "the file before the answer", w.read("made.txt"), "")
			a.to <- "allow_once"
			w.mustEnd(tu, backend.TurnDone)
			equal(t, "the file", w.read("made.txt"), "made\n")
			tool := w.tool(tu, backend.ToolExecute)
			equal(t, "status", tool.Tool.Status, backend.ToolCompleted)
			equal(t, "outputs", countOf(tool, backend.ContentTerminal), 1)
			out := tool.contents[slices.IndexFunc(tool.contents, func(c backend.Content) bool { return c.Type == backend.ContentTerminal })]
			if w.exitCodes {
				if tool.Tool.ExitCode == nil || *tool.Tool.ExitCode != 3 {
					t.Errorf("exit code: %v", tool.Tool.ExitCode)
				}
				equal(t, "output", strings.TrimSpace(string(out.Body)), "out")
			} else if tool.Tool.ExitCode != nil || !strings.Contains(string(out.Body), "out") || !strings.Contains(string(out.Body), "3") {
				t.Errorf("exit code: %v; output: %q", tool.Tool.ExitCode, out.Body)
			}
			w.allClosed()
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
		name:  "A stopped command is gone, and its request is closed",
		turns: [][]act{{{command: "echo $$ > pid; exec sleep 1000"}}, {{say: "after"}}},
		run: func(t *testing.T, w *world) {
			w.setPolicy("allow_once")
			tu := w.start(backend.SessionMain, "Do 1.")
			pid := w.waitPID("pid")
			tu.cancel()
			w.mustEnd(tu, backend.TurnStopped)
			waitGone(t, pid)
			status := backend.ToolCancelled
			if w.endsCalls {
				status = backend.ToolCompleted
			}
			equal(t, "status", w.tool(tu, backend.ToolExecute).Tool.Status, status)
			equal(t, "said", w.said(w.must("Do 2.", backend.TurnDone)), "after")
			w.allClosed()
		},
	},
	{
		name:  "A request that nobody answered is closed when the prompt is stopped",
		turns: [][]act{{{edit: "a.txt", text: "new"}}, {{say: "after"}}},
		run: func(t *testing.T, w *world) {
			tu := w.start(backend.SessionMain, "Do 1.")
			a := w.next()
			w.agent.Cancel(backend.SessionMain)
			w.mustEnd(tu, backend.TurnStopped)
			<-a.ctx.Done()
			equal(t, "the file", w.read("a.txt"), "")
			equal(t, "said", w.said(w.must("Do 2.", backend.TurnDone)), "after")
			equal(t, "decision", w.tool(tu, backend.ToolEdit).Tool.Decision, backend.DecisionClosed)
			w.allClosed()
		},
	},
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
			if r.Err == nil || r.Err.Code != backend.CodeInterrupted || !strings.Contains(r.Err.Message, "SIGKILL") {
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
			equal(t, "state of the session", w.session().State, backend.SessionAway)
			w.reopen()
			tu := w.must("Do 2.", backend.TurnDone)
			equal(t, "said", w.said(tu), "two")
			w.cameBack(t, id, "one", backend.BannerResumed)
			equal(t, "items that are new", len(w.items(nil))-before, 2) // the banner and the answer: the replay is not shown
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
			equal(t, "cause", w.waitState(backend.Failed).Cause, backend.CauseFolderGone)
			w.agent.Relocate(moved)
			w.mustEnd(tu, backend.TurnDone)
			equal(t, "said", w.said(tu), "two")
			equal(t, "folder", w.session().Cwd, moved)
			w.forgets = w.forgets || w.staysInFolder
			w.cameBack(t, id, "one", backend.BannerResumed)
		},
	},
	{
		name:  "Nothing is left after Close in the middle of a command",
		turns: [][]act{{{command: "sleep 1000 & echo $! > pid; wait"}}},
		run: func(t *testing.T, w *world) {
			w.setPolicy("allow_once")
			tu := w.start(backend.SessionMain, "Do 1.")
			pid, own := w.waitPID("pid"), w.agent.Connection().PID
			w.close()
			w.mustEnd(tu, backend.TurnStopped)
			waitGone(t, pid)
			waitGone(t, own)
			equal(t, "state", w.agent.Connection().State, backend.Idle)
			w.allClosed()
		},
	},
	{
		name:  "Nothing is left of a killed agent's command",
		turns: [][]act{{{command: "sleep 1000 & echo $! > pid; wait"}}},
		run: func(t *testing.T, w *world) {
			w.setPolicy("allow_once")
			tu := w.start(backend.SessionMain, "Do 1.")
			pid := w.waitPID("pid")
			kill(t, w.agent.Connection().PID)
			w.mustEnd(tu, backend.TurnInterrupted)
			waitGone(t, pid)
			equal(t, "status", w.tool(tu, backend.ToolExecute).Tool.Status, backend.ToolCancelled)
			w.awaitReturn()
			w.allClosed()
		},
	},
}

func TestTheFakeAgentKeepsTheContract(t *testing.T) {
	keepsTheContract(t, subject{parallel: true, traits: traits{exitCodes: true}, launch: func(_ *testing.T, w *world, turns [][]act) agent.Launch {
		return fake(fakeScript(turns))(w)
	}})
}

func TestAnAgentThatForgetsKeepsTheContract(t *testing.T) {
	keepsTheContract(t, subject{parallel: true, traits: traits{exitCodes: true, forgets: true}, launch: func(_ *testing.T, w *world, turns [][]act) agent.Launch {
		s := fakeScript(turns)
		s.NoSessions = true
		return fake(s)(w)
	}})
}

func keepsTheContract(t *testing.T, s subject) {
	for _, c := range contracts {
		t.Run(c.name, func(t *testing.T) {
			if s.parallel {
				t.Parallel()
			}
			needsUnix(t, c)
			w := emptyWorld(t)
			w.traits = s.traits
			l := s.launch(t, w, c.turns)
			w.reopen = func() { w.open(func(*world) agent.Launch { return l }, nil) }
			w.reopen()
			c.run(t, w)
		})
	}
}

// fakeScript has the fake agent do the turns.
func fakeScript(turns [][]act) (script fakeagent.Script) {
	for _, turn := range turns {
		var steps fakeagent.Turn
		for _, a := range turn {
			switch {
			case a.think != "":
				steps = append(steps, fakeagent.Think(a.think))
			case a.fail: // as the Copilot CLI tells it
				steps = append(steps, fakeagent.Say("Error: 401 no such key"))
			case a.chunks > 0:
				steps = append(steps, fakeagent.Chunks(a.chunks, a.say, pace))
			case a.say != "":
				steps = append(steps, fakeagent.Say(a.say))
			case a.command != "":
				steps = append(steps, fakeagent.Run(a.command))
			default:
				steps = append(steps, fakeagent.Edit(a.edit, a.old, a.text))
			}
		}
		script.Turns = append(script.Turns, steps)
	}
	return script
}

// needsUnix skips cases whose commands are for a Unix shell.
func needsUnix(t *testing.T, c contract) {
	t.Helper()
	for _, turn := range c.turns {
		for _, a := range turn {
			if a.command != "" && runtime.GOOS == "windows" {
				t.Skip("its commands are for a Unix shell")
			}
		}
	}
}
