package agent

import (
	"context"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// loopMessage is a message to the loop goroutine.
type loopMessage struct {
	event         connEvent
	run           int             // number of the start (loop.run) that sent the message, or 0
	conn          *conn           // the process that the message concerns, if any
	onlyIfCurrent bool            // ignore the message unless conn is the loop's current process
	ctx           context.Context // for eventNeeded: the context of the operation that needs the agent
	launch        Launch
	cause         backend.Cause
	message       backend.Message
	searched      []string
	delay         time.Duration // time until the next attempt
}

// Events that don't change the connection state.
const (
	eventSpawned        connEvent = "spawned"    // a process was started; the loop must watch it
	eventCapabilities   connEvent = "told"       // the agent's capabilities differ from those it declared
	eventSignInRequired connEvent = "refused us" // the agent requested a sign-in; the loop must find the reason
)

// post sends n to the loop goroutine, which it starts if necessary. It returns false if the agent is closed.
func (a *Agent) post(n loopMessage) bool {
	a.start.Do(func() { go a.loop() })
	select {
	case a.inbox <- n:
		return true
	case <-a.closing:
		return false
	}
}

// loop runs the state machine of the connection until the agent is closed. No other goroutine changes the state.
func (a *Agent) loop() {
	defer close(a.ended)
	l := &loop{Agent: a, state: backend.ConnectionIdle, ctx: context.Background(), cancel: func() {}}
	l.endCtx, l.hurry = context.WithCancel(context.Background())
	defer l.hurry()
	for {
		var dead <-chan struct{}
		if l.conn != nil {
			dead = l.conn.exited
		}
		var ring <-chan time.Time
		if l.retryTimer != nil {
			ring = l.retryTimer.C
		}
		var rest <-chan time.Time
		if l.idleTimer != nil {
			rest = l.idleTimer.C
		}
		select {
		case n := <-a.inbox:
			l.handle(n)
		case <-dead:
			l.processExited()
		case <-ring:
			l.retryTimer = nil
			l.handle(loopMessage{event: eventRetryDue})
		case <-rest:
			l.stopIfIdle()
		case <-a.closing:
			l.close()
			return
		}
	}
}

// loop holds the state owned by the loop goroutine.
type loop struct {
	*Agent
	state          backend.ConnectionState
	run            int             // number of the current start; messages from other starts are ignored
	ctx            context.Context // context of the last start
	cancel         context.CancelFunc
	starting       sync.WaitGroup     // counts running bringUp and findSignInCause calls
	ending         sync.WaitGroup     // counts running endConn calls
	endCtx         context.Context    // limits the graceful end of processes
	hurry          context.CancelFunc // cancels endCtx
	previousExited <-chan struct{}    // closed when all processes that the loop ended have exited; nil if there are none
	conn           *conn
	launch         Launch
	readyAt        time.Time
	attempts       attempts
	offline        bool        // the last start was postponed because GitHub was unreachable
	retryTimer     *time.Timer // in state Waiting
	idleTimer      *time.Timer // in state Ready, until the next idle check
}

// handle applies the message n to the state machine.
func (l *loop) handle(n loopMessage) {
	switch {
	case n.event == eventSpawned && n.run != l.run: // from an abandoned start
		l.endConn(n.conn)
		return
	case n.run != 0 && n.run != l.run, n.onlyIfCurrent && n.conn != l.conn:
		return // from an abandoned start or a process that has been released
	case n.ctx != nil && n.ctx.Err() != nil:
		return // the operation that wanted the agent was canceled
	case n.event == eventSpawned:
		l.conn = n.conn
		l.publish(loopMessage{})
		return
	case n.event == eventCapabilities:
		l.publish(loopMessage{})
		return
	case n.event == eventSignInRequired:
		k, ctx := n.conn, l.ctx
		l.starting.Go(func() { l.findSignInCause(ctx, k) })
		return
	}
	to, ok := next(l.state, n.event)
	if !ok {
		return
	}
	from := l.state
	l.log.Debug("connection", "from", from, "on", n.event, "to", to)
	l.state = to
	if l.retryTimer != nil {
		l.retryTimer.Stop()
		l.retryTimer = nil
	}
	if l.idleTimer != nil {
		l.idleTimer.Stop()
		l.idleTimer = nil
	}
	switch to {
	case backend.ConnectionChecking:
		if n.event == eventRetried {
			l.attempts = attempts{}
		}
		l.publish(n)
		l.startProcess()
		return
	case backend.ConnectionStarting:
		l.launch, l.offline = n.launch, false
	case backend.ConnectionReady:
		l.readyAt = time.Now()
		l.idleTimer = time.NewTimer(idleDelay(l.idleAfter(), 0, false))
	case backend.ConnectionWaiting:
		if l.offline = n.cause == backend.CauseOffline; n.event == eventPostponed {
			n.delay = l.attempts.postponed(l.readyFor(from))
			l.suspendProcess()
		}
		n.delay = withJitter(n.delay)
		l.retryTimer = time.NewTimer(n.delay)
	case backend.ConnectionNeedsLogin, backend.ConnectionNeedsTrust:
		l.suspendProcess()
	case backend.ConnectionFailed:
		l.endProcess()
	case backend.ConnectionIdle:
		l.offline = false
		l.markUnloaded()
		n.conn = l.conn
		l.endProcess()
	default:
	}
	l.publish(n)
}

// startProcess starts a process in the background (bringUp) with a new run number.
func (l *loop) startProcess() {
	l.cancel()
	l.run++
	run := l.run
	ctx, cancel := context.WithCancel(context.Background())
	l.cancel = cancel
	gone := l.previousExited
	l.ctx = ctx
	offline := l.offline
	l.starting.Go(func() { l.bringUp(ctx, run, offline, gone) })
}

// processExited is called after a process exit that the loop didn't request. It schedules the next start, or gives up
// if there were too many exits or the program couldn't be run.
func (l *loop) processExited() {
	k := l.conn
	l.conn = nil
	l.cancel()
	cause := k.cause()
	if cause == backend.CauseSpawnFailed {
		l.handle(loopMessage{event: eventUnlaunchable, cause: cause, conn: k, message: spawnMessage(k.launch, k.proc.Exit.NotRun)})
		return
	}
	most := l.maxAttempts()
	delay, retry := l.attempts.exited(time.Now(), l.readyFor(l.state), most)
	n := loopMessage{event: eventExited, cause: cause, conn: k, message: exitMessage(cause, k.proc.Exit), delay: delay}
	if !retry {
		n.event, n.message = eventExhausted, exhaustedMessage(cause, k.proc.Exit, len(l.attempts.exits))
	}
	l.handle(n)
}

// readyFor returns how long the process has been ready, or 0 if the connection's state s isn't Ready.
func (l *loop) readyFor(s backend.ConnectionState) time.Duration {
	if s != backend.ConnectionReady {
		return 0
	}
	return time.Since(l.readyAt)
}

// suspendProcess ends the process, if any, without waiting for it, and makes the next process restore its sessions
// (requestRestore).
func (l *loop) suspendProcess() {
	k := l.conn
	l.endProcess()
	if k != nil {
		l.requestRestore(k.names())
	}
}

// endProcess ends the process, if any, without waiting for it.
func (l *loop) endProcess() {
	l.cancel()
	l.run++ // ignore further messages from this start
	if k := l.conn; k != nil {
		l.conn = nil
		l.endConn(k)
	}
}

// endConn ends a process in the background. The next process starts only after this one
// has exited, because both would use the same sessions.
func (l *loop) endConn(k *conn) {
	k.expected.Store(true)
	gone, before := make(chan struct{}), l.previousExited
	l.previousExited = gone
	l.ending.Go(func() {
		defer close(gone)
		k.settle(l.endCtx, cancelGrace)
		k.stop(l.endCtx)
		if before != nil {
			<-before
		}
	})
}

// markUnloaded records that VoxPilot itself is ending the process. No banner then reports that the process's sessions
// are loaded again.
func (l *loop) markUnloaded() {
	if l.conn == nil {
		return
	}
	names := l.conn.names()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range names {
		l.lastStates[name] = lastUnloaded
	}
}

// requestRestore makes the next process restore the named sessions that have received a prompt.
func (l *loop) requestRestore(names []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range names {
		if l.rows[name].HadPrompt {
			l.restoreRequested[name] = true
		}
	}
}

// idleAfter returns the current idle timeout, or 0 for none.
func (l *loop) idleAfter() time.Duration {
	if l.cfg.Idle == nil {
		return 0
	}
	return l.cfg.Idle()
}

// maxAttempts returns the current number of exits per minute after which the agent gives up.
func (l *loop) maxAttempts() int {
	if l.cfg.Attempts == nil {
		return backend.MaxAttempts
	}
	return max(1, l.cfg.Attempts())
}

// stopIfIdle stops the process if it has been idle long enough, or reschedules the check.
func (l *loop) stopIfIdle() {
	limit := l.idleAfter()
	calls, _ := l.conn.rpc.Waiting()
	l.mu.Lock()
	used := time.UnixMilli(max(l.usedAt.UnixMilli(), l.readyAt.UnixMilli(), l.conn.lastUpdateAt.Load()))
	again := idleDelay(limit, time.Since(used), l.active > 0 || calls > 0)
	l.mu.Unlock()
	if p := l.conn.proc; again == 0 && !p.Remote() && p.Works() {
		again = min(limit, recheckInterval) // a command of the agent is running, such as a server
	}
	if again == 0 {
		// An operation that starts after this check finds no process and starts one.
		l.mu.Lock()
		if l.active > 0 {
			again = min(limit, recheckInterval)
		} else {
			l.Agent.conn = nil
		}
		l.mu.Unlock()
	}
	if again == 0 {
		l.log.Info("stopped the idle agent", "after", limit)
		l.handle(loopMessage{event: eventIdled, cause: backend.CauseIdle})
		return
	}
	l.idleTimer = time.NewTimer(again)
}

// close ends the process and the loop's goroutines, and returns when all have ended.
func (l *loop) close() {
	l.cancel()
	for _, t := range []*time.Timer{l.retryTimer, l.idleTimer} {
		if t != nil {
			t.Stop()
		}
	}
	l.mu.Lock()
	ctx := l.stopCtx
	l.mu.Unlock()
	defer context.AfterFunc(ctx, l.hurry)()
	if l.conn != nil {
		l.endConn(l.conn)
		l.conn = nil
	}
	l.starting.Wait()
	l.ending.Wait()
	if to, ok := next(l.state, eventClosed); ok {
		l.state = to
		l.publish(loopMessage{})
	}
}

// cancelGrace is the time that the agent has to respond to canceled prompts.
const cancelGrace = 2 * time.Second

// publish updates the connection state, which callers may be waiting on, and publishes it as an event. n contains the
// details to report, such as the cause and the message.
func (l *loop) publish(n loopMessage) {
	c := backend.Connection{
		ChatID: l.cfg.ChatID, State: l.state, Cause: n.cause, Message: n.message, Since: backend.Now(), Searched: n.searched,
	}
	if l.state == backend.ConnectionWaiting {
		c.Attempt, c.NextTryAt = len(l.attempts.exits), backend.Millis(time.Now().Add(n.delay).UnixMilli())
	}
	if l.state == backend.ConnectionWaiting || l.state == backend.ConnectionFailed {
		c.Attempts = l.maxAttempts()
	}
	if l.state == backend.ConnectionWaiting && l.offline {
		c.Attempt, c.Attempts = l.attempts.postponements, 0 // unlimited attempts
	}
	if l.state == backend.ConnectionChecking && l.offline {
		c.Cause, c.Message = backend.CauseOffline, offlineMessage // the last known reason
	}
	if l.state != backend.ConnectionIdle && l.state != backend.ConnectionChecking {
		c.Path, c.TokenChecked = l.launch.location(), l.launch.TokenChecked
	}
	c.Message = l.launch.withName(c.Message)
	if k := n.conn; k != nil {
		c.Message = k.withName(c.Message)
		k.describe(&c)
		if k.hasExited() {
			c.ExitCode, c.Signal, c.Stderr = k.proc.Exit.Code, k.proc.Exit.Signal, k.proc.Stderr.Last()
		}
	}
	if k := l.conn; k != nil {
		k.describe(&c)
		c.PID, c.StartedAt = k.proc.PID, k.proc.Started
	}
	l.mu.Lock()
	if c.State == l.connection.State {
		c.Since = l.connection.Since
	}
	l.connection = c
	l.Agent.conn, l.runningConn = nil, l.conn
	if l.state == backend.ConnectionReady {
		l.Agent.conn = l.conn
	}
	close(l.changed)
	l.changed = make(chan struct{})
	l.mu.Unlock()
	l.cfg.Publish(backend.Event{Connection: &c})
}
