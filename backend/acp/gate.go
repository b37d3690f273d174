// Package acp is the wire to an agent: it splits what comes into messages, keeps
// their order, sends what goes out, and keeps a log of both. It hides what is secret.
//
// The methods and types of the protocol are those of acp-go-sdk.
package acp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// maxLine is the size of the longest line that is taken. The Copilot CLI sends
// lines of 16 MB where it viewed a file of 8 MB.
const maxLine = 64 << 20

// stashFrom is the size from which the body of a request or answer is kept
// here and handed to the SDK as a number: its scanner closes the connection at
// 10 MiB.
const stashFrom = 1 << 20

// Gate owns what the agent writes. It reads without pause and without regard
// to who listens: an agent whose output is not read cuts its answers off.
//
// Notifications are handled by the gate itself, one after another in the order
// in which they came. Requests and answers go on to the SDK, each only after
// all that came before it was handled.
type Gate struct {
	log    *slog.Logger
	sdk    *io.PipeWriter            // what the SDK reads
	out    io.Writer                 // what the agent reads
	Update func(params gjson.Result) // a session/update that is no chunk
	Chunk  func(c Chunk)
	Other  func(method string, params gjson.Result) // a notification of another kind
	Idle   func()                                   // nothing more can be read at once, or something else is to be handled
	Bad    func(problem string)
	Long   func() // a line was longer than maxLine
	wire   *Wire
	// Secrets are what the agent was given and must not show.
	Secrets []string

	mu       sync.Mutex
	calls    int             // calls that have not returned
	asked    map[string]bool // ids of our requests that are not answered
	settled  chan struct{}   // closed and replaced when either changes
	stashed  map[string]stashed
	stashes  int
	arrived  backend.Millis // when the last stashed body arrived
	problems int
}

// NewGate makes a Gate that hands what the SDK is to see to sdk, and writes to out.
func NewGate(log *slog.Logger, sdk *io.PipeWriter, out io.Writer, w *Wire) *Gate {
	return &Gate{
		log: log, sdk: sdk, out: out, wire: w,
		asked: map[string]bool{}, settled: make(chan struct{}), stashed: map[string]stashed{},
	}
}

// Read handles everything that comes from r until it ends. When it returns,
// every answer has reached the call that waits for it and the SDK knows that
// there will be no more.
func (g *Gate) Read(r io.Reader) {
	in := bufio.NewReaderSize(r, 256<<10)
	for {
		line, err := readLine(in)
		if errors.Is(err, errLong) {
			g.Long()
			_, _ = io.Copy(io.Discard, in) // it is being ended: let it write in peace
			break
		}
		if len(line) > 0 {
			g.hide(line)
			g.wire.note(false, line)
			if !g.Safely(func() { g.take(line) }) {
				g.problem("a message that could not be handled", line)
			}
		}
		if err != nil {
			break
		}
		if !lineReady(in) {
			g.Safely(g.Idle)
		}
	}
	g.Safely(g.Idle)
	g.drain()
}

// minSecret is the size of the shortest secret that is looked for: a shorter one
// may be any word.
const minSecret = 16

// hide puts stars in the place of what the agent was given and must not show.
func (g *Gate) hide(line []byte) {
	for _, secret := range g.Secrets {
		if len(secret) < minSecret {
			continue
		}
		for rest := line; ; {
			i := bytes.Index(rest, []byte(secret))
			if i < 0 {
				break
			}
			copy(rest[i:], strings.Repeat("*", len(secret)))
			rest = rest[i+len(secret):]
		}
	}
}

var errLong = fmt.Errorf("a line of more than %d bytes", maxLine)

// readLine reads up to the next newline, which is not part of the result. The
// result is valid until the next read.
func readLine(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		long := append([]byte(nil), line...)
		for errors.Is(err, bufio.ErrBufferFull) {
			if len(long) > maxLine {
				return nil, errLong
			}
			line, err = in.ReadSlice('\n')
			long = append(long, line...)
		}
		line = long
	}
	return bytes.TrimRight(line, "\r\n"), err
}

// lineReady says whether a whole line is in the buffer already.
func lineReady(in *bufio.Reader) bool {
	b, _ := in.Peek(in.Buffered())
	return bytes.IndexByte(b, '\n') >= 0
}

var bom = []byte("\xEF\xBB\xBF")

// Safely runs do, whose panic is the end of do and of nothing else.
func (g *Gate) Safely(do func()) (ok bool) {
	defer func() {
		if p := recover(); p != nil {
			g.log.Error("a message of the agent could not be handled", "panic", p, "stack", string(debug.Stack()))
			ok = false
		}
	}()
	do()
	return true
}

// take handles one line.
func (g *Gate) take(line []byte) {
	if c, ok := parseChunk(line); ok {
		g.Chunk(c)
		return
	}
	line = bytes.TrimSpace(bytes.TrimPrefix(line, bom))
	if len(line) == 0 {
		return
	}
	m, ok := parse(line)
	switch {
	case !ok:
		g.problem("a line that is no message", line)
	case m.id == "" && m.method == methodUpdate:
		g.Update(m.params)
	case m.id == "" && m.method == methodCancelRequest:
		g.Idle()
		g.pass(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":%q,"params":%s}`, methodCancelRequest, orNull(m.params.Raw)))
	case m.id == "":
		g.Idle()
		g.Other(m.method, m.params)
	case m.method != "":
		g.Idle()
		g.request(m)
	default:
		g.Idle()
		g.answer(line, m)
	}
}

const (
	methodUpdate        = "session/update"
	methodCancelRequest = "$/cancel_request"
)

// problem counts and logs something that is no message. What it was is logged
// at debug level only: it may be anything.
func (g *Gate) problem(what string, line []byte) {
	g.mu.Lock()
	g.problems++
	n := g.problems
	g.mu.Unlock()
	if n <= 10 {
		g.log.Warn("the agent sent "+what, "bytes", len(line), "count", n)
		g.log.Debug("it begins with", "bytes", strconv.QuoteToASCII(string(line[:min(len(line), 120)])))
	}
	if n == 1 {
		g.Bad(fmt.Sprintf("The agent sent %s (%d bytes, beginning with %s).", what, len(line), strconv.QuoteToASCII(string(line[:min(len(line), 60)]))))
	}
}

// pass hands a message on. It is put together anew from what was understood of
// it, since the SDK reads messages by other rules, such as names in any case:
// an answer that it took for something else would leave its call without end.
func (g *Gate) pass(line []byte) {
	_, _ = g.sdk.Write(append(line, '\n')) // fails only once the SDK has closed it
}

func orNull(raw string) string {
	if raw == "" {
		return "null"
	}
	return raw
}

// answer hands the answer to one of our requests on. Answers to nothing are
// left out.
func (g *Gate) answer(line []byte, m message) {
	if n := gjson.Parse(m.id); n.Type == gjson.Number {
		m.id = strconv.FormatInt(n.Int(), 10) // 1.0 is 1
	}
	g.mu.Lock()
	known := g.asked[m.id]
	delete(g.asked, m.id)
	g.mu.Unlock()
	switch {
	case !known:
		g.problem("an answer to no request", line)
	case m.failed != "":
		g.pass(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":%s}`, m.id, plainError(m.failed)))
	case len(m.result) > stashFrom:
		g.pass(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{%q:%q}}`, m.id, stashKey, g.stash(m.result)))
	default:
		g.pass(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.id, orNull(m.result)))
	}
}

// plainError is an error of the agent in the form that the SDK reads, whatever
// its form was.
func plainError(raw string) []byte {
	e := gjson.Parse(raw)
	var plain sdk.RequestError
	plain.Code, plain.Message = int(e.Get("code").Int()), e.Get("message").String()
	if plain.Code == 0 {
		plain.Code = CodeInternal
	}
	if plain.Message == "" {
		plain.Message = excerpt.FirstLine(raw, 300)
	}
	if data := e.Get("data"); data.Exists() && len(data.Raw) <= stashFrom {
		plain.Data = json.RawMessage(data.Raw)
	}
	if len(plain.Message) > stashFrom {
		plain.Message = excerpt.FirstLine(plain.Message, 300)
	}
	b, err := json.Marshal(plain)
	if err != nil {
		return fmt.Appendf(nil, `{"code":%d,"message":"(an error that cannot be read)"}`, CodeInternal)
	}
	return b
}

// request hands a request on, with long params stashed. One that nobody here
// knows is refused whatever its params are.
func (g *Gate) request(m message) {
	params := orNull(m.params.Raw)
	// The SDK answers each in a goroutine of its own: the order of those that ask is kept here.
	if len(params) > stashFrom || asksUser[m.method] {
		params = fmt.Sprintf(`{%q:%q}`, stashKey, g.stash(params))
	}
	method, _ := json.Marshal(m.method) //nolint:errchkjson // a string
	g.pass(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"method":%s,"params":%s}`, m.id, method, params))
}

// asksUser are the requests that the user may be asked about.
var asksUser = map[string]bool{
	sdk.ClientMethodSessionRequestPermission: true,
	sdk.ClientMethodFsWriteTextFile:          true,
	sdk.ClientMethodTerminalCreate:           true,
}

// Write sends a message of the SDK to the agent, having noted that it is to be
// answered.
func (g *Gate) Write(line []byte) (int, error) {
	id := ""
	if m, ok := parse(bytes.TrimSpace(line)); ok && m.method != "" {
		id = m.id
	}
	g.note(id, true)
	g.wire.note(true, bytes.TrimSpace(line))
	n, err := g.out.Write(line)
	if err != nil {
		g.note(id, false)
	}
	return n, err
}

func (g *Gate) note(id string, asked bool) {
	if id == "" {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if asked {
		g.asked[id] = true
	} else {
		delete(g.asked, id)
	}
	g.settle()
}

// Count counts the calls that are under way: +1 before one is made, -1 after
// it returned.
func (g *Gate) Count(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.calls += n
	g.settle()
}

// settle tells who waits that calls or asked changed; g.mu is held.
func (g *Gate) settle() {
	close(g.settled)
	g.settled = make(chan struct{})
}

// Waiting is how many calls are under way; changed is closed when that changes.
func (g *Gate) Waiting() (calls int, changed <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.calls, g.settled
}

// drain waits until every answer that was passed on has reached the call that
// waits for it, and only then tells the SDK that the connection is over: it
// drops them otherwise. Until then a call returns only when it is answered or
// could not be sent, so the calls under way come down to those unanswered.
func (g *Gate) drain() {
	for {
		g.mu.Lock()
		open, changed := g.calls > len(g.asked), g.settled
		g.mu.Unlock()
		if !open {
			break
		}
		<-changed
	}
	_ = g.sdk.CloseWithError(io.EOF)
}
