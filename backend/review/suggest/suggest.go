// Package suggest asks a chat's agent to review changes, and stores the comments in its answer as suggestions for the
// user.
//
// The review is a task that the user gives to a session of the agent, so it is shown in the chat, asks for permission
// and can be stopped in the same way as other tasks. The answer is Markdown that users could also read directly. Each
// comment has a heading with the path and the line numbers, a code fence with the lines that it is about, and its text.
// Models often get line numbers wrong, so the quoted lines determine the place of a comment. A comment whose place
// isn't certain is stored without one.
package suggest

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/review"
	"github.com/voxpilot/voxpilot/backend/review/comment"
)

// Config holds the dependencies of a Manager.
type Config struct {
	Review   *review.Manager
	Comments *comment.Manager
	Chat     func(id string) (backend.Chat, error)
	Sessions func(ctx context.Context, chatID string) ([]backend.Session, error)
	// SetOption sets an option of a session, creating the session if it doesn't exist.
	SetOption func(ctx context.Context, chatID, session, optionID, value string) error
	// Delegate runs a task in a session, creating the session if it doesn't exist, and returns when the task has
	// ended. An error means that the task wasn't started.
	Delegate func(ctx context.Context, chatID, session, prompt string) (backend.Turn, backend.TurnSummary, error)
	Publish  func(events ...backend.Event)
	// Go runs a task in the background, unless the app is closing. Life is canceled when the app closes.
	Go   func(task func())
	Life context.Context
	Log  *slog.Logger
}

// Manager runs reviews: at most one at a time in each chat. It is safe for concurrent use.
type Manager struct {
	cfg Config

	mu      sync.Mutex
	running map[string]context.CancelFunc // by chat ID
}

// New returns a Manager.
func New(cfg Config) *Manager {
	return &Manager{cfg: cfg, running: map[string]context.CancelFunc{}}
}

// Start starts a review in the background. The review's progress and result arrive as AgentReview events. Start returns
// CodeTooLarge if q.Focus is too long, and CodeUnavailable if a review is already running in the chat.
func (m *Manager) Start(chatID string, q backend.AgentReviewRequest) error {
	chat, err := m.cfg.Chat(chatID)
	if err != nil {
		return err
	}
	if utf8.RuneCountInString(q.Focus) > backend.MaxReviewFocus {
		return &backend.Error{Code: backend.CodeTooLarge, Message: backend.Say("The text is too long. The limit is %s characters.", backend.GroupDigits(backend.MaxReviewFocus))}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.running[chatID] != nil {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("A review is already running in this chat. Stop it, or wait for it to finish.")}
	}
	ctx, cancel := context.WithCancel(m.cfg.Life)
	m.running[chatID] = cancel
	r := backend.AgentReview{ID: backend.NewID(), ChatID: chatID, State: backend.AgentReviewRunning}
	m.publish(r)
	m.cfg.Go(func() {
		defer cancel()
		err := m.run(ctx, chat, q, &r)
		switch {
		case ctx.Err() != nil && r.State == backend.AgentReviewRunning:
			r.State = backend.AgentReviewStopped
		case err != nil:
			r.State, r.Message = backend.AgentReviewFailed, backend.MessageOf(err)
			m.cfg.Log.Warn("a review by an agent failed", "chat", chatID, "err", err)
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.running, chatID)
		m.publish(r)
	})
	return nil
}

func (m *Manager) publish(r backend.AgentReview) { m.cfg.Publish(backend.Event{AgentReview: &r}) }

// Stop stops the running review of a chat, if there is one.
func (m *Manager) Stop(chatID string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if cancel := m.running[chatID]; cancel != nil {
		cancel()
	}
}

// run runs a review and stores the result in r. If it returns an error, r.State is still AgentReviewRunning.
func (m *Manager) run(ctx context.Context, chat backend.Chat, q backend.AgentReviewRequest, r *backend.AgentReview) error {
	c, err := m.read(ctx, chat.ID, q.Source)
	if err != nil {
		return err
	}
	selected := make(chan error, 1) // the agent may have to start first; Stop doesn't wait for that
	m.cfg.Go(func() { selected <- m.selectModel(ctx, chat.ID, q.Model) })
	select {
	case err = <-selected:
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil && (q.Model != "" || backend.CodeOf(err) != backend.CodeConnection) {
		return err // if no model is to be set and only the connection is missing, the task waits for it
	}
	turn, did, err := m.cfg.Delegate(ctx, chat.ID, backend.SessionReview, c.prompt(q.Focus))
	switch {
	case err != nil:
		return err
	case turn.Error != nil:
		return turn.Error
	case turn.State == backend.TurnStopped:
		r.State = backend.AgentReviewStopped
		return nil
	case turn.State != backend.TurnDone:
		return &backend.Error{Code: backend.CodeInterrupted, Message: backend.Say("The review was interrupted. Ask for another review.")}
	}
	answer := parse(did.Message, c.find)
	list, unplaced, err := m.locateAll(ctx, chat.ID, q.Source, answer.remarks)
	if err != nil {
		return err
	}
	r.Comments, err = m.cfg.Comments.Suggest(ctx, chat.ID, list)
	if err != nil {
		return err
	}
	r.State, r.OtherComments = backend.AgentReviewDone, answer.others+unplaced
	r.Unclear = len(answer.remarks) == 0 && answer.others == 0 && !answer.isNone
	return nil
}

// selectModel sets the model for the next task of the session SessionReview. The parameter model is one of the agent's
// choices, or "" for the model of the chat's main session.
func (m *Manager) selectModel(ctx context.Context, chatID, model string) error {
	sessions, err := m.cfg.Sessions(ctx, chatID)
	if err != nil {
		return err
	}
	var known backend.ConfigOption // the option as the agent declared it, preferably in the main session
	current := ""                  // the model of the session SessionReview
	for _, s := range sessions {
		i := slices.IndexFunc(s.Options, isModel)
		switch {
		case i < 0:
			continue
		case s.Name == backend.SessionReview:
			current = s.Options[i].Value
		}
		if known.ID == "" || s.Name == backend.SessionMain {
			known = s.Options[i]
		}
	}
	if model == "" {
		i := slices.IndexFunc(sessions, func(s backend.Session) bool { return s.Name == backend.SessionMain })
		if i < 0 || !slices.ContainsFunc(sessions[i].Options, isModel) {
			return nil // keep the agent's default, or the model of the last review
		}
		model = known.Value
	}
	if !slices.ContainsFunc(known.Choices, func(c backend.Choice) bool { return c.ID == model }) {
		return backend.Invalid("The agent no longer offers this model. Choose another one.")
	}
	if model == current {
		return nil
	}
	return m.cfg.SetOption(ctx, chatID, backend.SessionReview, known.ID, model)
}

// isModel reports whether an option selects the model.
func isModel(o backend.ConfigOption) bool {
	return o.Type == backend.ConfigSelect && (o.Category == "model" || o.ID == "model")
}
