package agent_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

// toolContracts cover tool calls and permission requests.
var toolContracts = []contract{
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
			equal(t, "read through the client", w.asked("fs/read_text_file"), w.files)
			equal(t, "written through the client", w.asked("fs/write_text_file"), w.files)
			tool := w.tool(tu, backend.ToolEdit)
			equal(t, "status", tool.Tool.Status, backend.ToolCompleted)
			equal(t, "decision", tool.Tool.Decision, backend.DecisionAllowedOnce)
			equal(t, "item of the request", a.p.ItemID, tool.ID)
			equal(t, "diffs", countOf(tool, backend.ContentDiff), 1)
			var kinds []backend.ItemKind
			for _, it := range w.items(tu) {
				// Reads before an edit are optional.
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
		name:  "An edit changes nothing else of the file",
		turns: [][]act{{{edit: "a.txt", old: "two", text: "three"}, {say: "Done."}}},
		run: func(t *testing.T, w *world) {
			w.setPolicy("allow_once")
			w.write("a.txt", "\uFEFFone\r\n\ttwo \r\n\r\nwörld 👋\r\nlast")
			w.must("Do 1.", backend.TurnDone)
			equal(t, "the file", w.read("a.txt"), "\uFEFFone\r\n\tthree \r\n\r\nwörld 👋\r\nlast")
		},
	},
	{
		name:  "An edit outside of the folder is asked for, and no rule for the folder is offered",
		turns: [][]act{{{edit: "../outside.txt", text: "new"}, {say: "Done."}}},
		run: func(t *testing.T, w *world) {
			var asked []backend.Permission
			w.decide(func(p backend.Permission) string {
				asked = append(asked, p)
				return "allow_once"
			})
			tu := w.must("Do 1.", backend.TurnDone)
			equal(t, "the file", w.read("../outside.txt"), "new")
			if !slices.ContainsFunc(asked, func(p backend.Permission) bool {
				return p.Kind == backend.ToolEdit && p.Path == w.path("../outside.txt")
			}) {
				t.Errorf("asked: %+v", asked)
			}
			for _, p := range asked {
				if p.Scope != nil {
					t.Errorf("a rule was offered: %+v", p.Scope)
				}
			}
			equal(t, "said", w.said(tu), "Done.")
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
			equal(t, "run through the client", w.asked("terminal/create"), w.terminals)
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
			equal(t, "state", w.agent.Connection().State, backend.ConnectionIdle)
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
