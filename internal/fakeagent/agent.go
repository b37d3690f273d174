package fakeagent

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// RunIfAsked makes this process the fake agent where it was started by
// Command, and returns otherwise.
func RunIfAsked() {
	raw, ok := os.LookupEnv(scriptVar)
	if !ok {
		return
	}
	var s Script
	if err := json.Unmarshal([]byte(raw), &s); err != nil {
		fmt.Fprintln(os.Stderr, "fakeagent:", err)
		os.Exit(2)
	}
	_ = os.Unsetenv(scriptVar) // what it runs is no agent
	newAgent(s).run()
	os.Exit(0)
}

type object = map[string]any

type agent struct {
	script Script
	home   string
	ctx    context.Context // ends with the process
	quit   context.CancelFunc

	wmu sync.Mutex
	out *bufio.Writer

	client offers // set by initialize, before anything uses it

	mu       sync.Mutex
	loaded   map[string]*session
	waiting  map[string]chan json.RawMessage
	requests int
	work     sync.WaitGroup
}

// session is what a file in COPILOT_HOME holds.
type session struct {
	ID      string
	Cwd     string
	Updated time.Time
	Log     []object // updates that a load replays

	cancel context.CancelFunc
}

func newAgent(s Script) *agent {
	home := os.Getenv("COPILOT_HOME")
	if home == "" {
		home = filepath.Join(os.TempDir(), "fakeagent")
	}
	a := &agent{
		script: s, home: home, out: bufio.NewWriterSize(os.Stdout, 64<<10),
		loaded: map[string]*session{}, waiting: map[string]chan json.RawMessage{},
	}
	a.ctx, a.quit = context.WithCancel(context.Background())
	return a
}

type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
}

// run reads until stdin ends or the process is asked to end.
func (a *agent) run() {
	if a.script.Stderr != "" {
		fmt.Fprintln(os.Stderr, a.script.Stderr)
	}
	if a.script.ExitAtOnce != 0 {
		os.Exit(a.script.ExitAtOnce)
	}
	// It ends when it is asked to, not when nobody reads it any more: then its
	// commands would be left.
	signal.Ignore(syscall.SIGPIPE)
	term := make(chan os.Signal, 1)
	signal.Notify(term, syscall.SIGTERM, os.Interrupt)
	go func() {
		for range term {
			if !a.script.IgnoreTERM {
				a.end()
			}
		}
	}()
	if a.serve() {
		return
	}
	a.read(os.Stdin)
	if a.script.IgnoreEOF {
		select {}
	}
	a.end()
}

// end ends the commands that run, and the process.
func (a *agent) end() {
	a.quit()
	a.work.Wait()
	os.Exit(0)
}

func (a *agent) takeLine(line []byte) {
	var m message
	if len(bytes.TrimSpace(line)) > 0 && json.Unmarshal(line, &m) == nil {
		a.take(m)
	}
}

func (a *agent) take(m message) {
	if m.Method == "" {
		a.mu.Lock()
		ch := a.waiting[string(m.ID)]
		delete(a.waiting, string(m.ID))
		a.mu.Unlock()
		if ch != nil {
			if m.Error != nil {
				m.Result = m.Error
			}
			ch <- m.Result
		}
		return
	}
	a.record(m)
	if slices.Contains(a.script.Silent, m.Method) {
		return
	}
	if code, ok := a.script.Refuse[m.Method]; ok && !exists(a.script.RefuseUntil) {
		a.fail(m.ID, code, "refused by the script")
		return
	}
	var p params
	_ = json.Unmarshal(m.Params, &p)
	delay, ok := a.script.Delay[m.Method+" "+p.SessionID]
	if !ok {
		delay = a.script.Delay[m.Method]
	}
	if delay > 0 {
		time.AfterFunc(delay, func() { a.handle(m, p) })
		return
	}
	a.handle(m, p)
}

// params are those of the requests that it knows.
type params struct {
	SessionID string `json:"sessionId"`
	Cwd       string
	Cursor    string
	Prompt    []struct{ Text string }
}

func (a *agent) handle(m message, p params) {
	if a.scripted(m, p) {
		return
	}
	switch m.Method {
	case "initialize":
		a.meet(m.Params)
		a.initialize(m.ID)
	case "session/new":
		a.newSession(m.ID, p.Cwd)
	case "session/load":
		if a.script.LoadAfter == "" {
			a.load(m.ID, p.SessionID)
			break
		}
		go func() {
			a.waitFor(a.ctx, a.script.LoadAfter)
			a.load(m.ID, p.SessionID)
		}()
	case "session/list":
		a.list(m.ID, p.Cwd, p.Cursor)
	case "session/close":
		a.mu.Lock()
		delete(a.loaded, p.SessionID)
		a.mu.Unlock()
		a.answer(m.ID, object{})
	case "session/prompt":
		text := ""
		for _, b := range p.Prompt {
			text = b.Text // what comes before it is context
		}
		a.prompt(m.ID, p.SessionID, text)
	case "session/cancel":
		a.mu.Lock()
		if s := a.loaded[p.SessionID]; s != nil && s.cancel != nil {
			s.cancel()
		}
		a.mu.Unlock()
	default:
		if len(m.ID) > 0 {
			a.fail(m.ID, -32601, "Method not found: "+m.Method)
		}
	}
}

func (a *agent) initialize(id json.RawMessage) {
	version := a.script.Version
	if version == "" {
		version = "1.0.102"
	}
	caps := object{"promptCapabilities": object{"image": true, "embeddedContext": true}}
	switch {
	case a.script.Capabilities != "":
		caps = decode(a.script.Capabilities)
	case !a.script.NoSessions:
		caps["loadSession"] = true
		caps["sessionCapabilities"] = object{"close": object{}, "list": object{}}
	}
	a.answer(id, object{
		"protocolVersion": 1, "agentCapabilities": caps,
		"agentInfo":   object{"name": "fake", "title": "Fake", "version": version},
		"authMethods": []object{{"id": "login", "name": "Log in"}},
	})
}

func (a *agent) declares() object {
	if a.script.Declares != "" {
		return decode(a.script.Declares)
	}
	return object{
		"modes": object{
			"currentModeId":  "agent",
			"availableModes": []object{{"id": "agent", "name": "Agent"}, {"id": "plan", "name": "Plan"}},
		},
		"configOptions": []object{{
			"type": "select", "id": "allow_all", "name": "Allow All", "currentValue": "off",
			"options": []object{{"value": "on", "name": "On"}, {"value": "off", "name": "Off"}},
		}},
	}
}

func (a *agent) newSession(id json.RawMessage, cwd string) {
	s := &session{ID: rand.Text(), Cwd: cwd}
	a.mu.Lock()
	a.loaded[s.ID] = s
	a.mu.Unlock()
	// The Copilot CLI sends this before its answer, when nobody knows the id.
	a.update(s.ID, object{"sessionUpdate": "available_commands_update", "availableCommands": []object{{"name": "compact", "description": "Summarize"}}})
	res := a.declares()
	res["sessionId"] = s.ID
	a.answer(id, res)
}

func (a *agent) file(id string) string {
	return filepath.Join(a.home, "session-state", filepath.Base(id)+".json")
}

func (a *agent) save(s *session) {
	s.Updated = time.Now()
	b, err := json.Marshal(s)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(a.file(s.ID)), 0o700)
	}
	if err == nil {
		err = writeWhole(a.file(s.ID), b)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fakeagent:", err)
	}
}

// writeWhole writes a file in one step: a process that is killed while it does
// leaves what was there before.
func writeWhole(file string, b []byte) error {
	if err := os.WriteFile(file+".new", b, 0o600); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

func (a *agent) load(id json.RawMessage, sid string) {
	a.mu.Lock()
	there := a.loaded[sid] != nil
	a.mu.Unlock()
	if there {
		a.fail(id, -32602, "Session "+sid+" is already loaded")
		return
	}
	b, err := os.ReadFile(a.file(sid))
	if err != nil {
		a.fail(id, -32002, "Resource not found: Session "+sid+" not found")
		return
	}
	s := &session{}
	if json.Unmarshal(b, s) != nil {
		a.fail(id, -32603, "Internal error: the session cannot be read")
		return
	}
	a.mu.Lock()
	a.loaded[sid] = s
	a.mu.Unlock()
	a.flood(sid, "agent_message_chunk", "some words of an answer ", a.script.Replay)
	for _, u := range s.Log {
		a.update(sid, u)
	}
	a.answer(id, a.declares())
}

func (a *agent) list(id json.RawMessage, cwd, cursor string) {
	files, _ := filepath.Glob(filepath.Join(a.home, "session-state", "*.json"))
	var all []session
	for _, f := range files {
		s := session{ID: strings.TrimSuffix(filepath.Base(f), ".json"), Cwd: cwd}
		if b, err := os.ReadFile(f); err == nil {
			_ = json.Unmarshal(b, &s) // one that cannot be read is listed all the same
		}
		if cwd == "" || s.Cwd == cwd {
			all = append(all, s)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Updated.After(all[j].Updated) })
	page := a.script.PageSize
	if page == 0 {
		page = 50
	}
	from, _ := strconv.Atoi(cursor)
	to := min(from+page, len(all))
	res := object{}
	out := []object{}
	for _, s := range all[min(from, to):to] {
		out = append(out, object{"sessionId": s.ID, "cwd": s.Cwd})
	}
	res["sessions"] = out
	if to < len(all) {
		res["nextCursor"] = strconv.Itoa(to)
	}
	a.answer(id, res)
}

// waitFor waits until the file is there.
func (a *agent) waitFor(ctx context.Context, file string) {
	for !exists(file) && ctx.Err() == nil {
		time.Sleep(5 * time.Millisecond)
	}
}

func exists(file string) bool {
	if file == "" {
		return false
	}
	_, err := os.Stat(file)
	return err == nil
}

// write writes one line. Lines of a flood wait in the buffer.
func (a *agent) write(line []byte, flush bool) {
	a.wmu.Lock()
	defer a.wmu.Unlock()
	_, _ = a.out.Write(append(line, '\n'))
	if flush {
		_ = a.out.Flush()
	}
}

func (a *agent) send(o object) {
	o["jsonrpc"] = "2.0"
	b, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	a.write(b, true)
}

func (a *agent) answer(id json.RawMessage, result any) { a.send(object{"id": id, "result": result}) }

func (a *agent) fail(id json.RawMessage, code int, text string) {
	a.send(object{"id": id, "error": object{"code": code, "message": text}})
}

func (a *agent) update(sid string, u object) {
	a.send(object{"method": "session/update", "params": object{"sessionId": sid, "update": u}})
}

// request asks the client and waits for its answer.
func (a *agent) request(ctx context.Context, method string, params any) json.RawMessage {
	ch := make(chan json.RawMessage, 1)
	a.mu.Lock()
	id := a.requests // the first is 0, as the Copilot CLI's
	a.requests++
	a.waiting[strconv.Itoa(id)] = ch
	a.mu.Unlock()
	a.send(object{"id": id, "method": method, "params": params})
	select {
	case r := <-ch:
		return r
	case <-ctx.Done():
		return nil
	}
}
