package session

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/request"
)

// MCPServer is a server of tools that an agent is given for a session. It is
// reached by HTTP.
type MCPServer struct {
	// Name is what the agent knows the server by, and puts in front of the names
	// of its tools. Something that nobody can guess is added to it.
	Name    string
	URL     string
	Headers map[string]string
}

// delegateTool is the tool that gives work to a session. Its calls have blocks.
const delegateTool = "copilot_agent"

// Servers are the MCP servers that the agent was given for the session.
func (s *Session) Servers() []MCPServer { return s.cfg.Servers }

// markOwnTool notes of a call that has just begun whether it is of a tool of ours. The
// Copilot CLI calls it by the names of the server and of the tool. It also calls
// its own tools as the model likes, so what they are called with counts as well.
// s.mu is held.
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

// isDelegation says whether a tool is called with what delegateTool is, and with
// nothing else.
func isDelegation(in gjson.Result) bool {
	ok := in.IsObject() && in.Get("session_name").Type == gjson.String
	in.ForEach(func(key, _ gjson.Result) bool {
		ok = ok && (key.Str == "session_name" || key.Str == "prompt")
		return ok
	})
	return ok
}

// reconsider takes back that a call is of a tool of ours where an update, or a
// request, is about something else. Who runs the model chooses the ids of calls,
// and may choose one that a call of ours has. s.mu is held.
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

// isPlain says whether a tool of ours may be of the kind for an agent.
func isPlain(kind backend.ToolKind) bool {
	return kind == backend.ToolOther || kind == backend.ToolRead || kind == backend.ToolSearch
}

// isForOwnTool says whether a request for permission is about a call of a tool of
// ours, which then is allowed: what it does it asks for itself. The Copilot CLI
// leaves the server's name out of the request; its own tools are called the same
// there as in the call. s.mu is held.
func (t *toolItem) isForOwnTool(call gjson.Result) bool {
	return t.ownTool != "" && call.Get("title").String() == t.ownTool && (!t.hidden || isDelegation(call.Get("rawInput")))
}
