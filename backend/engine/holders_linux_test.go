package engine_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/need"
)

// agentsVar names a node_modules folder with the agents that build/agents doesn't install. docs/reliability.md
// describes how to repeat the measurement with them.
const agentsVar = "VOXPILOT_TEST_AGENTS"

// holder is an agent of the table "Who holds what" in docs/permissions.md.
type holder struct {
	name, pkg string
	args      []string // of Node.js or of the program, after its path in the package
	program   string   // path in the package
	native    bool     // program needs no Node.js
	env       func(m *anyModel, home string) []string
	// calls are the tool calls of the actions; %F stands for the file, %U for the URL and %C for a command.
	calls map[string][2]string
	// modes are the IDs of the modes that ask less, or options as NAME=VALUE.
	modes []string
}

// action is a row of the table.
type action struct {
	name, kind string
	outside    bool // it writes outside of the folder
}

var actions = []action{
	{"edit in the folder", "edit", false}, {"edit outside", "edit", true}, {"command", "command", false}, {"command that writes outside", "command", true},
	{"web address", "web", false}, {"sub-agent's command", "agent", false}, {"sub-agent's command that writes outside", "agent", true},
}

var holders = []holder{
	{
		name: "Copilot", args: []string{"--acp", "--stdio", "--no-auto-update"}, modes: []string{"allow_all=on", "https://agentclientprotocol.com/protocol/session-modes#autopilot"},
		env: func(m *anyModel, home string) []string {
			return []string{"COPILOT_OFFLINE=true", "COPILOT_MODEL=m", "COPILOT_PROVIDER_BASE_URL=" + m.URL + "/v1", "COPILOT_PROVIDER_TYPE=openai", "COPILOT_PROVIDER_WIRE_API=completions", "COPILOT_PROVIDER_API_KEY=k"}
		},
		calls: map[string][2]string{
			"edit": {"create", `{"path":"%F","file_text":"x"}`}, "command": {"bash", `{"command":"%C","description":"d"}`},
			"web": {"web_fetch|fetch", `{"url":"%U"}`}, "agent": {"task", `{"agent_type":"general-purpose","name":"sub","description":"sub","prompt":"below: %C"}`},
		},
	},
	{
		name: "Qwen Code", pkg: "@qwen-code/qwen-code", program: "cli.js", args: []string{"--acp", "--auth-type", "openai"}, modes: []string{"auto-edit", "yolo"},
		env: func(m *anyModel, home string) []string {
			return []string{"QWEN_HOME=" + home, "QWEN_RUNTIME_DIR=" + home, "QWEN_CODE_NO_RELAUNCH=true", "OPENAI_BASE_URL=" + m.URL + "/v1", "OPENAI_API_KEY=k", "OPENAI_MODEL=m"}
		},
		calls: map[string][2]string{
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
		calls: map[string][2]string{
			"edit": {"write", `{"filePath":"%F","content":"x"}`}, "command": {"bash", `{"command":"%C","description":"d"}`},
			"web": {"webfetch", `{"url":"%U","format":"text"}`}, "agent": {"task", `{"description":"sub","prompt":"below: %C","subagent_type":"general"}`},
		},
	},
	{
		name: "Claude Code", pkg: "@zed-industries/claude-code-acp", program: "dist/index.js", modes: []string{"acceptEdits", "dontAsk", "bypassPermissions"},
		env: func(m *anyModel, home string) []string {
			return []string{"CLAUDE_CONFIG_DIR=" + home, "ANTHROPIC_BASE_URL=" + m.URL, "ANTHROPIC_API_KEY=k", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "IS_SANDBOX=1"}
		},
		calls: map[string][2]string{
			"edit": {"Write|mcp__acp__Write", `{"file_path":"%F","content":"x"}`}, "command": {"Bash|mcp__acp__Bash", `{"command":"%C","description":"d"}`},
			"web": {"WebFetch", `{"url":"%U","prompt":"read"}`}, "agent": {"Task|Agent", `{"description":"sub","prompt":"below: %C","subagent_type":"general-purpose"}`},
		},
	},
	{
		name: "Codex", pkg: "@zed-industries/codex-acp-linux-x64", program: "bin/codex-acp", native: true, modes: []string{"auto", "full-access"},
		env: func(m *anyModel, home string) []string {
			return []string{"CODEX_HOME=" + home, "OPENAI_API_KEY=k", "CODEX_API_KEY=k"}
		},
		args: []string{"-c", `model_provider="p"`, "-c", `model="gpt-5"`, "-c", `model_providers.p={name="p",base_url="%M/v1",wire_api="responses",env_key="OPENAI_API_KEY"}`},
		calls: map[string][2]string{
			"edit": {"exec_command|shell_command|shell", `{"cmd":"printf x > %F","command":"printf x > %F"}`}, "command": {"exec_command|shell_command|shell", `{"cmd":"%C","command":"%C"}`},
			"web": {"exec_command|shell_command|shell", `{"cmd":"curl -s %U","command":"curl -s %U"}`},
		},
	},
}

// anyModel answers in the protocols of OpenAI (chat and responses) and Anthropic.
type anyModel struct {
	*httptest.Server
	h       holder
	fetched string

	mu   sync.Mutex
	seen []string // what went wrong or is notable
	hits atomic.Int64
}

func newAnyModel(t *testing.T, h holder) *anyModel {
	m := &anyModel{h: h}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /fetched/", func(w http.ResponseWriter, _ *http.Request) { m.hits.Add(1); fmt.Fprint(w, "ok") })
	mux.HandleFunc("POST /v1/chat/completions", m.chat)
	mux.HandleFunc("POST /v1/messages", m.messages)
	mux.HandleFunc("POST /v1/responses", m.responses)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		m.note(r.Method + " " + r.URL.Path)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"data":[]}`)
	})
	m.Server = httptest.NewServer(mux)
	t.Cleanup(func() {
		m.Close()
		for _, text := range slices.Compact(slices.Sorted(slices.Values(m.seen))) {
			t.Log(text)
		}
	})
	return m
}

func (m *anyModel) note(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen = append(m.seen, text)
}

// next returns the tool call for a conversation, or "" if it is time to answer. The user's text is "do: KIND
// ARGUMENTS" or, for a sub-agent, "below: COMMAND".
func (m *anyModel) next(user string, tools []string, done bool) (name, args string) {
	if done || len(tools) == 0 {
		return "", ""
	}
	var kind string
	if _, rest, ok := strings.Cut(user, "below: "); ok {
		rest, _, _ = strings.Cut(rest, "\n")
		kind, args = "command", strings.ReplaceAll(m.h.calls["command"][1], "%C", strings.TrimSpace(rest))
	} else if _, rest, ok := strings.Cut(user, "do: "); ok {
		rest, _, _ = strings.Cut(rest, "\n")
		kind, rest, _ = strings.Cut(rest, " ")
		args = strings.NewReplacer("%F", rest, "%C", rest, "%U", rest).Replace(m.h.calls[kind][1])
	} else {
		return "", ""
	}
	for _, name := range strings.Split(m.h.calls[kind][0], "|") {
		if slices.Contains(tools, name) {
			return name, args
		}
	}
	m.note("no tool for " + kind + " among " + strings.Join(tools, " "))
	return "", ""
}

func body(r *http.Request) gjson.Result {
	var raw json.RawMessage
	_ = json.NewDecoder(r.Body).Decode(&raw)
	return gjson.ParseBytes(raw)
}

func names(list gjson.Result, path string) (out []string) {
	for _, v := range list.Array() {
		out = append(out, v.Get(path).String())
	}
	return out
}

// conversation returns the user's last text and whether a tool has answered since.
func conversation(messages gjson.Result, isTool func(gjson.Result) bool) (user string, done bool) {
	read := func(text string) {
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "do: ") || strings.HasPrefix(line, "below: ") {
				user, done = line, false
			}
		}
	}
	for _, msg := range messages.Array() {
		if isTool(msg) {
			done = true
		}
		if msg.Get("role").String() != "user" {
			continue
		}
		if content := msg.Get("content"); content.Type == gjson.String {
			read(content.Str)
		} else {
			for _, part := range content.Array() { // a message may have results and then the user's text
				read(part.Get("text").String())
			}
		}
	}
	return user, done
}

func sse(w http.ResponseWriter, events ...[2]string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range events {
		if e[0] != "" {
			fmt.Fprintf(w, "event: %s\n", e[0])
		}
		fmt.Fprintf(w, "data: %s\n\n", e[1])
	}
}

func (m *anyModel) chat(w http.ResponseWriter, r *http.Request) {
	in := body(r)
	user, done := conversation(in.Get("messages"), func(v gjson.Result) bool { return v.Get("role").String() == "tool" })
	name, args := m.next(user, names(in.Get("tools"), "function.name"), done)
	delta, end := `{"role":"assistant","content":"ok"}`, "stop"
	if name != "" {
		delta, end = fmt.Sprintf(`{"role":"assistant","tool_calls":[{"index":0,"id":"call_%s","type":"function","function":{"name":%q,"arguments":%s}}]}`, backend.NewID()[:8], name, quoteJSON(args)), "tool_calls"
	}
	const chunk = `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`
	if !in.Get("stream").Bool() {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":%s,"finish_reason":%q}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`, delta, end)
		return
	}
	sse(w, [2]string{"", fmt.Sprintf(chunk, delta, "null")}, [2]string{"", fmt.Sprintf(chunk, "{}", `"`+end+`"`)}, [2]string{"", "[DONE]"})
}

func (m *anyModel) messages(w http.ResponseWriter, r *http.Request) {
	in := body(r)
	user, done := conversation(in.Get("messages"), func(v gjson.Result) bool { return v.Get(`content.#(type=="tool_result")`).Exists() })
	name, args := m.next(user, names(in.Get("tools"), "name"), done)
	if !in.Get("stream").Bool() {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"ok"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}`)
		return
	}
	events := [][2]string{{"message_start", `{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}}`}}
	end := "end_turn"
	if name == "" {
		events = append(events, [2]string{"content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`},
			[2]string{"content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ok"}}`})
	} else {
		end = "tool_use"
		events = append(events, [2]string{"content_block_start", fmt.Sprintf(`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_%s","name":%q,"input":{}}}`, backend.NewID()[:8], name)},
			[2]string{"content_block_delta", fmt.Sprintf(`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":%s}}`, quoteJSON(args))})
	}
	sse(w, append(events, [2]string{"content_block_stop", `{"type":"content_block_stop","index":0}`},
		[2]string{"message_delta", fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":%q},"usage":{"output_tokens":1}}`, end)}, [2]string{"message_stop", `{"type":"message_stop"}`})...)
}

func (m *anyModel) responses(w http.ResponseWriter, r *http.Request) {
	in := body(r)
	user, done := conversation(in.Get("input"), func(v gjson.Result) bool { return strings.HasSuffix(v.Get("type").String(), "_call_output") })
	name, args := m.next(user, names(in.Get("tools"), "name"), done)
	item := `{"type":"message","role":"assistant","id":"i","content":[{"type":"output_text","text":"ok"}]}`
	if name != "" {
		item = fmt.Sprintf(`{"type":"function_call","id":"i","call_id":"call_%s","name":%q,"arguments":%s}`, backend.NewID()[:8], name, quoteJSON(args))
	}
	sse(w, [2]string{"response.created", `{"type":"response.created","response":{"id":"r"}}`}, [2]string{"response.output_item.done", `{"type":"response.output_item.done","output_index":0,"item":` + item + `}`},
		[2]string{"response.completed", `{"type":"response.completed","response":{"id":"r","usage":{"input_tokens":1,"input_tokens_details":null,"output_tokens":1,"output_tokens_details":null,"total_tokens":2}}}`})
}

func quoteJSON(text string) string {
	b, _ := json.Marshal(text) //nolint:errchkjson // a string
	return string(b)
}

// start returns the program and arguments of the agent.
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

// saw is what was seen of an action.
type saw struct {
	asked int  // requests that VoxPilot decided on, of the agent or of the guard
	done  bool // the action had an effect, although all requests were rejected
	hung  bool // it didn't end in time
	ended backend.TurnState
}

// limitAction is the time after which an action that doesn't end is stopped.
const limitAction = 20 * time.Second

// String returns a cell of the table.
func (s saw) String() string {
	switch {
	case s.asked > 0 && !s.done:
		return "held"
	case s.asked > 0:
		return "decided, done"
	case s.done && s.ended == backend.TurnStopped:
		return "nobody; turn stopped"
	case s.done:
		return "nobody"
	}
	return "not done"
}

// do lets the agent of a chat do the action, and answers all requests with allow.
func (w *appEnv) do(chat backend.Chat, m *anyModel, a action, outside string, allow bool) (s saw) {
	w.T.Helper()
	target := filepath.Join(chat.Folder, backend.NewID())
	if a.outside {
		target = filepath.Join(outside, backend.NewID())
	}
	text := "do: " + a.kind + " " + target
	switch a.kind {
	case "web":
		text = "do: web " + m.URL + "/fetched/x"
	case "command", "agent":
		text = "do: " + a.kind + " touch " + target
	}
	hits, first := m.hits.Load(), len(w.Events())
	late := time.AfterFunc(limitAction, func() {
		s.hung = true
		_ = w.App.StopAgent(chat.ID) // then the turn ends
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
					_ = w.App.Answer(p.ID, p.Options[at].ID, false) // it may be closed by now
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
	s.asked = len(seen)
	s.done = exists(w.T, target) || m.hits.Load() > hits
	return s
}

// TestHolders_TableOfPermissions measures the table "Who holds what" in docs/permissions.md: whether VoxPilot
// decides on an action before an agent does it, in each of the agent's modes, and whether the sandbox prevents it
// if VoxPilot allows everything.
func TestHolders_TableOfPermissions(t *testing.T) {
	for _, h := range holders {
		t.Run(h.name, func(t *testing.T) {
			m := newAnyModel(t, h)
			program, args := h.start(t, m)
			outside := folderInHome(t)
			home := t.TempDir()
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
				for _, boxed := range []bool{false, true} {
					chat, err := w.App.CreateChat(folderInHome(t), profile.ID)
					noErr(t, err)
					if boxed {
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
						s := w.do(chat, m, a, outside, boxed)
						if s.hung {
							s.ended = "not ended in time"
						}
						t.Logf("| %s | %s | %s | sandbox %v | asked %d, done %v, %s | %s |", h.name, mode, a.name, boxed, s.asked, s.done, s.ended, s)
						if boxed && a.outside && s.done && a.kind != "edit" { // VoxPilot writes an edit that the user allowed
							t.Errorf("%s: %s got out of the sandbox", mode, a.name)
						}
					}
					_ = w.App.DeleteChat(chat.ID, false) // also stops the agent
				}
			}
		})
	}
}
