package agent

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/acp"
	"github.com/voxpilot/voxpilot/backend/agent/session"
	"github.com/voxpilot/voxpilot/backend/agent/signin"
	"github.com/voxpilot/voxpilot/internal/process"
)

// Time limits for an agent's responses. Prompts have no limit: a command may run for an hour.
var (
	limitInitialize = 60 * time.Second
	limitSession    = 60 * time.Second
	limitLoad       = 180 * time.Second
)

// conn is a running agent process and the ACP connection to it. It is created by connect, ends with the
// process and is never reused.
type conn struct {
	log    *slog.Logger
	launch Launch
	proc   *process.Process
	out    *acp.Outbox
	rpc    *acp.Conn

	ctx              context.Context // context of the connection's requests; canceled when the process ends
	cancel           context.CancelFunc
	onSessionLost    func(name string, cut bool) // see handlers
	onCapabilities   func(*conn)                 // the agent's capabilities changed
	onSignInRequired func(*conn)                 // the agent requested a sign-in
	onElicitationEnd func(id string)             // see handlers
	exited           chan struct{}               // closed when the process and the connection have ended

	expected atomic.Bool // VoxPilot itself is stopping the process, but not because of a fault
	refused  atomic.Bool // sign-in required, or folder untrusted or inaccessible; no new operation may use the process

	dirty        *session.Session // the session with unpublished text, or nil; only the reading goroutine uses it
	updated      bool             // an update arrived since the last flush; only the reading goroutine uses it
	lastUpdateAt atomic.Int64     // time of the last update, in milliseconds

	arriving sync.WaitGroup // counts the running attempts to load or create a session

	mu           sync.RWMutex
	sessions     map[string]*session.Session // by ACP ID
	arrivals     map[string]*arrival         // by name
	closed       bool                        // no more sessions can be loaded
	forgotten    map[string]bool             // ACP IDs of sessions that were unloaded; their late updates are ignored
	pending      []pendingUpdate             // updates of sessions that aren't registered yet, oldest first
	pendingBytes int                         // total size of pending in bytes
	fault        backend.Cause               // reason why VoxPilot killed the process, or ""
	ready        bool                        // initialize was answered
	agentName    string                      // as the agent reports it
	version      string
	capabilities backend.Capabilities
	mcpHTTP      bool // the agent supports MCP servers over HTTP
	signIn       signin.Offer
}

// handlers holds the callbacks and other dependencies of a conn.
type handlers struct {
	onBadMessage     func(problem backend.Message) // the agent sent an invalid message
	onSessionLost    func(name string, cut bool)   // the process of a loaded session ended unexpectedly or during a turn (cut)
	onCapabilities   func(*conn)                   // the agent's capabilities changed
	onSignInRequired func(*conn)                   // the agent requested a sign-in
	onElicitationEnd func(id string)               // the agent ended its request to open a web page
	acquire          func() (release func())       // keeps the process from counting as idle until release is called
	protocolLog      *acp.ProtocolLog              // logs the messages
	recordsDir       string                        // directory of the process records
}

// connect starts the program, or connects to the running agent, and reads its output in the background.
func connect(l Launch, folder string, log *slog.Logger, h handlers) (*conn, error) {
	h.protocolLog.Begin(l.Redact)
	proc, err := process.Start(process.Spec{Path: l.Path, Args: l.Args, Address: l.Address, Env: l.Env, Redact: l.Redact, Wrap: l.Wrap}, folder, h.recordsDir, log)
	if err != nil {
		return nil, err
	}
	k := &conn{
		log: log.With("pid", proc.PID), launch: l, proc: proc, exited: make(chan struct{}),
		sessions: map[string]*session.Session{}, arrivals: map[string]*arrival{}, forgotten: map[string]bool{},
	}
	k.ctx, k.cancel = context.WithCancel(context.Background())
	k.out = acp.NewOutbox(proc.Stdin, func() { k.fail(backend.CauseNotReading) })
	k.onSessionLost, k.onCapabilities, k.onSignInRequired, k.onElicitationEnd = h.onSessionLost, h.onCapabilities, h.onSignInRequired, h.onElicitationEnd
	k.rpc = acp.NewConn(k.log, k.out, h.protocolLog, l.Secrets, acp.Handlers{
		Update: k.update, Chunk: k.chunk, Idle: k.flush, Other: k.handleNotification,
		Bad: h.onBadMessage, Long: func() { k.fail(backend.CauseLineTooLong) },
		Request: func(ctx context.Context, method string, params gjson.Result) (any, *sdk.RequestError) {
			defer h.acquire()()
			return session.Answer(ctx, k.log, k.byID, method, params)
		},
	})

	read := make(chan struct{})
	go func() {
		defer close(read)
		k.rpc.Read(proc.Stdout)
	}()
	go k.supervise(read)
	return k, nil
}

// supervise waits for the process to end and then releases the conn's resources. The read channel is closed when the
// process's output has been read to the end.
func (c *conn) supervise(read <-chan struct{}) {
	select {
	case <-c.proc.Exited:
	case <-read:
		// The process closed its stdout. It may be about to exit; it is unusable either way.
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		c.proc.Stop(ctx)
		cancel()
	}
	c.cancel()
	c.proc.Sweep()
	c.proc.RemoveRecord()
	select {
	case <-read: // all output was processed
	case <-time.After(5 * time.Second):
		// A process that can't be killed keeps stdout open.
		_ = c.proc.Stdout.Close()
		<-read
	}
	_ = c.proc.Stdout.Close()
	c.out.Close()
	_ = c.proc.Stdin.Close()
	<-c.out.Done

	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.arriving.Wait()
	c.mu.Lock()
	sessions := c.sessions
	c.sessions = map[string]*session.Session{}
	c.mu.Unlock()
	for _, s := range sessions {
		if cut := s.Unload(); cut || !c.expected.Load() {
			c.onSessionLost(s.Name, cut)
		}
	}
	c.log.Info("agent exited", "how", c.proc.Exit.String(), "cause", c.cause(), "stderr", c.proc.Stderr.Last())
	close(c.exited)
}

// fail kills the process in the background and records cause as the reason for its exit. Only the first cause is
// recorded.
func (c *conn) fail(cause backend.Cause) {
	c.mu.Lock()
	if c.fault == "" {
		c.fault = cause
	}
	c.mu.Unlock()
	go c.proc.Kill()
}

// stop ends the process and everything it started, in escalating steps. It returns when all of them have exited. If
// ctx ends first, the process is killed.
func (c *conn) stop(ctx context.Context) {
	c.out.Close() // send queued messages first, in particular a cancel
	select {
	case <-c.out.Done:
	case <-time.After(200 * time.Millisecond):
	case <-ctx.Done():
	}
	c.proc.Stop(ctx)
	<-c.exited
}

// settle waits until the agent has responded to all calls or has exited, limit has passed or ctx ends. When the Copilot
// CLI is stopped, it exits immediately if it has responded to all canceled calls. Otherwise, it needs two seconds.
func (c *conn) settle(ctx context.Context, limit time.Duration) {
	t := time.NewTimer(limit)
	defer t.Stop()
	for {
		calls, changed := c.rpc.Waiting()
		if calls == 0 {
			return
		}
		select {
		case <-changed:
		case <-c.exited:
			return
		case <-t.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// cause returns the reason the connection ended.
func (c *conn) cause() backend.Cause {
	c.mu.RLock()
	defer c.mu.RUnlock()
	switch {
	case c.fault != "":
		return c.fault
	case c.proc.Exit.NotRun != "":
		return backend.CauseSpawnFailed
	case c.proc.Remote():
		return backend.CauseUnreachable
	case !c.ready:
		return backend.CauseExitedOnStart
	}
	return backend.CauseExited
}

// errLate is returned for calls that weren't answered in time.
var errLate = backend.Problem("the agent didn't respond in time")

// send makes a call and waits for the response without a time limit. Its errors are those of acp.Conn, with the code
// changed by toSignInError. If the agent answers with a sign-in request, send sets refused and, unless it was already
// set, calls onSignInRequired.
func (c *conn) send(method string, params any) (gjson.Result, error) {
	answer, err := c.rpc.Call(method, params)
	if r := acp.Refused(err); r != nil {
		toSignInError(r)
		if r.Code == acp.CodeAuthRequired && !c.refused.Swap(true) {
			c.onSignInRequired(c)
		}
	}
	return answer, err
}

// ask is like send, but with a time limit. It kills an agent that doesn't respond in time and returns
// errLate.
func (c *conn) ask(ctx context.Context, limit time.Duration, method string, params any) (gjson.Result, error) {
	r, err := await(ctx, limit, func() (gjson.Result, error) { return c.send(method, params) })
	if errors.Is(err, errLate) {
		c.log.Warn("the agent didn't respond", "method", method, "after", limit)
		c.fail(backend.CauseNoAnswer)
	}
	return r, err
}

// hasExited reports whether the process has exited and its connection has ended.
func (c *conn) hasExited() bool {
	select {
	case <-c.exited:
		return true
	default:
		return false
	}
}

// describe sets the agent's name, version and capabilities in a Connection, if the agent is ready.
func (c *conn) describe(to *backend.Connection) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.ready {
		able := c.capabilities
		to.Agent, to.Version, to.Capabilities = c.agentName, c.version, &able
	}
}

// initialize performs the ACP initialize handshake. version is VoxPilot's version.
func (c *conn) initialize(ctx context.Context, version string) error {
	r, err := c.ask(ctx, limitInitialize, sdk.AgentMethodInitialize, sdk.InitializeRequest{
		ProtocolVersion: sdk.ProtocolVersionNumber, ClientCapabilities: session.Capabilities,
		ClientInfo: &sdk.Implementation{Name: "voxpilot", Title: sdk.Ptr("VoxPilot"), Version: version},
	})
	if err != nil {
		return err
	}
	caps, info := r.Get("agentCapabilities"), r.Get("agentInfo")
	offers := func(path string) bool {
		v := caps.Get(path)
		return v.Exists() && v.Type != gjson.Null && v.Type != gjson.False
	}
	c.mu.Lock()
	c.capabilities = backend.Capabilities{
		Load:            offers("loadSession"),
		List:            offers("sessionCapabilities.list"),
		Resume:          offers("sessionCapabilities.resume"),
		Fork:            offers("sessionCapabilities.fork"),
		Close:           offers("sessionCapabilities.close"),
		Image:           offers("promptCapabilities.image"),
		Audio:           offers("promptCapabilities.audio"),
		EmbeddedContext: offers("promptCapabilities.embeddedContext"),
	}
	c.mcpHTTP = caps.Get("mcpCapabilities.http").Bool()
	c.signIn = signin.Read(r, c.launch.Path)
	c.agentName = info.Get("title").String()
	if c.agentName == "" {
		c.agentName = info.Get("name").String()
	}
	c.version, c.ready = info.Get("version").String(), true
	c.mu.Unlock()
	c.applyLearned()
	c.log.Info("agent started", "agent", c.agentName, "version", c.version, "path", c.launch.Path)
	return nil
}

// declaredCapabilities returns the capabilities that the agent declared, with the corrections made by applyLearned and
// learn.
func (c *conn) declaredCapabilities() backend.Capabilities {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.capabilities
}
