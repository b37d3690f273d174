package session

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/request"
)

// permissionWatch detects changes that an agent makes without permission. It can't
// prevent such a change, but makes it visible and stops the turn.
type permissionWatch struct {
	// stop ends the running turn.
	stop   context.CancelFunc
	change string
	// The turn's calls are checked one after another, in order. checks contains a channel for each of these checks,
	// which is closed when the check is finished. last is the channel of the session's newest check.
	checks []chan struct{}
	last   chan struct{}
	// alwaysGranted holds the groups of kinds (request.KindGroup) for which the user chose the agent's option "always
	// allow".
	alwaysGranted map[backend.ToolKind]bool
	// cancelledCalls are the IDs of calls for which the agent requested permission and that
	// VoxPilot closed at the end of their turn. Their results may still arrive.
	cancelledCalls map[string]bool
}

// grant records that the agent needn't request permission again for calls of the given kind.
func (w *permissionWatch) grant(kind backend.ToolKind) {
	if w.alwaysGranted == nil {
		w.alwaysGranted = map[backend.ToolKind]bool{}
	}
	w.alwaysGranted[request.KindGroup(kind)] = true
}

// noteUnended records the ID of a call that VoxPilot closed because its turn ended, but only if the agent had requested
// permission for the call. The caller must hold s.mu.
func (w *permissionWatch) noteUnended(t *toolItem) {
	if !t.hasRequest {
		return
	}
	if w.cancelledCalls == nil {
		w.cancelledCalls = map[string]bool{}
	}
	w.cancelledCalls[t.item.Tool.CallID] = true
}

// checkPermission checks whether a completed call changed something without permission and, if so, stops
// the turn (stopIfNotAllowed). It resolves paths in a goroutine without holding s.mu, because the disk
// may be slow. The caller must hold s.mu.
func (s *Session) checkPermission(t *toolItem) {
	tool := t.item.Tool
	if t.checked || tool.Status != backend.ToolCompleted {
		return
	}
	t.checked = true
	asked := t.hasRequest || s.permissionWatch.cancelledCalls[tool.CallID]
	delete(s.permissionWatch.cancelledCalls, tool.CallID)
	if asked || !request.Mutates(tool.Kind) {
		return
	}
	// Even if the user lets the agent act without asking, a rule may deny the change.
	free := t.needsNoPermission || s.allowsAll() || s.permissionWatch.alwaysGranted[request.KindGroup(tool.Kind)]
	unguarded := s.cfg.Guarded && !t.guarded
	p := backend.Permission{
		ChatID: s.chatID, TurnID: s.turn, Session: s.Name, ItemID: t.item.ID, Folder: s.Folder,
		Title: tool.Title, Kind: tool.Kind, Path: tool.Path, To: tool.To, Command: tool.Command, Commands: slices.Clone(t.commands),
	}
	paths, input, before, done := slices.Clone(t.paths), t.input, s.permissionWatch.last, make(chan struct{})
	s.permissionWatch.checks, s.permissionWatch.last = append(s.permissionWatch.checks, done), done
	go func() {
		defer close(done)
		if before != nil {
			<-before // so that the first change without permission is reported
		}
		if s.isRealChange(p, paths, input) {
			s.stopIfNotAllowed(t, p, paths, free, unguarded)
		}
	}()
}

// stopIfNotAllowed stops the turn if a rule denies the change that the call made, if unguarded is true, or if nothing
// allows the change. free is true if the agent didn't have to request permission. unguarded is true if the guard should
// have reported the call but didn't. An unguarded change in a turn that the agent started itself, for example on a
// schedule, ends the process, because such a turn can't be stopped. The caller must not hold s.mu.
func (s *Session) stopIfNotAllowed(t *toolItem, p backend.Permission, paths []string, free, unguarded bool) {
	p.Outside = request.AnyOutside(s.Folder, paths)
	r := request.PathsOf(s.Folder, paths...)
	p.Scope, p.Names = s.scope(p, r), r.Names()
	denied := s.cfg.Denied != nil && s.cfg.Denied(p)
	if !denied && !unguarded && (free || s.cfg.Allowed != nil && s.cfg.Allowed(p)) {
		return
	}
	s.log.Warn("the agent changed something without permission; stopping its turn", "kind", p.Kind, "item", p.ItemID, "denied", denied)
	s.mu.Lock()
	defer s.mu.Unlock()
	t.item.Tool.WithoutPermission = true
	s.guard.bypassed = s.guard.bypassed || s.cfg.Guarded && !unguarded && !free
	s.emitTool(t)
	change := cmp.Or(p.Command, p.Path, p.Title, string(p.Kind))
	switch {
	case s.turn != p.TurnID: // a later turn
	case s.permissionWatch.stop == nil && unguarded && s.permissionWatch.change == "": // in a turn that the agent started itself
		s.permissionWatch.change = change
		go s.cfg.Abort(change)
	case s.permissionWatch.stop != nil && s.permissionWatch.change == "":
		s.permissionWatch.change = change
		s.permissionWatch.stop()
	}
}

// limitChecks is the maximum time that a turn, when it ends, waits for the checks of its calls. Without a limit, an
// unresponsive disk would keep the turn open.
const limitChecks = 10 * time.Second

// awaitChecks waits until all completed calls of the turn have been checked, but no longer than limitChecks.
func (s *Session) awaitChecks() {
	s.mu.Lock()
	looks := s.permissionWatch.checks
	s.permissionWatch.checks = nil
	s.mu.Unlock()
	late := time.After(limitChecks)
	for _, done := range looks {
		select {
		case <-done:
		case <-late:
			s.log.Warn("couldn't check the agent's changes in time")
			return
		}
	}
}

// ChangeWithoutPermission waits until all completed calls of the turn have been checked, but no longer than
// limitChecks. It returns the turn's first change without permission, or "" if there is none.
func (s *Session) ChangeWithoutPermission() (did string) {
	s.awaitChecks()
	s.mu.Lock()
	defer s.mu.Unlock()
	did, s.permissionWatch.stop, s.permissionWatch.change = s.permissionWatch.change, nil, ""
	return did
}

// WatchPermissions makes the session call the function stop if the agent changes anything without permission in the
// current turn. The function must cancel that turn.
func (s *Session) WatchPermissions(stop context.CancelFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.permissionWatch.stop, s.permissionWatch.change = stop, ""
}

// isRealChange reports whether a call of a mutating kind changes anything. Agents also use these kinds for internal
// operations, such as listing running shells, whose input names neither a command nor a file. Changes to files in the
// agent's own session folder don't count either. The parameter input is true if the call's input is known.
func (s *Session) isRealChange(p backend.Permission, paths []string, input bool) bool {
	if p.Kind == backend.ToolExecute {
		return len(p.Commands) > 0 || !input
	}
	if len(paths) == 0 {
		return !input
	}
	own := request.OwnFolder(s.cfg.Home, s.ID)
	return slices.ContainsFunc(paths, func(path string) bool { return !request.IsOwn(s.Folder, own, path) })
}

// allowsAll reports whether the user has turned off some or all of the agent's permission requests, with the agent's
// allow-all option or with a mode that allows edits or everything. The caller must hold s.mu.
func (s *Session) allowsAll() bool {
	mode := strings.ToLower(s.row.Mode[strings.LastIndexByte(s.row.Mode, '#')+1:])
	return s.row.AllowAll || slices.ContainsFunc([]string{"auto", "yolo", "bypass", "accept", "full"}, func(sign string) bool {
		return strings.Contains(mode, sign)
	})
}
