package engine

import (
	"context"
	"os"

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

// newAuth is the desk where the user's sign-in is kept.
func (e *Engine) newAuth(logins []backend.Login) *auth.Desk {
	return auth.New(auth.Config{
		Version: e.Config.Build.Version, Keys: &e.keys, Logins: logins,
		Getenv: e.Tokens.Get, Settings: e.Setup.Settings, ClientID: e.Config.Build.ClientID,
		GH:       e.findGH,
		CLILogin: e.cliLogin,
		Base:     GitHubBase,
		Publish:  e.Feed.Publish, Commit: e.Feed.Commit,
		Pin: func(ctx context.Context, source backend.TokenSource) error {
			_, err := e.Setup.Change(ctx, func(s *backend.Settings) { s.SignIn = source })
			return err
		},
		Redact:  e.redact,
		Changed: func(signedIn bool) { e.Agents.tokenChanged(signedIn) },
		Through: e.Shell.Through,
		Log:     e.Log,
	})
}

func (e *Engine) findGH(context.Context) string {
	path, _ := environment.LookUp("gh", e.LoginPath())
	return path
}

// account is what the window was told of the sign-in last.
func (e *Engine) account() backend.Account {
	for _, ev := range e.Feed.Held() {
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
		return &backend.Error{Code: backend.CodeAgent, Message: backend.Say("The Copilot CLI did not sign %s out. Start it in a terminal and type /logout there.", login)}
	}
	return nil
}
