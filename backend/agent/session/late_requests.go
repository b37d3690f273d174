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
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// Requests of a turn that the user stopped. ACP gives a request no turn, and an
// agent that is slow to hear of the stop goes on with what it was doing, also
// when the next prompt of the session has begun. So a request is late when
//
//   - the turn is being stopped, or was and no other has begun, whatever it asks;
//   - it names a tool call that was open when its turn was stopped, and does not
//     begin another call under the same id (see startsAnotherCall);
//   - it is about a file or a command that such a call, or an unused permission
//     of that turn, was about, and neither a tool call nor a permission of the
//     turn that runs is about it.
//
// Some agents name no file or command in their tool calls: what such a call is
// about is known only from its requests. The next call of such an agent cannot
// name the file either, so an open call of the running turn that names nothing
// announces what a stopped call was about that named nothing. A stopped call that
// named its file or command itself is answered only by a call that does, too: an
// agent that names its files does so in each turn.
//
// VoxPilot refuses a late request: it writes and runs nothing, and does not ask
// the user. A request that is not late has no permission yet: rules, the mode or
// the user decide on it. So an agent that gets around this by naming things as it
// likes gains what any request of the running turn has, and its row says so.

// maxRevoked is how many permissions of stopped turns a session remembers, and
// maxLate how many of their tool calls; it forgets the oldest first.
const (
	maxRevoked = 200
	maxLate    = 200
)

// revokeGrants takes back all that the turn was given, and ends the commands that run
// for it. The caller must hold s.mu.
func (s *Session) revokeGrants() {
	if s.turnDone != nil {
		s.turnDone()
	}
	if s.stopped {
		return
	}
	s.stopped = true
	for _, g := range s.grants {
		if g.write || g.path == "" {
			s.revoked = append(s.revoked, g)
		}
	}
	s.revoked = s.revoked[max(0, len(s.revoked)-maxRevoked):]
	s.grants = nil
	for _, t := range s.tools {
		t.isLate = t.isLate || t.item.Open && !t.isOwn
	}
	for _, c := range s.commands {
		if c.turn == s.turn && c.term.Exit() == nil {
			c.killed = true
			go c.term.Kill()
		}
	}
}

// dropOldLate forgets the oldest calls of stopped turns that are too many. The
// caller must hold s.mu.
func (s *Session) dropOldLate() {
	var late []*toolItem
	for _, t := range s.tools {
		if t.isLate {
			late = append(late, t)
		}
	}
	slices.SortFunc(late, func(a, b *toolItem) int { return cmp.Compare(b.item.CreatedAt, a.item.CreatedAt) })
	for _, t := range late[min(len(late), maxLate):] {
		delete(s.tools, t.item.Tool.CallID)
	}
}

// requestSubject tells what a request is about.
type requestSubject struct {
	isCovered  func(grant) bool     // the permission covers it
	isAbout    func(*toolItem) bool // the call names it, or asked for it before
	mayBeAbout func(*toolItem) bool // a call of this kind can be about it
}

// isLate reports whether a request belongs to a stopped turn. The caller must hold
// s.mu.
func (s *Session) isLate(of requestSubject) bool {
	switch {
	case s.stopped:
		return true
	case slices.ContainsFunc(s.grants, of.isCovered):
		return false
	}
	late := slices.ContainsFunc(s.revoked, of.isCovered)
	unnamed, announced := false, false
	for _, t := range s.tools {
		switch {
		case t.isLate && of.isAbout(t):
			late, unnamed = late || t.namesTarget, true
		case t.isLate || !t.item.Open:
		case of.isAbout(t):
			return false
		case !t.namesTarget && !t.isOwn && of.mayBeAbout(t):
			announced = true
		}
	}
	return late || unnamed && !announced
}

// errStopped answers a request of a stopped turn.
func errStopped(what string) *sdk.RequestError {
	return &sdk.RequestError{
		Code:    acp.CodeCancelled,
		Message: what + ": the user stopped the turn that this belongs to. For another turn, announce it with a tool call of that turn first.",
	}
}

// refuseLate returns the error for a late request, or nil. A request that no
// tool call of the agent is about gets a row of its own.
func (s *Session) refuseLate(what string, tool backend.Tool, of requestSubject) *sdk.RequestError {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.isLate(of) {
		return nil
	}
	s.log.Warn("a request of a stopped turn was refused", "kind", tool.Kind)
	known := slices.ContainsFunc(s.summary.calls, of.isAbout)
	for _, t := range s.tools {
		known = known || of.isAbout(t)
	}
	if !known {
		t := s.ownCall(tool)
		s.setStatus(t, backend.ToolCancelled)
		s.emitTool(t)
	}
	return errStopped(what)
}

// lateWrite returns the error for a write of a stopped turn, or nil.
func (s *Session) lateWrite(path string, place workspace.ResolvedPath) *sdk.RequestError {
	is := isAt(path, place)
	writes := func(t *toolItem) bool {
		return t.item.Tool.Kind != backend.ToolRead && t.item.Tool.Kind != backend.ToolSearch
	}
	return s.refuseLate("Nothing was written", backend.Tool{Title: "Edit " + place.Path, Kind: backend.ToolEdit, Path: place.Path}, requestSubject{
		isCovered: func(g grant) bool { return g.write && g.path == place.Path },
		isAbout: func(t *toolItem) bool {
			return writes(t) && (is(t) || slices.Contains(t.paths, path) || slices.Contains(t.paths, place.Path))
		},
		mayBeAbout: func(t *toolItem) bool { return slices.Contains(kindsOfWrites, t.item.Tool.Kind) },
	})
}

// lateCommand returns the error for a command of a stopped turn, or nil.
func (s *Session) lateCommand(names []string, line string) *sdk.RequestError {
	runs := func(t *toolItem) bool { return t.item.Tool.Kind == backend.ToolExecute }
	return s.refuseLate("Nothing was run", backend.Tool{Title: excerpt.FirstLine(line, 300), Kind: backend.ToolExecute, Command: excerpt.FirstLine(line, 300)}, requestSubject{
		isCovered: func(g grant) bool { return slices.ContainsFunc(g.command, isOneOf(names)) },
		isAbout: func(t *toolItem) bool {
			return runs(t) && (slices.ContainsFunc(t.commands, isOneOf(names)) || slices.Contains(t.commands, line))
		},
		mayBeAbout: runs,
	})
}

// latePermission reports whether a request for permission belongs to a stopped
// turn, and notes on its tool call that VoxPilot closed it without asking.
func (s *Session) latePermission(call gjson.Result) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := call.Get("toolCallId").String()
	t := s.tools[id]
	if !s.stopped && (t == nil || !t.isLate) {
		return false
	}
	if !s.stopped && s.running && s.startsAnotherCall(t, call) {
		delete(s.tools, id)
		return false
	}
	s.log.Warn("a request for permission of a stopped turn was refused")
	if t == nil {
		if id == "" {
			id = backend.NewID()
		}
		t = s.toolByID(id)
		s.describe(t, call)
		t.isLate, t.fromRequest = true, true
		s.setStatus(t, backend.ToolCancelled)
	}
	if t.item.Tool.Decision == "" {
		t.item.Tool.Decision = backend.DecisionClosed
	}
	s.emitTool(t)
	return true
}

// startsAnotherCall reports whether a request for permission of the running turn
// begins a call of its own under the id of the stopped call t, as agents do that
// give their calls the same ids in each turn. It does where t itself began with
// such a request and no update before, and where it is about another file or
// command than t. The caller must hold s.mu.
func (s *Session) startsAnotherCall(t *toolItem, call gjson.Result) bool {
	if t.fromRequest {
		return true
	}
	now := &toolItem{item: backend.Item{Tool: &backend.Tool{Kind: t.item.Tool.Kind}}}
	s.describe(now, call)
	differ := func(a, b []string) bool {
		return len(a) > 0 && len(b) > 0 && !slices.ContainsFunc(a, func(v string) bool { return slices.Contains(b, v) })
	}
	return differ(now.files(), t.files()) || differ(now.commands, t.commands)
}

// files are all that the call is about.
func (t *toolItem) files() []string {
	return slices.DeleteFunc(append(slices.Clone(t.paths), t.item.Tool.Path, t.item.Tool.To), func(path string) bool { return path == "" })
}

// markRanAnyway takes what an update says of a call whose request was closed
// before the user decided: where it shows that the agent went ahead, the call is a
// change that the agent made without asking. The caller must hold s.mu.
func (s *Session) markRanAnyway(t *toolItem, up gjson.Result) {
	tool := t.item.Tool
	if tool.Decision != backend.DecisionClosed || tool.Status != backend.ToolCompleted || !request.Mutates(tool.Kind) {
		return
	}
	if !up.Get(`content.#(type=="diff")`).Exists() && tool.ExitCode == nil {
		return // it may say no more than that it was not allowed
	}
	tool.Decision, tool.WithoutPermission, t.checked = "", true, true
	for _, sl := range t.slots {
		sl.refused = false
	}
	s.log.Warn("the agent went ahead after its turn was stopped", "kind", tool.Kind, "call", tool.CallID)
}

// writing reports whether a write may begin now. Until done is called the turn
// does not end, so that its row says what became of the file.
func (s *Session) writing(turn context.Context) (done func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if turn.Err() != nil || s.unloaded.Load() {
		return nil, false
	}
	if !s.running {
		return func() {}, true
	}
	s.openRequests.Add(1)
	return s.openRequests.Done, true
}
