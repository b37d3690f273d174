package engine

import (
	"cmp"
	"context"
	"errors"
	"os"
	"strings"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/environment"
)

// cliSignIn is the sign-in of the Copilot CLI by itself: at most one runs.
type cliSignIn struct {
	mu   sync.Mutex
	stop context.CancelFunc // nil while none runs
	over chan struct{}      // closed when the one that runs has ended
}

// signInCLI has the Copilot CLI sign in by itself, in the place of a sign-in of
// its that is under way, and returns at once: SignIn events tell the rest, and
// ended is told whether it is signed in.
func (e *Engine) signInCLI(ended func(ok bool)) {
	e.cancelSignInCLI()
	ctx, stop := context.WithCancel(e.ctx)
	over := make(chan struct{})
	s := &e.cliSignIn
	s.mu.Lock()
	before := s.over
	s.stop, s.over = stop, over
	s.mu.Unlock()
	e.Feed.Publish(backend.Event{SignIn: &backend.SignIn{State: backend.SignInStarting, CLI: true}})
	e.tasks.Go(func() {
		defer close(over)
		defer stop()
		if before != nil {
			<-before
		}
		in := e.runCLISignIn(ctx)
		s.mu.Lock()
		// One that was given up, or whose place was taken, has nothing more to say:
		// what came after it may have begun to.
		last := s.over == over && s.stop != nil
		if last {
			s.stop = nil
		}
		s.mu.Unlock()
		if last {
			e.Feed.Publish(backend.Event{SignIn: &in})
		}
		if ok := in.State == backend.SignInDone; last || ok {
			ended(ok)
		}
	})
}

// cancelSignInCLI gives up the sign-in of the CLI that is under way.
func (e *Engine) cancelSignInCLI() {
	s := &e.cliSignIn
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop == nil {
		return
	}
	s.stop()
	s.stop = nil
	e.Feed.Publish(backend.Event{SignIn: &backend.SignIn{State: backend.SignInNone, CLI: true}})
}

// runCLISignIn is how a sign-in of the CLI ended.
func (e *Engine) runCLISignIn(ctx context.Context) backend.SignIn {
	in := backend.SignIn{State: backend.SignInStarting, CLI: true}
	err := e.tryCLISignIn(ctx, func(text string) {
		in.State, in.Output = backend.SignInWaiting, e.Redacted(text)
		in.Code, in.URL = copilot.LoginPrompt(text)
		told := in
		e.cliSignIn.mu.Lock()
		defer e.cliSignIn.mu.Unlock()
		if ctx.Err() == nil {
			e.Feed.Publish(backend.Event{SignIn: &told})
		}
	})
	in.Code, in.URL = "", "" // neither can be used any more
	var failed *backend.Error
	switch {
	case err == nil:
		return backend.SignIn{State: backend.SignInDone, CLI: true}
	case ctx.Err() != nil:
		return backend.SignIn{State: backend.SignInNone, CLI: true}
	case errors.As(err, &failed):
		in.State, in.Message = backend.SignInFailed, failed.Message
	default:
		in.State, in.Message = backend.SignInFailed, err.Error()
	}
	e.Log.Warn("the Copilot CLI could not sign in", "err", err)
	return in
}

func (e *Engine) tryCLISignIn(ctx context.Context, out func(text string)) error {
	cli := e.usableCLI()
	if err := agent.LaunchErrorOf(cli); err != nil {
		return &backend.Error{Code: backend.CodeUnavailable, Message: err.Message}
	}
	// A token of VoxPilot's surroundings is another sign-in than this one.
	env := append(environment.WithoutGitHub(e.environ()), "PATH="+e.LoginPath())
	if home := e.cliHome(); home != "" {
		env = append(env, "COPILOT_HOME="+home)
	}
	path, args, err := copilot.LoginProgram(ctx, cli.Path, copilot.Args(), env)
	if err != nil {
		return err
	}
	if host := cliHost(os.Getenv); host != "" {
		args = append(args, "--host", host) // the CLI's sign-in does not read the variables itself
	}
	return copilot.Login(ctx, path, args, env, out)
}

// cliHost is the address of the GitHub that the CLI uses, "" for github.com.
func cliHost(getenv func(string) string) string {
	host := getenv("COPILOT_GH_HOST")
	if host == "" {
		host = getenv("GH_HOST")
	}
	switch {
	case host == "" || strings.EqualFold(host, "github.com"):
		return ""
	case strings.Contains(host, "://"):
		return host
	}
	return "https://" + host
}

// cliHome is the COPILOT_HOME that is used where no session says otherwise; ""
// is the CLI's default.
func (e *Engine) cliHome() string { return CLIHome(e.Setup.Settings()) }

func CLIHome(s backend.Settings) string { return cmp.Or(s.CopilotHome, os.Getenv("COPILOT_HOME")) }

// cliLogin is the login that the Copilot CLI has of its own (auth.Config).
func (e *Engine) cliLogin(context.Context) (login string, known bool) {
	return copilot.CLILogin(e.cliHome())
}
