package fakeagent

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// prompt answers a prompt with the next turn of the script, in the background. It cancels the session's current
// turn, if any.
func (a *agent) prompt(id json.RawMessage, sid, text string) {
	a.mu.Lock()
	s := a.loaded[sid]
	if s == nil {
		a.mu.Unlock()
		a.fail(id, -32602, "Session "+sid+" not found")
		return
	}
	if s.cancel != nil {
		s.cancel() // a second prompt on a busy session cancels the first
	}
	ctx, cancel := context.WithCancel(a.ctx)
	s.cancel = cancel
	s.Log = append(s.Log, chunk("user_message_chunk", text))
	a.save(s)
	turn := a.next(text)
	a.mu.Unlock()
	a.work.Add(1)
	go func() {
		defer a.work.Done()
		defer cancel()
		a.play(ctx, id, s, text, turn)
	}()
}

// next returns the turn to play for the prompt with the given text. If the text ends with a key of Script.On, next
// returns the turn for that key; otherwise, it returns the next turn in Script.Turns or, if all of them have been
// played, Script.Rest, whose default is "ok". The number of turns played, not counting those in Script.On, is stored
// with the sessions, so that it survives a restart.
func (a *agent) next(asked string) Turn {
	for end, turn := range a.script.On {
		if strings.HasSuffix(asked, end) {
			return turn
		}
	}
	file := filepath.Join(a.home, "turns")
	b, _ := os.ReadFile(file)
	n, _ := strconv.Atoi(string(b))
	if err := writeWhole(file, []byte(strconv.Itoa(n+1))); err != nil {
		fmt.Fprintln(os.Stderr, "fakeagent:", err)
	}
	if n < len(a.script.Turns) {
		return a.script.Turns[n]
	}
	if a.script.Rest != nil {
		return a.script.Rest
	}
	return Turn{Say("ok")}
}

func chunk(kind, text string) object {
	return object{"sessionUpdate": kind, "content": object{"type": "text", "text": text}}
}

// turn is a turn in progress.
type turn struct {
	*agent
	ctx          context.Context
	s            *session
	placeholders *strings.Replacer
	output       strings.Builder
	after        []Step
	usage        object
	calls        int
	mu           sync.Mutex

	terminal string // ID of the newest terminal that the client has created
}

// turnEnd describes how a step ends the whole turn.
type turnEnd struct {
	reason string
	code   int
	text   string
	leave  bool
	forget bool
	raw    string // the verbatim response
}

func (a *agent) play(ctx context.Context, id json.RawMessage, s *session, asked string, steps Turn) {
	t := &turn{agent: a, ctx: ctx, s: s, placeholders: strings.NewReplacer("$PROMPT", asked)}
	end := turnEnd{reason: "end_turn"}
	for _, step := range steps {
		if e := t.step(step); e != nil {
			end = *e
			break
		}
		if ctx.Err() != nil {
			end = turnEnd{reason: "cancelled"}
			break
		}
	}
	a.mu.Lock()
	s.cancel = nil
	if end.reason == "end_turn" { // partial text of other turns is not saved
		s.Log = append(s.Log, chunk("agent_message_chunk", t.output.String()))
	}
	a.save(s)
	if end.forget {
		delete(a.loaded, s.ID)
	}
	a.mu.Unlock()
	switch {
	case end.raw != "":
		a.write([]byte(strings.ReplaceAll(end.raw, "$ID", string(id))), true)
	case end.code != 0:
		a.fail(id, end.code, end.text)
	case t.usage != nil:
		a.answer(id, object{"stopReason": end.reason, "usage": t.usage})
	default:
		a.answer(id, object{"stopReason": end.reason})
	}
	if end.leave {
		os.Exit(0)
	}
	for _, step := range t.after {
		t.step(step)
	}
}

func (t *turn) step(s Step) *turnEnd {
	switch s.Do {
	case "say":
		text := t.placeholders.Replace(s.Text)
		t.output.WriteString(text)
		t.update(t.s.ID, chunk("agent_message_chunk", text))
	case "think":
		t.update(t.s.ID, chunk("agent_thought_chunk", s.Text))
	case "chunks":
		t.chunks(s)
	case "clock":
		t.clock(s)
	case "edit":
		return t.edit(s)
	case "run":
		return t.run(s)
	case "together":
		return t.together(s.Steps)
	case "plan":
		entries := []object{}
		for _, e := range s.Steps {
			entries = append(entries, object{"content": e.Text, "priority": "medium", "status": "pending"})
		}
		t.update(t.s.ID, object{"sessionUpdate": "plan", "entries": entries})
	case "raw":
		t.write([]byte(t.variables().Replace(s.Text)), true)
	case "file":
		body, err := os.ReadFile(s.Path)
		if err != nil {
			panic(err)
		}
		t.write([]byte(t.variables().Replace(string(body))), true)
	case "update":
		t.update(t.s.ID, decode(s.Text))
	case "ask":
		t.ask(s)
	case "long":
		t.long(s)
	case "die":
		fmt.Fprint(os.Stderr, s.Text)
		os.Exit(s.N)
	case "leave":
		return &turnEnd{reason: "end_turn", leave: true}
	case "forget":
		return &turnEnd{reason: "end_turn", forget: true}
	case "usage":
		t.usage = decode(s.Text)
	case "hang":
		<-t.ctx.Done()
	case "deaf":
		select {}
	case "undeterred":
		own := t.ctx
		t.ctx = t.agent.ctx
		defer func() { t.ctx = own }()
		for _, step := range s.Steps {
			if e := t.step(step); e != nil {
				return e
			}
		}
	case "stop":
		return &turnEnd{reason: s.Text}
	case "answer":
		return &turnEnd{raw: s.Text}
	case "fail":
		return &turnEnd{code: s.N, text: s.Text}
	case "after":
		t.after = append(t.after, s.Steps...)
	case "waitfor":
		t.waitFor(t.ctx, t.variables().Replace(s.Path))
	default:
		panic("fakeagent: no step " + s.Do)
	}
	return nil
}

// variables returns a replacer that fills in a script's placeholders: the session, its folder, the agent's home and
// the newest terminal.
func (t *turn) variables() *strings.Replacer {
	return strings.NewReplacer("$SESSION", t.s.ID, "$CWD", t.s.Cwd, "$COPILOT_HOME", t.home, "$TERMINAL", t.terminal)
}

func decode(text string) (o object) {
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		panic(err)
	}
	return o
}

func (t *turn) together(steps []Step) *turnEnd {
	ends := make(chan *turnEnd, len(steps))
	for _, s := range steps {
		go func() { ends <- t.step(s) }()
	}
	var end *turnEnd
	for range steps {
		if e := <-ends; e != nil {
			end = e
		}
	}
	return end
}

// ask sends a request to the client. It then sends the client's response back as a message.
func (t *turn) ask(s Step) {
	answer := t.request(t.ctx, s.Path, json.RawMessage(t.variables().Replace(s.Text)))
	var made struct{ TerminalID string }
	if json.Unmarshal(answer, &made) == nil && made.TerminalID != "" {
		t.terminal = made.TerminalID
	}
	t.update(t.s.ID, chunk("agent_message_chunk", string(answer)))
}

// Clock sends n chunks of the answer at the given interval. Each chunk contains the time when it was written, in
// milliseconds since the Unix epoch, followed by a space.
func Clock(n int, every time.Duration) Step { return Step{Do: "clock", N: n, Every: every} }

func (t *turn) clock(s Step) {
	tick := time.NewTicker(s.Every)
	defer tick.Stop()
	for range s.N {
		select {
		case <-tick.C:
		case <-t.ctx.Done():
			return
		}
		text := strconv.FormatInt(time.Now().UnixMilli(), 10) + " "
		t.mu.Lock()
		t.output.WriteString(text)
		t.mu.Unlock()
		t.update(t.s.ID, chunk("agent_message_chunk", text))
	}
}

// flood sends the same chunk n times in large writes. It formats the chunk only once, so that it writes faster than
// the client reads.
func (a *agent) flood(sid, kind, text string, n int) {
	line := chunkLine(sid, kind, text)
	for i := range n {
		if a.ctx.Err() != nil {
			return
		}
		a.write(line[:len(line):len(line)], i == n-1)
	}
}

func chunkLine(sid, kind, text string) []byte {
	body, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":%q,"update":{"sessionUpdate":%q,"content":{"type":"text","text":%s}}}}`, sid, kind, body)
}

// chunks sends s.N chunks, each with the text of s. If s.Every is set, it is the interval between the chunks.
func (t *turn) chunks(s Step) {
	text := t.placeholders.Replace(s.Text)
	line := chunkLine(t.s.ID, "agent_message_chunk", text)
	var tick *time.Ticker
	if s.Every > 0 {
		tick = time.NewTicker(s.Every)
		defer tick.Stop()
	}
	for i := range s.N {
		if t.ctx.Err() != nil {
			break
		}
		t.output.WriteString(text)
		t.write(line[:len(line):len(line)], tick != nil || i == s.N-1)
		if tick != nil {
			select {
			case <-tick.C:
			case <-t.ctx.Done():
			}
		}
	}
}

// long writes a line of at least s.N bytes. s.Text is the kind of line.
func (t *turn) long(s Step) {
	switch s.Text {
	case "garbage":
		t.write(bytes.Repeat([]byte{'x'}, s.N), true)
	case "nested":
		t.write(bytes.Repeat([]byte{'['}, s.N), true)
	case "tool":
		t.update(t.s.ID, object{
			"sessionUpdate": "tool_call", "toolCallId": t.callID(), "title": "Viewing a large file", "kind": "read", "status": "completed",
			"content": []object{{"type": "content", "content": object{"type": "text", "text": strings.Repeat("0123456789abcde\n", s.N/16)}}},
		})
	case "ask":
		id := t.callID()
		path := filepath.Join(t.s.Cwd, "large.txt")
		r := t.permitted(object{
			"toolCallId": id, "title": "Edit file", "kind": "edit", "status": "pending", "locations": []object{{"path": path}},
			"content": []object{{"type": "diff", "path": path, "oldText": "", "newText": strings.Repeat("0123456789abcde\n", s.N/16)}},
		})
		t.update(t.s.ID, chunk("agent_message_chunk", r))
	default:
		panic("fakeagent: no long " + s.Text)
	}
}
