package session

import (
	"context"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/boxed"
	"github.com/voxpilot/voxpilot/backend/agent/request"
	"github.com/voxpilot/voxpilot/backend/guard"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// completeRequest adds the sandbox's part to a request of the guard. asksNothing means that the agent
// wouldn't ask, because the user turned that off.
func (s *Session) completeRequest(p *backend.Permission, w boxed.Way, asksNothing bool) {
	p.Sandbox, p.AgentAsksNothing = w.Role, asksNothing
	if w.Role == "" {
		return
	}
	p.Scope = nil // a rule would allow the command outside of the sandbox, too
	if w.Role == backend.SandboxLeaves {
		s.mu.Lock()
		defer s.mu.Unlock()
		p.Earlier = s.boxed.Earlier(w.Line)
	}
}

// showCommandAs shows the command that is decided on in the call's row.
func (s *Session) showCommandAs(t *toolItem, w boxed.Way) {
	if t == nil || !w.Changed {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t.item.Tool.Command, t.commands = excerpt.FirstLine(w.Line, 300), []string{w.Line}
	s.emitTool(t)
}

// refuse denies a command that can't run in the sandbox, and says so in its row.
func (s *Session) refuse(t *toolItem, problem backend.Message) guard.Answer {
	s.log.Warn("denied a command that can't run in the sandbox", "why", problem.String())
	s.mu.Lock()
	defer s.mu.Unlock()
	if t != nil {
		s.showProblem(t, backend.Say("Not run, because the sandbox isn't available: %s", problem))
	}
	return guard.Answer{Decision: guard.Denied, Reason: guard.DeniedSandbox + problem.String()}
}

// showProblem shows the reason for which VoxPilot refused the call. The caller must hold s.mu.
func (s *Session) showProblem(t *toolItem, why backend.Message) {
	t.problem, t.item.Tool.ResultSummary = why, why
	s.emitTool(t)
}

// refuseUnboxed reports whether a request of the agent is for a command that must run in the sandbox, but
// that the guard hasn't decided on. Such a command would run outside, so it is refused.
func (s *Session) refuseUnboxed(params gjson.Result) bool {
	call := params.Get("toolCall")
	if !s.cfg.Guarded || s.cfg.Sandbox.Use == nil || len(request.CommandLines(call.Get("rawInput"))) == 0 {
		return false
	}
	if on, _ := s.cfg.Sandbox.Use(); !on {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.tools[call.Get("toolCallId").String()]
	if toolKind(call.Get("kind").String()) != backend.ToolExecute && (t == nil || t.item.Tool.Kind != backend.ToolExecute) {
		return false
	}
	s.log.Warn("rejected a command that the guard hasn't decided on")
	if t != nil {
		t.item.Tool.Decision, t.hasRequest = backend.DecisionClosed, true
		s.showProblem(t, backend.Say("Not run, because Copilot didn't let VoxPilot put it in the sandbox."))
	}
	return true
}

// runInSandbox prepares the run of a call's command in the sandbox and answers the guard.
func (s *Session) runInSandbox(ctx context.Context, call guard.Call, id, line string) guard.Answer {
	s.mu.Lock()
	t := s.tools[id]
	s.mu.Unlock()
	if t == nil {
		return guard.Answer{Decision: guard.Denied, Reason: guard.DeniedStopped}
	}
	run, err := s.cfg.Sandbox.Wrap(ctx, boxed.Command{
		Line: line, Folder: s.Folder, Env: s.cfg.Env(), Hint: boxed.Hint,
		Ask:     func(ctx context.Context, p backend.Permission) bool { return s.askSite(ctx, t, p) },
		Blocked: func(site string) { s.noteBlocked(t, site) },
	})
	if err == nil {
		call, err = call.WithCommand(run.Shell)
	}
	if err != nil {
		return s.refuse(t, backend.MessageOf(err))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.boxed.Add(line, run, t.item.Tool)
	t.item.Tool.Sandboxed = true
	s.emitTool(t)
	return guard.Answer{Decision: guard.Allowed, Args: call.Args}
}

// noteBlocked records a site that the call's command couldn't reach.
func (s *Session) noteBlocked(t *toolItem, site string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if tool := t.item.Tool; !slices.Contains(tool.Blocked, site) && len(tool.Blocked) < maxBlocked {
		tool.Blocked = append(slices.Clone(tool.Blocked), site)
		s.emitTool(t)
	}
}

// maxBlocked is the number of blocked sites that a row lists.
const maxBlocked = 20

// askSite asks whether the call's command may reach the site in p, which has no IDs yet.
func (s *Session) askSite(ctx context.Context, t *toolItem, p backend.Permission) (allowed bool) {
	s.mu.Lock()
	if s.stopped || s.unloaded.Load() {
		s.mu.Unlock()
		return false
	}
	p.ID, p.ChatID, p.TurnID, p.Session, p.ItemID, p.Folder = backend.NewID(), s.chatID, t.item.TurnID, s.Name, t.item.ID, s.Folder
	p.State, p.Kind, p.Sandbox, p.Options = backend.PermissionOpen, backend.ToolFetch, backend.SandboxAsksSite, ownOptions()
	turn := context.Background()
	if s.running {
		turn = s.turnCtx
		s.openRequests.Add(1)
		defer s.openRequests.Done()
	}
	s.mu.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(turn, cancel)()
	defer context.AfterFunc(s.cfg.Process, cancel)()
	waited := s.measureWait(t)
	p, ok := s.cfg.Ask(ctx, p)
	waited()
	return ok && p.OptionID == optionAllow
}
