package assistant_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/assistant"
	"github.com/voxpilot/voxpilot/backend/llm"
)

// reply is a scripted response from the model to one request.
type reply func(ctx context.Context, req llm.Request, say func(text, reasoning string)) (llm.Answer, *llm.Failure)

// orchestratorEnv is an app around an Orchestrator with a scripted model. The test fails if a request has no reply or
// if a reply isn't used.
type orchestratorEnv struct {
	t            *testing.T
	cfg          assistant.OrchestratorConfig
	orchestrator *assistant.Orchestrator // of the turn
	tools        map[string]func(ctx context.Context, call assistant.ToolCall) assistant.ToolResult

	attachments []backend.Attachment // of the message
	others      map[string]backend.Provider
	handover    string // recap of the chat that this one continues

	mu         sync.Mutex
	replies    []reply
	requests   []llm.Request
	markedSent bool // SentAt of the turn is durable
	items      []backend.Item
	texts      map[string]string
	contents   []backend.Content
}

func newOrchestratorEnv(t *testing.T, replies ...reply) *orchestratorEnv {
	w := &orchestratorEnv{t: t, replies: replies, texts: map[string]string{}, tools: map[string]func(context.Context, assistant.ToolCall) assistant.ToolResult{}}
	w.cfg = assistant.OrchestratorConfig{
		Stream: w.stream, Run: w.run, Publish: w.publish, Log: slog.New(slog.DiscardHandler),
		Commit:   func(_ context.Context, events ...backend.Event) error { w.publish(events...); return nil },
		RecapFor: func(context.Context, string) (string, error) { return w.handover, nil },
		History:  func(context.Context, string, string) ([]assistant.Exchange, error) { return nil, nil },
		Provider: func(_ context.Context, id string) (backend.Provider, string, error) {
			if other, known := w.others[id]; known {
				return other, "another key", nil
			}
			if id != "main" { // the turn's orchestrator counts, not the chat's current one
				t.Errorf("the main AI %q is asked", id)
			}
			return backend.Provider{Name: "Test AI", Model: "m-1", Context: 100_000}, "key", nil
		},
		Folder:       func(string) (string, error) { return "/home/me/app", nil },
		Instructions: func(string) string { return "" },
	}
	return w
}

// prompt runs a turn to its end and checks the invariants that hold for every turn.
func (w *orchestratorEnv) prompt(ctx context.Context, text string) (backend.Turn, backend.TurnSummary) {
	w.t.Helper()
	w.orchestrator = assistant.NewOrchestrator(w.cfg)
	turn, work := w.orchestrator.Prompt(ctx, backend.Turn{ID: "turn", ChatID: "chat", Session: backend.SessionMain, OrchestratorID: "main", State: backend.TurnRunning}, text, w.attachments)
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.replies) > 0 {
		w.t.Errorf("%d replies were not asked for", len(w.replies))
	}
	for _, it := range w.items {
		if it.Open || it.EndedAt == 0 {
			w.t.Errorf("an item of the kind %s is open when the turn has ended", it.Kind)
		}
		if it.TurnID != "turn" || it.ChatID != "chat" || it.Session != backend.SessionMain || it.ParentID != "" {
			w.t.Errorf("an item is not of the turn: %+v", it)
		}
	}
	if turn.State == backend.TurnRunning || turn.ID != "turn" {
		w.t.Errorf("the turn ended as %+v", turn)
	}
	if (turn.State == backend.TurnFailed) != (turn.Error != nil && turn.Error.Code != backend.CodeLimit) {
		w.t.Errorf("the turn is %s, its error %+v", turn.State, turn.Error)
	}
	if (turn.SentAt > 0) != w.markedSent || len(w.requests) > 0 && !w.markedSent {
		w.t.Errorf("sent at %d, durable %v, after %d requests", turn.SentAt, w.markedSent, len(w.requests))
	}
	return turn, work
}

func (w *orchestratorEnv) stream(ctx context.Context, req llm.Request, say func(text, reasoning string)) (llm.Answer, *llm.Failure) {
	w.mu.Lock()
	if !w.markedSent {
		w.t.Error("the model is asked before that is durable")
	}
	w.requests = append(w.requests, req)
	if len(w.replies) == 0 {
		w.mu.Unlock()
		w.t.Errorf("request %d is not expected", len(w.requests))
		return llm.Answer{}, failure(llm.KindOther, "not expected")
	}
	next := w.replies[0]
	w.replies = w.replies[1:]
	w.mu.Unlock()
	return next(ctx, req, say)
}

func (w *orchestratorEnv) run(ctx context.Context, call assistant.ToolCall) assistant.ToolResult {
	if call.ChatID != "chat" || call.TurnID != "turn" {
		w.t.Errorf("a call is not of the turn: %+v", call)
	}
	if tool := w.tools[call.Name]; tool != nil {
		return tool(ctx, call)
	}
	w.t.Errorf("not expected: %s %s", call.Name, call.Arguments)
	return assistant.ToolResult{IsError: true}
}

func (w *orchestratorEnv) publish(events ...backend.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range events {
		switch {
		case e.Turn != nil:
			w.markedSent = e.Turn.SentAt > 0
		case e.Item != nil:
			at := -1
			for i := range w.items {
				if w.items[i].ID == e.Item.ID {
					at = i
				}
			}
			if at < 0 {
				w.items = append(w.items, *e.Item)
			} else {
				w.items[at] = *e.Item
			}
		case e.Text != nil:
			known, ok := w.texts[e.Text.ItemID], e.Text.Text != ""
			if int64(len(known)) != e.Text.Offset || int64(len(known)+len(e.Text.Text)) != e.Text.Size || !ok {
				w.t.Errorf("a piece of text does not follow %d bytes: %+v", len(known), e.Text)
			}
			w.texts[e.Text.ItemID] = known + e.Text.Text
		case e.Content != nil:
			w.contents = append(w.contents, *e.Content)
		default:
			w.t.Errorf("not expected: %+v", e)
		}
	}
}

// turnCost returns a turn's usage with ContextUsed and ContextSize set to 0.
func turnCost(turn backend.Turn) backend.Usage {
	u := *turn.Usage
	u.ContextUsed, u.ContextSize = 0, 0
	return u
}

// transcriptLines returns the transcript of the turn, one line per item.
func (w *orchestratorEnv) transcriptLines() (lines []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, it := range w.items {
		line := string(it.Kind)
		switch {
		case it.Tool != nil:
			line += fmt.Sprintf(": %s, %s, %s, %s", it.Tool.Kind, it.Tool.Title, it.Tool.Status, it.Tool.ResultSummary)
		case it.Banner != nil:
			line += fmt.Sprintf(": %s, %s", it.Banner.Kind, it.Banner.Detail)
		default:
			line += ": " + w.texts[it.ID]
		}
		lines = append(lines, line)
	}
	return lines
}

// openItem returns the open item of the given kind and reports whether there is one.
func (w *orchestratorEnv) openItem(kind backend.ItemKind) (backend.Item, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, it := range w.items {
		if it.Kind == kind && it.Open {
			return it, true
		}
	}
	return backend.Item{}, false
}

// request returns the request with index n.
func (w *orchestratorEnv) request(n int) llm.Request {
	w.mu.Lock()
	defer w.mu.Unlock()
	if n >= len(w.requests) {
		w.t.Fatalf("there are only %d requests", len(w.requests))
	}
	return w.requests[n]
}

// replyText returns a reply that streams the given pieces of text.
func replyText(pieces ...string) reply {
	return func(_ context.Context, _ llm.Request, say func(text, reasoning string)) (llm.Answer, *llm.Failure) {
		for _, piece := range pieces {
			say(piece, "")
		}
		return llm.Answer{Text: strings.Join(pieces, ""), Finish: "stop"}, nil
	}
}

// replyCalls returns a reply with tool calls.
func replyCalls(calls ...llm.Call) reply {
	return func(context.Context, llm.Request, func(text, reasoning string)) (llm.Answer, *llm.Failure) {
		return llm.Answer{Calls: calls, Finish: "tool_calls"}, nil
	}
}

// replyFailure returns a reply that streams the given pieces of text and then fails with f.
func replyFailure(f *llm.Failure, pieces ...string) reply {
	return func(_ context.Context, _ llm.Request, say func(text, reasoning string)) (llm.Answer, *llm.Failure) {
		for _, piece := range pieces {
			say(piece, "")
		}
		return llm.Answer{Text: strings.Join(pieces, "")}, f
	}
}

func failure(kind llm.FailureKind, message string) *llm.Failure {
	return &llm.Failure{Kind: kind, Err: &backend.Error{Code: backend.CodeModel, Message: backend.Plain(message)}}
}

// replyBlocking returns a reply that streams the given pieces of text, then closes the given channel, and then blocks
// until the request is canceled.
func replyBlocking(began chan<- struct{}, pieces ...string) reply {
	return func(ctx context.Context, _ llm.Request, say func(text, reasoning string)) (llm.Answer, *llm.Failure) {
		for _, piece := range pieces {
			say(piece, "")
		}
		close(began)
		<-ctx.Done()
		return llm.Answer{}, failure(llm.KindEnded, "ended")
	}
}

var errTest = errors.New("a failure of the test")
