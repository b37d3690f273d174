package agent

import (
	"context"
	"slices"

	acp "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// Requests of a turn that the user stopped. ACP gives a request no turn, and an
// agent that is slow to hear of the stop goes on with what it was doing, also
// when the next prompt of the session has begun. So a request is late when
//
//   - the turn is being stopped, or was and no other has begun, whatever it asks;
//   - it names a tool call that was open when its turn was stopped;
//   - it is about a file or a command that such a call, or an unused permission
//     of that turn, was about, and neither a tool call nor a permission of the
//     turn that runs is about it.
//
// A late request is refused: nothing is written or run, and nobody is asked.

// maxRevoked is how many permissions of stopped turns are remembered.
const maxRevoked = 200

// halt takes back all that the turn was given, and ends the commands that run
// for it. The caller must hold s.mu.
func (s *session) halt() {
	if s.turnDone != nil {
		s.turnDone()
	}
	if s.halted {
		return
	}
	s.halted = true
	for _, g := range s.grants {
		if g.write || g.path == "" {
			s.revoked = append(s.revoked, g)
		}
	}
	s.revoked = s.revoked[max(0, len(s.revoked)-maxRevoked):]
	s.grants = nil
	for _, t := range s.tools {
		t.late = t.late || t.item.Open && !t.own
	}
	for _, c := range s.commands {
		if c.turn == s.turn && c.term.Exit() == nil {
			c.kill = true
			go c.term.Kill()
		}
	}
}

// isLate reports whether a request belongs to a stopped turn. given and about
// report whether a permission and a tool call are about the same as the request.
// The caller must hold s.mu.
func (s *session) isLate(given func(grant) bool, about func(*toolItem) bool) bool {
	switch {
	case s.halted:
		return true
	case slices.ContainsFunc(s.grants, given):
		return false
	}
	late := slices.ContainsFunc(s.revoked, given)
	for _, t := range s.tools {
		switch {
		case !about(t):
		case t.late:
			late = true
		case t.item.Open:
			return false
		}
	}
	return late
}

// errStopped answers a request of a stopped turn.
func errStopped(what string) *acp.RequestError {
	return &acp.RequestError{
		Code:    codeCancelled,
		Message: what + ": the user stopped the turn that this belongs to. For another turn, announce it with a tool call of that turn first.",
	}
}

// refuseLate returns the error for a late request, or nil. A request that no
// tool call of the agent is about gets a row of its own.
func (s *session) refuseLate(what string, tool backend.Tool, given func(grant) bool, about func(*toolItem) bool) *acp.RequestError {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.isLate(given, about) {
		return nil
	}
	s.log.Warn("a request of a stopped turn was refused", "kind", tool.Kind)
	known := slices.ContainsFunc(s.did.calls, about)
	for _, t := range s.tools {
		known = known || about(t)
	}
	if !known {
		t := s.ownCall(tool)
		s.setStatus(t, backend.ToolCancelled)
		s.emitTool(t)
	}
	return errStopped(what)
}

// lateWrite returns the error for a write of a stopped turn, or nil.
func (s *session) lateWrite(path string, place workspace.Place) *acp.RequestError {
	is := isAt(path, place)
	return s.refuseLate("Nothing was written", backend.Tool{Title: "Edit " + place.Path, Kind: backend.ToolEdit, Path: place.Path},
		func(g grant) bool { return g.write && g.path == place.Path },
		func(t *toolItem) bool {
			return kindGroup(t.item.Tool.Kind) != backend.ToolRead && t.item.Tool.Kind != backend.ToolSearch &&
				(is(t) || slices.Contains(t.paths, path) || slices.Contains(t.paths, place.Path))
		})
}

// lateCommand returns the error for a command of a stopped turn, or nil.
func (s *session) lateCommand(names []string, line string) *acp.RequestError {
	return s.refuseLate("Nothing was run", backend.Tool{Title: firstLine(line, 300), Kind: backend.ToolExecute, Command: firstLine(line, 300)},
		func(g grant) bool { return slices.ContainsFunc(g.command, among(names)) },
		func(t *toolItem) bool {
			return t.item.Tool.Kind == backend.ToolExecute && slices.ContainsFunc(t.commands, among(names))
		})
}

// latePermission reports whether a request for permission belongs to a stopped
// turn, and notes on its tool call that nobody was asked.
func (s *session) latePermission(call gjson.Result) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := call.Get("toolCallId").String()
	t := s.tools[id]
	if !s.halted && (t == nil || !t.late) {
		return false
	}
	s.log.Warn("a request for permission of a stopped turn was refused")
	if t == nil {
		if id == "" {
			id = backend.NewID()
		}
		t = s.toolByID(id)
		s.describe(t, call)
		t.late = true
		s.setStatus(t, backend.ToolCancelled)
	}
	if t.item.Tool.Decision == "" {
		t.item.Tool.Decision = backend.DecisionClosed
	}
	s.emitTool(t)
	return true
}

// didItAllTheSame takes what an update says of a call whose request was closed
// before anyone decided: where it shows that the agent went ahead, the call is a
// change like any other, of which nobody was asked. The caller must hold s.mu.
func (s *session) didItAllTheSame(t *toolItem, up gjson.Result) {
	tool := t.item.Tool
	if tool.Decision != backend.DecisionClosed || tool.Status != backend.ToolCompleted || !mutates(tool.Kind) {
		return
	}
	if !up.Get(`content.#(type=="diff")`).Exists() && tool.ExitCode == nil {
		return // it may say no more than that it was not allowed
	}
	tool.Decision, tool.Unasked, t.judged = "", true, true
	for _, sl := range t.slots {
		sl.refused = false
	}
	s.log.Warn("the agent went ahead after its turn was stopped", "kind", tool.Kind, "call", tool.CallID)
}

// writing reports whether a write may begin now. Until done is called the turn
// does not end, so that its row says what became of the file.
func (s *session) writing(turn context.Context) (done func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if turn.Err() != nil || s.gone.Load() {
		return nil, false
	}
	if !s.running {
		return func() {}, true
	}
	s.asks.Add(1)
	return s.asks.Done, true
}
