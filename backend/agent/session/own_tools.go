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
	// Name is the name under which the agent knows the server. The agent prefixes the names of the server's
	// tools with it. Package agent adds a suffix that is unique to the chat.
	Name    string
	URL     string
	Headers map[string]string
}

// hiddenTools are the tools of VoxPilot's servers that represent their calls in the transcript themselves. Each is
// mapped to the names of its parameters, of which the first is required and a string.
var hiddenTools = map[string][]string{
	"copilot_agent": {"session_name", "prompt"},
	"ask_user":      {"question", "choices", "multiple", "free_text", "form"},
	"present_plan":  {"plan", "title"},
}

// Servers returns the MCP servers passed to the agent for the session.
func (s *Session) Servers() []MCPServer { return s.cfg.Servers }

// markOwnTool marks a new call if it is a call to a tool of VoxPilot's servers, and hides a call to one of hiddenTools.
// It recognizes such calls by their title, which the Copilot CLI forms from the names of the server and the tool. The
// model can give a call to one of the CLI's own tools the same title, so a call to be hidden must also have the input
// for the tool. The caller must hold s.mu.
func (s *Session) markOwnTool(t *toolItem, up gjson.Result) {
	if !isPlain(toolKind(up.Get("kind").String())) {
		return
	}
	for _, server := range s.cfg.Servers {
		tool, ok := strings.CutPrefix(up.Get("title").String(), server.Name+"-")
		_, hides := hiddenTools[tool]
		if ok && (!hides || isInputFor(tool, up.Get("rawInput"))) {
			t.ownTool, t.hidden = tool, hides
		}
	}
}

// isInputFor reports whether the input fits the given tool, one of hiddenTools: it has the required parameter, and no
// parameters that the tool doesn't have.
func isInputFor(tool string, in gjson.Result) bool {
	parameters := hiddenTools[tool]
	ok := in.IsObject() && in.Get(parameters[0]).Type == gjson.String
	in.ForEach(func(key, _ gjson.Result) bool {
		ok = ok && slices.Contains(parameters, key.Str)
		return ok
	})
	return ok
}

// reconsider checks an update or a request with t's ID. If it doesn't describe a call to the marked tool, reconsider
// removes the mark that markOwnTool set on t. The model's server chooses the IDs of calls, so it can reuse an ID for
// another call. The caller must hold s.mu.
func (s *Session) reconsider(t *toolItem, up gjson.Result) {
	if t.ownTool == "" {
		return
	}
	title, in := up.Get("title").String(), up.Get("rawInput")
	named := title == "" || title == t.ownTool || slices.ContainsFunc(s.cfg.Servers, func(m MCPServer) bool { return title == m.Name+"-"+t.ownTool })
	kind := up.Get("kind").String() == "" || isPlain(toolKind(up.Get("kind").String()))
	called := !t.hidden || !in.IsObject() || isInputFor(t.ownTool, in)
	if !named || !kind || !called || len(request.CommandLines(in)) > 0 {
		t.ownTool, t.hidden = "", false
	}
}

// isPlain reports whether the kind is one that agents assign to calls to VoxPilot's tools.
func isPlain(kind backend.ToolKind) bool {
	return kind == backend.ToolOther || kind == backend.ToolRead || kind == backend.ToolSearch
}

// isForOwnTool reports whether a permission request for the tool call t is about one of VoxPilot's tools. call is the
// tool call as described in the request. VoxPilot allows such requests, because its tools request permission
// themselves. The title in the request identifies them: for a VoxPilot tool, the Copilot CLI omits the server's name;
// for one of its own tools, it repeats the call's title. The caller must hold s.mu.
func (t *toolItem) isForOwnTool(call gjson.Result) bool {
	return t.ownTool != "" && call.Get("title").String() == t.ownTool && (!t.hidden || isInputFor(t.ownTool, call.Get("rawInput")))
}
