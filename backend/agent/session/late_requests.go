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

// Requests of a stopped turn. ACP requests don't identify their turn, and an agent that is slow to process a
// cancellation continues its work, even after the session's next prompt has started. A request is therefore late in any
// of these cases:
//
//   - Its turn is being stopped, or was stopped and no other turn has started.
//   - It names a tool call that was open when its turn was stopped, and doesn't start another call with the same ID
//     (see startsAnotherCall).
//   - It concerns a file or command of such a call, or of an unused permission of that turn, and no tool call or
//     permission of the running turn concerns the same file or command.
//
// Some agents name the file or command only in their requests, never in their tool calls. If a stopped call names
// neither, an open call of the running turn that names neither is therefore assumed to concern the same file or
// command. If the stopped call names its file or command, only a call that names the same file or command counts,
// because such an agent names them in every turn.
//
// VoxPilot rejects late requests: it writes and runs nothing, and doesn't ask the user. A request that isn't late has
// no permission yet: rules, the mode or the user decide. An agent therefore gains nothing by choosing names that evade
// this check: its request is shown and decided like any other request of the running turn.

// Limits on the data that a session stores about stopped turns: maxRevoked unused permissions and maxLate open tool
// calls. The oldest are discarded first.
const (
	maxRevoked = 200
	maxLate    = 200
)

// revokeGrants revokes the turn's unused permissions, cancels its requests, marks its open calls as late and
// kills its commands. The caller must hold s.mu.
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

// dropOldLate discards late tool calls, oldest first, until at most maxLate are left. The caller must hold s.mu.
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

// requestSubject represents the file or the command that a request is about. Its functions recognize the grants and
// tool calls about the same file or command.
type requestSubject struct {
	isCovered  func(grant) bool     // reports whether the grant covers the request
	isAbout    func(*toolItem) bool // reports whether the call, or an earlier permission request for it, names the subject
	mayBeAbout func(*toolItem) bool // reports whether calls of this kind can be about such a subject
}

// isLate reports whether a request about the subject is late, as defined at the top of this file. The caller
// must hold s.mu.
func (s *Session) isLate(subject requestSubject) bool {
	switch {
	case s.stopped:
		return true
	case slices.ContainsFunc(s.grants, subject.isCovered):
		return false
	}
	late := slices.ContainsFunc(s.revoked, subject.isCovered)
	unnamed, announced := false, false
	for _, t := range s.tools {
		switch {
		case t.isLate && subject.isAbout(t):
			late, unnamed = late || t.namesTarget, true
		case t.isLate || !t.item.Open:
		case subject.isAbout(t):
			return false
		case !t.namesTarget && !t.isOwn && subject.mayBeAbout(t):
			announced = true
		}
	}
	return late || unnamed && !announced
}

// errStopped returns the response to a request from a stopped turn. Its message starts with the given text, for example
// "Nothing was written".
func errStopped(what string) *sdk.RequestError {
	return &sdk.RequestError{
		Code:    acp.CodeCancelled,
		Message: what + ": the user stopped the turn that this belongs to. For another turn, announce it with a tool call of that turn first.",
	}
}

// refuseLate returns errStopped(what) if a request about the subject is late, and nil otherwise. If the request is late
// and no known tool call is about the subject, refuseLate adds the given tool call to the transcript as canceled.
func (s *Session) refuseLate(what string, tool backend.Tool, subject requestSubject) *sdk.RequestError {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.isLate(subject) {
		return nil
	}
	s.log.Warn("rejected a request of a stopped turn", "kind", tool.Kind)
	known := slices.ContainsFunc(s.summary.calls, subject.isAbout)
	for _, t := range s.tools {
		known = known || subject.isAbout(t)
	}
	if !known {
		t := s.ownCall(tool)
		s.setStatus(t, backend.ToolCancelled)
		s.emitTool(t)
	}
	return errStopped(what)
}

// lateWrite returns the response to a file write that belongs to a stopped turn, or nil if the write isn't late. path
// is the file as named in the request, and place is its resolved path.
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

// lateCommand returns the response to a command that belongs to a stopped turn, or nil if the command isn't late. names
// are the forms in which the agent may have written the command, and line is the form shown.
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

// latePermission reports whether a permission request belongs to a stopped turn. call is the tool call in the request.
// If the request is late, the call is shown with DecisionClosed, unless it already had another decision.
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
	s.log.Warn("rejected a permission request of a stopped turn")
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

// startsAnotherCall reports whether a permission request in the running turn starts a new call with the
// same ID as the stopped call t. Some agents reuse call IDs in each turn. The call is a new one if t itself
// started with a permission request instead of an update, or if the request is for a different file or
// command. The caller must hold s.mu.
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

// files returns all files that the call names.
func (t *toolItem) files() []string {
	return slices.DeleteFunc(append(slices.Clone(t.paths), t.item.Tool.Path, t.item.Tool.To), func(path string) bool { return path == "" })
}

// markRanAnyway marks a call as a change without permission if its request was closed before the user decided and the
// update up shows that the agent continued. The caller must hold s.mu.
func (s *Session) markRanAnyway(t *toolItem, up gjson.Result) {
	tool := t.item.Tool
	if tool.Decision != backend.DecisionClosed || tool.Status != backend.ToolCompleted || !request.Mutates(tool.Kind) {
		return
	}
	if !up.Get(`content.#(type=="diff")`).Exists() && tool.ExitCode == nil {
		return // the update may only report that the call wasn't allowed
	}
	tool.Decision, tool.WithoutPermission, t.checked = "", true, true
	for _, sl := range t.slots {
		sl.refused = false
	}
	s.log.Warn("the agent continued after its turn was stopped", "kind", tool.Kind, "call", tool.CallID)
}

// writing reports whether a write may start. ok is false if the turn's context is canceled or the session is unloaded.
// If ok is true, the caller must call done after the write. The turn doesn't end before that, so that it can still show
// the result.
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
