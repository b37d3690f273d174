package engine

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/agent/signin"
	"github.com/voxpilot/voxpilot/backend/agentauth"
	"github.com/voxpilot/voxpilot/backend/environment"
)

// These methods of the API sign custom agents in and out. They return before that has ended; AgentSignIn events report
// the progress.

// CheckAgentSignIn asks a custom agent for its sign-in methods.
func (a *API) CheckAgentSignIn(profileID string) error {
	return a.ofProfile(profileID, func(_ context.Context, m *agentauth.Manager) error {
		return m.Check(profileID)
	})
}

// SignInAgent starts a sign-in method of a custom agent. values holds the values of the method's variables; one without
// a value keeps its stored value.
func (a *API) SignInAgent(profileID, methodID string, values map[string]string) error {
	return a.ofProfile(profileID, func(_ context.Context, m *agentauth.Manager) error {
		return m.SignIn(profileID, methodID, values)
	})
}

// CancelAgentSignIn cancels the running sign-in of a custom agent, and ends its terminal.
func (a *API) CancelAgentSignIn(profileID string) error {
	return a.ofProfile(profileID, func(_ context.Context, m *agentauth.Manager) error { return m.Cancel(profileID) })
}

// SignOutAgent signs a custom agent out (ACP logout).
func (a *API) SignOutAgent(profileID string) error {
	return a.ofProfile(profileID, func(_ context.Context, m *agentauth.Manager) error {
		return m.SignOut(profileID)
	})
}

// WriteAgentTerminal sends the user's input to the terminal of a custom agent's sign-in.
func (a *API) WriteAgentTerminal(profileID, input string) error {
	return a.ofProfile(profileID, func(_ context.Context, m *agentauth.Manager) error { return m.Write(profileID, input) })
}

// ResizeAgentTerminal sets the size of the terminal of a custom agent's sign-in, in characters.
func (a *API) ResizeAgentTerminal(profileID string, columns, rows int) error {
	return a.ofProfile(profileID, func(_ context.Context, m *agentauth.Manager) error {
		return m.Resize(profileID, columns, rows)
	})
}

// AgentTerminalOutput returns the output so far of the terminal of a custom agent's sign-in, at most its last 256 KB.
func (a *API) AgentTerminalOutput(profileID string) (part backend.AgentTerminal, err error) {
	err = a.ofProfile(profileID, func(_ context.Context, m *agentauth.Manager) error {
		part, err = m.Output(profileID)
		return err
	})
	return part, err
}

// ofProfile calls do with the manager of the custom agents' sign-ins. It returns an error if there is no
// such agent, or if it uses the GitHub sign-in.
func (a *API) ofProfile(profileID string, do func(ctx context.Context, m *agentauth.Manager) error) error {
	return a.Call(func(ctx context.Context, e *Engine) error {
		p, err := e.Setup.CustomAgent(profileID)
		if err != nil {
			return err
		}
		if p.GitHub {
			return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("%s uses your GitHub sign-in.", p.Name)}
		}
		return do(ctx, e.agentAuth)
	})
}

// newAgentAuth creates the manager of the custom agents' own sign-ins.
func (e *Engine) newAgentAuth() *agentauth.Manager {
	return agentauth.New(agentauth.Config{
		Launch: e.Agents.launchOutside,
		Command: func(profileID string) (path string, args []string) {
			p, err := e.Setup.CustomAgent(profileID)
			if err == nil {
				path, _ = environment.LookUp(p.Command, e.LoginPath())
			}
			return path, p.Args
		},
		HasVariable: func(profileID, name string) bool {
			p, err := e.Setup.CustomAgent(profileID)
			return err == nil && p.Key != backend.KeyMissing && slices.Contains(p.Env, name)
		},
		SaveVariables: func(ctx context.Context, profileID string, values map[string]string) error {
			p, err := e.Setup.CustomAgent(profileID)
			if err != nil {
				return err
			}
			for name := range values {
				if !slices.Contains(p.Env, name) {
					p.Env = append(p.Env, name)
				}
			}
			slices.Sort(p.Env)
			_, err = e.Setup.SaveProfile(ctx, p, values)
			return err
		},
		SignedIn: e.Agents.signedInItself, SignedOut: e.Agents.outdate,
		Publish: e.Bus.Publish, Redact: e.Redacted, Version: e.Config.Build.Version, Log: e.Log,
	})
}

// announceSignIn passes on the sign-in methods of a chat's agent if it is a custom agent with its own sign-in.
func (e *Engine) announceSignIn(chatID string, s signin.Offer) {
	chat, err := e.Chats.Get(chatID)
	if err != nil {
		return
	}
	if p, err := e.Setup.CustomAgent(chat.ProviderID); err == nil && !p.GitHub {
		e.agentAuth.Announced(p.ID, s)
	}
}

// launchOutside returns the parameters for starting a custom agent outside any chat. The agent isn't in a sandbox.
func (g *agents) launchOutside(ctx context.Context, profileID string) (agent.Launch, error) {
	l, err := g.launchProfile(ctx, backend.Chat{ProviderID: profileID})
	if l.Env != nil {
		l.Env = append(l.Env, "PATH="+g.e.LoginPath())
	}
	l.Redact = g.e.Redacted
	var why *launchError
	if errors.As(err, &why) {
		err = &backend.Error{Code: backend.CodeUnavailable, Message: why.Message}
	}
	return l, err
}

// signedInItself marks the running agents of a custom agent for a restart with their next message, because they may not
// know of its new sign-in. Agents that wait for the sign-in try again.
func (g *agents) signedInItself(profileID string) {
	g.mu.Lock()
	all := maps.Clone(g.byChat)
	g.mu.Unlock()
	for chatID, a := range all {
		chat, err := g.e.Chats.Get(chatID)
		switch c := a.Connection(); {
		case err != nil || chat.ProviderID != profileID:
		case hasProcess(c.State):
			g.outdateChat(chatID)
		case c.State == backend.ConnectionNeedsLogin:
			g.e.tasks.Go(a.Retry)
		}
	}
}
