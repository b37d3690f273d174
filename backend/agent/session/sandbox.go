package session

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/request"
	"github.com/voxpilot/voxpilot/backend/guard"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// Sandbox runs the commands of a session's chat in the sandbox. Nil functions mean that there is none.
type Sandbox struct {
	// Use reports whether the chat's commands run in the sandbox now, and, if they can't, the reason.
	Use func() (on bool, problem backend.Message)
	// Wrap prepares the run of a command. Errors say why it can't run.
	Wrap func(ctx context.Context, c SandboxCommand) (SandboxRun, error)
}

// SandboxRun is a prepared run.
type SandboxRun struct {
	Shell   string // the line of shell that the agent must run instead of the command
	Discard func() // removes the run if the agent hasn't started it
}

// SandboxCommand is a command to run in the sandbox.
type SandboxCommand struct {
	Line   string   // as the agent wrote it
	Folder string   // of the session
	Env    []string // before filtering
	// Ask asks the user whether the command may reach a site; p has the site. It returns false if the
	// user rejects it, the turn is stopped, or ctx ends.
	Ask func(ctx context.Context, p backend.Permission) (allowed bool)
	// Blocked records a site that the command couldn't reach. It doesn't block.
	Blocked func(site string)
}

// OutsidePrefix is the start of a command that the agent asks to run outside of the sandbox. No program has
// this name, so no shell runs such a command.
const OutsidePrefix = "outside-sandbox -- "

// boxedRun is a command that was allowed to run in the sandbox.
type boxedRun struct {
	line  string
	shell []byte // the line that the agent runs, as in JSON, without quotes
	shown []byte // line, likewise
	at    backend.Millis
	call  *toolItem
	end   func()
}

// maxBoxed is the number of commands in the sandbox that a session remembers.
const maxBoxed = 200

// way is how a call's command is run.
type way struct {
	role    backend.SandboxRole // "" if the sandbox has no part in it
	line    string              // the command, without OutsidePrefix
	changed bool                // line isn't what the agent wrote
	problem backend.Message     // the reason why it can't run
}

// wayOf returns how the call's command is to be run, and removes OutsidePrefix from the call. It returns
// the zero way for other calls.
func (s *Session) wayOf(call *guard.Call) (w way, err error) {
	line, isShell := call.ShellCommand()
	if !isShell || s.cfg.Sandbox.Use == nil {
		return w, nil
	}
	w.line, w.changed = strings.CutPrefix(strings.TrimLeft(line, " \t\r\n"), OutsidePrefix)
	if !w.changed {
		w.line = line
	} else if *call, err = call.WithCommand(w.line); err != nil {
		return w, err
	}
	on, problem := s.cfg.Sandbox.Use()
	switch {
	case !on:
	case w.changed:
		w.role = backend.SandboxLeaves
	default:
		w.role, w.problem = backend.SandboxInside, problem
	}
	return w, nil
}

// args returns the arguments with which the agent must run the call, or nil for its own.
func (w way) args(call guard.Call) json.RawMessage {
	if !w.changed {
		return nil
	}
	return call.Args
}

// complete adds the sandbox's part to a request of the guard.
func (w way) complete(s *Session, p *backend.Permission, asksNothing bool) {
	p.Sandbox, p.AgentAsksNothing = w.role, asksNothing
	if w.role == "" {
		return
	}
	p.Scope = nil // a rule would allow the command outside of the sandbox, too
	if w.role == backend.SandboxLeaves {
		p.Earlier = s.earlierRun(w.line)
	}
}

// earlierRun describes the last run of the command in the sandbox.
func (s *Session) earlierRun(line string) backend.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, run := range slices.Backward(s.boxed) {
		if strings.TrimSpace(run.line) != strings.TrimSpace(line) {
			continue
		}
		minutes := int((backend.Now() - run.at) / 60_000)
		switch tool := run.call.item.Tool; {
		case tool.ExitCode != nil && minutes == 0:
			return backend.Say("It already ran in the sandbox, less than a minute ago. Exit code: %d", *tool.ExitCode)
		case tool.ExitCode != nil:
			return backend.Say("It already ran in the sandbox, %d min ago. Exit code: %d", minutes, *tool.ExitCode)
		case minutes == 0:
			return backend.Say("It was already started in the sandbox, less than a minute ago. Its exit code isn't known.")
		default:
			return backend.Say("It was already started in the sandbox, %d min ago. Its exit code isn't known.", minutes)
		}
	}
	return backend.Say("It hasn't run in the sandbox since the agent was started.")
}

// showCommandAs shows the command that is decided on in the call's row, without OutsidePrefix.
func (s *Session) showCommandAs(t *toolItem, w way) {
	if t == nil || !w.changed {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t.item.Tool.Command, t.commands = excerpt.FirstLine(w.line, 300), []string{w.line}
	s.emitTool(t)
}

// refuse denies a command that can't run in the sandbox, and says so in its row.
func (s *Session) refuse(t *toolItem, problem backend.Message) guard.Answer {
	s.log.Warn("denied a command that can't run in the sandbox", "why", problem.String())
	s.mu.Lock()
	defer s.mu.Unlock()
	if t != nil {
		t.problem = backend.Say("Not run, because the sandbox isn't available: %s", problem)
		t.item.Tool.ResultSummary = t.problem
		s.emitTool(t)
	}
	return guard.Answer{Decision: guard.Denied, Reason: guard.DeniedSandbox + problem.String()}
}

// refuseUnboxed reports whether a request of the agent is for a command that must run in the sandbox, but
// that the guard hasn't reported. Such a command would run outside, so it is refused.
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
	kind := backend.ToolKind(call.Get("kind").String())
	if kind != backend.ToolExecute && (t == nil || t.item.Tool.Kind != backend.ToolExecute) {
		return false
	}
	s.log.Warn("rejected a command that the guard hasn't decided on")
	if t == nil {
		return true
	}
	t.problem = backend.Say("Not run, because Copilot didn't let VoxPilot put it in the sandbox.")
	t.item.Tool.ResultSummary, t.item.Tool.Decision, t.hasRequest = t.problem, backend.DecisionClosed, true
	s.emitTool(t)
	return true
}

// runInSandbox prepares the run of the call's command in the sandbox and answers the guard.
func (s *Session) runInSandbox(ctx context.Context, call guard.Call, id, line string) guard.Answer {
	s.mu.Lock()
	t := s.tools[id]
	s.mu.Unlock()
	if t == nil {
		return guard.Answer{Decision: guard.Denied, Reason: guard.DeniedStopped}
	}
	run, err := s.cfg.Sandbox.Wrap(ctx, SandboxCommand{
		Line: line, Folder: s.Folder, Env: s.cfg.Env(),
		Ask:     func(ctx context.Context, p backend.Permission) bool { return s.askSite(ctx, t, p) },
		Blocked: func(site string) { s.noteBlocked(t, site) },
	})
	wrapped := call
	if err == nil {
		wrapped, err = call.WithCommand(run.Shell)
	}
	if err != nil {
		return s.refuse(t, backend.MessageOf(err))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.boxed = append(s.boxed, boxedRun{line, inJSON(run.Shell), inJSON(line), backend.Now(), t, run.Discard})
	s.boxed = s.boxed[max(0, len(s.boxed)-maxBoxed):]
	t.item.Tool.Sandboxed = true
	s.emitTool(t)
	return guard.Answer{Decision: guard.Allowed, Args: wrapped.Args}
}

// discardUnstarted removes the runs of ended turns that the agent never started. The caller must hold s.mu.
func (s *Session) discardUnstarted() {
	for i, run := range s.boxed {
		if run.end != nil {
			s.boxed[i].end = nil
			go run.end()
		}
	}
}

// inJSON returns text as other programs write it in JSON, without the quotes.
func inJSON(text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string can always be encoded
	return bytes.Trim(bytes.TrimSpace(b.Bytes()), `"`)
}

// withoutWrapping returns an update with the commands as the agent wrote them, where the agent reports the
// lines that it runs. The caller must hold s.mu.
func (s *Session) withoutWrapping(up gjson.Result) gjson.Result {
	if len(s.boxed) == 0 || !strings.Contains(up.Raw, wrapMark(s.boxed[0].shell)) {
		return up
	}
	raw := []byte(up.Raw)
	for _, run := range s.boxed {
		raw = bytes.ReplaceAll(raw, run.shell, run.shown)
	}
	return gjson.ParseBytes(raw)
}

// wrapMark returns the start of a line, which all lines that the sandbox makes share.
func wrapMark(shell []byte) string { return string(shell[:min(len(shell), 16)]) }

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
	p.State, p.Kind, p.Sandbox = backend.PermissionOpen, backend.ToolFetch, backend.SandboxAsksSite
	p.Options = []backend.Option{
		{ID: optionAllow, Kind: backend.OptionAllowOnce, Name: "Allow once"},
		{ID: optionReject, Kind: backend.OptionRejectOnce, Name: "Reject"},
	}
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
