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

// What the window can ask for about the user's sign-in at GitHub. As in app.go,
// each method returns at once.

// SignIn begins a sign-in by a code; SignIn events tell the rest.
func (a *API) SignIn() error {
	return a.Call(func(ctx context.Context, e *Engine) error {
		e.cliSignIn.Cancel()
		return e.Auth.SignIn(ctx)
	})
}

// SignInCLI has the Copilot CLI sign in by itself; SignIn events tell the rest.
func (a *API) SignInCLI() error {
	return a.Call(func(_ context.Context, e *Engine) error {
		e.Auth.CancelSignIn()
		e.tasks.Go(e.cliSignIn.Begin(e.ctx, e.Auth.SignedInByCLI))
		return nil
	})
}

// CancelSignIn gives up the sign-in that is under way.
func (a *API) CancelSignIn() error {
	return a.Call(func(_ context.Context, e *Engine) error {
		e.cliSignIn.Cancel()
		e.Auth.CancelSignIn()
		return nil
	})
}

// newAuth is the manager where the user's sign-in is kept.
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

// account is what the window was told of the sign-in last.
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

// signOutCLI has the Copilot CLI forget its own login.
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
	// It says that all is well even where it has done nothing, such as without a
	// network.
	if login, known := e.cliLogin(ctx); known && login != "" {
		return &backend.Error{Code: backend.CodeAgent, Message: backend.Say("The Copilot CLI didn't sign %s out. Run it in a terminal and type /logout.", login)}
	}
	return nil
}

// hideTokenFlag has the Copilot CLI keep the token from the commands and the MCP
// servers that it runs.
const hideTokenFlag = "--secret-env-vars=" + environment.TokenVar

// signedIn adds the user's token to how an agent is started, once GitHub was
// asked about it. To the CLI's own login nothing is to be added.
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

// isCopilot says whether a program is a Copilot CLI, by its name.
func isCopilot(program string) bool {
	name := filepath.Base(program)
	return strings.EqualFold(strings.TrimSuffix(name, filepath.Ext(name)), "copilot")
}

// signInCause says why the agent of a chat may have asked for a sign-in
// (agent.Config.SignInCause).
func (g *agents) signInCause(ctx context.Context, chatID string) (backend.Cause, backend.Message) {
	if !g.usesGitHub(chatID) {
		return backend.CauseNotSignedIn, backend.Message{}
	}
	if g.isStale(chatID) { // it has an older token
		return backend.CauseNone, backend.Message{}
	}
	r := g.e.Auth.RefusalCause(ctx)
	if r.Cause == backend.CauseNone {
		g.isStale(chatID) // It starts afresh now.
	}
	return r.Cause, r.Message
}

// isStale says whether the chat's agent was to start afresh with its next
// message, which it does without one.
func (g *agents) isStale(chatID string) bool {
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
	p, err := g.e.Setup.CustomAgent(chat.ProviderID)
	return err == nil && p.GitHub
}

// signedInAgents are the agents that are started with the user's sign-in at
// GitHub, by their chats, and those that were when they ran last.
func (g *agents) signedInAgents() map[string]*agent.Agent {
	g.mu.Lock()
	all, given := maps.Clone(g.byChat), maps.Clone(g.hasToken)
	g.mu.Unlock()
	maps.DeleteFunc(all, func(chatID string, _ *agent.Agent) bool { return !given[chatID] && !g.usesGitHub(chatID) })
	return all
}

// tokenChanged has agents that run with another token start afresh with their
// next message, and those that wait for a sign-in go on, in all chats at once.
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
		if s := a.Connection().State; hasProcess(s) || s == backend.ConnectionChecking {
			a.Stop()
		}
	}
}

// hasProcess says whether there is a process in the state.
func hasProcess(s backend.ConnectionState) bool {
	return s == backend.ConnectionStarting || s == backend.ConnectionRestoring || s == backend.ConnectionReady
}
