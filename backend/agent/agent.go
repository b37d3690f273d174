package agent

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/acp"
	"github.com/voxpilot/voxpilot/backend/agent/replay"
	"github.com/voxpilot/voxpilot/backend/agent/session"
)

// An OwnModel is a model of the user's own. The zero OwnModel is none.
type OwnModel struct {
	Name string // what the user calls its service
	Host string // where the service is, such as localhost:11434
	ID   string // what the service calls the model
}

// Launch is how the agent's program is started.
type Launch struct {
	// Path is the program. It is "" where an agent that runs already is reached
	// at Address.
	Path string
	// Name is what the user calls an agent of their own; "" is the Copilot CLI.
	Name string
	// Model is a model of the user's own that the CLI is started with.
	Model OwnModel
	Args  []string // {socket} stands for a Unix socket and {port} for a free port: the agent is then reached there
	// Address is the host:port of an agent that VoxPilot does not start.
	Address string
	Env     []string // complete; what an agent must not inherit is taken out
	// Login are those of Env that the user's login shell gave: the commands that
	// are run for the agent have them too.
	Login []string
	Home  string // the COPILOT_HOME of Env, "" where it is the default
	// TokenChecked says that VoxPilot knows the token in Env to be good.
	// Unreached says that GitHub could not be asked about it. That starts the
	// agent all the same, unless it has just refused the token while GitHub was
	// out of reach.
	TokenChecked bool
	Unreached    bool
	// Secrets are values in Env that the program must not show: where a command
	// of its finds one and prints it, stars are shown and kept instead.
	Secrets []string
	// Redact takes secrets out of what the program wrote to stderr before it is
	// shown or kept; nil where it can hold none.
	Redact func(string) string
}

// location is where the agent is: its program, or its address.
func (l Launch) location() string {
	if l.Address != "" {
		return l.Address
	}
	return l.Path
}

// LaunchError says why there is no Launch. By CauseNotSignedIn, CauseNoAccess
// and CauseLocked a sign-in is needed, by CauseUntrusted the user's trust.
type LaunchError struct {
	Cause    backend.Cause
	Message  backend.Message // for a person
	Searched []string        // where the program was looked for
}

// LaunchErrorOf is why the CLI cannot be launched, nil where it can.
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

// Config is what an Agent needs of the rest of the app.
type Config struct {
	ChatID string
	Folder string
	// Version is VoxPilot's, for the agent to know.
	Version string
	// Launch is called before every start, and checks the token of an agent that
	// needs one.
	Launch func(ctx context.Context) (Launch, *LaunchError)
	// SignInCause says why an agent may have answered that it wants a sign-in, which
	// it says for no token, a bad one, and no network alike: CauseNotSignedIn,
	// CauseNoAccess, CauseLocked or CauseOffline; CauseNone where another token is
	// there by now, with which it is to start afresh. Where it is nil, or has no
	// message with CauseNotSignedIn, the agent has a login of its own.
	SignInCause func(ctx context.Context) (cause backend.Cause, message backend.Message)
	// CheckTrust says whether an agent may run in the folder as it is now: nil, or a
	// LaunchError with CauseUntrusted. It is asked before every start, and before
	// and after every call by which an agent makes, loads or copies a session.
	// nil trusts every folder.
	CheckTrust func(ctx context.Context, folder string) *LaunchError
	// Sessions are the chat's, as they were left. Cut are the names of those that
	// were in the middle of a turn, of which the transcript does not say so yet.
	Sessions    []backend.Session
	Interrupted []string
	// Publish queues events. It never blocks.
	Publish func(events ...backend.Event)
	// Commit returns when the events are durable, or with the reason why not.
	Commit func(ctx context.Context, events ...backend.Event) error
	// Servers are the MCP servers that a session is given, where the agent can
	// reach one by HTTP; nil gives none. Only the session main is asked about:
	// what it gives work to must not give any itself. A tool of theirs is allowed
	// without the user, since it asks for itself where it has to.
	Servers func(session string) []session.MCPServer
	// Idle is after how long without work the process is stopped; nil or 0 is
	// never. Attempts is how often in a minute it may exit before the agent
	// gives up; nil is backend.MaxAttempts. Both are asked each time.
	Idle     func() time.Duration
	Attempts func() int
	// Mode is the mode in which a session main begins that is the chat's first, by
	// the agent's id for it; nil or "" is as the agent starts. What it gives work
	// to begins as the agent starts.
	Mode func() string
	// Recap is what a session that takes the place of a lost one is told in
	// front of its first prompt; nil or "" tells it nothing.
	Recap func(ctx context.Context, session string) (string, error)
	// SkipRecap says that a session which takes the place of a lost one is told
	// nothing; nil says no.
	SkipRecap func() bool
	// History is what the transcript has of a session, oldest first: what the
	// agent replays is compared with it. nil compares nothing.
	History func(ctx context.Context, session string) ([]replay.Exchange, error)
	// Image is an image that goes with a prompt, by the id of its content; nil has
	// none.
	Image func(ctx context.Context, contentID string) (mime string, data []byte, err error)
	// IsAllowed says whether the request would be allowed without the user, by a
	// rule or by the chat's permission mode; nil says no. What an agent changed
	// without asking is held against it.
	IsAllowed func(p backend.Permission) bool
	// IsDenied says whether a rule denies the request; nil says no. A turn in which
	// something was changed that is denied, or not allowed, without asking is stopped.
	IsDenied func(p backend.Permission) bool
	// Suspects are the hooks and settings of a folder that may answer a request in
	// the user's place, one line each; nil has none.
	Suspects func(folder string) []string
	// RecordsDir is a directory for what Reap has to know of the processes of an
	// app that was killed; "" keeps nothing of the kind.
	RecordsDir string
	// Trace gets each message of the protocol as a line of JSON; nil keeps them
	// in memory only.
	Trace io.Writer
	// Ask has the user decide and returns the request with the decision and the
	// option chosen; false where nobody is to decide any more. It waits until
	// ctx ends at most.
	Ask func(ctx context.Context, p backend.Permission) (decided backend.Permission, ok bool)
	Log *slog.Logger
}

// Agent is the ACP agent of one chat. Its process is started by the first
// prompt, and again whenever it ends unexpectedly.
//
// Its methods are safe for concurrent use.
type Agent struct {
	cfg Config
	log *slog.Logger

	inbox       chan loopMessage
	closing     chan struct{} // closed by Close
	ended       chan struct{} // closed when the loop has ended
	start       sync.Once     // of the loop
	prompts     sync.WaitGroup
	protocolLog acp.ProtocolLog

	mu               sync.Mutex
	folder           string        // as Relocate left it
	active           int           // how much work is under way
	usedAt           time.Time     // when the last of it ended
	halted           chan struct{} // closed and replaced by Stop
	connection       backend.Connection
	conn             *conn         // in Ready
	runningConn      *conn         // from its start on
	changed          chan struct{} // closed and replaced when now or link change
	rows             map[string]backend.Session
	lastStates       map[string]lastState // how the process left sessions, until they are loaded again
	known            map[string]bool      // sessions that a process of this run of the app has held
	restoreRequested map[string]bool      // sessions that Restore was asked for and that did not come yet
	recaps           map[string]string    // what sessions are to be told in front of their first prompt
	busy             map[string]chan struct{}
	cancels          map[string]context.CancelFunc
	stopped          bool
	stopCtx          context.Context // of Close
}

// lastState is how a session was left by a process that is gone.
type lastState string

const (
	lastIdle     lastState = "idle"
	lastRunning  lastState = "running" // in the middle of a turn
	lastUnloaded lastState = "asleep"  // we ended the process, and there is nothing to say about it
)

// New makes the agent of a chat. It starts nothing.
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
		known: map[string]bool{}, restoreRequested: map[string]bool{}, recaps: map[string]string{},
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

// Connection is where the agent stands now.
func (a *Agent) Connection() backend.Connection {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.connection
}

// Working says whether a prompt runs, or waits for the agent.
func (a *Agent) Working() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.cancels) > 0
}

// Retry tries again at once where the agent waits, gave up, or needs a sign-in or
// the user's trust.
func (a *Agent) Retry() { a.post(loopMessage{event: eventRetried}) }

// Relocate makes folder the agent's from its next start on, and tries again at
// once where the agent gave up because the old one was gone, or waits because it
// was not trusted. Its sessions come back in the new one.
func (a *Agent) Relocate(folder string) {
	a.mu.Lock()
	a.folder = folder
	a.mu.Unlock()
	if s := a.Connection().State; s == backend.ConnectionFailed || s == backend.ConnectionNeedsTrust {
		a.Retry()
	}
}

// currentFolder is the folder that the agent works in.
func (a *Agent) currentFolder() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.folder
}

// Cancel stops the prompt that runs in the session. Its Prompt returns soon.
func (a *Agent) Cancel(session string) {
	a.mu.Lock()
	cancel := a.cancels[session]
	a.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// Stop ends the process and everything it started because the user wants that:
// prompts that run or wait for it end as stopped. The next prompt starts it
// again.
func (a *Agent) Stop() {
	a.mu.Lock()
	a.cancelPrompts()
	a.mu.Unlock()
	a.post(loopMessage{event: eventStopped, cause: backend.CauseStopped})
}

// cancelPrompts ends the prompts that run, and those that wait for the agent, as stopped.
// The caller must hold a.mu.
func (a *Agent) cancelPrompts() {
	for _, cancel := range a.cancels {
		cancel()
	}
	close(a.halted)
	a.halted = make(chan struct{})
}

// acquire keeps the process from being stopped as idle until rest is called.
func (a *Agent) acquire() (rest func()) {
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

// Close stops what runs, ends the process and everything it started, and
// returns when all of it is gone. Where ctx ends first they are killed. An
// Agent that was closed is of no further use.
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
	a.start.Do(func() { close(a.ended) }) // where it never ran
	<-a.ended
	a.prompts.Wait()
	return ctx.Err()
}

// row is the session with the name, as it is kept.
func (a *Agent) row(name string) (backend.Session, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	r, ok := a.rows[name]
	return r, ok
}

// storeSession takes a session's row as it is now. The events of one session come from
// one place, so what is published last is what is kept.
func (a *Agent) storeSession(r backend.Session) {
	a.mu.Lock()
	a.rows[r.Name] = r
	a.mu.Unlock()
	a.cfg.Publish(backend.Event{Session: &r})
}

// banner publishes a banner of the transcript that belongs to no turn.
func (a *Agent) banner(kind backend.BannerKind, session string, detail backend.Message) {
	a.publishTurnBanner(backend.Banner{Kind: kind, Session: session, Detail: detail}, backend.Turn{})
}

// publishTurnBanner publishes a banner, which stands where the turn does.
func (a *Agent) publishTurnBanner(b backend.Banner, turn backend.Turn) {
	now := backend.Now()
	a.cfg.Publish(backend.Event{Item: &backend.Item{
		ID: backend.NewID(), ChatID: a.cfg.ChatID, TurnID: turn.ID, ParentID: turn.BlockID, Session: b.Session,
		Kind: backend.ItemBanner, CreatedAt: now, EndedAt: now,
		Banner: &b,
	}})
}

// Protocol is what was said between VoxPilot and the agent: the newest messages
// after the one numbered after, oldest first, of which filter is a part of the
// method, id, session or body, in any case of its letters. There are at most
// limit of them; 0 is all that is kept.
func (a *Agent) Protocol(after uint64, filter string, limit int) []backend.ProtocolMessage {
	return a.protocolLog.Read(after, filter, limit)
}

// WriteProtocol writes all messages that are kept, each as a line of JSON.
func (a *Agent) WriteProtocol(w io.Writer) error { return a.protocolLog.Write(w) }
