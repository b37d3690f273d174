package agent

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/session"
	"github.com/voxpilot/voxpilot/backend/guard"
)

// cliName is the name that the Copilot CLI reports for itself.
const cliName = "Copilot"

// isGuarded reports whether the program must report each tool call to VoxPilot before the call runs (package guard).
func (c *conn) isGuarded() bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.launch.Guarded && c.agentName == cliName
}

// Guard decides whether a tool call may run (guard.Config.Decide). The guard, which runs in the agent's process,
// reports each call before it runs. Calls of sessions that aren't loaded are denied.
func (a *Agent) Guard(ctx context.Context, call guard.Call) guard.Answer {
	a.mu.Lock()
	k := a.runningConn
	a.mu.Unlock()
	if k == nil {
		return guard.Answer{Decision: guard.Denied, Reason: noSession}
	}
	s := k.byID(call.SessionID)
	if s == nil {
		s = k.withCall(call.SessionID)
	}
	if s == nil {
		k.log.Warn("the guard reported an unknown session", "event", call.Event, "id", call.SessionID)
		return guard.Answer{Decision: guard.Denied, Reason: noSession}
	}
	defer a.acquire()()
	return s.Guard(ctx, call)
}

// noSession tells the model why a call from a session that isn't loaded was denied.
const noSession = "VoxPilot denied this call because it doesn't know the call's session."

// withCall returns the session that has an open tool call with the given ID, or nil. Versions of
// the Copilot CLI before 1.0.102 report a sub-agent's calls under the ID of the call that started it.
func (c *conn) withCall(id string) *session.Session {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for _, s := range c.sessions {
		if s.HasOpenCall(id) {
			return s
		}
	}
	return nil
}

// checkGuard checks at the end of a turn that the guard works for the session. If it doesn't (Session.LosesGuard),
// checkGuard publishes a banner and, if the user has turned off the agent's permission requests, turns them back on.
func (a *Agent) checkGuard(k *conn, s *session.Session, turn backend.Turn) {
	if !s.LosesGuard() {
		return
	}
	var why backend.Message
	if plugin := s.OverridesGuard(); plugin != "" {
		why = backend.Say("The plugin in %s runs after VoxPilot's guard and can override its decisions.", plugin)
	} else if a.cfg.GuardProblem != nil {
		why = a.cfg.GuardProblem(s.Folder)
	}
	k.log.Warn("the guard is off", "session", s.Name, "why", why.String())
	a.publishTurnBanner(backend.Banner{Kind: backend.BannerGuardOff, Session: s.Name, Detail: why}, turn)
	if !s.Row().AllowAll {
		return
	}
	if err := s.AskAgain(k.ctx); err != nil {
		k.log.Warn("couldn't turn permission requests back on", "session", s.Name, "err", err)
	}
}
