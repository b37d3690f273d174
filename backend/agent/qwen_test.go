package agent_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/need"
)

// TestContract_QwenCode checks that Qwen Code, an ACP agent from another vendor with another SDK, meets the contract.
// Behavior that it shares with the Copilot CLI is therefore a property of ACP and not of one agent. It differs from the
// Copilot CLI as follows:
//
//   - a permission request is the first message about its tool call;
//   - a rejected call gets no further update, and the turn continues;
//   - a model failure is a JSON-RPC error instead of text;
//   - option IDs are custom, and two options have the same kind;
//   - session/load with an unknown ID creates an empty session;
//   - sessions are stored by folder and written asynchronously.
func TestContract_QwenCode(t *testing.T) {
	node, cli := qwenCode(t)
	runContract(t, subject{
		parallel: true, // takes seconds of CPU time to start
		traits:   traits{endsCalls: true, files: true, staysInFolder: true, hasWritten: qwenWrote},
		launch: func(t *testing.T, w *env, turns [][]act) agent.Launch {
			t.Helper()
			return qwenLaunch(t, w, node, cli, turns)
		},
	})
}

// qwenLaunch returns a Launch that starts Qwen Code with a model that makes it perform the turns.
func qwenLaunch(t *testing.T, w *env, node, cli string, turns [][]act) agent.Launch {
	t.Helper()
	w.model = scriptedModel(t, turns, func(a act) []practice.Step {
		path := w.path(a.edit)
		switch {
		case a.command != "":
			return []practice.Step{practice.ToolCall("run_shell_command", map[string]any{"command": a.command, "is_background": false})}
		case a.old == "":
			return []practice.Step{practice.ToolCall("write_file", map[string]any{"file_path": path, "content": a.newText})}
		default: // it edits only files that it has read
			return []practice.Step{
				practice.ToolCall("read_file", map[string]any{"file_path": path}),
				practice.ToolCall("edit", map[string]any{"file_path": path, "old_string": a.old, "new_string": a.newText}),
			}
		}
	})
	return agent.Launch{Path: node, Args: []string{cli, "--acp", "--auth-type", "openai"}, Env: qwenEnv(t, w), Home: w.home}
}

func TestQwenCode_YoloReportedAsAllowAll(t *testing.T) {
	t.Parallel()
	node, cli := qwenCode(t)
	w := newEmptyEnv(t)
	launch := qwenLaunch(t, w, node, cli, [][]act{
		{{text: "one"}}, {{command: "echo made > made.txt"}, {edit: "a.txt", newText: "new"}, {text: "two"}},
	})
	w.open(func(*env) agent.Launch { return launch }, nil)
	w.promptAndExpect("Do 1.", backend.TurnDone)
	equal(t, "asks nothing", w.session().AllowAll, false)
	if err := w.agent.SetMode(t.Context(), backend.SessionMain, "yolo"); err != nil {
		t.Fatal(err)
	}
	s := w.session()
	equal(t, "mode", s.Mode, "yolo")
	equal(t, "asks nothing", s.AllowAll, true)
	tu := w.start(backend.SessionMain, "Do 2.")
	// The agent doesn't ask, but its requests to VoxPilot still require permission.
	a := w.nextRequest()
	equal(t, "kind", a.permission.Kind, backend.ToolEdit)
	equal(t, "path", a.permission.Path, w.path("a.txt"))
	equal(t, "the command was run", w.read("made.txt"), "made\n")
	a.answer <- "allow_once"
	w.expectEnd(tu, backend.TurnDone)
	equal(t, "the file", w.read("a.txt"), "new")
	w.assertAllClosed()
}

// qwenEnv returns an environment in which Qwen Code talks only to the env's model and
// writes only to the env's home.
func qwenEnv(t *testing.T, w *env) []string {
	t.Helper()
	settings, err := json.Marshal(map[string]any{
		"general":   map[string]any{"enableAutoUpdate": false},
		"privacy":   map[string]any{"usageStatisticsEnabled": false},
		"telemetry": map[string]any{"enabled": false},
	})
	if err == nil {
		err = os.WriteFile(filepath.Join(w.home, "settings.json"), settings, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return append(os.Environ(),
		"HOME="+w.home, "USERPROFILE="+w.home, "QWEN_HOME="+w.home, "QWEN_RUNTIME_DIR="+w.home,
		"QWEN_CODE_SYSTEM_SETTINGS_PATH="+filepath.Join(w.home, "none"),
		"QWEN_CODE_NO_RELAUNCH=true", // otherwise the agent would be a child of a waiting process
		"OPENAI_BASE_URL="+w.model.URL(), "OPENAI_API_KEY="+w.model.Key(), "OPENAI_MODEL="+practice.Model,
		"HTTP_PROXY=", "HTTPS_PROXY=", "ALL_PROXY=", "http_proxy=", "https_proxy=", "all_proxy=",
	)
}

// qwenWrote reports whether a session file of Qwen Code contains the text.
func qwenWrote(w *env, text string) bool {
	files, _ := filepath.Glob(filepath.Join(w.home, "projects", "*", "chats", "*.jsonl")) // the pattern is valid
	said := fmt.Sprintf("[%q]", text)
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			w.t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			if r := gjson.Parse(line); r.Get("type").String() == "assistant" && r.Get("message.parts.#.text").String() == said {
				return true
			}
		}
	}
	return false
}

// qwenCode returns the paths of Node.js and of the Qwen Code CLI installed for tests.
func qwenCode(t *testing.T) (node, cli string) {
	t.Helper()
	need.Sample(t)
	cli = os.Getenv("VOXPILOT_TEST_QWEN")
	if cli == "" {
		cli = filepath.Join("..", "..", "build", "agents", "node_modules", "@qwen-code", "qwen-code", "cli.js")
	}
	cli, err := filepath.Abs(cli)
	if err == nil {
		_, err = os.Stat(cli)
	}
	if err == nil {
		node, err = exec.LookPath("node")
	}
	if err == nil {
		return node, cli
	}
	need.Agent(t, "Qwen Code is not installed: run `make deps-test`, or `npm ci` in build/agents: %v", err)
	return "", ""
}
