package main

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/platform/notify"
	"github.com/voxpilot/voxpilot/backend/update"
)

// dataDir is where VoxPilot keeps its own data: the system's place for it, or
// VOXPILOT_DATA_DIR.
func dataDir() string {
	if dir := os.Getenv("VOXPILOT_DATA_DIR"); dir != "" {
		if abs, err := filepath.Abs(dir); err == nil {
			return abs
		}
		return dir
	}
	return filepath.Join(xdg.DataHome, "VoxPilot")
}

// newApp makes the app on the data directory dir and begins to open its
// database, beside the window that is made meanwhile.
func newApp(dir string) *App {
	a := makeApp(dir)
	a.begin()
	return a
}

func makeApp(dir string) *App {
	a := &App{looking: looking{tell: func(*notify.Notifier) {}}, quitAnswer: 5 * time.Second}
	a.desk.Store(noDesktop())
	a.pulse = newPulse(a.frozen)
	a.tray.changed = make(chan struct{}, 1)
	a.API = newAPI(Config{
		Dir: dir, Version: version,
		Build: Build{ClientID: githubClientID, UpdateFeed: updateFeed, UpdateKey: updateKey, UpdateSource: updateSource},
		Emit: func(b backend.Batch) {
			a.pulse.sent()
			a.desktop().emit(b)
		},
		SaveFile: func(name string) (string, error) { return a.desktop().saveFile(name) },
		Language: func() string { return a.tray.state().Language },
		Opened:   a.place.opened, Closed: a.place.closed,
		Install: func(p *update.Package) {
			a.next.Store(p)
			a.quit()
		},
		ShowChat: func(chatID string) { a.showAsked(backend.Asked{For: backend.AskedChat, ChatID: chatID}) },
	})
	a.quick = newQuick(a)
	if err := a.frame.read(dir); err != nil {
		a.log.Warn("where the window was is not known", "err", err)
	}
	a.overview.follow(a.asks.see)
	return a
}

// close saves all, and ends what newApp began, in reverse. It returns when all of it
// is down; what takes its time does so until ctx ends.
func (a *App) close(ctx context.Context) error {
	a.BeginClose()
	if a.first != nil {
		a.first.Stop()
		defer a.first.Release()
	}
	a.quick.close()
	return a.Close(ctx, func() {
		a.pulse.stop()
		a.frame.close()
	})
}

// updateFeed is where the signed list of the newest version is, and updateKey the
// publisher's public keys, set with -ldflags "-X main.updateFeed=… -X main.updateKey=…".
// Without both, VoxPilot does not look for updates.
// updateSource is the repository that a version has to be built from, or "".
var updateFeed, updateKey, updateSource string
