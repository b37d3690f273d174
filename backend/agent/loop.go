package agent

import (
	"context"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// loopMessage tells the loop that something happened.
type loopMessage struct {
	event         connEvent
	run           int             // the start it belongs to; 0 where it belongs to none
	conn          *conn           // the process it is about, where there is one
	onlyIfCurrent bool            // it is about that one and no other
	ctx           context.Context // of the prompt that it is about, where it is about one
	launch        Launch
	cause         backend.Cause
	message       backend.Message
	searched      []string
	delay         time.Duration // until the next try
}

// These change no state: a process was started, which is what the loop watches
// from then on; what it is able to do is known better; it wants a sign-in, and
// why is being asked.
const (
	eventSpawned        connEvent = "spawned"
	eventCapabilities   connEvent = "told"
	eventSignInRequired connEvent = "refused us"
)

// post tells the loop, which it starts where it does not run yet. It is false
// where the loop has ended.
func (a *Agent) post(n loopMessage) bool {
	a.start.Do(func() { go a.loop() })
	select {
	case a.inbox <- n:
		return true
	case <-a.closing:
		return false
	}
}

// loop owns the state of the connection. It is the only place where processes
// are started and ended.
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

// loop is what the goroutine of the same name owns.
type loop struct {
	*Agent
	state          backend.ConnectionState
	run            int             // counts starts
	ctx            context.Context // of the last of them
	cancel         context.CancelFunc
	starting       sync.WaitGroup
	ending         sync.WaitGroup
	endCtx         context.Context // of the ends of processes
	hurry          context.CancelFunc
	previousExited <-chan struct{} // closed when the process that was let go last is gone; nil where there is none
	conn           *conn
	launch         Launch
	readyAt        time.Time
	attempts       attempts
	offline        bool        // it waits for GitHub
	retryTimer     *time.Timer // in Waiting
	idleTimer      *time.Timer // in Ready, where it may have nothing to do
}

// handle carries out what follows from n.
func (l *loop) handle(n loopMessage) {
	switch {
	case n.event == eventSpawned && n.run != l.run: // for a start that was given up
		l.endConn(n.conn)
		return
	case n.run != 0 && n.run != l.run, n.onlyIfCurrent && n.conn != l.conn:
		return // of a process that is gone
	case n.ctx != nil && n.ctx.Err() != nil:
		return // by nobody any more
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

// startProcess starts a process, step by step; each step tells the loop.
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

// processExited follows the end of the process that the loop watches.
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
	delay, goOn := l.attempts.exited(time.Now(), l.readyFor(l.state), most)
	n := loopMessage{event: eventExited, cause: cause, conn: k, message: exitMessage(cause, k.proc.Exit), delay: delay}
	if !goOn {
		n.event, n.message = eventExhausted, exhaustedMessage(cause, k.proc.Exit, len(l.attempts.exits))
	}
	l.handle(n)
}

// readyFor is for how long the process has been ready, which is nothing but in
// Ready.
func (l *loop) readyFor(s backend.ConnectionState) time.Duration {
	if s != backend.ConnectionReady {
		return 0
	}
	return time.Since(l.readyAt)
}

// suspendProcess ends the process, whose sessions are to come back with the next.
func (l *loop) suspendProcess() {
	k := l.conn
	l.endProcess()
	if k != nil {
		l.requestRestore(k.names())
	}
}

// endProcess ends the process where there is one, without waiting for it.
func (l *loop) endProcess() {
	l.cancel()
	l.run++ // what its start still tells is of no interest
	if k := l.conn; k != nil {
		l.conn = nil
		l.endConn(k)
	}
}

// endConn ends a process in the background. None is started before it is gone: two
// would have the same sessions.
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

// markUnloaded notes that we end the process, so that nothing is said when its
// sessions are loaded again.
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

// requestRestore has sessions come back with the next process.
func (l *loop) requestRestore(names []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range names {
		if l.rows[name].HadPrompt {
			l.restoreRequested[name] = true
		}
	}
}

// idleAfter and maxAttempts are the settings as they are now.
func (l *loop) idleAfter() time.Duration {
	if l.cfg.Idle == nil {
		return 0
	}
	return l.cfg.Idle()
}

func (l *loop) maxAttempts() int {
	if l.cfg.Attempts == nil {
		return backend.MaxAttempts
	}
	return max(1, l.cfg.Attempts())
}

// stopIfIdle stops the process where it has had nothing to do for long enough, and
// looks again later otherwise.
func (l *loop) stopIfIdle() {
	limit := l.idleAfter()
	calls, _ := l.conn.rpc.Waiting()
	l.mu.Lock()
	used := time.UnixMilli(max(l.usedAt.UnixMilli(), l.readyAt.UnixMilli(), l.conn.lastUpdateAt.Load()))
	again := idleDelay(limit, time.Since(used), l.active > 0 || calls > 0)
	l.mu.Unlock()
	if p := l.conn.proc; again == 0 && !p.Remote() && p.Works() {
		again = min(limit, recheckInterval) // a command of the agent's runs, such as a server
	}
	if again == 0 {
		// Whoever comes between this and the look above finds no process, and
		// has it started again.
		l.mu.Lock()
		if l.active > 0 {
			again = min(limit, recheckInterval)
		} else {
			l.Agent.conn = nil
		}
		l.mu.Unlock()
	}
	if again == 0 {
		l.log.Info("the agent had nothing to do and is stopped", "after", limit)
		l.handle(loopMessage{event: eventIdled, cause: backend.CauseIdle})
		return
	}
	l.idleTimer = time.NewTimer(again)
}

// close ends everything.
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

// cancelGrace is how long prompts that were cancelled have to be answered.
const cancelGrace = 2 * time.Second

// publish makes the state known: to those who wait for Ready, and to the window.
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
		c.Attempt, c.Attempts = l.attempts.postponements, 0 // there is no last one
	}
	if l.state == backend.ConnectionChecking && l.offline {
		c.Cause, c.Message = backend.CauseOffline, offlineMessage // as it was found last
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
