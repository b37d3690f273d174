package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"
)

// scriptVar makes this program the agent of the benchmarks. Its value is the
// script by which a prompt is answered, one of the names below and a number of
// updates. Both sides of a bench start it, so both read the same bytes from the
// same kind of process.
const scriptVar = "VOXPILOT_BENCH_SCRIPT"

// The scripts.
const (
	flood   = "flood "   // a prompt is answered by turn, as fast as it is read
	paced   = "paced "   // a prompt is answered by chunks, one each millisecond
	replays = "replay "  // a load is answered after history, as fast as it is read
	loads   = "loads "   // a load is answered after so many milliseconds
	beside  = "beside "  // paced, in any number of sessions side by side
	torrent = "torrent " // a prompt is answered by so many tool calls with 1 MB of output each
)

// greeting is a prompt that is answered at once with one piece of text, so that
// what is measured after it has been through everything once.
const greeting = "hello"

// pace is the time from one update of a paced script to the next.
const pace = time.Millisecond

// scriptNamed is the script that a name stands for.
func scriptNamed(name string) (*script, error) {
	kind, count, _ := strings.Cut(name, " ")
	n, err := strconv.Atoi(count)
	if err != nil {
		return nil, fmt.Errorf("there is no script %q: %w", name, err)
	}
	switch kind + " " {
	case flood:
		return turn(n), nil
	case paced:
		s := chunks(n)
		s.every = pace
		return s, nil
	case beside:
		s := chunks(n)
		s.every, s.beside = pace, true
		return s, nil
	case torrent:
		return outputs(n), nil
	case replays:
		return history(n), nil
	case loads:
		return &script{loading: time.Duration(n) * time.Millisecond}, nil
	}
	return nil, fmt.Errorf("there is no script %q", name)
}

// speakIfAsked is the agent of the benchmarks, where this process is to be it.
//
// It is not the fake agent of the tests, which renders what it says as it says
// it: here the lines exist before the prompt comes, so that the agent takes as
// little as can be from the cores that those who read it need.
func speakIfAsked() {
	name := os.Getenv(scriptVar)
	if name == "" {
		return
	}
	s, err := scriptNamed(name)
	if err == nil {
		err = speak(os.Stdin, &together{to: os.Stdout}, s)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench: the agent:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// speak answers requests from in until it ends.
func speak(in io.Reader, out io.Writer, s *script) error {
	hello := chunks(1).lines[:1]
	requests := bufio.NewReader(in)
	ids := 0
	for {
		line, err := requests.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		m := gjson.ParseBytes(line)
		id := m.Get("id").Raw
		if id == "" {
			continue // a notification
		}
		answer := `"error":{"code":-32601,"message":"Method not found"}`
		switch m.Get("method").Str {
		case "initialize":
			answer = `"result":{"protocolVersion":1,"agentInfo":{"name":"bench","version":"1.0.102"},"agentCapabilities":{"loadSession":true}}`
		case "session/new":
			answer = fmt.Sprintf(`"result":{"sessionId":%q}`, idOf(ids))
			ids++
		case "session/load":
			answer = `"result":{}`
			if s.loading > 0 {
				// Sessions load side by side.
				time.AfterFunc(s.loading, func() { _, _ = fmt.Fprintf(out, response, id, answer) })
				continue
			}
			err = tell(out, s.replayed, 0)
		case "session/prompt":
			answer = `"result":{"stopReason":"end_turn"}`
			lines, times := s.lines, s.times
			if m.Get("params.prompt.#(type==text).text").Str == greeting {
				lines, times = hello, 1
			}
			if s.beside {
				lines = linesOf(m.Get("params.sessionId").Str, lines)
				go func() {
					// Who reads it is gone where it fails, and the process ends.
					_ = tell(out, lines, s.every)
					_, _ = fmt.Fprintf(out, response, id, answer)
				}()
				continue
			}
			err = tell(out, lines, s.every)
			for round := 1; round < times && err == nil; round++ {
				err = tell(out, renamed(lines, round), s.every)
			}
		}
		if err == nil {
			_, err = fmt.Fprintf(out, response, id, answer)
		}
		if err != nil {
			return err
		}
	}
}

// idOf is the id of the n-th session that is made. All scripts speak of the first.
func idOf(n int) string {
	if n == 0 {
		return sessionID
	}
	return fmt.Sprintf("%s-%d", sessionID, n)
}

// linesOf are lines as they are said in another session.
func linesOf(id string, lines [][]byte) (out [][]byte) {
	for _, line := range lines {
		out = append(out, bytes.Replace(line, []byte(sessionID), []byte(id), 1))
	}
	return out
}

// renamed are lines whose tool calls are others in each round.
func renamed(lines [][]byte, round int) (out [][]byte) {
	for _, line := range lines {
		out = append(out, bytes.Replace(line, []byte(callID), fmt.Appendf(nil, "%s%d_", callID, round), 1))
	}
	return out
}

// response is a line that answers a request.
const response = `{"jsonrpc":"2.0","id":%s,%s}` + "\n"

// together is a writer of which each write is whole.
type together struct {
	mu sync.Mutex
	to io.Writer
}

func (t *together) Write(line []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.to.Write(line)
}

// tell writes line by line, as agents do, each at its time where they have one.
// Times count from the first line, so that a late line does not make all that
// follow it late.
func tell(out io.Writer, lines [][]byte, every time.Duration) error {
	started := time.Now()
	for i, line := range lines {
		if every > 0 {
			time.Sleep(time.Until(started.Add(time.Duration(i) * every)))
		}
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return nil
}
