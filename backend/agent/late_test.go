package agent_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// newLateEnv returns an env and the path of the file a.txt in its folder. The turns function is called with that
// path and returns the agent's turns.
func newLateEnv(t *testing.T, turns func(path string) []fakeagent.Turn) (w *env, path string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the paths and commands of the script are those of a Unix")
	}
	w = newEmptyEnv(t)
	path = w.path("a.txt")
	w.write("a.txt", "old\n")
	w.open(fake(fakeagent.Script{Turns: turns(path)}), nil)
	return w, path
}

// lateRequest returns a step that sends a request without waiting for the response.
func lateRequest(id, method, params string) fakeagent.Step {
	return fakeagent.Raw(fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":%q,"params":{"sessionId":"$SESSION",%s}}`, id, method, params))
}

func lateWrite(path, text string) fakeagent.Step {
	return lateRequest("late", "fs/write_text_file", fmt.Sprintf(`"path":%q,"content":%q`, path, text))
}

func lateCommand(command string) fakeagent.Step {
	return lateRequest("late", "terminal/create", fmt.Sprintf(`"command":%q`, command))
}

// responseTo waits for the response to the request with the given ID and returns it.
func (w *env) responseTo(id string) (answer gjson.Result) {
	w.t.Helper()
	waitFor(w.t, "the answer to "+id, func() bool {
		for _, f := range w.agent.Protocol(0, "", 0) {
			if v := gjson.Parse(f.Body); f.Out && f.Method == "" && v.Get("id").String() == id {
				answer = v
				return true
			}
		}
		return false
	})
	return answer
}

// requestsSent returns the number of messages with the given method that were sent to the agent.
func (w *env) requestsSent(method string) (n int) {
	for _, f := range w.agent.Protocol(0, method, 0) {
		if f.Out && f.Method == method {
			n++
		}
	}
	return n
}

// assertRefused fails the test unless the request with the given ID was rejected because its turn was
// stopped.
func (w *env) assertRefused(id string) {
	w.t.Helper()
	a := w.responseTo(id)
	equal(w.t, "code", a.Get("error.code").Int(), -32800)
	if m := a.Get("error.message").String(); !strings.Contains(m, "stopped") {
		w.t.Errorf("answered %q", m)
	}
}

// allowedEdit returns the steps of an edit up to and including its permission request. The step that writes the file is
// left out.
func allowedEdit(path, text string) []fakeagent.Step { return requestAndEdit(path, "old\n", text)[:2] }

const stoppedCall = `"toolCallId":"e1"`

func TestStop_RefusesWriteBeforeAnswer(t *testing.T) {
	t.Parallel()
	for name, last := range map[string]func(path string) []fakeagent.Step{
		"of the allowed file": func(path string) []fakeagent.Step { return []fakeagent.Step{lateWrite(path, "new\n")} },
		"of another file":     func(path string) []fakeagent.Step { return []fakeagent.Step{lateWrite(path+".b", "new\n")} },
	} {
		t.Run(name, func(t *testing.T) {
			w, _ := newLateEnv(t, func(path string) []fakeagent.Turn {
				steps := append(allowedEdit(path, "new\n"), fakeagent.WaitFor("$CWD/go"))
				steps = append(steps, last(path)...)
				return []fakeagent.Turn{{fakeagent.Undeterred(append(steps, fakeagent.WaitFor("$CWD/end"))...)}}
			})
			tu := w.start(backend.SessionMain, "go")
			w.nextRequest().answer <- "allow_once"
			waitFor(t, "the decision", func() bool { return w.tools(tu)[0].Tool.Decision == backend.DecisionAllowedOnce })
			// From here on, rules and the mode would allow it.
			w.setPolicy("allow_once")
			tu.cancel()
			waitFor(t, "the stop", func() bool { return w.requestsSent("session/cancel") > 0 })
			w.write("go", "")
			w.assertRefused("late")
			w.write("end", "")
			w.expectEnd(tu, backend.TurnStopped)
			equal(t, "the file", w.read("a.txt"), "old\n")
			equal(t, "the other file", w.read("a.txt.b"), "")
			equal(t, "status", w.tools(tu)[0].Tool.Status, backend.ToolCancelled)
			w.assertAllClosed()
		})
	}
}

func TestStop_RefusesRequestsAfterAnswer(t *testing.T) {
	t.Parallel()
	for name, late := range map[string]func(path string) fakeagent.Step{
		"a write":   func(path string) fakeagent.Step { return lateWrite(path, "new\n") },
		"a command": func(string) fakeagent.Step { return lateCommand("echo x > made.txt") },
	} {
		for _, next := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, another turn %v", name, next), func(t *testing.T) {
				w, _ := newLateEnv(t, func(path string) []fakeagent.Turn {
					run := `"toolCallId":"c1","title":"Run","kind":"execute","rawInput":{"command":"echo x > made.txt"}`
					first := fakeagent.Turn(allowedEdit(path, "new\n"))
					first = append(first, fakeagent.Update(`{"sessionUpdate":"tool_call",`+run+`,"status":"in_progress"}`),
						fakeagent.After(fakeagent.Undeterred(fakeagent.WaitFor("$CWD/go"), late(path))), fakeagent.Think("half"), fakeagent.Hang())
					return []fakeagent.Turn{first, {fakeagent.Say("next"), fakeagent.WaitFor("$CWD/end")}}
				})
				w.setPolicy("allow_once")
				tu := w.start(backend.SessionMain, "go")
				w.waitForText("half")
				tu.cancel()
				w.expectEnd(tu, backend.TurnStopped)
				var second *turn
				if next {
					second = w.start(backend.SessionMain, "go")
					w.waitForText("next")
				}
				w.write("go", "")
				w.assertRefused("late")
				equal(t, "the file", w.read("a.txt"), "old\n")
				equal(t, "made", w.read("made.txt"), "")
				if next {
					w.write("end", "")
					w.expectEnd(second, backend.TurnDone)
					equal(t, "tools of the next turn", len(w.tools(second)), 0)
				}
				w.assertAllClosed()
			})
		}
	}
}

func TestStop_RefusesRequestOfStoppedCall(t *testing.T) {
	t.Parallel()
	w, _ := newLateEnv(t, func(path string) []fakeagent.Turn {
		return []fakeagent.Turn{
			{
				fakeagent.Update(`{"sessionUpdate":"tool_call",` + stoppedCall + `,"title":"Edit it","kind":"edit","status":"pending"}`),
				fakeagent.After(fakeagent.Undeterred(fakeagent.WaitFor("$CWD/go"), lateRequest("late", "session/request_permission",
					`"toolCall":{`+stoppedCall+`},"options":[{"optionId":"yes","kind":"allow_once","name":"Yes"}]`))),
				fakeagent.Think("half"), fakeagent.Hang(),
			},
			{fakeagent.Say("next"), fakeagent.WaitFor("$CWD/end")},
		}
	})
	w.setPolicy("allow_once")
	tu := w.start(backend.SessionMain, "go")
	w.waitForText("half")
	tu.cancel()
	w.expectEnd(tu, backend.TurnStopped)
	second := w.start(backend.SessionMain, "go")
	w.waitForText("next")
	w.write("go", "")
	equal(t, "outcome", w.responseTo("late").Get("result.outcome.outcome").String(), "cancelled")
	w.write("end", "")
	w.expectEnd(second, backend.TurnDone)
	equal(t, "decision", w.tools(tu)[0].Tool.Decision, backend.DecisionClosed)
	equal(t, "tools of the next turn", len(w.tools(second)), 0)
}

func TestStop_NextTurnMayWriteSameFile(t *testing.T) {
	t.Parallel()
	w, path := newLateEnv(t, func(path string) []fakeagent.Turn {
		stopped := append(fakeagent.Turn(allowedEdit(path, "never\n")), fakeagent.Think("half"), fakeagent.Hang())
		return []fakeagent.Turn{stopped, requestAndEdit(path, "old\n", "new\n")} // reuses the call's ID
	})
	w.setPolicy("allow_once")
	tu := w.start(backend.SessionMain, "go")
	w.waitForText("half")
	tu.cancel()
	w.expectEnd(tu, backend.TurnStopped)
	second := w.promptAndExpect("go", backend.TurnDone)
	b, err := os.ReadFile(filepath.Clean(path))
	noErr(t, err)
	equal(t, "the file", string(b), "new\n")
	equal(t, "status of the stopped call", w.tools(tu)[0].Tool.Status, backend.ToolCancelled)
	equal(t, "status of the next call", w.tools(second)[0].Tool.Status, backend.ToolCompleted)
}

func TestStop_RecordsWrittenFile(t *testing.T) {
	t.Parallel()
	w, _ := newLateEnv(t, func(path string) []fakeagent.Turn {
		steps := requestAndEdit(path, "old\n", "new\n")
		return []fakeagent.Turn{append(steps[:3:3], fakeagent.Think("written"), fakeagent.Hang())}
	})
	w.setPolicy("allow_once")
	tu := w.start(backend.SessionMain, "go")
	w.waitForText("written")
	tu.cancel()
	r := w.expectEnd(tu, backend.TurnStopped)
	equal(t, "the file", w.read("a.txt"), "new\n")
	equal(t, "status", w.tools(tu)[0].Tool.Status, backend.ToolCompleted)
	equalDeep(t, "files", r.Summary.Files, []backend.FileChange{{Path: "a.txt", Added: 1, Removed: 1}})
}

func TestStop_RecordsChangeMadeAnyway(t *testing.T) {
	t.Parallel()
	for _, next := range []bool{false, true} {
		t.Run(fmt.Sprintf("another turn %v", next), func(t *testing.T) {
			w, _ := newLateEnv(t, func(path string) []fakeagent.Turn {
				done := requestAndEdit(path, "old\n", "new\n")[3]
				return []fakeagent.Turn{
					{
						fakeagent.After(fakeagent.Undeterred(fakeagent.WaitFor("$CWD/go"), done, fakeagent.Raw("all of it was said"))),
						requestAndEdit(path, "old\n", "new\n")[0], requestAndEdit(path, "old\n", "new\n")[1],
					},
					{fakeagent.Say("next"), fakeagent.WaitFor("$CWD/end")},
				}
			})
			tu := w.start(backend.SessionMain, "go")
			w.nextRequest() // the user doesn't answer
			tu.cancel()
			w.expectEnd(tu, backend.TurnStopped)
			equal(t, "status", w.tools(tu)[0].Tool.Status, backend.ToolCancelled)
			if next {
				second := w.start(backend.SessionMain, "go")
				w.waitForText("next")
				defer func() {
					w.write("end", "")
					w.expectEnd(second, backend.TurnDone)
					equal(t, "tools of the next turn", len(w.tools(second)), 0)
				}()
			}
			w.write("go", "")
			w.waitForBanner(backend.BannerAgentError)
			tool := w.tools(tu)[0]
			equal(t, "status", tool.Tool.Status, backend.ToolCompleted)
			equal(t, "decision", tool.Tool.Decision, "")
			equal(t, "unasked", tool.Tool.WithoutPermission, true)
			equal(t, "lines added", tool.contents[0].Added, 1)
		})
	}
}

func TestStop_EndsCommandsBeforeAnswer(t *testing.T) {
	t.Parallel()
	w := newScriptedEnv(t, fakeagent.Turn{fakeagent.Undeterred(
		createTerminal("echo $$ > pid; exec sleep 1000", ""), fakeagent.WaitFor("$CWD/end"),
	)})
	w.setPolicy("allow_once")
	tu := w.start(backend.SessionMain, "go")
	pid := w.waitForPID("pid")
	tu.cancel()
	waitForProcessEnd(t, pid) // while the agent is still processing its turn
	w.write("end", "")
	w.expectEnd(tu, backend.TurnStopped)
	equal(t, "status", w.tools(tu)[0].Tool.Status, backend.ToolCancelled)
	w.assertAllClosed()
}
