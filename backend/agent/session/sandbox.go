package session

import (
	"context"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/request"
	"github.com/voxpilot/voxpilot/backend/agent/sandboxed"
	"github.com/voxpilot/voxpilot/backend/guard"
	"github.com/voxpilot/voxpilot/backend/terminal"
	"github.com/voxpilot/voxpilot/internal/excerpt"
	"github.com/voxpilot/voxpilot/internal/process"
)

// completeRequest sets the fields of p, a request from the guard, that depend on the plan. It also sets
// p.AgentAsksNothing to asksNothing, which must be true if the user turned off the agent's own permission requests for
// such calls.
func (s *Session) completeRequest(p *backend.Permission, plan sandboxed.Plan, asksNothing bool) {
	p.Sandbox, p.AgentAsksNothing = plan.Role, asksNothing
	if plan.Role == "" {
		return
	}
	p.Scope = nil // a rule would allow the command outside the sandbox, too
	if plan.Role == backend.SandboxLeaves {
		s.mu.Lock()
		defer s.mu.Unlock()
		p.Earlier = s.sandboxRuns.Earlier(plan.Line)
	}
}

// showCommandAs shows the plan's command in the call's row, if it differs from the command that the agent wrote.
func (s *Session) showCommandAs(t *toolItem, plan sandboxed.Plan) {
	if t == nil || !plan.Changed {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t.item.Tool.Command, t.commands = excerpt.FirstLine(plan.Line, 300), []string{plan.Line}
	s.emitTool(t)
}

// refuse denies a command that can't run in the sandbox and returns the answer to the guard. It shows the
// reason in the row of t, the command's call, unless t is nil.
func (s *Session) refuse(t *toolItem, problem backend.Message) guard.Answer {
	s.log.Warn("denied a command that can't run in the sandbox", "why", problem.String())
	s.mu.Lock()
	defer s.mu.Unlock()
	if t != nil {
		s.showProblem(t, notRun(problem))
	}
	return guard.Answer{Decision: guard.Denied, Reason: guard.DeniedSandbox + problem.String()}
}

// notRun returns the result to show for a command that can't run in the sandbox. why is either a sentence or the text
// of an error.
func notRun(why backend.Message) backend.Message {
	if strings.HasSuffix(why.String(), ".") {
		return backend.Say("VoxPilot didn't run this command. %s", why)
	}
	return backend.Say("VoxPilot didn't run this command because the sandbox isn't available: %s", why)
}

// showProblem shows why VoxPilot refused the call. The caller must hold s.mu.
func (s *Session) showProblem(t *toolItem, why backend.Message) {
	t.problem, t.item.Tool.ResultSummary = why, why
	s.emitTool(t)
}

// refuseUnsandboxed refuses the agent's own permission request for a command that must run in the sandbox,
// and reports whether it did. The agent makes such a request only if the guard hasn't decided on the
// command. If the request were allowed, the command would run outside the sandbox.
func (s *Session) refuseUnsandboxed(params gjson.Result) bool {
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
		why := backend.Say("VoxPilot didn't run this command because Copilot didn't pass it to the sandbox.")
		if err := process.CheckFolder(s.Folder); err != nil { // Copilot can't start the guard there
			why = backend.Say("VoxPilot didn't run this command: %s.", err)
		}
		s.showProblem(t, why)
	}
	return true
}

// runInSandbox prepares a command to run in the sandbox and returns the answer to the guard. line is the
// command, and id is the ID of its call.
func (s *Session) runInSandbox(ctx context.Context, call guard.Call, id, line string) guard.Answer {
	s.mu.Lock()
	t := s.tools[id]
	s.mu.Unlock()
	if t == nil {
		return guard.Answer{Decision: guard.Denied, Reason: guard.DeniedStopped}
	}
	run, err := s.cfg.Sandbox.Wrap(ctx, sandboxed.Command{
		Line: line, Folder: s.Folder, Env: s.cfg.Env(), Hint: sandboxed.Hint,
		Ask:     func(ctx context.Context, p backend.Permission) bool { return s.askSite(ctx, t, p) },
		Blocked: func(site string) { s.noteBlocked(t, site) },
	})
	if err == nil {
		call, err = withRun(call, run)
	}
	if err != nil {
		return s.refuse(t, backend.MessageOf(err))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sandboxRuns.Add(line, run, t.item.Tool)
	t.item.Tool.Sandboxed = true
	s.emitTool(t)
	return guard.Answer{Decision: guard.Allowed, Args: call.Args}
}

// runOutside returns the answer to the guard for a call whose command the user allowed to run outside the
// sandbox. id is the ID of the call.
func (s *Session) runOutside(call guard.Call, id string, plan sandboxed.Plan) guard.Answer {
	allowed := guard.Answer{Decision: guard.Allowed, Args: plan.Args(call)}
	if s.cfg.Sandbox.Leave == nil {
		return allowed
	}
	s.mu.Lock()
	t := s.tools[id]
	s.mu.Unlock()
	if t == nil {
		return guard.Answer{Decision: guard.Denied, Reason: guard.DeniedStopped}
	}
	run, needed, err := s.cfg.Sandbox.Leave(plan.Line, s.Folder, s.cfg.Env())
	if !needed && err == nil {
		return allowed
	}
	if err == nil {
		call, err = withRun(call, run)
	}
	if err != nil {
		return s.refuse(t, backend.MessageOf(err))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sandboxRuns.AddOutside(plan.Line, run, t.item.Tool)
	return guard.Answer{Decision: guard.Allowed, Args: call.Args}
}

// withRun returns the call with run.Shell as its command. If it returns an error, it has discarded the run.
func withRun(call guard.Call, run sandboxed.Run) (guard.Call, error) {
	changed, err := call.WithCommand(run.Shell)
	if err != nil && run.Discard != nil {
		run.Discard()
	}
	return changed, err
}

// noteBlocked records a site that the call's command couldn't reach. It records at most maxBlocked sites per call.
func (s *Session) noteBlocked(t *toolItem, site string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if tool := t.item.Tool; !slices.Contains(tool.Blocked, site) && len(tool.Blocked) < maxBlocked {
		tool.Blocked = append(slices.Clone(tool.Blocked), site)
		s.emitTool(t)
	}
}

// maxBlocked is the maximum number of blocked sites listed for a tool call.
const maxBlocked = 20

// askSite requests permission for the command of the tool call t to reach the site that p names, and reports whether
// the permission was given. It sets the fields of p that identify the session and the call.
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

// sandboxTerminal prepares a command that VoxPilot runs for the agent. If the chat's commands must run in the sandbox,
// it changes spec so that this command does, too. If sandboxTerminal returns an error, the command must not be run. The
// caller must call discard if it doesn't start the command.
func (s *Session) sandboxTerminal(ctx context.Context, t *toolItem, spec *terminal.Spec, line string) (discard func(), err error) {
	discard = func() {}
	if s.cfg.Sandbox.Use == nil {
		return discard, nil
	}
	on, problem := s.cfg.Sandbox.Use()
	switch {
	case !on:
		return discard, nil
	case !problem.IsZero():
		err = &backend.Error{Code: backend.CodeUnavailable, Message: problem}
	default:
		var run sandboxed.Run
		env := append(s.cfg.Env(), spec.Env...)
		run, err = s.cfg.Sandbox.Wrap(ctx, sandboxed.Command{
			Line: sandboxed.SpecLine(spec.Command, spec.Args, spec.Dir, s.Folder), Folder: s.Folder, Env: env, ByApp: true,
			Ask:     func(ctx context.Context, p backend.Permission) bool { return s.askSite(ctx, t, p) },
			Blocked: func(site string) { s.noteBlocked(t, site) },
		})
		if err == nil {
			discard = run.Discard
			spec.Command, spec.Args = "bash", []string{"-c", run.Shell}
			s.mu.Lock()
			s.sandboxRuns.Add(line, run, t.item.Tool)
			t.item.Tool.Sandboxed = true
			s.emitTool(t)
			s.mu.Unlock()
			return discard, nil
		}
	}
	s.log.Warn("didn't run a command that can't run in the sandbox", "err", err)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.showProblem(t, notRun(backend.MessageOf(err)))
	if backend.CodeOf(err) == "" && ctx.Err() == nil { // else the agent would be told that its turn has ended
		err = &backend.Error{Code: backend.CodeUnavailable, Message: backend.MessageOf(err)}
	}
	return discard, err
}
