package engine

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/sessionimport"
	"github.com/voxpilot/voxpilot/backend/sessionuse"
)

func newSessionUse(e *Engine) *sessionuse.Manager {
	return sessionuse.New(sessionuse.Config{
		Dir: filepath.Join(e.Dir, "sessionuse"), Main: e.mainSession, Active: e.Agents.active,
		Unload: func(ctx context.Context, chatID string) error {
			a, err := e.Agents.Running(chatID)
			if err != nil {
				return nil //nolint:nilerr // no agent has loaded it
			}
			return a.Unload(ctx, backend.SessionMain)
		},
		Imported: func(s backend.Session) (int64, bool) {
			r, err := sessionimport.Load(e.Imports.StateFile(s.ChatID))
			if err != nil || r.Target().ACPID != s.ACPID {
				return 0, false
			}
			return r.Offset(), true
		},
		Rows: e.storeForeignRows, Publish: e.Bus.Publish, Commit: e.Bus.Commit, Log: e.Log,
	})
}

// writable returns an error if a chat can't send messages now, because its session is being read or is open in another
// program.
func (e *Engine) writable(chatID string) error {
	if err := e.checkRead(chatID); err != nil {
		return err
	}
	return e.SessionUse.MayStart(e.ctx, chatID)
}

// mainSession returns the row of a chat's main session (sessionuse.Config.Main). It returns false if the chat was
// deleted, is still being read or is answered by an orchestrator, or if it has no main session that an agent can load.
func (e *Engine) mainSession(ctx context.Context, chatID string) (backend.Session, bool) {
	chat, err := e.Chats.Get(chatID)
	if err != nil || chat.DeletedAt > 0 || chat.OrchestratorID != "" || e.checkRead(chatID) != nil {
		return backend.Session{}, false
	}
	sessions, err := e.Store.Sessions(ctx, chatID)
	if err != nil {
		return backend.Session{}, false
	}
	i := slices.IndexFunc(sessions, func(s backend.Session) bool { return s.Name == backend.SessionMain })
	if i < 0 || sessions[i].ACPID == "" || sessions[i].State == backend.SessionLost {
		return backend.Session{}, false
	}
	return sessions[i], true
}

// active returns the IDs of the chats whose agents are ready or are restoring sessions.
func (g *agents) active() (ids []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for id, a := range g.byChat {
		if c := a.Connection().State; c == backend.ConnectionReady || c == backend.ConnectionRestoring {
			ids = append(ids, id)
		}
	}
	return ids
}

// storeForeignRows stores the rows for the part of a session's log that another program wrote (sessionuse.Config.Rows).
func (e *Engine) storeForeignRows(ctx context.Context, chatID string, s backend.Session, part sessionuse.Part) error {
	r, err := sessionimport.Load(e.Imports.StateFile(chatID)) // continues a turn that was running when it was imported
	if err != nil || r.Target().ACPID != s.ACPID {
		r, err = sessionimport.Load(e.SessionUse.RowsPath(chatID))
	}
	if err != nil || r.Target().ACPID != s.ACPID || r.Offset() > part.To() {
		r = sessionimport.NewReader(e.SessionUse.RowsPath(chatID), sessionimport.Target{ChatID: chatID, Name: s.Name, ACPID: s.ACPID, Home: s.Home, Folder: s.Cwd})
	}
	if r.Offset() < part.From {
		if err := r.SkipToEnd(part.Log.Until(part.From)); err != nil {
			return err
		}
	}
	r.Live = part.Live
	return r.Read(ctx, part.Log, func(ctx context.Context, events []backend.Event) error {
		for _, ev := range events {
			if ev.Turn != nil {
				e.foreignTurns.Store(ev.Turn.ID, true)
			}
		}
		return e.Bus.Commit(ctx, events...)
	}, func(int64, int64) {})
}

// isForeignTurn reports whether another program ran the turn and the turn was stored during this run of the app. The
// user isn't notified of the end of such a turn.
func (e *Engine) isForeignTurn(id string) bool {
	_, is := e.foreignTurns.Load(id)
	return is
}
