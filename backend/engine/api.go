package engine

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/environment"
	"github.com/voxpilot/voxpilot/backend/logfile"
	"github.com/voxpilot/voxpilot/backend/overview"
	"github.com/voxpilot/voxpilot/backend/update"
)

// Config holds the dependencies of an API. All functions are required.
type Config struct {
	Dir   string // VoxPilot's own data directory
	Build Build
	// Emit sends events to the window. It must not block.
	Emit func(backend.Batch)
	// SaveFile opens a save dialog that suggests a file name. It returns the chosen path, or "" if the dialog was
	// canceled.
	SaveFile func(name string) (path string, err error)
	// Language returns the language of the window as a code, such as "de".
	Language func() string
	// Opened is called when the database has been opened, and Closed before the database is closed. Between these two
	// calls, the implementation may call publish.
	Opened func(publish func(...backend.Event))
	Closed func()
	// Install quits VoxPilot and installs a newer version.
	Install func(*update.Package)
	// ShowChat brings the window to the front and opens a chat in it.
	ShowChat func(chatID string)
}

// Build holds the parameters of the build. All except Version may be empty.
type Build struct {
	Version string
	// ClientID is the client ID of VoxPilot's OAuth app, for the device flow.
	ClientID string
	// UpdateFeed is the URL of the signed update feed, UpdateKey holds the publisher's public keys, and
	// UpdateSource is the repository that a release must be built from. Without the first two, VoxPilot
	// doesn't check for updates.
	UpdateFeed, UpdateKey, UpdateSource string
}

// host holds the parts of an API that exist even while the database isn't open.
type host struct {
	Config Config
	Dir    string // VoxPilot's own data directory
	Log    *slog.Logger
	file   *logfile.File  // destination of Log; nil if it can't be written
	trace  io.WriteCloser // destination of the protocol log; nil unless VOXPILOT_DEBUG=acp
	// Tokens holds the user's tokens that were in VoxPilot's environment when it started.
	Tokens environment.Tokens
	// undoTime is the time during which a deletion can be undone.
	undoTime time.Duration
	saveTime time.Duration     // time limit for saving before the computer sleeps
	Overview overview.Overview // state of all chats
	viewed   atomic.Value      // ID of the chat that the user has in front of them, or ""
	patience time.Duration     // see question.Config
}

// API is the interface of the engine for the window, the quick prompt and command lines. Most methods only check their
// arguments and call another package. They return within CallTime or, if they can take longer, have another limit, such
// as setTime. Results arrive as events (backend.Event).
//
// Errors are *backend.Error.
type API struct {
	*host
	outsideChats outsideChats // messages from the quick prompt and command lines

	Life context.Context // canceled by BeginClose
	end  context.CancelFunc

	opening sync.Mutex // held while the database is opened or closed
	mu      sync.Mutex
	eng     *Engine         // nil while the database isn't open
	storage backend.Storage // state of the database while eng is nil
	opened  chan struct{}   // closed after the first attempt to open
}

// traceName is the name of the protocol log, which is next to the log file and is
// written if VOXPILOT_DEBUG=acp is set.
const traceName = "acp.ndjson"

// records returns the directory with the records of running agents. At the next start,
// VoxPilot uses them to stop agents left over from a crash.
func (h *host) records() string { return filepath.Join(h.Dir, "running") }

// New creates an API whose database isn't open yet.
func New(cfg Config) *API {
	if err := os.MkdirAll(cfg.Dir, 0o700); err != nil {
		// The window still opens and reports the error; there is no log file.
		slog.Warn("couldn't create the data directory", "err", err)
	}
	level := slog.LevelInfo
	if os.Getenv("VOXPILOT_DEBUG") != "" {
		level = slog.LevelDebug
	}
	a := &API{
		host: &host{
			Config: cfg, Dir: cfg.Dir, Log: slog.New(slog.DiscardHandler),
			undoTime: backend.UndoMillis * time.Millisecond, saveTime: saveTime,
		},
		opened:  make(chan struct{}),
		storage: backend.Storage{State: backend.StorageOpening, Path: cfg.Dir, Message: backend.Say("The database is still being checked. Wait a moment, then try again.")},
	}
	a.Tokens = environment.TakeTokens()
	a.Life, a.end = context.WithCancel(context.Background())
	if file, err := logfile.Open(filepath.Join(cfg.Dir, "logs"), level); err == nil {
		a.file, a.Log = file, file.Logger
	}
	for _, token := range a.Tokens {
		a.redact(token)
	}
	if a.file != nil && os.Getenv("VOXPILOT_DEBUG") == "acp" {
		if trace, err := a.file.OpenSecond(traceName); err == nil {
			a.trace = trace
		} else {
			a.Log.Warn("couldn't open the protocol log file", "err", err)
		}
	}
	a.outsideChats.show = cfg.ShowChat
	a.Overview.Follow(a.outsideChats.observe)
	a.Log.Info("VoxPilot started", "version", cfg.Build.Version, "data", cfg.Dir)
	return a
}

// Start opens the database in the background.
func (a *API) Start() {
	go func() {
		a.open()
		close(a.opened)
	}()
}

// open opens the database and creates the engine. If that fails, the window receives the state of the database. open
// does nothing if the database is already open or the app is closing.
func (a *API) open() {
	a.opening.Lock()
	defer a.opening.Unlock()
	a.mu.Lock()
	done := a.eng != nil
	a.mu.Unlock()
	if done || a.Life.Err() != nil { // a retry can come after the app has closed
		return
	}
	ctx, cancel := context.WithTimeout(a.Life, OpenTime)
	defer cancel()
	e, storage, err := openEngine(ctx, a.host)
	a.mu.Lock()
	a.eng, a.storage = e, storage
	a.mu.Unlock()
	if err != nil {
		a.Log.Error("couldn't open the database", "state", storage.State, "err", err)
		a.Config.Emit(backend.Batch{Run: backend.NewID(), First: 1, Events: []backend.Event{{Storage: &storage}}})
		return
	}
	e.start(storage)
}

// OpenTime is the time limit for opening the database, including the recovery of a corrupt one.
const OpenTime = 10 * time.Minute

// CallTime is the usual time limit for an API method.
const CallTime = 10 * time.Second

// Call runs the function do with the open engine and a context that ends after CallTime.
func (a *API) Call(do func(ctx context.Context, e *Engine) error) error {
	e, err := a.Engine()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), CallTime)
	defer cancel()
	return do(ctx, e)
}

// Engine returns the open engine, or an error with the state of the database. While the database is being opened, it
// waits, but no longer than CallTime.
func (a *API) Engine() (*Engine, error) { return a.EngineIn(CallTime) }

// EngineIn does the same as Engine, but waits no longer than limit.
func (a *API) EngineIn(limit time.Duration) (*Engine, error) {
	select {
	case <-a.opened:
	case <-time.After(limit):
		return nil, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The database is still being opened. Try again in a moment.")}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.eng == nil {
		return nil, &backend.Error{Code: backend.CodeStorage, Message: a.storage.Message}
	}
	return a.eng, nil
}

// Current returns the engine and the state of the database. The engine is nil if the database isn't open.
func (a *API) Current() (*Engine, backend.Storage) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.eng, a.storage
}

// BeginClose cancels the opening of the database and saves all data. It must be called before Close.
func (a *API) BeginClose() {
	a.end()
	a.Save()
}

// Close first waits until any attempt to open the database has ended. It then runs the given function and shuts down
// turns, agents, the database and the log, in this order. ctx limits how long it waits for turns, agents and unsaved
// events.
func (a *API) Close(ctx context.Context, before func()) error {
	a.opening.Lock()
	defer a.opening.Unlock()
	before()
	a.mu.Lock()
	e := a.eng
	a.eng = nil
	a.storage = backend.Storage{State: backend.StorageUnusable, Message: backend.Say("VoxPilot is closing.")}
	a.mu.Unlock()
	var err error
	if e != nil {
		err = e.close(ctx)
	}
	a.Log.Info("VoxPilot is exiting", "err", err)
	if a.trace != nil {
		err = errors.Join(err, a.trace.Close())
	}
	if a.file != nil {
		err = errors.Join(err, a.file.Close())
	}
	return err
}

// redact removes a secret from all later log entries.
func (h *host) redact(secret string) {
	if h.file != nil {
		h.file.Redact(secret)
	}
}

// Redacted returns text with all known secrets removed. Without a log file, no secrets are recorded, and it returns
// text unchanged.
func (h *host) Redacted(text string) string {
	if h.file == nil {
		return text
	}
	return h.file.Redacted(text)
}

// hasSecret reports whether text contains a secret that VoxPilot knows.
func (h *host) hasSecret(text string) bool { return h.file != nil && h.file.HasSecret(text) }

// RetryStorage tries again, in the background, to open the database. It is called after the user has fixed the
// problem.
func (a *API) RetryStorage() { go a.open() }

// LogPath returns the path of the log file, or "" if VoxPilot can't write one.
func (h *host) LogPath() string {
	if h.file == nil {
		return ""
	}
	return h.file.Path()
}
