package engine

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/session"
	"github.com/voxpilot/voxpilot/backend/assistant"
	"github.com/voxpilot/voxpilot/backend/limit"
	"github.com/voxpilot/voxpilot/backend/llm"
	"github.com/voxpilot/voxpilot/backend/mcp"
	"github.com/voxpilot/voxpilot/backend/question"
	"github.com/voxpilot/voxpilot/backend/tools"
)

// turnRouter passes each message either to the main session of the chat's agent or to the orchestrator. Both can use
// the same tools. One of the tools delegates tasks to named sessions.
type turnRouter struct {
	e            *Engine
	models       *llm.Client
	orchestrator *assistant.Orchestrator
	mcp          *mcp.Server // serves the tools to agents' main sessions; nil if it can't listen
}

// newTurnRouter creates the tools and makes them available to the orchestrator and,
// through an MCP server, to agents.
func newTurnRouter(e *Engine) *turnRouter {
	a := &turnRouter{e: e, models: llm.NewClient()}
	folder := func(chatID string) (string, error) {
		chat, err := e.Chats.Get(chatID)
		return chat.Folder, err
	}
	box := tools.New(tools.Config{
		Folder: folder,
		Delegate: func(ctx context.Context, call tools.Call, session, prompt string) (backend.Block, error) {
			if call.TurnID == "" { // the agent made the call after its turn had ended
				return backend.Block{}, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The task wasn't started because no answer is in progress.")}
			}
			return e.Chats.Delegate(ctx, assistant.Delegation{
				ChatID: call.ChatID, TurnID: call.TurnID, ToolCallID: cmp.Or(call.ID, backend.NewID()), // agents don't report the ID of their call
				SessionName: session, Prompt: prompt, Progress: call.Progress, Started: call.Started,
			})
		},
		OnRejected: e.reportRejectedTask,
		Ask:        measureWait(e.Permissions.Ask),
		AskUser: func(ctx context.Context, call tools.Call, q backend.Question) (backend.Question, int) {
			q, minutes := e.Questions.Ask(ctx, askerOf(call), q)
			e.startPlan(ctx, call, q)
			return q, minutes
		},
		OnRefused: func(call tools.Call, kind backend.ToolKind, text string, reason backend.Message) {
			e.Questions.Refuse(askerOf(call), kind, text, reason)
		},
		LoginPath: func() string { return e.LoginPath() },
		Log:       e.Log,
	})
	var offered []llm.Tool
	for _, t := range box.List() {
		offered = append(offered, llm.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema})
	}
	a.orchestrator = assistant.NewOrchestrator(assistant.OrchestratorConfig{
		Stream: a.models.Stream, Tools: offered,
		Run: func(ctx context.Context, call assistant.ToolCall) assistant.ToolResult {
			var waited backend.Millis
			r := box.Run(context.WithValue(ctx, waitTimeKey{}, &waited), tools.Call{
				ChatID: call.ChatID, TurnID: call.TurnID, ID: call.ID, Name: call.Name,
				Arguments: call.Arguments, Started: call.Started,
			})
			return assistant.ToolResult{Text: r.Text, IsError: r.IsError, Summary: r.Summary, Kind: r.Kind, Path: r.Path, Waited: waited}
		},
		History: a.history,
		RecapFor: func(ctx context.Context, chatID string) (string, error) {
			told, _, err := e.Store.RecapOf(ctx, chatID)
			return told, err
		},
		Image: func(ctx context.Context, id string) (image llm.Image, err error) {
			image.Mime, image.Data, err = e.image(ctx, id)
			return image, err
		},
		Provider: e.Setup.ProviderWithKey,
		Folder:   folder, Instructions: tools.Instructions,
		Publish: e.Bus.Publish, Commit: e.Undo.Commit, Log: e.Log,
	})
	var err error
	a.mcp, err = mcp.New(mcp.Config{Version: e.Config.Build.Version, List: box.List, Run: box.Run, Turn: func(chatID string) string { return e.Chats.Turn(chatID) }, Log: e.Log})
	if err != nil {
		e.Log.Error("couldn't start the tool server; agents run without VoxPilot's tools", "err", err)
	}
	return a
}

// askerOf identifies the model that called the tool ask_user or present_plan.
func askerOf(call tools.Call) question.Asker {
	return question.Asker{ChatID: call.ChatID, TurnID: call.TurnID, Session: backend.SessionMain, CallID: call.ID}
}

// reportRejectedTask adds a transcript item for a delegated task that wasn't started. Without it, the transcript
// wouldn't show that the task was requested.
func (e *Engine) reportRejectedTask(call tools.Call, session string, reason backend.Message) {
	now := backend.Now()
	if fact, _, more := strings.Cut(reason.String(), "\n"); more {
		reason = backend.Plain(fact)
	}
	title := "Delegate to session " + session
	if session == "" {
		title = "Delegate to a session"
	}
	e.Bus.Publish(backend.Event{Item: &backend.Item{
		ID: backend.NewID(), ChatID: call.ChatID, TurnID: call.TurnID, Session: backend.SessionMain, Kind: backend.ItemTool,
		CreatedAt: now, EndedAt: now,
		Tool: &backend.Tool{CallID: cmp.Or(call.ID, backend.NewID()), Title: title, Kind: backend.ToolOther, Status: backend.ToolFailed, ResultSummary: reason},
	}})
}

// waitTimeKey is the context key of the total time for which a tool call has waited for the user.
type waitTimeKey struct{}

// measureWait returns a function that calls ask and adds the duration of the call to the value that the context holds
// under waitTimeKey. A tool call makes its requests one after another, so no lock is needed.
func measureWait(ask func(context.Context, backend.Permission) (backend.Permission, bool)) func(context.Context, backend.Permission) (backend.Permission, bool) {
	return func(ctx context.Context, p backend.Permission) (backend.Permission, bool) {
		if waited, is := ctx.Value(waitTimeKey{}).(*backend.Millis); is {
			began := backend.Now()
			defer func() { *waited += backend.Now() - began }()
		}
		return ask(ctx, p)
	}
}

// prompt runs a turn with the orchestrator or the chat's agent, within the time limit in the settings, and
// records it for undo (assistant.Config.Prompt).
func (r *turnRouter) prompt(ctx context.Context, turn backend.Turn, text string, with []backend.Attachment) (backend.Turn, backend.TurnSummary) {
	minutes := r.e.Setup.Settings().StopAfterMinutes
	tell, allowed := r.e.limitNotices(turn, minutes), minutes
	limited, end := r.e.limits.Begin(ctx, turn.ChatID, turn.ID, time.Duration(minutes)*r.e.minute, r.e.warning, func(now limit.Notice, stops time.Time) {
		if now == limit.Extended {
			allowed += minutes
		}
		tell(now, stops)
	})
	defer end()
	recording, text := r.e.Undo.Begin(limited, turn, text)
	var work backend.TurnSummary
	if turn.OrchestratorID != "" {
		turn, work = r.orchestrator.Prompt(limited, turn, text, with)
	} else {
		turn, work = r.e.Agents.prompt(limited, turn, text, with)
	}
	r.e.Questions.CloseTurn(turn.ID) // an agent might not cancel its call
	r.e.endPlan(turn.ID)
	recording.End(turn)
	if turn.State == backend.TurnStopped && errors.Is(context.Cause(limited), limit.ErrTooLong) {
		turn = r.e.stoppedByLimit(turn, allowed)
	}
	return turn, work
}

// servers returns the MCP servers for the main session of a chat's agent (agent.Config.Servers).
func (r *turnRouter) servers(chatID string) []session.MCPServer {
	if r.mcp == nil {
		return nil
	}
	url, token := r.mcp.Grant(chatID)
	if url == "" {
		return nil
	}
	r.e.redact(token)
	return []session.MCPServer{{Name: mcp.Name, URL: url, Headers: map[string]string{"Authorization": "Bearer " + token}}}
}

// forget revokes the access that the agent of a deleted chat has to the MCP servers.
func (r *turnRouter) forget(chatID string) {
	if r.mcp != nil {
		r.mcp.Revoke(chatID)
	}
}

func (r *turnRouter) close() {
	if r.mcp != nil {
		r.mcp.Close()
	}
	r.models.Close()
}

// history returns a chat's conversation before the given turn (assistant.OrchestratorConfig.History).
func (r *turnRouter) history(ctx context.Context, chatID, turnID string) ([]assistant.Exchange, error) {
	told, err := r.e.Store.Conversation(ctx, chatID, turnID)
	past := make([]assistant.Exchange, len(told))
	for i, t := range told {
		past[i] = assistant.Exchange(t)
	}
	return past, err
}
