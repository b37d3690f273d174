package agent_test

import (
	"fmt"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// openCall returns a step that starts a tool call and leaves it open. The parameter more holds additional fields of
// the call.
func openCall(id, kind, more string) fakeagent.Step {
	return fakeagent.Update(fmt.Sprintf(`{"sessionUpdate":"tool_call","toolCallId":%q,"title":"Work","kind":%q,"status":"in_progress"%s}`, id, kind, more))
}

// stopAtRequest runs a turn and stops it when the agent requests permission.
func (w *env) stopAtRequest() *turn {
	w.t.Helper()
	tu := w.start(backend.SessionMain, "go")
	w.nextRequest()
	tu.cancel()
	w.expectEnd(tu, backend.TurnStopped)
	return tu
}

// TestStop_NextUnnamedCallMayRepeat checks that after a stop, the next turn may repeat the stopped call, even with
// agents whose calls never name a file or command.
func TestStop_NextUnnamedCallMayRepeat(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind string
		does fakeagent.Step
	}{
		"a write":                   {"edit", writeFile("$CWD/a.txt", "new\n")},
		"a write of any tool":       {"other", writeFile("$CWD/a.txt", "new\n")},
		"a command":                 {"execute", createTerminal("echo new > a.txt", "")},
		"a command with a variable": {"execute", createTerminal("echo new > a.txt", `,"env":[{"name":"X","value":"1"}]`)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _ := newLateEnv(t, func(string) []fakeagent.Turn {
				return []fakeagent.Turn{{openCall("n1", c.kind, ""), c.does}, {openCall("n2", c.kind, ""), c.does}}
			})
			w.stopAtRequest()
			equal(t, "the file", w.read("a.txt"), "old\n")
			w.setPolicy("allow_once")
			w.promptAndExpect("go", backend.TurnDone)
			waitFor(t, "the file", func() bool { return w.read("a.txt") == "new\n" })
		})
	}
}

// TestStop_UnnamedCallCoversNoNamedFile checks that a stopped turn's late write is rejected even while a call of the
// next turn is open. In one case, the open call is an edit that names no file, although the stopped call named one.
// That edit counts as made without permission and stops its turn. In the other case, the open call only reads.
func TestStop_UnnamedCallCoversNoNamedFile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		stopped, next string
		state         backend.TurnState
	}{
		"the stopped call named it": {`,"locations":[{"path":"a.txt"}]`, "edit", backend.TurnStopped},
		"a call that only reads":    {"", "read", backend.TurnDone},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _ := newLateEnv(t, func(path string) []fakeagent.Turn {
				return []fakeagent.Turn{
					{openCall("n1", "edit", c.stopped), writeFile("$CWD/a.txt", "never\n")},
					{openCall("n2", c.next, ""), lateWrite(path, "never\n"), fakeagent.WaitFor("$CWD/end")},
				}
			})
			w.stopAtRequest()
			w.setPolicy("allow_once")
			second := w.start(backend.SessionMain, "go")
			w.assertRefused("late")
			w.write("end", "")
			w.expectEnd(second, c.state)
			equal(t, "the file", w.read("a.txt"), "old\n")
		})
	}
}

// TestStop_NextTurnRequestWithSameIDAsks checks that a permission request is assigned to the current turn, and
// answered, even if the agent reuses the ID of a call from the stopped turn.
func TestStop_NextTurnRequestWithSameIDAsks(t *testing.T) {
	t.Parallel()
	about := func(name string) fakeagent.Step {
		return request(fmt.Sprintf(`"toolCallId":"e1","title":"Edit %s","kind":"edit","locations":[{"path":"%s"}]`, name, name))
	}
	for name, c := range map[string]struct {
		stopped fakeagent.Turn
		next    fakeagent.Step
	}{
		"a call that began with a request": {fakeagent.Turn{about("a.txt")}, about("a.txt")},
		"another file":                     {fakeagent.Turn{openCall("e1", "edit", `,"locations":[{"path":"a.txt"}]`), about("a.txt")}, about("b.txt")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _ := newLateEnv(t, func(string) []fakeagent.Turn { return []fakeagent.Turn{c.stopped, {c.next}} })
			first := w.stopAtRequest()
			second := w.start(backend.SessionMain, "go")
			a := w.nextRequest()
			a.answer <- "allow_once"
			w.expectEnd(second, backend.TurnDone)
			equal(t, "turn of the request", a.permission.TurnID, second.id)
			equal(t, "tools of the next turn", len(w.tools(second)), 1)
			equal(t, "its decision", w.tools(second)[0].Tool.Decision, backend.DecisionAllowedOnce)
			equal(t, "decision of the stopped call", w.tools(first)[0].Tool.Decision, backend.DecisionClosed)
		})
	}
}
