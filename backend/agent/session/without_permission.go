package session

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/request"
	"github.com/voxpilot/voxpilot/internal/realpath"
)

// permissionWatch notices what an agent changes without having asked. It cannot keep an
// agent from it: it makes that it is seen.
type permissionWatch struct {
	// stop ends the turn that runs, and did is what was changed in it without asking.
	stop   context.CancelFunc
	change string
	// checks are closed when the calls of the turn were looked at, one after the
	// other, and last is the newest of the session.
	checks []chan struct{}
	last   chan struct{}
	// alwaysGranted are the kinds of which the user chose the agent's own "always".
	alwaysGranted map[backend.ToolKind]bool
	// cancelledCalls are the calls that asked and that we ended, since the agent had not
	// when its turn ended: it may still say how they went.
	cancelledCalls map[string]bool
}

// grant notes that the agent need not ask again for such a call.
func (w *permissionWatch) grant(kind backend.ToolKind) {
	if w.alwaysGranted == nil {
		w.alwaysGranted = map[backend.ToolKind]bool{}
	}
	w.alwaysGranted[request.KindGroup(kind)] = true
}

// noteUnended notes a call that we ended. s.mu is held.
func (w *permissionWatch) noteUnended(t *toolItem) {
	if !t.hasRequest {
		return
	}
	if w.cancelledCalls == nil {
		w.cancelledCalls = map[string]bool{}
	}
	w.cancelledCalls[t.item.Tool.CallID] = true
}

// checkPermission has a call looked at that has completed: whether it changed something that
// the user was not asked about, and nothing allows. It follows paths, which may take
// as long as the disk does, so it does that without s.mu. The caller must hold s.mu.
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
	// What the user lets the agent do by itself, a rule may still deny.
	free := t.beganUnasked || s.allowsAll() || s.permissionWatch.alwaysGranted[request.KindGroup(tool.Kind)]
	p := backend.Permission{
		ChatID: s.chatID, TurnID: s.turn, Session: s.Name, ItemID: t.item.ID, Folder: s.Folder,
		Title: tool.Title, Kind: tool.Kind, Path: tool.Path, To: tool.To, Command: tool.Command, Commands: slices.Clone(t.commands),
	}
	paths, input, before, done := slices.Clone(t.paths), t.input, s.permissionWatch.last, make(chan struct{})
	s.permissionWatch.checks, s.permissionWatch.last = append(s.permissionWatch.checks, done), done
	go func() {
		defer close(done)
		if before != nil {
			<-before // the first call that was not asked for is the one to tell of
		}
		if s.isRealChange(p, paths, input) {
			s.stopIfNotAllowed(t, p, paths, free)
		}
	}()
}

// stopIfNotAllowed stops the turn if nothing allows what the call did. The caller must not
// hold s.mu.
func (s *Session) stopIfNotAllowed(t *toolItem, p backend.Permission, paths []string, free bool) {
	p.Outside = request.AnyOutside(s.Folder, paths)
	r := request.PathsOf(s.Folder, paths...)
	p.Scope, p.Names = s.scope(p, r), r.Names()
	denied := s.cfg.Denied != nil && s.cfg.Denied(p)
	if !denied && (free || s.cfg.Allowed != nil && s.cfg.Allowed(p)) {
		return
	}
	s.log.Warn("the agent changed something without having asked; its turn is stopped", "kind", p.Kind, "item", p.ItemID, "denied", denied)
	s.mu.Lock()
	defer s.mu.Unlock()
	t.item.Tool.WithoutPermission = true
	s.emitTool(t)
	if s.permissionWatch.stop != nil && s.permissionWatch.change == "" && s.turn == p.TurnID {
		s.permissionWatch.change = cmp.Or(p.Command, p.Path, p.Title, string(p.Kind))
		s.permissionWatch.stop()
	}
}

// limitChecks is how long the end of a turn waits for what its calls did to be looked
// at: a disk that does not answer must not keep the turn open.
const limitChecks = 10 * time.Second

// awaitChecks waits until all calls were looked at.
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
			s.log.Warn("what the agent changed could not be looked at in time")
			return
		}
	}
}

// ChangeWithoutPermission waits until all calls of the turn were looked at, and returns what was
// changed in it without asking; "" where nothing was, or something allows it.
func (s *Session) ChangeWithoutPermission() (did string) {
	s.awaitChecks()
	s.mu.Lock()
	defer s.mu.Unlock()
	did, s.permissionWatch.stop, s.permissionWatch.change = s.permissionWatch.change, nil, ""
	return did
}

// WatchPermissions has stop end the turn that begins, if something is changed in it without
// asking.
func (s *Session) WatchPermissions(stop context.CancelFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.permissionWatch.stop, s.permissionWatch.change = stop, ""
}

// isRealChange says whether a call of a mutating kind really is one. Agents also
// call so what only looks after their own business, such as a list of the
// shells that run: those give an input that names neither a command nor a file.
// The agent's notes about the session, in a folder of its own, are no change
// either.
func (s *Session) isRealChange(p backend.Permission, paths []string, input bool) bool {
	if p.Kind == backend.ToolExecute {
		return len(p.Commands) > 0 || !input
	}
	if len(paths) == 0 {
		return !input
	}
	own := "/session-state/" + s.ID + "/"
	for _, path := range paths {
		if short, plain := realpath.Plain(path); !plain || !strings.Contains(filepath.ToSlash(short), own) || !request.AnyOutside(s.Folder, []string{path}) {
			return true
		}
	}
	return false
}

// allowsAll says whether the user has switched the agent's own questions
// off, or some of them: its "allow all", or a mode in which it goes ahead with
// edits or with all. s.mu is held.
func (s *Session) allowsAll() bool {
	mode := strings.ToLower(s.row.Mode[strings.LastIndexByte(s.row.Mode, '#')+1:])
	return s.row.AllowAll || slices.ContainsFunc([]string{"auto", "yolo", "bypass", "accept", "full"}, func(sign string) bool {
		return strings.Contains(mode, sign)
	})
}
