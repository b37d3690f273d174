package session

import (
	"context"
	"regexp"
	"slices"
	"strings"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/acp"
	"github.com/voxpilot/voxpilot/backend/agent/request"
	"github.com/voxpilot/voxpilot/backend/terminal"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// createTerminal handles terminal/create: it runs a command, which requires permission
// like any command that the agent runs itself.
func (s *Session) createTerminal(ctx context.Context, params gjson.Result) (any, *sdk.RequestError) {
	spec, rerr := specOf(params, s.Folder)
	if rerr != nil {
		return nil, rerr
	}
	place, err := workspace.Locate(s.Folder, spec.Dir)
	if err != nil {
		return nil, serviceError(err, spec.Dir)
	}
	spec.Dir = place.Path
	names, line := request.Names(spec), request.SpecLine(spec, place)
	// Take the turn before checking the files, so that a stop during the check isn't
	// attributed to the next turn.
	turn := s.currentTurn()
	if rerr := s.lateCommand(names, line); rerr != nil {
		return nil, rerr
	}
	t := s.executeCall(names, line)
	env := s.cfg.Env()
	if !place.Inside || !s.runGranted(func(run *request.Run) bool { return run.Covers(spec, place, env) }) {
		p := backend.Permission{
			Title: "Run a command", Kind: backend.ToolExecute, Command: excerpt.FirstLine(line, 300), Commands: []string{line},
			Outside: !place.Inside, ContentID: s.showCommand(t, line), Marks: request.Marks(s.Folder, []string{line}),
		}
		if place.Inside {
			p.Scope = &backend.Scope{Kind: backend.RuleCommand, Folder: s.Folder, Command: line}
		}
		if rerr := s.askUser(ctx, params, t, p); rerr != nil {
			s.endOwn(t, rerr)
			return nil, rerr
		}
	}
	c, err := s.runCommand(turn, t, spec)
	if err != nil {
		rerr := serviceError(err, spec.Dir)
		s.endOwn(t, rerr)
		return nil, rerr
	}
	return map[string]any{"terminalId": c.term.ID()}, nil
}

// terminalOutput handles terminal/output.
func (s *Session) terminalOutput(_ context.Context, params gjson.Result) (any, *sdk.RequestError) {
	limit, rerr := countOf(params, "outputByteLimit")
	if rerr != nil {
		return nil, rerr
	}
	c, rerr := s.commandOf(params)
	if rerr != nil {
		return nil, rerr
	}
	exit := c.term.Exit() // read first, because no output follows the exit
	text, truncated := c.term.Output(limit)
	answer := map[string]any{"output": text, "truncated": truncated}
	if exit != nil {
		answer["exitStatus"], answer["exitCode"] = exitStatusOf(*exit), exit.Code
	}
	return answer, nil
}

// waitForExit handles terminal/wait_for_exit. The response also contains the fields of
// an older form of the protocol.
func (s *Session) waitForExit(ctx context.Context, params gjson.Result) (any, *sdk.RequestError) {
	c, rerr := s.commandOf(params)
	if rerr != nil {
		return nil, rerr
	}
	exit, err := c.term.Wait(ctx)
	if err != nil {
		return nil, &sdk.RequestError{Code: acp.CodeCancelled, Message: "The wait was canceled."}
	}
	<-c.endShown // publish the exit before any further update of the agent
	answer := exitStatusOf(exit)
	answer["exitStatus"] = exitStatusOf(exit)
	return answer, nil
}

// killTerminal handles terminal/kill: the command ends, but its output remains.
func (s *Session) killTerminal(_ context.Context, params gjson.Result) (any, *sdk.RequestError) {
	c, rerr := s.commandOf(params)
	if rerr != nil {
		return nil, rerr
	}
	s.mu.Lock()
	c.killed = c.killed || c.term.Exit() == nil
	s.mu.Unlock()
	c.term.Kill()
	<-c.endShown
	return map[string]any{}, nil
}

// releaseTerminal handles terminal/release. Agents may call it repeatedly and without terminal/kill.
func (s *Session) releaseTerminal(_ context.Context, params gjson.Result) (any, *sdk.RequestError) {
	id, rerr := textOf(params, "terminalId")
	if rerr != nil {
		return nil, rerr
	}
	s.mu.Lock()
	if c := s.commands[id]; c != nil {
		c.killed = c.killed || c.term.Exit() == nil
	}
	s.mu.Unlock()
	if err := s.terminals().Release(id); err != nil {
		return nil, serviceError(err, id)
	}
	return map[string]any{}, nil
}

func exitStatusOf(e terminal.Exit) map[string]any {
	var signal *string
	if e.Signal != "" {
		signal = &e.Signal
	}
	return map[string]any{"exitCode": e.Code, "signal": signal}
}

// specOf parses the parameters of terminal/create.
func specOf(params gjson.Result, folder string) (spec terminal.Spec, rerr *sdk.RequestError) {
	if spec.Command, rerr = textOf(params, "command"); rerr != nil {
		return spec, rerr
	}
	if strings.TrimSpace(spec.Command) == "" || strings.IndexByte(params.Raw, 0) >= 0 {
		return spec, badParams("command must be the command to run.")
	}
	if spec.Limit, rerr = countOf(params, "outputByteLimit"); rerr != nil {
		return spec, rerr
	}
	spec.Dir = folder
	if cwd := params.Get("cwd"); cwd.Exists() && cwd.Type != gjson.Null {
		if spec.Dir, rerr = textOf(params, "cwd"); rerr != nil {
			return spec, rerr
		}
	}
	for _, arg := range params.Get("args").Array() {
		if arg.Type != gjson.String || strings.IndexByte(arg.Str, 0) >= 0 {
			return spec, badParams("args must be strings.")
		}
		spec.Args = append(spec.Args, arg.Str)
	}
	for _, v := range params.Get("env").Array() {
		name, value := v.Get("name").String(), v.Get("value")
		if !variableName.MatchString(name) || value.Type != gjson.String || strings.IndexByte(value.Str, 0) >= 0 {
			return spec, badParams("env must be a list of names and values.")
		}
		if !strings.HasPrefix(strings.ToUpper(name), "VOXPILOT_") { // reserved for VoxPilot
			spec.Env = append(spec.Env, name+"="+value.Str)
		}
	}
	return spec, nil
}

// variableName matches valid names of environment variables. Variables with other names
// can define shell functions that replace programs.
var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func isOneOf(names []string) func(string) bool {
	return func(s string) bool { return slices.Contains(names, strings.TrimSpace(s)) }
}

// executeCall returns the tool call to which a command belongs.
func (s *Session) executeCall(names []string, line string) *toolItem {
	s.mu.Lock()
	defer s.mu.Unlock()
	free := func(t *toolItem) bool { return !s.showsCommand(t) }
	t := s.callFor([]backend.ToolKind{backend.ToolExecute}, func(t *toolItem) bool {
		return free(t) && (slices.ContainsFunc(t.commands, isOneOf(names)) || isOneOf(names)(strings.Trim(t.item.Tool.Title, "`")))
	}, func(t *toolItem) bool { return free(t) && len(t.commands) == 0 })
	if t == nil {
		t = s.ownCall(backend.Tool{Title: excerpt.FirstLine(line, 300), Kind: backend.ToolExecute, Command: excerpt.FirstLine(line, 300)})
	}
	if len(t.commands) == 0 {
		t.commands = []string{line}
	}
	return t
}

// showCommand shows the whole command on the tool call.
func (s *Session) showCommand(t *toolItem, line string) (contentID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.emitTool(t)
	s.cfg.Publish(s.put(nil, t, slotCommand, backend.Content{Type: backend.ContentCommand}, []byte(strings.ToValidUTF8(line, "\uFFFD")))...)
	return t.slots[slotCommand].content.ID
}
