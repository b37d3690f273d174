package agent

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/session"
)

// Others coordinates VoxPilot with other programs that use the same stored sessions. Two programs that write to one
// session would each know only a part of the conversation. The methods of Others are called only for sessions of agents
// that VoxPilot started itself.
type Others interface {
	// Check is called before a stored session is loaded (loaded is false), and before each prompt to a loaded one. Its
	// error is user-facing and means that another program has the session open. changed means that another program
	// has written to the session, so that it must be loaded again.
	Check(ctx context.Context, s backend.Session, loaded bool) (changed bool, err error)
	// Begin is called before a prompt with the user's text is sent. The function end is called when the agent has
	// answered the prompt, or can no longer answer it.
	Begin(s backend.Session, text string) (end func())
}

// checkOthers returns an error if another program has the row's session open.
func (a *Agent) checkOthers(ctx context.Context, k *conn, row backend.Session) error {
	if a.cfg.Others == nil || k.launch.Address != "" {
		return nil
	}
	_, err := a.cfg.Others.Check(ctx, row, false)
	return err
}

// latest returns the session to use for a prompt: s or, if another program has written to the session, the session
// after loading it again. It returns an error if another program has the session open; the session is then closed, so
// that only one program writes to it.
func (a *Agent) latest(ctx context.Context, k *conn, s *session.Session) (*session.Session, error) {
	row := s.Row()
	if a.cfg.Others == nil || k.launch.Address != "" || !k.storesSessions() {
		return s, nil
	}
	changed, err := a.cfg.Others.Check(ctx, row, true)
	if err == nil && (!changed || !row.HadPrompt) {
		return s, nil
	}
	a.log.Info("closed a session because of another program", "session", row.Name, "id", row.ACPID, "err", err)
	a.unload(k, s)
	a.mu.Lock()
	a.lastStates[row.Name] = lastUnloaded
	a.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return a.ensure(ctx, k, row.Name)
}

// beginPrompt calls Others.Begin if Config.Others is set and VoxPilot started the agent. Otherwise, end does nothing.
func (a *Agent) beginPrompt(k *conn, s *session.Session, text string) (end func()) {
	if a.cfg.Others == nil || k.launch.Address != "" {
		return func() {}
	}
	return a.cfg.Others.Begin(s.Row(), text)
}

// Unload closes the named session in the agent if it is loaded there. It returns CodeUnavailable if the session is in
// use.
func (a *Agent) Unload(ctx context.Context, name string) error {
	failed := backend.Say("Couldn't close the session")
	free, ok := a.claim(name)
	if !ok {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("%s because it's running. Stop it, or wait for it to finish.", failed)}
	}
	defer free()
	if k := a.process(); k != nil {
		return a.unloadSession(ctx, k, name, failed, true)
	}
	return nil
}
