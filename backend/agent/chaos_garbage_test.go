package agent_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

// garbage generates lines that no agent should write. $SESSION stands for the ID of the
// prompt's session.
type garbage struct{ *rand.Rand }

func pick[T any](g garbage, of ...T) T { return of[g.IntN(len(of))] }

// lines returns n lines that no agent should write.
func (g garbage) lines(n int) []byte {
	var b bytes.Buffer
	for range n {
		b.Write(g.line())
		b.WriteString(pick(g, "\n", "\n", "\r\n", "\n\n"))
	}
	return b.Bytes()
}

func (g garbage) line() []byte {
	switch g.IntN(12) {
	case 0:
		return bytes.ReplaceAll(g.noise(g.IntN(200)), []byte("\n"), nil)
	case 1, 2, 3:
		return g.update()
	case 4, 5:
		return g.damaged(g.update())
	case 6:
		return g.damaged(g.request())
	case 7:
		return g.request()
	case 8:
		return g.answer()
	case 9:
		return g.notification()
	case 10:
		return []byte(pick(g,
			"", " ", "\t", "\x00", "null", "[]", "{}", "7", `"text"`, "{", "}", `{"jsonrpc":"2.0"}`, `{"jsonrpc":"1.0","method":7,"id":{}}`,
			"\xEF\xBB\xBF"+string(g.update()), "["+string(g.update())+","+string(g.request())+"]", string(g.update())+string(g.update()),
			`{"method":"session/update","method":"nothing","params":{},"params":[]}`, `{"Method":"session/update","ID":7,"Result":{}}`,
		))
	default:
		return g.deep()
	}
}

func (g garbage) noise(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(g.Uint32())
	}
	return b
}

// deep returns a value or update with excessive nesting.
func (g garbage) deep() []byte {
	n := pick(g, 100, 9_000, 11_000, 100_000)
	open, end := pick(g, "[", `{"a":`), ""
	if g.IntN(2) == 0 {
		end = strings.Repeat(map[string]string{"[": "]", `{"a":`: "}"}[open], n)
	}
	value := strings.Repeat(open, n) + "0" + end
	if open == "[" && g.IntN(2) == 0 {
		value = strings.Repeat(open, n) + end
	}
	return []byte(pick(g, value, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"$SESSION","update":{"sessionUpdate":"tool_call","toolCallId":"deep","rawInput":`+value+`}}}`))
}

// value returns a random JSON value, for use where another type is expected.
func (g garbage) value(depth int) any {
	if depth <= 0 {
		return nil
	}
	switch g.IntN(10) {
	case 0:
		return nil
	case 1:
		return g.IntN(2) == 0
	case 2:
		return pick(g, 0, -1, 1e300, 0.5, float64(g.IntN(1e9)))
	case 3, 4, 5:
		return g.text()
	case 6, 7:
		list := []any{}
		for range g.IntN(4) {
			list = append(list, g.value(depth-1))
		}
		return list
	default:
		o := map[string]any{}
		for range g.IntN(5) {
			o[g.name()] = g.value(depth - 1)
		}
		return o
	}
}

func (g garbage) name() string {
	return pick(g, "type", "text", "content", "path", "oldText", "newText", "data", "mimeType", "uri", "name", "title", "kind", "status",
		"resource", "command", "commands", "diff", "fileName", "id", "optionId", "options", "priority", "entries", "steps", "exitCode", "contents", "")
}

func (g garbage) text() string {
	return pick(g, "", "text", "diff", "image", "content", "terminal", "resource", "resource_link", "pending", "completed", "failed", "cancelled", "execute", "edit", "move",
		"\x00", "ä€👋", "\u2028", "/etc/passwd", "../../x", "C:\\x", "a\nb", strings.Repeat("long ", 2000), "Info: x", "voxpilot.stash", `{"voxpilot.stash":"1"}`, "AAAA", "=",
		"<shellId: 0 completed with exit code 999999999999999999999>", "\n@@ -1,99999999 +1,0 @@\n", "\ndiff --git a/x b/x\n@@ -0,0 +1 @@\n+x\n")
}

// id returns one of a few IDs, so that some of them repeat.
func (g garbage) id() string { return fmt.Sprint("call ", g.IntN(6)) }

func (g garbage) encode(o map[string]any) []byte {
	b, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	if g.IntN(4) == 0 { // lone surrogates
		b = bytes.Replace(b, []byte("text"), []byte(pick(g, `\ud83d`, `\udc4b`, `\ud83d\ud83d`, `\u0000`)), 1)
	}
	return b
}

// update returns a session/update of a known kind with random members in random order: for example, a tool call that
// ends before it starts, or that ends twice.
func (g garbage) update() []byte {
	up := map[string]any{"sessionUpdate": pick(g,
		"agent_message_chunk", "agent_thought_chunk", "user_message_chunk", "tool_call", "tool_call_update", "tool_call_update", "plan", "available_commands_update",
		"current_mode_update", "config_option_update", "usage_update", "session_info_update", "weather_report", "")}
	for _, key := range []string{
		"content", "title", "kind", "status", "locations", "rawInput", "rawOutput", "entries", "steps", "availableCommands", "currentModeId",
		"configOptions", "used", "size", "updatedAt", "_meta",
	} {
		if g.IntN(2) == 0 {
			up[key] = g.value(4)
		}
	}
	switch g.IntN(5) {
	case 0:
		up["content"] = map[string]any{"type": "text", "text": g.text()}
	case 1:
		up["content"] = []any{map[string]any{"type": "diff", "path": g.text(), "oldText": g.value(1), "newText": g.text()}}
	case 2:
		up["content"] = []any{map[string]any{"type": "content", "content": map[string]any{"type": g.text(), "text": g.text(), "data": g.text()}}}
	}
	if g.IntN(8) > 0 {
		up["toolCallId"] = g.id()
	}
	return g.encode(map[string]any{"jsonrpc": "2.0", "method": "session/update", "params": map[string]any{
		"sessionId": pick[any](g, "$SESSION", "$SESSION", "$SESSION", "$SESSION", "no such session", "", nil, 7), "update": pick[any](g, up, up, up, up, up, nil, []any{up}, "x"),
	}})
}

// request returns a request with random params, or a permission request of an unexpected form.
func (g garbage) request() []byte {
	// None of these IDs is close to a prompt's ID: a damaged request without a method would count as the response to
	// that prompt.
	id := pick[any](g, "a string", "", 2_000_000, -2_000_000, 1_000_000.5, 1e30, nil, []any{1}, map[string]any{"id": 1}, true)
	if g.IntN(2) == 0 {
		return g.encode(map[string]any{"jsonrpc": "2.0", "id": id, "method": pick(g, "_vendor/ask", "vendor/ask", "fs/read_text_file", "terminal/create", "session/update", "initialize", ""), "params": g.value(3)})
	}
	options := []any{map[string]any{"optionId": g.text(), "kind": "allow_once", "name": g.text()}, g.value(2)}
	return g.encode(map[string]any{"jsonrpc": "2.0", "id": id, "method": "session/request_permission", "params": map[string]any{
		"sessionId": pick[any](g, "$SESSION", "$SESSION", "no such session", nil),
		"toolCall":  pick[any](g, map[string]any{"toolCallId": g.id(), "title": g.value(1), "kind": g.text(), "rawInput": g.value(3), "content": g.value(3), "locations": g.value(3)}, g.value(2)),
		"options":   pick[any](g, options, options, g.value(2)),
	}})
}

// answer returns a response with an ID that no request has.
func (g garbage) answer() []byte {
	o := map[string]any{"jsonrpc": "2.0", "id": pick[any](g, 1_000_000+g.IntN(100), "1", "string", nil, -1_000_000, 1_000_000.5, []any{}, map[string]any{}, false)}
	o[pick(g, "result", "error", "Result")] = g.value(3)
	return g.encode(o)
}

func (g garbage) notification() []byte {
	return g.encode(map[string]any{
		"jsonrpc": "2.0", "method": pick(g, "_vendor/note", "session/started", "$/cancel_request", "$/progress", "session/updates", "session/update", "session/cancel"),
		"params": pick[any](g, nil, map[string]any{"requestId": g.value(2), "id": g.value(2)}, g.value(3)),
	})
}

// damaged returns the line with a few bytes changed, removed or inserted, or with its end cut off.
func (g garbage) damaged(line []byte) []byte {
	for range 1 + g.IntN(4) {
		i := g.IntN(len(line))
		switch g.IntN(4) {
		case 0:
			line[i] = byte(g.Uint32())
		case 1:
			line = append(line[:i:i], line[i+1:]...)
		case 2:
			line = append(line[:i:i], append([]byte(pick(g, `"`, "{", "}", "[", "]", ",", ":", `\`, "\xff", "0")), line[i:]...)...)
		default:
			line = line[:i+1]
		}
		if len(line) == 0 {
			break
		}
	}
	return bytes.ReplaceAll(line, []byte("\n"), nil)
}
