package engine

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/environment"
	"github.com/voxpilot/voxpilot/backend/logfile"
	"github.com/voxpilot/voxpilot/backend/overview"
	"github.com/voxpilot/voxpilot/backend/update"
)

// Config is what an API is made with. All functions are set.
type Config struct {
	Dir   string // VoxPilot's own data directory
	Build Build
	// Emit hands events to the window. It must not block.
	Emit func(backend.Batch)
	// SaveFile asks the user for a file to write to; "" is none.
	SaveFile func(name string) (path string, err error)
	// Language is that of the window, such as "de".
	Language func() string
	// Opened is told that the database is open, and how events are published until
	// Closed is called.
	Opened func(publish func(...backend.Event))
	Closed func()
	// Install ends VoxPilot and puts a newer version into its place.
	Install func(*update.Package)
	// ShowChat brings the window to the front with a chat in it.
	ShowChat func(chatID string)
}

// Build is what a program was built with; each but Version may be "".
type Build struct {
	Version string
	// ClientID is that of the OAuth app for the sign-in by code.
	ClientID string
	// UpdateFeed is where the signed list of the newest version is, UpdateKey the
	// publisher's public keys, and UpdateSource the repository that a version has to
	// be built from. Without the first two, VoxPilot does not look for updates.
	UpdateFeed, UpdateKey, UpdateSource string
}

// host is what an engine is run by, open or not.
type host struct {
	Config Config
	Dir    string // VoxPilot's own data directory
	Log    *slog.Logger
	file   *logfile.File  // where log goes; nil where it cannot be written
	trace  io.WriteCloser // where the protocol goes; nil unless VOXPILOT_DEBUG=acp
	// Tokens are the variables with the user's tokens, as VoxPilot was started with.
	Tokens environment.Tokens
	// undoTime is how long a deletion can be undone.
	undoTime time.Duration
	saveTime time.Duration     // bounds what is waited for before the computer sleeps
	Overview overview.Overview // what goes on in all chats
}

// API is what the window, the quick prompt and command lines can ask for. Each
// method checks its input, calls the one package that does the work, and returns
// within callTime; what comes of it comes as events (backend.Event).
//
// Errors are *backend.Error.
type API struct {
	*host
	outsideChats outsideChats // messages of the quick prompt and of command lines

	Life context.Context // ends with Close
	end  context.CancelFunc

	opening sync.Mutex // one open or close at a time
	mu      sync.Mutex
	eng     *Engine         // nil while the database is not open
	storage backend.Storage // how the database stands, while eng is nil
	opened  chan struct{}   // closed when the first try to open has ended
}

// traceName is the file, beside the log, that has what VoxPilot and the agents say
// to each other, where VOXPILOT_DEBUG=acp asks for it.
const traceName = "acp.ndjson"

// records is where the agents that run are noted, so that the next start ends
// those that a crash left.
func (h *host) records() string { return filepath.Join(h.Dir, "running") }

// New makes an API whose database is not open yet.
func New(cfg Config) *API {
	if err := os.MkdirAll(cfg.Dir, 0o700); err != nil {
		// The window opens all the same and says so; the log goes nowhere.
		slog.Warn("the data directory cannot be made", "err", err)
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
			a.Log.Warn("the protocol cannot be written to a file", "err", err)
		}
	}
	a.outsideChats.show = cfg.ShowChat
	a.Overview.Follow(a.outsideChats.observe)
	a.Log.Info("VoxPilot starts", "version", cfg.Build.Version, "data", cfg.Dir)
	return a
}

// Start opens the database in the background.
func (a *API) Start() {
	go func() {
		a.open()
		close(a.opened)
	}()
}

// open opens the database and wires the engine on it. Where that fails, or is
// done already, the window is told how the database stands.
func (a *API) open() {
	a.opening.Lock()
	defer a.opening.Unlock()
	a.mu.Lock()
	done := a.eng != nil
	a.mu.Unlock()
	if done || a.Life.Err() != nil { // a retry may come when the app has closed
		return
	}
	ctx, cancel := context.WithTimeout(a.Life, OpenTime)
	defer cancel()
	e, storage, err := openEngine(ctx, a.host)
	a.mu.Lock()
	a.eng, a.storage = e, storage
	a.mu.Unlock()
	if err != nil {
		a.Log.Error("the database cannot be opened", "state", storage.State, "err", err)
		a.Config.Emit(backend.Batch{Run: backend.NewID(), First: 1, Events: []backend.Event{{Storage: &storage}}})
		return
	}
	e.start(storage)
}

// OpenTime bounds the opening of the database, a salvage of a corrupt one
// included.
const OpenTime = 10 * time.Minute

// CallTime bounds what a method waits for, which is a commit at most.
const CallTime = 10 * time.Second

// Call runs do with the open engine in bounded time.
func (a *API) Call(do func(ctx context.Context, e *Engine) error) error {
	e, err := a.Engine()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), CallTime)
	defer cancel()
	return do(ctx, e)
}

// Engine is the open engine, or how the database stands as an error. It waits
// for a database that is being opened.
func (a *API) Engine() (*Engine, error) { return a.EngineIn(CallTime) }

// EngineIn is Open, which waits no longer than limit.
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

// Current is the engine, or nil and how the database stands where it is not open.
func (a *API) Current() (*Engine, backend.Storage) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.eng, a.storage
}

// BeginClose lets go of a database that is being opened, and saves all. Close comes after it.
func (a *API) BeginClose() {
	a.end()
	a.Save()
}

// Close ends what was begun, in reverse: turns, agents, database, log. It returns
// when all of it is down; what takes its time does so until ctx ends. before is
// called when the database is not being opened any more.
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
	a.Log.Info("VoxPilot ends", "err", err)
	if a.trace != nil {
		err = errors.Join(err, a.trace.Close())
	}
	if a.file != nil {
		err = errors.Join(err, a.file.Close())
	}
	return err
}

// redact keeps a secret out of the log from now on.
func (h *host) redact(secret string) {
	if h.file != nil {
		h.file.Redact(secret)
	}
}

// Redacted is text without secrets.
func (h *host) Redacted(text string) string {
	if h.file == nil {
		return text
	}
	return h.file.Redacted(text)
}

// RetryStorage tries to open the database again, after its condition was
// mended.
func (a *API) RetryStorage() { go a.open() }

// LogPath is the file that the log goes to, "" where it cannot be written.
func (h *host) LogPath() string {
	if h.file == nil {
		return ""
	}
	return h.file.Path()
}
