package agent_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"github.com/voxpilot/voxpilot/backend/agent/session"
)

// toolServer is an MCP server with one tool, copilot_agent. Calls to the tool are handled by the function passed to
// newToolServer.
type toolServer struct {
	*httptest.Server
	name string
	// structured is the structured content of the server's responses; nil means none.
	structured map[string]any

	mu    sync.Mutex
	calls []string // session names in call order
}

// mcpToken is the token that the server expects.
const mcpToken = "Bearer 0123456789abcdef"

// newToolServer returns a server with the given name. The function do handles the calls of its tool; do may be nil.
func newToolServer(t *testing.T, name string, do func(r *http.Request, session, prompt string) string) *toolServer {
	t.Helper()
	s := &toolServer{name: name}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != mcpToken {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				Arguments struct {
					Prompt  string `json:"prompt"`
					Session string `json:"session_name"`
				} `json:"arguments"`
			} `json:"params"`
		}
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil || m.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		answer := map[string]any{"jsonrpc": "2.0", "id": m.ID}
		switch m.Method {
		case "initialize":
			answer["result"] = map[string]any{
				"protocolVersion": "2025-11-25", "capabilities": map[string]any{"tools": map[string]any{}},
				"serverInfo": map[string]any{"name": name, "version": "1"},
			}
		case "tools/list":
			text := map[string]any{"type": "string"}
			answer["result"] = map[string]any{"tools": []any{map[string]any{
				"name": "copilot_agent", "description": "Give work to a session.",
				"inputSchema": map[string]any{
					"type": "object", "required": []string{"prompt", "session_name"},
					"properties": map[string]any{"prompt": text, "session_name": text},
				},
			}}}
		case "tools/call":
			s.mu.Lock()
			s.calls = append(s.calls, m.Params.Arguments.Session)
			s.mu.Unlock()
			said := "done"
			if do != nil {
				said = do(r, m.Params.Arguments.Session, m.Params.Arguments.Prompt)
			}
			result := map[string]any{"content": []any{map[string]any{"type": "text", "text": said}}}
			if s.structured != nil {
				result["structuredContent"] = s.structured
			}
			answer["result"] = result
		default:
			answer["error"] = map[string]any{"code": -32601, "message": "there is no " + m.Method}
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answer)
	}))
	t.Cleanup(s.Close)
	return s
}

// config returns the server's configuration as passed to an agent.
func (s *toolServer) config() session.MCPServer {
	return session.MCPServer{Name: s.name, URL: s.URL, Headers: map[string]string{"Authorization": mcpToken}}
}

// calledSessions returns the session names passed in the tool calls, in order.
func (s *toolServer) calledSessions() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}
