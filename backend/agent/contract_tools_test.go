package agent_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

// toolContracts are the test cases for tool calls and permission requests.
var toolContracts = []contract{
	{
		name:  "An edit that is allowed changes the file",
		turns: [][]act{{{text: "I will."}, {edit: "a.txt", old: "two", newText: "three"}, {text: "Edited."}}},
		run: func(t *testing.T, w *env) {
			w.write("a.txt", "one\ntwo\n")
			tu := w.start(backend.SessionMain, "Do 1.")
			a := w.nextRequest()
			equal(t, "kind", a.permission.Kind, backend.ToolEdit)
			equal(t, "path", a.permission.Path, w.path("a.txt"))
			if a.permission.Scope == nil || a.permission.Scope.Kind != backend.RuleEdits || a.permission.Scope.Folder != w.folder {
				t.Errorf("scope: %+v", a.permission.Scope)
			}
			diff := w.content(t, a.permission.ItemID, a.permission.ContentID)
			if diff.Type != backend.ContentDiff || diff.Added != 1 || diff.Removed != 1 || !strings.Contains(string(diff.Body), "\n-two\n+three\n") {
				t.Errorf("the preview: %+v\n%s", diff, diff.Body)
			}
			equal(t, "the file before the answer", w.read("a.txt"), "one\ntwo\n")
			a.answer <- "allow_once"
			w.expectEnd(tu, backend.TurnDone)
			equal(t, "the file", w.read("a.txt"), "one\nthree\n")
			equal(t, "read through the client", w.requested("fs/read_text_file"), w.files)
			equal(t, "written through the client", w.requested("fs/write_text_file"), w.files)
			tool := w.tool(tu, backend.ToolEdit)
			equal(t, "status", tool.Tool.Status, backend.ToolCompleted)
			equal(t, "decision", tool.Tool.Decision, backend.DecisionAllowedOnce)
			equal(t, "item of the request", a.permission.ItemID, tool.ID)
			equal(t, "diffs", countOf(tool, backend.ContentDiff), 1)
			var kinds []backend.ItemKind
			for _, it := range w.items(tu) {
				// Reads before an edit are optional.
				if it.Kind != backend.ItemNote && (it.Tool == nil || it.Tool.Kind != backend.ToolRead) {
					kinds = append(kinds, it.Kind)
				}
			}
			equalDeep(t, "the order", kinds, []backend.ItemKind{backend.ItemMessage, backend.ItemTool, backend.ItemMessage})
			w.assertAllClosed()
		},
	},
	{
		name:  "An edit that is rejected leaves the file alone",
		turns: [][]act{{{edit: "a.txt", old: "two", newText: "three"}, {text: "never"}}, {{text: "still here"}}},
		run: func(t *testing.T, w *env) {
			w.write("a.txt", "one\ntwo\n")
			tu := w.start(backend.SessionMain, "Do 1.")
			w.nextRequest().answer <- "reject_once"
			w.expectEnd(tu, backend.TurnDone)
			equal(t, "the file", w.read("a.txt"), "one\ntwo\n")
			tool := w.tool(tu, backend.ToolEdit)
			equal(t, "status", tool.Tool.Status, backend.ToolFailed)
			equal(t, "decision", tool.Tool.Decision, backend.DecisionRejected)
			equal(t, "said", w.answerText(w.promptAndExpect("Do 2.", backend.TurnDone)), "still here")
			w.assertAllClosed()
		},
	},
	{
		name:  "An edit changes nothing else of the file",
		turns: [][]act{{{edit: "a.txt", old: "two", newText: "three"}, {text: "Done."}}},
		run: func(t *testing.T, w *env) {
			w.setPolicy("allow_once")
			w.write("a.txt", "\uFEFFone\r\n\ttwo \r\n\r\nwörld 👋\r\nlast")
			w.promptAndExpect("Do 1.", backend.TurnDone)
			equal(t, "the file", w.read("a.txt"), "\uFEFFone\r\n\tthree \r\n\r\nwörld 👋\r\nlast")
		},
	},
	{
		name:  "An edit outside of the folder is asked for, and no rule for the folder is offered",
		turns: [][]act{{{edit: "../outside.txt", newText: "new"}, {text: "Done."}}},
		run: func(t *testing.T, w *env) {
			var asked []backend.Permission
			w.decide(func(p backend.Permission) string {
				asked = append(asked, p)
				return "allow_once"
			})
			tu := w.promptAndExpect("Do 1.", backend.TurnDone)
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
			equal(t, "said", w.answerText(tu), "Done.")
			w.assertAllClosed()
		},
	},
	{
		name:  "A command that is allowed runs and shows its output and exit code",
		turns: [][]act{{{command: "echo out; echo made > made.txt; exit 3"}, {text: "Ran."}}},
		run: func(t *testing.T, w *env) {
			tu := w.start(backend.SessionMain, "Do 1.")
			a := w.nextRequest()
			equal(t, "kind", a.permission.Kind, backend.ToolExecute)
			equal(t, "command", a.permission.Command, "echo out; echo made > made.txt; exit 3")
			equalDeep(t, "commands", a.permission.Commands, []string{"echo out; echo made > made.txt; exit 3"})
			if a.permission.Scope == nil || a.permission.Scope.Kind != backend.RuleCommand || a.permission.Scope.Command != a.permission.Command {
				t.Errorf("scope: %+v", a.permission.Scope)
			}
			equal(t, "the preview", string(w.content(t, a.permission.ItemID, a.permission.ContentID).Body), a.permission.Command)
			equal(t, "the file before the answer", w.read("made.txt"), "")
			a.answer <- "allow_once"
			w.expectEnd(tu, backend.TurnDone)
			equal(t, "the file", w.read("made.txt"), "made\n")
			equal(t, "run through the client", w.requested("terminal/create"), w.terminals)
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
			w.assertAllClosed()
		},
	},
	{
		name:  "A stopped command is gone, and its request is closed",
		turns: [][]act{{{command: "echo $$ > pid; exec sleep 1000"}}, {{text: "after"}}},
		run: func(t *testing.T, w *env) {
			w.setPolicy("allow_once")
			tu := w.start(backend.SessionMain, "Do 1.")
			pid := w.waitForPID("pid")
			tu.cancel()
			w.expectEnd(tu, backend.TurnStopped)
			waitForProcessEnd(t, pid)
			status := backend.ToolCancelled
			if w.endsCalls {
				status = backend.ToolCompleted
			}
			equal(t, "status", w.tool(tu, backend.ToolExecute).Tool.Status, status)
			equal(t, "said", w.answerText(w.promptAndExpect("Do 2.", backend.TurnDone)), "after")
			w.assertAllClosed()
		},
	},
	{
		name:  "A request that nobody answered is closed when the prompt is stopped",
		turns: [][]act{{{edit: "a.txt", newText: "new"}}, {{text: "after"}}},
		run: func(t *testing.T, w *env) {
			tu := w.start(backend.SessionMain, "Do 1.")
			a := w.nextRequest()
			w.agent.Cancel(backend.SessionMain)
			w.expectEnd(tu, backend.TurnStopped)
			<-a.ctx.Done()
			equal(t, "the file", w.read("a.txt"), "")
			equal(t, "said", w.answerText(w.promptAndExpect("Do 2.", backend.TurnDone)), "after")
			equal(t, "decision", w.tool(tu, backend.ToolEdit).Tool.Decision, backend.DecisionClosed)
			w.assertAllClosed()
		},
	},
	{
		name:  "Nothing is left after Close in the middle of a command",
		turns: [][]act{{{command: "sleep 1000 & echo $! > pid; wait"}}},
		run: func(t *testing.T, w *env) {
			w.setPolicy("allow_once")
			tu := w.start(backend.SessionMain, "Do 1.")
			pid, own := w.waitForPID("pid"), w.agent.Connection().PID
			w.close()
			w.expectEnd(tu, backend.TurnStopped)
			waitForProcessEnd(t, pid)
			waitForProcessEnd(t, own)
			equal(t, "state", w.agent.Connection().State, backend.ConnectionIdle)
			w.assertAllClosed()
		},
	},
	{
		name:  "Nothing is left of a killed agent's command",
		turns: [][]act{{{command: "sleep 1000 & echo $! > pid; wait"}}},
		run: func(t *testing.T, w *env) {
			w.setPolicy("allow_once")
			tu := w.start(backend.SessionMain, "Do 1.")
			pid := w.waitForPID("pid")
			kill(t, w.agent.Connection().PID)
			w.expectEnd(tu, backend.TurnInterrupted)
			waitForProcessEnd(t, pid)
			equal(t, "status", w.tool(tu, backend.ToolExecute).Tool.Status, backend.ToolCancelled)
			w.waitForRecovery()
			w.assertAllClosed()
		},
	},
}
