package session

import (
	"context"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/request"
	"github.com/voxpilot/voxpilot/backend/guard"
)

// guardState records whether the guard in the agent's process works for a session. The guard's reports show whether it
// does.
type guardState struct {
	reported bool // the guard has reported the session or one of its calls, and overridden is ""
	missing  bool // the agent called a tool before the guard reported anything
	off      bool // LosesGuard has returned true
	// overridden is the folder of a plugin whose hooks run after the guard's and can change its answers, or "" if there
	// is none. If it is set, the session counts as unguarded even though the guard reports calls.
	overridden string
	// bypassed means that the guard left a call to the agent, and the agent ran it without requesting permission
	// because another hook allowed it. From then on, the guard itself decides on all calls that need permission.
	bypassed bool
	added    chan struct{} // closed and replaced with each new tool call
}

// Time limits for the agent's update about a call that the guard has reported. VoxPilot accepts only an update with the
// same input until limitSameInput has passed. After that, it accepts an update about any call of the same kind until
// limitCall has passed.
const (
	limitSameInput = 200 * time.Millisecond
	limitCall      = 2 * time.Second
)

// Guard decides on an event that the agent's guard reports. An Answer without a Decision leaves the decision to the
// agent. Guard returns such an Answer for events other than calls, for calls to VoxPilot's tools and the CLI's internal
// tools, for reads that need no permission, and for calls for which the agent itself requests permission.
//
// The remaining calls are commands that involve the sandbox, calls for which the user turned off the agent's permission
// requests, and calls that a rule denies. If another hook has allowed a call on the user's behalf
// (guardState.bypassed), they also include all later calls that need permission. Guard decides on them in the same way
// as on permission requests, with the usual effect of rules, protected files, files outside the folder and unclear
// calls. It denies a command that it can't plan (Sandbox.PlanOf) and, if a plugin overrides the guard, a command that
// involves the sandbox and a call for which the agent's permission requests are off.
func (s *Session) Guard(ctx context.Context, call guard.Call) guard.Answer {
	s.mu.Lock()
	if call.Overridden != "" {
		s.guard.overridden = call.Overridden
	}
	overridden := s.guard.overridden
	s.guard.reported = overridden == ""
	s.mu.Unlock()
	if call.Event != guard.ToolCall {
		return guard.Answer{}
	}
	hash := guard.HashInput(call.Args)
	plan, err := s.cfg.Sandbox.PlanOf(&call)
	if err != nil {
		s.log.Warn("couldn't read a command", "err", err)
		return guard.Answer{Decision: guard.Denied, Reason: guard.DeniedStopped}
	}
	t := s.guardedCall(ctx, hash, call.Kind())
	s.mu.Lock()
	id, title, kind, own := backend.NewID(), call.Tool, call.Kind(), false
	if t != nil {
		id, title, kind, own = t.item.Tool.CallID, t.item.Tool.Title, t.item.Tool.Kind, t.ownTool != ""
	}
	asks := !s.allowsAll() && !s.permissionWatch.alwaysGranted[request.KindGroup(kind)]
	leave := asks && !s.guard.bypassed
	s.mu.Unlock()
	params := call.Request(id, title, kind)
	switch {
	case plan.Problem != (backend.Message{}):
		return s.refuse(t, plan.Problem)
	case own, call.IsInternal():
		leave = true
	case overridden != "" && plan.Role != "":
		return s.refuse(t, backend.Say("The plugin in %s runs after VoxPilot's guard and can change the command.", overridden))
	case overridden != "" && !asks:
		return guard.Answer{Decision: guard.Denied, Reason: errGuardOff.Error()}
	case leave && s.denies(params, kind):
		leave = false
	}
	if plan.Role == "" && leave {
		return guard.Answer{Args: plan.Args(call)}
	}
	s.showCommandAs(t, plan)
	if (kind == backend.ToolRead || kind == backend.ToolSearch) && request.ReadsInside(s.Folder, request.OwnFolder(s.cfg.Home, s.ID), params.Get("toolCall"), kind) {
		return guard.Answer{}
	}
	s.log.Debug("decides for the guard", "tool", call.Tool, "call", id)
	p, allowed := s.decide(ctx, params, func(p *backend.Permission) { s.completeRequest(p, plan, !asks) })
	switch {
	case allowed && p.OptionID == guard.OptionAllow && plan.Role == backend.SandboxInside:
		return s.runInSandbox(ctx, call, id, plan.Line)
	case allowed && p.OptionID == guard.OptionAllow && plan.Role == backend.SandboxLeaves:
		return s.runOutside(call, id, plan)
	case allowed && p.OptionID == guard.OptionAllow:
		return guard.Answer{Decision: guard.Allowed, Args: plan.Args(call)}
	case p.Rule != nil:
		return guard.Answer{Decision: guard.Denied, Reason: guard.DeniedByRule}
	case p.Decision == backend.DecisionRejected:
		return guard.Answer{Decision: guard.Denied, Reason: strings.TrimSpace(guard.DeniedByUser + " " + p.Reason)}
	}
	return guard.Answer{Decision: guard.Denied, Reason: guard.DeniedStopped}
}

// denies reports whether a rule denies the call in params, the parameters of a permission request. The caller must not
// hold s.mu.
func (s *Session) denies(params gjson.Result, kind backend.ToolKind) bool {
	if s.cfg.Denied == nil || !request.Mutates(kind) && kind != backend.ToolFetch {
		return false
	}
	t := &toolItem{item: backend.Item{Tool: &backend.Tool{}}}
	s.describe(t, params.Get("toolCall"))
	tool := t.item.Tool
	p := backend.Permission{
		ChatID: s.chatID, Session: s.Name, Folder: s.Folder, Title: tool.Title, Kind: kind, Path: tool.Path, To: tool.To,
		Command: tool.Command, Commands: t.commands, Outside: request.AnyOutside(s.Folder, t.paths),
	}
	paths := request.PathsOf(s.Folder, t.paths...)
	p.Scope, p.Names = s.scope(p, paths), paths.Names()
	return s.cfg.Denied(p)
}

// guardedCall waits for the agent's update about the call that the guard reports, and returns the open tool call,
// marked as reported. It looks for a call whose input has the given hash. After limitSameInput, it also accepts the
// oldest call of the same kind, because one of the folder's hooks may have changed the input. It returns nil if the
// agent sends no update about the call in time or ctx ends.
func (s *Session) guardedCall(ctx context.Context, hash string, kind backend.ToolKind) (found *toolItem) {
	changed, late := time.After(limitSameInput), time.After(limitCall)
	for anyInput := false; ; {
		s.mu.Lock()
		for _, t := range s.tools {
			same := t.inputHash == hash
			if t.item.Open && !t.guarded && (same || anyInput && t.inputHash != "" && t.item.Tool.Kind == kind) &&
				(found == nil || same || found.inputHash != hash && t.item.CreatedAt < found.item.CreatedAt) {
				found = t
			}
		}
		if found != nil {
			found.guarded = true
		}
		added := s.guard.added
		s.mu.Unlock()
		if found != nil {
			return found
		}
		select {
		case <-added:
		case <-changed:
			anyInput = true
		case <-late:
			return nil
		case <-ctx.Done():
			return nil
		}
	}
}

// noteCall wakes up waiting calls of guardedCall, so that they look for a new tool call. If the guard hasn't reported
// anything in the session yet, noteCall records that the guard is missing. If the user has also turned off the agent's
// permission requests, it stops the turn. The caller must hold s.mu.
func (s *Session) noteCall(t *toolItem, input gjson.Result) {
	if !s.cfg.Guarded || t.inputHash != "" {
		return
	}
	t.inputHash = guard.HashInput([]byte(input.Raw))
	close(s.guard.added)
	s.guard.added = make(chan struct{})
	if s.guard.reported || s.guard.missing {
		return
	}
	s.guard.missing = true
	s.log.Warn("the agent called a tool without a report of the guard")
	if s.permissionWatch.stop != nil && s.allowsAll() {
		s.permissionWatch.stop() // the user wouldn't be asked
	}
}

// LosesGuard reports whether the agent has called a tool, or the model has answered, although the guard hasn't reported
// anything in this session or a plugin overrides it. It returns true only once, and always false in a session that
// needs no guard.
func (s *Session) LosesGuard() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.cfg.Guarded || s.guard.reported || s.guard.off || !s.guard.missing && !s.modelAnswered {
		return false
	}
	s.guard.off = true
	return true
}

// errGuardOff means that a mode or an option can't turn off the agent's own permission requests, because the guard
// isn't active. Otherwise, the user wouldn't be asked about any tool call.
var errGuardOff = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("VoxPilot's guard is off in this session, so Copilot must keep asking for permission.")}

// checkGuardFor returns errGuardOff if asksNothing is true and the guard isn't active. The caller sets asksNothing to
// true if it is about to turn off the agent's own permission requests.
func (s *Session) checkGuardFor(asksNothing bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if asksNothing && s.guard.off {
		return errGuardOff
	}
	return nil
}

// OverridesGuard returns the folder of a plugin whose hooks run after the guard's, or "" if there is none.
func (s *Session) OverridesGuard() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.guard.overridden
}

// HasOpenCall reports whether the session has an open tool call with the given ID.
func (s *Session) HasOpenCall(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tools[id] != nil && s.tools[id].item.Open
}
