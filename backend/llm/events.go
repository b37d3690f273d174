package llm

import (
	"bufio"
	"bytes"
	"io"
)

// events reads server-sent events.
type events struct {
	lines *bufio.Scanner
	data  []byte // of the event that next has read
	begun bool   // the first line was read
	long  bool   // the event has more than maxEvent bytes
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
		if !e.begun {
			e.begun, line = true, bytes.TrimPrefix(line, []byte("\ufeff"))
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
