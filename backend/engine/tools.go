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
	"github.com/voxpilot/voxpilot/backend/tools"
)

// answers is who answers a message: the session main of the chat's agent, or a
// main AI. Either has the same tools, one of which gives work to named sessions.
type answers struct {
	e      *Engine
	models *llm.Client
	main   *assistant.Main
	mcp    *mcp.Server // hands the tools to the session main of agents; nil where it cannot listen
}

// newAnswers wires the tools to those that use them.
func newAnswers(e *Engine) *answers {
	a := &answers{e: e, models: llm.NewClient()}
	folder := func(chatID string) (string, error) {
		chat, err := e.Chats.Get(chatID)
		return chat.Folder, err
	}
	box := tools.New(tools.Config{
		Folder: folder,
		Delegate: func(ctx context.Context, call tools.Call, session, prompt string) (backend.Block, error) {
			if call.TurnID == "" { // of an agent whose turn has ended: it is not the user's own hand
				return backend.Block{}, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("No message is being answered, so the task wasn't started.")}
			}
			return e.Chats.Delegate(ctx, assistant.Delegation{
				ChatID: call.ChatID, TurnID: call.TurnID, ToolCallID: cmp.Or(call.ID, backend.NewID()), // an agent does not tell its own
				SessionName: session, Prompt: prompt, Progress: call.Progress, Begun: call.Begun,
			})
		},
		Refused:   e.workRefused,
		Ask:       measured(e.Permissions.Ask),
		LoginPath: func() string { return e.LoginPath() },
		Log:       e.Log,
	})
	var offered []llm.Tool
	for _, t := range box.List() {
		offered = append(offered, llm.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema})
	}
	a.main = assistant.NewMain(assistant.MainConfig{
		Stream: a.models.Stream, Tools: offered,
		Run: func(ctx context.Context, call assistant.ToolCall) assistant.ToolResult {
			var waited backend.Millis
			r := box.Run(context.WithValue(ctx, waitedKey{}, &waited), tools.Call{
				ChatID: call.ChatID, TurnID: call.TurnID, ID: call.ID, Name: call.Name,
				Arguments: call.Arguments, Begun: call.Begun,
			})
			return assistant.ToolResult{Text: r.Text, IsError: r.IsError, Fact: r.Fact, Kind: r.Kind, Path: r.Path, Waited: waited}
		},
		Past: a.past,
		Told: func(ctx context.Context, chatID string) (string, error) {
			told, _, err := e.Store.Continued(ctx, chatID)
			return told, err
		},
		Image: func(ctx context.Context, id string) (image llm.Image, err error) {
			image.Mime, image.Data, err = e.image(ctx, id)
			return image, err
		},
		Provider: e.Setup.ProviderWithKey,
		Folder:   folder, Instructions: tools.Instructions,
		Publish: e.Feed.Publish, Commit: e.Feed.Commit, Log: e.Log,
	})
	var err error
	a.mcp, err = mcp.New(mcp.Config{Version: e.Config.Build.Version, List: box.List, Run: box.Run, Turn: func(chatID string) string { return e.Chats.Turn(chatID) }, Log: e.Log})
	if err != nil {
		e.Log.Error("agents cannot be given VoxPilot's tools: Copilot answers without them", "err", err)
	}
	return a
}

// workRefused makes a row of a call for work that was not begun: without one, no
// trace of it would be in the transcript.
func (e *Engine) workRefused(call tools.Call, session string, reason backend.Message) {
	now := backend.Now()
	if fact, _, more := strings.Cut(reason.String(), "\n"); more {
		reason = backend.Plain(fact)
	}
	title := "Delegate to session " + session
	if session == "" {
		title = "Delegate to a session"
	}
	e.Feed.Publish(backend.Event{Item: &backend.Item{
		ID: backend.NewID(), ChatID: call.ChatID, TurnID: call.TurnID, Session: backend.SessionMain, Kind: backend.ItemTool,
		CreatedAt: now, EndedAt: now,
		Tool: &backend.Tool{CallID: cmp.Or(call.ID, backend.NewID()), Title: title, Kind: backend.ToolOther, Status: backend.ToolFailed, Fact: reason},
	}})
}

// waitedKey is the key of how long a call of a tool has waited for the user, in
// its context.
type waitedKey struct{}

// measured is ask, which adds how long it waited to what its context has for
// that. The requests of one call come one after another.
func measured(ask func(context.Context, backend.Permission) (backend.Permission, bool)) func(context.Context, backend.Permission) (backend.Permission, bool) {
	return func(ctx context.Context, p backend.Permission) (backend.Permission, bool) {
		if waited, is := ctx.Value(waitedKey{}).(*backend.Millis); is {
			began := backend.Now()
			defer func() { *waited += backend.Now() - began }()
		}
		return ask(ctx, p)
	}
}

// prompt carries a turn out (assistant.Config.Prompt).
func (a *answers) prompt(ctx context.Context, turn backend.Turn, text string, with []backend.Attachment) (backend.Turn, backend.Work) {
	minutes := a.e.Setup.Settings().StopAfterMinutes
	tell, allowed := a.e.stops(turn, minutes), minutes
	limited, end := a.e.limits.Begin(ctx, turn.ChatID, turn.ID, time.Duration(minutes)*a.e.minute, a.e.warning, func(now limit.Telling, stops time.Time) {
		if now == limit.Extended {
			allowed += minutes
		}
		tell(now, stops)
	})
	defer end()
	var work backend.Work
	if turn.MainID != "" {
		turn, work = a.main.Prompt(limited, turn, text, with)
	} else {
		turn, work = a.e.Agents.prompt(limited, turn, text, with)
	}
	if turn.State == backend.TurnStopped && errors.Is(context.Cause(limited), limit.ErrTooLong) {
		turn = a.e.tooLong(turn, allowed)
	}
	return turn, work
}

// servers are what the session main of a chat's agent is given
// (agent.Config.Servers).
func (a *answers) servers(chatID string) []session.MCPServer {
	if a.mcp == nil {
		return nil
	}
	url, token := a.mcp.Grant(chatID)
	if url == "" {
		return nil
	}
	a.e.redact(token)
	return []session.MCPServer{{Name: mcp.Name, URL: url, Headers: map[string]string{"Authorization": "Bearer " + token}}}
}

// forget ends what a chat that was deleted was given.
func (a *answers) forget(chatID string) {
	if a.mcp != nil {
		a.mcp.Revoke(chatID)
	}
}

func (a *answers) close() {
	if a.mcp != nil {
		a.mcp.Close()
	}
	a.models.Close()
}

// past is what was said in a chat before a turn (assistant.MainConfig.Past).
func (a *answers) past(ctx context.Context, chatID, turnID string) ([]assistant.Exchange, error) {
	told, err := a.e.Store.Conversation(ctx, chatID, turnID)
	past := make([]assistant.Exchange, len(told))
	for i, t := range told {
		past[i] = assistant.Exchange(t)
	}
	return past, err
}
