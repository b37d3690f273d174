package agent

import (
	"maps"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/acp"
	"github.com/voxpilot/voxpilot/backend/agent/session"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// Processes returns the agent's process and all its descendants, or nil if VoxPilot runs none for the chat.
// Secrets in command lines are redacted.
func (a *Agent) Processes() []backend.Process {
	a.mu.Lock()
	k, works := a.runningConn, len(a.cancels) > 0 || a.active > 0
	a.mu.Unlock()
	if k == nil || k.hasExited() || k.proc.Remote() {
		return nil
	}
	commands := map[int]string{}
	for _, s := range k.allSessions() {
		s.Commands(commands)
	}
	list := k.proc.List(acp.CommandLine)
	for i := range list {
		p := &list[i]
		p.ChatID, p.ID, p.IsAgent = a.cfg.ChatID, commands[p.PID], k.proc.IsAgent(*p)
		if p.IsAgent {
			p.ID, p.Works = k.proc.Mark, works || k.proc.Works()
		}
		if k.launch.Redact != nil {
			p.Command = k.launch.Redact(p.Command)
		}
		p.Command = excerpt.FirstLine(acp.WithoutSecrets(p.Command), session.MaxCommand)
	}
	return list
}

// allSessions returns the loaded sessions.
func (c *conn) allSessions() []*session.Session {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return slices.Collect(maps.Values(c.sessions))
}

// IsProcess reports whether id is the Process.ID of the agent's running process.
func (a *Agent) IsProcess(id string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.connOfProcess(id) != nil
}

// connOfProcess returns the agent's connection if id is the Process.ID of its process,
// or nil if the agent has no process or a different one. The caller must hold a.mu.
func (a *Agent) connOfProcess(id string) *conn {
	if k := a.runningConn; k != nil && !k.hasExited() && !k.proc.Remote() && k.proc.Mark == id {
		return k
	}
	return nil
}

// errProcessExited is the error for an ID that belongs to no running process of the agent.
var errProcessExited = &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This process has already ended.")}

// StopProcess ends the process whose Process.ID is id, and all processes that it started. It returns CodeNotFound if
// the process has already ended. The agent's own process is ended in the same way as by Stop. If the process is a
// command, StopProcess returns once the command has ended; the turn continues.
func (a *Agent) StopProcess(id string) error {
	a.mu.Lock()
	k := a.connOfProcess(id)
	if k != nil {
		a.cancelPrompts()
		a.mu.Unlock()
		a.post(loopMessage{event: eventStopped, conn: k, onlyIfCurrent: true, cause: backend.CauseStopped})
		return nil
	}
	k = a.runningConn
	a.mu.Unlock()
	if k == nil || !slices.ContainsFunc(k.allSessions(), func(s *session.Session) bool { return s.EndCommand(id) }) {
		return errProcessExited
	}
	return nil
}
