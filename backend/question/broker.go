package question

import (
	"cmp"
	"context"
	"strings"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// Config configures a Broker. All functions are required.
type Config struct {
	// Publish queues events; it never blocks.
	Publish func(events ...backend.Event)
	// Commit publishes events and returns when they are durable, or returns an error if they couldn't be stored.
	Commit func(ctx context.Context, events ...backend.Event) error
	// IsViewed reports whether the user is viewing the chat.
	IsViewed func(chatID string) bool
	// Patience is the time after which an unanswered question is closed if the user doesn't view its chat; 0 means 10
	// minutes. A user who views it has six times as long.
	Patience time.Duration
}

// Broker holds the open questions. It is safe for concurrent use.
type Broker struct {
	cfg Config

	mu    sync.Mutex
	open  map[string]*pending
	ended map[string]ending // of the last questions
	order []string          // keys of ended, oldest first
	// opened are the last answered requests to open a web page that the agent hasn't completed, oldest first.
	opened []*pending
}

// pending is a question that hasn't been answered.
type pending struct {
	p        backend.Permission
	row      backend.Item
	text     backend.Content         // the question in Markdown, without the body
	answered chan backend.Permission // buffer of one; receives one value
	close    context.CancelFunc      // closes the question
	claimed  bool                    // an answer is being committed
	isDone   bool                    // the agent completed its request to open a web page
	// abandoned is set if the question was closed while an answer was being committed.
	abandoned *backend.Permission
}

// ending is the end of a question that is no longer open.
type ending struct {
	outcome backend.QuestionOutcome
	isPlan  bool
}

// maxEnded is the maximum number of ended questions whose outcome is remembered.
const maxEnded = 500

// NewBroker returns a broker without open questions.
func NewBroker(cfg Config) *Broker {
	cfg.Patience = cmp.Or(cfg.Patience, 10*time.Minute)
	return &Broker{cfg: cfg, open: map[string]*pending{}, ended: map[string]ending{}}
}

// Asker identifies the asking model: its chat, turn and session, the ID of its call ("" if there is none), and the ID of
// the block that contains the turn ("" if there is none).
type Asker struct{ ChatID, TurnID, Session, CallID, ParentID string }

// Ask asks the user and returns the question with its outcome. The question and its row in the transcript are published
// together, as are all their later states. The question is closed when ctx ends or when the user doesn't answer in
// time. The result minutes is the time for which it was open.
func (b *Broker) Ask(ctx context.Context, by Asker, q backend.Question) (answered backend.Question, minutes int) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	now := backend.Now()
	row := rowOf(by, kindOf(q), titleOf(q))
	row.Open, row.Tool.Status = true, backend.ToolInProgress
	if q.Page != nil {
		row.Tool.Command = firstLine(q.Page.Host, maxTitle)
	}
	text := backend.Content{ID: backend.NewID(), ItemID: row.ID, ChatID: by.ChatID, Type: backend.ContentQuestion}
	o := &pending{row: row, text: text, close: cancel, answered: make(chan backend.Permission, 1), p: backend.Permission{
		ID: backend.NewID(), ChatID: by.ChatID, TurnID: by.TurnID, Session: by.Session, ItemID: row.ID, State: backend.PermissionOpen,
		Title: row.Tool.Title, Kind: row.Tool.Kind, Options: []backend.Option{}, CreatedAt: now, Question: &q,
	}}
	b.mu.Lock()
	b.open[o.p.ID] = o
	b.cfg.Publish(o.events(o.p)...)
	b.mu.Unlock()

	step := time.NewTicker(b.cfg.Patience / 20)
	defer step.Stop()
	asked := time.Now()
	seen := asked
	for {
		outcome := backend.OutcomeClosed
		select {
		case p := <-o.answered:
			return *p.Question, minutesOf(p)
		case <-ctx.Done():
		case <-step.C:
			now := time.Now()
			if b.cfg.IsViewed(by.ChatID) {
				seen = now
			}
			if now.Sub(seen) < b.cfg.Patience && now.Sub(asked) < 6*b.cfg.Patience {
				continue
			}
			outcome = backend.OutcomeAway
		}
		if p, ended := b.giveUp(o, outcome); ended {
			return *p.Question, minutesOf(p)
		}
	}
}

// minutesOf returns the time in minutes that a question was open.
func minutesOf(p backend.Permission) int { return int((p.DecidedAt - p.CreatedAt) / 60_000) }

// giveUp closes the question with an outcome other than an answer. ended is false if the user's answer is being saved
// and the model still waits for it, or if the question was just answered.
func (b *Broker) giveUp(o *pending, outcome backend.QuestionOutcome) (p backend.Permission, ended bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, open := b.open[o.p.ID]; !open || o.claimed && outcome == backend.OutcomeAway {
		return p, false
	}
	b.end(o, outcome)
	p = o.ended(outcome, nil)
	if o.claimed { // the model won't get the answer, so the stored question must not show it
		o.abandoned = &p
	} else {
		b.cfg.Publish(o.events(p)...)
	}
	return p, true
}

// CloseTurn closes the open questions of a turn that has ended.
func (b *Broker) CloseTurn(turnID string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, o := range b.open {
		if turnID != "" && o.p.TurnID == turnID {
			o.close()
		}
	}
}

// Answer answers the open question with the given ID. If the answer isn't valid, problems holds the reasons, and the
// question stays open. The answer is made durable before the model gets it.
//
// It returns CodeNotFound with the reason if the question is no longer open, and CodeStorage if the answer can't be
// saved.
func (b *Broker) Answer(ctx context.Context, id string, a backend.QuestionAnswer) (problems []backend.FieldProblem, err error) {
	o, err := b.claim(id)
	if err != nil {
		return nil, err
	}
	checked, problems := Check(*o.p.Question, a)
	if len(problems) > 0 {
		b.mu.Lock()
		o.claimed = false
		b.mu.Unlock()
		return problems, nil
	}
	return nil, b.deliver(ctx, o, o.ended(backend.OutcomeAnswered, &checked))
}

// Skip tells the model that the user won't answer the question. Errors are those of Answer.
func (b *Broker) Skip(ctx context.Context, id string) error {
	o, err := b.claim(id)
	if err != nil {
		return err
	}
	return b.deliver(ctx, o, o.ended(backend.OutcomeSkipped, nil))
}

// Check checks an answer to the open question with the given ID, without sending it. It returns CodeNotFound if the
// question is no longer open.
func (b *Broker) Check(id string, a backend.QuestionAnswer) ([]backend.FieldProblem, error) {
	b.mu.Lock()
	o := b.open[id]
	ended := b.ended[id]
	b.mu.Unlock()
	if o == nil {
		return nil, late(ended)
	}
	_, problems := Check(*o.p.Question, a)
	return problems, nil
}

func (b *Broker) claim(id string) (*pending, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	o := b.open[id]
	switch {
	case o == nil:
		return nil, late(b.ended[id])
	case o.claimed:
		return nil, late(ending{backend.OutcomeAnswered, o.p.Question.Plan != ""})
	}
	o.claimed = true
	return o, nil
}

// late returns the error for an answer to a question that is no longer open.
func late(e ending) error {
	m := backend.Say("This answer came too late: the question is closed. You can send your answer as a message.")
	switch {
	case e.isPlan && e.outcome == backend.OutcomeAnswered:
		m = backend.Say("This plan has already been answered.")
	case e.isPlan:
		m = backend.Say("This answer came too late: the plan is closed. You can send the plan as a message.")
	case e.outcome == backend.OutcomeAnswered:
		m = backend.Say("This question has already been answered.")
	case e.outcome == backend.OutcomeSkipped:
		m = backend.Say("This question was already skipped. You can send your answer as a message.")
	}
	return &backend.Error{Code: backend.CodeNotFound, Message: m}
}

// deliver makes the user's answer durable and passes it to Ask. o must be claimed.
func (b *Broker) deliver(ctx context.Context, o *pending, p backend.Permission) error {
	err := b.cfg.Commit(ctx, o.events(p)...)
	b.mu.Lock()
	defer b.mu.Unlock()
	o.claimed = false
	if o.abandoned != nil {
		b.cfg.Publish(o.events(*o.abandoned)...)
		return late(ending{o.abandoned.Question.Outcome, o.p.Question.Plan != ""})
	}
	if err != nil {
		return &backend.Error{
			Code: backend.CodeStorage, Message: backend.Say("Couldn't save your answer, so it wasn't sent. Try again."), Detail: err.Error(),
		}
	}
	b.end(o, p.Question.Outcome)
	b.await(o, p)
	o.answered <- p
	return nil
}

// end removes the question from the open ones. The caller must hold b.mu.
func (b *Broker) end(o *pending, outcome backend.QuestionOutcome) {
	delete(b.open, o.p.ID)
	b.ended[o.p.ID] = ending{outcome, o.p.Question.Plan != ""}
	if b.order = append(b.order, o.p.ID); len(b.order) > maxEnded {
		delete(b.ended, b.order[0])
		b.order = b.order[1:]
	}
}

// ended returns the request as it is stored when the question has ended with an outcome and, if the user answered, an
// answer.
func (o *pending) ended(outcome backend.QuestionOutcome, a *backend.QuestionAnswer) backend.Permission {
	p := o.p
	q := *p.Question
	q.Outcome, q.Answer = outcome, a
	p.Question, p.DecidedAt = &q, backend.Now()
	p.State = backend.PermissionDecided
	if outcome != backend.OutcomeAnswered && outcome != backend.OutcomeSkipped {
		p.State, p.Decision = backend.PermissionClosed, backend.DecisionClosed
	}
	return p
}

// events returns the events for a state of the question: its row, which the request refers to, the request, and its
// text.
func (o *pending) events(p backend.Permission) []backend.Event {
	row, tool, text := o.row, *o.row.Tool, o.text
	text.Body, text.Version = []byte(Markdown(*p.Question)), 1
	text.Size = int64(len(text.Body))
	if p.State != backend.PermissionOpen {
		text.Version = 2
		tool.Status, tool.ResultSummary = endOf(p)
		if p.Question.Outcome == backend.OutcomeClosed {
			tool.Decision = backend.DecisionClosed // as after a restart
		}
		row.Open, row.EndedAt, row.Waited = false, p.DecidedAt, p.DecidedAt-p.CreatedAt
	}
	row.Tool = &tool
	return []backend.Event{{Item: &row}, {Permission: &p}, {Content: &text}}
}

// endOf returns the status and the summary of an ended question for its row.
func endOf(p backend.Permission) (backend.ToolStatus, backend.Message) {
	q := *p.Question
	switch q.Outcome {
	case backend.OutcomeAnswered:
		return backend.ToolCompleted, summary(q)
	case backend.OutcomeSkipped:
		if q.Elicited {
			return backend.ToolCompleted, backend.Say("you declined")
		}
		return backend.ToolCompleted, backend.Say("you skipped this")
	case backend.OutcomeAway:
		return backend.ToolFailed, backend.Say("no answer in %d min", max(1, (p.DecidedAt-p.CreatedAt)/60_000))
	default:
		return backend.ToolCancelled, backend.Message{}
	}
}

// summary returns the user's answer in a few words.
func summary(q backend.Question) backend.Message {
	switch {
	case q.Plan != "":
		return planSummary(q)
	case q.Page != nil:
		return backend.Say("opened")
	case isConfirmation(q):
		return backend.Say("you confirmed")
	}
	if len(q.Fields) > 0 {
		return backend.Count(len(q.Answer.Values), "you sent 1 answer", "you sent %d answers")
	}
	given := labels(q)
	if len(given) > 2 {
		return backend.Count(len(given), "you chose 1 answer", "you chose %d answers")
	}
	return backend.Say("you answered: %s", firstLine(strings.Join(given, ", "), maxSummary))
}

// The maximum lengths in characters of an answer in a row, and of a row's title.
const (
	maxSummary = 60
	maxTitle   = 200
)

// firstLine returns the first line of a text, with at most the given number of characters.
func firstLine(text string, most int) string {
	line, _, more := strings.Cut(text, "\n")
	runes := []rune(strings.ReplaceAll(line, "\t", " "))
	if len(runes) > most {
		runes, more = runes[:most-1], true
	}
	if more {
		return strings.TrimRight(string(runes), " ") + "…"
	}
	return string(runes)
}

// rowOf returns the row of a question in the transcript.
func rowOf(by Asker, kind backend.ToolKind, text string) backend.Item {
	return backend.Item{
		ID: backend.NewID(), ChatID: by.ChatID, TurnID: by.TurnID, ParentID: by.ParentID, Session: by.Session, Kind: backend.ItemTool,
		CreatedAt: backend.Now(),
		Tool:      &backend.Tool{CallID: cmp.Or(by.CallID, backend.NewID()), Title: firstLine(text, maxTitle), Kind: kind},
	}
}

// Refuse adds a row for a question or a plan (ToolAsk, ToolPlan) that isn't asked, so that the user sees the attempt.
// text is the question or the plan's title, or "" if it can't be read.
func (b *Broker) Refuse(by Asker, kind backend.ToolKind, text string, reason backend.Message) {
	row := rowOf(by, kind, visible(text))
	row.EndedAt, row.Tool.Status, row.Tool.ResultSummary = row.CreatedAt, backend.ToolFailed, reason
	b.cfg.Publish(backend.Event{Item: &row})
}

// visible returns the text with U+FFFD in place of each character that hidden finds.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if _, has := hidden(string(r)); has {
			return '\uFFFD'
		}
		return r
	}, text)
}

// Open returns the open question with the given ID. ok is false if there is none, or if its answer is being saved.
func (b *Broker) Open(id string) (p backend.Permission, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	o := b.open[id]
	if o == nil || o.claimed {
		return p, false
	}
	return o.p, true
}
