package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// A script is what the agent of the benchmarks says: lines, as the Copilot CLI
// spells them, that were rendered before they are asked for.
type script struct {
	lines [][]byte      // in answer to a prompt
	every time.Duration // from one of them to the next
	// beside has any number of sessions say them at once; else there is one.
	beside bool
	times  int    // how often they are said, the tool calls under other ids; 0 is once
	said   []byte // the text in them, of messages and thoughts, in order
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
	s.said = append(s.said, word...)
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
