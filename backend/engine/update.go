package engine

import (
	"context"
	"path/filepath"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/update"
)

// InstallUpdate quits VoxPilot, installs the downloaded version and starts it. It returns an error if no version is
// ready or chats are running, and does nothing if an installation is already in progress.
func (a *API) InstallUpdate() error {
	return a.Call(func(_ context.Context, e *Engine) error {
		p, err := e.updates.Ready()
		if err != nil {
			return err
		}
		if err := e.checkIdle(); err != nil {
			return err
		}
		if !e.installing.Swap(true) {
			e.tasks.Go(func() { e.install(p) })
		}
		return nil
	})
}

// checkIdle returns an error if chats are running. VoxPilot doesn't restart while they are.
func (e *Engine) checkIdle() error {
	running := e.Chats.Running()
	if running == 0 {
		return nil
	}
	message := backend.Say("A chat is still running. Wait for it to finish, or stop it, then update.")
	if running > 1 {
		message = backend.Say("%d chats are still running. Wait for them to finish, or stop them, then update.", running)
	}
	return &backend.Error{Code: backend.CodeUnavailable, Message: message}
}

// install prepares the update and quits VoxPilot. Desktop.InstallUpdate then installs the update.
func (e *Engine) install(p *update.Package) {
	quit, err := p.Prepare(e.ctx)
	if err == nil && quit {
		err = e.checkIdle() // a chat could have started meanwhile
	}
	if err == nil && quit {
		e.Config.Install(p)
		return
	}
	e.installing.Store(false)
	if err != nil {
		e.updates.Failed(p, err)
	}
}

// newUpdates creates the updater.
func newUpdates(e *Engine) *update.Updater {
	into, err := update.Find()
	if err != nil {
		e.Log.Warn("couldn't determine where VoxPilot is installed", "err", err)
	}
	return update.New(update.Config{
		Feed: e.Config.Build.UpdateFeed, Keys: e.Config.Build.UpdateKey, Source: e.Config.Build.UpdateSource, Version: e.Config.Build.Version, Dir: e.updatesDir(), Install: into,
		IsEnabled:     func() bool { return e.Setup.Settings().CheckUpdates },
		Publish:       func(now backend.Update) { e.Bus.Publish(backend.Event{Update: &now}) },
		Log:           e.Log,
		WrapTransport: e.Shell.WrapTransport,
	})
}

func (h *host) updatesDir() string { return filepath.Join(h.Dir, "updates") }
