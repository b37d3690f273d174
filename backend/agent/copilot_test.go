package agent_test

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/practice"
)

func TestTheCopilotCLIKeepsTheContract(t *testing.T) {
	cli := copilotCLI(t)
	for _, c := range contracts {
		t.Run(c.name, func(t *testing.T) {
			needsUnix(t, c)
			model, err := practice.New(modelScript(c.turns))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(model.Close)
			launch := func(w *world) agent.Launch {
				return agent.Launch{Path: cli, Args: agent.CLIArgs(), Env: append(os.Environ(), model.Env(w.home)...), Home: w.home}
			}
			w := newWorld(t, launch, nil)
			w.reopen = func() { w.open(launch, nil) }
			c.run(t, w)
			w.close()
			if err := model.Err(); err != nil {
				t.Error(err)
			}
		})
	}
}

var number = regexp.MustCompile(`Do (\d+)\.`)

// modelScript makes a model that has the CLI do turn n when the user says
// "Do n.". Each tool call is a reply of its own; what is said before it goes
// into the same reply.
func modelScript(turns [][]act) practice.Script {
	return practice.Func(func(req practice.Request) practice.Reply {
		asked := number.FindAllStringSubmatch(req.User(), -1)
		if req.Side() || len(asked) == 0 {
			return practice.Reply{practice.Text("ok")}
		}
		n, _ := strconv.Atoi(asked[len(asked)-1][1])
		done := 0 // tool calls of this turn
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
			isCall := a.command != "" || a.edit != ""
			if done > 0 {
				if isCall {
					done--
				}
				continue
			}
			switch {
			case a.chunks > 0:
				return append(reply, practice.Text(strings.Repeat(a.say, a.chunks), practice.Pace{Words: 1, Delay: pace}))
			case a.say != "":
				reply = append(reply, practice.Text(a.say))
			case a.command != "":
				return append(reply, practice.ToolCall("bash", map[string]any{"command": a.command, "description": "Run it"}))
			case a.old == "":
				return append(reply, practice.ToolCall("create", map[string]any{"path": req.Cwd() + "/" + a.edit, "file_text": a.text}))
			default:
				return append(reply, practice.ToolCall("edit", map[string]any{"path": req.Cwd() + "/" + a.edit, "old_str": a.old, "new_str": a.text}))
			}
		}
		return reply
	})
}

// copilotCLI is the native program of the Copilot CLI that is installed for
// tests.
func copilotCLI(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("VOXPILOT_TEST_COPILOT"); path != "" {
		return path
	}
	system := map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}[runtime.GOOS]
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	name := "copilot"
	if runtime.GOOS == "windows" {
		name = "copilot.exe"
	}
	for _, dir := range []string{"frontend", "."} {
		path, err := filepath.Abs(filepath.Join("..", "..", dir, "node_modules", "@github", "copilot-"+system+"-"+arch, name))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	if os.Getenv("CI") != "" || os.Getenv("VOXPILOT_REQUIRE_COPILOT") != "" {
		t.Fatal("the Copilot CLI is not installed: run `make test`, or `npm ci` in frontend")
	}
	t.Skip("the Copilot CLI is not installed: run `make test`, or `npm ci` in frontend")
	return ""
}
