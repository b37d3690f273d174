package main

import (
	"context"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/auth"
)

// What the window can ask for about the user's sign-in at GitHub. As in app.go,
// each method returns at once.

// SignIn begins a sign-in by a code; SignIn events tell the rest.
func (a *API) SignIn() error {
	return a.call(func(ctx context.Context, e *Engine) error {
		e.cancelSignInCLI()
		return e.auth.SignIn(ctx)
	})
}

// SignInToken signs in with a token that the user pasted.
func (a *API) SignInToken(token string) error {
	return a.call(func(ctx context.Context, e *Engine) error { return e.auth.UseToken(ctx, token) })
}

// SignInCLI has the Copilot CLI sign in by itself; SignIn events tell the rest.
func (a *API) SignInCLI() error {
	return a.call(func(_ context.Context, e *Engine) error {
		e.auth.CancelSignIn()
		e.signInCLI(e.auth.SignedInByCLI)
		return nil
	})
}

// CancelSignIn gives up the sign-in that is under way.
func (a *API) CancelSignIn() error {
	return a.call(func(_ context.Context, e *Engine) error {
		e.cancelSignInCLI()
		e.auth.CancelSignIn()
		return nil
	})
}

// SignOut forgets the user's sign-in and stops the agents that have it. The
// window asked before: where it is the Copilot CLI's own, it ends in the user's
// terminal too.
func (a *API) SignOut() error {
	return a.call(func(ctx context.Context, e *Engine) error { return e.signOut(ctx) })
}

// CheckAccount asks GitHub about the sign-in again; the answer comes as an event.
func (a *API) CheckAccount() error {
	return a.call(func(ctx context.Context, e *Engine) error { return e.auth.Recheck(ctx) })
}

// newAuth is the desk where the user's sign-in is kept.
func (e *Engine) newAuth(logins []backend.Login) *auth.Desk {
	return auth.New(auth.Config{
		Version: e.cfg.Version, Keys: &e.keys, Logins: logins,
		Getenv: e.getenv, Settings: e.currentSettings, ClientID: e.cfg.Build.ClientID,
		GH:       e.findGH,
		CLILogin: e.cliLogin,
		Base:     githubBase,
		Publish:  e.feed.Publish, Commit: e.feed.Commit,
		Pin: func(ctx context.Context, source backend.TokenSource) error {
			_, err := e.changeSettings(ctx, func(s *backend.Settings) { s.SignIn = source })
			return err
		},
		Redact:  e.redact,
		Changed: func(signedIn bool) { e.agents.tokenChanged(signedIn) },
		Through: e.shell.through,
		Log:     e.log,
	})
}

func (e *Engine) findGH(context.Context) string {
	path, _ := lookUp("gh", e.loginPath())
	return path
}

// account is what the window was told of the sign-in last.
func (e *Engine) account() backend.Account {
	for _, ev := range e.feed.Held() {
		if ev.Account != nil {
			return *ev.Account
		}
	}
	return backend.Account{State: backend.AccountUnknown}
}

func (e *Engine) signOut(ctx context.Context) error {
	e.cancelSignInCLI()
	if e.account().Source != backend.SourceCLI {
		if err := e.auth.SignOut(ctx); err != nil {
			return err
		}
		e.agents.stopSignedIn()
		return nil
	}
	if err := e.signOutCLI(ctx); err != nil {
		return err
	}
	e.agents.stopSignedIn()
	e.auth.SignedInByCLI(false)
	return nil
}

// signOutCLI has the Copilot CLI forget its own login.
func (e *Engine) signOutCLI(ctx context.Context) error {
	cli := e.usableCLI()
	if err := agent.LaunchErrorOf(cli); err != nil {
		return &backend.Error{Code: backend.CodeUnavailable, Message: err.Message}
	}
	l := agent.Launch{Path: cli.Path, Args: agent.CLIArgs(), Env: append(foreignEnv(e.environ()), "PATH="+e.loginPath()), Redact: e.redacted}
	if home := e.cliHome(); home != "" {
		l.Env = append(l.Env, "COPILOT_HOME="+home)
	}
	if host := os.Getenv(hostVar); host != "" {
		l.Env = append(l.Env, hostVar+"="+host)
	}
	if err := agent.Logout(ctx, l, e.cfg.Version, e.log); err != nil {
		return err
	}
	// It says that all is well even where it has done nothing, such as without a
	// network.
	if login, known := e.cliLogin(ctx); known && login != "" {
		return &backend.Error{Code: backend.CodeAgent, Message: "The Copilot CLI did not sign " + login + " out. Start it in a terminal and type /logout there."}
	}
	return nil
}

// tokenVar hands a token to an agent, before any other variable and the CLI's
// own login.
const tokenVar = "COPILOT_GITHUB_TOKEN"

// hostVar names the user's GitHub, for the Copilot CLI alone; GH_HOST, which all
// programs of GitHub's read, is passed on to every agent.
const hostVar = "COPILOT_GH_HOST"

// isToken says whether a variable has a token of the user's GitHub account.
func isToken(name string) bool {
	name = strings.ToUpper(name)
	github := strings.HasPrefix(name, "GH_") || strings.HasPrefix(name, "GITHUB_")
	secret := strings.HasSuffix(name, "TOKEN") || strings.HasSuffix(name, "_PAT")
	return name == tokenVar || github && secret
}

// takeTokens takes the user's tokens out of the environment of this process,
// which all that it starts inherits: login shells, git, the browser, and agents
// that have nothing to do with GitHub.
func takeTokens() map[string]string {
	tokens := map[string]string{}
	for _, v := range os.Environ() {
		if name, value, _ := strings.Cut(v, "="); isToken(name) && os.Unsetenv(name) == nil {
			tokens[name] = value
		}
	}
	return tokens
}

// getenv reads the environment that VoxPilot was started with.
func (h *host) getenv(name string) string {
	if token, ok := h.tokens[name]; ok {
		return token
	}
	return os.Getenv(name)
}

// environ is the environment that VoxPilot was started with, for another
// VoxPilot and for nobody else.
func (h *host) environ() []string {
	env := os.Environ()
	for _, name := range slices.Sorted(maps.Keys(h.tokens)) {
		env = append(env, name+"="+h.tokens[name])
	}
	return env
}
