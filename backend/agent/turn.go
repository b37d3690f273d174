package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/acp"
	"github.com/voxpilot/voxpilot/backend/agent/session"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// Result is the result of a prompt.
type Result struct {
	State      backend.TurnState
	StopReason string // the ACP stop reason that the agent reported
	Err        *backend.Error
	// SentAt is the time at which the prompt was sent to the agent, or 0 if it wasn't.
	SentAt backend.Millis
	// Usage is the token usage, or nil if the agent didn't report it.
	Usage *backend.Usage
	// Summary is the turn's summary.
	Summary backend.TurnSummary
}

// limitCancel is the time limit within which an agent must end a canceled turn. The Copilot CLI takes 20 ms.
var limitCancel = 10 * time.Second

// If the agent doesn't react to a cancellation, VoxPilot repeats it: first after cancelAgain, then at doubling
// intervals up to maxCancelPause.
const (
	cancelAgain    = 250 * time.Millisecond
	maxCancelPause = 4 * time.Second
)

// stoppedResult is the result of a canceled prompt for which the agent reported no stop reason.
var stoppedResult = Result{State: backend.TurnStopped, StopReason: string(sdk.StopReasonCancelled)}

// Prompt sends text and attachments to the turn's session and returns when the turn has ended and all its events are
// published. It starts the process and creates or loads the session if necessary. If the process can't be started, or a
// sign-in or trust is required, Prompt waits until the user has resolved the problem and Retry is called. A delegated
// turn (with a BlockID) also waits for a sign-in or trust, but fails if the agent gives up, because another turn is
// waiting for its result.
//
// Prompt durably records the time of sending (Turn.SentAt) before it sends the prompt. It sends the prompt again only
// if the agent is known to have ignored it.
//
// Prompts of one session run one after another. When ctx ends, the prompt is canceled.
func (a *Agent) Prompt(ctx context.Context, turn backend.Turn, text string, attachments ...backend.Attachment) Result {
	name := turn.Session
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	free, ok := a.enter(ctx, name, cancel)
	if !ok {
		return stoppedResult
	}
	defer free()
	a.mu.Lock()
	before := a.changed
	a.mu.Unlock()
	if !a.post(loopMessage{event: eventNeeded, ctx: ctx}) {
		return stoppedResult
	}
	var failed *conn
	forgotten := false
	for {
		k, err := a.ready(ctx, failed, turn.BlockID != "", before)
		var gaveUp *backend.Error
		if errors.As(err, &gaveUp) {
			return Result{State: backend.TurnFailed, Err: gaveUp}
		}
		if err != nil {
			return stoppedResult
		}
		if a.stopWithoutFolder(k) {
			failed = k
			continue
		}
		s, err := a.ensure(ctx, k, name)
		if err == nil {
			s, err = a.latest(ctx, k, s)
		}
		var res Result
		if err == nil {
			res, err = a.prompt(ctx, k, s, &turn, text, attachments)
		}
		var own *backend.Error
		switch r := acp.Refused(err); {
		case err == nil:
			res.SentAt, res.Err = turn.SentAt, k.errorWithName(res.Err)
			return res
		case ctx.Err() != nil:
			return stoppedResult
		case errors.Is(err, errNotLoaded) && !forgotten:
			forgotten = true // load the session and resend the prompt, once
			continue
		case errors.As(err, &own):
			return Result{State: backend.TurnFailed, Err: k.errorWithName(own)}
		case r == nil: // the process exited before the prompt was sent
			select {
			case <-k.exited:
			case <-ctx.Done():
				return stoppedResult
			}
		case r.Code == acp.CodeAuthRequired: // resent after the sign-in
		default:
			return Result{State: backend.TurnFailed, Err: k.errorWithName(agentError(r))}
		}
		failed = k
	}
}

// enter waits until no other operation uses the session and then reserves it. The caller must call free
// when its operation has ended; until then, Cancel, Stop and Close call cancel. ok is false if ctx ended,
// or Stop or Close was called, before the session could be reserved.
func (a *Agent) enter(ctx context.Context, name string, cancel context.CancelFunc) (free func(), ok bool) {
	a.mu.Lock()
	if a.stopped {
		a.mu.Unlock()
		return nil, false
	}
	a.prompts.Add(1)
	lock, halted := a.busy[name], a.halted
	if lock == nil {
		lock = make(chan struct{}, 1)
		a.busy[name] = lock
	}
	a.mu.Unlock()
	release := a.acquire()
	leave := func() {
		release()
		a.prompts.Done()
	}
	select {
	case lock <- struct{}{}:
	case <-a.closing:
		leave()
		return nil, false
	case <-halted:
		leave()
		return nil, false
	case <-ctx.Done():
		leave()
		return nil, false
	}
	a.mu.Lock()
	if a.stopped || a.halted != halted {
		cancel()
	}
	a.cancels[name] = cancel
	a.mu.Unlock()
	return func() {
		a.mu.Lock()
		delete(a.cancels, name)
		a.mu.Unlock()
		<-lock
		leave()
	}, true
}

// errNotLoaded means that the agent doesn't have the session in memory and ignored the prompt.
var errNotLoaded = backend.Problem("the agent doesn't have the session loaded")

// prompt sends the prompt and waits for the turn to end. An error means that the prompt
// wasn't sent, or that the agent ignored it.
func (a *Agent) prompt(ctx context.Context, k *conn, s *session.Session, turn *backend.Turn, text string, attachments []backend.Attachment) (Result, error) {
	blocks, recapped, err := a.promptBlocks(ctx, k, s, text, attachments)
	if err != nil {
		return Result{}, err
	}
	before, err := a.markSent(ctx, s, turn)
	if err != nil {
		return Result{}, err
	}
	if ctx.Err() != nil || k.ctx.Err() != nil { // canceled, or no process to read the prompt
		a.unmarkSent(s, turn, before)
		return Result{}, acp.ErrUnsent
	}
	defer a.beginPrompt(k, s, text)()
	s.Begin(*turn)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s.WatchPermissions(stop)
	type answer struct {
		result gjson.Result
		err    error
	}
	got := make(chan answer, 1)
	go func() {
		r, err := k.send(sdk.AgentMethodSessionPrompt, sdk.PromptRequest{
			SessionId: sdk.SessionId(s.ID), Prompt: blocks,
		})
		got <- answer{r, err}
	}()
	var ans answer
	select {
	case ans = <-got:
	case <-ctx.Done():
		s.Stop()
		late := time.AfterFunc(limitCancel, func() {
			k.log.Warn("the agent didn't end a canceled turn")
			k.fail(backend.CauseNoAnswer)
		})
		// Repeat the cancellation: the agent ignores one that arrives before it has started
		// to work on the prompt.
		ans = notifyUntil(got, func() {
			_ = k.rpc.Notify(sdk.AgentMethodSessionCancel, sdk.CancelNotification{SessionId: sdk.SessionId(s.ID)})
		})
		late.Stop()
	}
	asked := ctx.Err() != nil
	if ans.err != nil {
		res, err := a.promptFailed(k, s, *turn, asked, ans.err)
		a.checkGuard(k, s, *turn)
		res = a.checkChangeWithoutPermission(s, *turn, res)
		res.Summary = s.Summary()
		if err != nil {
			a.unmarkSent(s, turn, before)
		} else {
			a.markRecapSent(s, recapped)
		}
		return res, err
	}
	a.markRecapSent(s, recapped)
	usage := s.Cost(ans.result.Get("usage"))
	if usage == nil && !before.HadPrompt && isCommand(text, before) {
		a.settleCommandPrompt(k, s)
	}
	a.checkGuard(k, s, *turn)
	res := a.checkChangeWithoutPermission(s, *turn, a.promptEnded(k, s, *turn, asked, ans.result.Get("stopReason").String()))
	res.Usage, res.Summary = usage, s.Summary()
	return res, nil
}

// notifyUntil calls notify immediately and then at increasing intervals until a value
// arrives on got, and returns that value.
func notifyUntil[T any](got <-chan T, notify func()) T {
	for pause := cancelAgain; ; pause = min(2*pause, maxCancelPause) {
		notify()
		again := time.NewTimer(pause)
		select {
		case answer := <-got:
			again.Stop()
			return answer
		case <-again.C:
		}
	}
}

// promptFailed returns the result of a prompt that failed with err, because the agent rejected it or didn't respond.
// asked is true if VoxPilot canceled the prompt. If promptFailed returns an error, the prompt wasn't sent or the agent
// ignored it.
//
// If the agent exits unexpectedly, a delegated turn ends as interrupted even if it was canceled. The reason is that the
// exit also ends the delegating turn, which then cancels its tasks.
func (a *Agent) promptFailed(k *conn, s *session.Session, turn backend.Turn, asked bool, err error) (Result, error) {
	r := acp.Refused(err)
	switch {
	case errors.Is(err, acp.ErrUnsent):
		s.End(true)
		return Result{}, err
	case r == nil || errors.Is(err, acp.ErrEnded):
		<-k.exited // supervise closes the session's items before exited
		if asked && (turn.BlockID == "" || k.expected.Load()) {
			return stoppedResult, nil
		}
		return Result{State: backend.TurnInterrupted, Err: interruptedError(k.cause(), k.proc.Exit, k.proc.Stderr.Last())}, nil
	}
	began := s.HasOutput()
	s.End(true)
	k.log.Warn("the agent rejected a prompt", "session", s.Name, "id", s.ID, "code", r.Code, "message", r.Message)
	unknown := isUnknown(r, s.ID)
	if unknown {
		k.forget(s) // the next prompt loads it
	}
	switch {
	case asked:
		return stoppedResult, nil
	case r.Code == acp.CodeAuthRequired && !began:
		return Result{}, err
	case unknown && !began:
		return Result{}, fmt.Errorf("%w: %w", errNotLoaded, err)
	}
	return Result{State: backend.TurnFailed, Err: agentError(r)}, nil
}

// promptEnded returns the result of a prompt that the agent answered with the given stop reason. asked
// is true if VoxPilot canceled the prompt.
func (a *Agent) promptEnded(k *conn, s *session.Session, turn backend.Turn, asked bool, reason string) Result {
	res := Result{State: backend.TurnDone, StopReason: reason}
	cancelled := reason == string(sdk.StopReasonCancelled)
	rejected := s.WasRejected()
	failure := s.End(asked || cancelled)
	switch {
	case asked: // some versions then respond with end_turn
		res.State = backend.TurnStopped
	case cancelled && rejected:
		res.State = backend.TurnStopped
	case cancelled:
		// The user didn't stop the turn: the agent lost track of its own events, and the
		// session's next prompt would never return. The history that the agent stored is
		// complete, so loading the session again repairs it.
		res.State = backend.TurnInterrupted
		res.Err = &backend.Error{Code: backend.CodeInterrupted, Message: backend.Say("Copilot stopped on its own before finishing this answer. Ask it to continue.")}
		a.reload(k, s)
	case reason == string(sdk.StopReasonRefusal):
		res.State = backend.TurnFailed
		res.Err = &backend.Error{Code: backend.CodeRefused, Message: backend.Say("Copilot declined this request.")}
	case reason == string(sdk.StopReasonMaxTokens), reason == string(sdk.StopReasonMaxTurnRequests):
		res.State = backend.TurnStopped
		res.Err = &backend.Error{Code: backend.CodeLimit, Message: limitMessage(reason)}
		a.publishTurnBanner(backend.Banner{Kind: backend.BannerAgentLimit, Session: s.Name, Detail: backend.Plain(reason)}, turn)
	case failure != "":
		res.State = backend.TurnFailed
		res.Err = modelError(failure, k.launch.Model)
	}
	return res
}

// reload closes a session and, if the agent supports session/load and no other program has the session open, loads it
// again. If loading fails, it kills the process.
func (a *Agent) reload(k *conn, s *session.Session) {
	a.sessionLost(s.Name, true)
	_, _ = k.within(k.ctx, func() (gjson.Result, error) {
		return k.optional(sdk.AgentMethodSessionClose, sdk.CloseSessionRequest{SessionId: sdk.SessionId(s.ID)})
	})
	k.forget(s)
	if !k.declaredCapabilities().Load || a.checkOthers(k.ctx, k, s.Row()) != nil {
		return
	}
	if _, err := a.ensure(k.ctx, k, s.Name); err != nil && !errors.Is(err, errUntrusted) {
		k.log.Warn("couldn't reload a session", "session", s.Name, "id", s.ID, "err", err)
		k.fail(backend.CauseNoAnswer)
	}
}

// checkChangeWithoutPermission checks whether VoxPilot stopped the turn because the agent made a change without
// permission. If it did, checkChangeWithoutPermission publishes a banner and returns res with TurnStopped instead of
// TurnDone. Otherwise it returns res unchanged.
func (a *Agent) checkChangeWithoutPermission(s *session.Session, turn backend.Turn, res Result) Result {
	did := s.ChangeWithoutPermission()
	if did == "" {
		return res
	}
	a.showChangeWithoutPermission(s.Row(), did, turn)
	if res.State == backend.TurnDone {
		res.State = backend.TurnStopped
	}
	return res
}

// showChangeWithoutPermission publishes a banner about the change. The banner also lists the hooks and settings in the
// folder that may have allowed it (Config.Suspects).
func (a *Agent) showChangeWithoutPermission(row backend.Session, did string, turn backend.Turn) {
	lines := []string{excerpt.FirstLine(did, 300)}
	if a.cfg.Suspects != nil {
		lines = append(lines, a.cfg.Suspects(row.Cwd)...)
	}
	a.publishTurnBanner(backend.Banner{Kind: backend.BannerWithoutPermission, Session: row.Name, Detail: backend.Plain(strings.Join(lines, "\n"))}, turn)
}
