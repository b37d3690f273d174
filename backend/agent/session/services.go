package session

import (
	"context"
	"log/slog"
	"slices"
	"strings"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/acp"
	"github.com/voxpilot/voxpilot/backend/agent/request"
	"github.com/voxpilot/voxpilot/backend/diff"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// Capabilities are what an agent is told that it may ask of us. The
// Copilot CLI asks for permission only; others read, write and run commands
// through their client.
var Capabilities = sdk.ClientCapabilities{
	Fs: sdk.FileSystemCapabilities{ReadTextFile: true, WriteTextFile: true}, Terminal: true,
}

// A service carries out a request of the agent. It runs in a goroutine of its
// own; ctx ends when the agent takes the request back or is gone.
type service func(s *Session, ctx context.Context, params gjson.Result) (any, *sdk.RequestError)

// services are the requests that are answered besides the one for permission.
var services = map[string]service{
	sdk.ClientMethodFsReadTextFile:  (*Session).readTextFile,
	sdk.ClientMethodFsWriteTextFile: (*Session).writeTextFile,

	sdk.ClientMethodTerminalCreate:      (*Session).createTerminal,
	sdk.ClientMethodTerminalOutput:      (*Session).terminalOutput,
	sdk.ClientMethodTerminalWaitForExit: (*Session).waitForExit,
	sdk.ClientMethodTerminalKill:        (*Session).killTerminal,
	sdk.ClientMethodTerminalRelease:     (*Session).releaseTerminal,
}

// Answer answers a request of the agent; byID finds the session that it is about. What
// it asks is checked in full: nothing of it is taken on trust, and a method that is not
// known is no fault.
func Answer(ctx context.Context, log *slog.Logger, byID func(id string) *Session, method string, params gjson.Result) (any, *sdk.RequestError) {
	if method == sdk.ClientMethodSessionRequestPermission {
		s := byID(params.Get("sessionId").String())
		if s == nil {
			log.Warn("a permission was asked for in a session that is not known; it was not given")
			return cancelled, nil
		}
		return s.permission(ctx, params), nil
	}
	serve := services[method]
	if serve == nil {
		return nil, sdk.NewMethodNotFound(method)
	}
	if !params.IsObject() {
		return nil, badParams("The params of " + method + " must be an object.")
	}
	id, rerr := textOf(params, "sessionId")
	if rerr != nil {
		return nil, rerr
	}
	s := byID(id)
	if s == nil {
		return nil, badParams("Unknown session " + excerpt.FirstLine(id, 100) + ".")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.cfg.Process, cancel)()
	s.log.Debug("the agent asks", "method", method)
	return serve(s, ctx, params)
}

func badParams(message string) *sdk.RequestError {
	return &sdk.RequestError{Code: acp.CodeInvalidParams, Message: message}
}

// textOf is the member of params with the name, which must be a string.
func textOf(params gjson.Result, name string) (string, *sdk.RequestError) {
	v := params.Get(name)
	if v.Type != gjson.String {
		return "", badParams(name + " must be a string.")
	}
	return v.Str, nil
}

// countOf is the member of params with the name, which is to be a whole number
// from 0 on; 0 where it is left out.
func countOf(params gjson.Result, name string) (int, *sdk.RequestError) {
	v := params.Get(name)
	if !v.Exists() || v.Type == gjson.Null {
		return 0, nil
	}
	n := int(v.Int())
	if v.Type != gjson.Number || n < 0 || v.Num != float64(n) {
		return 0, badParams(name + " must be a whole number, 0 or more.")
	}
	return n, nil
}

// serviceError is the answer to the agent where a request for the file or
// folder at path failed.
func serviceError(err error, path string) *sdk.RequestError {
	switch backend.CodeOf(err) {
	case backend.CodeNotFound:
		return &sdk.RequestError{Code: acp.CodeNotFound, Message: "Resource not found: " + path, Data: map[string]any{"uri": path}}
	case backend.CodeInvalid:
		return badParams(err.Error())
	case "":
		return &sdk.RequestError{Code: acp.CodeCancelled, Message: "The turn this belongs to has ended."}
	default:
		return &sdk.RequestError{Code: acp.CodeInternal, Message: err.Error()}
	}
}

// The options of a request for permission that is ours. "Always" is offered by
// the window, as a rule of VoxPilot, where the request has a Scope.
const (
	optionAllow  = "allow_once"
	optionReject = "reject_once"
)

// askUser has the user decide on p, which is about t, and returns nil where it
// is allowed.
func (s *Session) askUser(ctx context.Context, params gjson.Result, t *toolItem, p backend.Permission) *sdk.RequestError {
	s.mu.Lock()
	t.hasRequest = true
	p.ID, p.ChatID, p.TurnID, p.Session, p.ItemID, p.Folder = backend.NewID(), s.chatID, s.turn, s.Name, t.item.ID, s.Folder
	p.State, p.CreatedAt, p.Raw = backend.PermissionOpen, acp.ArrivedAt(ctx), rawOf(params)
	p.Options = []backend.Option{
		{ID: optionAllow, Kind: backend.OptionAllowOnce, Name: "Allow once"},
		{ID: optionReject, Kind: backend.OptionRejectOnce, Name: "Reject"},
	}
	running, turn := s.running, s.turnCtx
	if s.stopped {
		s.mu.Unlock()
		p.Decision = backend.DecisionClosed
		s.recordDecision(t, p)
		return errStopped("The user was not asked")
	}
	if running {
		s.openRequests.Add(1)
		defer s.openRequests.Done()
	}
	s.mu.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if running {
		defer context.AfterFunc(turn, cancel)()
	}
	waited := s.measureWait(t)
	p, ok := s.cfg.Ask(ctx, p)
	waited()
	switch {
	case !ok:
		p.Decision = backend.DecisionClosed
		s.recordDecision(t, p)
		return &sdk.RequestError{Code: acp.CodeCancelled, Message: "Stopped before it was allowed: " + p.Title}
	case p.OptionID != optionAllow:
		s.recordDecision(t, p)
		return &sdk.RequestError{Code: acp.CodeInternal, Message: "This wasn't allowed: " + p.Title, Data: map[string]any{"rejected": true}}
	}
	s.recordDecision(t, p)
	return nil
}

// currentTurn ends when the turn does that runs now; it never does where none runs.
func (s *Session) currentTurn() context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.running {
		return context.Background()
	}
	return s.turnCtx
}

// grant is something that the agent asked for by itself and was given in this
// turn. It is not asked for again when the agent has us do it.
type grant struct {
	path    string             // where it really leads; "" where it is about a command
	write   bool               // it covers one write of path; else any number of reads
	command []string           // ways in which one command was named, whole
	run     *request.Run       // and what it may run, once
	shown   []diff.Replacement // of a write: the change that was shown; nil if none was
}

// grant notes what the user, a rule or the mode allowed the agent with its own
// request p for call: of the files, those that were decided on, which is r, and of commands run.
func (s *Session) grant(p backend.Permission, call gjson.Result, r *request.Paths, run *request.Run) {
	i := slices.IndexFunc(p.Options, func(o backend.Option) bool { return o.ID == p.OptionID })
	if i < 0 || p.Options[i].Kind != backend.OptionAllowOnce && p.Options[i].Kind != backend.OptionAllowAlways {
		return
	}
	var given []grant
	switch p.Kind {
	case backend.ToolExecute:
		names := p.Commands
		if len(names) == 0 { // the title is all that was asked about
			names = []string{strings.Trim(p.Title, "`")}
		}
		if p.Unclear || run == nil {
			break // what it means is asked for once it is run
		}
		given = append(given, grant{command: slices.Concat(names, run.Lines), run: run})
	case backend.ToolRead, backend.ToolSearch, backend.ToolEdit, backend.ToolDelete, backend.ToolMove:
		write := p.Kind != backend.ToolRead && p.Kind != backend.ToolSearch
		paths := append(request.NamedPaths(s.Folder, call, p.Kind), p.Path, p.To)
		for _, f := range p.Files {
			paths = append(paths, f.Path)
		}
		for _, path := range paths {
			file, ok := r.Real(path)
			if !ok || slices.ContainsFunc(given, func(g grant) bool { return g.path == file }) {
				continue
			}
			given = append(given, grant{path: file})
			if write {
				given = append(given, grant{path: file, write: true, shown: r.Shown[file]})
			}
		}
	default: // of no use for what we can be asked to do
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.grants = append(s.grants, given...)
	if p.Options[i].Kind == backend.OptionAllowAlways {
		s.permissionWatch.grant(p.Kind)
	}
}

// granted says whether the agent was given this in this turn already. What
// covers one time only is used up by it.
func (s *Session) granted(want func(grant) bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.grants, want)
	if i < 0 {
		return false
	}
	if s.grants[i].write || s.grants[i].path == "" {
		s.grants = slices.Delete(s.grants, i, i+1)
	}
	return true
}

// runGranted is granted for a command. It looks at files without s.mu.
func (s *Session) runGranted(covers func(*request.Run) bool) bool {
	s.mu.Lock()
	grants := slices.Clone(s.grants)
	s.mu.Unlock()
	return slices.ContainsFunc(grants, func(g grant) bool {
		return g.run != nil && covers(g.run) && s.granted(func(now grant) bool { return now.run == g.run })
	})
}

// callFor is the open tool call that a request of the agent belongs to: one of
// these kinds that is about the path, or else one that does not say what it is
// about. nil where there is none. s.mu is held.
func (s *Session) callFor(kinds []backend.ToolKind, is, vague func(*toolItem) bool) *toolItem {
	var best *toolItem
	rank := 0
	for _, t := range s.tools {
		r := 0
		switch {
		case !t.item.Open || !slices.Contains(kinds, t.item.Tool.Kind):
		case is(t):
			r = 2
		case vague(t):
			r = 1
		}
		if r > rank || r == rank && r > 0 && t.item.CreatedAt > best.item.CreatedAt {
			best, rank = t, r
		}
	}
	return best
}

// ownCall makes a tool call of ours, for what the agent does outside of any of
// its own. s.mu is held.
func (s *Session) ownCall(tool backend.Tool) *toolItem {
	t := s.toolByID(backend.NewID())
	tool.CallID, tool.Status = t.item.Tool.CallID, backend.ToolInProgress
	*t.item.Tool = tool
	t.isOwn = true
	s.emitTool(t)
	return t
}

// endOwn ends a tool call of ours; others are ended by their agent.
func (s *Session) endOwn(t *toolItem, rerr *sdk.RequestError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !t.isOwn || !t.item.Open {
		return
	}
	status := backend.ToolCompleted
	switch {
	case rerr == nil:
	case rerr.Code == acp.CodeCancelled:
		status = backend.ToolCancelled
	default:
		status = backend.ToolFailed
		t.item.Tool.ResultSummary = backend.Plain(excerpt.FirstLine(rerr.Message, 120))
	}
	s.setStatus(t, status)
	s.emitTool(t)
}
