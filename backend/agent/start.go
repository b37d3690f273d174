package agent

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/acp"
	"github.com/voxpilot/voxpilot/internal/process"
)

// bringUp is the way from Checking to Ready. Each step tells the loop; where
// one fails it tells that and ends. The death of the process is seen by the
// loop itself.
//
// While GitHub is out of reach for an agent that wants a sign-in, offline, it
// ends before anything is started.
func (a *Agent) bringUp(ctx context.Context, run int, offline bool, gone <-chan struct{}) {
	folder := a.place()
	if err := process.CheckFolder(folder); err != nil {
		a.post(note{what: unlaunchable, run: run, cause: backend.CauseFolderGone, message: folderMessage(err)})
		return
	}
	launch, lerr := a.cfg.Launch(ctx)
	if lerr != nil {
		a.post(note{what: follows(lerr.Cause), run: run, cause: lerr.Cause, message: lerr.Message, searched: slices.Clone(lerr.Searched)})
		return
	}
	if offline && launch.Unreached {
		a.post(note{what: putOff, run: run, cause: backend.CauseOffline, message: offlineMessage})
		return
	}
	if gone != nil {
		select {
		case <-gone: // what it wrote at its end is there
		case <-ctx.Done():
			return
		}
	}
	if lerr := a.trusts(ctx); lerr != nil {
		a.post(note{what: untrusted, run: run, cause: lerr.Cause, message: lerr.Message})
		return
	}
	if !a.post(note{what: checked, run: run, launch: launch}) || ctx.Err() != nil {
		return
	}
	k, err := connect(launch, folder, a.log, handlers{
		bad: a.bad, lost: a.leave, able: a.able, refused: a.turnedAway, hold: a.hold, wire: &a.wire, records: a.cfg.Records,
	})
	if err != nil {
		a.post(note{what: unlaunchable, run: run, cause: backend.CauseSpawn, message: spawnMessage(launch, err.Error())})
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
		a.startFailed(k, err)
		return
	}
	if !a.post(note{what: answered, run: run}) {
		return
	}
	if err := a.comeBack(ctx, k); err != nil {
		a.startFailed(k, err)
		return
	}
	if a.post(note{what: restored, run: run}) {
		a.bringAsked(k)
	}
}

// follows is what happens to a connection because of cause, where it cannot be
// started, or a sign-in or trust is needed.
func follows(cause backend.Cause) happening {
	switch cause {
	case backend.CauseNotSignedIn, backend.CauseNoAccess, backend.CauseLocked:
		return signedOut
	case backend.CauseOffline:
		return putOff
	case backend.CauseUntrusted:
		return untrusted
	default:
		return unlaunchable
	}
}

// startFailed tells what a failed call on the way to Ready means. Where the
// process died, or a sign-in or trust is needed, the loop knows already.
func (a *Agent) startFailed(k *link, err error) {
	switch r := acp.Refused(err); {
	case r != nil && r.Code == acp.CodeAuthRequired:
	case errors.Is(err, acp.ErrEnded), errors.Is(err, errLate), errors.Is(err, errUntrusted), errors.Is(err, context.Canceled):
	default:
		a.log.Warn("the agent could not be brought up", "err", err)
		k.fail(backend.CauseNoAnswer)
	}
}

// turnedAway tells the loop that the agent wants a sign-in.
func (a *Agent) turnedAway(k *link) { a.post(note{what: refusedUs, link: k, of: true}) }

// askWhy finds out why the agent wants a sign-in, and tells the loop.
func (a *Agent) askWhy(ctx context.Context, k *link) {
	cause, message := backend.CauseNotSignedIn, backend.Message{}
	if a.cfg.Refused != nil {
		cause, message = a.cfg.Refused(ctx)
	}
	if cause == backend.CauseNotSignedIn {
		if k.launch.Model.Name != "" {
			message = cmp.Or(message, backend.Say("%s rejected the API key. Fix it in Settings, then choose Check again. Your message is saved and will be sent then.", k.launch.Model.Name))
		}
		message = cmp.Or(message, signInMessage)
	}
	n := note{what: putOff, link: k, of: true, cause: cause, message: message}
	if cause != backend.CauseNone {
		n.what = follows(cause)
	}
	a.post(n)
}

// able tells the loop that a process is able to do less than it said.
func (a *Agent) able(k *link) { a.post(note{what: told, link: k, of: true}) }

// bad tells once that the agent sends things that are no messages.
func (a *Agent) bad(problem backend.Message) { a.banner(backend.BannerAgentError, "", problem) }

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
// that just failed. Where impatient, it ends with the reason when the agent gives
// up; that it had done so while before was a.changed does not count.
func (a *Agent) ready(ctx context.Context, not *link, impatient bool, before <-chan struct{}) (*link, error) {
	for {
		a.mu.Lock()
		k, changed, now := a.link, a.changed, a.now
		a.mu.Unlock()
		if impatient && now.State == backend.Failed && changed != before {
			return nil, &backend.Error{Code: backend.CodeConnection, Message: now.Message, Detail: now.Stderr}
		}
		if k != nil && k != not && !k.ended() && !k.refused.Load() {
			return k, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// errUntrusted is the error of a call that was not made, or of which the answer
// is not used, because the folder can run something that the user has not trusted.
var errUntrusted = backend.Problem("the folder isn't trusted")

// trusts says why no agent may run in the folder as it is now, or nil.
func (a *Agent) trusts(ctx context.Context) *LaunchError {
	if a.cfg.Trusted == nil {
		return nil
	}
	return a.cfg.Trusted(ctx, a.place())
}

// opened makes a call by which the agent reads what is in the folder and may run
// it: one that makes, loads or copies a session. The folder is looked at before,
// and once more when the call was answered, since it may have changed before the
// agent read it. If it is not trusted, the process is killed and the connection
// waits for trust.
func (a *Agent) opened(k *link, call func() (gjson.Result, error)) (gjson.Result, error) {
	if a.turnsAway(k) {
		return gjson.Result{}, errUntrusted
	}
	r, err := call()
	if k.ctx.Err() == nil && a.turnsAway(k) {
		return gjson.Result{}, errUntrusted
	}
	return r, err
}

// turnsAway reports whether the process may not go on in the folder. It gets no
// time to end by itself, since the Copilot CLI runs hooks when a session ends.
func (a *Agent) turnsAway(k *link) bool {
	why := a.trusts(k.ctx)
	if why == nil {
		return false
	}
	if k.ctx.Err() != nil {
		return true // it ended while the folder was looked at
	}
	if !k.refused.Swap(true) {
		a.log.Info("the folder is not trusted, and the agent is stopped", "folder", a.place())
		a.post(note{what: untrusted, link: k, of: true, cause: why.Cause, message: why.Message})
		k.fail(backend.CauseUntrusted)
	}
	return true
}

// limitAlive is how long an agent may take to answer after a sleep.
var limitAlive = time.Minute

// Awake says that the computer has slept or got onto another network. An agent
// that waits to be started again is started at once. One that is ready and has
// nothing to do is asked for something that costs it nothing, and one that does
// not answer is ended and started afresh. While it works nobody asks: its turn
// goes on as long as its process does.
func (a *Agent) Awake() {
	if a.Connection().State == backend.Waiting {
		a.post(note{what: due})
		return
	}
	a.mu.Lock()
	k, works := a.link, len(a.cancels) > 0
	a.mu.Unlock()
	if k == nil || works || !k.can().List {
		return
	}
	cwd := a.place()
	_, _ = k.ask(k.ctx, limitAlive, sdk.AgentMethodSessionList, sdk.ListSessionsRequest{Cwd: &cwd}) // one that is late is ended
}
