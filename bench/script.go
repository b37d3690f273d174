package main

import (
	"bufio"
	"bytes"
	"encoding/json"
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

// script is the output of the benchmark agent: lines in the Copilot CLI's format, rendered in advance.
type script struct {
	lines [][]byte      // in response to a prompt
	every time.Duration // interval between lines
	// beside is true if any number of sessions can stream the lines in parallel. Otherwise there is only one session.
	beside bool
	times  int    // repetitions, with new tool call ids; 0 means once
	text   []byte // the text of its messages and thoughts, in order
	tools  int    // number of tool calls

	replayed [][]byte      // in response to a load
	loading  time.Duration // duration of a load
}

// sessionID is the session id that the benchmark agent writes in each line of its output.
const sessionID = "3f0c1b52-8f57-4f0e-9d5c-6f0d0a4c7e11"

// words are chunks of text of the sizes that models stream. They include cases that are difficult to encode in JSON and
// UTF-8.
var words = []string{
	"The", " function", " returns", " early", " when", " the", " `ctx`", " is", " done", ",", " so", " nothing",
	" is", " written", " twice", ".", "\n\n", "```go\n", "if err := w.flush(", "\"main\"", "); err != nil {\n", "\treturn", " err\n", "}\n", "```\n",
	" Größe", " — ", "naïve", " ✓", " C:\\src\\app", "\n- ", "**", "next", "**", " step", ":", " run", " the", " tests",
}

// chunks returns a script of n chunks of prose.
func chunks(n int) *script {
	s := &script{}
	for range n {
		s.chunk("agent_message_chunk")
	}
	return s
}

// turn returns a script of n updates, mixed as an agent sends them when it works on code. Of every hundred updates, 12
// are thought chunks, 81 are prose chunks, 5 belong to two tool calls (a command with its output and an edit with its
// diff), 1 is the plan and 1 is the usage.
func turn(n int) *script {
	s := &script{}
	for len(s.lines) < n {
		s.hundred()
	}
	s.lines = s.lines[:n]
	return s
}

// outputs returns a script of n tool calls with 1 MB of output each. n is rounded up to a multiple of callsInRound.
func outputs(n int) *script {
	s := &script{times: (n + callsInRound - 1) / callsInRound}
	text := strings.Repeat(output(1), 1<<20/len(output(1)))
	for range callsInRound {
		id := s.call(`"title":"Run the tests","kind":"execute","status":"pending","rawInput":{"command":"go test ./internal/server/...","description":"Run the tests"}`)
		s.progress(id, `"status":"completed","content":[{"type":"content","content":{"type":"text","text":%s}}]`, text)
	}
	return s
}

// callsInRound is the number of different tool calls in a script returned by the function outputs. The script repeats
// them as often as needed.
const callsInRound = 16

// callID is the prefix of tool call ids.
const callID = "tooluse_"

// history returns a script that replays n updates when its session is loaded. Like the
// Copilot CLI's replays, these consist of whole messages and completed tool calls.
func history(n int) *script {
	s := &script{}
	for len(s.lines) < n {
		s.update(`"sessionUpdate":"user_message_chunk","content":{"type":"text","text":%s}`, quoted("Run the tests and mend what fails."))
		id := s.call(`"title":"Run the tests","kind":"execute","status":"pending","rawInput":{"command":"go test ./internal/server/...","description":"Run the tests"}`)
		s.progress(id, `"status":"completed","content":[{"type":"content","content":{"type":"text","text":%s}}]`, output(12))
		s.update(`"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":%s}`, quoted("All of them pass now. What failed was the server, which was closed twice."))
	}
	return &script{replayed: s.lines[:n]}
}

func (s *script) hundred() {
	for range 12 {
		s.chunk("agent_thought_chunk")
	}
	for range 40 {
		s.chunk("agent_message_chunk")
	}
	run := s.call(`"title":"Run the tests","kind":"execute","status":"pending","rawInput":{"command":"go test ./internal/server/...","description":"Run the tests"}`)
	s.progress(run, `"status":"in_progress","content":[{"type":"content","content":{"type":"text","text":%s}}]`, output(6))
	s.progress(run, `"status":"completed","content":[{"type":"content","content":{"type":"text","text":%s}}]`, output(24))
	for range 41 {
		s.chunk("agent_message_chunk")
	}
	before, after := output(8), output(9)
	edit := s.call(`"title":"Edit server.go","kind":"edit","status":"pending","locations":[{"path":"/src/app/server.go"}]`)
	s.progress(edit, `"status":"completed","content":[{"type":"diff","path":"/src/app/server.go","oldText":%s,"newText":%s}]`, before, after)
	s.update(`"sessionUpdate":"plan","entries":[{"content":"Run the tests","priority":"medium","status":"completed"},{"content":"Mend the server","priority":"medium","status":"in_progress"}]`)
	s.update(`"sessionUpdate":"usage_update","used":%d,"size":200000`, 1000+len(s.lines))
}

// output returns text with the given number of lines.
func output(lines int) string {
	var b bytes.Buffer
	for i := range lines {
		fmt.Fprintf(&b, "ok  \texample.org/app/internal/package%02d\t0.0%d2s\n", i, i%10)
	}
	return b.String()
}

func (s *script) chunk(kind string) {
	word := words[len(s.lines)%len(words)]
	s.text = append(s.text, word...)
	s.update(`"sessionUpdate":%q,"content":{"type":"text","text":%s}`, kind, quoted(word))
}

func (s *script) call(facts string) (id string) {
	s.tools++
	id = fmt.Sprintf(callID+"%08d", s.tools)
	s.update(`"sessionUpdate":"tool_call","toolCallId":%q,%s`, id, json.RawMessage(facts))
	return id
}

func (s *script) progress(id, facts string, texts ...string) {
	args := make([]any, len(texts))
	for i, text := range texts {
		args[i] = quoted(text)
	}
	s.update(`"sessionUpdate":"tool_call_update","toolCallId":%q,%s`, id, json.RawMessage(fmt.Sprintf(facts, args...)))
}

func (s *script) update(format string, args ...any) {
	s.lines = append(s.lines, fmt.Appendf(nil,
		`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":%q,"update":{%s}}}`+"\n",
		sessionID, fmt.Sprintf(format, args...)))
}

// quoted returns text as a JSON string. As in JavaScript, the characters <, > and & aren't escaped.
func quoted(text string) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err) // encoding a string never fails
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// scriptVar is the environment variable that turns this program into the benchmark agent. Its value
// selects a script: one of the names below, followed by a number, such as the number of updates. Both
// sides of a bench start the agent, so both read the same bytes from the same kind of process.
const scriptVar = "VOXPILOT_BENCH_SCRIPT"

// Names of scripts.
const (
	flood   = "flood "   // answers a prompt with turn, as fast as it is read
	paced   = "paced "   // answers a prompt with chunks, one per millisecond
	replays = "replay "  // answers a load after replaying history, as fast as it is read
	loads   = "loads "   // answers a load after this many milliseconds
	beside  = "beside "  // paced, in any number of parallel sessions
	torrent = "torrent " // answers a prompt with this many tool calls of 1 MB output each
)

// greeting is a prompt that is answered immediately with one chunk of text, to warm up all code paths before measuring.
const greeting = "hello"

// pace is the interval between updates of a paced script.
const pace = time.Millisecond

// scriptNamed returns the script with the given name.
func scriptNamed(name string) (*script, error) {
	kind, count, _ := strings.Cut(name, " ")
	n, err := strconv.Atoi(count)
	if err != nil {
		return nil, fmt.Errorf("unknown script %q: %w", name, err)
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
	return nil, fmt.Errorf("unknown script %q", name)
}

// serveScriptIfRequested runs the benchmark agent and exits if this process was started as the agent. Otherwise it
// returns immediately.
//
// Unlike the fake agent of the tests, the benchmark agent renders all lines before the prompt arrives, so that it takes
// as little CPU time as possible away from the processes that read them.
func serveScriptIfRequested() {
	name := os.Getenv(scriptVar)
	if name == "" {
		return
	}
	s, err := scriptNamed(name)
	if err == nil {
		err = serveScript(os.Stdin, &together{to: os.Stdout}, s)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench: the agent:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// serveScript reads requests from one stream until EOF and writes the responses to another.
func serveScript(in io.Reader, out io.Writer, s *script) error {
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
				// Sessions load in parallel.
				time.AfterFunc(s.loading, func() { _, _ = fmt.Fprintf(out, response, id, answer) })
				continue
			}
			err = sendLines(out, s.replayed, 0)
		case "session/prompt":
			answer = `"result":{"stopReason":"end_turn"}`
			lines, times := s.lines, s.times
			if m.Get("params.prompt.#(type==text).text").Str == greeting {
				lines, times = hello, 1
			}
			if s.beside {
				lines = linesOf(m.Get("params.sessionId").Str, lines)
				go func() {
					// If this fails, the reader has exited and the process ends.
					_ = sendLines(out, lines, s.every)
					_, _ = fmt.Fprintf(out, response, id, answer)
				}()
				continue
			}
			err = sendLines(out, lines, s.every)
			for round := 1; round < times && err == nil; round++ {
				err = sendLines(out, renamed(lines, round), s.every)
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

// idOf returns the id of the nth session, counted from 0. The rendered lines of every script contain the id of the
// first session.
func idOf(n int) string {
	if n == 0 {
		return sessionID
	}
	return fmt.Sprintf("%s-%d", sessionID, n)
}

// linesOf returns copies of lines in which the given session id replaces theirs.
func linesOf(id string, lines [][]byte) (out [][]byte) {
	for _, line := range lines {
		out = append(out, bytes.Replace(line, []byte(sessionID), []byte(id), 1))
	}
	return out
}

// renamed returns copies of lines in which the tool call ids are unique to the given round.
func renamed(lines [][]byte, round int) (out [][]byte) {
	for _, line := range lines {
		out = append(out, bytes.Replace(line, []byte(callID), fmt.Appendf(nil, "%s%d_", callID, round), 1))
	}
	return out
}

// response is the format of a response line.
const response = `{"jsonrpc":"2.0","id":%s,%s}` + "\n"

// together is a writer that never interleaves concurrent writes.
type together struct {
	mu sync.Mutex
	to io.Writer
}

func (t *together) Write(line []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.to.Write(line)
}

// sendLines writes one line at a time, as agents do, at the given interval or, if that is 0, without pauses. The time
// of each line is calculated from the time of the first, so that a late line doesn't delay the rest.
func sendLines(out io.Writer, lines [][]byte, every time.Duration) error {
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
