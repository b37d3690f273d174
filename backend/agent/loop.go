package agent

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// note tells the loop that something happened.
type note struct {
	what     happening
	run      int   // the start it belongs to; 0 where it belongs to none
	link     *link // the process it is about, where there is one
	launch   Launch
	cause    backend.Cause
	message  string
	searched []string
	delay    time.Duration // until the next try
}

// spawned is told to the loop when a process was started: it changes no state
// but is what the loop watches from then on.
const spawned happening = "spawned"

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
	l := &loop{Agent: a, state: backend.Idle, cancel: func() {}}
	for {
		var dead <-chan struct{}
		if l.link != nil {
			dead = l.link.dead
		}
		var ring <-chan time.Time
		if l.timer != nil {
			ring = l.timer.C
		}
		select {
		case n := <-a.inbox:
			l.take(n)
		case <-dead:
			l.died()
		case <-ring:
			l.timer = nil
			l.take(note{what: due})
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
	run      int // counts starts
	cancel   context.CancelFunc
	starting sync.WaitGroup
	ending   sync.WaitGroup
	link     *link
	launch   Launch
	readyAt  time.Time
	attempts attempts
	timer    *time.Timer
}

// take carries out what follows from n.
func (l *loop) take(n note) {
	if n.run != 0 && n.run != l.run || n.what == signedOut && n.run == 0 && n.link != l.link {
		return // of a process that is gone
	}
	if n.what == spawned {
		l.link = n.link
		l.show(note{})
		return
	}
	to, ok := next(l.state, n.what)
	if !ok {
		return
	}
	l.log.Debug("connection", "from", l.state, "on", n.what, "to", to)
	l.state = to
	if l.timer != nil {
		l.timer.Stop()
		l.timer = nil
	}
	switch to {
	case backend.Checking:
		if n.what == retried {
			l.attempts = attempts{}
		}
		l.show(n)
		l.begin()
		return
	case backend.Starting:
		l.launch = n.launch
	case backend.Ready:
		l.readyAt = time.Now()
	case backend.Waiting:
		n.delay = jittered(n.delay)
		l.timer = time.NewTimer(n.delay)
	case backend.NeedsLogin, backend.Failed:
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
	l.starting.Add(1)
	go func() {
		defer l.starting.Done()
		l.bringUp(ctx, run)
	}()
}

// died follows the end of the process that the loop watches.
func (l *loop) died() {
	k := l.link
	l.link = nil
	l.cancel()
	cause := k.cause()
	if cause == backend.CauseSpawn {
		l.take(note{what: unlaunchable, cause: cause, link: k, message: spawnMessage(k.launch.Path, k.proc.exit.notRun)})
		return
	}
	var ready time.Duration
	if l.state == backend.Ready {
		ready = time.Since(l.readyAt)
	}
	delay, goOn := l.attempts.exited(time.Now(), ready)
	n := note{what: exited, cause: cause, link: k, message: exitMessage(cause, k.proc.exit), delay: delay}
	if !goOn {
		n.what, n.message = exhausted, exhaustedMessage(cause, k.proc.exit)
	}
	l.take(n)
}

// letGo ends the process where there is one, without waiting for it.
func (l *loop) letGo() {
	l.cancel()
	k := l.link
	if k == nil {
		return
	}
	l.link = nil
	k.expected.Store(true)
	l.ending.Add(1)
	go func() {
		defer l.ending.Done()
		k.stop(context.Background())
	}()
}

// close ends everything.
func (l *loop) close() {
	l.cancel()
	if l.timer != nil {
		l.timer.Stop()
	}
	l.mu.Lock()
	ctx := l.stopCtx
	l.mu.Unlock()
	if k := l.link; k != nil {
		k.expected.Store(true)
		l.awaitPrompts(ctx, k)
		k.stop(ctx)
		l.link = nil
	}
	l.starting.Wait()
	l.ending.Wait()
	if to, ok := next(l.state, closed); ok {
		l.state = to
		l.show(note{})
	}
}

// awaitPrompts gives the prompts that were cancelled a moment to be answered.
// The Copilot CLI ends at once then, and only after two seconds otherwise.
func (l *loop) awaitPrompts(ctx context.Context, k *link) {
	done := make(chan struct{})
	go func() { l.prompts.Wait(); close(done) }()
	t := time.NewTimer(2 * time.Second)
	defer t.Stop()
	select {
	case <-done:
	case <-k.dead:
	case <-t.C:
	case <-ctx.Done():
	}
}

// show makes the state known: to those who wait for Ready, and to the window.
func (l *loop) show(n note) {
	c := backend.Connection{
		ChatID: l.cfg.ChatID, State: l.state, Cause: n.cause, Message: n.message, Since: backend.Now(), Searched: n.searched,
	}
	if l.state == backend.Waiting {
		c.Attempt, c.NextTryAt = len(l.attempts.exits), backend.Millis(time.Now().Add(n.delay).UnixMilli())
	}
	if l.state != backend.Idle && l.state != backend.Checking && l.launch.Path != "" {
		c.Path, c.TokenChecked = l.launch.Path, l.launch.TokenChecked
	}
	if k := l.link; k != nil {
		c.PID, c.StartedAt, c.Version = k.proc.pid, k.proc.started, k.versionKnown()
	}
	if k := n.link; k != nil && k.ended() {
		c.ExitCode, c.Signal, c.Stderr, c.Version = k.proc.exit.code, k.proc.exit.signal, k.proc.stderr.last(), k.versionKnown()
	}
	l.mu.Lock()
	if c.State == l.now.State {
		c.Since = l.now.Since
	}
	l.now = c
	l.Agent.link = nil
	if l.state == backend.Ready {
		l.Agent.link = l.link
	}
	close(l.changed)
	l.changed = make(chan struct{})
	l.mu.Unlock()
	l.cfg.Publish(backend.Event{Connection: &c})
}

// bringUp is the way from Checking to Ready. Each step tells the loop; where
// one fails it tells that and ends. The death of the process is seen by the
// loop itself.
func (a *Agent) bringUp(ctx context.Context, run int) {
	folder := a.place()
	if err := checkFolder(folder); err != nil {
		a.post(note{what: unlaunchable, run: run, cause: backend.CauseFolderGone, message: folderMessage(err)})
		return
	}
	if a.cfg.Check != nil {
		if err := a.cfg.Check(ctx); err != nil {
			what := unlaunchable
			if backend.CodeOf(err) == backend.CodeAuth {
				what = signedOut
			}
			a.post(note{what: what, run: run, cause: backend.CauseNotSignedIn, message: err.Error()})
			return
		}
	}
	launch, lerr := a.cfg.Launch(ctx)
	if lerr != nil {
		a.post(note{what: unlaunchable, run: run, cause: lerr.Cause, message: lerr.Message, searched: slices.Clone(lerr.Searched)})
		return
	}
	if !a.post(note{what: checked, run: run, launch: launch}) || ctx.Err() != nil {
		return
	}
	k, err := connect(launch, folder, a.log, handlers{bad: a.bad, lost: a.leave, request: a.request})
	if err != nil {
		a.post(note{what: unlaunchable, run: run, cause: backend.CauseSpawn, message: spawnMessage(launch.Path, err.Error())})
		return
	}
	if !a.post(note{what: spawned, run: run, link: k}) {
		k.expected.Store(true)
		gone, cancel := context.WithCancel(context.Background())
		cancel()
		k.stop(gone)
		return
	}
	if err := k.initialize(ctx, a.cfg.Version); err != nil {
		a.startFailed(run, k, err)
		return
	}
	if !a.post(note{what: answered, run: run}) {
		return
	}
	if err := a.restoreMain(ctx, k); err != nil {
		a.startFailed(run, k, err)
		return
	}
	a.post(note{what: restored, run: run})
}

// startFailed tells what a failed call on the way to Ready means. Where the
// process died the loop knows already.
func (a *Agent) startFailed(run int, k *link, err error) {
	switch r := refused(err); {
	case r != nil && r.Code == codeAuthRequired:
		a.post(note{what: signedOut, run: run, link: k, cause: backend.CauseNotSignedIn, message: signInMessage})
	case errors.Is(err, errDead), errors.Is(err, errLate), errors.Is(err, context.Canceled):
	default:
		a.log.Warn("the agent could not be brought up", "err", err)
		k.fail(backend.CauseNoAnswer)
	}
}

// bad tells once that the agent sends things that are no messages.
func (a *Agent) bad(problem string) { a.banner(backend.BannerAgentError, "", "", problem) }

// leave notes how a process that ended unexpectedly left a session.
func (a *Agent) leave(name string, cut bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if cut {
		a.left[name] = leftRunning
	} else if a.left[name] == "" {
		a.left[name] = leftIdle
	}
}

// ready waits for a process that prompts can be sent to, other than the one
// that just failed.
func (a *Agent) ready(ctx context.Context, not *link) (*link, error) {
	for {
		a.mu.Lock()
		k, changed := a.link, a.changed
		a.mu.Unlock()
		if k != nil && k != not && !k.ended() {
			return k, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
