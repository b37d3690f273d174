package engine_test

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/need"
)

// agentsVar is the environment variable with the path of a node_modules folder. The folder contains the agents that
// build/agents doesn't install. docs/reliability.md describes how to repeat the measurement with these agents.
const agentsVar = "VOXPILOT_TEST_AGENTS"

// holder is an agent in the table "Who decides for each agent" in docs/permissions.md. The table shows whether VoxPilot
// or the agent decides on an action.
type holder struct {
	name, pkg string
	args      []string // arguments of Node.js or of the program, after the program's path
	program   string   // path of the program in the agent's package
	native    bool     // the program doesn't need Node.js
	env       func(m *anyModel, home string) []string
	// calls maps the kind of an action to the possible names of its tool, separated by |, and to the tool's arguments.
	// In the arguments, %F stands for the file, %U for the URL and %C for a command.
	calls map[string][2]string
	// mcp adds the MCP server "probe" to the agent's settings. command is the command that starts the server.
	mcp func(t *testing.T, home string, command []string)
	// unseen lists, by mode, the actions that the agent performs without a decision by VoxPilot.
	unseen map[string][]string
	// modes are the modes in which the agent asks less often: the IDs of modes, or options in the form NAME=VALUE.
	modes []string
}

// action is an action that agents are asked to perform: a row of the table.
type action struct {
	name, kind string
	outside    bool // the action writes outside the folder
}

var actions = []action{
	{"edit in the folder", "edit", false},
	{"edit outside", "edit", true},
	{"command", "command", false},
	{"command that writes outside", "command", true},
	{"web address", "web", false},
	{"tool of an MCP server", "mcp", false},
	{"tool of an MCP server that writes outside", "mcp", true},
	{"sub-agent's command", "agent", false},
	{"sub-agent's command that writes outside", "agent", true},
}

var holders = []holder{
	{
		name: "Copilot", args: []string{"--acp", "--stdio", "--no-auto-update"}, modes: []string{"allow_all=on", "https://agentclientprotocol.com/protocol/session-modes#autopilot"},
		env: func(m *anyModel, home string) []string {
			return []string{"COPILOT_OFFLINE=true", "COPILOT_MODEL=m", "COPILOT_PROVIDER_BASE_URL=" + m.URL + "/v1", "COPILOT_PROVIDER_TYPE=openai", "COPILOT_PROVIDER_WIRE_API=completions", "COPILOT_PROVIDER_API_KEY=k"}
		},
		mcp: func(t *testing.T, home string, command []string) {
			writeJSON(t, home, "mcp-config.json", map[string]any{"mcpServers": map[string]any{"probe": map[string]any{"type": "local", "command": command[0], "args": command[1:], "tools": []string{"*"}}}})
		},
		calls: map[string][2]string{
			"mcp":  {"probe-touch", `{"path":"%F"}`},
			"edit": {"create", `{"path":"%F","file_text":"x"}`}, "command": {"bash", `{"command":"%C","description":"d"}`},
			"web": {"web_fetch|fetch", `{"url":"%U"}`}, "agent": {"task", `{"agent_type":"general-purpose","name":"sub","description":"sub","prompt":"below: %C"}`},
		},
	},
	{
		name: "Qwen Code", pkg: "@qwen-code/qwen-code", program: "cli.js", args: []string{"--acp", "--auth-type", "openai"}, modes: []string{"auto-edit", "yolo"},
		env: func(m *anyModel, home string) []string {
			return []string{"QWEN_HOME=" + home, "QWEN_RUNTIME_DIR=" + home, "QWEN_CODE_NO_RELAUNCH=true", "OPENAI_BASE_URL=" + m.URL + "/v1", "OPENAI_API_KEY=k", "OPENAI_MODEL=m"}
		},
		mcp: func(t *testing.T, home string, command []string) {
			writeJSON(t, home, "settings.json", map[string]any{"mcpServers": map[string]any{"probe": map[string]any{"command": command[0], "args": command[1:]}}})
		},
		unseen: map[string][]string{
			"auto-edit": {"web address"},
			"yolo":      {"command", "command that writes outside", "web address", "sub-agent's command", "sub-agent's command that writes outside"},
		},
		calls: map[string][2]string{
			"mcp":  {"mcp__probe__touch|touch", `{"path":"%F"}`},
			"edit": {"write_file", `{"file_path":"%F","content":"x"}`}, "command": {"run_shell_command", `{"command":"%C","is_background":false}`},
			"web": {"web_fetch", `{"url":"%U","prompt":"read"}`}, "agent": {"agent", `{"description":"sub","prompt":"below: %C","subagent_type":"general-purpose"}`},
		},
	},
	{
		name: "OpenCode", pkg: "opencode-linux-x64", program: "bin/opencode", native: true, args: []string{"acp"}, modes: nil,
		env: func(m *anyModel, home string) []string {
			config := `{"autoupdate":false,"share":"disabled","model":"p/m","small_model":"p/m","provider":{"p":{"npm":"@ai-sdk/openai-compatible","options":{"baseURL":"` + m.URL + `/v1","apiKey":"k"},"models":{"m":{}}}}}`
			return []string{"OPENCODE_CONFIG_CONTENT=" + config, "XDG_CONFIG_HOME=" + home + "/config", "XDG_DATA_HOME=" + home + "/data", "XDG_STATE_HOME=" + home + "/state", "XDG_CACHE_HOME=" + home + "/cache", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1"}
		},
		mcp: func(t *testing.T, home string, command []string) {
			writeJSON(t, home, "config/opencode/opencode.json", map[string]any{"mcp": map[string]any{"probe": map[string]any{"type": "local", "command": command}}})
		},
		unseen: map[string][]string{
			"": {"edit in the folder", "command", "web address", "tool of an MCP server", "tool of an MCP server that writes outside", "sub-agent's command"},
		},
		calls: map[string][2]string{
			"mcp":  {"probe_touch", `{"path":"%F"}`},
			"edit": {"write", `{"filePath":"%F","content":"x"}`}, "command": {"bash", `{"command":"%C","description":"d"}`},
			"web": {"webfetch", `{"url":"%U","format":"text"}`}, "agent": {"task", `{"description":"sub","prompt":"below: %C","subagent_type":"general"}`},
		},
	},
	{
		name: "Claude Code", pkg: "@zed-industries/claude-code-acp", program: "dist/index.js", modes: []string{"acceptEdits", "dontAsk", "bypassPermissions"},
		env: func(m *anyModel, home string) []string {
			return []string{"CLAUDE_CONFIG_DIR=" + home, "ANTHROPIC_BASE_URL=" + m.URL, "ANTHROPIC_API_KEY=k", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "IS_SANDBOX=1"}
		},
		mcp: func(t *testing.T, home string, command []string) {
			writeJSON(t, home, ".claude.json", map[string]any{"mcpServers": map[string]any{"probe": map[string]any{"type": "stdio", "command": command[0], "args": command[1:]}}})
		},
		unseen: map[string][]string{"bypassPermissions": {"tool of an MCP server", "tool of an MCP server that writes outside"}},
		calls: map[string][2]string{
			"mcp":  {"mcp__probe__touch", `{"path":"%F"}`},
			"edit": {"Write|mcp__acp__Write", `{"file_path":"%F","content":"x"}`}, "command": {"Bash|mcp__acp__Bash", `{"command":"%C","description":"d","timeout":10000,"run_in_background":false}`},
			"web": {"WebFetch", `{"url":"%U","prompt":"read"}`}, "agent": {"Task|Agent", `{"description":"sub","prompt":"below: %C","subagent_type":"general-purpose"}`},
		},
	},
	{
		name: "Codex", pkg: "@zed-industries/codex-acp-linux-x64", program: "bin/codex-acp", native: true, modes: []string{"auto", "full-access"},
		env: func(m *anyModel, home string) []string {
			return []string{"CODEX_HOME=" + home, "OPENAI_API_KEY=k", "CODEX_API_KEY=k"}
		},
		args: []string{"-c", `model_provider="p"`, "-c", `model="gpt-5"`, "-c", `model_providers.p={name="p",base_url="%M/v1",wire_api="responses",env_key="OPENAI_API_KEY"}`},
		mcp: func(t *testing.T, home string, command []string) {
			text := "[mcp_servers.probe]\ncommand = " + quoteJSON(command[0]) + "\nargs = [" + quoteJSON(command[1]) + "]\n"
			noErr(t, os.WriteFile(filepath.Join(home, "config.toml"), []byte(text), 0o600))
		},
		unseen: map[string][]string{"full-access": {"edit in the folder", "edit outside", "command", "command that writes outside", "web address"}},
		calls: map[string][2]string{
			"mcp":  {"mcp__probe__touch|probe__touch|touch", `{"path":"%F"}`},
			"edit": {"exec_command|shell_command|shell", `{"cmd":"printf x > %F","command":"printf x > %F"}`}, "command": {"exec_command|shell_command|shell", `{"cmd":"%C","command":"%C"}`},
			"web": {"exec_command|shell_command|shell", `{"cmd":"curl -s %U","command":"curl -s %U"}`},
		},
	},
}

// start returns the program with which the agent is started, and its arguments.
func (h holder) start(t *testing.T, m *anyModel) (program string, args []string) {
	t.Helper()
	if h.pkg == "" {
		return realCopilot(t), h.args
	}
	dirs := []string{filepath.Join("..", "..", "build", "agents", "node_modules")}
	if other := os.Getenv(agentsVar); other != "" {
		dirs = append(dirs, other)
	}
	for _, dir := range dirs {
		path, err := filepath.Abs(filepath.Join(dir, filepath.FromSlash(h.pkg), filepath.FromSlash(h.program)))
		noErr(t, err)
		if _, err := os.Stat(path); err != nil {
			continue
		}
		for _, arg := range h.args {
			args = append(args, strings.ReplaceAll(arg, "%M", m.URL))
		}
		if h.native {
			return path, args
		}
		node, err := exec.LookPath("node")
		if err != nil {
			need.Missing(t, "install Node.js: %v", err)
		}
		return node, append([]string{path}, args...)
	}
	if h.pkg == "@qwen-code/qwen-code" {
		need.Agent(t, "%s is not installed: run `npm ci` in build/agents", h.name)
	}
	t.Skipf("%s is not installed: see docs/reliability.md", h.name)
	return "", nil
}

// outcome is the result of an action.
type outcome struct {
	requests int  // number of requests, from the agent or the guard, on which VoxPilot decided
	done     bool // the action had its effect
	hung     bool // the action didn't end in time
	ended    backend.TurnState
}

// limitAction is the time limit for an action. An action that takes longer is stopped.
const limitAction = 20 * time.Second

// String returns the outcome as the text of a cell in the table.
func (s outcome) String() string {
	switch {
	case s.requests > 0 && !s.done:
		return "held"
	case s.requests > 0:
		return "decided, done"
	case s.done && s.ended == backend.TurnStopped:
		return "nobody; turn stopped"
	case s.done:
		return "nobody"
	}
	return "not done"
}

// do makes the agent of a chat perform the action. It allows all requests if allow is true, and otherwise rejects
// them.
func (w *appEnv) do(chat backend.Chat, m *anyModel, a action, outside string, allow bool) (s outcome) {
	w.T.Helper()
	target := filepath.Join(chat.Folder, backend.NewID())
	if a.outside {
		target = filepath.Join(outside, backend.NewID())
	}
	text := "do: " + a.kind + " " + target
	switch a.kind {
	case "web":
		text = "do: web " + m.URL + "/fetched/" + backend.NewID()
	case "command", "agent":
		text = "do: " + a.kind + " touch " + target
	}
	hits, first := m.hits.Load(), len(w.Events())
	late := time.AfterFunc(limitAction, func() {
		s.hung = true
		_ = w.App.StopAgent(chat.ID) // ends the turn
	})
	defer late.Stop()
	w.Send(chat, text)
	seen, turn := map[string]bool{}, ""
	i := 0
	w.WaitFor("the turn ends", func(e backend.Event) bool {
		if i++; i <= first {
			return false
		}
		if p := e.Permission; p != nil && p.ChatID == chat.ID && !seen[p.ID] {
			seen[p.ID] = true
			if p.State == backend.PermissionOpen {
				at := slices.IndexFunc(p.Options, func(o backend.Option) bool { return o.Kind == backend.OptionAllowOnce })
				if allow && at >= 0 {
					_ = w.App.Answer(p.ID, p.Options[at].ID, false) // fails if the request is already closed
				} else {
					_ = w.App.Reject(p.ID, "")
				}
			}
		}
		if e.Turn != nil && e.Turn.ChatID == chat.ID && e.Turn.State == backend.TurnRunning {
			turn = e.Turn.ID
		}
		if e.Turn != nil && e.Turn.ID == turn && e.Turn.State != backend.TurnRunning {
			s.ended = e.Turn.State
			if e.Turn.Error != nil {
				w.T.Logf("%s: %+v", a.name, e.Turn.Error)
			}
			return true
		}
		return false
	})
	s.requests = len(seen)
	s.done = exists(w.T, target) || m.hits.Load() > hits
	return s
}

// TestHolders_TableOfPermissions checks the table "Who decides for each agent" in docs/permissions.md by measurement:
// whether VoxPilot decides on an action before an agent performs it, in each of the agent's modes, and whether the
// sandbox prevents the action if VoxPilot allows everything.
func TestHolders_TableOfPermissions(t *testing.T) {
	for _, h := range holders {
		t.Run(h.name, func(t *testing.T) {
			m := newAnyModel(t, h)
			program, args := h.start(t, m)
			outside := folderInHome(t)
			home := t.TempDir()
			h.mcp(t, home, probe(t))
			values := map[string]string{}
			for _, v := range h.env(m, home) {
				name, value, _ := strings.Cut(v, "=")
				values[name] = value
			}
			w := newAppEnv(t, t.TempDir())
			w.needsSandbox()
			profile, err := w.App.SaveProfile(backend.CustomAgent{Name: h.name, Command: program, Args: args, Home: home, Env: slices.Sorted(maps.Keys(values))}, values)
			noErr(t, err)
			for _, mode := range append([]string{""}, h.modes...) {
				for _, sandboxed := range []bool{false, true} {
					chat, err := w.App.CreateChat(folderInHome(t), profile.ID)
					noErr(t, err)
					if sandboxed {
						noErr(t, w.App.SetSandbox(chat.ID, backend.Sandbox{On: true, WholeAgent: true}))
					}
					if name, value, isOption := strings.Cut(mode, "="); isOption {
						err = w.App.SetOption(chat.ID, backend.SessionMain, name, value)
					} else if mode != "" {
						err = w.App.SetMode(chat.ID, backend.SessionMain, mode)
					}
					if err != nil {
						t.Logf("%s: %v", mode, err)
						continue
					}
					for _, a := range actions {
						if h.calls[a.kind][0] == "" {
							continue
						}
						s := w.do(chat, m, a, outside, sandboxed)
						if s.hung {
							s.ended = "not ended in time"
						}
						t.Logf("| %s | %s | %s | sandbox %v | asked %d, done %v, %s | %s |", h.name, mode, a.name, sandboxed, s.requests, s.done, s.ended, s)
						if unseen := s.requests == 0 && s.done; !sandboxed && unseen != slices.Contains(h.unseen[mode], a.name) {
							t.Errorf("%s: %s without a decision: got %v, want %v; docs/permissions.md says so too", mode, a.name, unseen, !unseen)
						}
						// VoxPilot itself writes allowed edits, and it runs outside the sandbox.
						if sandboxed && a.outside && s.done && a.kind != "edit" {
							t.Errorf("%s: %s got out of the sandbox", mode, a.name)
						}
					}
					_ = w.App.DeleteChat(chat.ID, false) // also stops the agent
				}
			}
		})
	}
}

// probe returns the command that starts an MCP server. The server has a tool called touch, which creates the file at
// a given path.
func probe(t *testing.T) []string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		need.Missing(t, "install Node.js: %v", err)
	}
	script := filepath.Join(folderInHome(t), "probe.js")
	noErr(t, os.WriteFile(script, []byte(probeScript), 0o600))
	return []string{node, script}
}

const probeScript = `
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "probe", version: "1" } }),
  "tools/list": () => ({ tools: [{ name: "touch", description: "Creates a file.", inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] } }] }),
  "tools/call": ({ arguments: { path } }) => { require("fs").writeFileSync(path, ""); return { content: [{ type: "text", text: "done" }] }; },
};
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  let answer;
  try {
    answer = { result: (answers[method] ?? (() => ({})))(params) };
  } catch (e) {
    answer = { result: { isError: true, content: [{ type: "text", text: String(e) }] } };
  }
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...answer }) + "\n");
});
`

// writeJSON writes a value as JSON to a file in dir.
func writeJSON(t *testing.T, dir, name string, value any) {
	t.Helper()
	text, err := json.Marshal(value)
	noErr(t, err)
	writeFile(t, dir, name, string(text))
}
