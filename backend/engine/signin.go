package engine

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/environment"
)

// keepToken has the Copilot CLI keep the token from the commands and the MCP
// servers that it runs.
const keepToken = "--secret-env-vars=" + environment.TokenVar

// signedIn adds the user's token to how an agent is started, once GitHub was
// asked about it. To the CLI's own login nothing is to be added.
func (g *agents) signedIn(ctx context.Context, chatID string, l agent.Launch, copilot bool) (agent.Launch, error) {
	token, refusal := g.e.Auth.Check(ctx)
	if refusal != nil {
		return l, &noLaunch{agent.LaunchError{Cause: refusal.Cause, Message: refusal.Message}}
	}
	l.TokenChecked, l.Unreached = token.Verified, !token.Reachable
	if token.Secret == "" {
		return l, nil
	}
	g.mu.Lock()
	g.given[chatID] = true
	g.mu.Unlock()
	l.Env, l.Secrets = append(l.Env, environment.TokenVar+"="+token.Secret), append(l.Secrets, token.Secret)
	if copilot {
		l.Args = append(slices.Clone(l.Args), keepToken)
	}
	return l, nil
}

// isCopilot says whether a program is a Copilot CLI, by its name.
func isCopilot(program string) bool {
	name := filepath.Base(program)
	return strings.EqualFold(strings.TrimSuffix(name, filepath.Ext(name)), "copilot")
}

// refused says why the agent of a chat may have asked for a sign-in
// (agent.Config.Refused).
func (g *agents) refused(ctx context.Context, chatID string) (backend.Cause, backend.Message) {
	if !g.usesGitHub(chatID) {
		return backend.CauseNotSignedIn, backend.Message{}
	}
	if g.wasStale(chatID) { // it has an older token
		return backend.CauseNone, backend.Message{}
	}
	r := g.e.Auth.Refused(ctx)
	if r.Cause == backend.CauseNone {
		g.wasStale(chatID) // It starts afresh now.
	}
	return r.Cause, r.Message
}

// wasStale says whether the chat's agent was to start afresh with its next
// message, which it does without one.
func (g *agents) wasStale(chatID string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	stale := g.stale[chatID]
	delete(g.stale, chatID)
	return stale
}

// usesGitHub says whether the agent of a chat is started with the user's sign-in
// at GitHub.
func (g *agents) usesGitHub(chatID string) bool {
	chat, err := g.e.Chats.Get(chatID)
	if err != nil {
		return false
	}
	if chat.ProviderID == backend.ProviderCopilot {
		return true
	}
	p, err := g.e.Setup.Profile(chat.ProviderID)
	return err == nil && p.GitHub
}

// signedInAgents are the agents that are started with the user's sign-in at
// GitHub, by their chats, and those that were when they ran last.
func (g *agents) signedInAgents() map[string]*agent.Agent {
	g.mu.Lock()
	all, given := maps.Clone(g.byChat), maps.Clone(g.given)
	g.mu.Unlock()
	maps.DeleteFunc(all, func(chatID string, _ *agent.Agent) bool { return !given[chatID] && !g.usesGitHub(chatID) })
	return all
}

// tokenChanged has agents that run with another token start afresh with their
// next message, and those that wait for a sign-in go on, in all chats at once.
func (g *agents) tokenChanged(signedIn bool) {
	for chatID, a := range g.signedInAgents() {
		switch c := a.Connection(); {
		case runs(c.State):
			g.mu.Lock()
			if g.byChat[chatID] == a {
				g.stale[chatID] = true
			}
			g.mu.Unlock()
		case signedIn && (c.State == backend.NeedsLogin || c.State == backend.Waiting && c.Cause == backend.CauseOffline):
			g.e.tasks.Go(a.Retry)
		}
	}
}

// modelFailed looks at the sign-in where a model did not answer an agent that uses
// it: a process that runs says no other way that its token is refused.
func (g *agents) modelFailed(ctx context.Context, chatID string) {
	if g.usesGitHub(chatID) {
		_ = g.e.Auth.Recheck(ctx) // which only begins it
	}
}

// stopSignedIn ends the agents that have the user's token, and those that are
// about to be started with it.
func (g *agents) stopSignedIn() {
	for _, a := range g.signedInAgents() {
		if s := a.Connection().State; runs(s) || s == backend.Checking {
			a.Stop()
		}
	}
}

// runs says whether there is a process in the state.
func runs(s backend.ConnectionState) bool {
	return s == backend.Starting || s == backend.Restoring || s == backend.Ready
}
