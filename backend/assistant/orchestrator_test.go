package assistant_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/assistant"
	"github.com/voxpilot/voxpilot/backend/llm"
)

func TestMainAI_StreamsAnswer(t *testing.T) {
	w := newOrchestratorEnv(t, func(_ context.Context, _ llm.Request, say func(text, reasoning string)) (llm.Answer, *llm.Failure) {
		say("", "I think")
		say("", " so.")
		say("\n\n", "")
		say("Good ", "")
		say("day ☀", "")
		return llm.Answer{Text: "Good day ☀", Finish: "stop", Usage: &backend.Usage{Input: 10, Output: 3, Thought: 2}}, nil
	})
	turn, work := w.prompt(t.Context(), "Hi")
	if diff := cmp.Diff([]string{"thought: I think so.", "message: Good day ☀"}, w.transcriptLines()); diff != "" {
		t.Error("(-want +got):\n", diff)
	}
	if turn.State != backend.TurnDone || turn.StopReason != "end_turn" || work.Message != "Good day ☀" {
		t.Errorf("ended as %+v, %+v", turn, work)
	}
	if diff := cmp.Diff(backend.Usage{Input: 10, Output: 3, Thought: 2}, turnCost(turn)); diff != "" {
		t.Error("usage (-want +got):\n", diff)
	}
	req := w.request(0)
	if req.Key != "key" || req.Provider.Model != "m-1" || len(req.Messages) != 2 || req.Messages[1].Role != llm.RoleUser || req.Messages[1].Text != "Hi" {
		t.Errorf("asked %+v", req)
	}
}

func TestMainAI_RunsToolsUntilAnswer(t *testing.T) {
	w := newOrchestratorEnv(
		t,
		func(_ context.Context, _ llm.Request, say func(text, reasoning string)) (llm.Answer, *llm.Failure) {
			say("I look. ", "")
			return llm.Answer{Text: "I look. ", Reasoning: "Hm.", Usage: &backend.Usage{Input: 10, Output: 1, CacheRead: 4}, Calls: []llm.Call{
				{ID: "a", Name: "read_file", Arguments: `{"path":"src/main.go"}`}, {ID: "b", Name: "grep", Arguments: `{"pattern":"TODO"}`}, {ID: "c", Name: "git_diff"},
			}}, nil
		},
		func(_ context.Context, _ llm.Request, say func(text, reasoning string)) (llm.Answer, *llm.Failure) {
			say("There.", "")
			return llm.Answer{Text: "There.", Finish: "stop", Usage: &backend.Usage{Input: 20, Output: 2}}, nil
		},
	)
	w.tools["read_file"] = func(_ context.Context, c assistant.ToolCall) assistant.ToolResult {
		return assistant.ToolResult{Text: "package main\nfunc main() {}\n", Summary: backend.Plain("2 lines"), Kind: backend.ToolRead, Path: "/home/me/app/src/main.go"}
	}
	w.tools["grep"] = func(context.Context, assistant.ToolCall) assistant.ToolResult {
		return assistant.ToolResult{Text: "Nothing matches.", Summary: backend.Plain("0 matches"), Kind: backend.ToolSearch}
	}
	w.tools["git_diff"] = func(_ context.Context, c assistant.ToolCall) assistant.ToolResult {
		if string(c.Arguments) != "{}" {
			t.Errorf("no arguments are %s", c.Arguments)
		}
		return assistant.ToolResult{Text: "This is no repository.\nMore.", IsError: true, Kind: backend.ToolRead}
	}
	turn, work := w.prompt(t.Context(), "Look")
	want := []string{
		"message: I look. ", "tool: read, src/main.go, completed, 2 lines", "tool: search, TODO, completed, 0 matches",
		"tool: read, git diff, failed, This is no repository.", "message: There.",
	}
	got := w.transcriptLines()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("(-want +got):\n", diff)
	}
	if turn.State != backend.TurnDone || work.Message != "There." {
		t.Errorf("ended as %+v, %+v", turn, work)
	}
	if diff := cmp.Diff(backend.Usage{Input: 30, Output: 3, CacheRead: 4}, turnCost(turn)); diff != "" {
		t.Error("usage (-want +got):\n", diff)
	}
	if diff := cmp.Diff([]llm.Message{
		{Role: llm.RoleUser, Text: "Look"},
		{Role: llm.RoleAssistant, Text: "I look. ", Reasoning: "Hm.", Calls: []llm.Call{
			{ID: "a", Name: "read_file", Arguments: `{"path":"src/main.go"}`}, {ID: "b", Name: "grep", Arguments: `{"pattern":"TODO"}`}, {ID: "c", Name: "git_diff"},
		}},
		{Role: llm.RoleTool, CallID: "a", Text: "package main\nfunc main() {}\n"},
		{Role: llm.RoleTool, CallID: "b", Text: "Nothing matches."},
		{Role: llm.RoleTool, CallID: "c", Text: "This is no repository.\nMore."},
	}, w.request(1).Messages[1:]); diff != "" {
		t.Error("the second request (-want +got):\n", diff)
	}
	bodies := map[string]int{}
	for _, c := range w.contents {
		if c.ChatID != "chat" || c.Type != backend.ContentText || int64(len(c.Body)) != c.Size || c.ItemID == "" {
			t.Errorf("a content is %+v", c)
		}
		bodies[string(c.Body)] = c.Lines
	}
	if diff := cmp.Diff(map[string]int{"package main\nfunc main() {}\n": 2, "Nothing matches.": 1, "This is no repository.\nMore.": 2}, bodies); diff != "" {
		t.Error("contents (-want +got):\n", diff)
	}
}

func delegateCall(id, session string) llm.Call {
	return llm.Call{ID: id, Name: "copilot_agent", Arguments: fmt.Sprintf(`{"prompt":"do it","session_name":%q}`, session)}
}

func TestMainAI_TwoSessionsRunInParallel(t *testing.T) {
	w := newOrchestratorEnv(t, replyCalls(delegateCall("a", "one"), delegateCall("b", "two")), replyText("Done."))
	both := make(chan struct{})
	var begun atomic.Int32
	w.tools["copilot_agent"] = func(_ context.Context, c assistant.ToolCall) assistant.ToolResult {
		c.Started()
		if begun.Add(1) == 2 {
			close(both)
		}
		<-both // each ends only once both have started
		return assistant.ToolResult{Text: "done"}
	}
	w.prompt(t.Context(), "Do both")
	if diff := cmp.Diff([]string{"message: Done."}, w.transcriptLines()); diff != "" {
		t.Error("work has a block of its own and no row (-want +got):\n", diff)
	}
}

// TestMainAI_CallsStartInModelOrder checks that calls start in the order in which the model made them, even though they
// run in parallel.
func TestMainAI_CallsStartInModelOrder(t *testing.T) {
	const n = 12
	var calls []llm.Call
	var want []string
	for i := range n {
		c := delegateCall(fmt.Sprint(i), fmt.Sprint("session ", i))
		if i%3 == 1 {
			c = llm.Call{ID: fmt.Sprint(i), Name: "glob", Arguments: fmt.Sprintf(`{"pattern":"%d"}`, i)}
		}
		calls, want = append(calls, c), append(want, c.ID)
	}
	w := newOrchestratorEnv(t, replyCalls(calls...), replyText("Done."))
	var order []string
	all := make(chan struct{})
	w.tools["copilot_agent"] = func(_ context.Context, c assistant.ToolCall) assistant.ToolResult {
		w.mu.Lock()
		order = append(order, w.callRows()...)
		order = append(order, c.ID)
		if c.ID == fmt.Sprint(n-1) {
			close(all)
		}
		w.mu.Unlock()
		if c.ID == "5" {
			return assistant.ToolResult{IsError: true, Text: "That name is taken."} // it has no block
		}
		c.Started()
		<-all
		return assistant.ToolResult{Text: "done"}
	}
	w.tools["glob"] = func(context.Context, assistant.ToolCall) assistant.ToolResult {
		<-all
		return assistant.ToolResult{Text: "fine"}
	}
	w.prompt(t.Context(), "Do it")
	seen := map[string]bool{}
	order = slices.DeleteFunc(order, func(id string) bool { was := seen[id]; seen[id] = true; return was })
	if diff := cmp.Diff(want, order); diff != "" {
		t.Error("(-want +got):\n", diff)
	}
}

// callRows returns the IDs of the calls that have a row in the transcript. The caller must hold w.mu.
func (w *orchestratorEnv) callRows() (ids []string) {
	for _, it := range w.items {
		if it.Tool != nil {
			ids = append(ids, it.Tool.CallID)
		}
	}
	return ids
}

func TestMainAI_OneSessionRunsInOrder(t *testing.T) {
	w := newOrchestratorEnv(t, replyCalls(delegateCall("a", "one"), delegateCall("b", "one"), delegateCall("c", " One "), delegateCall("d", "one")), replyText("Done."))
	var order []string
	w.tools["copilot_agent"] = func(_ context.Context, c assistant.ToolCall) assistant.ToolResult {
		order = append(order, c.ID)
		return assistant.ToolResult{Text: "done " + c.ID}
	}
	w.prompt(t.Context(), "Do it")
	if diff := cmp.Diff([]string{"a", "b", "c", "d"}, order); diff != "" {
		t.Error("(-want +got):\n", diff)
	}
}

func TestMainAI_ToolErrorsReachModel(t *testing.T) {
	w := newOrchestratorEnv(t, replyCalls(
		llm.Call{ID: "a", Name: "read_file", Arguments: `{"path":`}, llm.Call{ID: "b", Name: "read_file", Arguments: `{}`},
		llm.Call{ID: "c", Name: "copilot_agent", Arguments: `{"session_name":`},
	), replyText("Sorry."))
	w.tools["read_file"] = func(context.Context, assistant.ToolCall) assistant.ToolResult { panic("inside") }
	turn, _ := w.prompt(t.Context(), "Read")
	if turn.State != backend.TurnDone {
		t.Errorf("ended as %+v", turn)
	}
	results := w.request(1).Messages[3:]
	for i, want := range []string{"aren't valid JSON", "internal error", "aren't valid JSON"} {
		if !strings.Contains(results[i].Text, want) {
			t.Errorf("result %d is %q, want %q", i, results[i].Text, want)
		}
	}
}

func TestMainAI_ExcessCallsNotRun(t *testing.T) {
	var many []llm.Call
	for i := range 40 {
		many = append(many, llm.Call{ID: fmt.Sprint(i), Name: "glob"})
	}
	w := newOrchestratorEnv(t, replyCalls(many...), replyText("Hm."))
	var ran atomic.Int32
	w.tools["glob"] = func(context.Context, assistant.ToolCall) assistant.ToolResult {
		ran.Add(1)
		return assistant.ToolResult{Text: "fine"}
	}
	w.prompt(t.Context(), "Look")
	results := w.request(1).Messages[3:]
	if len(results) != 40 || results[31].Text != "fine" || !strings.Contains(results[39].Text, "wasn't run") || ran.Load() != 32 {
		t.Errorf("%d ran, results %+v", ran.Load(), results)
	}
}

func TestMainAI_EndlessModelStopped(t *testing.T) {
	var replies []reply
	for range assistant.MaxRounds {
		replies = append(replies, replyCalls(llm.Call{ID: "a", Name: "glob"}))
	}
	w := newOrchestratorEnv(t, replies...)
	w.tools["glob"] = func(context.Context, assistant.ToolCall) assistant.ToolResult {
		return assistant.ToolResult{Text: "fine"}
	}
	turn, _ := w.prompt(t.Context(), "Look")
	if turn.State != backend.TurnStopped || turn.StopReason != "max_turn_requests" || !strings.Contains(turn.Error.Message.String(), "Ask it to continue.") {
		t.Errorf("ended as %+v, %+v", turn, turn.Error)
	}
	if shown := w.transcriptLines(); shown[len(shown)-1] != "banner: agent_limit, max_turn_requests" {
		t.Errorf("shown %q", shown)
	}
}

func TestMainAI_IncompleteAnswerReported(t *testing.T) {
	for finish, want := range map[string]backend.Turn{
		"length":         {State: backend.TurnStopped, StopReason: "max_tokens", Error: &backend.Error{Code: backend.CodeLimit}},
		"content_filter": {State: backend.TurnFailed, StopReason: "refusal", Error: &backend.Error{Code: backend.CodeRefused}},
		"":               {State: backend.TurnDone, StopReason: "end_turn"},
	} {
		w := newOrchestratorEnv(t, func(_ context.Context, _ llm.Request, say func(text, reasoning string)) (llm.Answer, *llm.Failure) {
			say("Well,", "")
			return llm.Answer{Text: "Well,", Finish: finish}, nil
		})
		turn, _ := w.prompt(t.Context(), "Hi")
		if turn.State != want.State || turn.StopReason != want.StopReason || (turn.Error == nil) != (want.Error == nil) || want.Error != nil && turn.Error.Code != want.Error.Code {
			t.Errorf("%q ended as %+v, %+v", finish, turn, turn.Error)
		}
	}
}

func TestMainAI_SendsOnlyDurableMessages(t *testing.T) {
	for name, change := range map[string]func(*assistant.OrchestratorConfig){
		"the database cannot be written": func(c *assistant.OrchestratorConfig) {
			c.Commit = func(context.Context, ...backend.Event) error { return errTest }
		},
		"the past cannot be read": func(c *assistant.OrchestratorConfig) {
			c.History = func(context.Context, string, string) ([]assistant.Exchange, error) { return nil, errTest }
		},
		"the folder is not known": func(c *assistant.OrchestratorConfig) {
			c.Folder = func(string) (string, error) { return "", errTest }
		},
		"the model is not known": func(c *assistant.OrchestratorConfig) {
			c.Provider = func(context.Context, string) (backend.Provider, string, error) {
				return backend.Provider{}, "", &backend.Error{Code: backend.CodeNotFound, Message: backend.Plain("Choose another model.")}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newOrchestratorEnv(t)
			change(&w.cfg)
			turn, _ := w.prompt(t.Context(), "Hi")
			if turn.State != backend.TurnFailed || turn.Error.Message.IsZero() || len(w.transcriptLines()) > 0 {
				t.Errorf("ended as %+v, shown %q", turn, w.transcriptLines())
			}
		})
	}
}
