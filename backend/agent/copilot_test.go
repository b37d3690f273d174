package agent_test

import (
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/copilottest"
)

func TestContract_Copilot(t *testing.T) {
	cli := copilotCLI(t)
	runContract(t, subject{parallel: true, traits: traits{exitCodes: true}, launch: func(t *testing.T, w *env, turns [][]act) agent.Launch {
		t.Helper()
		return copilotLaunch(t, w, cli, turns)
	}})
}

// copilotLaunch returns a Launch that starts the Copilot CLI with a model that makes it
// perform the turns.
func copilotLaunch(t *testing.T, w *env, cli string, turns [][]act) agent.Launch {
	t.Helper()
	w.model = scriptedModel(t, turns, func(a act) []practice.Step {
		switch {
		case a.command != "":
			return []practice.Step{practice.ToolCall("bash", map[string]any{"command": a.command, "description": "Run it"})}
		case a.old == "":
			return []practice.Step{practice.ToolCall("create", map[string]any{"path": w.path(a.edit), "file_text": a.newText})}
		default:
			return []practice.Step{practice.ToolCall("edit", map[string]any{"path": w.path(a.edit), "old_str": a.old, "new_str": a.newText})}
		}
	})
	return agent.Launch{Path: cli, Args: copilot.Args(), Env: append(os.Environ(), w.model.Env(w.home)...), Home: w.home}
}

// scriptedModel returns a model that makes the agent perform turn n when it receives the message "Do n.". The calls
// function returns the tool calls for an act. The model sends each tool call in its own reply, together with the
// text that precedes the call.
func scriptedModel(t *testing.T, turns [][]act, calls func(act) []practice.Step) *practice.Server {
	t.Helper()
	model, err := practice.New(practice.Func(func(req practice.Request) practice.Reply {
		asked := number.FindAllStringSubmatch(req.User(), -1)
		if req.Side() || len(asked) == 0 {
			return practice.Reply{practice.Text("ok")}
		}
		n, _ := strconv.Atoi(asked[len(asked)-1][1])
		done := 0 // tool calls of this turn so far
		for _, m := range req.Messages {
			switch m.Role {
			case "user":
				done = 0
			case "tool":
				done++
			}
		}
		var reply practice.Reply
		for _, a := range turns[n-1] {
			if a.command != "" || a.edit != "" {
				todo := calls(a)
				if done < len(todo) {
					return append(reply, todo[done])
				}
				done -= len(todo)
				continue
			}
			switch {
			case done > 0: // already sent
			case a.think != "":
				reply = append(reply, practice.Reasoning(a.think))
			case a.fail:
				return practice.Reply{practice.HTTPError(http.StatusUnauthorized, `{"error":{"message":"no such key"}}`)}
			case a.chunks > 0:
				return append(reply, practice.Text(strings.Repeat(a.text, a.chunks), practice.Pace{Words: 1, Delay: pace}))
			default:
				reply = append(reply, practice.Text(a.text))
			}
		}
		return reply
	}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		model.Close()
		if err := model.Err(); err != nil {
			t.Error(err)
		}
	})
	return model
}

var number = regexp.MustCompile(`Do (\d+)\.`)

// copilotCLI returns the path of the native Copilot CLI installed for tests.
func copilotCLI(t *testing.T) string {
	t.Helper()
	return copilottest.Path(t)
}
