package session

import (
	"context"
	"slices"
	"strings"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/acp"
	"github.com/voxpilot/voxpilot/backend/agent/args"
	"github.com/voxpilot/voxpilot/backend/agent/request"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// createTerminal handles terminal/create: it runs a command, which requires permission
// like any command that the agent runs itself.
func (s *Session) createTerminal(ctx context.Context, params gjson.Result) (any, *sdk.RequestError) {
	spec, rerr := args.Command(params, s.Folder)
	if rerr != nil {
		return nil, rerr
	}
	place, err := workspace.Locate(s.Folder, spec.Dir)
	if err != nil {
		return nil, args.Failure(err, spec.Dir)
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
	discard, err := s.sandboxTerminal(ctx, t, &spec, line)
	var c *command
	if err == nil {
		c, err = s.runCommand(turn, t, spec)
	}
	if err != nil {
		discard()
		rerr := args.Failure(err, spec.Dir)
		s.endOwn(t, rerr)
		return nil, rerr
	}
	return map[string]any{"terminalId": c.term.ID()}, nil
}

// terminalOutput handles terminal/output. The response also contains the exit code, as in an older form of the
// protocol.
func (s *Session) terminalOutput(_ context.Context, params gjson.Result) (any, *sdk.RequestError) {
	limit, rerr := args.Count(params, "outputByteLimit")
	if rerr != nil {
		return nil, rerr
	}
	c, rerr := s.commandOf(params)
	if rerr != nil {
		return nil, rerr
	}
	exit := c.term.Exit() // read first, so that output with an exit includes all that the command wrote
	text, truncated := c.term.Output(limit)
	answer := map[string]any{"output": text, "truncated": truncated}
	if exit != nil {
		answer["exitStatus"], answer["exitCode"] = args.Exit(*exit), exit.Code
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
	answer := args.Exit(exit)
	answer["exitStatus"] = args.Exit(exit)
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

// releaseTerminal handles terminal/release, which also kills the command. Agents may call it repeatedly and
// without terminal/kill.
func (s *Session) releaseTerminal(_ context.Context, params gjson.Result) (any, *sdk.RequestError) {
	id, rerr := args.Text(params, "terminalId")
	if rerr != nil {
		return nil, rerr
	}
	s.mu.Lock()
	if c := s.commands[id]; c != nil {
		c.killed = c.killed || c.term.Exit() == nil
	}
	s.mu.Unlock()
	if err := s.terminals().Release(id); err != nil {
		return nil, args.Failure(err, id)
	}
	return map[string]any{}, nil
}

func isOneOf(names []string) func(string) bool {
	return func(s string) bool { return slices.Contains(names, strings.TrimSpace(s)) }
}

// executeCall returns the agent's open call to which a command belongs, or else a new call made by ownCall.
// names are the forms in which the agent may have named the command, and line is the form shown.
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

// showCommand shows the whole command on the tool call and returns the ID of the content.
func (s *Session) showCommand(t *toolItem, line string) (contentID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.emitTool(t)
	s.cfg.Publish(s.put(nil, t, slotCommand, backend.Content{Type: backend.ContentCommand}, []byte(strings.ToValidUTF8(line, "\uFFFD")))...)
	return t.slots[slotCommand].content.ID
}
