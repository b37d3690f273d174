package engine

import (
	"errors"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/environment"
)

// An installer brings the Copilot CLI onto this machine.
type installer struct {
	id, name string
	command  []string // the program and its arguments
}

// byItself is the CLI's own update.
const byItself = "update"

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
		choices = append(choices, backend.Choice{ID: byItself, Name: "Copilot CLI", Description: "copilot update"})
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
	if how != byItself || cli.State != backend.CLITooOld {
		program = ""
		for _, i := range installers {
			if i.id == how {
				program, _ = environment.LookUp(i.command[0], e.LoginPath())
				args = i.command[1:]
			}
		}
	}
	if program == "" {
		return &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("The Copilot CLI cannot be installed in this way here. Look for it again, and choose one that is offered.")}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.cli.Install != nil && e.cli.Install.Running {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The Copilot CLI is being installed. Wait until that is done.")}
	}
	e.tellInstall(backend.Install{How: how, Running: true})
	e.tasks.Go(func() { e.runInstaller(how, program, args) })
	return nil
}

func (e *Engine) runInstaller(how, program string, args []string) {
	install := backend.Install{How: how, Running: true}
	tell := func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.tellInstall(install)
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
		install.Message = backend.Say("The Copilot CLI was not installed. What was written says why. You can run this in a terminal: %s", strings.Join(append([]string{program}, args...), " "))
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

// tellInstall tells how an installation stands. e.mu is held, so that what is
// told last is what is kept.
func (e *Engine) tellInstall(install backend.Install) {
	e.cli.Install = &install
	cli := e.cli
	e.Feed.Publish(backend.Event{CLI: &cli})
}
