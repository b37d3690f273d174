package agent

import (
	"context"
	"errors"
	"sync"
	"time"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/acp"
	"github.com/voxpilot/voxpilot/backend/agent/session"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// learnedMethods records which optional methods agents support or lack, as far as calls have shown it. The map's keys
// consist of an agent's name, its version and a method. A value is true if the agent supports the method. The records
// are kept until the app exits, because agents of the same version behave the same in every chat.
var learnedMethods = struct {
	sync.Mutex
	has map[[3]string]bool
}{has: map[[3]string]bool{}}

// methodKey returns the key of learnedMethods.has for this agent and the given method.
func (c *conn) methodKey(method string) [3]string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	name := c.agentName
	if name == "" {
		name = c.launch.Path + c.launch.Address
	}
	return [3]string{name, c.version, method}
}

// optionalMethods are the optional ACP methods that VoxPilot uses.
var optionalMethods = []string{
	sdk.AgentMethodSessionLoad, sdk.AgentMethodSessionList, sdk.AgentMethodSessionResume, sdk.AgentMethodSessionFork, sdk.AgentMethodSessionClose,
}

// applyLearned corrects the agent's declared capabilities according to learnedMethods.
func (c *conn) applyLearned() {
	learnedMethods.Lock()
	defer learnedMethods.Unlock()
	for _, method := range optionalMethods {
		if has, known := learnedMethods.has[c.methodKey(method)]; known {
			c.mu.Lock()
			c.capabilities = withMethod(c.capabilities, method, has)
			c.mu.Unlock()
		}
	}
}

// withMethod returns the given capabilities with the given method added (if has is true) or removed.
func withMethod(able backend.Capabilities, method string, has bool) backend.Capabilities {
	switch method {
	case sdk.AgentMethodSessionLoad:
		able.Load = has
	case sdk.AgentMethodSessionList:
		able.List = has
	case sdk.AgentMethodSessionResume:
		able.Resume = has
	case sdk.AgentMethodSessionFork:
		able.Fork = has
	case sdk.AgentMethodSessionClose:
		able.Close = has
	}
	return able
}

// optional calls an optional method, without a time limit. If the agent doesn't know the method, or supports it without
// having declared it, optional records this in learnedMethods. If the agent is known to lack the method, optional makes
// no call and returns the error for unknown methods.
func (c *conn) optional(method string, params any) (gjson.Result, error) {
	key := c.methodKey(method)
	learnedMethods.Lock()
	has, known := learnedMethods.has[key]
	learnedMethods.Unlock()
	if known && !has {
		c.learn(method, false)
		return gjson.Result{}, sdk.NewMethodNotFound(method)
	}
	declared := withMethod(c.declaredCapabilities(), method, true) == c.declaredCapabilities()
	r, err := c.send(method, params)
	if e := acp.Refused(err); err == nil && !declared || e != nil && e.Code == acp.CodeUnknownMethod {
		learnedMethods.Lock()
		learnedMethods.has[key] = err == nil
		learnedMethods.Unlock()
		c.learn(method, err == nil)
	}
	return r, err
}

// learn records in the connection's capabilities whether the agent has the optional method. If that changes the
// capabilities, learn calls onCapabilities.
func (c *conn) learn(method string, has bool) {
	c.mu.Lock()
	next := withMethod(c.capabilities, method, has)
	changed := next != c.capabilities
	c.capabilities = next
	c.mu.Unlock()
	if changed {
		c.log.Info("learned an agent capability", "method", method, "has", has)
		c.onCapabilities(c)
	}
}

// storesSessions reports whether the agent can load or resume sessions of an earlier process.
func (c *conn) storesSessions() bool {
	can := c.declaredCapabilities()
	return can.Load || can.Resume
}

// within makes a call on the user's behalf and waits for the response until ctx ends or a minute has passed. Unlike
// ask, it doesn't kill an agent that responds too late.
func (c *conn) within(ctx context.Context, call func() (gjson.Result, error)) (gjson.Result, error) {
	return await(ctx, limitSession, call)
}

// await runs the given call in the background and returns its result. If ctx ends or the time limit passes first,
// await returns ctx's error or errLate without waiting for the call to end.
func await(ctx context.Context, limit time.Duration, call func() (gjson.Result, error)) (gjson.Result, error) {
	type answer struct {
		result gjson.Result
		err    error
	}
	got := make(chan answer, 1)
	go func() {
		r, err := call()
		got <- answer{r, err}
	}()
	late := time.NewTimer(limit)
	defer late.Stop()
	select {
	case a := <-got:
		return a.result, a.err
	case <-ctx.Done():
		return gjson.Result{}, ctx.Err()
	case <-late.C:
		return gjson.Result{}, errLate
	}
}

// loadedSession returns a ready process and the named session in it. If necessary, it starts the process, as readyConn
// does, and loads or creates the session.
func (a *Agent) loadedSession(ctx context.Context, name string) (*conn, *session.Session, error) {
	k, err := a.readyConn(ctx)
	if err != nil {
		return nil, nil, err
	}
	s, err := a.ensure(ctx, k, name)
	return k, s, err
}

// readyConn returns a ready process for an operation other than a prompt, starting it if necessary. It
// doesn't wait for the user: if the user must sign in, trust the folder or retry, it returns CodeConnection.
func (a *Agent) readyConn(ctx context.Context) (*conn, error) {
	a.mu.Lock()
	state, halted := a.connection.State, a.halted
	a.mu.Unlock()
	if state == backend.ConnectionIdle && !a.post(loopMessage{event: eventNeeded, ctx: ctx}) {
		return nil, errClosed
	}
	for {
		a.mu.Lock()
		k, changed, now := a.conn, a.changed, a.connection
		a.mu.Unlock()
		if k != nil && !k.hasExited() && !k.refused.Load() {
			return k, nil
		}
		if now.State == backend.ConnectionFailed || now.State == backend.ConnectionNeedsLogin || now.State == backend.ConnectionNeedsTrust {
			return nil, &backend.Error{Code: backend.CodeConnection, Message: now.Message}
		}
		select {
		case <-changed:
		case <-halted:
			return nil, errClosed
		case <-a.closing:
			return nil, errClosed
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// enterError returns the user-facing error for an operation that enter rejected. ctx is the operation's context. The
// parameter what names the failed operation (see userErrorFrom).
func enterError(ctx context.Context, what backend.Message) error {
	if err := context.Cause(ctx); errors.Is(err, context.DeadlineExceeded) {
		return userError(err, what)
	}
	return errClosed
}

var errClosed = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Copilot was stopped. Send a message to start it again.")}

// userErrorFrom returns err as a user-facing error. The parameter what names the failed operation, in a message such
// as "Couldn't change the mode". The result is nil if err is nil, and err itself if the caller canceled the
// operation. k is nil if the agent isn't running or isn't ready yet.
func userErrorFrom(k *conn, err error, what backend.Message) error {
	if k == nil && errors.Is(err, context.DeadlineExceeded) {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("%s because Copilot is still starting. Try again in a moment.", what), Detail: err.Error()}
	}
	own := userError(err, what)
	switch {
	case own == nil:
		return err
	case k == nil:
		return own
	}
	return k.errorWithName(own)
}

// userError returns err as a user-facing error, or nil if err is nil or means that the caller canceled the
// operation. The parameter what names the failed operation (see userErrorFrom). If the caller's time limit has
// passed, the error says that the agent didn't respond.
func userError(err error, what backend.Message) *backend.Error {
	var own *backend.Error
	r := acp.Refused(err)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &own):
		return own
	case errors.Is(err, context.Canceled):
		return nil // the caller canceled it
	case errors.Is(err, errUntrusted):
		return &backend.Error{Code: backend.CodeUntrusted, Message: backend.Say("%s because you haven't trusted this folder in its current state. Review the folder in the chat, then try again.", what)}
	case r == nil:
		return &backend.Error{Code: backend.CodeConnection, Message: backend.Say("%s because Copilot didn't respond. Try again in a moment.", what), Detail: err.Error()}
	case r.Code == acp.CodeAuthRequired:
		return &backend.Error{Code: backend.CodeAuth, Message: backend.Say("%s because Copilot needs you to sign in. Sign in, then try again.", what), Detail: r.Error()}
	case r.Code == acp.CodeUnknownMethod:
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("%s. This agent doesn't support that.", what), Detail: r.Error()}
	case r.Code == acp.CodeInvalidParams:
		return &backend.Error{Code: backend.CodeInvalid, Message: backend.Say("%s: %s", what, excerpt.FirstLine(r.Message, 200)), Detail: r.Error()}
	default:
		return &backend.Error{Code: backend.CodeAgent, Message: backend.Say("%s because of a Copilot error (%s). Try again.", what, excerpt.FirstLine(r.Message, 200)), Detail: r.Error()}
	}
}

// Fork copies the session called name, with its history, to a new session called newName. It returns CodeUnavailable
// if the agent can't fork sessions. It returns CodeInvalid if newName is empty or is the name of a session with
// messages, or if the session to fork has no messages.
func (a *Agent) Fork(ctx context.Context, name, newName string) (backend.Session, error) {
	failed := backend.Say("Couldn't fork the session")
	if row, there := a.row(newName); newName == "" || there && row.HadPrompt {
		return backend.Session{}, backend.Invalid("%s: a session called “%s” already exists. Choose another name.", failed, newName)
	}
	if row, _ := a.row(name); !row.HadPrompt {
		return backend.Session{}, backend.Invalid("%s because it has no messages yet.", failed)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	free, ok := a.enter(ctx, newName, cancel)
	if !ok {
		return backend.Session{}, enterError(ctx, failed)
	}
	defer free()
	k, s, err := a.loadedSession(ctx, name)
	if err != nil {
		return backend.Session{}, userErrorFrom(k, err, failed)
	}
	r, err := k.within(ctx, func() (gjson.Result, error) {
		return a.callInFolder(k, func() (gjson.Result, error) {
			return k.optional(sdk.AgentMethodSessionFork, sdk.UnstableForkSessionRequest{
				SessionId: sdk.SessionId(s.ID), Cwd: s.Folder, McpServers: []sdk.UnstableMcpServer{}, // only main gets servers
			})
		})
	})
	if err != nil {
		return backend.Session{}, userErrorFrom(k, err, failed)
	}
	now := backend.Now()
	forked, err := a.settle(k, r, backend.Session{
		ChatID: a.cfg.ChatID, Name: newName, Cwd: s.Folder, Home: k.launch.Home,
		HadPrompt: true, State: backend.SessionLoaded, CreatedAt: now, UsedAt: now,
	}, nil)
	if err != nil {
		return backend.Session{}, userErrorFrom(k, err, failed)
	}
	k.addArrived(forked)
	a.markLoaded(k, newName)
	row, _ := a.row(newName)
	return row, nil
}

// addArrived records that s is loaded. Later calls of ensure return it.
func (c *conn) addArrived(s *session.Session) {
	v := &arrival{done: make(chan struct{}), s: s}
	close(v.done)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.arrivals[s.Name] = v
}

// CloseSession cancels the named session's prompt and, if the process has loaded the session, closes it in the agent;
// the next prompt loads it again. It returns CodeUnavailable if the agent can't close sessions. If no process is ready,
// it does nothing.
func (a *Agent) CloseSession(ctx context.Context, name string) error {
	failed := backend.Say("Couldn't close the session")
	a.mu.Lock()
	k := a.conn
	a.mu.Unlock()
	if k == nil {
		return nil // not loaded in any process
	}
	a.Cancel(name)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	free, ok := a.enter(ctx, name, cancel)
	if !ok {
		return userErrorFrom(k, context.Cause(ctx), failed)
	}
	defer free()
	return a.unloadSession(ctx, k, name, failed, false)
}

// unloadSession closes the session in the agent if it is loaded, and removes it from the process's sessions. If
// anyway is true, it removes the session even if the agent can't close sessions. The parameter failed is the start
// of the user-facing message for errors. The caller must have reserved the session with enter or claim.
func (a *Agent) unloadSession(ctx context.Context, k *conn, name string, failed backend.Message, anyway bool) error {
	k.mu.RLock()
	v := k.arrivals[name]
	there := v != nil && (k.hasLoaded(v) || !v.isDone())
	k.mu.RUnlock()
	if !there {
		return nil
	}
	s, err := a.ensure(ctx, k, name)
	if err != nil {
		return userErrorFrom(k, err, failed)
	}
	_, err = k.within(ctx, func() (gjson.Result, error) {
		return k.optional(sdk.AgentMethodSessionClose, sdk.CloseSessionRequest{SessionId: sdk.SessionId(s.ID)})
	})
	if r := acp.Refused(err); err == nil || r != nil && (isUnknown(r, s.ID) || anyway && r.Code == acp.CodeUnknownMethod) {
		k.forget(s)
		a.mu.Lock()
		a.lastStates[name] = lastUnloaded
		a.mu.Unlock()
		return nil
	}
	return userErrorFrom(k, err, failed)
}

// handleNotification passes an event of the Copilot CLI to its session, and the end of an elicitation to
// onElicitationEnd. It ignores all other notifications, such as session/started.
func (c *conn) handleNotification(method string, params gjson.Result) {
	switch method {
	case session.MethodEvent:
		if s := c.byID(params.Get("sessionId").Str); s != nil {
			s.Event(params)
		}
	case sdk.ClientMethodElicitationComplete:
		c.onElicitationEnd(params.Get("elicitationId").Str)
	default:
		c.log.Debug("ignored an unknown notification", "method", method)
	}
}
