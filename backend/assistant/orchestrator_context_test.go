package assistant_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/assistant"
	"github.com/voxpilot/voxpilot/backend/llm"
)

// sizeOf returns the total size in bytes of the texts and the call arguments in a request.
func sizeOf(req llm.Request) (n int) {
	for _, m := range req.Messages {
		n += len(m.Text)
		for _, c := range m.Calls {
			n += len(c.Arguments)
		}
	}
	return n
}

func (w *orchestratorEnv) setHistory(past ...assistant.Exchange) {
	w.cfg.History = func(context.Context, string, string) ([]assistant.Exchange, error) { return past, nil }
}

// setContextSize sets the size of the model's context, in tokens.
func (w *orchestratorEnv) setContextSize(tokens int64) {
	w.cfg.Provider = func(context.Context, string) (backend.Provider, string, error) {
		return backend.Provider{Name: "Test AI", Model: "m-1", Context: tokens}, "key", nil
	}
}

func TestSystemPrompt_DescribesEnvironment(t *testing.T) {
	w := newOrchestratorEnv(t, replyText("Hi"))
	w.cfg.Instructions = func(folder string) string { return "Use tabs in " + folder + ".\n" }
	w.prompt(t.Context(), "Hi")
	system := w.request(0).Messages[0]
	if system.Role != llm.RoleSystem || strings.ContainsAny(system.Text, "{}") || !strings.HasSuffix(system.Text, "\n\nUse tabs in /home/me/app.") ||
		!strings.Contains(system.Text, "The folder is /home/me/app, on ") || !strings.Contains(system.Text, "copilot_agent") {
		t.Errorf("told %q", system.Text)
	}
}

func TestSystemPrompt_LongInstructionsLeaveRoom(t *testing.T) {
	w := newOrchestratorEnv(t, replyText("Hi"))
	w.setContextSize(8000)
	w.cfg.Instructions = func(string) string { return strings.Repeat("Use tabs. ", 5000) }
	w.prompt(t.Context(), "Hi")
	system := w.request(0).Messages[0].Text
	if n := strings.Count(system, "Use tabs."); n < 100 || n > 600 || !strings.HasSuffix(system, "[Truncated. Read the file for the rest.]") {
		t.Errorf("%d of the instructions are told: …%.200s", n, system[len(system)-200:])
	}
}

func TestHistory_SentUnchanged(t *testing.T) {
	w := newOrchestratorEnv(t, replyText("Hi"))
	w.setHistory(
		assistant.Exchange{Prompt: "Fix it", Answer: "It is fixed.", State: backend.TurnDone, Blocks: []backend.Block{
			{
				SessionName: "auth-bug-fix", Prompt: "Fix the bug", StopReason: "end_turn", Summary: "I fixed it.",
				Files: []backend.FileChange{{Path: "auth.go", Added: 3, Removed: 1}},
			},
			{SessionName: "logger", Prompt: "Look at the logger", StopReason: "cancelled", Error: &backend.Error{Message: backend.Plain("It was stopped.")}},
		}},
		assistant.Exchange{Prompt: "And now?", State: backend.TurnStopped},
		assistant.Exchange{Prompt: "Hello?", Answer: "Hel", State: backend.TurnInterrupted},
	)
	w.prompt(t.Context(), "Well?")
	want := []llm.Message{
		{Role: llm.RoleUser, Text: "Fix it"},
		{Role: llm.RoleAssistant, Calls: []llm.Call{
			{ID: "call_0_0", Name: "copilot_agent", Arguments: `{"prompt":"Fix the bug","session_name":"auth-bug-fix"}`},
			{ID: "call_0_1", Name: "copilot_agent", Arguments: `{"prompt":"Look at the logger","session_name":"logger"}`},
		}},
		{Role: llm.RoleTool, CallID: "call_0_0", Text: "session auth-bug-fix: end_turn\nchanged auth.go +3 −1\nlast message:\nI fixed it."},
		{Role: llm.RoleTool, CallID: "call_0_1", Text: "session logger: cancelled\nerror: It was stopped."},
		{Role: llm.RoleAssistant, Text: "It is fixed."},
		{Role: llm.RoleUser, Text: "And now?"},
		{Role: llm.RoleAssistant, Text: "(This answer was stopped before it was complete.)"},
		{Role: llm.RoleUser, Text: "Hello?"},
		{Role: llm.RoleAssistant, Text: "Hel\n\n(This answer was interrupted before it was complete.)"},
		{Role: llm.RoleUser, Text: "Well?"},
	}
	if diff := cmp.Diff(want, w.request(0).Messages[1:]); diff != "" {
		t.Error("(-want +got):\n", diff)
	}
}

// longHistory returns n earlier turns of about 4,000 bytes each.
func longHistory(n int) (past []assistant.Exchange) {
	for i := range n {
		past = append(past, assistant.Exchange{
			Prompt: fmt.Sprintf("Question %d. %s", i, strings.Repeat("why ", 500)), Answer: fmt.Sprintf("Answer %d. %s", i, strings.Repeat("so ", 660)),
			State: backend.TurnDone,
		})
	}
	return past
}

func TestHistory_OldTurnsShortenedToFit(t *testing.T) {
	w := newOrchestratorEnv(t, replyText("Hi"))
	w.setContextSize(20_000)
	w.setHistory(longHistory(50)...)
	w.prompt(t.Context(), "And now?")
	req := w.request(0)
	if size := sizeOf(req); size > 4*20_000*3/4 || size < 20_000 {
		t.Errorf("%d bytes are sent", size)
	}
	system, last := req.Messages[0].Text, req.Messages[len(req.Messages)-2].Text
	if !strings.Contains(system, "shortened by VoxPilot") || !strings.Contains(system, "- Asked: Question ") || !strings.Contains(system, "Answered: Answer ") {
		t.Errorf("the recap is missing: %.3000s", system)
	}
	if !strings.HasPrefix(last, "Answer 49.") || strings.Contains(system, "Question 49.") {
		t.Error("the newest turn is shortened")
	}
	if assistant.Tokens(system) > 5000 {
		t.Errorf("the recap makes the beginning %d tokens long", assistant.Tokens(system))
	}
}

func TestHistory_ShortOneUnchanged(t *testing.T) {
	w := newOrchestratorEnv(t, replyText("Hi"))
	w.setHistory(longHistory(10)...)
	w.prompt(t.Context(), "And now?")
	if req := w.request(0); len(req.Messages) != 22 || strings.Contains(req.Messages[0].Text, "shortened by VoxPilot") {
		t.Errorf("%d messages are sent", len(req.Messages))
	}
}

func TestHistory_LongResultsShortenedToFit(t *testing.T) {
	read := replyCalls(llm.Call{ID: "a", Name: "read_file", Arguments: `{"path":"x"}`})
	w := newOrchestratorEnv(t, read, read, read, replyText("Hi"))
	w.setContextSize(20_000)
	w.setHistory(longHistory(3)...)
	w.tools["read_file"] = func(context.Context, assistant.ToolCall) assistant.ToolResult {
		return assistant.ToolResult{Text: strings.Repeat("line ☀\n", 40_000)}
	}
	w.prompt(t.Context(), "Read")
	results := func(n int) (texts []string) {
		for _, m := range w.request(n).Messages {
			if m.Role == llm.RoleTool {
				texts = append(texts, m.Text)
			}
		}
		return texts
	}
	if got := results(1); len(got[0]) > 50_000 || !strings.Contains(got[0], "Request less at once") {
		t.Errorf("a result of %d bytes is sent", len(got[0]))
	}
	if got := results(3); len(got) != 3 || !strings.Contains(got[0], "removed to make room") || !strings.HasPrefix(got[2], "line ☀\n") {
		t.Errorf("the results are %.100q", got)
	}
	for i := range 4 {
		if size := sizeOf(w.request(i)); size > 4*20_000*3/4 {
			t.Errorf("request %d has %d bytes", i, size)
		}
	}
	if len(w.contents[0].Body) != len(strings.Repeat("line ☀\n", 40_000)) {
		t.Error("the user does not see the whole result")
	}
}

func TestContext_LearnsTokenRatio(t *testing.T) {
	counts := func(bytesPerToken int, then reply) reply {
		return func(ctx context.Context, req llm.Request, say func(text, reasoning string)) (llm.Answer, *llm.Failure) {
			answer, f := then(ctx, req, say)
			answer.Usage = &backend.Usage{Input: int64(sizeOf(req) / bytesPerToken)}
			return answer, f
		}
	}
	read := replyCalls(llm.Call{ID: "a", Name: "read_file", Arguments: `{"path":"x"}`})
	w := newOrchestratorEnv(t, counts(2, read), counts(2, replyText("Hi")))
	w.setContextSize(20_000)
	w.setHistory(longHistory(12)...) // 12,000 tokens at four bytes each, but 24,000 at two
	w.tools["read_file"] = func(context.Context, assistant.ToolCall) assistant.ToolResult { return assistant.ToolResult{Text: "x"} }
	w.prompt(t.Context(), "Read")
	if before, after := sizeOf(w.request(0)), sizeOf(w.request(1)); before < 45_000 || after > 2*20_000*3/4 {
		t.Errorf("%d bytes are sent, and then %d", before, after)
	}
}

func TestContext_CountsUsage(t *testing.T) {
	used := func(past int, replies ...reply) (used, size int64) {
		t.Helper()
		w := newOrchestratorEnv(t, replies...)
		w.setContextSize(20_000)
		w.setHistory(longHistory(past)...)
		w.tools["read_file"] = func(context.Context, assistant.ToolCall) assistant.ToolResult {
			return assistant.ToolResult{Text: strings.Repeat("line\n", 4000)}
		}
		turn, _ := w.prompt(t.Context(), "And now?")
		return turn.Usage.ContextUsed, turn.Usage.ContextSize
	}
	few, size := used(2, replyText("Hi"))
	more, _ := used(12, replyText("Hi"))
	if perTurn := (more - few) / 10; size != 15_000 || perTurn < 900 || perTurn > 1100 {
		t.Errorf("a turn of the past takes %d tokens of %d", perTurn, size)
	}
	if most, _ := used(50, replyText("Hi")); most < 40_000 {
		t.Errorf("what is shortened is counted as it is sent: %d", most)
	}
	if read, _ := used(2, replyCalls(llm.Call{ID: "a", Name: "read_file", Arguments: `{"path":"x"}`}), replyText("Hi")); read != few {
		t.Errorf("what a tool read is gone with the next message, but counted: %d, without %d", read, few)
	}
}

func TestHandover_ModelReceivesRecap(t *testing.T) {
	w := newOrchestratorEnv(t, replyText("Hi"))
	w.handover = "The user goes on in this new chat."
	w.prompt(t.Context(), "And now?")
	if system := w.request(0).Messages[0]; system.Role != llm.RoleSystem || !strings.HasSuffix(system.Text, "\n\n"+w.handover) {
		t.Errorf("it is told %q", system.Text)
	}
}

func TestHistory_TooLongShortenedOnce(t *testing.T) {
	tooLong := failure(llm.KindContext, "This chat is too long for m-1.")
	w := newOrchestratorEnv(t, replyFailure(tooLong), replyText("Hi"))
	w.setHistory(longHistory(12)...)
	if turn, _ := w.prompt(t.Context(), "Hi"); turn.State != backend.TurnDone {
		t.Errorf("ended as %+v", turn)
	}
	if before, after := sizeOf(w.request(0)), sizeOf(w.request(1)); after > before/2 {
		t.Errorf("%d bytes are sent, and then %d", before, after)
	}
	again := newOrchestratorEnv(t, replyFailure(tooLong), replyFailure(tooLong))
	again.setHistory(longHistory(12)...)
	if turn, _ := again.prompt(t.Context(), "Hi"); turn.State != backend.TurnFailed || turn.Error.Message != tooLong.Err.Message {
		t.Errorf("ended as %+v", turn)
	}
	nothing := newOrchestratorEnv(t, replyFailure(tooLong))
	if turn, _ := nothing.prompt(t.Context(), "Hi"); turn.State != backend.TurnFailed {
		t.Errorf("where there is nothing to shorten it ended as %+v", turn)
	}
}
