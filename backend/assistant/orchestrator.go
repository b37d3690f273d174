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

// OrchestratorConfig is what Main needs of the rest of the app.
type OrchestratorConfig struct {
	// Stream asks the model (llm.Client.Stream).
	Stream func(ctx context.Context, req llm.Request, on func(text, reasoning string)) (llm.Answer, *llm.Failure)
	// Tools are what the model may call, and Run carries a call out. What goes
	// wrong with it is in the result, for the model to read. When ctx ends, Run
	// stops the work and returns soon.
	Tools []llm.Tool
	Run   func(ctx context.Context, call ToolCall) ToolResult
	// History is what came in the chat before a turn, oldest first, whoever
	// answered it.
	History func(ctx context.Context, chatID, turnID string) ([]Exchange, error)
	// RecapFor is what a chat that goes on from another one is told of that; "" of all
	// others.
	RecapFor func(ctx context.Context, chatID string) (string, error)
	// Image is an image that goes with a message, by the id of its content.
	Image func(ctx context.Context, contentID string) (llm.Image, error)
	// Provider is a main AI by its id, and its key. An error of it is for a person.
	Provider func(ctx context.Context, id string) (p backend.Provider, key string, err error)
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
	// Started is to be called once work that the call gives to a session has its
	// block: the calls after it begin then, or when this one has ended.
	Started func()
}

// ToolResult is what came of it.
type ToolResult struct {
	Text    string // for the model
	IsError bool
	// For the call's row: what came out, in a few words, and, where the call
	// itself does not say so, of what kind it was and the file it was about.
	Summary backend.Message
	Kind    backend.ToolKind
	Path    string // absolute
	// Waited is how long the call waited for the user's decision.
	Waited backend.Millis
}

// Exchange is a turn of the past.
type Exchange struct {
	Prompt      string
	Attachments []backend.Attachment // what went with the prompt
	Answer      string               // all messages of the answer
	State       backend.TurnState
	Blocks      []backend.Block // the work that was given to sessions
}

// Orchestrator answers messages with a model of the user's own: the main AI. It runs
// the tools that the model asks for until the model has answered.
type Orchestrator struct {
	cfg OrchestratorConfig

	mu     sync.Mutex
	pauses map[string]pause // of the chats whose turn waits
}

// pause is that of a turn whose main AI's service asked for it.
type pause struct {
	mainID   string
	selected chan string // the main AI that is to go on
}

// NewOrchestrator makes the Main of an app.
func NewOrchestrator(cfg OrchestratorConfig) *Orchestrator {
	return &Orchestrator{cfg: cfg, pauses: map[string]pause{}}
}

// OrchestratorSelected says that a main AI answers a chat from now on. A turn of the chat that
// waits, because the service of another one asked for a pause, goes on with it at
// once.
func (o *Orchestrator) OrchestratorSelected(chatID, id string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if p, ok := o.pauses[chatID]; ok {
		p.selected <- id
		delete(o.pauses, chatID)
	}
}

// ProviderChanged says that a main AI was set up anew, as with another of its models. The
// turns that wait because its service asked for a pause go on with it at once.
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

// MaxRounds is how often a model may ask for tools in one turn.
const MaxRounds = 25

// ACP's words for how a turn ended, which a turn has whoever answers it.
const (
	reasonEnd       = "end_turn"
	reasonCancelled = "cancelled"
	reasonRefusal   = "refusal"
	reasonTokens    = "max_tokens"
	reasonRounds    = "max_turn_requests"
)

// Prompt carries a turn out and returns it as it ended, with what it came to.
// All events of it but its end were published by then. That the message goes
// out is durable before it does (Turn.SentAt). When ctx ends, the turn is
// stopped, with all that it has begun.
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

// modelTurn is one turn.
type modelTurn struct {
	orchestrator *Orchestrator
	ctx          context.Context
	turn         backend.Turn
	provider     backend.Provider
	key          string
	folder       string
	prompt       *promptContext

	streaming *streamingItem  // the item whose text grows
	message   strings.Builder // the last one, as far as it came
}

// begin gets what the turn needs, and notes that it goes out.
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
		return failedError(backend.Say("Couldn't send the message because the database can't be written. Nothing saved earlier is lost."), err)
	}
	if t.ctx.Err() != nil {
		t.unmarkSent()
		return t.ctx.Err()
	}
	t.turn.SentAt = sent.SentAt
	return nil
}

// unmarkSent takes back that the message went out: no model got it.
func (t *modelTurn) unmarkSent() {
	turn := t.turn
	t.orchestrator.cfg.Publish(backend.Event{Turn: &turn})
}

// answer asks the model, and runs the tools it asks for, until it has answered.
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

// finish is the end of a turn with an answer.
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

// stopAtLimit is the end of a turn at a limit, with a banner that offers to go on.
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

// failWith is the end of a turn without a whole answer.
func (t *modelTurn) failWith(f *llm.Failure) {
	if f.Kind == llm.KindEnded {
		t.stop()
		return
	}
	t.orchestrator.cfg.Log.Warn("the main AI did not answer", "chat", t.turn.ChatID, "model", t.provider.Model, "kind", f.Kind)
	t.orchestrator.cfg.Log.Debug("why it did not", "message", f.Err.Message.String(), "detail", f.Err.Detail) // which may quote the prompt
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

// newItem is an item of the turn, which more is to come of.
func (t *modelTurn) newItem(kind backend.ItemKind) backend.Item {
	return backend.Item{
		ID: backend.NewID(), ChatID: t.turn.ChatID, TurnID: t.turn.ID, Session: t.turn.Session,
		Kind: kind, Open: true, CreatedAt: backend.Now(),
	}
}

// publish publishes an item as it is now.
func (t *modelTurn) publish(it backend.Item) { t.orchestrator.cfg.Publish(backend.Event{Item: &it}) }

func failedError(message backend.Message, err error) *backend.Error {
	return &backend.Error{Code: backend.CodeStorage, Message: message, Detail: err.Error()}
}
