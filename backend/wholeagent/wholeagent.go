// Package wholeagent decides which agents run in the sandbox as a whole and what such an agent can see. If a chat's
// sandbox is on, its whole agent runs in the sandbox in each of these cases: the user chose this, the agent isn't the
// Copilot CLI, so that VoxPilot can't put its commands in the sandbox one by one, or the folder was opened without
// running its code, which the agent must not see.
package wholeagent

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/sandbox/runs"
	"github.com/voxpilot/voxpilot/backend/trust"
)

// Config configures a Manager.
type Config struct {
	Trust   *trust.Manager
	Sandbox *runs.Manager
	// Starter returns the description of a chat's agent that Trust needs.
	Starter func(chat backend.Chat) trust.Starter
	// Custom returns a custom agent, or an error if providerID isn't one.
	Custom func(providerID string) (backend.CustomAgent, error)
	// GuardFiles returns the files that the hooks of the chat's guard need.
	GuardFiles func(chatID string) []string
	// Get returns a chat. Change passes a chat to the function do, which modifies it, and stores the result.
	Get    func(chatID string) (backend.Chat, error)
	Change func(ctx context.Context, chatID string, do func(*backend.Chat)) error
	Log    *slog.Logger
}

// Manager manages the agents that run in the sandbox as a whole. It is safe for concurrent use.
type Manager struct {
	cfg Config

	mu       sync.Mutex
	masks    map[string]trust.Mask // by chat: the parts of the folder hidden from its agent at the agent's last start
	readable map[string][]string   // by chat: attached files to which its agent in the sandbox needs additional access
}

// New creates a Manager.
func New(cfg Config) *Manager {
	return &Manager{cfg: cfg, masks: map[string]trust.Mask{}, readable: map[string][]string{}}
}

// Runs reports whether the chat's whole agent runs in the sandbox.
func (m *Manager) Runs(chat backend.Chat) bool {
	s := chat.Sandbox
	_, err := m.cfg.Custom(chat.ProviderID)
	return s.On && (s.WholeAgent || s.Masked || err == nil)
}

// CheckStarts returns an error if VoxPilot doesn't start the chat's agent but only connects to it, so that
// the agent can't run in the sandbox.
func (m *Manager) CheckStarts(chat backend.Chat) error {
	if p, err := m.cfg.Custom(chat.ProviderID); err == nil && p.Address != "" {
		return backend.Invalid("%s can't run in the sandbox because VoxPilot only connects to this agent and doesn't start it.", p.Name)
	}
	return nil
}

// Wrap sets l.Wrap if the chat's whole agent runs in the sandbox. If Wrap returns an error, the agent must not
// be started, even outside the sandbox. The error tells the user how to continue.
func (m *Manager) Wrap(ctx context.Context, chat backend.Chat, l *agent.Launch) *agent.LaunchError {
	if chat.Sandbox.Masked {
		if err := m.mask(ctx, &chat); err != nil {
			return noSandbox(backend.MessageOf(err))
		}
	}
	if !m.Runs(chat) {
		return nil
	}
	if l.Address != "" {
		return noSandbox(backend.Say("%s can't run in the sandbox because VoxPilot only connects to this agent and doesn't start it. Turn off the sandbox for this chat, or enter a command in Settings so that VoxPilot starts the agent.", l.Name))
	}
	if _, problem := m.cfg.Sandbox.Use(chat.ID); !problem.IsZero() {
		return noSandbox(backend.Say("%s To start the agent without the sandbox, turn the sandbox off for this chat.", problem))
	}
	start := runs.AgentStart{Folder: chat.Folder, Program: append([]string{filepath.Base(l.Path)}, l.Args...), Home: l.Home, Copilot: l.Guarded}
	if l.Guarded {
		start.Read = m.cfg.GuardFiles(chat.ID)
	}
	m.mu.Lock()
	start.Read = append(start.Read, m.readable[chat.ID]...)
	start.Mask = m.masks[chat.ID].Files
	m.mu.Unlock()
	l.Wrap = m.cfg.Sandbox.WrapAgent(chat, start)
	return nil
}

func noSandbox(message backend.Message) *agent.LaunchError {
	return &agent.LaunchError{Cause: backend.CauseNoSandbox, Message: message}
}

// mask determines the parts of the folder that a masked chat's agent must not see. If there are none, because the user
// now trusts the whole folder, mask clears the chat's Sandbox.Masked.
func (m *Manager) mask(ctx context.Context, chat *backend.Chat) error {
	k, err := m.cfg.Trust.Mask(ctx, m.cfg.Starter(*chat))
	if err != nil {
		return err
	}
	if k.IsEmpty() {
		chat.Sandbox.Masked = false
		if err := m.cfg.Change(ctx, chat.ID, func(c *backend.Chat) { c.Sandbox.Masked = false }); err != nil {
			return err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.masks[chat.ID] = k
	return nil
}

// Check returns nil if the running agent of a masked chat sees none of the untrusted code that is now in the
// folder. It returns an error if the agent sees some of it or if that can't be determined. The agent must
// then be restarted.
func (m *Manager) Check(ctx context.Context, by trust.Starter) error {
	now, err := m.cfg.Trust.Mask(ctx, by)
	m.mu.Lock()
	k := m.masks[by.ChatID]
	m.mu.Unlock()
	if err == nil && !k.Covers(now) {
		err = errors.New("the folder has code that isn't masked yet")
	}
	if err != nil {
		m.cfg.Log.Info("stops an agent that mustn't see its folder's code", "chat", by.ChatID, "err", err)
	}
	return err
}

// Open opens the folder of a trust request without trusting it: the agents of its chats start in the sandbox,
// without the files that run code.
func (m *Manager) Open(ctx context.Context, requestID string) error {
	if !m.cfg.Sandbox.Offered() {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The sandbox isn't available on this computer.")}
	}
	return m.cfg.Trust.OpenWithoutRunning(ctx, requestID, func(chatIDs []string) error {
		for _, id := range chatIDs {
			chat, err := m.cfg.Get(id)
			if err != nil {
				continue // deleted
			}
			if err := m.CheckStarts(chat); err != nil {
				return err
			}
			if err := m.cfg.Change(ctx, id, func(c *backend.Chat) { c.Sandbox.On, c.Sandbox.Masked = true, true }); err != nil {
				return err
			}
		}
		return nil
	})
}

// PlacesChanged reports whether the places that are visible or writable in the sandbox differ between two versions of
// the settings. If so, running agents in the sandbox must be restarted. Commands always use the current settings.
func PlacesChanged(was, now backend.SandboxSettings) bool {
	return !slices.Equal(was.Write, now.Write) || !slices.Equal(was.Hidden, now.Hidden) || !slices.Equal(was.Readable, now.Readable)
}

// Attach makes a message's attachments readable for the chat's agent from its next start on, if the whole agent runs in
// the sandbox. restart is true if a running agent must be restarted to read them.
func (m *Manager) Attach(chatID string, attachments []backend.Attachment) (restart bool) {
	chat, err := m.cfg.Get(chatID)
	if err != nil || !m.Runs(chat) {
		return false
	}
	for _, a := range attachments {
		if a.Path == "" || m.cfg.Sandbox.Shows(chat, a.Path) {
			continue
		}
		m.mu.Lock()
		if !slices.Contains(m.readable[chatID], a.Path) {
			m.readable[chatID], restart = append(m.readable[chatID], a.Path), true
		}
		m.mu.Unlock()
	}
	return restart
}
