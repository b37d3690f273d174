// Package acp is the wire to an agent: it splits what comes into messages, keeps
// their order, sends what goes out, and keeps a log of both. It hides what is secret.
//
// The methods and types of the protocol are those of acp-go-sdk.
package acp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"runtime/debug"
	"strconv"
	"sync"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// maxErrorText is the size up to which an agent's error is kept whole.
const maxErrorText = 1 << 20

// Handlers take what an agent sends. All but Request are called by the reader, one
// after another, and keep it from reading on.
type Handlers struct {
	Update func(params gjson.Result) // a session/update that is no chunk
	Chunk  func(c Chunk)
	Other  func(method string, params gjson.Result) // a notification of another kind
	Idle   func()                                   // nothing more can be read at once, or something else is to be handled
	Bad    func(problem backend.Message)            // the first that is no message
	Long   func()                                   // a line was longer than maxLine
	// Request answers a request, in a goroutine of its own. ctx ends when the agent
	// takes it back or is gone, and says when it came (ArrivedAt).
	Request func(ctx context.Context, method string, params gjson.Result) (result any, err *sdk.RequestError)
}

// Conn is the JSON-RPC connection with an agent. It owns what the agent writes, and
// reads without pause and without regard to who listens: an agent whose output is not
// read cuts its answers off.
//
// What comes is handled in the order in which it came: an answer reaches its call, and
// a request is begun, only after all notifications before it were handled.
type Conn struct {
	handle      Handlers
	log         *slog.Logger
	out         io.Writer // what the agent reads
	protocolLog *ProtocolLog
	secrets     []string // what the agent was given and must not show

	ctx    context.Context // of its requests
	cancel context.CancelFunc

	mu       sync.Mutex
	over     bool // nothing more is read
	last     int  // the id of our last request
	pending  map[string]chan response
	calls    int                           // calls that have not returned
	changed  chan struct{}                 // closed and replaced when pending or calls change
	requests map[string]context.CancelFunc // of the agent, that are not answered
	arrived  backend.Millis                // when the last of them came
	problems int

	sending sync.Mutex // keeps what is sent and what is noted in one order
}

// response is an answer of the agent.
type response struct {
	result string // JSON
	err    *sdk.RequestError
}

// The errors of calls to an agent that has ended. It did not get those with ErrUnsent.
var (
	ErrEnded  = backend.Problem("the agent exited before it responded")
	ErrUnsent = backend.Problem("%w: it had already exited", ErrEnded)
)

// NewConn makes a connection that writes to out and keeps all messages in w. Read has it
// read.
func NewConn(log *slog.Logger, out io.Writer, w *ProtocolLog, secrets []string, h Handlers) *Conn {
	c := &Conn{
		handle: h, log: log, out: out, protocolLog: w, secrets: secrets,
		pending: map[string]chan response{}, changed: make(chan struct{}), requests: map[string]context.CancelFunc{},
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c
}

// idOf is a request's id as JSON: of a number in its shortest form, since 1.0 is 1.
func idOf(raw string) string {
	if n := gjson.Parse(raw); n.Type == gjson.Number && n.Num == float64(n.Int()) {
		return strconv.FormatInt(n.Int(), 10)
	}
	return raw
}

// answer hands the answer to one of our requests to its call. Answers to nothing are
// left out.
func (c *Conn) answer(line []byte, m message) {
	id := idOf(m.id)
	c.mu.Lock()
	call := c.pending[id]
	delete(c.pending, id)
	c.settle()
	c.mu.Unlock()
	switch {
	case call == nil:
		c.problem(backend.Say("a response without a request"), line)
	case m.failed != "":
		call <- response{err: errorOf(m.failed)}
	default:
		call <- response{result: m.result}
	}
}

// errorOf is an error of the agent, whatever its form is.
func errorOf(raw string) *sdk.RequestError {
	e := gjson.Parse(raw)
	err := &sdk.RequestError{Code: int(e.Get("code").Int()), Message: e.Get("message").String()}
	if err.Code == 0 {
		err.Code = CodeInternal
	}
	if err.Message == "" {
		err.Message = excerpt.FirstLine(raw, 300)
	}
	if data := e.Get("data"); data.Exists() && len(data.Raw) <= maxErrorText {
		err.Data = data.Value()
	}
	if len(err.Message) > maxErrorText {
		err.Message = excerpt.FirstLine(err.Message, 300)
	}
	return err
}

// request has a request of the agent answered.
func (c *Conn) request(m message) {
	ctx, cancel := context.WithCancel(c.ctx)
	id := idOf(m.id)
	c.mu.Lock()
	c.requests[id] = cancel
	// Each is answered in a goroutine of its own: the time at which it came, which no
	// other one has, keeps their order.
	c.arrived = max(backend.Now(), c.arrived+1)
	ctx = context.WithValue(ctx, arrivalKey{}, c.arrived)
	c.mu.Unlock()
	go func() {
		result, rerr := c.respond(ctx, m)
		c.mu.Lock()
		delete(c.requests, id)
		c.mu.Unlock()
		cancel()
		answer := outgoing{ID: json.RawMessage(m.id), Error: rerr}
		if rerr == nil {
			answer.Result = result
		}
		_ = c.send(answer) // it fails only where the agent has ended
	}()
}

func (c *Conn) respond(ctx context.Context, m message) (result json.RawMessage, rerr *sdk.RequestError) {
	defer func() {
		if p := recover(); p != nil {
			c.log.Error("a request of the agent could not be handled", "method", m.method, "panic", p, "stack", string(debug.Stack()))
			result, rerr = nil, sdk.NewInternalError(nil)
		}
	}()
	answer, rerr := c.handle.Request(ctx, m.method, m.params)
	if rerr != nil {
		return nil, rerr
	}
	result, err := json.Marshal(answer)
	if err != nil {
		return nil, sdk.NewInternalError(map[string]any{"error": err.Error()})
	}
	return result, nil
}

type arrivalKey struct{}

// ArrivedAt returns when the request that ctx belongs to came.
func ArrivedAt(ctx context.Context) backend.Millis {
	at, _ := ctx.Value(arrivalKey{}).(backend.Millis)
	return cmp.Or(at, backend.Now())
}

// outgoing is a message to the agent.
type outgoing struct {
	Version string            `json:"jsonrpc"`
	ID      json.RawMessage   `json:"id,omitempty"`
	Method  string            `json:"method,omitempty"`
	Params  any               `json:"params,omitempty"`
	Result  json.RawMessage   `json:"result,omitempty"`
	Error   *sdk.RequestError `json:"error,omitempty"`
}

func (c *Conn) send(m outgoing) error {
	m.Version = "2.0"
	line, err := json.Marshal(m)
	if err != nil {
		return &sdk.RequestError{Code: CodeInternal, Message: err.Error()}
	}
	c.sending.Lock()
	defer c.sending.Unlock()
	c.protocolLog.add(true, line)
	if _, err := c.out.Write(append(line, '\n')); err != nil {
		return ErrUnsent
	}
	return nil
}

// Notify sends a notification.
func (c *Conn) Notify(method string, params any) error {
	return c.send(outgoing{Method: method, Params: params})
}

// Call makes a call and waits for its answer, however long that takes. It returns an
// *sdk.RequestError where the agent refused, and ErrEnded where it ended.
func (c *Conn) Call(method string, params any) (gjson.Result, error) {
	answered := make(chan response, 1)
	c.mu.Lock()
	if c.over {
		c.mu.Unlock()
		return gjson.Result{}, ErrUnsent
	}
	c.last++
	id := strconv.Itoa(c.last)
	c.pending[id] = answered
	c.calls++
	c.settle()
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.pending, id)
		c.calls--
		c.settle()
		c.mu.Unlock()
	}()
	if err := c.send(outgoing{ID: json.RawMessage(id), Method: method, Params: params}); err != nil {
		return gjson.Result{}, err
	}
	r, ok := <-answered
	switch {
	case !ok:
		return gjson.Result{}, ErrEnded
	case r.err != nil:
		return gjson.Result{}, r.err
	}
	return gjson.Parse(r.result), nil
}

// settle tells who waits that pending or calls changed; c.mu is held.
func (c *Conn) settle() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// Waiting is how many calls are under way; changed is closed when that changes.
func (c *Conn) Waiting() (calls int, changed <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls, c.changed
}

// end waits until all calls that were answered have returned, and ends the others.
func (c *Conn) end() {
	c.mu.Lock()
	for c.calls > len(c.pending) {
		changed := c.changed
		c.mu.Unlock()
		<-changed
		c.mu.Lock()
	}
	c.over = true
	for id, call := range c.pending {
		delete(c.pending, id)
		close(call)
	}
	c.mu.Unlock()
	c.cancel()
}

// JSON-RPC error codes of agents.
const (
	CodeAuthRequired   = -32000
	CodeNotFound       = -32002
	CodeInvalidRequest = -32600
	CodeUnknownMethod  = -32601
	CodeInvalidParams  = -32602
	CodeInternal       = -32603
	CodeParse          = -32700
	CodeCancelled      = -32800 // a request that was given up
)

// Refused is the agent's own error in err's chain, or nil.
func Refused(err error) *sdk.RequestError {
	var r *sdk.RequestError
	if errors.As(err, &r) {
		return r
	}
	return nil
}
