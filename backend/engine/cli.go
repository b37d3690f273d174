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

// CheckCLI looks for the Copilot CLI again; the answer comes as an event.
func (a *API) CheckCLI() error {
	return a.Call(func(_ context.Context, e *Engine) error {
		e.tasks.Go(func() { e.findCLI() })
		return nil
	})
}

// findCLI looks for the Copilot CLI, and publishes that it does and what it found.
func (e *Engine) findCLI() backend.CLI {
	e.finding.Lock()
	defer e.finding.Unlock()
	e.mu.Lock()
	e.cli.Detecting = true
	looking := e.cli
	e.Bus.Publish(backend.Event{CLI: &looking})
	e.mu.Unlock()
	found := copilot.Find(e.ctx, e.Setup.Settings().CLIPath, e.Shell.Recent)
	found.Installers = e.installersFor(found)
	e.mu.Lock()
	found.Install = e.cli.Install
	found.DetectedAt = max(backend.Now(), e.cli.DetectedAt+1) // each answer is another, also the same one
	e.cli = found
	e.Bus.Publish(backend.Event{CLI: &found})
	e.mu.Unlock()
	e.Log.Info("looked for the Copilot CLI", "state", found.State, "path", found.Path, "version", found.Version)
	if found.State == backend.CLIFound {
		e.Agents.cliFound()
	}
	return found
}

// CLI is the CLI as it was found last.
func (e *Engine) CLI() backend.CLI {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.cli
}

// usableCLI is the CLI found last, looked for again where that cannot be used.
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

// An installer brings the Copilot CLI onto this machine.
type installer struct {
	id, name string
	command  []string // the program and its arguments
}

// selfUpdate is the CLI's own update.
const selfUpdate = "update"

var installers = []installer{
	{"npm", "npm", []string{"npm", "install", "-g", copilot.Pinned.Spec()}},
	{"brew", "Homebrew", []string{"brew", "install", "copilot-cli"}},
	{"winget", "WinGet", []string{"winget", "install", "--id", "GitHub.Copilot", "--exact", "--accept-source-agreements", "--accept-package-agreements", "--disable-interactivity"}},
}

// installersFor are the ways by which a CLI that cannot be used can be installed
// or updated here.
func (e *Engine) installersFor(cli backend.CLI) (choices []backend.Choice) {
	if cli.State == backend.CLIFound || cli.State == backend.CLIChecking {
		return nil
	}
	if cli.State == backend.CLITooOld {
		choices = append(choices, backend.Choice{ID: selfUpdate, Name: "Copilot CLI", Description: "copilot update"})
	}
	for _, i := range installers {
		if program, _ := environment.LookUp(i.command[0], e.LoginPath()); program != "" {
			choices = append(choices, backend.Choice{ID: i.id, Name: i.name, Description: strings.Join(i.command, " ")})
		}
	}
	return choices
}

// installCLI runs the installer with the id in the background, and looks for the
// CLI again when it has ended.
func (e *Engine) installCLI(how string) error {
	cli := e.CLI()
	program, args := cli.Path, []string{"update"}
	if how != selfUpdate || cli.State != backend.CLITooOld {
		program = ""
		for _, i := range installers {
			if i.id == how {
				program, _ = environment.LookUp(i.command[0], e.LoginPath())
				args = i.command[1:]
			}
		}
	}
	if program == "" {
		return &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("The Copilot CLI can't be installed that way on this computer. Check again and choose an available option.")}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.cli.Install != nil && e.cli.Install.Running {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The Copilot CLI is being installed. Wait for it to finish.")}
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
		install.Message = backend.Say("Couldn't install the Copilot CLI. See the output for details, or run this in a terminal: %s", strings.Join(append([]string{program}, args...), " "))
		if own := (*backend.Error)(nil); errors.As(err, &own) {
			install.Message = own.Message
		}
		e.Log.Warn("the Copilot CLI was not installed", "how", how, "err", err)
	}
	tell()
	if e.ctx.Err() == nil {
		e.findCLI()
	}
}

// publishInstall tells how an installation stands. e.mu is held, so that what is
// told last is what is kept.
func (e *Engine) publishInstall(install backend.Install) {
	e.cli.Install = &install
	cli := e.cli
	e.Bus.Publish(backend.Event{CLI: &cli})
}
