// Package acp implements the JSON-RPC transport to an ACP agent. It parses the agent's messages, handles them in order,
// queues outgoing messages, logs both directions and redacts secrets.
//
// The protocol's methods and types come from acp-go-sdk.
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

// maxErrorText is the maximum size in bytes of an error's message and of its data. A longer message is shortened to the
// start of its first line; longer data is discarded.
const maxErrorText = 1 << 20

// Handlers holds the callbacks for messages from an agent. All except Request are called one after another on the
// reader goroutine, which reads nothing until they return.
type Handlers struct {
	Update func(params gjson.Result) // any session/update except a chunk
	Chunk  func(c Chunk)
	Other  func(method string, params gjson.Result) // any other notification
	Idle   func()                                   // called before reading may block, and before any message except a session/update
	Bad    func(problem backend.Message)            // the first invalid message
	Long   func()                                   // a line exceeded maxLine
	// Request handles a request in a separate goroutine. ctx is canceled when the agent
	// cancels the request or exits; ArrivedAt(ctx) returns the request's arrival time.
	Request func(ctx context.Context, method string, params gjson.Result) (result any, err *sdk.RequestError)
}

// Conn is the JSON-RPC connection to an agent. It reads the agent's output continuously, even if no caller is
// waiting for a response, because an agent whose output isn't read truncates its responses.
//
// Messages are handled in order of arrival: a response is returned to its caller, and a request is handled,
// only after all earlier notifications have been handled.
type Conn struct {
	handle      Handlers
	log         *slog.Logger
	out         io.Writer // the agent's input
	protocolLog *ProtocolLog
	process     *loggedProcess // the agent's current process, as in protocolLog
	secrets     []string       // secrets passed to the agent, to be redacted

	ctx    context.Context // parent context of the agent's requests
	cancel context.CancelFunc

	mu       sync.Mutex
	over     bool                           // the agent's output has ended
	last     int                            // ID of the last outgoing request
	pending  map[string]chan response       // calls that the agent hasn't answered, by ID
	calls    int                            // calls that have not returned
	changed  chan struct{}                  // closed and replaced when pending or calls change
	requests map[string]*context.CancelFunc // cancel functions of unanswered requests, by ID (the first for a repeated ID)
	arrived  backend.Millis                 // arrival time of the latest request
	problems int                            // number of invalid messages

	sending sync.Mutex // held while a message is logged and sent, so that the log has the order of sending
}

// response is an agent's response to a call.
type response struct {
	result string // JSON
	err    *sdk.RequestError
}

// Errors of calls to an agent that has exited. ErrUnsent, which wraps ErrEnded, means that the agent didn't receive the
// call.
var (
	ErrEnded  = backend.Problem("the agent exited before it responded")
	ErrUnsent = backend.Problem("%w: VoxPilot hadn't sent the request yet", ErrEnded)
)

// NewConn returns a connection that writes the outgoing messages to out and adds all messages to the protocol log.
// It masks the given secrets in the agent's output. The caller must call Read to process that output.
func NewConn(log *slog.Logger, out io.Writer, protocol *ProtocolLog, secrets []string, h Handlers) *Conn {
	c := &Conn{
		handle: h, log: log, out: out, protocolLog: protocol, process: protocol.current(), secrets: secrets,
		pending: map[string]chan response{}, changed: make(chan struct{}), requests: map[string]*context.CancelFunc{},
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c
}

// idOf normalizes a request ID so that equal IDs are equal strings: 1.0 becomes 1.
func idOf(raw string) string {
	if n := gjson.Parse(raw); n.Type == gjson.Number && n.Num == float64(n.Int()) {
		return strconv.FormatInt(n.Int(), 10)
	}
	return raw
}

// answer passes a response to the call that is waiting for it. A response without such a call is reported and
// discarded.
func (c *Conn) answer(line []byte, m message) {
	id := idOf(m.id)
	c.mu.Lock()
	call := c.pending[id]
	delete(c.pending, id)
	c.settle()
	c.mu.Unlock()
	switch {
	case call == nil:
		c.problem(backend.Say("a response that no request is waiting for"), line)
	case m.failed != "":
		call <- response{err: errorOf(m.failed)}
	default:
		call <- response{result: m.result}
	}
}

// errorOf returns the error that raw describes. raw is the "error" member of a response. If raw has no code,
// the code is CodeInternal. If it has no message, the message is the start of raw.
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

// request handles a request from the agent in a new goroutine and sends the response.
func (c *Conn) request(m message) {
	ctx, cancel := context.WithCancel(c.ctx)
	id := idOf(m.id)
	c.mu.Lock()
	if c.requests[id] == nil {
		c.requests[id] = &cancel
	}
	// Requests run concurrently; unique arrival times preserve their order.
	c.arrived = max(backend.Now(), c.arrived+1)
	ctx = context.WithValue(ctx, arrivalKey{}, c.arrived)
	c.mu.Unlock()
	go func() {
		result, rerr := c.respond(ctx, m)
		c.mu.Lock()
		if c.requests[id] == &cancel {
			delete(c.requests, id)
		}
		c.mu.Unlock()
		cancel()
		answer := outgoing{ID: json.RawMessage(m.id), Error: rerr}
		if rerr == nil {
			answer.Result = result
		}
		_ = c.send(answer) // fails only if the agent has exited
	}()
}

// respond returns the response to a request. A panic in the handler becomes an internal error.
func (c *Conn) respond(ctx context.Context, m message) (result json.RawMessage, rerr *sdk.RequestError) {
	defer func() {
		if p := recover(); p != nil {
			c.log.Error("panic while handling an agent request", "method", m.method, "panic", p, "stack", string(debug.Stack()))
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

// ArrivedAt returns the arrival time of the request that ctx belongs to, or the current time if ctx belongs to none.
func ArrivedAt(ctx context.Context) backend.Millis {
	at, _ := ctx.Value(arrivalKey{}).(backend.Millis)
	return cmp.Or(at, backend.Now())
}

// outgoing is a JSON-RPC message to the agent: a request, a notification or a response.
type outgoing struct {
	Version string            `json:"jsonrpc"`
	ID      json.RawMessage   `json:"id,omitempty"`
	Method  string            `json:"method,omitempty"`
	Params  any               `json:"params,omitempty"`
	Result  json.RawMessage   `json:"result,omitempty"`
	Error   *sdk.RequestError `json:"error,omitempty"`
}

// send logs and sends a message. It returns ErrUnsent if the agent has exited, and another error if the message
// can't be encoded.
func (c *Conn) send(m outgoing) error {
	m.Version = "2.0"
	line, err := json.Marshal(m)
	if err != nil {
		return err
	}
	c.sending.Lock()
	defer c.sending.Unlock()
	c.protocolLog.add(c.process, true, line)
	if _, err := c.out.Write(append(line, '\n')); err != nil {
		return ErrUnsent
	}
	return nil
}

// Notify sends a notification. Its errors are those of send.
func (c *Conn) Notify(method string, params any) error {
	return c.send(outgoing{Method: method, Params: params})
}

// Call sends a request and waits for the response without a time limit. It returns an
// *sdk.RequestError if the agent rejects the request, ErrEnded if the agent exits before
// it responds, ErrUnsent if it had already exited, and another error if params can't be encoded.
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

// settle wakes the goroutines that wait on c.changed, because c.pending or c.calls has changed. It closes the
// channel and replaces it. The caller must hold c.mu.
func (c *Conn) settle() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// Waiting returns the number of calls that haven't returned yet. The returned channel is closed when that number
// changes. It may also be closed without such a change.
func (c *Conn) Waiting() (calls int, changed <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls, c.changed
}

// end is called when reading has ended. It waits until all calls that have received a response have returned,
// and then makes the other calls fail with ErrEnded.
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

// JSON-RPC error codes used by agents.
const (
	CodeAuthRequired   = -32000
	CodeNotFound       = -32002
	CodeInvalidRequest = -32600
	CodeUnknownMethod  = -32601
	CodeInvalidParams  = -32602
	CodeInternal       = -32603
	CodeParse          = -32700
	CodeCancelled      = -32800 // canceled request
)

// Refused returns the agent's error response that err wraps, or nil if err wraps none.
func Refused(err error) *sdk.RequestError {
	var r *sdk.RequestError
	if errors.As(err, &r) {
		return r
	}
	return nil
}
