package session

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/request"
	"github.com/voxpilot/voxpilot/backend/agent/result"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// toolItem is a tool call and its contents.
type toolItem struct {
	item      backend.Item
	slots     map[string]*slot
	isOwn     bool         // added by ownCall; the agent has no such call
	ownTool   string       // name of the called tool of VoxPilot's servers, or ""
	hidden    bool         // the call's row isn't shown; its effects are
	published bool         // the item has been published
	last      backend.Item // as last published, with lastTool as its Tool
	lastTool  backend.Tool

	paths             []string        // absolute paths that the call names, if its kind can change files
	commands          []string        // complete commands, or the URLs of a fetch
	cwd               string          // absolute working directory, if named
	input             bool            // the call's input is known
	hasRequest        bool            // the agent requested permission for the call
	namesTarget       bool            // the agent named a file or command
	fromRequest       bool            // a permission request was the first message about the call
	killed            bool            // the user, the agent or VoxPilot killed the command
	needsNoPermission bool            // the agent didn't have to request permission when the call started
	checked           bool            // checkPermission has checked the completed call
	isLate            bool            // still open when its turn was stopped
	inputHash         string          // guard.HashInput of the input, or ""
	guarded           bool            // the guard reported the call before it ran
	problem           backend.Message // why VoxPilot refused to let the command run
	hasWritten        bool            // VoxPilot wrote a file for the call
	diskChecked       bool            // Tool.Creates is certain, because the disk was checked
	openWaits         int             // number of the call's requests waiting for the user
	waitingSince      backend.Millis  // time at which the first of these requests started to wait
	query             result.Query    // parsed from the input
}

// tool applies a tool_call or a tool_call_update to its call. Either may be the first update about a call.
func (s *Session) tool(up gjson.Result) {
	id := up.Get("toolCallId").String()
	if id == "" {
		s.unknown(up.Get("sessionUpdate").String(), up)
		return
	}
	s.release()
	before, known := s.tools[id]
	if known && before.isLate && s.running && !s.stopped && startsCall(up) {
		delete(s.tools, id) // the agent reuses call IDs in each turn
		known = false
	}
	t := s.toolByID(id)
	if !known {
		s.markOwnTool(t, up)
	}
	s.reconsider(t, up)
	s.describe(t, up)
	t.addInput(up.Get("rawInput"))
	if t.ownTool != "" {
		t.item.Tool.Title = t.ownTool // omit the server's name
	}

	content := up.Get("content")
	status := backend.ToolStatus(up.Get("status").String())
	switch status {
	case backend.ToolPending, backend.ToolInProgress, backend.ToolCompleted, backend.ToolFailed:
	default:
		status = t.item.Tool.Status
		if status == backend.ToolPending && content.Exists() && up.Get("sessionUpdate").String() == "tool_call_update" {
			status = backend.ToolInProgress // the tool has started to return output
		}
	}
	s.setStatus(t, status)
	if !t.item.Open && len(s.call.items) == 0 {
		s.call.startedAt = backend.Now() // the next model call starts after this call
	}

	out := up.Get("rawOutput")
	if code := out.Get(`contents.#(type=="shell_exit").exitCode`); code.Exists() {
		n := int(code.Int())
		t.item.Tool.ExitCode = &n
	}
	if signal := result.Signal(out); signal != "" {
		t.setSignal(signal, t.killed)
		s.setStatus(t, status)
	}
	if out.Get("code").String() == "rejected" && t.item.Tool.Decision == "" {
		t.item.Tool.Decision = backend.DecisionRejected
	}
	switch {
	case status == backend.ToolFailed:
		t.item.Tool.ResultSummary = cmp.Or(t.problem, backend.Plain(excerpt.FirstLine(out.Get("message").String(), 120)), t.item.Tool.ResultSummary)
	case status == backend.ToolCompleted && out.IsObject():
		t.item.Tool.ResultSummary = cmp.Or(t.query.Summary(t.item.Tool.Kind, out), t.item.Tool.ResultSummary)
	}
	if !known && !startsCall(up) && t.item.Tool.Title == "" && !t.item.Open {
		// The update ends a call of an earlier process. The call's own item is in its original turn.
		if out.Get("code").String() == "interrupted" { // which the call's item already shows
			delete(s.tools, id)
			s.summary.calls = s.summary.calls[:len(s.summary.calls)-1]
			return
		}
		t.item.Tool.Title, t.item.Tool.ResultSummary = "Earlier tool call", backend.Say("no result")
		if t.item.Tool.Status == backend.ToolFailed {
			s.setStatus(t, backend.ToolCancelled)
		}
	}
	s.checkPermission(t)
	// Create the content items first, because they may set the exit code, but publish
	// them after the tool call's item.
	var contents []backend.Event
	if content.IsArray() {
		contents = s.contents(t, content, out)
	} else if out.Exists() && out.Type != gjson.Null && !s.showsCommand(t) {
		contents = s.output(t, out)
	}
	s.markRanAnyway(t, up)
	s.emitTool(t)
	s.cfg.Publish(contents...)
	if startsCall(up) {
		s.noteCall(t, up.Get("rawInput"))
	}
}

// startsCall reports whether an update announces an unfinished call.
func startsCall(up gjson.Result) bool {
	status := backend.ToolStatus(up.Get("status").String())
	return up.Get("sessionUpdate").String() == "tool_call" && status != backend.ToolCompleted && status != backend.ToolFailed
}

// addInput sets the call's query from its input. The Copilot CLI reports searches as reads; addInput recognizes them by
// the search pattern in the input.
func (t *toolItem) addInput(in gjson.Result) {
	if in.IsObject() {
		t.query = result.QueryOf(in)
	}
	tool, pattern := t.item.Tool, t.query.Pattern
	if pattern != "" && (tool.Kind == backend.ToolRead || tool.Kind == backend.ToolSearch) {
		tool.Kind, tool.Command = backend.ToolSearch, excerpt.FirstLine(pattern, 300)
	}
}

// toolByID returns the tool call with the given ID, creating it if necessary. A new call ends the current text and
// model call. The caller must hold s.mu.
func (s *Session) toolByID(id string) *toolItem {
	if t := s.tools[id]; t != nil {
		return t
	}
	s.closeText()
	s.endModelCall()
	it := s.newItem(backend.ItemTool)
	it.Tool = &backend.Tool{CallID: id, Kind: backend.ToolOther, Status: backend.ToolPending}
	t := &toolItem{item: it, slots: map[string]*slot{}, needsNoPermission: s.allowsAll()}
	if s.tools == nil {
		s.tools = map[string]*toolItem{}
	}
	s.tools[id] = t
	s.summary.calls = append(s.summary.calls, t)
	return t
}

// emitTool publishes the call's item if it has changed and isn't hidden.
func (s *Session) emitTool(t *toolItem) {
	if t.hidden {
		return
	}
	if t.published && reflect.DeepEqual(*t.item.Tool, t.lastTool) && t.item.Open == t.last.Open && t.item.Waited == t.last.Waited {
		return
	}
	tool := *t.item.Tool
	it := t.item
	it.Tool = &tool
	t.published, t.last, t.lastTool = true, it, tool
	s.emitItem(it)
}

// describe updates the tool call's title, kind, paths, commands and working directory from the given update or
// permission request.
func (s *Session) describe(t *toolItem, up gjson.Result) {
	tool := t.item.Tool
	if v := up.Get("title").String(); v != "" {
		tool.Title = v
	}
	if v := up.Get("kind").String(); v != "" {
		tool.Kind = toolKind(v)
	}
	if v := up.Get("locations.0.path").String(); v != "" {
		tool.Path = request.Abs(s.Folder, v)
	}
	if v := up.Get("locations.1.path").String(); v != "" && tool.Kind == backend.ToolMove {
		tool.To = request.Abs(s.Folder, v)
	}
	in := up.Get("rawInput")
	if tool.Path == "" {
		if v := request.Path(in); v != "" {
			tool.Path = request.Abs(s.Folder, v)
		} else if v := request.From(in); v != "" && tool.Kind == backend.ToolMove {
			tool.Path = request.Abs(s.Folder, v)
		}
	}
	if v := request.To(in); tool.To == "" && v != "" && tool.Kind == backend.ToolMove {
		tool.To = request.Abs(s.Folder, v)
	}
	t.input = t.input || in.Exists() && in.Type != gjson.Null
	if cmds := request.CommandLines(in); len(cmds) > 0 {
		tool.Command, t.commands = excerpt.FirstLine(cmds[0], 300), cmds
	} else if found := request.Addresses(in); len(found) > 0 && tool.Kind == backend.ToolFetch {
		tool.Command, t.commands = request.Host(found[0]), found
	}
	if v := request.Cwd(in); v != "" && tool.Kind == backend.ToolExecute {
		t.cwd = request.Abs(s.Folder, v)
	}
	paths := request.NamedPaths(s.Folder, up, tool.Kind)
	t.namesTarget = t.namesTarget || len(paths) > 0 || len(request.CommandLines(in)) > 0
	if request.Mutates(tool.Kind) {
		for _, path := range append(paths, tool.Path) {
			if path != "" && !slices.Contains(t.paths, path) {
				t.paths = append(t.paths, path)
			}
		}
	}
}

// toolKind converts v, the name of a tool kind in ACP. Unknown kinds become ToolOther.
func toolKind(v string) backend.ToolKind {
	switch k := backend.ToolKind(v); k {
	case backend.ToolRead, backend.ToolEdit, backend.ToolDelete, backend.ToolMove, backend.ToolSearch,
		backend.ToolExecute, backend.ToolThink, backend.ToolFetch:
		return k
	default:
		return backend.ToolOther
	}
}

// setSignal records the signal that killed the call's command. killed is true if the user, the agent or
// VoxPilot killed the command on purpose. setSignal does nothing if signal is "".
func (t *toolItem) setSignal(signal string, killed bool) {
	if signal == "" {
		return
	}
	t.item.Tool.Signal, t.killed = signal, killed
	t.item.Tool.ResultSummary = backend.Say("killed by %s", signal)
}

// setStatus sets the call's status, and opens or closes its item accordingly. A completed call whose command
// was killed by a signal becomes canceled or failed.
func (s *Session) setStatus(t *toolItem, status backend.ToolStatus) {
	switch {
	case status != backend.ToolCompleted || t.item.Tool.Signal == "":
	case t.killed:
		status = backend.ToolCancelled
	default:
		status = backend.ToolFailed
	}
	t.item.Tool.Status = status
	open := status == backend.ToolPending || status == backend.ToolInProgress
	if !open && t.item.EndedAt == 0 {
		t.item.EndedAt = backend.Now()
		for _, sl := range t.slots {
			sl.steps = nil
		}
	} else if open {
		t.item.EndedAt = 0
	}
	t.item.Open = open
}

// closeTool closes a tool call that is still open at the end of its turn. cut means that the turn was
// canceled or the agent exited. The caller must hold s.mu.
func (s *Session) closeTool(t *toolItem, cut bool) {
	status := backend.ToolCancelled
	switch {
	case t.hasWritten:
		status = backend.ToolCompleted
	case t.item.Tool.Decision == backend.DecisionRejected:
		status = backend.ToolFailed // some agents send no further update
	case !cut && t.item.Tool.Status == backend.ToolInProgress:
		status = backend.ToolCompleted
	}
	s.setStatus(t, status)
	s.checkPermission(t)
	s.permissionWatch.noteUnended(t)
	s.emitTool(t)
}
