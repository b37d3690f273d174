package engine

import (
	"cmp"
	"context"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/sandboxed"
	"github.com/voxpilot/voxpilot/backend/sandbox/runs"
	"github.com/voxpilot/voxpilot/backend/setup"
)

// newSandbox creates the manager that runs commands in the sandbox.
func newSandbox(e *Engine) *runs.Manager {
	return runs.New(runs.Config{
		Data: e.Dir, Program: e.hookProgram, Path: e.LoginPath, Env: e.environ,
		Chat:     e.Chats.Get,
		Settings: func() backend.SandboxSettings { return e.Setup.Settings().Sandbox },
		AddSite: func(ctx context.Context, chatID, site string) error {
			return e.Chats.Change(ctx, chatID, func(c *backend.Chat) {
				if !slices.Contains(c.Sandbox.Sites, site) {
					c.Sandbox.Sites = append(slices.Clone(c.Sandbox.Sites), site)
				}
			})
		},
		HostRule: e.Permissions.HostRule,
		Places:   func(folder string) []string { return e.trustGuard().Places(folder) },
		Own:      func() []string { return e.trustGuard().Agent },
		IsSecret: e.hasSecret,
		Publish:  e.Bus.Publish, Log: e.Log,
	})
}

// sandboxFor returns the sandbox for the sessions of a chat (agent.Config.Sandbox).
func (e *Engine) sandboxFor(chatID string) sandboxed.Sandbox {
	return sandboxed.Sandbox{
		Use: func() (bool, backend.Message) { return e.sandbox.Use(chatID) },
		Wrap: func(ctx context.Context, c sandboxed.Command) (sandboxed.Run, error) {
			r, err := e.sandbox.Wrap(ctx, chatID, runs.Command(c))
			return sandboxed.Run(r), err
		},
		Leave: func(line, folder string, env []string) (sandboxed.Run, bool, error) {
			r, needed, err := e.sandbox.Leave(chatID, line, folder, env)
			return sandboxed.Run(r), needed, err
		},
	}
}

// NewChatSandbox returns the sandbox options of a new chat (assistant.Config.Sandbox). The sandbox is off for custom
// agents, because their commands can't be sandboxed individually.
func (e *Engine) NewChatSandbox(providerID string) backend.Sandbox {
	return backend.Sandbox{On: e.Setup.Settings().Sandbox.NewChats && e.sandbox.Offered() && !e.Setup.IsCustomAgent(providerID)}
}

// setSandbox changes the sandbox options of a chat. They apply to the chat's next command. An agent that runs in the
// sandbox as a whole restarts with its next message.
func (e *Engine) setSandbox(ctx context.Context, chatID string, s backend.Sandbox) error {
	if err := setup.CheckSandbox(s); err != nil {
		return err
	}
	was, err := e.Chats.Get(chatID)
	if err != nil {
		return err
	}
	if s.On {
		if err := e.wholeAgents.CheckStarts(was); err != nil {
			return err
		}
	}
	s.Masked = s.Masked && s.On && was.Sandbox.Masked // only the user's answer to a trust request sets it
	now := was
	now.Sandbox = s
	if err := e.Chats.Change(ctx, chatID, func(c *backend.Chat) { c.Sandbox = s }); err != nil {
		return err
	}
	e.Agents.sandboxChanged(was, now)
	e.Permissions.ModeChanged(ctx, chatID)
	return nil
}

// runOutside asks the agent to run a command outside the sandbox after the command failed in the sandbox. The agent
// receives the request as a message, which is sent or queued. The user must then allow the agent's call.
func (e *Engine) runOutside(ctx context.Context, itemID string) error {
	item, err := e.Store.Item(ctx, itemID)
	if err != nil {
		return err
	}
	t := item.Tool
	if t == nil || !t.Sandboxed || item.Open || t.Status == backend.ToolCompleted && (t.ExitCode == nil || *t.ExitCode == 0) {
		return backend.Invalid("Only commands that failed in the sandbox can run outside it.")
	}
	command, err := e.Store.Command(ctx, itemID)
	if err != nil {
		return err
	}
	_, err = e.Chats.Send(ctx, item.ChatID, "Run this command outside of the sandbox, exactly as written here:\n\n"+sandboxed.OutsidePrefix+cmp.Or(command, t.Command))
	return err
}
