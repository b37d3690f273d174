package assistant

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/llm"
)

// MainConfig is what Main needs of the rest of the app.
type MainConfig struct {
	// Stream asks the model (llm.Client.Stream).
	Stream func(ctx context.Context, req llm.Request, on func(text, reasoning string)) (llm.Answer, *llm.Failure)
	// Tools are what the model may call, and Run carries a call out. What goes
	// wrong with it is in the result, for the model to read. When ctx ends, Run
	// stops the work and returns soon.
	Tools []llm.Tool
	Run   func(ctx context.Context, call ToolCall) ToolResult
	// Past is what came in the chat before a turn, oldest first, whoever
	// answered it.
	Past func(ctx context.Context, chatID, turnID string) ([]Exchange, error)
	// Provider is the main AI of the chat and its key. An error of it is for a
	// person.
	Provider func(ctx context.Context, chatID string) (p backend.Provider, key string, err error)
	// Folder is the chat's folder, and Instructions what the folder itself says
	// to an AI (AGENTS.md); "" is nothing.
	Folder       func(chatID string) (string, error)
	Instructions func(folder string) string
	// Publish queues events; it never blocks. Commit returns when they are
	// durable, or with the reason why not.
	Publish func(events ...backend.Event)
	Commit  func(ctx context.Context, events ...backend.Event) error
	Log     *slog.Logger
}

// ToolCall is a call of a tool by a main AI.
type ToolCall struct {
	ChatID, TurnID, ID, Name string
	Arguments                json.RawMessage
	Progress                 func(text string) // nil: nobody looks
}

// ToolResult is what came of it.
type ToolResult struct {
	Text    string // for the model
	IsError bool
	// For the call's row: what came out, in a few words, and, where the call
	// itself does not say so, of what kind it was and the file it was about.
	Fact string
	Kind backend.ToolKind
	Path string // absolute
}

// Exchange is a turn of the past.
type Exchange struct {
	Prompt string
	Answer string // all messages of the answer
	State  backend.TurnState
	Blocks []backend.Block // the work that was given to sessions
}

// Main answers messages with a model of the user's own: the main AI. It runs
// the tools that the model asks for until the model has answered.
type Main struct {
	cfg MainConfig
}

// NewMain makes the Main of an app.
func NewMain(cfg MainConfig) *Main { return &Main{cfg: cfg} }

// Prompt carries a turn out and returns it as it ended, with what it came to.
// All events of it but its end were published by then. That the message goes
// out is durable before it does (Turn.SentAt). When ctx ends, the turn is
// stopped, with all that it has begun.
func (m *Main) Prompt(ctx context.Context, turn backend.Turn, text string) (backend.Turn, backend.Work) {
	turn.State = backend.TurnFailed
	return turn, backend.Work{}
}
