package engine

import (
	"cmp"
	"context"
	"os"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/environment"
)

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
	if host := copilot.Host(os.Getenv); host != "" {
		args = append(args, "--host", host) // the CLI's sign-in does not read the variables itself
	}
	return copilot.Login(ctx, path, args, env, out)
}

// cliHome is the COPILOT_HOME that is used where no session says otherwise; ""
// is the CLI's default.
func (e *Engine) cliHome() string { return CLIHome(e.Setup.Settings()) }

// CLIHome is the COPILOT_HOME of the settings, or else of the environment; "" is the
// CLI's default.
func CLIHome(s backend.Settings) string { return cmp.Or(s.CopilotHome, os.Getenv("COPILOT_HOME")) }

// cliLogin is the login that the Copilot CLI has of its own (auth.Config).
func (e *Engine) cliLogin(context.Context) (login string, known bool) {
	return copilot.CLILogin(e.cliHome())
}
