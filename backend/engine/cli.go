package engine

import (
	"cmp"
	"context"
	"errors"
	"os"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/environment"
)

// CheckCLI detects the Copilot CLI again. The result arrives as an event.
func (a *API) CheckCLI() error {
	return a.Call(func(_ context.Context, e *Engine) error {
		e.tasks.Go(func() { e.findCLI() })
		return nil
	})
}

// findCLI detects the Copilot CLI. It publishes an event when the detection starts, and another one with the result.
func (e *Engine) findCLI() backend.CLI {
	e.findMu.Lock()
	defer e.findMu.Unlock()
	e.mu.Lock()
	e.cli.Detecting = true
	looking := e.cli
	e.Bus.Publish(backend.Event{CLI: &looking})
	e.mu.Unlock()
	found := copilot.Find(e.ctx, e.Setup.Settings().CLIPath, e.Shell.Recent)
	found.Installers = copilot.InstallersFor(found, e.lookUp)
	e.mu.Lock()
	found.Install = e.cli.Install
	found.DetectedAt = max(backend.Now(), e.cli.DetectedAt+1) // distinguishes identical results
	e.cli = found
	e.Bus.Publish(backend.Event{CLI: &found})
	e.mu.Unlock()
	e.Log.Info("searched for the Copilot CLI", "state", found.State, "path", found.Path, "version", found.Version)
	if found.State == backend.CLIFound {
		e.Agents.cliFound()
	}
	return found
}

// CLI returns the last detected CLI.
func (e *Engine) CLI() backend.CLI {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.cli
}

// usableCLI returns the last detected CLI, detecting it again if it isn't usable.
func (e *Engine) usableCLI() backend.CLI {
	if cli := e.CLI(); cli.State == backend.CLIFound && isFile(cli.Path) {
		return cli
	}
	return e.findCLI()
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func (e *Engine) tryCLISignIn(ctx context.Context, out func(text string)) error {
	cli := e.usableCLI()
	if err := agent.LaunchErrorOf(cli); err != nil {
		return &backend.Error{Code: backend.CodeUnavailable, Message: err.Message}
	}
	// With a token in its environment, the CLI would use that token instead of its own sign-in.
	env := append(environment.WithoutGitHub(e.environ()), "PATH="+e.LoginPath())
	if home := e.cliHome(); home != "" {
		env = append(env, "COPILOT_HOME="+home)
	}
	path, args, err := copilot.LoginProgram(ctx, cli.Path, copilot.Args(), env)
	if err != nil {
		return err
	}
	if host := copilot.Host(os.Getenv); host != "" {
		args = append(args, "--host", host) // the CLI's sign-in ignores the environment variables that set the host
	}
	return copilot.Login(ctx, path, args, env, out)
}

// cliHome returns the value of COPILOT_HOME for sessions that don't have their own; "" means the CLI's default.
func (e *Engine) cliHome() string { return CLIHome(e.Setup.Settings()) }

// CLIHome returns the value of COPILOT_HOME from the settings or, if it isn't set there, from the environment; ""
// means the CLI's default.
func CLIHome(s backend.Settings) string { return cmp.Or(s.CopilotHome, os.Getenv("COPILOT_HOME")) }

// cliLogin returns the user name of the CLI's own sign-in (auth.Config). known is false if the configuration doesn't
// show whether the CLI is signed in.
func (e *Engine) cliLogin(context.Context) (login string, known bool) {
	return copilot.CLILogin(e.cliHome())
}

// lookUp returns the path of a program on the user's PATH, or "" if it isn't found.
func (e *Engine) lookUp(program string) string {
	path, _ := environment.LookUp(program, e.LoginPath())
	return path
}

// installCLI runs the installer with the given ID in the background, and then detects the CLI again. It returns
// CodeNotFound if this computer doesn't have the installer, and CodeUnavailable while an installation is running.
func (e *Engine) installCLI(how string) error {
	cli := e.CLI()
	program, args := cli.Path, []string{"update"}
	if how != copilot.SelfUpdate || cli.State != backend.CLITooOld {
		program, args = copilot.Installer(how, e.lookUp)
	}
	if program == "" {
		return &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("Copilot CLI can't be installed that way on this computer. Check again and choose an available option.")}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.cli.Install != nil && e.cli.Install.Running {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Copilot CLI is being installed. Wait for the installation to finish.")}
	}
	e.publishInstall(backend.Install{How: how, Running: true})
	e.tasks.Go(func() { e.runInstaller(how, program, args) })
	return nil
}

func (e *Engine) runInstaller(how, program string, args []string) {
	install := backend.Install{How: how, Running: true}
	tell := func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.publishInstall(install)
	}
	env := append(environment.WithoutGitHub(e.environ()), "PATH="+e.LoginPath())
	out := func(text string) {
		install.Output = e.Redacted(text)
		tell()
	}
	var err error
	if how == "npm" {
		err = copilot.InstallByNPM(e.ctx, program, env, out)
	} else {
		err = copilot.Install(e.ctx, program, args, env, out)
	}
	install.Running = false
	if err != nil {
		install.Message = backend.Say("Couldn't install Copilot CLI. See the output for details, or run this in a terminal: %s", strings.Join(append([]string{program}, args...), " "))
		if own := (*backend.Error)(nil); errors.As(err, &own) {
			install.Message = own.Message
		}
		e.Log.Warn("couldn't install the Copilot CLI", "how", how, "err", err)
	}
	tell()
	if e.ctx.Err() == nil {
		e.findCLI()
	}
}

// publishInstall stores the state of an installation in e.cli and publishes it. The caller must hold e.mu, so that the
// states are published in the order in which they are stored.
func (e *Engine) publishInstall(install backend.Install) {
	e.cli.Install = &install
	cli := e.cli
	e.Bus.Publish(backend.Event{CLI: &cli})
}
