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
	// Told is what a chat that goes on from another one is told of that; "" of all
	// others.
	Told func(ctx context.Context, chatID string) (string, error)
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
	// Begun is to be called once work that the call gives to a session has its
	// block: the calls after it begin then, or when this one has ended.
	Begun func()
}

// ToolResult is what came of it.
type ToolResult struct {
	Text    string // for the model
	IsError bool
	// For the call's row: what came out, in a few words, and, where the call
	// itself does not say so, of what kind it was and the file it was about.
	Fact backend.Message
	Kind backend.ToolKind
	Path string // absolute
	// Waited is how long the call waited for the user's decision.
	Waited backend.Millis
}

// Exchange is a turn of the past.
type Exchange struct {
	Prompt string
	With   []backend.Attachment // what went with the prompt
	Answer string               // all messages of the answer
	State  backend.TurnState
	Blocks []backend.Block // the work that was given to sessions
}

// Main answers messages with a model of the user's own: the main AI. It runs
// the tools that the model asks for until the model has answered.
type Main struct {
	cfg MainConfig

	mu     sync.Mutex
	pauses map[string]pause // of the chats whose turn waits
}

// pause is that of a turn whose main AI's service asked for it.
type pause struct {
	mainID string
	chosen chan string // the main AI that is to go on
}

// NewMain makes the Main of an app.
func NewMain(cfg MainConfig) *Main { return &Main{cfg: cfg, pauses: map[string]pause{}} }

// Answers says that a main AI answers a chat from now on. A turn of the chat that
// waits, because the service of another one asked for a pause, goes on with it at
// once.
func (m *Main) Answers(chatID, id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p, ok := m.pauses[chatID]; ok {
		p.chosen <- id
		delete(m.pauses, chatID)
	}
}

// Changed says that a main AI was set up anew, as with another of its models. The
// turns that wait because its service asked for a pause go on with it at once.
func (m *Main) Changed(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for chatID, p := range m.pauses {
		if p.mainID == id {
			p.chosen <- id
			delete(m.pauses, chatID)
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
func (m *Main) Prompt(ctx context.Context, turn backend.Turn, text string, with []backend.Attachment) (backend.Turn, backend.TurnSummary) {
	a := &answering{m: m, ctx: ctx, turn: turn}
	if err := a.begin(text, with); err != nil {
		a.fail(err)
		return a.turn, backend.TurnSummary{}
	}
	a.answer()
	a.count()
	return a.turn, backend.TurnSummary{Message: a.message.String()}
}

// answering is one turn.
type answering struct {
	m        *Main
	ctx      context.Context
	turn     backend.Turn
	provider backend.Provider
	key      string
	folder   string
	talk     *talk

	spoken  *spoken         // the item whose text grows
	message strings.Builder // the last one, as far as it came
}

// begin gets what the turn needs, and notes that it goes out.
func (a *answering) begin(text string, with []backend.Attachment) error {
	cfg := &a.m.cfg
	var err error
	if a.provider, a.key, err = cfg.Provider(a.ctx, a.turn.OrchestratorID); err != nil {
		return err
	}
	if a.folder, err = cfg.Folder(a.turn.ChatID); err != nil {
		return err
	}
	past, err := cfg.Past(a.ctx, a.turn.ChatID, a.turn.ID)
	if err != nil {
		return notDone(backend.Say("Couldn't read the earlier conversation. Try again."), err)
	}
	images, err := a.m.load(a.ctx, with)
	if err != nil {
		return err
	}
	told, err := cfg.Told(a.ctx, a.turn.ChatID)
	if err != nil {
		return notDone(backend.Say("Couldn't read the earlier conversation. Try again."), err)
	}
	fits := llm.ContextOf(a.provider)
	system := systemPrompt(a.folder, cfg.Instructions(a.folder), fits)
	if told != "" {
		system += "\n\n" + told
	}
	a.talk = newTalk(system, cfg.Tools, past, asked(text, with), fits)
	a.talk.images, a.talk.shown = images, a.m.loadPast(a.ctx, past)
	if a.ctx.Err() != nil {
		return a.ctx.Err()
	}
	sent := a.turn
	sent.SentAt = backend.Now()
	if err := cfg.Commit(a.ctx, backend.Event{Turn: &sent}); err != nil {
		a.unsend()
		return notDone(backend.Say("Couldn't send the message because the database can't be written. Nothing saved earlier is lost."), err)
	}
	if a.ctx.Err() != nil {
		a.unsend()
		return a.ctx.Err()
	}
	a.turn.SentAt = sent.SentAt
	return nil
}

// unsend takes back that the message went out: no model got it.
func (a *answering) unsend() {
	turn := a.turn
	a.m.cfg.Publish(backend.Event{Turn: &turn})
}

// answer asks the model, and runs the tools it asks for, until it has answered.
func (a *answering) answer() {
	for range MaxRounds {
		answer, failure := a.ask()
		if failure != nil {
			a.failed(failure)
			return
		}
		if len(answer.Calls) == 0 {
			a.answered(answer.Finish)
			return
		}
		results := a.run(answer.Calls)
		if a.ctx.Err() != nil {
			a.stopped()
			return
		}
		a.talk.add(answer, results)
	}
	a.limited(reasonRounds, backend.Say("%s reached the tool-call limit for one message. Ask it to continue.", a.provider.Name))
}

// answered is the end of a turn with an answer.
func (a *answering) answered(finish string) {
	switch finish {
	case "length":
		a.limited(reasonTokens, backend.Say("%s reached the model's length limit. Ask it to continue.", a.provider.Name))
	case "content_filter":
		a.turn.State, a.turn.StopReason = backend.TurnFailed, reasonRefusal
		a.turn.Error = &backend.Error{Code: backend.CodeRefused, Message: backend.Say("%s declined this request.", a.provider.Name)}
	default:
		a.turn.State, a.turn.StopReason = backend.TurnDone, reasonEnd
	}
}

// limited is the end of a turn at a limit, with a banner that offers to go on.
func (a *answering) limited(reason string, message backend.Message) {
	a.turn.State, a.turn.StopReason = backend.TurnStopped, reason
	a.turn.Error = &backend.Error{Code: backend.CodeLimit, Message: message}
	it := a.newItem(backend.ItemBanner)
	it.Open, it.EndedAt = false, it.CreatedAt
	it.Banner = &backend.Banner{Kind: backend.BannerAgentLimit, Session: a.turn.Session, Detail: backend.Plain(reason)}
	a.publish(it)
}

func (a *answering) stopped() {
	a.turn.State, a.turn.StopReason = backend.TurnStopped, reasonCancelled
}

// failed is the end of a turn without a whole answer.
func (a *answering) failed(f *llm.Failure) {
	if f.Kind == llm.KindEnded {
		a.stopped()
		return
	}
	a.m.cfg.Log.Warn("the main AI did not answer", "chat", a.turn.ChatID, "model", a.provider.Model, "kind", f.Kind)
	a.m.cfg.Log.Debug("why it did not", "message", f.Err.Message.String(), "detail", f.Err.Detail) // which may quote the prompt
	a.fail(f.Err)
}

func (a *answering) fail(err error) {
	if a.ctx.Err() != nil {
		a.stopped()
		return
	}
	a.turn.State = backend.TurnFailed
	if !errors.As(err, &a.turn.Error) {
		a.turn.Error = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't answer the message. Try again."), Detail: err.Error()}
	}
	if a.turn.Error.Code == backend.CodeRefused {
		a.turn.StopReason = reasonRefusal
	}
}

// newItem is an item of the turn, which more is to come of.
func (a *answering) newItem(kind backend.ItemKind) backend.Item {
	return backend.Item{
		ID: backend.NewID(), ChatID: a.turn.ChatID, TurnID: a.turn.ID, Session: a.turn.Session,
		Kind: kind, Open: true, CreatedAt: backend.Now(),
	}
}

// publish publishes an item as it is now.
func (a *answering) publish(it backend.Item) { a.m.cfg.Publish(backend.Event{Item: &it}) }

func notDone(message backend.Message, err error) *backend.Error {
	return &backend.Error{Code: backend.CodeStorage, Message: message, Detail: err.Error()}
}
