package agent

import (
	"crypto/sha256"
	"encoding/base32"
	"maps"
	"slices"
	"strings"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/session"
)

// serversOf are the servers that the named session is given by the process.
//
// The Copilot CLI prefers a server that the user, or a folder, has set up to one
// of the same name that it is given. So the name is one that nobody sets up: else
// whoever did would get the work, and what is allowed for our own tools. It is
// the same whenever the chat goes on, as the model has used it.
func (a *Agent) serversOf(k *link, name string) []session.MCPServer {
	if a.cfg.Servers == nil || name != backend.SessionMain || !k.takesHTTP() {
		return nil
	}
	servers := slices.Clone(a.cfg.Servers(name))
	for i := range servers {
		sum := sha256.Sum256([]byte(servers[i].Name + " of the chat " + a.cfg.ChatID))
		servers[i].Name += "_" + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:8])
	}
	return servers
}

// takesHTTP says whether the agent reaches MCP servers by HTTP.
func (k *link) takesHTTP() bool {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.mcpHTTP
}

// mcpServers are servers as ACP has them. A list of none is a list.
func mcpServers(list []session.MCPServer) []sdk.McpServer {
	out := []sdk.McpServer{}
	for _, s := range list {
		headers := []sdk.HttpHeader{}
		for _, name := range slices.Sorted(maps.Keys(s.Headers)) {
			headers = append(headers, sdk.HttpHeader{Name: name, Value: s.Headers[name]})
		}
		out = append(out, sdk.McpServer{Http: &sdk.McpServerHttpInline{Type: "http", Name: s.Name, Url: s.URL, Headers: headers}})
	}
	return out
}
