package assistant_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/assistant"
	"github.com/voxpilot/voxpilot/backend/llm"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/apptest"
)

func TestMainAI_WorksWithRealServer(t *testing.T) {
	server, err := practice.New(apptest.Sequence(
		practice.Reply{
			practice.Reasoning("Two things to do."), practice.Text("I give it to two sessions."),
			practice.ToolCall("copilot_agent", map[string]string{"prompt": "Fix it", "session_name": "auth-bug-fix"}),
			practice.ToolCall("copilot_agent", map[string]string{"prompt": "Log it", "session_name": "logger"}),
			practice.ToolCall("read_file", map[string]string{"path": "a.go"}), practice.Usage(100, 10),
		},
		practice.Reply{practice.Text("Both are done."), practice.Usage(200, 5)},
	))
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	client := llm.NewClient()
	defer client.Close()
	w := newOrchestratorEnv(t)
	w.cfg.Provider = func(context.Context, string) (backend.Provider, string, error) {
		return backend.Provider{Name: "Practice", BaseURL: server.URL(), Model: practice.Model}, server.Key(), nil
	}
	w.cfg.Stream = client.Stream
	w.cfg.Tools = []llm.Tool{
		{Name: "read_file", Schema: json.RawMessage(`{"type":"object"}`)}, {Name: "copilot_agent", Schema: json.RawMessage(`{"type":"object"}`)},
	}
	w.tools["copilot_agent"] = func(_ context.Context, c assistant.ToolCall) assistant.ToolResult {
		var args map[string]string
		if err := json.Unmarshal(c.Arguments, &args); err != nil {
			t.Error(err)
		}
		return assistant.ToolResult{Text: args["prompt"] + " by " + args["session_name"]}
	}
	w.tools["read_file"] = func(context.Context, assistant.ToolCall) assistant.ToolResult {
		return assistant.ToolResult{Text: "package a", Summary: backend.Say("1 line")}
	}
	turn, work := w.prompt(t.Context(), "Fix and log")
	if err := server.Err(); err != nil {
		t.Error(err)
	}
	want := []string{"thought: Two things to do.", "message: I give it to two sessions.", "tool: read, a.go, completed, 1 line", "message: Both are done."}
	if diff := cmp.Diff(want, w.transcriptLines()); diff != "" {
		t.Error("(-want +got):\n", diff)
	}
	if turn.State != backend.TurnDone || work.Message != "Both are done." || turnCost(turn) != (backend.Usage{Input: 300, Output: 15}) {
		t.Errorf("ended as %+v, %+v, %+v", turn, turn.Usage, work)
	}
	requests := server.Requests()
	if diff := cmp.Diff([]string{"read_file", "copilot_agent"}, requests[0].Tools); diff != "" {
		t.Error("offered (-want +got):\n", diff)
	}
	var results []string
	for _, m := range requests[1].Messages[3:] {
		results = append(results, m.Role+": "+m.Text)
	}
	if diff := cmp.Diff([]string{"tool: Fix it by auth-bug-fix", "tool: Log it by logger", "tool: package a"}, results); diff != "" {
		t.Error("told (-want +got):\n", diff)
	}
}
