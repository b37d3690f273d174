package llm_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend/llm"
)

func TestRequest_HasWholeConversation(t *testing.T) {
	var got map[string]any
	var header http.Header
	s := newModel(t, func(w http.ResponseWriter, r *http.Request) {
		header = r.Header
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		streamText(textDelta("A"), finishDelta("stop"))(w, r)
	})
	req := request(s)
	req.Key = "sk-test"
	req.Provider.Headers = map[string]string{"X-Tenant": "one"}
	req.Messages = []llm.Message{
		{Role: llm.RoleSystem, Text: "Be kind."},
		{Role: llm.RoleUser, Text: "Read x <b>"},
		{Role: llm.RoleAssistant, Text: "Yes.", Reasoning: "Hm.", Calls: []llm.Call{{"a", "f", `{"path":"x"}`}, {"b", "g", "no JSON"}}},
		{Role: llm.RoleTool, Text: "text of x", CallID: "a"},
		{Role: llm.RoleTool, Text: "not JSON", CallID: "b"},
		{Role: llm.RoleAssistant, Text: ""},
	}
	req.Tools = []llm.Tool{
		{Name: "f", Description: "reads", Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`)},
		{Name: "g"},
	}
	t.Setenv("OPENAI_API_KEY", "sk-of-another")
	t.Setenv("OPENAI_ORG_ID", "another")
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1")
	if _, _, failure := stream(t, t.Context(), req); failure != nil {
		t.Fatalf("failed: %+v", failure.Err)
	}
	var want map[string]any
	if err := json.Unmarshal([]byte(`{
		"model": "m-1", "stream": true, "stream_options": {"include_usage": true},
		"messages": [
			{"role": "system", "content": "Be kind."},
			{"role": "user", "content": "Read x <b>"},
			{"role": "assistant", "content": "Yes.", "reasoning_content": "Hm.", "tool_calls": [
				{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{\"path\":\"x\"}"}},
				{"id": "b", "type": "function", "function": {"name": "g", "arguments": "{}"}}
			]},
			{"role": "tool", "content": "text of x", "tool_call_id": "a"},
			{"role": "tool", "content": "not JSON", "tool_call_id": "b"},
			{"role": "assistant", "content": ""}
		],
		"tools": [
			{"type": "function", "function": {"name": "f", "description": "reads", "parameters": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}}},
			{"type": "function", "function": {"name": "g", "description": "", "parameters": {"type": "object", "properties": {}}}}
		]
	}`), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("the body (-want +got):\n", diff)
	}
	for name, want := range map[string]string{
		"Authorization": "Bearer sk-test", "X-Tenant": "one", "Accept": "text/event-stream", "User-Agent": "VoxPilot",
		"Content-Type": "application/json", "Openai-Organization": "",
	} {
		if header.Get(name) != want {
			t.Errorf("%s is %q, want %q", name, header.Get(name), want)
		}
	}
	for name := range header {
		if strings.HasPrefix(name, "X-Stainless") {
			t.Errorf("there is a header %s", name)
		}
	}
}

func TestRequest_OmitsUnsupportedStreamOptions(t *testing.T) {
	asked := func(want bool, then http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil || strings.Contains(string(body), "stream_options") != want {
				t.Errorf("%v, %s", err, body)
			}
			then(w, r)
		}
	}
	fine := streamText(textDelta("A"), finishDelta("stop"))
	s := newModel(t,
		asked(true, respond(422, `{"detail":[{"loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}`)),
		asked(false, fine), asked(false, fine))
	c := llm.NewClient()
	defer c.Close()
	for range 2 {
		got, failure := c.Stream(t.Context(), request(s), func(string, string) {})
		if failure != nil || got.Text != "A" {
			t.Fatalf("got %+v, %+v", got, failure)
		}
	}
}
