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
	"github.com/voxpilot/voxpilot/backend/copilot"
)

// What the window can ask for about the user's sign-in at GitHub. As in app.go,
// each method returns at once.

// SignIn begins a sign-in by a code; SignIn events tell the rest.
func (a *App) SignIn() error {
	return a.call(func(ctx context.Context, e *engine) error {
		e.cancelSignInCLI()
		return e.auth.SignIn(ctx)
	})
}

// SignInToken signs in with a token that the user pasted.
func (a *App) SignInToken(token string) error {
	return a.call(func(ctx context.Context, e *engine) error { return e.auth.UseToken(ctx, token) })
}

// SignInCLI has the Copilot CLI sign in by itself; SignIn events tell the rest.
func (a *App) SignInCLI() error {
	return a.call(func(_ context.Context, e *engine) error {
		e.auth.CancelSignIn()
		e.signInCLI(e.auth.SignedInByCLI)
		return nil
	})
}

// CancelSignIn gives up the sign-in that is under way.
func (a *App) CancelSignIn() error {
	return a.call(func(_ context.Context, e *engine) error {
		e.cancelSignInCLI()
		e.auth.CancelSignIn()
		return nil
	})
}

// SignOut forgets the user's sign-in and stops the agents that have it. The
// window asked before: where it is the Copilot CLI's own, it ends in the user's
// terminal too.
func (a *App) SignOut() error {
	return a.call(func(ctx context.Context, e *engine) error { return e.signOut(ctx) })
}

// CheckAccount asks GitHub about the sign-in again; the answer comes as an event.
func (a *App) CheckAccount() error {
	return a.call(func(ctx context.Context, e *engine) error { return e.auth.Recheck(ctx) })
}

// newAuth is the desk where the user's sign-in is kept.
func (e *engine) newAuth(logins []backend.Login) *auth.Desk {
	return auth.New(auth.Config{
		Version: version, Keys: &e.keys, Logins: logins,
		Getenv: e.app.getenv, Settings: e.currentSettings, ClientID: githubClientID,
		GH:       e.findGH,
		CLILogin: e.cliLogin,
		Base:     githubBase,
		Publish:  e.feed.Publish, Commit: e.feed.Commit,
		Pin: func(ctx context.Context, source backend.TokenSource) error {
			_, err := e.changeSettings(ctx, func(s *backend.Settings) { s.SignIn = source })
			return err
		},
		Redact:  e.app.redact,
		Changed: func(signedIn bool) { e.agents.tokenChanged(signedIn) },
		Through: e.shell.through,
		Log:     e.app.log,
	})
}

func (e *engine) findGH(context.Context) string {
	path, _ := lookUp("gh", e.loginPath())
	return path
}

// account is what the window was told of the sign-in last.
func (e *engine) account() backend.Account {
	for _, ev := range e.feed.Held() {
		if ev.Account != nil {
			return *ev.Account
		}
	}
	return backend.Account{State: backend.AccountUnknown}
}

func (e *engine) signOut(ctx context.Context) error {
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
func (e *engine) signOutCLI(ctx context.Context) error {
	cli := e.usableCLI()
	if err := agent.LaunchErrorOf(cli); err != nil {
		return &backend.Error{Code: backend.CodeUnavailable, Message: err.Message}
	}
	l := agent.Launch{Path: cli.Path, Args: copilot.Args(), Env: append(foreignEnv(e.environ()), "PATH="+e.loginPath()), Redact: e.app.redacted}
	if home := e.cliHome(); home != "" {
		l.Env = append(l.Env, "COPILOT_HOME="+home)
	}
	if host := os.Getenv(hostVar); host != "" {
		l.Env = append(l.Env, hostVar+"="+host)
	}
	if err := agent.Logout(ctx, l, version, e.app.log); err != nil {
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
func (a *App) getenv(name string) string {
	if token, ok := a.tokens[name]; ok {
		return token
	}
	return os.Getenv(name)
}

// environ is the environment that VoxPilot was started with, for another
// VoxPilot and for nobody else.
func (a *App) environ() []string {
	env := os.Environ()
	for _, name := range slices.Sorted(maps.Keys(a.tokens)) {
		env = append(env, name+"="+a.tokens[name])
	}
	return env
}
