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

// toolCallBuilder are the tool calls of an answer, put together from pieces.
//
// A piece says by its index which call it belongs to. Some services give no
// index, or the same one to all calls, and each of theirs comes in one piece
// with an id of its own; some give no ids, some give arguments as an object.
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

// find is the call that a piece belongs to, made where it is new.
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

// all are the calls, each with an id that no other has.
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

// thinkSplitter takes the reasoning out of a text that has it between <think> and
// </think> at its beginning, as models that run on the user's own computer
// often write it.
type thinkSplitter struct {
	state   int // of the constants below
	pending string
}

const (
	undecided = iota // whether there is any
	inside
	over
)

const thinkOpen, thinkClose = "<think>", "</think>"

// split takes the next piece of a text and returns what of it is text and what
// is reasoning. What may be the beginning of a mark is held back.
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

// rest is what was held back, at the end.
func (t *thinkSplitter) rest() (text, reasoning string) {
	held := t.pending
	t.pending = ""
	if t.state == inside {
		return "", held
	}
	return held, ""
}

// events reads server-sent events.
type events struct {
	lines   *bufio.Scanner
	data    []byte // of the event that next has read
	started bool   // the first line was read
	long    bool   // the event has more than maxEvent bytes
}

func newEvents(r io.Reader) *events {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxEvent)
	return &events{lines: lines}
}

// next reads the next event that has data. It is false at the end, and where
// there is no reading on: err says why. What stands after the last empty line
// is no whole event.
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
		// What begins with a colon is a comment; an event's name and id are not
		// needed here.
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
