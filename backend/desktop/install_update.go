package desktop

import (
	"context"
	"log/slog"
	"path/filepath"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/logfile"
	"github.com/voxpilot/voxpilot/backend/store"
)

// InstallUpdate puts the version that the user wants into place, and starts it.
// It is called when all else of this process has ended.
func (d *Desktop) InstallUpdate() {
	p := d.next.Load()
	if p == nil {
		return
	}
	log := d.API.Log
	if file, err := logfile.Open(filepath.Join(d.API.Dir, "logs"), slog.LevelInfo); err == nil { // it was closed with the app
		defer func() { _ = file.Close() }()
		log = file.Logger
	}
	readable := func() bool {
		return store.Inspect(context.Background(), d.API.Dir).Storage.State != backend.StorageNewer
	}
	if err := p.Install(d.API.Tokens.Environ(), readable, log); err != nil {
		log.Error("the update was not installed", "version", p.Version, "err", err)
	}
}
