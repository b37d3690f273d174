package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/logfile"
	"github.com/voxpilot/voxpilot/backend/platform/notify"
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

// traceName is the file, beside the log, that has what VoxPilot and the agents say
// to each other, where VOXPILOT_DEBUG=acp asks for it.
const traceName = "acp.ndjson"

// records is where the agents that run are noted, so that the next start ends
// those that a crash left.
func (a *App) records() string { return filepath.Join(a.dir, "running") }

// newApp makes the app on the data directory dir and begins to open its
// database, beside the window that is made meanwhile.
func newApp(dir string) *App {
	a := makeApp(dir)
	a.begin()
	return a
}

func makeApp(dir string) *App {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		// The window opens all the same and says so; the log goes nowhere.
		slog.Warn("the data directory cannot be made", "err", err)
	}
	level := slog.LevelInfo
	if os.Getenv("VOXPILOT_DEBUG") != "" {
		level = slog.LevelDebug
	}
	a := &App{
		dir: dir, log: slog.New(slog.DiscardHandler), opened: make(chan struct{}),
		looking:  looking{tell: func(*notify.Notifier) {}},
		undoTime: backend.UndoMillis * time.Millisecond, quitAnswer: 5 * time.Second, saveTime: saveTime,
		storage: backend.Storage{State: backend.StorageOpening, Path: dir, Message: "The database is still being checked. Wait a moment, then try again."},
	}
	a.tokens = takeTokens()
	a.life, a.end = context.WithCancel(context.Background())
	if file, err := logfile.Open(filepath.Join(dir, "logs"), level); err == nil {
		a.file, a.log = file, file.Logger
	}
	for _, token := range a.tokens {
		a.redact(token)
	}
	if a.file != nil && os.Getenv("VOXPILOT_DEBUG") == "acp" {
		if trace, err := a.file.Beside(traceName); err == nil {
			a.trace = trace
		} else {
			a.log.Warn("the protocol cannot be written to a file", "err", err)
		}
	}
	a.desk.Store(noDesktop())
	a.pulse = newPulse(a.frozen)
	a.quick = newQuick(a)
	a.tray.changed = make(chan struct{}, 1)
	if err := a.frame.read(dir); err != nil {
		a.log.Warn("where the window was is not known", "err", err)
	}
	a.overview.follow(a.asks.see)
	a.unseen.show = func(chatID string) { a.showAsked(backend.Asked{For: backend.AskedChat, ChatID: chatID}) }
	a.overview.follow(a.unseen.see)
	a.log.Info("VoxPilot starts", "version", version, "data", dir)
	return a
}

// begin opens the database in the background.
func (a *App) begin() {
	go func() {
		a.open()
		close(a.opened)
	}()
}

// open opens the database and wires the engine on it. Where that fails, or is
// done already, the window is told how the database stands.
func (a *App) open() {
	a.opening.Lock()
	defer a.opening.Unlock()
	a.mu.Lock()
	done := a.eng != nil
	a.mu.Unlock()
	if done || a.life.Err() != nil { // a retry may come when the app has closed
		return
	}
	ctx, cancel := context.WithTimeout(a.life, openTime)
	defer cancel()
	e, storage, err := openEngine(ctx, a)
	a.mu.Lock()
	a.eng, a.storage = e, storage
	a.mu.Unlock()
	if err != nil {
		a.log.Error("the database cannot be opened", "state", storage.State, "err", err)
		a.desktop().emit(backend.Batch{Run: backend.NewID(), First: 1, Events: []backend.Event{{Storage: &storage}}})
		return
	}
	e.start(storage)
}

// openTime bounds the opening of the database, a salvage of a corrupt one
// included.
const openTime = 10 * time.Minute

// engine is the open engine, or how the database stands as an error. It waits
// for a database that is being opened.
func (a *App) engine() (*engine, error) { return a.engineIn(callTime) }

func (a *App) engineIn(limit time.Duration) (*engine, error) {
	select {
	case <-a.opened:
	case <-time.After(limit):
		return nil, &backend.Error{Code: backend.CodeUnavailable, Message: "The database is still being opened. Try again in a moment."}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.eng == nil {
		return nil, &backend.Error{Code: backend.CodeStorage, Message: a.storage.Message}
	}
	return a.eng, nil
}

// close saves all, and ends what newApp began, in reverse: turns, agents, database,
// log. It returns when all of it is down; what takes its time does so until ctx
// ends.
func (a *App) close(ctx context.Context) error {
	a.end() // an opening database is let go
	a.save()
	if a.first != nil {
		a.first.Stop()
		defer a.first.Release()
	}
	a.quick.close()
	a.opening.Lock()
	defer a.opening.Unlock()
	a.pulse.stop()
	a.frame.close()
	a.mu.Lock()
	e := a.eng
	a.eng = nil
	a.storage = backend.Storage{State: backend.StorageUnusable, Message: "VoxPilot is closing."}
	a.mu.Unlock()
	var err error
	if e != nil {
		err = e.close(ctx)
	}
	a.log.Info("VoxPilot ends", "err", err)
	if a.trace != nil {
		err = errors.Join(err, a.trace.Close())
	}
	if a.file != nil {
		err = errors.Join(err, a.file.Close())
	}
	return err
}

// redact keeps a secret out of the log from now on.
func (a *App) redact(secret string) {
	if a.file != nil {
		a.file.Redact(secret)
	}
}

// redacted is text without secrets.
func (a *App) redacted(text string) string {
	if a.file == nil {
		return text
	}
	return a.file.Redacted(text)
}

// formatError is what the page gets of an error: {code, message, detail}.
func formatError(err error) any {
	var e *backend.Error
	if errors.As(err, &e) {
		return e
	}
	return &backend.Error{Code: backend.CodeUnavailable, Message: "Something in VoxPilot failed. The log says more (Settings, Doctor).", Detail: fmt.Sprint(err)}
}
