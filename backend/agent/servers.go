package agent

import (
	"maps"
	"slices"

	acp "github.com/coder/acp-go-sdk"

	"github.com/voxpilot/voxpilot/backend"
)

// MCPServer is a server of tools that an agent is given for a session. It is
// reached by HTTP.
type MCPServer struct {
	Name    string // what the agent puts in front of the names of its tools
	URL     string
	Headers map[string]string
}

// serversOf are the servers that the named session is given by the process.
func (a *Agent) serversOf(k *link, name string) []MCPServer {
	if a.cfg.Servers == nil || name != backend.SessionMain || !k.takesHTTP() {
		return nil
	}
	return a.cfg.Servers(name)
}

// takesHTTP says whether the agent reaches MCP servers by HTTP.
func (k *link) takesHTTP() bool {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.mcpHTTP
}

// mcpServers are servers as ACP has them. A list of none is a list.
func mcpServers(list []MCPServer) []acp.McpServer {
	out := []acp.McpServer{}
	for _, s := range list {
		headers := []acp.HttpHeader{}
		for _, name := range slices.Sorted(maps.Keys(s.Headers)) {
			headers = append(headers, acp.HttpHeader{Name: name, Value: s.Headers[name]})
		}
		out = append(out, acp.McpServer{Http: &acp.McpServerHttpInline{Type: "http", Name: s.Name, Url: s.URL, Headers: headers}})
	}
	return out
}
