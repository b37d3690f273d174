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

// A script is what the agent of the benchmarks says: lines, as the Copilot CLI
// spells them, that were rendered before they are asked for.
type script struct {
	lines [][]byte      // in answer to a prompt
	every time.Duration // from one of them to the next
	// beside has any number of sessions say them at once; else there is one.
	beside bool
	times  int    // how often they are said, the tool calls under other ids; 0 is once
	text   []byte // the text in them, of messages and thoughts, in order
	tools  int    // tool calls in them

	replayed [][]byte      // in answer to a load
	loading  time.Duration // how long a load takes
}

// sessionID is the session in which the agent of the benchmarks says its lines.
const sessionID = "3f0c1b52-8f57-4f0e-9d5c-6f0d0a4c7e11"

// words are pieces of text in the sizes in which a model streams them, with
// what JSON and UTF-8 make difficult among them.
var words = []string{
	"The", " function", " returns", " early", " when", " the", " `ctx`", " is", " done", ",", " so", " nothing",
	" is", " written", " twice", ".", "\n\n", "```go\n", "if err := w.flush(", "\"main\"", "); err != nil {\n", "\treturn", " err\n", "}\n", "```\n",
	" Größe", " — ", "naïve", " ✓", " C:\\src\\app", "\n- ", "**", "next", "**", " step", ":", " run", " the", " tests",
}

// chunks is a script of n pieces of prose and nothing else.
func chunks(n int) *script {
	s := &script{}
	for range n {
		s.chunk("agent_message_chunk")
	}
	return s
}

// turn is a script of n updates, in the proportions of an agent at work on
// code: of each hundred, twelve are pieces of a thought, eighty-one pieces of
// prose, five belong to two tool calls (a command with its output, an edit with
// its diff), one is the plan and one the usage.
func turn(n int) *script {
	s := &script{}
	for len(s.lines) < n {
		s.hundred()
	}
	s.lines = s.lines[:n]
	return s
}

// outputs is a script of n tool calls with 1 MB of output each.
func outputs(n int) *script {
	s := &script{times: (n + callsInRound - 1) / callsInRound}
	text := strings.Repeat(output(1), 1<<20/len(output(1)))
	for range callsInRound {
		id := s.call(`"title":"Run the tests","kind":"execute","status":"pending","rawInput":{"command":"go test ./internal/server/...","description":"Run the tests"}`)
		s.progress(id, `"status":"completed","content":[{"type":"content","content":{"type":"text","text":%s}}]`, text)
	}
	return s
}

// callsInRound is how many tool calls are rendered of outputs; they are said
// again and again.
const callsInRound = 16

// callID is what the ids of tool calls begin with.
const callID = "tooluse_"

// history is a script of which a load replays n updates, as the Copilot CLI
// replays turns: whole messages, and tool calls with their end.
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

// output is text of so many lines.
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

// quoted is text as JavaScript would write it in JSON.
func quoted(text string) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err) // a string can always be encoded
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

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

// serveScriptIfRequested is the agent of the benchmarks, where this process is to be it.
//
// It is not the fake agent of the tests, which renders what it says as it says
// it: here the lines exist before the prompt comes, so that the agent takes as
// little as can be from the cores that those who read it need.
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

// serveScript answers requests from in until it ends.
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
				// Sessions load side by side.
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
					// Who reads it is gone where it fails, and the process ends.
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

// sendLines writes line by line, as agents do, each at its time where they have one.
// Times count from the first line, so that a late line does not make all that
// follow it late.
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
