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
	"github.com/voxpilot/voxpilot/internal/process"
)

// How long an agent may take to answer. Prompts have no limit: a command may
// run for an hour.
var (
	limitInitialize = 60 * time.Second
	limitSession    = 60 * time.Second
	limitLoad       = 180 * time.Second
)

// conn is one running agent process and the protocol spoken with it. It is
// made by connect and ends for good when the process does.
type conn struct {
	log    *slog.Logger
	launch Launch
	proc   *process.Process
	out    *acp.Outbox
	rpc    *acp.Conn

	ctx              context.Context // ends when the process does, with what it is asked to do
	cancel           context.CancelFunc
	onSessionLost    func(name string, cut bool) // a session is held no longer; cut: a turn was running
	onCapabilities   func(*conn)                 // what it is able to do changed
	onSignInRequired func(*conn)                 // it wants a sign-in
	exited           chan struct{}               // closed when all of it has ended; then cause and exit are set

	expected atomic.Bool // we end it, for a reason that is no fault of its own
	refused  atomic.Bool // it wants a sign-in, or its folder is not trusted: it is asked for nothing more

	dirty        *session.Session // has text that is not published; the reader's own
	updated      bool             // an update came since flush; the reader's own
	lastUpdateAt atomic.Int64     // when the last update came, in milliseconds

	arriving sync.WaitGroup

	mu           sync.RWMutex
	sessions     map[string]*session.Session // by ACP id
	arrivals     map[string]*arrival         // by name
	closed       bool                        // nothing arrives any more
	forgotten    map[string]bool             // ids of sessions that are held no longer
	pending      []pendingUpdate             // for ids that are not known, oldest first
	pendingBytes int
	fault        backend.Cause // why it is being ended, where we do it
	ready        bool          // initialize was answered
	agentName    string        // its name
	version      string
	capabilities backend.Capabilities
	mcpHTTP      bool // it reaches MCP servers by HTTP
}

// handlers are what a link needs of its owner.
type handlers struct {
	onBadMessage     func(problem backend.Message) // the agent sent something that is no message
	onSessionLost    func(name string, cut bool)   // the process held the session when it ended
	onCapabilities   func(*conn)                   // it is able to do less than it said
	onSignInRequired func(*conn)                   // it wants a sign-in
	acquire          func() (rest func())          // there is something to do
	protocolLog      *acp.ProtocolLog              // keeps the messages
	recordsDir       string                        // of Config
}

// connect starts the program and the reading of what it says.
func connect(l Launch, folder string, log *slog.Logger, h handlers) (*conn, error) {
	h.protocolLog.Begin(l.Redact)
	proc, err := process.Start(process.Spec{Path: l.Path, Args: l.Args, Address: l.Address, Env: l.Env, Redact: l.Redact}, folder, h.recordsDir, log)
	if err != nil {
		return nil, err
	}
	k := &conn{
		log: log.With("pid", proc.PID), launch: l, proc: proc, exited: make(chan struct{}),
		sessions: map[string]*session.Session{}, arrivals: map[string]*arrival{}, forgotten: map[string]bool{},
	}
	k.ctx, k.cancel = context.WithCancel(context.Background())
	k.out = acp.NewOutbox(proc.Stdin, func() { k.fail(backend.CauseNotReading) })
	k.onSessionLost, k.onCapabilities, k.onSignInRequired = h.onSessionLost, h.onCapabilities, h.onSignInRequired
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

// supervise waits for the end of the process and puts everything away.
func (c *conn) supervise(read <-chan struct{}) {
	select {
	case <-c.proc.Exited:
	case <-read:
		// It closed its stdout. It may be about to exit; it is of no use
		// either way.
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		c.proc.Stop(ctx)
		cancel()
	}
	c.cancel()
	c.proc.Sweep()
	c.proc.RemoveRecord()
	select {
	case <-read: // all it said was taken
	case <-time.After(5 * time.Second):
		// Something that cannot be ended holds its stdout open.
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
	c.log.Info("the agent ended", "how", c.proc.Exit.String(), "cause", c.cause(), "stderr", c.proc.Stderr.Last())
	close(c.exited)
}

// fail ends the process because of cause.
func (c *conn) fail(cause backend.Cause) {
	c.mu.Lock()
	if c.fault == "" {
		c.fault = cause
	}
	c.mu.Unlock()
	go c.proc.Kill()
}

// stop ends the process by the ladder and returns when it is all gone.
func (c *conn) stop(ctx context.Context) {
	c.out.Close() // what is queued, a cancel above all, goes out first
	select {
	case <-c.out.Done:
	case <-time.After(200 * time.Millisecond):
	case <-ctx.Done():
	}
	c.proc.Stop(ctx)
	<-c.exited
}

// settle gives calls that were cancelled a moment to be answered. The Copilot
// CLI ends at once then, and only after two seconds otherwise.
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

// cause is why the link ended.
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

// errLate is the error of a call that was not answered in time.
var errLate = backend.Problem("the agent didn't respond in time")

// send makes a call and waits for its answer, however long that takes. Its errors are
// those of acp.Conn. That the agent wants a sign-in is told here, whatever was asked.
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

// ask is send with a limit. An agent that does not answer within it is ended.
func (c *conn) ask(ctx context.Context, limit time.Duration, method string, params any) (gjson.Result, error) {
	r, err := await(ctx, limit, func() (gjson.Result, error) { return c.send(method, params) })
	if errors.Is(err, errLate) {
		c.log.Warn("the agent did not answer", "method", method, "after", limit)
		c.fail(backend.CauseNoAnswer)
	}
	return r, err
}

// hasExited says whether all of the link has ended.
func (c *conn) hasExited() bool {
	select {
	case <-c.exited:
		return true
	default:
		return false
	}
}

// describe adds what the agent said of itself to c.
func (c *conn) describe(to *backend.Connection) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.ready {
		able := c.capabilities
		to.Agent, to.Version, to.Capabilities = c.agentName, c.version, &able
	}
}

// initialize makes the agent and us known to one another.
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
	c.agentName = info.Get("title").String()
	if c.agentName == "" {
		c.agentName = info.Get("name").String()
	}
	c.version, c.ready = info.Get("version").String(), true
	c.mu.Unlock()
	c.applyLearned()
	c.log.Info("the agent started", "agent", c.agentName, "version", c.version, "path", c.launch.Path)
	return nil
}

// declaredCapabilities is what the agent is able to do.
func (c *conn) declaredCapabilities() backend.Capabilities {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.capabilities
}
