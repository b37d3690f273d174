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
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// RunIfRequested runs the fake agent if this process was started with the result of
// Command or is a copy created by Copy, and otherwise returns.
func RunIfRequested() {
	raw, ok := os.LookupEnv(scriptVar)
	if self, err := os.Executable(); !ok && err == nil {
		beside, err := os.ReadFile(self + scriptSuffix)
		raw, ok = string(beside), err == nil
		if ok && slices.Equal(os.Args[1:], []string{"--version"}) {
			fmt.Println(Version)
			os.Exit(0)
		}
	}
	if !ok {
		return
	}
	var s Script
	if err := json.Unmarshal([]byte(raw), &s); err != nil {
		fmt.Fprintln(os.Stderr, "fakeagent:", err)
		os.Exit(2)
	}
	_ = os.Unsetenv(scriptVar) // its child processes are not agents
	if s.Env != "" {
		if err := os.WriteFile(s.Env, []byte(strings.Join(os.Environ(), "\n")+"\n"), 0o600); err != nil {
			fmt.Fprintln(os.Stderr, "fakeagent:", err)
		}
	}
	newAgent(s).run()
	os.Exit(0)
}

type object = map[string]any

type agent struct {
	script Script
	home   string
	ctx    context.Context // canceled when the process ends
	quit   context.CancelFunc

	wmu sync.Mutex
	out *bufio.Writer

	client offers // set by initialize, before any use

	mu       sync.Mutex
	loaded   map[string]*session
	waiting  map[string]chan json.RawMessage
	requests int
	work     sync.WaitGroup
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

// run reads messages until EOF or a signal to exit.
func (a *agent) run() {
	if a.script.Stderr != "" {
		fmt.Fprintln(os.Stderr, a.script.Stderr)
	}
	if a.script.ExitAtOnce != 0 {
		os.Exit(a.script.ExitAtOnce)
	}
	// A client that closes its end must not end the process, which would leave its commands running.
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

// end stops the running commands and exits the process.
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
	if file := a.script.HandleAfter[m.Method]; file != "" {
		go func() {
			a.waitFor(a.ctx, file)
			a.handle(m, p)
		}()
		return
	}
	if delay > 0 {
		time.AfterFunc(delay, func() { a.handle(m, p) })
		return
	}
	a.handle(m, p)
}

// params holds the parameters of all supported requests.
type params struct {
	SessionID string `json:"sessionId"`
	Cwd       string
	Cursor    string
	MethodID  string `json:"methodId"`
	Prompt    []struct{ Text string }
}

func (a *agent) handle(m message, p params) {
	if a.scripted(m, p) {
		return
	}
	switch m.Method {
	case "initialize":
		a.readOffers(m.Params)
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
			text = b.Text // earlier blocks are context
		}
		a.prompt(m.ID, p.SessionID, text)
	case "session/cancel":
		a.mu.Lock()
		if s := a.loaded[p.SessionID]; s != nil && s.cancel != nil {
			s.cancel()
		}
		a.mu.Unlock()
	case "authenticate":
		if a.script.AuthMethods == "" {
			a.fail(m.ID, -32601, "Method not found: "+m.Method)
			break
		}
		a.authenticate(m.ID, p.MethodID)
	case "logout":
		_ = os.Remove(a.script.RefuseUntil)
		a.answer(m.ID, object{})
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
	title := a.script.Title
	if title == "" {
		title = "Copilot"
	}
	caps := object{"promptCapabilities": object{"image": true, "embeddedContext": true}}
	switch {
	case a.script.Capabilities != "":
		caps = decode(a.script.Capabilities)
	case !a.script.NoSessions:
		caps["loadSession"] = true
		caps["sessionCapabilities"] = object{"close": object{}, "list": object{}}
	}
	var methods any = []object{{"id": "login", "name": "Log in"}}
	if a.script.AuthMethods != "" {
		methods = json.RawMessage(a.script.AuthMethods)
	}
	a.answer(id, object{
		"protocolVersion": 1, "agentCapabilities": caps,
		"agentInfo":   object{"name": "fake", "title": title, "version": version},
		"authMethods": methods,
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

// waitFor waits until the file exists or ctx ends.
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

// write writes line and a newline to the client. Unless flush is true, the line may stay in the buffer, so that
// many lines are sent in one large write.
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

// request sends a request to the client and waits for the response. It returns the result, the error object if the
// request failed, or nil if ctx ends first.
func (a *agent) request(ctx context.Context, method string, params any) json.RawMessage {
	ch := make(chan json.RawMessage, 1)
	a.mu.Lock()
	id := a.requests // starts with 0, like the Copilot CLI
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

// record appends a message from the client to the file named by Script.Calls, if a file is set there.
func (a *agent) record(m message) {
	if a.script.Calls == "" {
		return
	}
	line, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	f, err := os.OpenFile(a.script.Calls, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.Write(append(line, '\n'))
		_ = f.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fakeagent:", err)
	}
}

// scripted sends the script's updates for the request's method, then answers the request with the
// script's response for the method. It returns false if the script has no response. If a response
// contains $NEW, the agent creates a session and replaces $NEW with the session's id.
func (a *agent) scripted(m message, p params) bool {
	text, ok := a.script.Answer[m.Method]
	fill := strings.NewReplacer("$SESSION", p.SessionID, "$CWD", p.Cwd)
	for _, u := range a.script.Before[m.Method] {
		// Invalid UTF-8 is passed through unchanged.
		a.send(object{"method": "session/update", "params": object{"sessionId": p.SessionID, "update": json.RawMessage(fill.Replace(u))}})
	}
	if !ok {
		return false
	}
	if strings.Contains(text, "$NEW") {
		s := &session{ID: rand.Text(), Cwd: p.Cwd}
		a.mu.Lock()
		if from := a.loaded[p.SessionID]; from != nil {
			s.Log = append(s.Log, from.Log...)
		}
		a.loaded[s.ID] = s
		a.save(s)
		a.mu.Unlock()
		text = strings.ReplaceAll(text, "$NEW", s.ID)
	}
	if m.Method == "session/resume" {
		a.mu.Lock()
		a.loaded[p.SessionID] = &session{ID: p.SessionID, Cwd: p.Cwd}
		a.mu.Unlock()
	}
	a.answer(m.ID, decode(fill.Replace(text)))
	return true
}
