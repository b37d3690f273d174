package agent

import (
	"context"
	"io"
	"log/slog"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/acp"
	"github.com/voxpilot/voxpilot/backend/agent/replay"
	"github.com/voxpilot/voxpilot/backend/agent/sandboxed"
	"github.com/voxpilot/voxpilot/backend/agent/session"
	"github.com/voxpilot/voxpilot/backend/agent/signin"
	"github.com/voxpilot/voxpilot/backend/question"
	"github.com/voxpilot/voxpilot/internal/process"
)

// OwnModel is a model that the user configured. The zero OwnModel means none.
type OwnModel struct {
	Name string // the user's name for the service
	Host string // the service's host, such as localhost:11434
	ID   string // the service's ID for the model
}

// Launch describes how to start the agent's program.
type Launch struct {
	// Path is the program to start, or "" if VoxPilot connects to a running agent at Address.
	Path string
	// Name is the user's name for a custom agent, or "" for the Copilot CLI.
	Name string
	// Model is the user's own model that the CLI uses; zero if it uses GitHub's models.
	Model OwnModel
	Args  []string // {socket} is replaced by the path of a Unix socket, {port} by a free port, and VoxPilot connects to it
	// Address is the host:port of an agent that VoxPilot doesn't start.
	Address string
	Env     []string // the complete environment; before the start, process.Scrub removes variables that an agent must not inherit
	// Login holds the variables of Env that come from the user's login shell. They are also set for
	// commands that VoxPilot runs for the agent.
	Login []string
	Home  string // COPILOT_HOME in Env, or "" for the CLI's default
	// TokenChecked means that the token in Env is known to be valid. Unreached means that the token couldn't be checked
	// because GitHub was unreachable. In that case the agent is started with the unchecked token, except right after it
	// has requested a sign-in.
	TokenChecked bool
	Unreached    bool
	// Guarded means that the program, if it is the Copilot CLI, must report each tool call to Agent.Guard
	// before the call runs (package guard).
	Guarded bool
	// Wrap starts the program in the sandbox. If it is nil, the program starts outside the sandbox.
	Wrap process.Wrapper
	// Secrets are values in Env that the program must not expose. In its ACP messages, VoxPilot replaces
	// secrets of at least 16 bytes with asterisks.
	Secrets []string
	// Redact removes secrets from the program's stderr, messages and command lines before they are shown or stored. It
	// is nil if they can't contain any.
	Redact func(string) string
}

// location returns the path of the agent's program, or its address if VoxPilot connects to a running agent.
func (l Launch) location() string {
	if l.Address != "" {
		return l.Address
	}
	return l.Path
}

// LaunchError describes why no Launch is available. CauseNotSignedIn, CauseNoAccess and CauseLocked mean
// that the user must sign in; CauseUntrusted means that the user must trust the folder.
type LaunchError struct {
	Cause    backend.Cause
	Message  backend.Message // user-facing
	Searched []string        // paths searched for the program
}

// LaunchErrorOf returns the reason why the CLI described by c can't be launched, or nil if it can.
func LaunchErrorOf(c backend.CLI) *LaunchError {
	switch c.State {
	case backend.CLIFound:
		return nil
	case backend.CLITooOld:
		return &LaunchError{Cause: backend.CauseCLITooOld, Message: c.Message, Searched: c.Searched}
	case backend.CLIBroken:
		return &LaunchError{Cause: backend.CauseSpawnFailed, Message: c.Message, Searched: c.Searched}
	default:
		return &LaunchError{Cause: backend.CauseCLIMissing, Message: c.Message, Searched: c.Searched}
	}
}

// Config holds the dependencies and settings of an Agent.
type Config struct {
	ChatID string
	Folder string
	// Version is VoxPilot's version, sent to the agent.
	Version string
	// Launch is called before every start. It checks the token of agents that need one.
	Launch func(ctx context.Context) (Launch, *LaunchError)
	// SignInCause returns the reason that an agent requested a sign-in. Agents make the same request for a missing
	// token, an invalid token and a network failure. The reason is CauseNotSignedIn, CauseNoAccess, CauseLocked or
	// CauseOffline, or CauseNone if a different token is now available and the agent should restart. If SignInCause is
	// nil, or returns CauseNotSignedIn without a message, the agent manages its own login.
	SignInCause func(ctx context.Context) (cause backend.Cause, message backend.Message)
	// OnSignIn, if not nil, is called with the agent's own sign-in methods each time the agent has started.
	OnSignIn func(signin.Offer)
	// CheckTrust returns nil if an agent may run in the folder in its current state, or a LaunchError with
	// CauseUntrusted. It is called before every start, and before and after every call by which an agent
	// creates, loads or copies a session. If CheckTrust is nil, every folder is trusted.
	CheckTrust func(ctx context.Context, folder string) *LaunchError
	// Sessions are the chat's sessions in their last known state. Interrupted lists the names of sessions
	// whose turn was interrupted and whose transcript doesn't show the interruption yet.
	Sessions    []backend.Session
	Interrupted []string
	// Publish queues events. It never blocks.
	Publish func(events ...backend.Event)
	// Commit stores the events and returns once they are durable. It returns an error if they couldn't be
	// stored.
	Commit func(ctx context.Context, events ...backend.Event) error
	// Servers returns the MCP servers for a session if the agent supports HTTP; nil means none. It is called
	// only for the main session, because sessions to which the main session delegates must not delegate
	// further. The user isn't asked about calls to the servers' tools; the tools request permission if needed.
	Servers func(session string) []session.MCPServer
	// Idle returns the idle time after which the process is stopped; nil or 0 means never. Attempts returns the
	// number of exits per minute after which the agent gives up; nil means backend.MaxAttempts. Both are called
	// whenever the value is needed, so changed settings apply immediately.
	Idle     func() time.Duration
	Attempts func() int
	// Mode returns the ID of the agent mode in which a chat's first main session starts; nil or "" means the agent's
	// default. A session that replaces another takes over its mode; all other sessions start in the default mode.
	Mode func() string
	// Recap returns the context that a replacement session receives with its first prompt; if it is nil or returns "",
	// there is none.
	Recap func(ctx context.Context, session string) (string, error)
	// SkipRecap reports whether sessions that replace lost ones get no recap; nil means false.
	SkipRecap func() bool
	// Rescues returns the ways to recover the conversation of a session from its damaged files or from the transcript,
	// the best one first; nil means none. If lost hasn't received a prompt, it replaces another session, and Rescues
	// returns the ways to give it that session's conversation. l is the launch of the running process.
	Rescues func(l Launch, lost backend.Session) []Rescue
	// IsCutOff reports whether the log of a session was cut off, so that the agent would load the session without the
	// end of its conversation; nil means false.
	IsCutOff func(ctx context.Context, l Launch, row backend.Session) bool
	// Others coordinates VoxPilot with other programs that use the same sessions. It may be nil.
	Others Others
	// History returns a session's transcript, oldest first, for comparison with the agent's replay. If History
	// is nil, the comparison is skipped.
	History func(ctx context.Context, session string) ([]replay.Exchange, error)
	// Image returns the MIME type and the bytes of an image attached to a prompt. contentID identifies the image. Image
	// may be nil if no prompt has images.
	Image func(ctx context.Context, contentID string) (mime string, data []byte, err error)
	// IsAllowed reports whether a rule or the chat's permission mode would allow the request without asking the
	// user; nil means false. VoxPilot also calls it for changes that an agent makes without asking.
	IsAllowed func(p backend.Permission) bool
	// IsDenied reports whether a rule denies the request; nil means false. A turn is stopped if the
	// agent, without asking, makes a change that is denied or not allowed.
	IsDenied func(p backend.Permission) bool
	// Sandbox runs the commands of guarded sessions in the sandbox.
	Sandbox sandboxed.Sandbox
	// Suspects returns the folder's hooks and settings that may answer a request on the user's behalf, one line
	// each; nil means none.
	Suspects func(folder string) []string
	// GuardProblem returns the reason why the guard doesn't report the tool calls of sessions in the folder, or
	// the zero Message if none is known. GuardProblem may be nil.
	GuardProblem func(folder string) backend.Message
	// RecordsDir is the directory for process records, which process.Reap uses to end agents that are left over
	// after the app was killed. If it is "", no records are kept.
	RecordsDir string
	// Trace receives each protocol message as a JSON line. If it is nil, messages are only logged in memory.
	Trace io.Writer
	// Ask waits until the user has decided on the request or ctx ends. It returns the request with the decision
	// and the chosen option, or false if the request can no longer be decided.
	Ask func(ctx context.Context, p backend.Permission) (decided backend.Permission, ok bool)
	// Questions asks the user for elicitations. If it is nil, elicitations are answered as canceled.
	Questions *question.Broker
	Log       *slog.Logger
}

// Agent is the ACP agent of one chat. The first prompt or other operation that needs the process starts it. The Agent
// restarts it after unexpected exits, until there are too many within a minute (Config.Attempts).
//
// It is safe for concurrent use.
type Agent struct {
	cfg Config
	log *slog.Logger

	inbox       chan loopMessage
	closing     chan struct{} // closed by Close
	ended       chan struct{} // closed when the loop has ended
	start       sync.Once     // starts the loop
	prompts     sync.WaitGroup
	protocolLog acp.ProtocolLog

	mu               sync.Mutex
	folder           string        // changed by Relocate
	active           int           // number of running operations; the process doesn't count as idle until it is 0
	usedAt           time.Time     // end of the last operation
	halted           chan struct{} // closed and replaced by Stop and StopProcess
	connection       backend.Connection
	conn             *conn         // in state Ready
	runningConn      *conn         // from process start on
	changed          chan struct{} // closed and replaced when connection or conn changes
	rows             map[string]backend.Session
	lastStates       map[string]lastState          // last states of sessions, until they are loaded again
	known            map[string]bool               // sessions that a process has loaded since the app started
	restoreRequested map[string]bool               // sessions to restore without waiting for a prompt, until they are loaded
	recaps           map[string]string             // recaps to send with the sessions' first prompts
	trials           map[string]bool               // see setTrial
	busy             map[string]chan struct{}      // by session; the channel contains a value while the session is in use
	cancels          map[string]context.CancelFunc // functions that cancel the sessions' running operations
	stopped          bool                          // Close was called
	stopCtx          context.Context               // the context passed to Close
}

// lastState is the state that a session had when its process ended or when it was unloaded.
type lastState string

const (
	lastIdle     lastState = "idle"
	lastRunning  lastState = "running" // the session's turn was running
	lastUnloaded lastState = "asleep"  // unloaded by VoxPilot; no banner reports its next load
)

// New returns an agent for a chat. It doesn't start a process.
func New(cfg Config) *Agent {
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	if cfg.Version == "" {
		cfg.Version = "dev"
	}
	a := &Agent{
		cfg: cfg, log: cfg.Log.With("chat", cfg.ChatID),
		inbox: make(chan loopMessage), closing: make(chan struct{}), ended: make(chan struct{}), changed: make(chan struct{}), halted: make(chan struct{}),
		connection: backend.Connection{ChatID: cfg.ChatID, State: backend.ConnectionIdle, Since: backend.Now()},
		folder:     cfg.Folder, rows: map[string]backend.Session{}, lastStates: map[string]lastState{},
		known: map[string]bool{}, restoreRequested: map[string]bool{}, recaps: map[string]string{}, trials: map[string]bool{},
		busy: map[string]chan struct{}{}, cancels: map[string]context.CancelFunc{},
	}
	a.protocolLog.Trace, a.protocolLog.ChatID = cfg.Trace, cfg.ChatID
	for _, s := range cfg.Sessions {
		s.State = backend.SessionUnloaded
		a.rows[s.Name] = s
	}
	for _, name := range cfg.Interrupted {
		a.lastStates[name] = lastRunning
	}
	return a
}

// Connection returns the agent's current connection state.
func (a *Agent) Connection() backend.Connection {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.connection
}

// Working reports whether a prompt or another operation that can be canceled is running or waiting for the agent.
func (a *Agent) Working() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.cancels) > 0
}

// Retry makes the agent try to start immediately, unless it is already starting or ready.
func (a *Agent) Retry() { a.post(loopMessage{event: eventRetried}) }

// Relocate changes the agent's folder. A running process stays in the old folder, but creates and loads sessions in the
// new one. An agent that has given up or waits for trust tries to start immediately, because the old folder may be the
// reason.
func (a *Agent) Relocate(folder string) {
	a.mu.Lock()
	a.folder = folder
	a.mu.Unlock()
	if s := a.Connection().State; s == backend.ConnectionFailed || s == backend.ConnectionNeedsTrust {
		a.Retry()
	}
}

// currentFolder returns the folder in which processes are started and sessions are created and loaded.
func (a *Agent) currentFolder() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.folder
}

// Cancel cancels the prompt or other operation that uses the session, without waiting for it to end.
func (a *Agent) Cancel(session string) {
	a.mu.Lock()
	cancel := a.cancels[session]
	a.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// Stop ends the process and everything it started, and doesn't wait for their exit. Running and waiting prompts end
// with TurnStopped. The next prompt starts the process again.
func (a *Agent) Stop() {
	a.mu.Lock()
	a.cancelPrompts()
	a.mu.Unlock()
	a.post(loopMessage{event: eventStopped, cause: backend.CauseStopped})
}

// cancelPrompts makes all running and waiting prompts end with TurnStopped. The caller must hold a.mu.
func (a *Agent) cancelPrompts() {
	for _, cancel := range a.cancels {
		cancel()
	}
	close(a.halted)
	a.halted = make(chan struct{})
}

// acquire prevents the idle timeout from stopping the process until release is called.
func (a *Agent) acquire() (release func()) {
	a.mu.Lock()
	a.active++
	a.mu.Unlock()
	return func() {
		a.mu.Lock()
		a.active--
		a.usedAt = time.Now()
		a.mu.Unlock()
	}
}

// Close cancels all prompts and ends the process and everything it started. It returns when the prompts and the
// processes have ended. If ctx ends first, Close kills the processes and returns ctx's error. A closed Agent
// can't be reused.
func (a *Agent) Close(ctx context.Context) error {
	a.mu.Lock()
	first := !a.stopped
	a.stopped = true
	if first {
		a.stopCtx = ctx
	}
	for _, cancel := range a.cancels {
		cancel()
	}
	a.mu.Unlock()
	if first {
		close(a.closing)
	}
	a.start.Do(func() { close(a.ended) }) // if the loop never started
	<-a.ended
	a.prompts.Wait()
	return ctx.Err()
}

// row returns the stored state of the named session, or false if the chat has no such session.
func (a *Agent) row(name string) (backend.Session, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	r, ok := a.rows[name]
	return r, ok
}

// storeSession stores a session's current row in a.rows and publishes it, unless the session is on trial (setTrial). A
// Session calls it with its mutex locked, so that its rows are published in order.
func (a *Agent) storeSession(r backend.Session) {
	a.mu.Lock()
	onTrial := a.trials[r.ACPID]
	if !onTrial {
		a.rows[r.Name] = r
	}
	a.mu.Unlock()
	if !onTrial {
		a.cfg.Publish(backend.Event{Session: &r})
	}
}

// Protocol returns the logged messages that have a Seq greater than afterSeq and contain filter, ignoring case,
// from the oldest to the newest. If more than limit messages match, only the newest ones are returned. A limit
// of 0 means no limit.
func (a *Agent) Protocol(afterSeq uint64, filter string, limit int) []backend.ProtocolMessage {
	return a.protocolLog.Read(afterSeq, filter, limit)
}

// WriteProtocol writes all logged messages as JSON lines.
func (a *Agent) WriteProtocol(w io.Writer) error { return a.protocolLog.Write(w) }

// SaveProtocol writes the agent's protocol log to the file at path. Because the log contains prompts and answers, only
// the owner can read the file, except on Windows.
func (a *Agent) SaveProtocol(path string) (err error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if e := file.Close(); err == nil {
			err = e
		}
	}()
	if err := file.Chmod(0o600); err != nil && runtime.GOOS != "windows" { // an existing file keeps its permissions when opened
		return err
	}
	return a.WriteProtocol(file)
}
