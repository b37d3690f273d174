package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	acp "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// maxRaw is the size up to which a request is kept as it came.
const maxRaw = 1 << 20

// permission asks the user and answers the agent. It runs in a goroutine of
// its own for each request; several may be open at once, and several for one
// tool call.
func (a *Agent) permission(ctx context.Context, k *link, params gjson.Result) acp.RequestPermissionResponse {
	cancelled := acp.RequestPermissionResponse{Outcome: acp.NewRequestPermissionOutcomeCancelled()}
	s := k.byID(params.Get("sessionId").String())
	if s == nil {
		k.log.Warn("a permission was asked for in a session that is not known; it was not given")
		return cancelled
	}
	if s.latePermission(params.Get("toolCall")) {
		return cancelled
	}
	p, t, r, turn, ours, done := s.request(params)
	defer done()
	if len(p.Options) == 0 {
		k.log.Warn("a permission was asked for with no option to choose; it was not given", "title", p.Title)
		return cancelled
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(k.ctx, cancel)()
	if turn != nil {
		defer context.AfterFunc(turn, cancel)()
	}
	if r.run != nil {
		r.run.resolve(commandEnv(k.launch, k.proc.mark))
	}
	ok := ours && a.allowOurs(ctx, &p)
	if !ok {
		waited := s.waits(t)
		p, ok = a.cfg.Ask(ctx, p)
		waited()
	}
	switch {
	case ok:
	case p.Decision == backend.DecisionRejected: // and the agent offers no such option
		s.decided(t, p)
		return cancelled
	default:
		p.Decision = backend.DecisionClosed
		s.decided(t, p)
		return cancelled
	}
	s.grant(p, params.Get("toolCall"), r)
	s.decided(t, p)
	return acp.RequestPermissionResponse{Outcome: acp.NewRequestPermissionOutcomeSelected(acp.PermissionOptionId(p.OptionID))}
}

// allowOurs allows what a tool of ours asks for, once, and keeps that it did. It
// is false where that cannot be kept, or the agent offers no such option: then the
// user is asked.
func (a *Agent) allowOurs(ctx context.Context, p *backend.Permission) bool {
	i := slices.IndexFunc(p.Options, func(o backend.Option) bool { return o.Kind == backend.OptionAllowOnce })
	if i < 0 {
		return false
	}
	allowed := *p
	allowed.State, allowed.Decision, allowed.OptionID = backend.PermissionDecided, backend.DecisionAutoAllowed, p.Options[i].ID
	allowed.DecidedAt = backend.Now()
	if err := a.cfg.Commit(ctx, backend.Event{Permission: &allowed}); err != nil {
		a.log.Warn("a tool of ours could not be allowed", "title", p.Title, "err", err)
		return false
	}
	*p = allowed
	return true
}

// request makes a Permission of the agent's request and publishes what belongs
// to it: the tool call, and a preview of what it would do. r is what the request
// is about, as it is shown and decided. turn ends when the
// running turn does; it is nil where none runs. ours says that it is about a tool
// of a server of ours. done is to be called when the request was answered.
func (s *session) request(params gjson.Result) (p backend.Permission, t *toolItem, r *reach, turn context.Context, ours bool, done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	call := params.Get("toolCall")
	id := call.Get("toolCallId").String()
	if id == "" {
		id = backend.NewID()
	}
	s.release()
	_, known := s.tools[id]
	t = s.toolByID(id)
	t.asked = true
	s.reconsider(t, call)
	asked := &toolItem{item: backend.Item{Tool: &backend.Tool{}}}
	if v := call.Get("kind").String(); v == "" { // then it is of the call's kind
		asked.item.Tool.Kind = t.item.Tool.Kind
	}
	s.describe(asked, call)
	want, tool := asked.item.Tool, t.item.Tool
	if !known {
		*tool = *want
		tool.CallID, tool.Status = id, backend.ToolPending
		t.paths, t.commands, t.input = asked.paths, asked.commands, asked.input
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
	text := textOfRequest(call)
	if kind == "" || kind == backend.ToolOther { // some agents say of no call what kind it is
		if k := s.kindShown(asked, call, text); k != "" {
			kind, tool.Kind = k, k
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
	var runs *runRequest
	if kind == backend.ToolExecute {
		lines := asked.commands
		if len(lines) == 0 { // the title is all that is asked about
			lines = []string{strings.Trim(title, "`")}
		}
		runs = s.runOf(asked.cwd, lines)
	}
	if kind == backend.ToolExecute && len(asked.commands) > 0 && asked.cwd != "" {
		asked.commands = s.inPlace(asked.cwd, asked.commands)
		want.Command = firstLine(asked.commands[0], 300)
	}
	if tool.Path == "" {
		tool.Path = want.Path
	}
	if tool.Command == "" {
		tool.Command = want.Command
	}

	named := s.namedPaths(call, kind)
	paths := slices.Concat(named, t.paths)
	r = reachOf(s.folder, want.Path, want.To)
	r.run = runs
	r.add(paths...)
	changes, changed, several := s.askedChanges(want.Path, paths, call, r)
	p = backend.Permission{
		ID: backend.NewID(), ChatID: s.chatID, TurnID: s.turn, Session: s.name, Folder: s.folder, ItemID: t.item.ID,
		State: backend.PermissionOpen, Title: title, Kind: kind, Path: want.Path, To: want.To,
		Command: want.Command, Commands: asked.commands,
		CreatedAt: backend.Now(), Raw: rawOf(params),
	}
	params.Get("options").ForEach(func(_, o gjson.Result) bool {
		p.Options = append(p.Options, backend.Option{
			ID: o.Get("optionId").String(), Kind: backend.OptionKind(o.Get("kind").String()), Name: o.Get("name").String(),
		})
		return true
	})
	// What is shown is more than what is named, and all of it is decided on.
	shown := s.preview(t, &p, changes, slices.Concat(named, changed), r)
	shown = s.sayText(shown, t, &p, text)
	p.Outside, p.Unclear, p.Names = r.outside(), r.unclear, r.names()
	doubts := doubtsOf(params, p.Kind)
	if kindGroup(p.Kind) == backend.ToolEdit && (len(r.files) == 0 || p.Kind == backend.ToolMove && p.To == "") {
		doubts = append(doubts, "path")
	}
	p.Unclear = p.Unclear || len(doubts) > 0
	if p.Kind == backend.ToolEdit && tool.Kind == backend.ToolEdit {
		tool.Creates, t.onDisk = p.Creates, true
	}
	if p.Kind == backend.ToolExecute {
		p.Marks = marksOf(s.folder, p.Commands)
	}
	for _, name := range doubts {
		p.Marks = append(p.Marks, unclearMark(params.Get("toolCall"), name))
	}
	if !several && !r.more && !p.Unclear {
		p.Scope = s.scope(p, r)
	} // else what it names is named by nothing else

	s.emitTool(t)
	s.publish(shown...)
	ours = t.asksForOurs(call)
	if t.hidden {
		p.ItemID = "" // there is none
		p.Title = "Give work to the session " + firstLine(call.Get("rawInput.session_name").String(), 100)
	}
	if !s.running {
		return p, t, r, nil, ours, func() {}
	}
	s.asks.Add(1)
	return p, t, r, s.turnCtx, ours, s.asks.Done
}

// waits measures how long the tool call waits for the user until done is called.
func (s *session) waits(t *toolItem) (done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.waits++; t.waits == 1 {
		t.since = backend.Now()
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if t.waits--; t.waits == 0 {
			t.item.Waited += max(0, backend.Now()-t.since)
		}
	}
}

// inPlace are the commands with the folder that they run in, where that is not the
// session's: a rule for one exact command must not cover it anywhere else.
func (s *session) inPlace(cwd string, commands []string) []string {
	place, err := workspace.Locate(s.folder, cwd)
	switch {
	case err != nil:
		place.Path = cwd
	case place.IsFolder():
		return commands
	}
	out := make([]string, len(commands))
	for i, line := range commands {
		out[i] = lineAt(place.Path, line)
	}
	return out
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

// decided notes on the tool call how the request p ended.
func (s *session) decided(t *toolItem, p backend.Permission) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := p.Decision
	t.item.Tool.Decision, t.item.Tool.DecidedBy = d, sourceOf(p)
	if d == backend.DecisionRejected {
		s.denied = true
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
func (s *session) scope(p backend.Permission, r *reach) *backend.Scope {
	switch {
	case kindGroup(p.Kind) == backend.ToolEdit && p.Path != "" && (p.Kind != backend.ToolMove || p.To != "") && r.below():
		return &backend.Scope{Kind: backend.RuleEdits, Folder: s.folder}
	case p.Kind == backend.ToolExecute && len(p.Commands) == 1:
		return &backend.Scope{Kind: backend.RuleCommand, Folder: s.folder, Command: p.Commands[0]}
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
