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
	"github.com/voxpilot/voxpilot/backend/agent/args"
	"github.com/voxpilot/voxpilot/backend/agent/request"
	"github.com/voxpilot/voxpilot/backend/agent/result"
	"github.com/voxpilot/voxpilot/backend/diff"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// Capabilities are the client capabilities announced to agents. The Copilot CLI accesses files and runs commands
// itself; other agents do so through their client.
var Capabilities = sdk.ClientCapabilities{
	Fs: sdk.FileSystemCapabilities{ReadTextFile: true, WriteTextFile: true}, Terminal: true,
	Elicitation: &sdk.ElicitationCapabilities{Form: &sdk.ElicitationFormCapabilities{}, Url: &sdk.ElicitationUrlCapabilities{}},
	// Sign-in methods that run in a terminal are announced only to clients that have one (ACP schema,
	// AuthCapabilities).
	Auth: sdk.AuthCapabilities{Terminal: true},
	Meta: map[string]any{"github.com/copilot": map[string]any{"events": []string{result.UsageRecord}}},
}

// MethodEvent is the Copilot CLI's notification of an event that is listed in Capabilities.
const MethodEvent = "github.com/copilot/sessionEvent"

// service handles a request from the agent. Each request is handled in its own goroutine; ctx is canceled when the
// agent cancels the request or exits.
type service func(s *Session, ctx context.Context, params gjson.Result) (any, *sdk.RequestError)

// services maps methods to their handlers. It contains all methods that agents may call, except for permission
// requests and elicitations.
var services = map[string]service{
	sdk.ClientMethodFsReadTextFile:  (*Session).readTextFile,
	sdk.ClientMethodFsWriteTextFile: (*Session).writeTextFile,

	sdk.ClientMethodTerminalCreate:      (*Session).createTerminal,
	sdk.ClientMethodTerminalOutput:      (*Session).terminalOutput,
	sdk.ClientMethodTerminalWaitForExit: (*Session).waitForExit,
	sdk.ClientMethodTerminalKill:        (*Session).killTerminal,
	sdk.ClientMethodTerminalRelease:     (*Session).releaseTerminal,
}

// Answer handles a request from the agent. byID returns the session with the given ID, or nil. For an unknown method,
// Answer returns the JSON-RPC error "method not found". For an unknown session, a permission request or an elicitation
// is answered as canceled, and any other request with the error for invalid params.
func Answer(ctx context.Context, log *slog.Logger, byID func(id string) *Session, method string, params gjson.Result) (any, *sdk.RequestError) {
	if method == sdk.ClientMethodSessionRequestPermission {
		s := byID(params.Get("sessionId").String())
		if s == nil {
			log.Warn("rejected a permission request for an unknown session")
			return cancelled, nil
		}
		return s.permission(ctx, params), nil
	}
	if method == sdk.ClientMethodElicitationCreate {
		return elicit(ctx, byID(params.Get("sessionId").String()), params)
	}
	serve := services[method]
	if serve == nil {
		return nil, sdk.NewMethodNotFound(method)
	}
	if !params.IsObject() {
		return nil, args.Bad("The params of " + method + " must be an object.")
	}
	id, rerr := args.Text(params, "sessionId")
	if rerr != nil {
		return nil, rerr
	}
	s := byID(id)
	if s == nil {
		return nil, args.Bad("Unknown session " + excerpt.FirstLine(id, 100) + ".")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.cfg.Process, cancel)()
	s.log.Debug("request from the agent", "method", method)
	return serve(s, ctx, params)
}

// Option IDs of VoxPilot's own permission requests. If a rule can be created from the request, the window
// also offers "Always allow".
const (
	optionAllow  = "allow_once"
	optionReject = "reject_once"
)

// ownOptions returns the options of VoxPilot's own permission requests.
func ownOptions() []backend.Option {
	return []backend.Option{
		{ID: optionAllow, Kind: backend.OptionAllowOnce, Name: "Allow once"},
		{ID: optionReject, Kind: backend.OptionRejectOnce, Name: "Reject"},
	}
}

// askUser completes p, VoxPilot's own permission request for the tool call t, and waits for the decision (Config.Ask).
// It returns nil if p is allowed, and otherwise the error response to the agent. params are the parameters of the
// agent's request.
func (s *Session) askUser(ctx context.Context, params gjson.Result, t *toolItem, p backend.Permission) *sdk.RequestError {
	s.mu.Lock()
	t.hasRequest = true
	p.ID, p.ChatID, p.TurnID, p.Session, p.ItemID, p.Folder = backend.NewID(), s.chatID, s.turn, s.Name, t.item.ID, s.Folder
	p.State, p.CreatedAt, p.Raw = backend.PermissionOpen, acp.ArrivedAt(ctx), request.Raw(params)
	p.Options = ownOptions()
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
		return &sdk.RequestError{Code: acp.CodeCancelled, Message: "The request was canceled before the user answered it: " + p.Title}
	case p.OptionID != optionAllow:
		s.recordDecision(t, p)
		return &sdk.RequestError{Code: acp.CodeInternal, Message: "This wasn't allowed: " + p.Title, Data: map[string]any{"rejected": true}}
	}
	s.recordDecision(t, p)
	return nil
}

// currentTurn returns a context that is canceled when the running turn ends. If no turn is running, the
// context is never canceled.
func (s *Session) currentTurn() context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.running {
		return context.Background()
	}
	return s.turnCtx
}

// grant is a permission that the agent requested and received in this turn. If the agent then asks VoxPilot
// to perform the permitted operation, VoxPilot doesn't ask the user again.
type grant struct {
	path     string             // resolved path, or "" for a command
	write    bool               // covers one write of path; if false, it covers any number of reads
	command  []string           // for a command: its complete lines in all forms in which the agent may write it
	run      *request.Run       // for a command: the commands, of which one may be run once
	proposed []diff.Replacement // for a write: the change that the user was shown, or nil
}

// grant stores a permission if the user, a rule or the mode allowed the agent's request p. call is the tool call in the
// request. The permission covers the commands in run or the requested files, whose resolved paths are in r.
func (s *Session) grant(p backend.Permission, call gjson.Result, r *request.Paths, run *request.Run) {
	i := slices.IndexFunc(p.Options, func(o backend.Option) bool { return o.ID == p.OptionID })
	if i < 0 || p.Options[i].Kind != backend.OptionAllowOnce && p.Options[i].Kind != backend.OptionAllowAlways {
		return
	}
	var given []grant
	switch p.Kind {
	case backend.ToolExecute:
		names := p.Commands
		if len(names) == 0 { // the request names the command only in its title
			names = []string{strings.Trim(p.Title, "`")}
		}
		if p.Unclear || run == nil {
			break // the user is asked again when the command is run
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
				given = append(given, grant{path: file, write: true, proposed: r.Proposed[file]})
			}
		}
	default: // agents don't ask VoxPilot to perform operations of other kinds
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.grants = append(s.grants, given...)
	if p.Options[i].Kind == backend.OptionAllowAlways {
		s.permissionWatch.grant(p.Kind)
	}
}

// granted reports whether want(g) is true for one of this turn's grants g. If that grant covers only one operation,
// granted removes it.
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

// runGranted is the counterpart of granted for commands: it reports whether covers returns true for the commands of one
// of the grants. It doesn't hold s.mu while it calls covers, so covers may read files.
func (s *Session) runGranted(covers func(*request.Run) bool) bool {
	s.mu.Lock()
	grants := slices.Clone(s.grants)
	s.mu.Unlock()
	return slices.ContainsFunc(grants, func(g grant) bool {
		return g.run != nil && covers(g.run) && s.granted(func(now grant) bool { return now.run == g.run })
	})
}

// callFor returns the open tool call to which a request from the agent belongs, or nil if there is none. The call must
// be of one of the given kinds, and be accepted by the function match or the function vague. Calls accepted by match
// take precedence over the others. Among calls of equal precedence, the newest one wins. The caller must hold s.mu.
func (s *Session) callFor(kinds []backend.ToolKind, match, vague func(*toolItem) bool) *toolItem {
	var best *toolItem
	rank := 0
	for _, t := range s.tools {
		r := 0
		switch {
		case !t.item.Open || !slices.Contains(kinds, t.item.Tool.Kind):
		case match(t):
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

// ownCall adds a tool call to the transcript for an operation that the agent requests from VoxPilot and
// that belongs to none of the agent's tool calls. The caller must hold s.mu.
func (s *Session) ownCall(tool backend.Tool) *toolItem {
	t := s.toolByID(backend.NewID())
	tool.CallID, tool.Status = t.item.Tool.CallID, backend.ToolInProgress
	*t.item.Tool = tool
	t.isOwn = true
	s.emitTool(t)
	return t
}

// endOwn ends a tool call made by ownCall. If rerr isn't nil, the call becomes failed or canceled. endOwn ignores other
// calls, because the agent ends those itself.
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
