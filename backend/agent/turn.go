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

// Result is how a prompt ended.
type Result struct {
	State      backend.TurnState
	StopReason string // ACP's word, as the agent gave it
	Err        *backend.Error
	// SentAt is when it went to the agent; 0 where no agent got it.
	SentAt backend.Millis
	// Usage is what it cost; nil where the agent did not say.
	Usage *backend.Usage
	// Summary is what came of it.
	Summary backend.TurnSummary
}

// limitCancel is how long an agent may take to end a turn that was cancelled;
// the Copilot CLI takes 20 ms.
var limitCancel = 10 * time.Second

// It is told again after cancelAgain, and then after twice as long each time, up
// to maxCancelPause.
const (
	cancelAgain    = 250 * time.Millisecond
	maxCancelPause = 4 * time.Second
)

var stoppedResult = Result{State: backend.TurnStopped, StopReason: string(sdk.StopReasonCancelled)}

// Prompt sends text, and what goes with it, to the turn's session and returns when
// the turn has ended; all events of it were published by then. The process is started and the
// session made or loaded where that is needed. Where it cannot be started, or
// a sign-in or trust is needed, Prompt waits until the user has seen to it and
// says Retry. A turn whose work was given to the session waits for these two only:
// where the agent gives up it fails, since its giver waits.
//
// That the prompt goes out is durable before it does (Turn.SentAt). It goes out
// again only where it is certain that the agent did nothing with it.
//
// Prompts of one session run one after another. When ctx ends, the prompt is
// cancelled.
func (a *Agent) Prompt(ctx context.Context, turn backend.Turn, text string, with ...backend.Attachment) Result {
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
	if !a.post(loopMessage{event: eventWanted, ctx: ctx}) {
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
		s, err := a.ensure(ctx, k, name)
		var res Result
		if err == nil {
			res, err = a.prompt(ctx, k, s, &turn, text, with)
		}
		var own *backend.Error
		switch r := acp.Refused(err); {
		case err == nil:
			res.SentAt, res.Err = turn.SentAt, k.errorWithName(res.Err)
			return res
		case ctx.Err() != nil:
			return stoppedResult
		case errors.Is(err, errNotLoaded) && !forgotten:
			forgotten = true // it is loaded, and the prompt sent again, once
			continue
		case errors.As(err, &own):
			return Result{State: backend.TurnFailed, Err: k.errorWithName(own)}
		case r == nil: // the process ended before the prompt was sent
			select {
			case <-k.exited:
			case <-ctx.Done():
				return stoppedResult
			}
		case r.Code == acp.CodeAuthRequired: // sent again after the sign-in
		default:
			return Result{State: backend.TurnFailed, Err: k.errorWithName(agentError(r))}
		}
		failed = k
	}
}

// enter waits until no other prompt runs in the session.
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
	rest := a.acquire()
	leave := func() {
		rest()
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

// errNotLoaded is the error of a prompt to a session that the agent does not
// have in memory: nothing came of it.
var errNotLoaded = backend.Problem("the agent doesn't have the session loaded")

// prompt sends the prompt and follows it to its end. An error means that the
// agent did nothing with it.
func (a *Agent) prompt(ctx context.Context, k *conn, s *session.Session, turn *backend.Turn, text string, with []backend.Attachment) (Result, error) {
	blocks, recapped, err := a.promptBlocks(ctx, k, s, text, with)
	if err != nil {
		return Result{}, err
	}
	before, err := a.markSent(ctx, s, turn)
	if err != nil {
		return Result{}, err
	}
	if ctx.Err() != nil || k.ctx.Err() != nil { // the process that would read it has ended
		a.unmarkSent(s, turn, before)
		return Result{}, acp.ErrUnsent
	}
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
			k.log.Warn("the agent did not end a turn that was cancelled")
			k.fail(backend.CauseNoAnswer)
		})
		// It is told more than once: what came before the prompt was read, or
		// in a moment when the agent does not listen, is ignored.
		ans = notifyUntil(got, func() {
			_ = k.rpc.Notify(sdk.AgentMethodSessionCancel, sdk.CancelNotification{SessionId: sdk.SessionId(s.ID)})
		})
		late.Stop()
	}
	asked := ctx.Err() != nil
	if ans.err != nil {
		res, err := a.promptFailed(k, s, *turn, asked, ans.err)
		res = a.checkUnaskedChange(s, *turn, res)
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
	res := a.checkUnaskedChange(s, *turn, a.promptEnded(k, s, *turn, asked, ans.result.Get("stopReason").String()))
	res.Usage, res.Summary = usage, s.Summary()
	return res, nil
}

// notifyUntil calls tell until got has an answer, less and less often.
func notifyUntil[T any](got <-chan T, tell func()) T {
	for pause := cancelAgain; ; pause = min(2*pause, maxCancelPause) {
		tell()
		again := time.NewTimer(pause)
		select {
		case answer := <-got:
			again.Stop()
			return answer
		case <-again.C:
		}
	}
}

// promptFailed is the end of a prompt without an answer, or with an error. An
// error of its own means that the agent did nothing with it.
//
// Work that was given to the session was interrupted where the agent died, also
// when it was cancelled: who gave it goes with the agent, which cancels it.
func (a *Agent) promptFailed(k *conn, s *session.Session, turn backend.Turn, asked bool, err error) (Result, error) {
	r := acp.Refused(err)
	switch {
	case errors.Is(err, acp.ErrUnsent):
		s.End(true)
		return Result{}, err
	case r == nil || errors.Is(err, acp.ErrEnded):
		<-k.exited // with it the session's items are closed
		if asked && (turn.BlockID == "" || k.expected.Load()) {
			return stoppedResult, nil
		}
		return Result{State: backend.TurnInterrupted, Err: interruptedError(k.cause(), k.proc.Exit, k.proc.Stderr.Last())}, nil
	}
	began := s.HasOutput()
	s.End(true)
	k.log.Warn("a prompt was refused", "session", s.Name, "id", s.ID, "code", r.Code, "message", r.Message)
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

// promptEnded is the end of a prompt with a stop reason.
func (a *Agent) promptEnded(k *conn, s *session.Session, turn backend.Turn, asked bool, reason string) Result {
	res := Result{State: backend.TurnDone, StopReason: reason}
	cancelled := reason == string(sdk.StopReasonCancelled)
	rejected := s.WasRejected()
	failure := s.End(asked || cancelled)
	switch {
	case asked: // some versions answer end_turn then
		res.State = backend.TurnStopped
	case cancelled && rejected:
		res.State = backend.TurnStopped
	case cancelled:
		// The user did not stop it: the agent lost track of its own events, and the
		// next prompt on this session would never return. Its log is whole.
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

// reload closes a session and loads it again. Where that fails the process is
// started afresh.
func (a *Agent) reload(k *conn, s *session.Session) {
	a.sessionLost(s.Name, true)
	_, _ = k.within(k.ctx, func() (gjson.Result, error) {
		return k.optional(sdk.AgentMethodSessionClose, sdk.CloseSessionRequest{SessionId: sdk.SessionId(s.ID)})
	})
	k.forget(s)
	if !k.declaredCapabilities().Load {
		return
	}
	if _, err := a.ensure(k.ctx, k, s.Name); err != nil && !errors.Is(err, errUntrusted) {
		k.log.Warn("a session could not be loaded again", "session", s.Name, "id", s.ID, "err", err)
		k.fail(backend.CauseNoAnswer)
	}
}

// checkUnaskedChange is how a turn ended that was stopped because something was changed in
// it without asking: a banner says what, and what in the folder may have answered
// for the user. Other turns ended as they did.
func (a *Agent) checkUnaskedChange(s *session.Session, turn backend.Turn, res Result) Result {
	did := s.ChangeWithoutPermission()
	if did == "" {
		return res
	}
	lines := []string{excerpt.FirstLine(did, 300)}
	if a.cfg.Suspects != nil {
		lines = append(lines, a.cfg.Suspects(s.Folder)...)
	}
	a.publishTurnBanner(backend.Banner{Kind: backend.BannerWithoutPermission, Session: s.Name, Detail: backend.Plain(strings.Join(lines, "\n"))}, turn)
	if res.State == backend.TurnDone {
		res.State = backend.TurnStopped
	}
	return res
}
