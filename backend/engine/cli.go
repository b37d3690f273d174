package engine

import (
	"context"
	"os"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
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
	e.cli.Looking = true
	looking := e.cli
	e.Feed.Publish(backend.Event{CLI: &looking})
	e.mu.Unlock()
	found := copilot.Find(e.ctx, e.Setup.Settings().CLIPath, e.Shell.Lately)
	found.Installers = e.installersFor(found)
	e.mu.Lock()
	found.Install = e.cli.Install
	found.LookedAt = max(backend.Now(), e.cli.LookedAt+1) // each answer is another, also the same one
	e.cli = found
	e.Feed.Publish(backend.Event{CLI: &found})
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
