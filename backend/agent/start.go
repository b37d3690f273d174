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
	folder := a.currentFolder()
	if err := process.CheckFolder(folder); err != nil {
		a.post(loopMessage{event: eventUnlaunchable, run: run, cause: backend.CauseFolderMissing, message: folderMessage(err)})
		return
	}
	launch, lerr := a.cfg.Launch(ctx)
	if lerr != nil {
		a.post(loopMessage{event: eventFor(lerr.Cause), run: run, cause: lerr.Cause, message: lerr.Message, searched: slices.Clone(lerr.Searched)})
		return
	}
	if offline && launch.Unreached {
		a.post(loopMessage{event: eventPostponed, run: run, cause: backend.CauseOffline, message: offlineMessage})
		return
	}
	if gone != nil {
		select {
		case <-gone: // what it wrote at its end is there
		case <-ctx.Done():
			return
		}
	}
	if lerr := a.checkTrust(ctx); lerr != nil {
		a.post(loopMessage{event: eventUntrusted, run: run, cause: lerr.Cause, message: lerr.Message})
		return
	}
	if !a.post(loopMessage{event: eventChecked, run: run, launch: launch}) || ctx.Err() != nil {
		return
	}
	k, err := connect(launch, folder, a.log, handlers{
		onBadMessage: a.reportBadMessage, onSessionLost: a.sessionLost, onCapabilities: a.capabilitiesChanged, onSignInRequired: a.signInRequired, acquire: a.acquire, protocolLog: &a.protocolLog, recordsDir: a.cfg.RecordsDir,
	})
	if err != nil {
		a.post(loopMessage{event: eventUnlaunchable, run: run, cause: backend.CauseSpawnFailed, message: spawnMessage(launch, err.Error())})
		return
	}
	if !a.post(loopMessage{event: eventSpawned, run: run, conn: k}) {
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
	if !a.post(loopMessage{event: eventInitialized, run: run}) {
		return
	}
	if err := a.restoreSessions(ctx, k); err != nil {
		a.startFailed(k, err)
		return
	}
	if a.post(loopMessage{event: eventRestored, run: run}) {
		a.restoreRequestedSessions(k)
	}
}

// eventFor is what happens to a connection because of cause, where it cannot be
// started, or a sign-in or trust is needed.
func eventFor(cause backend.Cause) connEvent {
	switch cause {
	case backend.CauseNotSignedIn, backend.CauseNoAccess, backend.CauseLocked:
		return eventSignedOut
	case backend.CauseOffline:
		return eventPostponed
	case backend.CauseUntrusted:
		return eventUntrusted
	default:
		return eventUnlaunchable
	}
}

// startFailed tells what a failed call on the way to Ready means. Where the
// process died, or a sign-in or trust is needed, the loop knows already.
func (a *Agent) startFailed(k *conn, err error) {
	switch r := acp.Refused(err); {
	case r != nil && r.Code == acp.CodeAuthRequired:
	case errors.Is(err, acp.ErrEnded), errors.Is(err, errLate), errors.Is(err, errUntrusted), errors.Is(err, context.Canceled):
	default:
		a.log.Warn("the agent could not be brought up", "err", err)
		k.fail(backend.CauseNoAnswer)
	}
}

// signInRequired tells the loop that the agent wants a sign-in.
func (a *Agent) signInRequired(k *conn) {
	a.post(loopMessage{event: eventSignInRequired, conn: k, onlyIfCurrent: true})
}

// findSignInCause finds out why the agent wants a sign-in, and tells the loop.
func (a *Agent) findSignInCause(ctx context.Context, k *conn) {
	cause, message := backend.CauseNotSignedIn, backend.Message{}
	if a.cfg.SignInCause != nil {
		cause, message = a.cfg.SignInCause(ctx)
	}
	if cause == backend.CauseNotSignedIn {
		if k.launch.Model.Name != "" {
			message = cmp.Or(message, backend.Say("%s rejected the API key. Fix it in Settings, then choose Check again. Your message is saved and will be sent then.", k.launch.Model.Name))
		}
		message = cmp.Or(message, signInMessage)
	}
	n := loopMessage{event: eventPostponed, conn: k, onlyIfCurrent: true, cause: cause, message: message}
	if cause != backend.CauseNone {
		n.event = eventFor(cause)
	}
	a.post(n)
}

// capabilitiesChanged tells the loop that a process is able to do less than it said.
func (a *Agent) capabilitiesChanged(k *conn) {
	a.post(loopMessage{event: eventCapabilities, conn: k, onlyIfCurrent: true})
}

// reportBadMessage tells once that the agent sends things that are no messages.
func (a *Agent) reportBadMessage(problem backend.Message) {
	a.banner(backend.BannerAgentError, "", problem)
}

// sessionLost notes how a process that ended unexpectedly left a session.
func (a *Agent) sessionLost(name string, cut bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if cut {
		a.lastStates[name] = lastRunning
	} else if a.lastStates[name] == "" {
		a.lastStates[name] = lastIdle
	}
}

// ready waits for a process that prompts can be sent to, other than the one
// that just failed. Where impatient, it ends with the reason when the agent gives
// up; that it had done so while before was a.changed does not count.
func (a *Agent) ready(ctx context.Context, not *conn, impatient bool, before <-chan struct{}) (*conn, error) {
	for {
		a.mu.Lock()
		k, changed, now := a.conn, a.changed, a.connection
		a.mu.Unlock()
		if impatient && now.State == backend.ConnectionFailed && changed != before {
			return nil, &backend.Error{Code: backend.CodeConnection, Message: now.Message, Detail: now.Stderr}
		}
		if k != nil && k != not && !k.hasExited() && !k.refused.Load() {
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

// checkTrust says why no agent may run in the folder as it is now, or nil.
func (a *Agent) checkTrust(ctx context.Context) *LaunchError {
	if a.cfg.CheckTrust == nil {
		return nil
	}
	return a.cfg.CheckTrust(ctx, a.currentFolder())
}

// callInFolder makes a call by which the agent reads what is in the folder and may run
// it: one that makes, loads or copies a session. The folder is looked at before,
// and once more when the call was answered, since it may have changed before the
// agent read it. If it is not trusted, the process is killed and the connection
// waits for trust.
func (a *Agent) callInFolder(k *conn, call func() (gjson.Result, error)) (gjson.Result, error) {
	if a.killIfUntrusted(k) {
		return gjson.Result{}, errUntrusted
	}
	r, err := call()
	if k.ctx.Err() == nil && a.killIfUntrusted(k) {
		return gjson.Result{}, errUntrusted
	}
	return r, err
}

// killIfUntrusted reports whether the process may not go on in the folder. It gets no
// time to end by itself, since the Copilot CLI runs hooks when a session ends.
func (a *Agent) killIfUntrusted(k *conn) bool {
	why := a.checkTrust(k.ctx)
	if why == nil {
		return false
	}
	if k.ctx.Err() != nil {
		return true // it ended while the folder was looked at
	}
	if !k.refused.Swap(true) {
		a.log.Info("the folder is not trusted, and the agent is stopped", "folder", a.currentFolder())
		a.post(loopMessage{event: eventUntrusted, conn: k, onlyIfCurrent: true, cause: why.Cause, message: why.Message})
		k.fail(backend.CauseUntrusted)
	}
	return true
}

// limitAlive is how long an agent may take to answer after a sleep.
var limitAlive = time.Minute

// OnWake says that the computer has slept or got onto another network. An agent
// that waits to be started again is started at once. One that is ready and has
// nothing to do is asked for something that costs it nothing, and one that does
// not answer is ended and started afresh. While it works nobody asks: its turn
// goes on as long as its process does.
func (a *Agent) OnWake() {
	if a.Connection().State == backend.ConnectionWaiting {
		a.post(loopMessage{event: eventRetryDue})
		return
	}
	a.mu.Lock()
	k, works := a.conn, len(a.cancels) > 0
	a.mu.Unlock()
	if k == nil || works || !k.declaredCapabilities().List {
		return
	}
	cwd := a.currentFolder()
	_, _ = k.ask(k.ctx, limitAlive, sdk.AgentMethodSessionList, sdk.ListSessionsRequest{Cwd: &cwd}) // one that is late is ended
}
