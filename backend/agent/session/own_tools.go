package session

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/request"
)

// MCPServer is an HTTP MCP server passed to an agent for a session.
type MCPServer struct {
	// Name is the server's name for the agent, which prefixes the tool names with it.
	// An unguessable suffix is added.
	Name    string
	URL     string
	Headers map[string]string
}

// delegateTool is the tool that delegates tasks to sessions. Its calls are shown as blocks.
const delegateTool = "copilot_agent"

// Servers returns the MCP servers passed to the agent for the session.
func (s *Session) Servers() []MCPServer { return s.cfg.Servers }

// markOwnTool marks a new call if it is a call to a tool of VoxPilot's servers. The Copilot CLI's title
// consists of the server's and the tool's name. The model chooses the titles of the CLI's own tools, so
// the input is checked as well. The caller must hold s.mu.
func (s *Session) markOwnTool(t *toolItem, up gjson.Result) {
	if !isPlain(toolKind(up.Get("kind").String())) {
		return
	}
	for _, server := range s.cfg.Servers {
		tool, ok := strings.CutPrefix(up.Get("title").String(), server.Name+"-")
		if ok && (tool != delegateTool || isDelegation(up.Get("rawInput"))) {
			t.ownTool, t.hidden = tool, tool == delegateTool
		}
	}
}

// isDelegation reports whether the input has exactly the parameters of delegateTool.
func isDelegation(in gjson.Result) bool {
	ok := in.IsObject() && in.Get("session_name").Type == gjson.String
	in.ForEach(func(key, _ gjson.Result) bool {
		ok = ok && (key.Str == "session_name" || key.Str == "prompt")
		return ok
	})
	return ok
}

// reconsider unmarks a call to a VoxPilot tool if an update or a request with its ID
// concerns something else: the model's server chooses call IDs and may reuse the ID of
// such a call. The caller must hold s.mu.
func (s *Session) reconsider(t *toolItem, up gjson.Result) {
	if t.ownTool == "" {
		return
	}
	title, in := up.Get("title").String(), up.Get("rawInput")
	named := title == "" || title == t.ownTool || slices.ContainsFunc(s.cfg.Servers, func(m MCPServer) bool { return title == m.Name+"-"+t.ownTool })
	kind := up.Get("kind").String() == "" || isPlain(toolKind(up.Get("kind").String()))
	called := !t.hidden || !in.IsObject() || isDelegation(in)
	if !named || !kind || !called || len(request.CommandLines(in)) > 0 {
		t.ownTool, t.hidden = "", false
	}
}

// isPlain reports whether an agent may assign the kind to a VoxPilot tool.
func isPlain(kind backend.ToolKind) bool {
	return kind == backend.ToolOther || kind == backend.ToolRead || kind == backend.ToolSearch
}

// isForOwnTool reports whether a permission request is for a call to a VoxPilot tool.
// Such calls are allowed, because the tool requests permission itself. The Copilot CLI
// omits the server's name in the request; for the CLI's own tools, the request has the
// same title as the call. The caller must hold s.mu.
func (t *toolItem) isForOwnTool(call gjson.Result) bool {
	return t.ownTool != "" && call.Get("title").String() == t.ownTool && (!t.hidden || isDelegation(call.Get("rawInput")))
}
