package engine

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/auth"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/environment"
)

// These methods of the API start or cancel a sign-in. They return before it has ended.

// SignIn starts a sign-in by device flow. SignIn events report its progress.
func (a *API) SignIn() error {
	return a.Call(func(ctx context.Context, e *Engine) error {
		e.cliSignIn.Cancel()
		return e.Auth.SignIn(ctx)
	})
}

// SignInCLI starts the Copilot CLI's own sign-in. SignIn events report its progress.
func (a *API) SignInCLI() error {
	return a.Call(func(_ context.Context, e *Engine) error {
		e.Auth.CancelSignIn()
		e.tasks.Go(e.cliSignIn.Begin(e.ctx, e.Auth.SignedInByCLI))
		return nil
	})
}

// CancelSignIn cancels the sign-in in progress.
func (a *API) CancelSignIn() error {
	return a.Call(func(_ context.Context, e *Engine) error {
		e.cliSignIn.Cancel()
		e.Auth.CancelSignIn()
		return nil
	})
}

// newAuth creates the manager of the user's sign-in.
func (e *Engine) newAuth(logins []backend.Login) *auth.Manager {
	return auth.New(auth.Config{
		Version: e.Config.Build.Version, Keys: &e.keys, Logins: logins,
		Getenv: e.Tokens.Get, Settings: e.Setup.Settings, ClientID: e.Config.Build.ClientID,
		GH:       e.findGH,
		CLILogin: e.cliLogin,
		Base:     GitHubBase,
		Publish:  e.Bus.Publish, Commit: e.Bus.Commit,
		Pin: func(ctx context.Context, source backend.TokenSource) error {
			_, err := e.Setup.Change(ctx, func(s *backend.Settings) { s.SignIn = source })
			return err
		},
		Redact:        e.redact,
		TokenChanged:  func(signedIn bool) { e.Agents.tokenChanged(signedIn) },
		WrapTransport: e.Shell.WrapTransport,
		Log:           e.Log,
	})
}

func (e *Engine) findGH(context.Context) string {
	path, _ := environment.LookUp("gh", e.LoginPath())
	return path
}

// account returns the last published state of the sign-in.
func (e *Engine) account() backend.Account {
	for _, ev := range e.Bus.Retained() {
		if ev.Account != nil {
			return *ev.Account
		}
	}
	return backend.Account{State: backend.AccountUnknown}
}

func (e *Engine) signOut(ctx context.Context) error {
	e.cliSignIn.Cancel()
	if e.account().Source != backend.SourceCLI {
		if err := e.Auth.SignOut(ctx); err != nil {
			return err
		}
		e.Agents.stopSignedIn()
		return nil
	}
	if err := e.signOutCLI(ctx); err != nil {
		return err
	}
	e.Agents.stopSignedIn()
	e.Auth.SignedInByCLI(false)
	return nil
}

// signOutCLI removes the Copilot CLI's own sign-in.
func (e *Engine) signOutCLI(ctx context.Context) error {
	cli := e.usableCLI()
	if err := agent.LaunchErrorOf(cli); err != nil {
		return &backend.Error{Code: backend.CodeUnavailable, Message: err.Message}
	}
	l := agent.Launch{Path: cli.Path, Args: copilot.Args(), Env: append(environment.WithoutGitHub(e.environ()), "PATH="+e.LoginPath()), Redact: e.Redacted}
	if home := e.cliHome(); home != "" {
		l.Env = append(l.Env, "COPILOT_HOME="+home)
	}
	if host := os.Getenv(environment.HostVar); host != "" {
		l.Env = append(l.Env, environment.HostVar+"="+host)
	}
	if err := agent.Logout(ctx, l, e.Config.Build.Version, e.Log); err != nil {
		return err
	}
	// The CLI reports success even if it did nothing, for example because there is no network.
	if login, known := e.cliLogin(ctx); known && login != "" {
		return &backend.Error{Code: backend.CodeAgent, Message: backend.Say("Copilot CLI didn't sign %s out. Run it in a terminal and type /logout.", login)}
	}
	return nil
}

// hideTokenFlag makes the Copilot CLI withhold the token from its commands and MCP servers.
const hideTokenFlag = "--secret-env-vars=" + environment.TokenVar

// signedIn returns the launch parameters l with the user's token added, after checking the token with GitHub. If the
// CLI's own sign-in is used, there is no token to add. copilot is true if the agent is a Copilot CLI.
func (g *agents) signedIn(ctx context.Context, chatID string, l agent.Launch, copilot bool) (agent.Launch, error) {
	token, refusal := g.e.Auth.Check(ctx)
	if refusal != nil {
		return l, &launchError{agent.LaunchError{Cause: refusal.Cause, Message: refusal.Message}}
	}
	l.TokenChecked, l.Unreached = token.Verified, !token.Reachable
	if token.Secret == "" {
		return l, nil
	}
	g.mu.Lock()
	g.hasToken[chatID] = true
	g.mu.Unlock()
	l.Env, l.Secrets = append(l.Env, environment.TokenVar+"="+token.Secret), append(l.Secrets, token.Secret)
	if copilot {
		l.Args = append(slices.Clone(l.Args), hideTokenFlag)
	}
	return l, nil
}

// isCopilot reports whether a program is a Copilot CLI, judging by its name.
func isCopilot(program string) bool {
	name := filepath.Base(program)
	return strings.EqualFold(strings.TrimSuffix(name, filepath.Ext(name)), "copilot")
}

// signInCause returns the likely reason why a chat's agent asked for a sign-in
// (agent.Config.SignInCause).
func (g *agents) signInCause(ctx context.Context, chatID string) (backend.Cause, backend.Message) {
	if !g.usesGitHub(chatID) {
		if chat, err := g.e.Chats.Get(chatID); err == nil && g.e.Setup.IsCustomAgent(chat.ProviderID) {
			g.e.agentAuth.Refused(chat.ProviderID)
		}
		return backend.CauseNotSignedIn, backend.Message{}
	}
	if g.takeStale(chatID) { // the running agent has an older token
		return backend.CauseNone, backend.Message{}
	}
	r := g.e.Auth.RefusalCause(ctx)
	if r.Cause == backend.CauseNone {
		g.takeStale(chatID) // clears the mark, because the agent restarts now in any case
	}
	return r.Cause, r.Message
}

// takeStale clears the mark that makes the chat's agent restart with the next message, and reports whether
// it was set. It must be called only if the agent restarts now.
func (g *agents) takeStale(chatID string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	stale := g.stale[chatID]
	delete(g.stale, chatID)
	return stale
}

// usesGitHub reports whether the chat's agent is launched with the user's GitHub sign-in.
func (g *agents) usesGitHub(chatID string) bool {
	chat, err := g.e.Chats.Get(chatID)
	if err != nil {
		return false
	}
	if chat.ProviderID == backend.ProviderCopilot {
		return true
	}
	p, err := g.e.Setup.CustomAgent(chat.ProviderID)
	return err == nil && p.GitHub
}

// signedInAgents returns the agents that use the user's GitHub sign-in, or used it in their last run. The keys of the
// map are chat IDs.
func (g *agents) signedInAgents() map[string]*agent.Agent {
	g.mu.Lock()
	all, given := maps.Clone(g.byChat), maps.Clone(g.hasToken)
	g.mu.Unlock()
	maps.DeleteFunc(all, func(chatID string, _ *agent.Agent) bool { return !given[chatID] && !g.usesGitHub(chatID) })
	return all
}

// tokenChanged marks the running agents, which have the old token, for a restart with their next message. If signedIn
// is true, agents that are waiting for a sign-in try again in the background.
func (g *agents) tokenChanged(signedIn bool) {
	for chatID, a := range g.signedInAgents() {
		switch c := a.Connection(); {
		case hasProcess(c.State):
			g.mu.Lock()
			if g.byChat[chatID] == a {
				g.stale[chatID] = true
			}
			g.mu.Unlock()
		case signedIn && (c.State == backend.ConnectionNeedsLogin || c.State == backend.ConnectionWaiting && c.Cause == backend.CauseOffline):
			g.e.tasks.Go(a.Retry)
		}
	}
}

// modelFailed rechecks the sign-in after a model call has failed for an agent that uses
// the sign-in. A running process gives no other sign that its token was rejected.
func (g *agents) modelFailed(ctx context.Context, chatID string) {
	if g.usesGitHub(chatID) {
		_ = g.e.Auth.Recheck(ctx) // only starts the check
	}
}

// stopSignedIn stops the agents that have the user's token or are about to receive it, and cancels all drafts of commit
// messages.
func (g *agents) stopSignedIn() {
	g.e.CommitMessages.CancelAll()
	for _, a := range g.signedInAgents() {
		if s := a.Connection().State; hasProcess(s) || s == backend.ConnectionChecking {
			a.Stop()
		}
	}
}

// hasProcess reports whether an agent in state s has a process.
func hasProcess(s backend.ConnectionState) bool {
	return s == backend.ConnectionStarting || s == backend.ConnectionRestoring || s == backend.ConnectionReady
}
