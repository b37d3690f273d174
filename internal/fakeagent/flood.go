package fakeagent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// flood writes n pieces of text in large writes. They are made by hand: it is to
// be faster than who reads it.
func (a *agent) flood(sid, kind, text string, n int) {
	line := chunkLine(sid, kind, text)
	for i := range n {
		if a.ctx.Err() != nil {
			return
		}
		a.write(line[:len(line):len(line)], i == n-1)
	}
}

func chunkLine(sid, kind, text string) []byte {
	body, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":%q,"update":{"sessionUpdate":%q,"content":{"type":"text","text":%s}}}}`, sid, kind, body)
}

// chunks writes pieces of the answer.
func (t *turn) chunks(s Step) {
	text := t.asked.Replace(s.Text)
	line := chunkLine(t.s.ID, "agent_message_chunk", text)
	var tick *time.Ticker
	if s.Every > 0 {
		tick = time.NewTicker(s.Every)
		defer tick.Stop()
	}
	for i := range s.N {
		if t.ctx.Err() != nil {
			break
		}
		t.said.WriteString(text)
		t.write(line[:len(line):len(line)], tick != nil || i == s.N-1)
		if tick != nil {
			select {
			case <-tick.C:
			case <-t.ctx.Done():
			}
		}
	}
}

// long writes a line of at least n bytes.
func (t *turn) long(s Step) {
	switch s.Text {
	case "garbage":
		t.write(bytes.Repeat([]byte{'x'}, s.N), true)
	case "nested":
		t.write(bytes.Repeat([]byte{'['}, s.N), true)
	case "tool":
		t.update(t.s.ID, object{
			"sessionUpdate": "tool_call", "toolCallId": t.callID(), "title": "Viewing a large file", "kind": "read", "status": "completed",
			"content": []object{{"type": "content", "content": object{"type": "text", "text": strings.Repeat("0123456789abcde\n", s.N/16)}}},
		})
	case "ask":
		id := t.callID()
		path := filepath.Join(t.s.Cwd, "large.txt")
		r := t.permitted(object{
			"toolCallId": id, "title": "Edit file", "kind": "edit", "status": "pending", "locations": []object{{"path": path}},
			"content": []object{{"type": "diff", "path": path, "oldText": "", "newText": strings.Repeat("0123456789abcde\n", s.N/16)}},
		})
		t.update(t.s.ID, chunk("agent_message_chunk", r))
	default:
		panic("fakeagent: no long " + s.Text)
	}
}
