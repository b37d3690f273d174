package session

import (
	"cmp"
	"context"
	"slices"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/acp"
	"github.com/voxpilot/voxpilot/backend/agent/request"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// cancelled is the response to a permission request for which no option was chosen.
var cancelled = sdk.RequestPermissionResponse{Outcome: sdk.NewRequestPermissionOutcomeCancelled()}

// permission handles session/request_permission: it decides the request and returns the response.
func (s *Session) permission(ctx context.Context, params gjson.Result) sdk.RequestPermissionResponse {
	if s.refuseUnsandboxed(params) {
		return cancelled
	}
	p, ok := s.decide(ctx, params, nil)
	if !ok {
		return cancelled
	}
	return sdk.RequestPermissionResponse{Outcome: sdk.NewRequestPermissionOutcomeSelected(sdk.PermissionOptionId(p.OptionID))}
}

// decide decides a permission request, asking the user if necessary. The function complete, unless nil, is called
// before the decision and may change the request. ok is false if no option was chosen. Each request is decided in its
// own goroutine; several requests may be open at the same time, even for one tool call.
func (s *Session) decide(ctx context.Context, params gjson.Result, complete func(*backend.Permission)) (p backend.Permission, ok bool) {
	if s.latePermission(params.Get("toolCall")) {
		return p, false
	}
	q, ok := s.request(params, acp.ArrivedAt(ctx))
	if !ok {
		return p, false
	}
	defer q.done()
	p, t := q.p, q.call
	if complete != nil {
		complete(&p)
	}
	if len(p.Options) == 0 {
		s.log.Warn("rejected a permission request without options", "title", p.Title)
		return p, false
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
	case p.Decision == backend.DecisionRejected: // but the agent offers no option to reject
		s.recordDecision(t, p)
		return p, false
	default:
		p.Decision = backend.DecisionClosed
		s.recordDecision(t, p)
		return p, false
	}
	if p.Sandbox == "" { // otherwise the guard's answer decides how the command runs
		s.grant(p, params.Get("toolCall"), q.paths, q.run)
	}
	s.recordDecision(t, p)
	return p, true
}

// allowOwnTool allows a request for a VoxPilot tool once and stores the decision. If the decision can't be stored or
// the agent doesn't offer to allow the request once, allowOwnTool returns false. The caller must then ask the user.
func (s *Session) allowOwnTool(ctx context.Context, p *backend.Permission) bool {
	i := slices.IndexFunc(p.Options, func(o backend.Option) bool { return o.Kind == backend.OptionAllowOnce })
	if i < 0 {
		return false
	}
	allowed := *p
	allowed.State, allowed.Decision, allowed.OptionID = backend.PermissionDecided, backend.DecisionAutoAllowed, p.Options[i].ID
	allowed.DecidedAt = backend.Now()
	if err := s.cfg.Commit(ctx, backend.Event{Permission: &allowed}); err != nil {
		s.log.Warn("couldn't allow a VoxPilot tool", "title", p.Title, "err", err)
		return false
	}
	*p = allowed
	return true
}

// pendingRequest is a permission request that is ready to be decided.
type pendingRequest struct {
	p         backend.Permission
	call      *toolItem
	paths     *request.Paths  // the files that the request concerns, for display and decision
	run       *request.Run    // the commands that the request concerns, or nil
	turn      context.Context // canceled when the running turn ends; nil if none is running
	isOwnTool bool            // the request is for one of VoxPilot's own tools
	done      func()          // must be called once the request is decided
}

// request creates a Permission from the agent's request, and publishes the tool call and a preview of the effects. The
// parameter at is the arrival time of the agent's request. If the turn ends while the files are read, the returned
// boolean is false.
//
// The files are read without holding s.mu, so that a slow disk delays only this request.
func (s *Session) request(params gjson.Result, at backend.Millis) (pendingRequest, bool) {
	l := s.parseRequest(params)
	l.p.CreatedAt = at
	l.inspect(s)
	return s.present(l)
}

// parseRequest applies a permission request to its tool call, which it creates if necessary. It returns an inspection
// with everything that can be determined without reading files; inspection.inspect determines the rest.
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
	if v := call.Get("kind").String(); v == "" { // then the call's kind applies
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
	// A call may request permission twice, for example for a path outside the folder and then for the
	// edit. The current request is the one to show and decide. The call's title takes precedence,
	// because it is more informative, unless the request is of another kind.
	title, kind := tool.Title, tool.Kind
	if want.Kind != "" && want.Kind != tool.Kind {
		title, kind = want.Title, want.Kind
	}
	if title == "" {
		title = want.Title
	}
	text := request.Text(call)
	if kind == "" || kind == backend.ToolOther { // some agents never state a kind
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
		contradictions: against, matchesCall: kind == tool.Kind, proposed: t.shownFiles(), named: request.NamedPaths(s.Folder, call, kind),
		p: backend.Permission{
			ID: backend.NewID(), ChatID: s.chatID, TurnID: s.turn, Session: s.Name, Folder: s.Folder, ItemID: t.item.ID,
			State: backend.PermissionOpen, Title: title, Kind: kind, Path: want.Path, To: want.To,
			Command: want.Command, Commands: asked.commands,
			Raw: request.Raw(params),
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

// present completes an inspected request and publishes the content shown for it. It
// returns false if the request's turn ended while its files were being read; the user is
// then not asked.
func (s *Session) present(l *inspection) (pendingRequest, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, r, p := l.t, l.requestPaths, &l.p
	tool := t.item.Tool
	if s.unloaded.Load() || s.stopped || s.running != l.running || s.turn != l.turn {
		s.log.Warn("rejected a permission request at the end of its turn")
		if tool.Decision == "" {
			tool.Decision = backend.DecisionClosed
		}
		s.emitTool(t)
		return pendingRequest{}, false
	}
	if tool.Command == "" {
		tool.Command = p.Command
	}
	// The preview may show more files than the request names. The decision covers all that are shown.
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
	} // otherwise a rule wouldn't cover exactly what is requested

	s.emitTool(t)
	s.cfg.Publish(shown...)
	ours := t.isForOwnTool(l.call)
	if t.hidden {
		p.ItemID = "" // the call isn't shown
		p.Title = "Delegate to session " + excerpt.FirstLine(l.call.Get("rawInput.session_name").String(), 100)
	}
	if !s.running {
		return pendingRequest{*p, t, r, l.run, nil, ours, func() {}}, true
	}
	s.openRequests.Add(1)
	return pendingRequest{*p, t, r, l.run, s.turnCtx, ours, s.openRequests.Done}, true
}

// measureWait starts to measure the time that the tool call waits for a decision. The returned function ends the
// measurement and adds the time to Item.Waited. Time in which several waits overlap counts only once.
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

// recordDecision adds the decision on the request p to the tool call.
func (s *Session) recordDecision(t *toolItem, p backend.Permission) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := p.Decision
	t.item.Tool.Decision, t.item.Tool.DecidedBy = d, p.Source()
	if d == backend.DecisionRejected {
		s.userRejected = true
	}
	allowed := d == backend.DecisionAllowedOnce || d == backend.DecisionAlwaysAllowed || d == backend.DecisionAutoAllowed
	if !allowed { // a later request must name these files again
		for _, sl := range t.slots {
			sl.refused = true
		}
	}
	if allowed && t.item.Open && t.item.Tool.Status == backend.ToolPending {
		s.setStatus(t, backend.ToolInProgress)
	}
	s.emitTool(t)
}

// scope returns the scope of the rule that "Always allow" would create for the request p. r contains the paths of the
// request. If no such rule is possible, for example because the request has several commands, scope returns nil.
func (s *Session) scope(p backend.Permission, r *request.Paths) *backend.Scope {
	switch {
	case request.KindGroup(p.Kind) == backend.ToolEdit && p.Path != "" && (p.Kind != backend.ToolMove || p.To != "") && r.AllInFolder():
		return &backend.Scope{Kind: backend.RuleEdits, Folder: s.Folder}
	case p.Kind == backend.ToolExecute && len(p.Commands) == 1:
		return &backend.Scope{Kind: backend.RuleCommand, Folder: s.Folder, Command: p.Commands[0]}
	}
	return nil
}
