package agent

import (
	"context"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// note tells the loop that something happened.
type note struct {
	what     happening
	run      int             // the start it belongs to; 0 where it belongs to none
	link     *link           // the process it is about, where there is one
	of       bool            // it is about that one and no other
	ctx      context.Context // of the prompt that it is about, where it is about one
	launch   Launch
	cause    backend.Cause
	message  backend.Message
	searched []string
	delay    time.Duration // until the next try
}

// These change no state: a process was started, which is what the loop watches
// from then on; what it is able to do is known better; it wants a sign-in, and
// why is being asked.
const (
	spawned   happening = "spawned"
	told      happening = "told"
	refusedUs happening = "refused us"
)

// post tells the loop, which it starts where it does not run yet. It is false
// where the loop has ended.
func (a *Agent) post(n note) bool {
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
		if l.link != nil {
			dead = l.link.dead
		}
		var ring <-chan time.Time
		if l.timer != nil {
			ring = l.timer.C
		}
		var rest <-chan time.Time
		if l.rest != nil {
			rest = l.rest.C
		}
		select {
		case n := <-a.inbox:
			l.take(n)
		case <-dead:
			l.died()
		case <-ring:
			l.timer = nil
			l.take(note{what: due})
		case <-rest:
			l.nap()
		case <-a.closing:
			l.close()
			return
		}
	}
}

// loop is what the goroutine of the same name owns.
type loop struct {
	*Agent
	state    backend.ConnectionState
	run      int             // counts starts
	ctx      context.Context // of the last of them
	cancel   context.CancelFunc
	starting sync.WaitGroup
	ending   sync.WaitGroup
	endCtx   context.Context // of the ends of processes
	hurry    context.CancelFunc
	gone     <-chan struct{} // closed when the process that was let go last is gone; nil where there is none
	link     *link
	launch   Launch
	readyAt  time.Time
	attempts attempts
	offline  bool        // it waits for GitHub
	timer    *time.Timer // in Waiting
	rest     *time.Timer // in Ready, where it may have nothing to do
}

// take carries out what follows from n.
func (l *loop) take(n note) {
	switch {
	case n.what == spawned && n.run != l.run: // for a start that was given up
		l.end(n.link)
		return
	case n.run != 0 && n.run != l.run, n.of && n.link != l.link:
		return // of a process that is gone
	case n.ctx != nil && n.ctx.Err() != nil:
		return // by nobody any more
	case n.what == spawned:
		l.link = n.link
		l.show(note{})
		return
	case n.what == told:
		l.show(note{})
		return
	case n.what == refusedUs:
		k, ctx := n.link, l.ctx
		l.starting.Go(func() { l.askWhy(ctx, k) })
		return
	}
	to, ok := next(l.state, n.what)
	if !ok {
		return
	}
	from := l.state
	l.log.Debug("connection", "from", from, "on", n.what, "to", to)
	l.state = to
	if l.timer != nil {
		l.timer.Stop()
		l.timer = nil
	}
	if l.rest != nil {
		l.rest.Stop()
		l.rest = nil
	}
	switch to {
	case backend.ConnectionChecking:
		if n.what == retried {
			l.attempts = attempts{}
		}
		l.show(n)
		l.begin()
		return
	case backend.ConnectionStarting:
		l.launch, l.offline = n.launch, false
	case backend.ConnectionReady:
		l.readyAt = time.Now()
		l.rest = time.NewTimer(nap(l.idleAfter(), 0, false))
	case backend.ConnectionWaiting:
		if l.offline = n.cause == backend.CauseOffline; n.what == putOff {
			n.delay = l.attempts.putOff(l.wasReady(from))
			l.letGoForNow()
		}
		n.delay = jittered(n.delay)
		l.timer = time.NewTimer(n.delay)
	case backend.ConnectionNeedsLogin, backend.ConnectionNeedsTrust:
		l.letGoForNow()
	case backend.ConnectionFailed:
		l.letGo()
	case backend.ConnectionIdle:
		l.offline = false
		l.asleep()
		n.link = l.link
		l.letGo()
	default:
	}
	l.show(n)
}

// begin starts a process, step by step; each step tells the loop.
func (l *loop) begin() {
	l.cancel()
	l.run++
	run := l.run
	ctx, cancel := context.WithCancel(context.Background())
	l.cancel = cancel
	gone := l.gone
	l.ctx = ctx
	offline := l.offline
	l.starting.Go(func() { l.bringUp(ctx, run, offline, gone) })
}

// died follows the end of the process that the loop watches.
func (l *loop) died() {
	k := l.link
	l.link = nil
	l.cancel()
	cause := k.cause()
	if cause == backend.CauseSpawnFailed {
		l.take(note{what: unlaunchable, cause: cause, link: k, message: spawnMessage(k.launch, k.proc.Exit.NotRun)})
		return
	}
	most := l.mostAttempts()
	delay, goOn := l.attempts.exited(time.Now(), l.wasReady(l.state), most)
	n := note{what: exited, cause: cause, link: k, message: exitMessage(cause, k.proc.Exit), delay: delay}
	if !goOn {
		n.what, n.message = exhausted, exhaustedMessage(cause, k.proc.Exit, len(l.attempts.exits))
	}
	l.take(n)
}

// wasReady is for how long the process has been ready, which is nothing but in
// Ready.
func (l *loop) wasReady(s backend.ConnectionState) time.Duration {
	if s != backend.ConnectionReady {
		return 0
	}
	return time.Since(l.readyAt)
}

// letGoForNow ends the process, whose sessions are to come back with the next.
func (l *loop) letGoForNow() {
	k := l.link
	l.letGo()
	if k != nil {
		l.wantBack(k.names())
	}
}

// letGo ends the process where there is one, without waiting for it.
func (l *loop) letGo() {
	l.cancel()
	l.run++ // what its start still tells is of no interest
	if k := l.link; k != nil {
		l.link = nil
		l.end(k)
	}
}

// end ends a process in the background. None is started before it is gone: two
// would have the same sessions.
func (l *loop) end(k *link) {
	k.expected.Store(true)
	gone, before := make(chan struct{}), l.gone
	l.gone = gone
	l.ending.Go(func() {
		defer close(gone)
		k.settle(l.endCtx, cancelGrace)
		k.stop(l.endCtx)
		if before != nil {
			<-before
		}
	})
}

// asleep notes that we end the process, so that nothing is said when its
// sessions are loaded again.
func (l *loop) asleep() {
	if l.link == nil {
		return
	}
	names := l.link.names()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range names {
		l.left[name] = leftAsleep
	}
}

// wantBack has sessions come back with the next process.
func (l *loop) wantBack(names []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range names {
		if l.rows[name].HadPrompt {
			l.asked[name] = true
		}
	}
}

// idleAfter and mostAttempts are the settings as they are now.
func (l *loop) idleAfter() time.Duration {
	if l.cfg.Idle == nil {
		return 0
	}
	return l.cfg.Idle()
}

func (l *loop) mostAttempts() int {
	if l.cfg.Attempts == nil {
		return backend.MaxAttempts
	}
	return max(1, l.cfg.Attempts())
}

// nap stops the process where it has had nothing to do for long enough, and
// looks again later otherwise.
func (l *loop) nap() {
	limit := l.idleAfter()
	calls, _ := l.link.conn.Waiting()
	l.mu.Lock()
	used := time.UnixMilli(max(l.usedAt.UnixMilli(), l.readyAt.UnixMilli(), l.link.heard.Load()))
	again := nap(limit, time.Since(used), l.held > 0 || calls > 0)
	l.mu.Unlock()
	if p := l.link.proc; again == 0 && !p.Remote() && p.Works() {
		again = min(limit, lookAgain) // a command of the agent's runs, such as a server
	}
	if again == 0 {
		// Whoever comes between this and the look above finds no process, and
		// has it started again.
		l.mu.Lock()
		if l.held > 0 {
			again = min(limit, lookAgain)
		} else {
			l.Agent.link = nil
		}
		l.mu.Unlock()
	}
	if again == 0 {
		l.log.Info("the agent had nothing to do and is stopped", "after", limit)
		l.take(note{what: idled, cause: backend.CauseIdle})
		return
	}
	l.rest = time.NewTimer(again)
}

// close ends everything.
func (l *loop) close() {
	l.cancel()
	for _, t := range []*time.Timer{l.timer, l.rest} {
		if t != nil {
			t.Stop()
		}
	}
	l.mu.Lock()
	ctx := l.stopCtx
	l.mu.Unlock()
	defer context.AfterFunc(ctx, l.hurry)()
	if l.link != nil {
		l.end(l.link)
		l.link = nil
	}
	l.starting.Wait()
	l.ending.Wait()
	if to, ok := next(l.state, closed); ok {
		l.state = to
		l.show(note{})
	}
}

// cancelGrace is how long prompts that were cancelled have to be answered.
const cancelGrace = 2 * time.Second

// show makes the state known: to those who wait for Ready, and to the window.
func (l *loop) show(n note) {
	c := backend.Connection{
		ChatID: l.cfg.ChatID, State: l.state, Cause: n.cause, Message: n.message, Since: backend.Now(), Searched: n.searched,
	}
	if l.state == backend.ConnectionWaiting {
		c.Attempt, c.NextTryAt = len(l.attempts.exits), backend.Millis(time.Now().Add(n.delay).UnixMilli())
	}
	if l.state == backend.ConnectionWaiting || l.state == backend.ConnectionFailed {
		c.Attempts = l.mostAttempts()
	}
	if l.state == backend.ConnectionWaiting && l.offline {
		c.Attempt, c.Attempts = l.attempts.puts, 0 // there is no last one
	}
	if l.state == backend.ConnectionChecking && l.offline {
		c.Cause, c.Message = backend.CauseOffline, offlineMessage // as it was found last
	}
	if l.state != backend.ConnectionIdle && l.state != backend.ConnectionChecking {
		c.Path, c.TokenChecked = l.launch.place(), l.launch.TokenChecked
	}
	c.Message = l.launch.named(c.Message)
	if k := n.link; k != nil {
		c.Message = k.named(c.Message)
		k.describe(&c)
		if k.ended() {
			c.ExitCode, c.Signal, c.Stderr = k.proc.Exit.Code, k.proc.Exit.Signal, k.proc.Stderr.Last()
		}
	}
	if k := l.link; k != nil {
		k.describe(&c)
		c.PID, c.StartedAt = k.proc.PID, k.proc.Started
	}
	l.mu.Lock()
	if c.State == l.now.State {
		c.Since = l.now.Since
	}
	l.now = c
	l.Agent.link, l.running = nil, l.link
	if l.state == backend.ConnectionReady {
		l.Agent.link = l.link
	}
	close(l.changed)
	l.changed = make(chan struct{})
	l.mu.Unlock()
	l.cfg.Publish(backend.Event{Connection: &c})
}
