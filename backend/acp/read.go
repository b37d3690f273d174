package acp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// maxLine is the maximum size in bytes of an accepted line. The Copilot CLI sends 16 MB
// lines after viewing an 8 MB file.
const maxLine = 64 << 20

// Read handles all messages from r until r ends or a line exceeds maxLine. When Read returns, every call that
// received a response has returned, all other calls fail with ErrEnded, and the contexts of the agent's
// requests are canceled.
func (c *Conn) Read(r io.Reader) {
	in := bufio.NewReaderSize(r, 256<<10)
	for {
		line, err := readLine(in)
		if errors.Is(err, errLong) {
			c.handle.Long()
			_, _ = io.Copy(io.Discard, in) // drain, so that the agent doesn't block while it is being stopped
			break
		}
		if len(line) > 0 {
			c.hide(line)
			c.protocolLog.add(c.process, false, line)
			if !c.Safely(func() { c.take(line) }) {
				c.problem(backend.Say("a message that VoxPilot couldn't handle"), line)
			}
		}
		if err != nil {
			break
		}
		if !lineReady(in) {
			c.Safely(c.handle.Idle)
		}
	}
	c.Safely(c.handle.Idle)
	c.end()
}

// minSecret is the minimum length in bytes of a secret that hide masks. Shorter secrets could match
// ordinary text.
const minSecret = 16

// hide masks the agent's secrets in line by overwriting them with asterisks.
func (c *Conn) hide(line []byte) {
	for _, secret := range c.secrets {
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

var errLong = backend.Problem("a line longer than %d bytes", maxLine)

// readLine reads up to the next newline and returns the line without the newline. The line is
// valid until the next read. If the line is longer than maxLine, readLine returns errLong.
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

// lineReady reports whether the buffer contains a complete line.
func lineReady(in *bufio.Reader) bool {
	b, _ := in.Peek(in.Buffered())
	return bytes.IndexByte(b, '\n') >= 0
}

var bom = []byte("\xEF\xBB\xBF")

// Safely calls the function do and recovers if it panics. ok is false if it panicked.
func (c *Conn) Safely(do func()) (ok bool) {
	defer func() {
		if p := recover(); p != nil {
			c.log.Error("panic while handling an agent message", "panic", p, "stack", string(debug.Stack()))
			ok = false
		}
	}()
	do()
	return true
}

// take parses a line and passes the message in it to the right handler. It reports an invalid line by calling
// c.problem.
func (c *Conn) take(line []byte) {
	if chunk, ok := parseChunk(line); ok {
		c.handle.Chunk(chunk)
		return
	}
	line = bytes.TrimSpace(bytes.TrimPrefix(line, bom))
	if len(line) == 0 {
		return
	}
	m, ok := parse(line)
	switch {
	case !ok:
		c.problem(backend.Say("a line that isn't a message"), line)
	case m.id == "" && m.method == methodUpdate:
		c.handle.Update(m.params)
	case m.id == "" && m.method == methodCancelRequest:
		c.handle.Idle()
		c.mu.Lock()
		cancel := c.requests[idOf(m.params.Get("requestId").Raw)]
		c.mu.Unlock()
		if cancel != nil {
			(*cancel)()
		}
	case m.id == "":
		c.handle.Idle()
		c.handle.Other(m.method, m.params)
	case m.method != "":
		c.handle.Idle()
		c.request(m)
	default:
		c.handle.Idle()
		c.answer(line, m)
	}
}

const (
	methodUpdate        = "session/update"
	methodCancelRequest = "$/cancel_request"
)

// problem is called with each invalid message. It logs the first ten and reports the first one to Handlers.Bad. The
// parameter what describes the problem. The message's content is logged only at debug level, because it may be private.
func (c *Conn) problem(what backend.Message, line []byte) {
	c.mu.Lock()
	c.problems++
	n := c.problems
	c.mu.Unlock()
	if n <= 10 {
		c.log.Warn("the agent sent "+what.String(), "bytes", len(line), "count", n)
		c.log.Debug("start of the message", "bytes", strconv.QuoteToASCII(string(line[:min(len(line), 120)])))
	}
	if n == 1 {
		c.handle.Bad(backend.Say("The agent sent %s (%d bytes, starting with %s).", what, len(line), strconv.QuoteToASCII(string(line[:min(len(line), 60)]))))
	}
}
