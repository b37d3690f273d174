package llm

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// toolCallBuilder assembles the tool calls in an answer from their pieces.
//
// The index of a piece identifies its call. Some services send no index, or the same
// one for all calls, and send each call in one piece with its own ID; some send no IDs,
// and some send arguments as an object.
type toolCallBuilder struct {
	list  []*Call
	index map[int64]*Call
}

func (c *toolCallBuilder) add(piece gjson.Result) {
	id, function := piece.Get("id").String(), piece.Get("function")
	call := c.find(piece.Get("index"), id, function.Get("name").String())
	if call.ID == "" {
		call.ID = id
	}
	if call.Name == "" {
		call.Name = function.Get("name").String()
	}
	switch arguments := function.Get("arguments"); {
	case arguments.IsObject():
		call.Arguments = arguments.Raw
	case arguments.Type == gjson.String:
		call.Arguments += arguments.Str
	}
}

// find returns the call that a piece with the given index, ID and name belongs to. It creates the call if needed.
func (c *toolCallBuilder) find(index gjson.Result, id, name string) *Call {
	var known *Call
	switch {
	case index.Type == gjson.Number:
		known = c.index[index.Int()]
		if known != nil && name != "" && id != "" && known.ID != "" && id != known.ID {
			known = nil
		}
	case id != "":
		if i := slices.IndexFunc(c.list, func(call *Call) bool { return call.ID == id }); i >= 0 {
			known = c.list[i]
		}
	case name == "" && len(c.list) > 0:
		known = c.list[len(c.list)-1]
	}
	if known != nil {
		return known
	}
	call := &Call{}
	c.list = append(c.list, call)
	if index.Type == gjson.Number {
		if c.index == nil {
			c.index = map[int64]*Call{}
		}
		c.index[index.Int()] = call
	}
	return call
}

// all returns all calls except empty ones. A call whose ID is missing or not unique gets a new ID.
func (c *toolCallBuilder) all() []Call {
	var all []Call
	seen := map[string]bool{}
	for _, call := range c.list {
		if call.Name == "" && call.Arguments == "" {
			continue
		}
		if call.ID == "" || seen[call.ID] {
			call.ID = "call_" + backend.NewID()
		}
		seen[call.ID] = true
		all = append(all, *call)
	}
	return all
}

// thinkSplitter extracts the reasoning from text that starts with <think>…</think>, as
// local models often write it.
type thinkSplitter struct {
	state   int    // one of the constants below
	pending string // text that split has held back
}

const (
	undecided = iota // too little text to decide
	inside           // between the tags
	over             // the reasoning has ended, or the text doesn't start with it
)

const thinkOpen, thinkClose = "<think>", "</think>"

// split splits the next piece of a stream into text and reasoning. It holds back
// characters that may be the start of a tag.
func (t *thinkSplitter) split(piece string) (text, reasoning string) {
	if t.state == undecided && piece != "" {
		t.pending += piece
		begun := strings.TrimLeft(t.pending, " \t\r\n")
		switch {
		case strings.HasPrefix(begun, thinkOpen):
			t.state, t.pending, piece = inside, "", begun[len(thinkOpen):]
		case strings.HasPrefix(thinkOpen, begun):
			return "", ""
		default:
			text, t.state, t.pending = t.pending, over, ""
			return text, ""
		}
	}
	if t.state != inside {
		return piece, ""
	}
	t.pending += piece
	if before, after, closed := strings.Cut(t.pending, thinkClose); closed {
		t.state, t.pending = over, ""
		return strings.TrimLeft(after, "\r\n"), before
	}
	keep := 0
	for n := min(len(t.pending), len(thinkClose)-1); n > 0; n-- {
		if strings.HasSuffix(t.pending, thinkClose[:n]) {
			keep = n
			break
		}
	}
	reasoning, t.pending = t.pending[:len(t.pending)-keep], t.pending[len(t.pending)-keep:]
	return "", reasoning
}

// rest returns the characters that split has held back. It must be called at the end of the stream.
func (t *thinkSplitter) rest() (text, reasoning string) {
	held := t.pending
	t.pending = ""
	if t.state == inside {
		return "", held
	}
	return held, ""
}

// events reads server-sent events from a response.
type events struct {
	lines   *bufio.Scanner
	data    []byte // of the event read last
	started bool   // the first line was read
	long    bool   // the event exceeds maxEvent
}

func newEvents(r io.Reader) *events {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxEvent)
	return &events{lines: lines}
}

// next reads the next event that has data. It returns false at the end of the stream or after an error; the method
// err then returns that error. Text after the last empty line isn't a complete event and is ignored.
func (e *events) next() bool {
	e.data = nil
	for e.lines.Scan() {
		line := e.lines.Bytes()
		if !e.started {
			e.started, line = true, bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if len(line) == 0 {
			if e.data != nil {
				return true
			}
			continue
		}
		// Lines that start with a colon are comments; an event's name and ID aren't needed.
		if name, value, _ := bytes.Cut(line, []byte(":")); string(name) == "data" {
			if e.long = len(e.data)+len(value) > maxEvent; e.long {
				return false
			}
			e.data = append(append(e.data, bytes.TrimPrefix(value, []byte(" "))...), '\n')
		}
	}
	return false
}

func (e *events) err() error {
	if e.long {
		return bufio.ErrTooLong
	}
	return e.lines.Err()
}
