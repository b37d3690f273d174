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

// bringUp takes the agent from Checking to Ready and notifies the loop of each step. If a step fails, it notifies the
// loop and returns. The loop itself detects when the process exits. run is the loop's number for this start. The
// channel exited is closed when the previous process has exited, and nil if there was none.
//
// If offline is true, the last start was postponed because GitHub was unreachable. If GitHub is still unreachable,
// bringUp starts nothing.
func (a *Agent) bringUp(ctx context.Context, run int, offline bool, exited <-chan struct{}) {
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
	if exited != nil {
		select {
		case <-exited: // the previous process has completed its final writes
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
		onBadMessage: a.reportBadMessage, onSessionLost: a.sessionLost, onCapabilities: a.capabilitiesChanged, onSignInRequired: a.signInRequired,
		onElicitationEnd: a.endElicitation, acquire: a.acquire, protocolLog: &a.protocolLog, recordsDir: a.cfg.RecordsDir,
	})
	if err != nil {
		a.post(loopMessage{event: eventUnlaunchable, run: run, cause: backend.CauseSpawnFailed, message: spawnMessage(launch, err.Error())})
		return
	}
	if !a.post(loopMessage{event: eventSpawned, run: run, conn: k}) {
		k.expected.Store(true)
		exited, cancel := context.WithCancel(context.Background())
		cancel()
		k.stop(exited)
		return
	}
	if err := k.initialize(ctx, a.cfg.Version); err != nil {
		a.startFailed(k, err)
		return
	}
	if a.cfg.OnSignIn != nil {
		a.cfg.OnSignIn(k.declaredSignIn())
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

// eventFor returns the event for a cause that prevents the agent from starting or that
// requires a sign-in or trust.
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

// startFailed kills the process after a call that failed during startup. It does nothing if the loop already knows of
// the failure. This is the case if the process ended, the call wasn't answered in time, the start was abandoned, or a
// sign-in or the user's trust is required.
func (a *Agent) startFailed(k *conn, err error) {
	switch r := acp.Refused(err); {
	case r != nil && r.Code == acp.CodeAuthRequired:
	case errors.Is(err, acp.ErrEnded), errors.Is(err, errLate), errors.Is(err, errUntrusted), errors.Is(err, context.Canceled):
	default:
		a.log.Warn("couldn't start the agent", "err", err)
		k.fail(backend.CauseNoAnswer)
	}
}

// signInRequired notifies the loop that the agent requested a sign-in.
func (a *Agent) signInRequired(k *conn) {
	a.post(loopMessage{event: eventSignInRequired, conn: k, onlyIfCurrent: true})
}

// findSignInCause determines why the agent requested a sign-in and sends the reason to the loop.
func (a *Agent) findSignInCause(ctx context.Context, k *conn) {
	cause, message := backend.CauseNotSignedIn, backend.Message{}
	if a.cfg.SignInCause != nil {
		cause, message = a.cfg.SignInCause(ctx)
	}
	if cause == backend.CauseNotSignedIn {
		if k.launch.Model.Name != "" {
			message = cmp.Or(message, backend.Say("%s rejected the API key. Fix it in Settings, then choose “Check again”. Your message is saved and will be sent then.", k.launch.Model.Name))
		}
		message = cmp.Or(message, signInMessage)
	}
	n := loopMessage{event: eventPostponed, conn: k, onlyIfCurrent: true, cause: cause, message: message}
	if cause != backend.CauseNone {
		n.event = eventFor(cause)
	}
	a.post(n)
}

// capabilitiesChanged notifies the loop that the agent's capabilities differ from those that it declared.
func (a *Agent) capabilitiesChanged(k *conn) {
	a.post(loopMessage{event: eventCapabilities, conn: k, onlyIfCurrent: true})
}

// reportBadMessage publishes a banner about the first invalid message of a process.
func (a *Agent) reportBadMessage(problem backend.Message) {
	a.banner(backend.BannerAgentError, "", problem)
}

// sessionLost records that a process no longer has the session loaded, usually because the process ended. If cut is
// true, a turn was running. Otherwise, the session counts as idle, unless it already has a last state, for example
// because VoxPilot unloaded it.
func (a *Agent) sessionLost(name string, cut bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if cut {
		a.lastStates[name] = lastRunning
	} else if a.lastStates[name] == "" {
		a.lastStates[name] = lastIdle
	}
}

// ready waits for a ready process and returns it. If the caller's prompt has just failed in a process, the caller
// passes it as the argument failed, so that ready doesn't return it again. If impatient is true, ready returns an error
// when the agent gives up. The parameter before is the value of a.changed before the caller requested a start, so that
// an earlier failure doesn't count.
func (a *Agent) ready(ctx context.Context, failed *conn, impatient bool, before <-chan struct{}) (*conn, error) {
	for {
		a.mu.Lock()
		k, changed, now := a.conn, a.changed, a.connection
		a.mu.Unlock()
		if impatient && now.State == backend.ConnectionFailed && changed != before {
			return nil, &backend.Error{Code: backend.CodeConnection, Message: now.Message, Detail: now.Stderr}
		}
		if k != nil && k != failed && !k.hasExited() && !k.refused.Load() {
			return k, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// errUntrusted means that a call wasn't made, or that its response was discarded, because the folder
// contains untrusted executable settings.
var errUntrusted = backend.Problem("the folder isn't trusted")

// checkTrust calls Config.CheckTrust for the agent's folder.
func (a *Agent) checkTrust(ctx context.Context) *LaunchError {
	if a.cfg.CheckTrust == nil {
		return nil
	}
	return a.cfg.CheckTrust(ctx, a.currentFolder())
}

// callInFolder makes a call in which the agent reads the folder's contents and may execute them: one
// that creates, loads or copies a session. The folder is checked before the call and again after the
// response, because it may change between the first check and the agent's reading. If the folder isn't
// trusted, the process is killed, the connection waits for trust, and the error is errUntrusted.
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

// killIfUntrusted reports whether the process may no longer run in the folder, and kills it in that case. It
// doesn't end the process gracefully, because the Copilot CLI runs hooks when a session ends.
func (a *Agent) killIfUntrusted(k *conn) bool {
	why := a.checkTrust(k.ctx)
	if why == nil {
		return false
	}
	if k.ctx.Err() != nil {
		return true // the process ended during the check
	}
	if !k.refused.Swap(true) {
		a.log.Info("stopped the agent because its folder isn't trusted", "folder", a.currentFolder())
		a.post(loopMessage{event: eventUntrusted, conn: k, onlyIfCurrent: true, cause: why.Cause, message: why.Message})
		k.fail(backend.CauseUntrusted)
	}
	return true
}

// stopWithoutFolder reports whether the agent can't work because its folder is missing or inaccessible, and stops the
// agent in that case. The connection is then in state Failed until the next attempt to start.
func (a *Agent) stopWithoutFolder(k *conn) bool {
	err := process.CheckFolder(a.currentFolder())
	if err != nil && !k.refused.Swap(true) {
		a.post(loopMessage{event: eventUnlaunchable, conn: k, onlyIfCurrent: true, cause: backend.CauseFolderMissing, message: folderMessage(err)})
	}
	return err != nil
}

// limitAlive is the time within which an agent must respond to the request of OnWake.
var limitAlive = time.Minute

// OnWake is called after a wake from sleep or a network change. An agent that is waiting to retry starts immediately. A
// ready agent receives a small request and is restarted if it doesn't respond within limitAlive, unless it can't list
// sessions or runs a prompt. Turns continue as long as their process runs.
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
	_, _ = k.ask(k.ctx, limitAlive, sdk.AgentMethodSessionList, sdk.ListSessionsRequest{Cwd: &cwd}) // kills the agent if it is late
}

// endElicitation ends the agent's request to open a web page. id is the ID that the agent gave the request.
func (a *Agent) endElicitation(id string) {
	if a.cfg.Questions != nil {
		a.cfg.Questions.Complete(a.cfg.ChatID, id)
	}
}
