package fakeagent

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// prompt plays the next turn.
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
	turn := a.next()
	a.mu.Unlock()
	a.work.Add(1)
	go func() {
		defer a.work.Done()
		defer cancel()
		a.play(ctx, id, s, turn)
	}()
}

// next takes the next turn of the script. How many were taken is kept with the
// sessions, so that a restart goes on.
func (a *agent) next() Turn {
	file := filepath.Join(a.home, "turns")
	b, _ := os.ReadFile(file)
	n, _ := strconv.Atoi(string(b))
	if err := os.WriteFile(file, []byte(strconv.Itoa(n+1)), 0o600); err != nil {
		fmt.Fprintln(os.Stderr, "fakeagent:", err)
	}
	if n < len(a.script.Turns) {
		return a.script.Turns[n]
	}
	return Turn{Say("ok")}
}

func chunk(kind, text string) object {
	return object{"sessionUpdate": kind, "content": object{"type": "text", "text": text}}
}

// turn is a turn that is played.
type turn struct {
	*agent
	ctx   context.Context
	s     *session
	said  strings.Builder
	after []Step
	calls int
	mu    sync.Mutex
}

// ended is how a step ends the whole turn.
type ended struct {
	reason string
	code   int
	text   string
	leave  bool
}

func (a *agent) play(ctx context.Context, id json.RawMessage, s *session, steps Turn) {
	t := &turn{agent: a, ctx: ctx, s: s}
	end := ended{reason: "end_turn"}
	for _, step := range steps {
		if e := t.step(step); e != nil {
			end = *e
			break
		}
		if ctx.Err() != nil {
			end = ended{reason: "cancelled"}
			break
		}
	}
	a.mu.Lock()
	s.cancel = nil
	if end.reason == "end_turn" { // the partial text of other turns is not kept
		s.Log = append(s.Log, chunk("agent_message_chunk", t.said.String()))
	}
	a.save(s)
	a.mu.Unlock()
	switch {
	case end.code != 0:
		a.fail(id, end.code, end.text)
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

func (t *turn) step(s Step) *ended {
	switch s.Do {
	case "say":
		t.said.WriteString(s.Text)
		t.update(t.s.ID, chunk("agent_message_chunk", s.Text))
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
		t.write([]byte(strings.NewReplacer("$SESSION", t.s.ID, "$CWD", t.s.Cwd).Replace(s.Text)), true)
	case "update":
		t.update(t.s.ID, decode(s.Text))
	case "ask":
		t.ask(s)
	case "long":
		t.long(s)
	case "die":
		fmt.Fprint(os.Stderr, s.Text)
		os.Exit(s.N)
	case "kill":
		p, _ := os.FindProcess(os.Getpid())
		_ = p.Kill()
		select {}
	case "leave":
		return &ended{reason: "end_turn", leave: true}
	case "hang":
		<-t.ctx.Done()
	case "deaf":
		select {}
	case "stop":
		return &ended{reason: s.Text}
	case "fail":
		return &ended{code: s.N, text: s.Text}
	case "after":
		t.after = append(t.after, s.Steps...)
	case "waitfor":
		for !exists(s.Path) && t.ctx.Err() == nil {
			time.Sleep(5 * time.Millisecond)
		}
	default:
		panic("fakeagent: no step " + s.Do)
	}
	return nil
}

func decode(text string) (o object) {
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		panic(err)
	}
	return o
}

// chunks writes pieces of the answer. A flood goes out in large writes and is
// made by hand: it is to be faster than who reads it.
func (t *turn) chunks(s Step) {
	body, err := json.Marshal(s.Text)
	if err != nil {
		panic(err)
	}
	line := fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":%q,"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":%s}}}}`, t.s.ID, body)
	var tick *time.Ticker
	if s.Every > 0 {
		tick = time.NewTicker(s.Every)
		defer tick.Stop()
	}
	for i := range s.N {
		if t.ctx.Err() != nil {
			break
		}
		t.said.WriteString(s.Text)
		t.write(line[:len(line):len(line)], tick != nil || i == s.N-1)
		if tick != nil {
			select {
			case <-tick.C:
			case <-t.ctx.Done():
			}
		}
	}
}

func (t *turn) callID() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls++
	return fmt.Sprintf("call_%s_%d_%d", t.s.ID[:6], len(t.s.Log), t.calls)
}

var options = []object{
	{"optionId": "allow_once", "kind": "allow_once", "name": "Allow once"},
	{"optionId": "allow_always", "kind": "allow_always", "name": "Always allow"},
	{"optionId": "reject_once", "kind": "reject_once", "name": "Deny"},
}

// permitted asks for a permission: "allow", "reject" or "cancelled".
func (t *turn) permitted(call object) string {
	raw := t.request(t.ctx, "session/request_permission", object{"sessionId": t.s.ID, "toolCall": call, "options": options})
	var r struct {
		Outcome struct{ Outcome, OptionID string }
	}
	_ = json.Unmarshal(raw, &r)
	switch {
	case t.ctx.Err() != nil:
		return "cancelled"
	case r.Outcome.Outcome == "selected" && strings.HasPrefix(r.Outcome.OptionID, "allow"):
		return "allow"
	default:
		return "reject"
	}
}

// rejected is what the Copilot CLI does when the user turns a request down: it
// ends the turn.
func (t *turn) rejected(id string) *ended {
	t.update(t.s.ID, object{
		"sessionUpdate": "tool_call_update", "toolCallId": id, "status": "failed",
		"rawOutput": object{"message": "The user rejected this tool call.", "code": "rejected"},
	})
	t.update(t.s.ID, chunk("agent_message_chunk", "Info: Operation cancelled by user"))
	return &ended{reason: "end_turn"}
}

func (t *turn) edit(s Step) *ended {
	path := s.Path
	if !filepath.IsAbs(path) {
		path = filepath.Join(t.s.Cwd, path)
	}
	id := t.callID()
	title, asks := "Editing "+path, "Edit file"
	if s.Old == "" {
		title, asks = "Creating "+path, "Create file"
	}
	locations := []object{{"path": path}}
	content := []object{{"type": "diff", "path": path, "oldText": s.Old, "newText": s.New}}
	call := object{
		"sessionUpdate": "tool_call", "toolCallId": id, "title": title, "kind": "edit", "status": "pending",
		"rawInput": object{"path": path, "old_str": s.Old, "new_str": s.New}, "locations": locations, "content": content,
	}
	t.update(t.s.ID, call)
	if s.N == 2 {
		if r := t.permitted(object{
			"toolCallId": id, "title": "Access paths outside trusted directories", "kind": "read", "status": "pending",
			"rawInput": object{"path": path}, "locations": locations,
		}); r != "allow" {
			return t.refused(r, id)
		}
	}
	if r := t.permitted(object{
		"toolCallId": id, "title": asks, "kind": "edit", "status": "pending",
		"rawInput": object{"fileName": path, "diff": gitDiff(path, s.Old, s.New)}, "locations": locations,
	}); r != "allow" {
		return t.refused(r, id)
	}
	status, message := "completed", "File "+path+" updated with changes."
	old, err := os.ReadFile(path)
	switch {
	case s.Old == "":
		err = os.WriteFile(path, []byte(s.New), 0o600)
	case err != nil:
	case !bytes.Contains(old, []byte(s.Old)):
		err = fmt.Errorf("No match found")
	default:
		err = os.WriteFile(path, bytes.Replace(old, []byte(s.Old), []byte(s.New), 1), 0o600)
	}
	up := object{"sessionUpdate": "tool_call_update", "toolCallId": id, "content": content, "rawOutput": object{"content": message}}
	if err != nil {
		status = "failed"
		up["rawOutput"] = object{"message": err.Error(), "code": "failure"}
		delete(up, "content")
	}
	up["status"] = status
	t.update(t.s.ID, up)
	return nil
}

func (t *turn) refused(how, id string) *ended {
	if how == "cancelled" {
		return &ended{reason: "cancelled"}
	}
	return t.rejected(id)
}

// gitDiff is a diff in the form of the CLI's, of the changed lines alone.
func gitDiff(path, before, after string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\ndiff --git a%s b%s\n", path, path)
	if before == "" {
		b.WriteString("create file mode 100644\nindex 0000000..0000000\n--- a/dev/null\n")
	} else {
		fmt.Fprintf(&b, "index 0000000..0000000 100644\n--- a%s\n", path)
	}
	fmt.Fprintf(&b, "+++ b%s\n@@ -1,%d +1,%d @@\n", path, lines(before), lines(after))
	for _, side := range []struct{ sign, text string }{{"-", before}, {"+", after}} {
		for line := range strings.Lines(side.text) {
			b.WriteString(side.sign + strings.TrimSuffix(line, "\n") + "\n")
		}
	}
	return b.String()
}

func lines(s string) (n int) {
	for range strings.Lines(s) {
		n++
	}
	return n
}

// run runs a command in a session of its own, as the Copilot CLI does, and
// sends its whole output each time there is more.
func (t *turn) run(s Step) *ended {
	id := t.callID()
	t.update(t.s.ID, object{
		"sessionUpdate": "tool_call", "toolCallId": id, "title": "Run it", "kind": "execute", "status": "pending",
		"rawInput": object{"command": s.Text, "description": "Run it"},
	})
	if r := t.permitted(object{
		"toolCallId": id, "title": "Run it", "kind": "execute", "status": "pending",
		"rawInput": object{"command": s.Text, "commands": []string{s.Text}},
	}); r != "allow" {
		return t.refused(r, id)
	}
	cmd := exec.CommandContext(t.ctx, "bash", "-c", s.Text)
	cmd.Dir = t.s.Cwd
	ownSession(cmd)
	out := &shown{each: func(all string) {
		t.update(t.s.ID, object{
			"sessionUpdate": "tool_call_update", "toolCallId": id,
			"content": []object{{"type": "content", "content": object{"type": "text", "text": all}}},
		})
	}}
	cmd.Stdout, cmd.Stderr = out, out
	err := cmd.Run()
	if t.ctx.Err() != nil {
		return &ended{reason: "cancelled"} // and the call stays open, as the CLI leaves it
	}
	code := cmd.ProcessState.ExitCode()
	if cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, "fakeagent:", err)
	}
	text := strings.TrimSuffix(out.all.String(), "\n") + fmt.Sprintf("\n<shellId: 0 completed with exit code %d>", code)
	t.update(t.s.ID, object{
		"sessionUpdate": "tool_call_update", "toolCallId": id, "status": "completed",
		"content": []object{{"type": "content", "content": object{"type": "text", "text": text}}},
		"rawOutput": object{
			"content": text, "detailedContent": text,
			"contents": []object{{"type": "shell_exit", "shellId": "0", "exitCode": code, "cwd": t.s.Cwd}},
		},
	})
	return nil
}

// shown passes on all that was written, each time something is.
type shown struct {
	all  strings.Builder
	each func(string)
}

func (s *shown) Write(p []byte) (int, error) {
	s.all.Write(p)
	s.each(s.all.String())
	return len(p), nil
}

func (t *turn) together(steps []Step) *ended {
	ends := make(chan *ended, len(steps))
	for _, s := range steps {
		go func() { ends <- t.step(s) }()
	}
	var end *ended
	for range steps {
		if e := <-ends; e != nil {
			end = e
		}
	}
	return end
}

// ask sends any request and says what it was answered.
func (t *turn) ask(s Step) {
	params := strings.NewReplacer("$SESSION", t.s.ID, "$CWD", t.s.Cwd).Replace(s.Text)
	answer := t.request(t.ctx, s.Path, json.RawMessage(params))
	t.update(t.s.ID, chunk("agent_message_chunk", string(answer)))
}

// long writes a line of at least n bytes.
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
