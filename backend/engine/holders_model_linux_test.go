package engine_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// anyModel is a fake model that speaks the protocols of OpenAI (chat and responses) and of Anthropic.
type anyModel struct {
	*httptest.Server
	h holder

	mu     sync.Mutex
	called map[string]bool
	seen   []string // unexpected requests and missing tools
	hits   atomic.Int64
}

func newAnyModel(t *testing.T, h holder) *anyModel {
	m := &anyModel{h: h, called: map[string]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /fetched/", func(w http.ResponseWriter, _ *http.Request) { m.hits.Add(1); fmt.Fprint(w, "ok") })
	mux.HandleFunc("POST /v1/chat/completions", m.chat)
	mux.HandleFunc("POST /v1/messages", m.messages)
	mux.HandleFunc("POST /v1/responses", m.responses)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		m.note(r.Method + " " + r.URL.Path)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"data":[]}`)
	})
	m.Server = httptest.NewServer(mux)
	t.Cleanup(func() {
		m.Close()
		for _, text := range slices.Compact(slices.Sorted(slices.Values(m.seen))) {
			t.Log(text)
		}
	})
	return m
}

func (m *anyModel) note(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen = append(m.seen, text)
}

// next returns the tool call with which the model continues a conversation, or "" if the model answers with text.
// The user's text is "do: KIND ARGUMENTS" or, for a sub-agent, "below: COMMAND". done is true if a tool call has
// already returned its result.
func (m *anyModel) next(user string, tools []string, done bool) (name, args string) {
	if done || len(tools) == 0 {
		return "", ""
	}
	var kind string
	if _, rest, ok := strings.Cut(user, "below: "); ok {
		rest, _, _ = strings.Cut(rest, "\n")
		kind, args = "command", strings.ReplaceAll(m.h.calls["command"][1], "%C", strings.TrimSpace(rest))
	} else if _, rest, ok := strings.Cut(user, "do: "); ok {
		rest, _, _ = strings.Cut(rest, "\n")
		kind, rest, _ = strings.Cut(rest, " ")
		args = strings.NewReplacer("%F", rest, "%C", rest, "%U", rest).Replace(m.h.calls[kind][1])
	} else {
		return "", ""
	}
	for _, name := range strings.Split(m.h.calls[kind][0], "|") {
		if !slices.Contains(tools, name) {
			continue
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.called[kind+args] { // each action is called only once
			return "", ""
		}
		m.called[kind+args] = true
		return name, args
	}
	m.note("no tool for " + kind + " among " + strings.Join(tools, " "))
	return "", ""
}

func body(r *http.Request) gjson.Result {
	var raw json.RawMessage
	_ = json.NewDecoder(r.Body).Decode(&raw)
	return gjson.ParseBytes(raw)
}

func names(list gjson.Result, path string) (out []string) {
	for _, v := range list.Array() {
		out = append(out, v.Get(path).String())
	}
	return out
}

// conversation returns the line with the user's last instruction, and whether a tool has returned a result after it.
func conversation(messages gjson.Result, isTool func(gjson.Result) bool) (user string, done bool) {
	read := func(text string) {
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "do: ") || strings.HasPrefix(line, "below: ") {
				user, done = line, false
			}
		}
	}
	for _, msg := range messages.Array() {
		if isTool(msg) {
			done = true
		}
		if msg.Get("role").String() != "user" {
			continue
		}
		if content := msg.Get("content"); content.Type == gjson.String {
			read(content.Str)
		} else {
			for _, part := range content.Array() { // a message may contain results, followed by the user's text
				read(part.Get("text").String())
			}
		}
	}
	return user, done
}

func sse(w http.ResponseWriter, events ...[2]string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range events {
		if e[0] != "" {
			fmt.Fprintf(w, "event: %s\n", e[0])
		}
		fmt.Fprintf(w, "data: %s\n\n", e[1])
	}
}

func (m *anyModel) chat(w http.ResponseWriter, r *http.Request) {
	in := body(r)
	user, done := conversation(in.Get("messages"), func(v gjson.Result) bool { return v.Get("role").String() == "tool" })
	name, args := m.next(user, names(in.Get("tools"), "function.name"), done)
	delta, end := `{"role":"assistant","content":"ok"}`, "stop"
	if name != "" {
		delta, end = fmt.Sprintf(`{"role":"assistant","tool_calls":[{"index":0,"id":"call_%s","type":"function","function":{"name":%q,"arguments":%s}}]}`, backend.NewID()[:8], name, quoteJSON(args)), "tool_calls"
	}
	const chunk = `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`
	if !in.Get("stream").Bool() {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":%s,"finish_reason":%q}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`, delta, end)
		return
	}
	sse(w, [2]string{"", fmt.Sprintf(chunk, delta, "null")}, [2]string{"", fmt.Sprintf(chunk, "{}", `"`+end+`"`)}, [2]string{"", "[DONE]"})
}

func (m *anyModel) messages(w http.ResponseWriter, r *http.Request) {
	in := body(r)
	user, done := conversation(in.Get("messages"), func(v gjson.Result) bool { return v.Get(`content.#(type=="tool_result")`).Exists() })
	name, args := m.next(user, names(in.Get("tools"), "name"), done)
	if !in.Get("stream").Bool() {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"ok"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}`)
		return
	}
	events := [][2]string{{"message_start", `{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}}`}}
	end := "end_turn"
	if name == "" {
		events = append(events, [2]string{"content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`},
			[2]string{"content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ok"}}`})
	} else {
		end = "tool_use"
		events = append(events, [2]string{"content_block_start", fmt.Sprintf(`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_%s","name":%q,"input":{}}}`, backend.NewID()[:8], name)},
			[2]string{"content_block_delta", fmt.Sprintf(`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":%s}}`, quoteJSON(args))})
	}
	sse(w, append(events, [2]string{"content_block_stop", `{"type":"content_block_stop","index":0}`},
		[2]string{"message_delta", fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":%q},"usage":{"output_tokens":1}}`, end)}, [2]string{"message_stop", `{"type":"message_stop"}`})...)
}

func (m *anyModel) responses(w http.ResponseWriter, r *http.Request) {
	in := body(r)
	user, done := conversation(in.Get("input"), func(v gjson.Result) bool { return strings.HasSuffix(v.Get("type").String(), "_call_output") })
	name, args := m.next(user, names(in.Get("tools"), "name"), done)
	item := `{"type":"message","role":"assistant","id":"i","content":[{"type":"output_text","text":"ok"}]}`
	if name != "" {
		item = fmt.Sprintf(`{"type":"function_call","id":"i","call_id":"call_%s","name":%q,"arguments":%s}`, backend.NewID()[:8], name, quoteJSON(args))
	}
	sse(w, [2]string{"response.created", `{"type":"response.created","response":{"id":"r"}}`}, [2]string{"response.output_item.done", `{"type":"response.output_item.done","output_index":0,"item":` + item + `}`},
		[2]string{"response.completed", `{"type":"response.completed","response":{"id":"r","usage":{"input_tokens":1,"input_tokens_details":null,"output_tokens":1,"output_tokens_details":null,"total_tokens":2}}}`})
}

func quoteJSON(text string) string {
	b, _ := json.Marshal(text) //nolint:errchkjson // a string
	return string(b)
}
