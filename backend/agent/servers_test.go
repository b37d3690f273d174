package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/agent/session"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func hasRole(role string) func(practice.Message) bool {
	return func(m practice.Message) bool { return m.Role == role }
}

// mcpCall is a request that the fake agent received for a session, with the MCP servers passed in it.
type mcpCall struct {
	Method string
	Params struct {
		SessionID  string `json:"sessionId"`
		McpServers []struct {
			Type, Name, URL string
			Headers         []struct{ Name, Value string }
		} `json:"mcpServers"`
	}
}

func mcpCalls(t *testing.T, file, method string) (out []mcpCall) {
	t.Helper()
	b, err := os.ReadFile(file)
	noErr(t, err)
	for line := range strings.Lines(string(b)) {
		var g mcpCall
		noErr(t, json.Unmarshal([]byte(line), &g))
		if g.Method == method {
			out = append(out, g)
		}
	}
	return out
}

const httpCaps = `{"loadSession":true,"mcpCapabilities":{"http":true},"sessionCapabilities":{"list":{},"close":{}}}`

// withChatServer configures an agent with one MCP server.
func withChatServer(_ *env, cfg *agent.Config) {
	cfg.Servers = func(string) []session.MCPServer {
		return []session.MCPServer{{Name: "voxpilot", URL: "http://127.0.0.1:1", Headers: map[string]string{"Authorization": mcpToken}}}
	}
}

func TestServers_OnlyMainGetsOneWithStableName(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "calls")
	launch := fake(fakeagent.Script{Calls: file, Capabilities: httpCaps})
	w := newEnv(t, launch, withChatServer)
	w.promptAndExpect("go", backend.TurnDone)
	w.expectEnd(w.start("auth", "go"), backend.TurnDone)
	main := w.session().ACPID
	w.close()
	w.open(launch, withChatServer)
	w.promptAndExpect("go", backend.TurnDone)
	w.expectEnd(w.start("auth", "go"), backend.TurnDone)
	var names []string
	for _, method := range []string{"session/new", "session/load"} {
		for i, g := range mcpCalls(t, file, method) {
			if isMain := method == "session/new" && i == 0 || g.Params.SessionID == main; !isMain {
				if g.Params.McpServers == nil || len(g.Params.McpServers) != 0 {
					t.Errorf("another session got %+v", g.Params)
				}
				continue
			}
			s := g.Params.McpServers[0]
			equalDeep(t, "the server", []any{s.Type, s.URL, s.Headers}, []any{"http", "http://127.0.0.1:1", []struct{ Name, Value string }{{"Authorization", mcpToken}}})
			names = append(names, s.Name)
		}
	}
	if len(names) != 2 || names[0] != names[1] || names[0] == "voxpilot" || !strings.HasPrefix(names[0], "voxpilot_") {
		t.Errorf("the server is called %q", names)
	}
}

func TestServers_WithoutHTTPSupportNone(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "calls")
	w := newEnv(t, fake(fakeagent.Script{Calls: file, Capabilities: `{"loadSession":true}`}), withChatServer)
	w.promptAndExpect("go", backend.TurnDone)
	equal(t, "servers", len(mcpCalls(t, file, "session/new")[0].Params.McpServers), 0)
}

// TestServers_SameNameGainsNothing checks that an MCP server in the Copilot CLI's configuration can't replace
// VoxPilot's server by having the same name. The CLI itself prefers the servers in its configuration to those that a
// client passes.
func TestServers_SameNameGainsNothing(t *testing.T) {
	cli := copilotCLI(t)
	w := newEmptyEnv(t)
	ours, theirs := newToolServer(t, "voxpilot", nil), newToolServer(t, "voxpilot", nil)
	w.writeHome("mcp-config.json", fmt.Sprintf(`{"mcpServers":{"voxpilot":{"type":"http","url":%q,"headers":{"Authorization":%q},"tools":["*"]}}}`, theirs.URL, mcpToken))
	args := map[string]any{"session_name": "a", "prompt": "x"}
	model := newToolModel(t, func(tools []string) []practice.Step {
		i := slices.IndexFunc(tools, func(name string) bool {
			return strings.HasSuffix(name, "-copilot_agent") && name != "voxpilot-copilot_agent"
		})
		return []practice.Step{
			practice.ToolCall(tools[i], args),
			practice.ToolCall("voxpilot-copilot_agent", args),
			// The model's description becomes the call's title in the CLI.
			practice.ToolCall("bash", map[string]any{"command": "true", "description": tools[i]}),
			practice.ToolCall("bash", map[string]any{"command": "true", "description": "copilot_agent"}),
			practice.ToolCall("task", map[string]any{"description": tools[i], "prompt": "say ok", "agent_type": "general-purpose", "name": "zz"}),
		}
	})
	w.openCopilot(cli, model, func(_ *env, cfg *agent.Config) {
		cfg.Servers = func(string) []session.MCPServer { return []session.MCPServer{ours.config()} }
	})
	w.setPolicy("reject_once")
	w.start(backend.SessionMain, "go").result() // a rejection ends the turn
	equalDeep(t, "calls of ours and theirs", []int{len(ours.calledSessions()), len(theirs.calledSessions())}, []int{1, 0})
	equal(t, "asked about theirs", w.requestCount("voxpilot-copilot_agent"), 1)
	w.setPolicy("allow_once")
	w.promptAndExpect("go on", backend.TurnDone)
	w.mu.Lock()
	defer w.mu.Unlock()
	rows, asked := 0, 0
	for _, it := range reduce(t, w.events) {
		if it.Tool != nil && (it.Tool.Kind == backend.ToolExecute || strings.HasPrefix(it.Tool.Title, "voxpilot_")) {
			rows++
		}
		if it.Tool != nil && it.Tool.Kind == backend.ToolExecute && it.Tool.Decision == backend.DecisionAllowedOnce {
			asked++
		}
	}
	equal(t, "rows of calls that are called as ours are", rows, 3)
	equal(t, "commands that were asked about", asked, 2)
}

// TestServers_OwnToolAllowedOnceDecisionStored checks that a call to one of VoxPilot's tools isn't allowed
// automatically if the decision can't be stored. Instead, the user is asked.
func TestServers_OwnToolAllowedOnceDecisionStored(t *testing.T) {
	cli := copilotCLI(t)
	w := newEmptyEnv(t)
	ours := newToolServer(t, "voxpilot", func(*http.Request, string, string) string { return "done" })
	model := newToolModel(t, func(tools []string) []practice.Step {
		i := slices.IndexFunc(tools, func(name string) bool { return strings.HasSuffix(name, "-copilot_agent") })
		return []practice.Step{practice.ToolCall(tools[i], map[string]any{"session_name": "a", "prompt": "x"})}
	})
	w.openCopilot(cli, model, func(w *env, cfg *agent.Config) {
		cfg.Servers = func(string) []session.MCPServer { return []session.MCPServer{ours.config()} }
		cfg.Commit = func(ctx context.Context, events ...backend.Event) error {
			if events[0].Permission != nil {
				return errors.New("disk full")
			}
			return w.commit(ctx, events...)
		}
	})
	tu := w.start(backend.SessionMain, "go")
	a := w.nextRequest()
	equal(t, "title", a.permission.Title, "Delegate to session a")
	equal(t, "calls", len(ours.calledSessions()), 0)
	a.answer <- "allow_once"
	w.expectEnd(tu, backend.TurnDone)
	equal(t, "calls", len(ours.calledSessions()), 1)
}

// newToolModel returns a model that makes the tool calls that the given function returns, one in each response. The
// function receives the names of the tools that the agent offers to the model.
func newToolModel(t *testing.T, calls func(tools []string) []practice.Step) *practice.Server {
	t.Helper()
	done := 0
	model, err := practice.New(practice.Func(func(req practice.Request) practice.Reply {
		if todo := calls(req.Tools); !req.Side() && req.Offers("task") && done < len(todo) {
			done++
			return practice.Reply{todo[done-1]}
		}
		return practice.Reply{practice.Text("ok")}
	}))
	noErr(t, err)
	t.Cleanup(func() {
		model.Close()
		if err := model.Err(); err != nil {
			t.Error(err)
		}
	})
	return model
}

// openCopilot opens the app with the Copilot CLI as its agent. The CLI uses the given model.
func (w *env) openCopilot(cli string, model *practice.Server, change func(*env, *agent.Config)) {
	w.open(func(w *env) agent.Launch {
		return agent.Launch{Path: cli, Args: copilot.Args(), Env: append(os.Environ(), model.Env(w.home)...), Home: w.home}
	}, change)
}

func (w *env) writeHome(name, text string) {
	w.t.Helper()
	noErr(w.t, os.WriteFile(filepath.Join(w.home, name), []byte(text), 0o600))
}

// requestCount returns the number of permission events with the given title.
func (w *env) requestCount(title string) (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range w.events {
		if e.Permission != nil && e.Permission.Title == title {
			n++
		}
	}
	return n
}
