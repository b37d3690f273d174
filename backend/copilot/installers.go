package copilot

import (
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// installer is a way to install the Copilot CLI.
type installer struct {
	id, name string
	command  []string // program and arguments
}

// SelfUpdate is the ID of the installer that runs the CLI's own update command.
const SelfUpdate = "update"

var installers = []installer{
	{"npm", "npm", []string{"npm", "install", "-g", Pinned.Spec()}},
	{"brew", "Homebrew", []string{"brew", "install", "copilot-cli"}},
	{"winget", "WinGet", []string{"winget", "install", "--id", "GitHub.Copilot", "--exact", "--accept-source-agreements", "--accept-package-agreements", "--disable-interactivity"}},
}

// InstallersFor returns the available ways to install or update an unusable CLI. lookUp returns the path of a
// program, or "" if the program isn't found.
func InstallersFor(cli backend.CLI, lookUp func(program string) string) (choices []backend.Choice) {
	if cli.State == backend.CLIFound || cli.State == backend.CLIChecking {
		return nil
	}
	if cli.State == backend.CLITooOld {
		choices = append(choices, backend.Choice{ID: SelfUpdate, Name: "copilot update", Description: "copilot update"})
	}
	for _, i := range installers {
		if lookUp(i.command[0]) != "" {
			choices = append(choices, backend.Choice{ID: i.id, Name: i.name, Description: strings.Join(i.command, " ")})
		}
	}
	return choices
}

// Installer returns the program of the installer with the given ID, and the arguments to run it with. path is
// "" if the installer or its program isn't available.
func Installer(id string, lookUp func(program string) string) (path string, args []string) {
	for _, i := range installers {
		if i.id == id {
			return lookUp(i.command[0]), i.command[1:]
		}
	}
	return "", nil
}
