package agent

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/session"
)

// The user's operations on a chat's sessions.

// RenameSession changes the name of a session, also in its transcript. It returns CodeUnavailable while the session is
// in use or if the running agent doesn't store sessions, CodeInvalid if newName is empty or taken or if one of the
// names is main, and CodeNotFound if the session doesn't exist.
//
// If a process has loaded the session, RenameSession closes it there. The next prompt loads it under its new name.
func (a *Agent) RenameSession(ctx context.Context, name, newName string) error {
	failed := backend.Say("Couldn't rename the session")
	_, known := a.row(name)
	_, taken := a.row(newName)
	switch {
	case newName == "":
		return backend.Invalid("Enter a session name.")
	case name == backend.SessionMain || newName == backend.SessionMain:
		return backend.Invalid("%s: the name “main” is reserved for the session that answers you.", failed)
	case !known:
		return errNoSession
	case name == newName:
		return nil
	case taken:
		return backend.Invalid("%s: a session called “%s” already exists. Choose another name.", failed, newName)
	}
	free, ok := a.claim(name, newName)
	if !ok {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("%s because it's running. Stop it, or wait for it to finish.", failed)}
	}
	defer free()
	if k := a.process(); k != nil {
		if !k.storesSessions() {
			return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("%s because this agent doesn't store sessions, so this session would be lost.", failed)}
		}
		if err := a.unloadSession(ctx, k, name, failed, false); err != nil {
			return err
		}
	}
	err := a.cfg.Commit(ctx, backend.Event{SessionRenamed: &backend.SessionRenamed{ChatID: a.cfg.ChatID, Session: name, To: newName}})
	if err != nil {
		return notStored(failed, err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	row := a.rows[name]
	row.Name = newName
	a.rows[newName], a.known[newName], a.lastStates[newName] = row, true, lastUnloaded
	if told, is := a.recaps[name]; is {
		a.recaps[newName] = told
	}
	a.forgetSession(name)
	return nil
}

// RemoveSession cancels the session's prompt, closes the session in the agent and deletes its row. Its transcript
// stays. A later task for a session of the same name creates a new session. RemoveSession returns CodeInvalid for main
// and CodeNotFound if the session doesn't exist.
func (a *Agent) RemoveSession(ctx context.Context, name string) error {
	failed := backend.Say("Couldn't close the session")
	if name == backend.SessionMain {
		return backend.Invalid("%s because it's the main session, where you chat with the agent.", failed)
	}
	if _, known := a.row(name); !known {
		return errNoSession
	}
	a.Cancel(name)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	free, ok := a.enter(ctx, name, cancel)
	if !ok {
		return enterError(ctx, failed)
	}
	defer free()
	if k := a.process(); k != nil {
		// An agent that can't close a session keeps it loaded until it exits.
		if err := a.unloadSession(ctx, k, name, failed, true); err != nil {
			return err
		}
	}
	err := a.cfg.Commit(ctx, backend.Event{SessionDeleted: &backend.Deleted{ID: name, ChatID: a.cfg.ChatID}})
	if err != nil {
		return notStored(failed, err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.forgetSession(name)
	return nil
}

// RestartSession closes the session (CloseSession) and loads it again, with its history. It returns CodeNotFound if the
// session doesn't exist.
func (a *Agent) RestartSession(ctx context.Context, name string) error {
	failed := backend.Say("Couldn't restart the session")
	if _, known := a.row(name); !known {
		return errNoSession
	}
	if err := a.CloseSession(ctx, name); err != nil {
		return err
	}
	k, _, err := a.loadedSession(ctx, name)
	return userErrorFrom(k, err, failed)
}

var errNoSession = &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This session no longer exists.")}

// notStored returns the error for an operation whose result couldn't be saved because of err. failed is a message such
// as "Couldn't rename the session".
func notStored(failed backend.Message, err error) error {
	return &backend.Error{Code: backend.CodeStorage, Message: backend.Say("%s because VoxPilot can't write to its database. Everything saved earlier is safe.", failed), Detail: err.Error()}
}

// process returns the ready process, or nil if there is none.
func (a *Agent) process() *conn {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.conn
}

// forgetSession discards the agent's data about the named session. The caller must hold a.mu.
func (a *Agent) forgetSession(name string) {
	delete(a.rows, name)
	delete(a.lastStates, name)
	delete(a.known, name)
	delete(a.restoreRequested, name)
	delete(a.recaps, name)
}

// claim reserves the named sessions. No other operation can use them until free is called. If one of them is already in
// use, ok is false and none is reserved.
func (a *Agent) claim(names ...string) (free func(), ok bool) {
	var taken []chan struct{}
	free = func() {
		for _, lock := range taken {
			<-lock
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, name := range names {
		if a.busy[name] == nil {
			a.busy[name] = make(chan struct{}, 1)
		}
		select {
		case a.busy[name] <- struct{}{}:
			taken = append(taken, a.busy[name])
		default:
			free()
			return nil, false
		}
	}
	return free, true
}

// SetMode sets the mode of the named session to one of its Session.Modes.
func (a *Agent) SetMode(ctx context.Context, name, modeID string) error {
	return a.set(ctx, name, backend.Say("Couldn't change the mode"), func(ctx context.Context, s *session.Session) error { return s.SetMode(ctx, modeID) })
}

// SetOption sets one of the options in the named session's Session.Options. Booleans are "true" or
// "false".
func (a *Agent) SetOption(ctx context.Context, name, optionID, value string) error {
	return a.set(ctx, name, backend.Say("Couldn't change the setting"), func(ctx context.Context, s *session.Session) error { return s.SetOption(ctx, optionID, value) })
}

// AskAgain turns the agent's permission requests in the named session back on. They can be off because of
// one of the agent's own options, or because of a mode such as autopilot.
func (a *Agent) AskAgain(ctx context.Context, name string) error {
	return a.set(ctx, name, backend.Say("Couldn't turn permission requests back on"), func(ctx context.Context, s *session.Session) error { return s.AskAgain(ctx) })
}

// set loads the named session and applies change to it. failed is the start of the user-facing message for errors.
func (a *Agent) set(ctx context.Context, name string, failed backend.Message, change func(context.Context, *session.Session) error) error {
	defer a.acquire()()
	k, s, err := a.loadedSession(ctx, name)
	if err == nil {
		err = change(ctx, s)
	}
	return userErrorFrom(k, err, failed)
}
