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

// learned is what agents were found to have beyond what they announce, by
// name, version and method. It is kept while the app runs: an agent of the same
// version is the same in every chat, and is asked once.
var learned = struct {
	sync.Mutex
	has map[[3]string]bool
}{has: map[[3]string]bool{}}

func (k *link) methodKey(method string) [3]string {
	k.mu.RLock()
	defer k.mu.RUnlock()
	name := k.agent
	if name == "" {
		name = k.launch.Path + k.launch.Address
	}
	return [3]string{name, k.version, method}
}

// optionalMethods are those that an agent need not have and is asked for.
var optionalMethods = []string{
	sdk.AgentMethodSessionLoad, sdk.AgentMethodSessionList, sdk.AgentMethodSessionResume, sdk.AgentMethodSessionFork, sdk.AgentMethodSessionClose,
}

// remember corrects what the agent announced by what was learned.
func (k *link) remember() {
	learned.Lock()
	defer learned.Unlock()
	for _, method := range optionalMethods {
		if has, known := learned.has[k.methodKey(method)]; known {
			k.mu.Lock()
			k.able = withMethod(k.able, method, has)
			k.mu.Unlock()
		}
	}
}

// withMethod is what an agent is able to do that has the method, or does not.
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

// optional calls a method that the agent need not have. One that it is known
// not to have is not called.
func (k *link) optional(method string, params any) (gjson.Result, error) {
	key := k.methodKey(method)
	learned.Lock()
	has, known := learned.has[key]
	learned.Unlock()
	if known && !has {
		k.learn(method, false)
		return gjson.Result{}, sdk.NewMethodNotFound(method)
	}
	declared := withMethod(k.can(), method, true) == k.can()
	r, err := k.send(method, params)
	if e := acp.Refused(err); err == nil && !declared || e != nil && e.Code == acp.CodeUnknownMethod {
		learned.Lock()
		learned.has[key] = err == nil
		learned.Unlock()
		k.learn(method, err == nil)
	}
	return r, err
}

// learn notes whether the agent has an optional method. The window is told.
func (k *link) learn(method string, has bool) {
	k.mu.Lock()
	next := withMethod(k.able, method, has)
	changed := next != k.able
	k.able = next
	k.mu.Unlock()
	if changed {
		k.log.Info("what the agent is able to do was learned", "method", method, "has", has)
		k.told(k)
	}
}

// keepsSessions says whether sessions outlive the agent's process, as far as is
// known.
func (k *link) keepsSessions() bool {
	can := k.can()
	return can.Load || can.Resume
}

// within makes a call of the user's and waits for its answer no longer than ctx
// or a minute. The agent is not ended when it is late.
func (k *link) within(ctx context.Context, call func() (gjson.Result, error)) (gjson.Result, error) {
	return await(ctx, limitSession, call)
}

// await is what call returns, or why that was not waited for: ctx has ended, or
// it took longer than limit.
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

// here brings the session into a process that is ready, as up has one.
func (a *Agent) here(ctx context.Context, name string) (*link, *session.Session, error) {
	k, err := a.up(ctx)
	if err != nil {
		return nil, nil, err
	}
	s, err := a.ensure(ctx, k, name)
	return k, s, err
}

// up is a process that is ready, started where it does not run, for something
// other than a prompt. It does not wait for the user: where a sign-in, trust or a
// retry is needed it says so.
func (a *Agent) up(ctx context.Context) (*link, error) {
	a.mu.Lock()
	state, halted := a.now.State, a.halted
	a.mu.Unlock()
	if state == backend.Idle && !a.post(note{what: wanted, ctx: ctx}) {
		return nil, errClosed
	}
	for {
		a.mu.Lock()
		k, changed, now := a.link, a.changed, a.now
		a.mu.Unlock()
		if k != nil && !k.ended() && !k.refused.Load() {
			return k, nil
		}
		if now.State == backend.Failed || now.State == backend.NeedsLogin || now.State == backend.NeedsTrust {
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

var errClosed = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Copilot was stopped. Send a message to start it again.")}

// toldAs is err for a person; what says what was to be done, as in "The mode was
// not changed". k is nil where the agent does not run.
func toldAs(k *link, err error, what backend.Message) error {
	own := plainly(err, what)
	switch {
	case own == nil:
		return err
	case k == nil:
		return own
	}
	return k.namedError(own)
}

func plainly(err error, what backend.Message) *backend.Error {
	var own *backend.Error
	r := acp.Refused(err)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &own):
		return own
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return nil // it is the caller's own
	case errors.Is(err, errUntrusted):
		return &backend.Error{Code: backend.CodeUntrusted, Message: backend.Say("%s because you haven't trusted this folder as it is now. Review it in the chat, then try again.", what)}
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

// Fork makes a session called as that begins with all that the named one
// remembers. It is CodeUnavailable where the agent cannot do that, and
// CodeInvalid where as is taken.
func (a *Agent) Fork(ctx context.Context, name, as string) (backend.Session, error) {
	failed := backend.Say("Couldn't fork the session")
	if row, there := a.row(as); as == "" || there && row.HadPrompt {
		return backend.Session{}, backend.Invalid(`%s: a session called "%s" already exists. Choose another name.`, failed, as)
	}
	if row, _ := a.row(name); !row.HadPrompt {
		return backend.Session{}, backend.Invalid("%s because it has no messages yet.", failed)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	free, ok := a.enter(ctx, as, cancel)
	if !ok {
		return backend.Session{}, errClosed
	}
	defer free()
	k, s, err := a.here(ctx, name)
	if err != nil {
		return backend.Session{}, toldAs(k, err, failed)
	}
	r, err := k.within(ctx, func() (gjson.Result, error) {
		return a.opened(k, func() (gjson.Result, error) {
			return k.optional(sdk.AgentMethodSessionFork, sdk.UnstableForkSessionRequest{
				SessionId: sdk.SessionId(s.ID), Cwd: s.Folder, McpServers: []sdk.UnstableMcpServer{}, // it is not main
			})
		})
	})
	if err != nil {
		return backend.Session{}, toldAs(k, err, failed)
	}
	now := backend.Now()
	forked, err := a.settle(k, r, backend.Session{
		ChatID: a.cfg.ChatID, Name: as, Cwd: s.Folder, Home: k.launch.Home,
		HadPrompt: true, State: backend.SessionLoaded, CreatedAt: now, UsedAt: now,
	}, nil)
	if err != nil {
		return backend.Session{}, toldAs(k, err, failed)
	}
	k.place(forked)
	a.seen(k, as)
	row, _ := a.row(as)
	return row, nil
}

// place makes s what ensure finds by its name.
func (k *link) place(s *session.Session) {
	v := &arrival{done: make(chan struct{}), s: s}
	close(v.done)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.arrivals[s.Name] = v
}

// CloseSession has the agent put the named session away: what runs in it is
// stopped, and it is closed when that has ended. The next prompt brings it
// back. It is CodeUnavailable where the agent cannot do that.
func (a *Agent) CloseSession(ctx context.Context, name string) error {
	failed := backend.Say("Couldn't close the session")
	a.mu.Lock()
	k := a.link
	a.mu.Unlock()
	if k == nil {
		return nil // no process holds it
	}
	a.Cancel(name)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	free, ok := a.enter(ctx, name, cancel)
	if !ok {
		return toldAs(k, context.Cause(ctx), failed)
	}
	defer free()
	return a.putAway(ctx, k, name, failed, false)
}

// putAway has the agent close the session, where the process holds it. anyway
// leaves it alone from here on also where the agent cannot do that. The caller
// keeps prompts from it.
func (a *Agent) putAway(ctx context.Context, k *link, name string, failed backend.Message, anyway bool) error {
	k.mu.RLock()
	v := k.arrivals[name]
	there := v != nil && (k.holds(v) || !v.isOver())
	k.mu.RUnlock()
	if !there {
		return nil
	}
	s, err := a.ensure(ctx, k, name)
	if err != nil {
		return toldAs(k, err, failed)
	}
	_, err = k.within(ctx, func() (gjson.Result, error) {
		return k.optional(sdk.AgentMethodSessionClose, sdk.CloseSessionRequest{SessionId: sdk.SessionId(s.ID)})
	})
	if r := acp.Refused(err); err == nil || r != nil && (isUnknown(r, s.ID) || anyway && r.Code == acp.CodeUnknownMethod) {
		k.forget(s)
		a.mu.Lock()
		a.left[name] = leftAsleep
		a.mu.Unlock()
		return nil
	}
	return toldAs(k, err, failed)
}

// notified takes a notification that is no session/update, such as
// session/started. They are left alone.
func (k *link) notified(method string, _ gjson.Result) {
	k.log.Debug("a notification of an unknown kind was left alone", "method", method)
}
