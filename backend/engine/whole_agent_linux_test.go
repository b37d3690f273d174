package engine_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// copilotAdded adds the real Copilot CLI as a custom agent with the given arguments and MCP servers. It returns a chat
// in the mode "Allow everything" in which the agent runs in the sandbox.
func copilotAdded(t *testing.T, args []string, servers map[string]any) (w *appEnv, m *anyModel, chat backend.Chat) {
	t.Helper()
	h := holders[0]
	m = newAnyModel(t, h)
	program, _ := h.start(t, m)
	home := folderInHome(t)
	writeJSON(t, home, "mcp-config.json", map[string]any{"mcpServers": servers})
	values := map[string]string{}
	for _, v := range h.env(m, home) {
		name, value, _ := strings.Cut(v, "=")
		values[name] = value
	}
	w = newAppEnv(t, t.TempDir())
	w.needsSandbox()
	profile, err := w.App.SaveProfile(backend.CustomAgent{Name: "Added", Command: program, Args: args, Home: home, Env: slices.Sorted(maps.Keys(values))}, values)
	noErr(t, err)
	return w, m, w.inSandbox(profile.ID)
}

// inSandbox returns a new chat in the mode "Allow everything" whose whole agent runs in the sandbox.
func (w *appEnv) inSandbox(agentID string) backend.Chat {
	w.T.Helper()
	chat, err := w.App.CreateChat(folderInHome(w.T), agentID)
	noErr(w.T, err)
	noErr(w.T, w.App.SetPermissionMode(chat.ID, backend.ModeBypass))
	noErr(w.T, w.App.SetSandbox(chat.ID, backend.Sandbox{On: true, WholeAgent: true, Network: backend.NetworkOff}))
	return chat
}

// fakeAgentInHome adds a fake agent whose program is visible in the sandbox, and returns the agent's ID.
func (w *appEnv) fakeAgentInHome(s fakeagent.Script, args ...string) string {
	w.T.Helper()
	dir := folderInHome(w.T)
	program := filepath.Join(dir, "other-agent")
	noErr(w.T, fakeagent.Copy(program, s))
	noErr(w.T, os.Mkdir(filepath.Join(dir, "home"), 0o700))
	p, err := w.App.SaveProfile(backend.CustomAgent{Name: "Other", Command: program, Args: args, Home: filepath.Join(dir, "home")}, nil)
	noErr(w.T, err)
	return p.ID
}

// TestWholeAgent_ReachedByPort checks that VoxPilot reaches the real Copilot CLI on a port in the sandbox, and that
// the CLI can't write outside the sandbox.
func TestWholeAgent_ReachedByPort(t *testing.T) {
	w, m, chat := copilotAdded(t, []string{"--acp", "--port", "{port}", "--no-auto-update"}, map[string]any{})
	outside := folderInHome(t)
	for _, a := range []action{{"command", "command", false}, {"command that writes outside", "command", true}, {"edit in the folder", "edit", false}} {
		if s := w.do(chat, m, a, outside, true); s.hung || s.done == a.outside {
			t.Errorf("%s: got %+v", a.name, s)
		}
	}
	if ns := sandboxOf(t, w.waitForProcess(chat.ID)); ns == "" {
		t.Error("the agent isn't in a sandbox")
	}
}

// TestWholeAgent_ReachedBySocket checks that VoxPilot reaches an agent in the sandbox that listens on a Unix socket,
// even if the sandbox would otherwise hide the socket's folder. The agent can't write outside the sandbox.
func TestWholeAgent_ReachedBySocket(t *testing.T) {
	w := newAppEnv(t, t.TempDir())
	w.needsSandbox()
	outside := folderInHome(t)
	id := w.fakeAgentInHome(fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Run("touch in; touch " + outside + "/out"), fakeagent.Say("done")}}, fakeagent.SocketArgs...)
	chat := w.inSandbox(id)
	w.Send(chat, "go")
	w.WaitForDone("the turn", 1)
	if !exists(t, filepath.Join(chat.Folder, "in")) || exists(t, filepath.Join(outside, "out")) {
		t.Errorf("got %q in the folder and %q outside", fileNames(t, chat.Folder), fileNames(t, outside))
	}
}

// TestWholeAgent_ReadsAttachmentInHiddenPlace checks that once the user has attached a file in a hidden folder, an
// agent in the sandbox can read this file, but no other file in that folder.
func TestWholeAgent_ReadsAttachmentInHiddenPlace(t *testing.T) {
	w := newAppEnv(t, t.TempDir())
	w.needsSandbox()
	hidden := folderInHome(t)
	attached, other := filepath.Join(hidden, "attached.txt"), filepath.Join(hidden, "other.txt")
	noErr(t, os.WriteFile(attached, []byte("attached"), 0o600))
	noErr(t, os.WriteFile(other, []byte("hidden"), 0o600))
	s := backend.DefaultSettings()
	s.Sandbox.Hidden = append(s.Sandbox.Hidden, hidden)
	noErr(t, w.App.SaveSettings(s))
	id := w.fakeAgentInHome(fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Run("cat " + attached + " " + other + " >> seen; echo . >> seen"), fakeagent.Say("done")}})
	chat := w.inSandbox(id)
	seen := func() string {
		text, err := os.ReadFile(filepath.Join(chat.Folder, "seen"))
		noErr(t, err)
		return string(text)
	}
	w.Send(chat, "before")
	w.WaitForDone("the first turn", 1)
	if got := seen(); got != ".\n" {
		t.Errorf("got %q before", got)
	}
	_, err := w.App.Send(chat.ID, "look", []backend.Attachment{{Kind: backend.AttachmentFile, Name: "attached.txt", Path: attached, Mime: "text/plain", Size: 8}})
	noErr(t, err)
	w.WaitForDone("the second turn", 2)
	if got := seen(); got != ".\nattached.\n" {
		t.Errorf("got %q, want the attached file only", got)
	}
}

// TestWholeAgent_ReachesServerOnLocalPort checks that a sandboxed agent can reach an MCP server on a local port outside
// the sandbox. The agent's commands can't reach it, because their sandbox has no network access.
func TestWholeAgent_ReachesServerOnLocalPort(t *testing.T) {
	var commands atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/command") {
			commands.Add(1)
		}
		if r.Method != http.MethodPost {
			rw.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		call := body(r)
		if !call.Get("id").Exists() {
			rw.WriteHeader(http.StatusAccepted)
			return
		}
		var result any = map[string]any{}
		switch call.Get("method").Str {
		case "initialize":
			result = map[string]any{"protocolVersion": call.Get("params.protocolVersion").Str, "capabilities": map[string]any{"tools": map[string]any{}}, "serverInfo": map[string]any{"name": "probe", "version": "1"}}
		case "tools/list":
			result = map[string]any{"tools": []any{map[string]any{"name": "touch", "description": "Creates a file.", "inputSchema": map[string]any{"type": "object", "properties": map[string]any{"path": map[string]any{"type": "string"}}}}}}
		case "tools/call":
			if err := os.WriteFile(call.Get("params.arguments.path").Str, nil, 0o600); err != nil {
				t.Error(err)
			}
			result = map[string]any{"content": []any{map[string]any{"type": "text", "text": "done"}}}
		}
		rw.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(rw).Encode(map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(call.Get("id").Raw), "result": result})
	}))
	defer server.Close()
	w, m, chat := copilotAdded(t, holders[0].args, map[string]any{"probe": map[string]any{"type": "http", "url": server.URL + "/mcp", "tools": []string{"*"}}})
	if s := w.do(chat, m, action{"tool of the server", "mcp", false}, "", true); s.hung || !s.done {
		t.Errorf("got %+v for the server's tool", s)
	}
	port := server.URL[strings.LastIndexByte(server.URL, ':')+1:]
	try := func(name string, ended int) int64 {
		w.Send(chat, "do: command (printf 'GET /command HTTP/1.0\\\\r\\\\n\\\\r\\\\n' > /dev/tcp/127.0.0.1/"+port+"); touch "+name)
		w.waitForEndedTurns(chat, ended)
		if !exists(t, filepath.Join(chat.Folder, name)) {
			t.Errorf("the command %s didn't run", name)
		}
		return commands.Load()
	}
	if n := try("off", 2); n > 0 {
		t.Errorf("a command reached the server %d times without network", n)
	}
	noErr(t, w.App.SetSandbox(chat.ID, backend.Sandbox{On: true, WholeAgent: true, Network: backend.NetworkOn}))
	if n := try("on", 3); n != 1 {
		t.Errorf("a command reached the server %d times with network, want once", n)
	}
}
