package assistant

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/llm"
)

// OrchestratorConfig holds the dependencies of an Orchestrator.
type OrchestratorConfig struct {
	// Stream sends a request to the model (llm.Client.Stream). The callback receives the pieces of the answer and of
	// the reasoning as they arrive.
	Stream func(ctx context.Context, req llm.Request, on func(text, reasoning string)) (llm.Answer, *llm.Failure)
	// Tools are the model's tools, and Run executes a call to one of them. If the call fails, its result tells the
	// model about the error. When ctx ends, Run stops and returns soon.
	Tools []llm.Tool
	Run   func(ctx context.Context, call ToolCall) ToolResult
	// History returns the chat's turns before the given one, oldest first, whichever model or agent
	// answered them.
	History func(ctx context.Context, chatID, turnID string) ([]Exchange, error)
	// RecapFor returns the recap of the earlier chat that the given chat continues, or "" if it continues none.
	RecapFor func(ctx context.Context, chatID string) (string, error)
	// Image returns an attached image by the id of its content.
	Image func(ctx context.Context, contentID string) (llm.Image, error)
	// Provider returns an orchestrator's provider and API key. Its errors are user-facing.
	Provider func(ctx context.Context, id string) (p backend.Provider, key string, err error)
	// Folder returns the chat's folder, and Instructions returns the folder's instructions for AIs
	// (AGENTS.md), or "" if there are none.
	Folder       func(chatID string) (string, error)
	Instructions func(folder string) string
	// Publish queues events and never blocks. Commit publishes events and returns when they are durable, or returns an
	// error if they couldn't be stored.
	Publish func(events ...backend.Event)
	Commit  func(ctx context.Context, events ...backend.Event) error
	Log     *slog.Logger
}

// ToolCall is a tool call made by an orchestrator's model.
type ToolCall struct {
	ChatID, TurnID, ID, Name string
	Arguments                json.RawMessage
	// Started is for calls that delegate a task: Run must call it as soon as the task's block is stored. The next calls
	// in the model's answer wait until then, or until this call has ended.
	Started func()
}

// ToolResult is the result of a ToolCall.
type ToolResult struct {
	Text    string // for the model
	IsError bool
	// Summary, Kind and Path are shown in the call's row: a short summary of the result, and the kind and
	// the file of the call. Kind and Path may be "" if the call's arguments show them.
	Summary backend.Message
	Kind    backend.ToolKind
	Path    string // absolute
	// Waited is the time spent waiting for the user's decision.
	Waited backend.Millis
}

// Exchange is an earlier turn of the conversation: a prompt and its answer.
type Exchange struct {
	Prompt      string
	Attachments []backend.Attachment // attachments of the prompt
	Answer      string               // all messages of the answer
	State       backend.TurnState
	Blocks      []backend.Block // delegated tasks
}

// Orchestrator answers messages with a model set up by the user, and runs the model's
// tool calls until the model has answered.
type Orchestrator struct {
	cfg OrchestratorConfig

	mu     sync.Mutex
	pauses map[string]pause // by the id of a chat whose turn is waiting
}

// pause describes a turn that is waiting for a rate limit to pass.
type pause struct {
	mainID   string
	selected chan string // receives the orchestrator to continue with
}

// NewOrchestrator returns an Orchestrator with the given dependencies.
func NewOrchestrator(cfg OrchestratorConfig) *Orchestrator {
	return &Orchestrator{cfg: cfg, pauses: map[string]pause{}}
}

// OrchestratorSelected must be called when the user has selected another orchestrator for a chat. If the chat's turn is
// waiting because of a rate limit, it immediately continues with the new orchestrator.
func (o *Orchestrator) OrchestratorSelected(chatID, id string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if p, ok := o.pauses[chatID]; ok {
		p.selected <- id
		delete(o.pauses, chatID)
	}
}

// ProviderChanged must be called when the configuration of a provider has changed, for example to another model. Turns
// that are waiting because of the provider's rate limit then continue immediately.
func (o *Orchestrator) ProviderChanged(id string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for chatID, p := range o.pauses {
		if p.mainID == id {
			p.selected <- id
			delete(o.pauses, chatID)
		}
	}
}

// MaxRounds limits how often the model can answer with tool calls in one turn.
const MaxRounds = 25

// ACP stop reasons, which an orchestrator's turns use as well.
const (
	reasonEnd       = "end_turn"
	reasonCancelled = "cancelled"
	reasonRefusal   = "refusal"
	reasonTokens    = "max_tokens"
	reasonRounds    = "max_turn_requests"
)

// Prompt runs a turn and returns it with its summary. Before Prompt returns, it publishes all events of the turn except
// the turn's end. Turn.SentAt is durable before the message is sent. When ctx ends, the turn and everything it started
// are stopped.
func (o *Orchestrator) Prompt(ctx context.Context, turn backend.Turn, text string, with []backend.Attachment) (backend.Turn, backend.TurnSummary) {
	a := &modelTurn{orchestrator: o, ctx: ctx, turn: turn}
	if err := a.begin(text, with); err != nil {
		a.fail(err)
		return a.turn, backend.TurnSummary{}
	}
	a.answer()
	a.countUsage()
	return a.turn, backend.TurnSummary{Message: a.message.String()}
}

// modelTurn is a turn answered by an orchestrator's model.
type modelTurn struct {
	orchestrator *Orchestrator
	ctx          context.Context
	turn         backend.Turn
	provider     backend.Provider
	key          string
	folder       string
	prompt       *promptContext

	streaming *streamingItem  // nil while nothing is streaming
	message   strings.Builder // text of the last message so far
}

// begin loads the data that the turn needs and commits SentAt.
func (t *modelTurn) begin(text string, with []backend.Attachment) error {
	cfg := &t.orchestrator.cfg
	var err error
	if t.provider, t.key, err = cfg.Provider(t.ctx, t.turn.OrchestratorID); err != nil {
		return err
	}
	if t.folder, err = cfg.Folder(t.turn.ChatID); err != nil {
		return err
	}
	past, err := cfg.History(t.ctx, t.turn.ChatID, t.turn.ID)
	if err != nil {
		return failedError(backend.Say("Couldn't read the earlier conversation. Try again."), err)
	}
	images, err := t.orchestrator.load(t.ctx, with)
	if err != nil {
		return err
	}
	told, err := cfg.RecapFor(t.ctx, t.turn.ChatID)
	if err != nil {
		return failedError(backend.Say("Couldn't read the earlier conversation. Try again."), err)
	}
	fits := llm.ContextOf(t.provider)
	system := systemPrompt(t.folder, cfg.Instructions(t.folder), fits)
	if told != "" {
		system += "\n\n" + told
	}
	t.prompt = newPromptContext(system, cfg.Tools, past, userPrompt(text, with), fits)
	t.prompt.images, t.prompt.pastImages = images, t.orchestrator.loadHistoryImages(t.ctx, past)
	if t.ctx.Err() != nil {
		return t.ctx.Err()
	}
	sent := t.turn
	sent.SentAt = backend.Now()
	if err := cfg.Commit(t.ctx, backend.Event{Turn: &sent}); err != nil {
		t.unmarkSent()
		return failedError(backend.Say("Couldn't send the message because VoxPilot can't write to its database. Everything saved earlier is safe."), err)
	}
	if t.ctx.Err() != nil {
		t.unmarkSent()
		return t.ctx.Err()
	}
	t.turn.SentAt = sent.SentAt
	return nil
}

// unmarkSent publishes the turn without SentAt, because no model received the message.
func (t *modelTurn) unmarkSent() {
	turn := t.turn
	t.orchestrator.cfg.Publish(backend.Event{Turn: &turn})
}

// answer sends requests to the model and runs the tool calls in its answers. It ends the turn when an answer contains
// no calls, a request fails, ctx ends, or the model has answered with calls MaxRounds times.
func (t *modelTurn) answer() {
	for range MaxRounds {
		answer, failure := t.ask()
		if failure != nil {
			t.failWith(failure)
			return
		}
		if len(answer.Calls) == 0 {
			t.finish(answer.Finish)
			return
		}
		results := t.run(answer.Calls)
		if t.ctx.Err() != nil {
			t.stop()
			return
		}
		t.prompt.add(answer, results)
	}
	t.stopAtLimit(reasonRounds, backend.Say("%s reached the tool-call limit for one message. Ask it to continue.", t.provider.Name))
}

// finish ends the turn after the model's last message, according to the model's finish reason.
func (t *modelTurn) finish(finish string) {
	switch finish {
	case "length":
		t.stopAtLimit(reasonTokens, backend.Say("%s reached the model's length limit. Ask it to continue.", t.provider.Name))
	case "content_filter":
		t.turn.State, t.turn.StopReason = backend.TurnFailed, reasonRefusal
		t.turn.Error = &backend.Error{Code: backend.CodeRefused, Message: backend.Say("%s declined this request.", t.provider.Name)}
	default:
		t.turn.State, t.turn.StopReason = backend.TurnDone, reasonEnd
	}
}

// stopAtLimit ends a turn that reached a limit, with the given stop reason and error message. It adds a
// banner that offers to continue.
func (t *modelTurn) stopAtLimit(reason string, message backend.Message) {
	t.turn.State, t.turn.StopReason = backend.TurnStopped, reason
	t.turn.Error = &backend.Error{Code: backend.CodeLimit, Message: message}
	it := t.newItem(backend.ItemBanner)
	it.Open, it.EndedAt = false, it.CreatedAt
	it.Banner = &backend.Banner{Kind: backend.BannerAgentLimit, Session: t.turn.Session, Detail: backend.Plain(reason)}
	t.publish(it)
}

func (t *modelTurn) stop() {
	t.turn.State, t.turn.StopReason = backend.TurnStopped, reasonCancelled
}

// failWith ends the turn after a failed request. The turn becomes stopped if the request was canceled, and failed
// otherwise.
func (t *modelTurn) failWith(f *llm.Failure) {
	if f.Kind == llm.KindEnded {
		t.stop()
		return
	}
	t.orchestrator.cfg.Log.Warn("the main AI didn't answer", "chat", t.turn.ChatID, "model", t.provider.Model, "kind", f.Kind)
	t.orchestrator.cfg.Log.Debug("error of the main AI", "message", f.Err.Message.String(), "detail", f.Err.Detail) // may quote the prompt
	t.fail(f.Err)
}

func (t *modelTurn) fail(err error) {
	if t.ctx.Err() != nil {
		t.stop()
		return
	}
	t.turn.State = backend.TurnFailed
	if !errors.As(err, &t.turn.Error) {
		t.turn.Error = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't answer the message. Try again."), Detail: err.Error()}
	}
	if t.turn.Error.Code == backend.CodeRefused {
		t.turn.StopReason = reasonRefusal
	}
}

// newItem returns a new open item of the turn.
func (t *modelTurn) newItem(kind backend.ItemKind) backend.Item {
	return backend.Item{
		ID: backend.NewID(), ChatID: t.turn.ChatID, TurnID: t.turn.ID, Session: t.turn.Session,
		Kind: kind, Open: true, CreatedAt: backend.Now(),
	}
}

func (t *modelTurn) publish(it backend.Item) { t.orchestrator.cfg.Publish(backend.Event{Item: &it}) }

func failedError(message backend.Message, err error) *backend.Error {
	return &backend.Error{Code: backend.CodeStorage, Message: message, Detail: err.Error()}
}
