package agent

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/acp"
	"github.com/voxpilot/voxpilot/backend/agent/session"
	"github.com/voxpilot/voxpilot/internal/process"
)

// errLost means that the agent doesn't have a session or can't read it.
var errLost = backend.Problem("the agent can't find or read the session")

// arrival is an attempt to load or create a session in a process. It continues even if all callers give up, so that the
// agent never gets two requests for one session at the same time.
type arrival struct {
	done chan struct{} // closed when finished; s or err is then set
	s    *session.Session
	err  error
}

// ensure returns the named session in the process, loading or creating it if necessary. The time limit is limitLoad for
// a session that has had a prompt, and limitSession for a new one.
//
// A session is replaced only if the agent doesn't have it or can't load it, never because of a timeout, a cancellation
// or the agent's exit.
func (a *Agent) ensure(ctx context.Context, k *conn, name string) (*session.Session, error) {
	limit := limitLoad
	if row, _ := a.row(name); !row.HadPrompt {
		limit = limitSession
	}
	v := a.startArrival(k, name)
	late := time.NewTimer(limit)
	defer late.Stop()
	select {
	case <-v.done:
		return v.s, v.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-late.C:
		a.log.Warn("a session wasn't ready in time", "session", name, "after", limit)
		return nil, k.lateError(name)
	}
}

// startArrival starts to load or create the session in the process. If the session is loaded or an attempt is running,
// it returns the existing arrival.
func (a *Agent) startArrival(k *conn, name string) *arrival {
	return a.startArrivalBy(k, name, func() (*session.Session, error) { return a.restoreOrCreate(k, name) })
}

// startArrivalBy is like startArrival, but loads or creates the session with the function bring.
func (a *Agent) startArrivalBy(k *conn, name string, bring func() (*session.Session, error)) *arrival {
	k.mu.Lock()
	defer k.mu.Unlock()
	if v := k.arrivals[name]; v != nil && (k.hasLoaded(v) || !v.isDone()) {
		return v
	}
	v := &arrival{done: make(chan struct{})}
	if k.closed {
		v.err = acp.ErrEnded
		close(v.done)
		return v
	}
	k.arrivals[name] = v
	k.arriving.Go(func() {
		defer close(v.done)
		if v.s, v.err = bring(); v.err == nil {
			a.markLoaded(k, name)
			return
		}
		a.log.Warn("couldn't load or create a session", "session", name, "err", v.err)
	})
	return v
}

func (v *arrival) isDone() bool {
	select {
	case <-v.done:
		return true
	default:
		return false
	}
}

// hasLoaded reports whether v has loaded its session and the session is still loaded. The caller must hold
// c.mu.
func (c *conn) hasLoaded(v *arrival) bool {
	return v.isDone() && v.err == nil && c.sessions[v.s.ID] == v.s
}

// lateError returns the error for a session that didn't load in time. If no other sessions are loaded, it also kills
// the agent. Otherwise, the agent keeps running, because work in these sessions must continue.
func (c *conn) lateError(name string) error {
	c.mu.RLock()
	alone := true
	for other, v := range c.arrivals {
		alone = alone && (other == name || !c.hasLoaded(v))
	}
	c.mu.RUnlock()
	if alone {
		c.fail(backend.CauseNoAnswer)
		return errLate
	}
	return &backend.Error{
		Code:    backend.CodeUnavailable,
		Message: backend.Say("Copilot is still opening this conversation, so your message wasn't sent. Send it again in a moment."),
	}
}

// markLoaded records that a process has loaded the session. known is true if a process has already loaded it since the
// app started, and was is its last state, or "" if it has none. ok is false if the process is being stopped. Nothing is
// recorded then, because the next process restores the session.
func (a *Agent) markLoaded(k *conn, name string) (known bool, was lastState, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if k.expected.Load() {
		return false, "", false
	}
	known, was = a.known[name], a.lastStates[name]
	a.known[name] = true
	delete(a.restoreRequested, name)
	delete(a.lastStates, name) // a loaded session has no last state
	return known, was, true
}

// restoreOrCreate restores the named session if it has had a prompt, or else creates it. A lost session is rescued or,
// if that isn't possible, replaced.
func (a *Agent) restoreOrCreate(k *conn, name string) (*session.Session, error) {
	row, _ := a.row(name)
	if !row.HadPrompt { // agents don't store sessions without a prompt
		if s, err := a.handOver(k, row); s != nil || err != nil {
			return s, err
		}
		return a.create(k, name, row.ReplacesID, row)
	}
	if s, err := a.restoreCutOff(k, row); s != nil || err != nil {
		return s, err
	}
	s, err := a.restore(k, row)
	switch {
	case err == nil:
		if known, was, ok := a.markLoaded(k, name); ok {
			a.publishRestored(s, row, known, was)
		}
		return s, nil
	case errors.Is(err, errLost):
		if rescued, err := a.rescue(k, row, err); rescued != nil || err != nil {
			return rescued, err
		}
		return a.replace(k, row, err)
	}
	return nil, err
}

// newSession returns the session.Session for a row. The process must have created the session, or be about to
// load it.
func (a *Agent) newSession(k *conn, row backend.Session, servers []session.MCPServer) *session.Session {
	return session.New(row, session.Config{
		Servers: servers, Guarded: k.isGuarded(), Process: k.ctx, Hold: a.acquire, Save: a.storeSession, Publish: a.cfg.Publish, Commit: a.cfg.Commit,
		Ask: a.cfg.Ask, Allowed: a.cfg.IsAllowed, Denied: a.cfg.IsDenied, Sandbox: a.cfg.Sandbox, Questions: a.cfg.Questions, Home: homeOf(k.launch),
		Abort: func(change string) { a.showChangeWithoutPermission(row, change, backend.Turn{}); a.Stop() },
		Env:   func() []string { return commandEnv(k.launch, k.proc.Mark) },
		Send: func(ctx context.Context, method string, params any, apply func(gjson.Result)) error {
			_, err := k.within(ctx, func() (gjson.Result, error) {
				answer, err := k.send(method, params)
				if err == nil {
					apply(answer)
				}
				return answer, err
			})
			return err
		},
		Log: a.log.With("session", row.Name, "id", row.ACPID),
	})
}

// create creates a session. The parameter before is the row of an earlier session with the same name, whose mode and
// options the new session gets; it is zero if there is none. The parameter replaces is the new row's ReplacesID. The
// new session's ID is stored durably before anything is sent to the session.
func (a *Agent) create(k *conn, name, replaces string, before backend.Session) (*session.Session, error) {
	folder := a.currentFolder()
	servers := a.serversOf(k, name)
	r, err := a.callInFolder(k, func() (gjson.Result, error) {
		return k.send(sdk.AgentMethodSessionNew, sdk.NewSessionRequest{Cwd: folder, McpServers: mcpServers(servers)})
	})
	if err != nil {
		return nil, err
	}
	now := backend.Now()
	s, err := a.settle(k, r, backend.Session{
		ChatID: a.cfg.ChatID, Name: name, Cwd: folder, Home: k.launch.Home,
		ReplacesID: replaces, State: backend.SessionLoaded, CreatedAt: now, UsedAt: now,
	}, servers)
	switch {
	case err != nil:
		return nil, err
	case before.Name != "":
		s.InheritOptions(before)
	case name == backend.SessionMain && a.cfg.Mode != nil:
		s.SetFirstMode(a.cfg.Mode())
	}
	return s, nil
}

// settle stores, sets up and registers a session that the agent has just created; answer
// is the agent's response.
func (a *Agent) settle(k *conn, answer gjson.Result, row backend.Session, servers []session.MCPServer) (*session.Session, error) {
	row.ACPID = answer.Get("sessionId").String()
	if row.ACPID == "" {
		return nil, &sdk.RequestError{Code: acp.CodeInternal, Message: "the agent created a session without an ID"}
	}
	if err := a.commit(k.ctx, row); err != nil {
		return nil, err
	}
	s := a.newSession(k, row, servers)
	s.Configure(answer)
	k.register(s)
	a.log.Info("session created", "session", row.Name, "id", row.ACPID)
	return s, nil
}

// commit makes a session's row and further events durable. Its error is user-facing or ctx's error.
func (a *Agent) commit(ctx context.Context, row backend.Session, more ...backend.Event) error {
	if err := a.cfg.Commit(ctx, append([]backend.Event{{Session: &row}}, more...)...); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &backend.Error{
			Code:    backend.CodeStorage,
			Message: backend.Say("Your message wasn't sent because its session couldn't be saved. Check for free disk space, then send it again."),
			Detail:  err.Error(),
		}
	}
	a.mu.Lock()
	a.rows[row.Name] = row
	a.mu.Unlock()
	return nil
}

// maxPages limits the number of pages read from a list of sessions. The Copilot CLI lists 50 sessions
// per page.
const maxPages = 200

// listed reports whether the agent lists the session. It returns true if the agent can't list sessions or rejects the
// request, and an error if the agent requires a sign-in. listed first requests only the sessions in the session's
// folder, which are few. If the session isn't among them, it searches the complete list, because agents compare folder
// names literally.
func (c *conn) listed(row backend.Session) (bool, error) {
	if !c.declaredCapabilities().List {
		return true, nil // loading will show whether it exists
	}
	for _, cwd := range []*string{&row.Cwd, nil} {
		var cursor *string
		for range maxPages {
			r, err := c.optional(sdk.AgentMethodSessionList, sdk.ListSessionsRequest{Cwd: cwd, Cursor: cursor})
			if e := acp.Refused(err); e != nil && e.Code != acp.CodeAuthRequired {
				return true, nil
			}
			if err != nil {
				return false, err
			}
			found := false
			r.Get("sessions").ForEach(func(_, s gjson.Result) bool {
				found = s.Get("sessionId").String() == row.ACPID
				return !found
			})
			if found {
				return true, nil
			}
			next := r.Get("nextCursor").String()
			if next == "" {
				break
			}
			cursor = &next
		}
	}
	return false, nil
}

// lostError returns an error that wraps both errLost and the cause.
func lostError(why error) error { return fmt.Errorf("%w: %w", errLost, why) }

// commandEnv returns the environment for commands that VoxPilot runs for an agent. It resembles the environment of the
// user's terminal: it doesn't contain variables that VoxPilot added for the agent, such as keys, or variables whose
// names start with COPILOT_ or VOXPILOT_, such as tokens. The exceptions are the agent's PATH and process.MarkVar,
// which is set to mark and identifies the agent's process. l.Env is empty if VoxPilot didn't start the agent.
func commandEnv(l Launch, mark string) []string {
	own := append(os.Environ(), l.Login...)
	launch := l.Env
	if len(launch) == 0 {
		launch = own
	}
	env := slices.DeleteFunc(process.Scrub(launch), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return !process.SameVar(name, "PATH") && !slices.Contains(own, kv) ||
			strings.HasPrefix(strings.ToUpper(name), "COPILOT_") || strings.HasPrefix(strings.ToUpper(name), "VOXPILOT_")
	})
	return append(env, process.MarkVar+"="+mark)
}

// homeOf returns the COPILOT_HOME of the launched agent: the one in the agent's environment or else the CLI's default,
// .copilot in the user's home folder. It returns "" if the user's home folder isn't known. If VoxPilot didn't start the
// agent, it returns l.Home.
func homeOf(l Launch) string {
	if l.Address != "" {
		return l.Home
	}
	home, user, userVar := "", "", "HOME"
	if runtime.GOOS == "windows" {
		userVar = "USERPROFILE"
	}
	for _, kv := range l.Env { // a later value replaces an earlier one
		switch name, value, _ := strings.Cut(kv, "="); {
		case process.SameVar(name, "COPILOT_HOME"):
			home = value
		case process.SameVar(name, userVar):
			user = value
		}
	}
	if home == "" && user != "" {
		home = filepath.Join(user, ".copilot")
	}
	return home
}

// serversOf returns the MCP servers to declare for the named session, or nil for none.
//
// The Copilot CLI prefers a server in its configuration over a server of the same name that VoxPilot declares. A
// configured server could therefore intercept tasks and get the permission of VoxPilot's tools. For this reason, each
// chat has its own server names. They stay the same in every process, because the model may already have used them.
func (a *Agent) serversOf(k *conn, name string) []session.MCPServer {
	if a.cfg.Servers == nil || name != backend.SessionMain || !k.takesHTTP() {
		return nil
	}
	servers := slices.Clone(a.cfg.Servers(name))
	for i := range servers {
		sum := sha256.Sum256([]byte(servers[i].Name + " of the chat " + a.cfg.ChatID))
		servers[i].Name += "_" + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:8])
	}
	return servers
}

// takesHTTP reports whether the agent supports MCP servers over HTTP.
func (c *conn) takesHTTP() bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.mcpHTTP
}

// mcpServers converts list to the form that ACP requires. The result is never nil, because ACP requires a list.
func mcpServers(list []session.MCPServer) []sdk.McpServer {
	out := []sdk.McpServer{}
	for _, s := range list {
		headers := []sdk.HttpHeader{}
		for _, name := range slices.Sorted(maps.Keys(s.Headers)) {
			headers = append(headers, sdk.HttpHeader{Name: name, Value: s.Headers[name]})
		}
		out = append(out, sdk.McpServer{Http: &sdk.McpServerHttpInline{Type: "http", Name: s.Name, Url: s.URL, Headers: headers}})
	}
	return out
}
