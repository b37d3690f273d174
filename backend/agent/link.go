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

// link is one running agent process and the protocol spoken with it. It is
// made by connect and ends for good when the process does.
type link struct {
	log    *slog.Logger
	launch Launch
	proc   *process.Process
	out    *acp.Outbox
	conn   *acp.Conn

	ctx    context.Context // ends when the process does, with what it is asked to do
	cancel context.CancelFunc
	lost   func(name string, cut bool) // a session is held no longer; cut: a turn was running
	told   func(*link)                 // what it is able to do changed
	away   func(*link)                 // it wants a sign-in
	dead   chan struct{}               // closed when all of it has ended; then cause and exit are set

	expected atomic.Bool // we end it, for a reason that is no fault of its own
	refused  atomic.Bool // it wants a sign-in, or its folder is not trusted: it is asked for nothing more

	dirty   *session.Session // has text that is not published; the reader's own
	updated bool             // an update came since flush; the reader's own
	heard   atomic.Int64     // when the last update came, in milliseconds

	arriving sync.WaitGroup

	mu        sync.RWMutex
	sessions  map[string]*session.Session // by ACP id
	arrivals  map[string]*arrival         // by name
	over      bool                        // nothing arrives any more
	forgotten map[string]bool             // ids of sessions that are held no longer
	held      []heldUpdate                // for ids that are not known, oldest first
	heldBytes int
	fault     backend.Cause // why it is being ended, where we do it
	ready     bool          // initialize was answered
	agent     string        // its name
	version   string
	able      backend.Capabilities
	mcpHTTP   bool // it reaches MCP servers by HTTP
}

// handlers are what a link needs of its owner.
type handlers struct {
	bad     func(problem backend.Message) // the agent sent something that is no message
	lost    func(name string, cut bool)   // the process held the session when it ended
	able    func(*link)                   // it is able to do less than it said
	refused func(*link)                   // it wants a sign-in
	hold    func() (rest func())          // there is something to do
	wire    *acp.ProtocolLog              // keeps the messages
	records string                        // of Config
}

// connect starts the program and the reading of what it says.
func connect(l Launch, folder string, log *slog.Logger, h handlers) (*link, error) {
	h.wire.Begin(l.Redact)
	proc, err := process.Start(process.Spec{Path: l.Path, Args: l.Args, Address: l.Address, Env: l.Env, Redact: l.Redact}, folder, h.records, log)
	if err != nil {
		return nil, err
	}
	k := &link{
		log: log.With("pid", proc.PID), launch: l, proc: proc, dead: make(chan struct{}),
		sessions: map[string]*session.Session{}, arrivals: map[string]*arrival{}, forgotten: map[string]bool{},
	}
	k.ctx, k.cancel = context.WithCancel(context.Background())
	k.out = acp.NewOutbox(proc.Stdin, func() { k.fail(backend.CauseNotReading) })
	k.lost, k.told, k.away = h.lost, h.able, h.refused
	k.conn = acp.NewConn(k.log, k.out, h.wire, l.Secrets, acp.Handlers{
		Update: k.update, Chunk: k.chunk, Idle: k.flush, Other: k.notified,
		Bad: h.bad, Long: func() { k.fail(backend.CauseLineTooLong) },
		Request: func(ctx context.Context, method string, params gjson.Result) (any, *sdk.RequestError) {
			defer h.hold()()
			return session.Answer(ctx, k.log, k.byID, method, params)
		},
	})

	read := make(chan struct{})
	go func() {
		defer close(read)
		k.conn.Read(proc.Stdout)
	}()
	go k.supervise(read)
	return k, nil
}

// supervise waits for the end of the process and puts everything away.
func (k *link) supervise(read <-chan struct{}) {
	select {
	case <-k.proc.Exited:
	case <-read:
		// It closed its stdout. It may be about to exit; it is of no use
		// either way.
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		k.proc.Stop(ctx)
		cancel()
	}
	k.cancel()
	k.proc.Sweep()
	k.proc.Strike()
	select {
	case <-read: // all it said was taken
	case <-time.After(5 * time.Second):
		// Something that cannot be ended holds its stdout open.
		_ = k.proc.Stdout.Close()
		<-read
	}
	_ = k.proc.Stdout.Close()
	k.out.Close()
	_ = k.proc.Stdin.Close()
	<-k.out.Done

	k.mu.Lock()
	k.over = true
	k.mu.Unlock()
	k.arriving.Wait()
	k.mu.Lock()
	sessions := k.sessions
	k.sessions = map[string]*session.Session{}
	k.mu.Unlock()
	for _, s := range sessions {
		if cut := s.Away(); cut || !k.expected.Load() {
			k.lost(s.Name, cut)
		}
	}
	k.log.Info("the agent ended", "how", k.proc.Exit.String(), "cause", k.cause(), "stderr", k.proc.Stderr.Last())
	close(k.dead)
}

// fail ends the process because of cause.
func (k *link) fail(cause backend.Cause) {
	k.mu.Lock()
	if k.fault == "" {
		k.fault = cause
	}
	k.mu.Unlock()
	go k.proc.Kill()
}

// stop ends the process by the ladder and returns when it is all gone.
func (k *link) stop(ctx context.Context) {
	k.out.Close() // what is queued, a cancel above all, goes out first
	select {
	case <-k.out.Done:
	case <-time.After(200 * time.Millisecond):
	case <-ctx.Done():
	}
	k.proc.Stop(ctx)
	<-k.dead
}

// settle gives calls that were cancelled a moment to be answered. The Copilot
// CLI ends at once then, and only after two seconds otherwise.
func (k *link) settle(ctx context.Context, limit time.Duration) {
	t := time.NewTimer(limit)
	defer t.Stop()
	for {
		calls, changed := k.conn.Waiting()
		if calls == 0 {
			return
		}
		select {
		case <-changed:
		case <-k.dead:
			return
		case <-t.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// cause is why the link ended.
func (k *link) cause() backend.Cause {
	k.mu.RLock()
	defer k.mu.RUnlock()
	switch {
	case k.fault != "":
		return k.fault
	case k.proc.Exit.NotRun != "":
		return backend.CauseSpawnFailed
	case k.proc.Remote():
		return backend.CauseUnreachable
	case !k.ready:
		return backend.CauseExitedOnStart
	}
	return backend.CauseExited
}

// errLate is the error of a call that was not answered in time.
var errLate = backend.Problem("the agent didn't respond in time")

// send makes a call and waits for its answer, however long that takes. Its errors are
// those of acp.Conn. That the agent wants a sign-in is told here, whatever was asked.
func (k *link) send(method string, params any) (gjson.Result, error) {
	answer, err := k.conn.Call(method, params)
	if r := acp.Refused(err); r != nil {
		asSignIn(r)
		if r.Code == acp.CodeAuthRequired && !k.refused.Swap(true) {
			k.away(k)
		}
	}
	return answer, err
}

// ask is send with a limit. An agent that does not answer within it is ended.
func (k *link) ask(ctx context.Context, limit time.Duration, method string, params any) (gjson.Result, error) {
	r, err := await(ctx, limit, func() (gjson.Result, error) { return k.send(method, params) })
	if errors.Is(err, errLate) {
		k.log.Warn("the agent did not answer", "method", method, "after", limit)
		k.fail(backend.CauseNoAnswer)
	}
	return r, err
}

// ended says whether all of the link has ended.
func (k *link) ended() bool {
	select {
	case <-k.dead:
		return true
	default:
		return false
	}
}

// describe adds what the agent said of itself to c.
func (k *link) describe(c *backend.Connection) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if k.ready {
		able := k.able
		c.Agent, c.Version, c.Capabilities = k.agent, k.version, &able
	}
}

// initialize makes the agent and us known to one another.
func (k *link) initialize(ctx context.Context, version string) error {
	r, err := k.ask(ctx, limitInitialize, sdk.AgentMethodInitialize, sdk.InitializeRequest{
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
	k.mu.Lock()
	k.able = backend.Capabilities{
		Load:            offers("loadSession"),
		List:            offers("sessionCapabilities.list"),
		Resume:          offers("sessionCapabilities.resume"),
		Fork:            offers("sessionCapabilities.fork"),
		Close:           offers("sessionCapabilities.close"),
		Image:           offers("promptCapabilities.image"),
		Audio:           offers("promptCapabilities.audio"),
		EmbeddedContext: offers("promptCapabilities.embeddedContext"),
	}
	k.mcpHTTP = caps.Get("mcpCapabilities.http").Bool()
	k.agent = info.Get("title").String()
	if k.agent == "" {
		k.agent = info.Get("name").String()
	}
	k.version, k.ready = info.Get("version").String(), true
	k.mu.Unlock()
	k.remember()
	k.log.Info("the agent started", "agent", k.agent, "version", k.version, "path", k.launch.Path)
	return nil
}

// can is what the agent is able to do.
func (k *link) can() backend.Capabilities {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.able
}
