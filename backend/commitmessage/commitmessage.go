// Package commitmessage lets the model of a chat draft commit messages from the changes that a commit would contain.
//
//   - commitmessage.go: the drafts, at most one per chat at a time.
//   - prompt.go, clean.go: the text for the model, and the message in its answer.
//   - agent.go: asks the chat's agent, in a separate process and session.
//
// A draft never becomes part of the chat. The Copilot CLI answers in a fork of the chat's main session, so it knows the
// conversation; the fork is removed afterward, at the latest when the app starts again. Other agents answer in a new
// session. If a model is the chat's orchestrator, that model is asked directly. The model can't use tools: all of its
// requests are rejected.
package commitmessage

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/llm"
	"github.com/voxpilot/voxpilot/backend/repository"
)

// Config holds the dependencies of a Manager. All functions are required.
type Config struct {
	Chat func(id string) (backend.Chat, error)
	// Contents returns the changes that the commit would contain. It must return an error if the user doesn't trust the
	// folder.
	Contents func(ctx context.Context, chatID string, q backend.MessageDraftRequest) (repository.Contents, error)
	// Sessions returns the sessions of a chat.
	Sessions func(ctx context.Context, chatID string) ([]backend.Session, error)
	// Forks reports whether the chat's agent is the Copilot CLI, whose sessions can be forked.
	Forks func(chat backend.Chat) bool
	// Mark marks a session of the Copilot CLI for removal, in case the app is killed. home is the CLI's home folder.
	// Remove removes the session.
	Mark   func(home, id string) error
	Remove func(home, id string)
	// Agent returns the parameters for starting another agent for the chat.
	Agent func(chat backend.Chat) Start
	// Provider returns one of the user's models and its key. Stream sends a request to the model.
	Provider func(ctx context.Context, id string) (backend.Provider, string, error)
	Stream   func(ctx context.Context, req llm.Request, on func(text, reasoning string)) (llm.Answer, *llm.Failure)
	Publish  func(...backend.Event)
	Log      *slog.Logger
}

// Start describes an agent that drafts a message. All fields are required.
type Start struct {
	Name string // the agent's name, shown to the user
	// Config is the agent's configuration. The Manager replaces its sessions and its functions for events and
	// permissions.
	Config  agent.Config
	Started func(a *agent.Agent) // called before the agent's process starts
	Ended   func()               // called when the agent has ended
}

// limitDraft is the maximum duration of a draft.
const limitDraft = 2 * time.Minute

var (
	errTooLong = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The draft took more than two minutes and was canceled. Try again, or select fewer files.")}
	errRunning = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("A message for this chat is already being drafted.")}
	errNothing = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("There are no changes to describe.")}
	errEmpty   = &backend.Error{Code: backend.CodeModel, Message: backend.Say("The model answered without a message. Try again.")}
)

// Manager drafts commit messages. It is safe for concurrent use.
type Manager struct {
	cfg   Config
	limit time.Duration

	life context.Context // parent context of the drafts
	end  context.CancelFunc
	jobs sync.WaitGroup

	mu      sync.Mutex
	closed  bool
	running map[string]*job // by chat ID
}

// job is a draft in progress.
type job struct {
	id     string
	cancel context.CancelFunc
}

// New returns a Manager.
func New(cfg Config) *Manager {
	m := &Manager{cfg: cfg, limit: limitDraft, running: map[string]*job{}}
	m.life, m.end = context.WithCancel(context.Background())
	return m
}

// Close cancels all drafts. It returns when all drafts have ended and their sessions are removed.
func (m *Manager) Close() {
	m.mu.Lock()
	m.closed = true
	m.mu.Unlock()
	m.end()
	m.jobs.Wait()
}

// Start starts drafting a message and returns the ID of the draft. Its progress and result are published as
// MessageDraft events. Start returns an error with CodeUnavailable if a message for the chat is already being drafted
// or if the Manager is closed.
func (m *Manager) Start(chatID string, q backend.MessageDraftRequest) (id string, err error) {
	chat, err := m.cfg.Chat(chatID)
	if err != nil {
		return "", err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.closed:
		return "", &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("VoxPilot is closing.")}
	case m.running[chatID] != nil:
		return "", errRunning
	}
	ctx, cancel := context.WithCancel(m.life)
	j := &job{id: backend.NewID(), cancel: cancel}
	m.running[chatID] = j
	m.publish(backend.MessageDraft{ID: j.id, ChatID: chatID, State: backend.JobRunning})
	m.jobs.Go(func() {
		defer cancel()
		limited, stop := context.WithTimeoutCause(ctx, m.limit, errTooLong)
		defer stop()
		got, err := m.draft(limited, chat, q)
		m.finish(j, chatID, got, err)
	})
	return j.id, nil
}

// Cancel cancels the draft with the given ID, if it is the chat's current one.
func (m *Manager) Cancel(chatID, id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if j := m.running[chatID]; j != nil && j.id == id {
		j.cancel()
	}
}

// CancelAll cancels all drafts, for example because the user signs out.
func (m *Manager) CancelAll() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, j := range m.running {
		j.cancel()
	}
}

// finish publishes the result of a draft.
func (m *Manager) finish(j *job, chatID string, got answer, err error) {
	d := backend.MessageDraft{ID: j.id, ChatID: chatID, State: backend.JobDone, Text: got.text, Model: got.model, Usage: got.usage}
	switch {
	case errors.Is(err, context.Canceled):
		d.State, d.Text = backend.JobCancelled, ""
	case err != nil:
		failure := backend.AsError(err)
		d.State, d.Text, d.Message = backend.JobFailed, "", failure.Message
		m.cfg.Log.Warn("couldn't draft a commit message", "chat", chatID, "err", err, "detail", failure.Detail)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.running, chatID)
	m.publish(d)
}

func (m *Manager) publish(d backend.MessageDraft) { m.cfg.Publish(backend.Event{MessageDraft: &d}) }

// answer is a model's answer to a prompt. Manager.draft replaces the text with the commit message that it contains.
type answer struct {
	text  string
	model string         // name of the model, or of the agent if the model isn't known
	usage *backend.Usage // nil if the model didn't report it
}

// draft drafts a message. If it fails after ctx has ended, it returns the cause of ctx.
func (m *Manager) draft(ctx context.Context, chat backend.Chat, q backend.MessageDraftRequest) (got answer, err error) {
	defer func() {
		if err != nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
	}()
	contents, err := m.cfg.Contents(ctx, chat.ID, q)
	switch {
	case err != nil:
		return got, err
	case contents.IsEmpty():
		return got, errNothing
	}
	if chat.OrchestratorID != "" {
		got, err = m.askModel(ctx, chat.OrchestratorID, prompt(contents, false))
	} else {
		got, err = m.askAgent(ctx, chat, func(knowsChat bool) string { return prompt(contents, knowsChat) })
	}
	if err != nil {
		return got, err
	}
	if got.text = clean(got.text); got.text == "" {
		err = errEmpty
	}
	return got, err
}

// askModel sends a prompt to one of the user's models and returns the answer.
func (m *Manager) askModel(ctx context.Context, id, text string) (answer, error) {
	provider, key, err := m.cfg.Provider(ctx, id)
	if err != nil {
		return answer{}, err
	}
	said, failure := m.cfg.Stream(ctx, llm.Request{Provider: provider, Key: key, Messages: []llm.Message{{Role: llm.RoleUser, Text: text}}}, func(string, string) {})
	got := answer{text: said.Text, model: cmp.Or(provider.Model, provider.Name), usage: said.Usage}
	switch {
	case failure == nil:
		return got, nil
	case failure.Kind == llm.KindEmpty:
		return got, errEmpty
	}
	return got, failure.Err
}

// modelName returns the name of the model that a session uses, or "" if the agent didn't declare it.
func modelName(row backend.Session) string {
	for _, o := range row.Options {
		if o.ID != "model" && o.Category != "model" {
			continue
		}
		i := slices.IndexFunc(o.Choices, func(c backend.Choice) bool { return c.ID == o.Value })
		if i >= 0 && o.Choices[i].Name != "" {
			return o.Choices[i].Name
		}
		return o.Value
	}
	return ""
}
