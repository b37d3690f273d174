package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	acp "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// How long an agent may take to answer. Prompts have no limit: a command may
// run for an hour.
var (
	limitInitialize = 60 * time.Second
	limitSession    = 60 * time.Second
	limitLoad       = 180 * time.Second
)

// What is kept of updates for sessions that are not known yet: an agent sends
// some for a new session before it answers session/new.
const (
	maxHeld      = 2000
	maxHeldBytes = 8 << 20
)

// link is one running agent process and the protocol spoken with it. It is
// made by connect and ends for good when the process does.
type link struct {
	log    *slog.Logger
	launch Launch
	proc   *process
	gate   *gate
	out    *outbox
	conn   *acp.Connection

	// Set by initialize, before anything else uses the link.
	canLoad  bool
	canList  bool
	canClose bool

	ctx    context.Context // ends when the process does, with what it is asked to do
	cancel context.CancelFunc
	lost   func(name string, cut bool) // a session is held no longer; cut: a turn was running
	dead   chan struct{}               // closed when all of it has ended; then cause and exit are set

	expected atomic.Bool // we end it, for a reason that is no fault of its own

	dirty *session // has text that is not published; the reader's own

	mu        sync.RWMutex
	sessions  map[string]*session // by ACP id
	held      map[string][]string // updates for ids that are not known
	heldBytes int
	heldCount int
	fault     backend.Cause // why it is being ended, where we do it
	ready     bool          // initialize was answered
	version   string
}

// handlers are what a link needs of its owner.
type handlers struct {
	bad     func(problem string)        // the agent sent something that is no message
	lost    func(name string, cut bool) // the process held the session when it ended
	request func(ctx context.Context, k *link, method string, params gjson.Result) (any, *acp.RequestError)
}

// connect starts the program and the reading of what it says.
func connect(l Launch, folder string, log *slog.Logger, h handlers) (*link, error) {
	proc, err := startProcess(l, folder)
	if err != nil {
		return nil, err
	}
	k := &link{
		log: log.With("pid", proc.pid), launch: l, proc: proc, dead: make(chan struct{}),
		sessions: map[string]*session{}, held: map[string][]string{},
	}
	k.ctx, k.cancel = context.WithCancel(context.Background())
	k.out = newOutbox(proc.stdin, func() { k.fail(backend.CauseStuck) })
	fromGate, toSDK := io.Pipe()
	k.gate = newGate(k.log, toSDK, k.out)
	k.gate.update, k.gate.chunk, k.gate.idle = k.update, k.chunk, k.flush
	k.lost = h.lost
	k.gate.bad, k.gate.long = h.bad, func() { k.fail(backend.CauseLineTooLong) }

	k.conn = acp.NewConnection(func(ctx context.Context, method string, params json.RawMessage) (result any, rerr *acp.RequestError) {
		defer func() {
			if p := recover(); p != nil {
				k.log.Error("a request of the agent could not be handled", "method", method, "panic", p, "stack", stack())
				result, rerr = nil, acp.NewInternalError(nil)
			}
		}()
		return h.request(ctx, k, method, gjson.ParseBytes(k.gate.unstash(params)))
	}, k.gate, fromGate)
	k.conn.SetLogger(slog.New(slog.DiscardHandler)) // it logs lines whole

	read := make(chan struct{})
	go func() {
		defer close(read)
		k.gate.read(proc.stdout)
	}()
	go k.supervise(read)
	return k, nil
}

// supervise waits for the end of the process and puts everything away.
func (k *link) supervise(read <-chan struct{}) {
	select {
	case <-k.proc.exited:
	case <-read:
		// It closed its stdout. It may be about to exit; it is of no use
		// either way.
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		k.proc.stop(ctx)
		cancel()
	}
	k.cancel()
	k.proc.sweep()
	select {
	case <-read: // all it said was taken
	case <-time.After(5 * time.Second):
		// Something that cannot be ended holds its stdout open.
		_ = k.proc.stdout.Close()
		<-read
	}
	_ = k.proc.stdout.Close()
	k.out.close()
	_ = k.proc.stdin.Close()
	<-k.out.done

	k.mu.Lock()
	sessions := k.sessions
	k.sessions = map[string]*session{}
	k.mu.Unlock()
	for _, s := range sessions {
		if cut := s.away(); cut || !k.expected.Load() {
			k.lost(s.name, cut)
		}
	}
	k.log.Info("the agent ended", "how", k.proc.exit.String(), "cause", k.cause(), "stderr", k.proc.stderr.last())
	close(k.dead)
}

// fail ends the process because of cause.
func (k *link) fail(cause backend.Cause) {
	k.mu.Lock()
	if k.fault == "" {
		k.fault = cause
	}
	k.mu.Unlock()
	go k.proc.kill()
}

// stop ends the process by the ladder and returns when it is all gone.
func (k *link) stop(ctx context.Context) {
	k.out.close() // what is queued, a cancel above all, goes out first
	select {
	case <-k.out.done:
	case <-time.After(200 * time.Millisecond):
	case <-ctx.Done():
	}
	k.proc.stop(ctx)
	<-k.dead
}

// cause is why the link ended.
func (k *link) cause() backend.Cause {
	k.mu.RLock()
	defer k.mu.RUnlock()
	switch {
	case k.fault != "":
		return k.fault
	case k.proc.exit.notRun != "":
		return backend.CauseSpawn
	case !k.ready:
		return backend.CauseExitedAtOnce
	}
	return backend.CauseExited
}

// errDead is the error of calls to an agent that ended; errLate of those that
// were not answered in time, which ends the agent.
var (
	errDead = errors.New("the agent ended before it answered")
	errLate = errors.New("the agent did not answer in time")
)

// send makes a call and waits for its answer, however long that takes. It
// returns an *acp.RequestError where the agent refused, and errDead where it
// ended.
func (k *link) send(method string, params any) (gjson.Result, error) {
	k.gate.called(1)
	raw, err := acp.SendRequest[json.RawMessage](k.conn, context.Background(), method, params)
	k.gate.called(-1)
	if err != nil {
		if isDeath(err) {
			err = errDead
		}
		return gjson.Result{}, err
	}
	return gjson.ParseBytes(k.gate.unstash(raw)), nil
}

// isDeath tells the SDK's own "peer disconnected" and our own errGone from an
// answer of the agent.
func isDeath(err error) bool {
	r := refused(err)
	if r == nil {
		return true
	}
	data, _ := r.Data.(map[string]any)
	s, _ := data["error"].(string)
	return s == "peer disconnected before response" || s == errGone.Error()
}

// ask is send with a limit. An agent that does not answer within it is ended.
func (k *link) ask(ctx context.Context, limit time.Duration, method string, params any) (gjson.Result, error) {
	type answer struct {
		result gjson.Result
		err    error
	}
	got := make(chan answer, 1)
	go func() {
		r, err := k.send(method, params)
		got <- answer{r, err}
	}()
	late := time.NewTimer(limit)
	defer late.Stop()
	select {
	case a := <-got:
		return a.result, a.err
	case <-ctx.Done():
		return gjson.Result{}, ctx.Err()
	case <-late.C:
		k.log.Warn("the agent did not answer", "method", method, "after", limit)
		k.fail(backend.CauseNoAnswer)
		return gjson.Result{}, errLate
	}
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

// versionKnown is the agent's version, "" before it was told.
func (k *link) versionKnown() string {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.version
}

// initialize makes the agent and us known to one another.
func (k *link) initialize(ctx context.Context, version string) error {
	r, err := k.ask(ctx, limitInitialize, acp.AgentMethodInitialize, acp.InitializeRequest{
		ProtocolVersion: acp.ProtocolVersionNumber, ClientCapabilities: clientCapabilities,
		ClientInfo: &acp.Implementation{Name: "voxpilot", Title: acp.Ptr("VoxPilot"), Version: version},
	})
	if err != nil {
		return err
	}
	k.canLoad = r.Get("agentCapabilities.loadSession").Bool()
	k.canList = r.Get("agentCapabilities.sessionCapabilities.list").Exists()
	k.canClose = r.Get("agentCapabilities.sessionCapabilities.close").Exists()
	k.mu.Lock()
	k.version, k.ready = r.Get("agentInfo.version").String(), true
	k.mu.Unlock()
	k.log.Info("the agent started", "version", k.version, "path", k.launch.Path)
	return nil
}

// register makes s the one that takes the updates of its id, beginning with
// those that were held.
func (k *link) register(s *session) {
	id := s.acpID
	k.mu.Lock()
	defer k.mu.Unlock()
	k.sessions[id] = s
	for _, raw := range k.held[id] {
		k.heldBytes -= len(raw)
		k.heldCount--
		s.update(gjson.Parse(raw))
	}
	delete(k.held, id)
	s.flush()
}

// forget ends what register began.
func (k *link) forget(s *session) {
	k.mu.Lock()
	delete(k.sessions, s.acpID)
	k.mu.Unlock()
	s.away()
}

// named is the session of this process with the name, or nil.
func (k *link) named(name string) *session {
	k.mu.RLock()
	defer k.mu.RUnlock()
	for _, s := range k.sessions {
		if s.name == name {
			return s
		}
	}
	return nil
}

// byID is the session with the ACP id, or nil.
func (k *link) byID(id string) *session {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.sessions[id]
}

// update takes a session/update that is no chunk.
func (k *link) update(params gjson.Result) {
	id, up := params.Get("sessionId").String(), params.Get("update")
	if s := k.byID(id); s != nil {
		s.update(up)
		return
	}
	k.hold(id, up.Raw)
}

// chunk takes a piece of text. It stays with its session until nothing more
// can be read at once, so that many pieces make one event.
func (k *link) chunk(c chunk) {
	s := k.dirty
	if s == nil || s.acpID != string(c.session) {
		k.flush()
		s = k.byID(string(c.session))
	}
	if s == nil {
		kind := "agent_message_chunk"
		if c.kind == thoughtChunk {
			kind = "agent_thought_chunk"
		}
		k.hold(string(c.session), fmt.Sprintf(`{"sessionUpdate":%q,"content":{"type":"text","text":"%s"}}`, kind, c.text))
		return
	}
	k.dirty = s
	s.chunk(c.kind, c.text)
}

// flush publishes the text that chunk kept back.
func (k *link) flush() {
	if k.dirty != nil {
		k.dirty.flush()
		k.dirty = nil
	}
}

func (k *link) hold(id, raw string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if s := k.sessions[id]; s != nil { // became known just now
		s.update(gjson.Parse(raw))
		s.flush()
		return
	}
	if k.heldCount >= maxHeld || k.heldBytes+len(raw) > maxHeldBytes {
		k.log.Warn("an update for a session that is not known was dropped", "bytes", len(raw))
		return
	}
	k.held[id] = append(k.held[id], raw)
	k.heldBytes += len(raw)
	k.heldCount++
}

// refused is the agent's own error in err's chain, or nil.
func refused(err error) *acp.RequestError {
	var r *acp.RequestError
	if errors.As(err, &r) {
		return r
	}
	return nil
}

func stack() string { return string(debug.Stack()) }
