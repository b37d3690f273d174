package session

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/acp"
	"github.com/voxpilot/voxpilot/backend/agent/request"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// maxRaw is the size up to which a request is kept as it came.
const maxRaw = 1 << 20

// cancelled is the answer to a request for permission that nobody decides.
var cancelled = sdk.RequestPermissionResponse{Outcome: sdk.NewRequestPermissionOutcomeCancelled()}

// permission asks the user and answers the agent. It runs in a goroutine of
// its own for each request; several may be open at once, and several for one
// tool call.
func (s *Session) permission(ctx context.Context, params gjson.Result) sdk.RequestPermissionResponse {
	if s.latePermission(params.Get("toolCall")) {
		return cancelled
	}
	q, ok := s.request(params, acp.ArrivedAt(ctx))
	if !ok {
		return cancelled
	}
	defer q.done()
	p, t := q.p, q.call
	if len(p.Options) == 0 {
		s.log.Warn("a permission was asked for with no option to choose; it was not given", "title", p.Title)
		return cancelled
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.cfg.Process, cancel)()
	if q.turn != nil {
		defer context.AfterFunc(q.turn, cancel)()
	}
	if q.run != nil {
		q.run.Resolve(s.cfg.Env())
	}
	ok = q.isOwnTool && s.allowOwnTool(ctx, &p)
	if !ok {
		waited := s.measureWait(t)
		p, ok = s.cfg.Ask(ctx, p)
		waited()
	}
	switch {
	case ok:
	case p.Decision == backend.DecisionRejected: // and the agent offers no such option
		s.recordDecision(t, p)
		return cancelled
	default:
		p.Decision = backend.DecisionClosed
		s.recordDecision(t, p)
		return cancelled
	}
	s.grant(p, params.Get("toolCall"), q.paths, q.run)
	s.recordDecision(t, p)
	return sdk.RequestPermissionResponse{Outcome: sdk.NewRequestPermissionOutcomeSelected(sdk.PermissionOptionId(p.OptionID))}
}

// allowOwnTool allows what a tool of ours asks for, once, and keeps that it did. It
// is false where that cannot be kept, or the agent offers no such option: then the
// user is asked.
func (s *Session) allowOwnTool(ctx context.Context, p *backend.Permission) bool {
	i := slices.IndexFunc(p.Options, func(o backend.Option) bool { return o.Kind == backend.OptionAllowOnce })
	if i < 0 {
		return false
	}
	allowed := *p
	allowed.State, allowed.Decision, allowed.OptionID = backend.PermissionDecided, backend.DecisionAutoAllowed, p.Options[i].ID
	allowed.DecidedAt = backend.Now()
	if err := s.cfg.Commit(ctx, backend.Event{Permission: &allowed}); err != nil {
		s.log.Warn("a tool of ours could not be allowed", "title", p.Title, "err", err)
		return false
	}
	*p = allowed
	return true
}

// pendingRequest is a request for permission on its way to the user.
type pendingRequest struct {
	p         backend.Permission
	call      *toolItem
	paths     *request.Paths  // what it is about, as it is shown and decided
	run       *request.Run    // the commands that it is about; nil if there are none
	turn      context.Context // ends when the running turn does; nil where none runs
	isOwnTool bool            // it is about a tool of a server of ours
	done      func()          // is to be called when it was answered
}

// request makes a Permission of the agent's request and publishes what belongs
// to it: the tool call, and a preview of what it would do. It is false where the
// turn of the request ended meanwhile.
//
// It looks at the files without s.mu, so that a slow disk delays this request and
// nothing else of the session.
func (s *Session) request(params gjson.Result, at backend.Millis) (pendingRequest, bool) {
	l := s.parseRequest(params)
	l.p.CreatedAt = at
	l.inspect(s)
	return s.present(l)
}

// parseRequest takes what a request says.
func (s *Session) parseRequest(params gjson.Result) *inspection {
	s.mu.Lock()
	defer s.mu.Unlock()
	call := params.Get("toolCall")
	id := call.Get("toolCallId").String()
	if id == "" {
		id = backend.NewID()
	}
	s.release()
	_, known := s.tools[id]
	t := s.toolByID(id)
	t.hasRequest = true
	s.reconsider(t, call)
	asked := &toolItem{item: backend.Item{Tool: &backend.Tool{}}}
	if v := call.Get("kind").String(); v == "" { // then it is of the call's kind
		asked.item.Tool.Kind = t.item.Tool.Kind
	}
	s.describe(asked, call)
	want, tool := asked.item.Tool, t.item.Tool
	var against []string
	if known {
		against = t.contradictions(asked)
	}
	if !known {
		*tool = *want
		tool.CallID, tool.Status = id, backend.ToolPending
		t.paths, t.commands, t.input, t.namesTarget = asked.paths, asked.commands, asked.input, asked.namesTarget
		t.fromRequest = true
	}
	// One call may ask for two things, such as a path outside of the folder and
	// then the edit. What is asked for now is what counts here; the call keeps
	// its own title, which says more, unless this is about something else.
	title, kind := tool.Title, tool.Kind
	if want.Kind != "" && want.Kind != tool.Kind {
		title, kind = want.Title, want.Kind
	}
	if title == "" {
		title = want.Title
	}
	text := request.Text(call)
	if kind == "" || kind == backend.ToolOther { // some agents say of no call what kind it is
		if k, file, command := request.DisplayedKind(s.Folder, call, want.Path, asked.commands, t.commands); k != "" {
			kind, tool.Kind = k, k
			want.Path = cmp.Or(want.Path, file)
			if command != "" {
				want.Command, asked.commands = excerpt.FirstLine(command, 300), []string{command}
			}
			if len(t.commands) == 0 {
				t.commands = asked.commands
			}
		}
	}
	if want.Path == "" {
		want.Path = tool.Path
	}
	if want.To == "" && kind == backend.ToolMove {
		want.To = tool.To
	}
	if len(asked.commands) == 0 && kind == tool.Kind {
		want.Command, asked.commands = tool.Command, t.commands
	}
	if asked.cwd == "" && kind == tool.Kind {
		asked.cwd = t.cwd
	}
	if tool.Path == "" {
		tool.Path = want.Path
	}
	l := &inspection{
		params: params, call: call, text: text, cwd: asked.cwd, t: t, turn: s.turn, running: s.running,
		contradictions: against, matchesCall: kind == tool.Kind, shown: t.shownFiles(), named: request.NamedPaths(s.Folder, call, kind),
		p: backend.Permission{
			ID: backend.NewID(), ChatID: s.chatID, TurnID: s.turn, Session: s.Name, Folder: s.Folder, ItemID: t.item.ID,
			State: backend.PermissionOpen, Title: title, Kind: kind, Path: want.Path, To: want.To,
			Command: want.Command, Commands: asked.commands,
			Raw: rawOf(params),
		},
	}
	l.paths = slices.Concat(l.named, t.paths)
	params.Get("options").ForEach(func(_, o gjson.Result) bool {
		l.p.Options = append(l.p.Options, backend.Option{
			ID: o.Get("optionId").String(), Kind: backend.OptionKind(o.Get("kind").String()), Name: o.Get("name").String(),
		})
		return true
	})
	return l
}

// present publishes what a request shows. It is false where the turn of the request
// ended while its files were looked at: then the user is not asked.
func (s *Session) present(l *inspection) (pendingRequest, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, r, p := l.t, l.requestPaths, &l.p
	tool := t.item.Tool
	if s.unloaded.Load() || s.stopped || s.running != l.running || s.turn != l.turn {
		s.log.Warn("a request for permission came as its turn ended; it was not asked")
		if tool.Decision == "" {
			tool.Decision = backend.DecisionClosed
		}
		s.emitTool(t)
		return pendingRequest{}, false
	}
	if tool.Command == "" {
		tool.Command = p.Command
	}
	// What is shown is more than what is named, and all of it is decided on.
	shown := s.preview(l)
	shown = s.addRequestText(shown, t, p, l.text)
	p.Outside, p.Unclear, p.Names = r.Outside(), r.Unclear || l.mixed && p.Kind != backend.ToolExecute, r.Names()
	if p.Kind == backend.ToolEdit && tool.Kind == backend.ToolEdit {
		tool.Creates, t.diskChecked = p.Creates, true
	}
	doubts := append(request.Doubts(l.params, p.Kind), l.contradictions...)
	if request.KindGroup(p.Kind) == backend.ToolEdit && (len(r.Files) == 0 || p.Kind == backend.ToolMove && p.To == "") {
		doubts = append(doubts, "path")
	}
	for _, name := range doubts {
		p.Marks = append(p.Marks, request.MarkUnclear(l.call, name))
	}
	p.Unclear = p.Unclear || len(doubts) > 0
	if !l.hasOtherFiles && !r.More && !l.mixed && !p.Unclear {
		p.Scope = s.scope(*p, r)
	} // else what it names is named by nothing else

	s.emitTool(t)
	s.cfg.Publish(shown...)
	ours := t.isForOwnTool(l.call)
	if t.hidden {
		p.ItemID = "" // there is none
		p.Title = "Delegate to session " + excerpt.FirstLine(l.call.Get("rawInput.session_name").String(), 100)
	}
	if !s.running {
		return pendingRequest{*p, t, r, l.run, nil, ours, func() {}}, true
	}
	s.openRequests.Add(1)
	return pendingRequest{*p, t, r, l.run, s.turnCtx, ours, s.openRequests.Done}, true
}

// measureWait measures how long the tool call waits for the user until done is called.
func (s *Session) measureWait(t *toolItem) (done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.openWaits++; t.openWaits == 1 {
		t.waitingSince = backend.Now()
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if t.openWaits--; t.openWaits == 0 {
			t.item.Waited += max(0, backend.Now()-t.waitingSince)
		}
	}
}

// sourceOf is who or what made the decision of a request; nil if that was neither
// the user nor a rule or a mode.
func sourceOf(p backend.Permission) *backend.DecisionSource {
	by := &backend.DecisionSource{Kind: backend.DecidedByUser, At: p.DecidedAt, Reason: p.Reason}
	switch {
	case p.Rule != nil:
		by.Kind, by.Rule = backend.DecidedByRule, p.Rule
	case p.Mode != "":
		by.Kind, by.Mode = backend.DecidedByMode, p.Mode
	case p.Decision == backend.DecisionAutoAllowed || p.Decision == backend.DecisionClosed: // by VoxPilot itself
		return nil
	}
	return by
}

// recordDecision notes on the tool call how the request p ended.
func (s *Session) recordDecision(t *toolItem, p backend.Permission) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := p.Decision
	t.item.Tool.Decision, t.item.Tool.DecidedBy = d, sourceOf(p)
	if d == backend.DecisionRejected {
		s.userRejected = true
	}
	allowed := d == backend.DecisionAllowedOnce || d == backend.DecisionAlwaysAllowed || d == backend.DecisionAutoAllowed
	if !allowed { // it is not about these any more, unless it names them again
		for _, sl := range t.slots {
			sl.refused = true
		}
	}
	if allowed && t.item.Open && t.item.Tool.Status == backend.ToolPending {
		s.setStatus(t, backend.ToolInProgress)
	}
	s.emitTool(t)
}

// scope is what "Always allow" can mean for the request, which is about r.
func (s *Session) scope(p backend.Permission, r *request.Paths) *backend.Scope {
	switch {
	case request.KindGroup(p.Kind) == backend.ToolEdit && p.Path != "" && (p.Kind != backend.ToolMove || p.To != "") && r.AllInFolder():
		return &backend.Scope{Kind: backend.RuleEdits, Folder: s.Folder}
	case p.Kind == backend.ToolExecute && len(p.Commands) == 1:
		return &backend.Scope{Kind: backend.RuleCommand, Folder: s.Folder, Command: p.Commands[0]}
	}
	return nil
}

// rawOf is the request as it came, for the audit.
func rawOf(params gjson.Result) []byte {
	if len(params.Raw) <= maxRaw {
		return []byte(params.Raw)
	}
	b, _ := json.Marshal(map[string]any{ //nolint:errchkjson // strings only
		"sessionId": params.Get("sessionId").String(),
		"left_out":  fmt.Sprintf("the request, which was %d bytes", len(params.Raw)),
	})
	return b
}
