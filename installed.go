package main

import (
	"context"
	"log/slog"
	"path/filepath"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/logfile"
	"github.com/voxpilot/voxpilot/backend/store"
)

// installUpdate puts the version that the user wants into place, and starts it.
// It is called when all else of this process has ended.
func (a *App) installUpdate() {
	p := a.next.Load()
	if p == nil {
		return
	}
	log := a.log
	if file, err := logfile.Open(filepath.Join(a.dir, "logs"), slog.LevelInfo); err == nil { // it was closed with the app
		defer func() { _ = file.Close() }()
		log = file.Logger
	}
	readable := func() bool {
		return store.Inspect(context.Background(), a.dir).Storage.State != backend.StorageNewer
	}
	if err := p.Install(a.tokens.Environ(), readable, log); err != nil {
		log.Error("the update was not installed", "version", p.Version, "err", err)
	}
}
