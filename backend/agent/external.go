package agent

import (
	"context"
	"errors"
	"time"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/session"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// SessionInfo is a session as the agent lists it.
type SessionInfo struct {
	ACPID     string
	Title     string
	Cwd       string
	UpdatedAt backend.Millis
}

// List is a page of the sessions that the agent has in the chat's folder, the
// newest first; next is the cursor of the page after it, "" where there is none.
// The agent is started where it does not run. It is CodeUnavailable where the
// agent cannot do that.
func (a *Agent) List(ctx context.Context, cursor string) (sessions []SessionInfo, next string, err error) {
	k, err := a.readyConn(ctx)
	if err == nil {
		defer a.acquire()()
		sessions, next, err = a.page(ctx, k, cursor)
	}
	return sessions, next, userErrorFrom(k, err, backend.Say("Couldn't list the sessions"))
}

func (a *Agent) page(ctx context.Context, k *conn, cursor string) (sessions []SessionInfo, next string, err error) {
	folder := a.currentFolder()
	params := sdk.ListSessionsRequest{Cwd: &folder}
	if cursor != "" {
		params.Cursor = &cursor
	}
	r, err := k.within(ctx, func() (gjson.Result, error) { return k.optional(sdk.AgentMethodSessionList, params) })
	if err != nil {
		return nil, "", err
	}
	r.Get("sessions").ForEach(func(_, s gjson.Result) bool {
		one := SessionInfo{ACPID: s.Get("sessionId").String(), Title: excerpt.FirstLine(s.Get("title").String(), 200), Cwd: s.Get("cwd").String()}
		if at, err := time.Parse(time.RFC3339, s.Get("updatedAt").String()); err == nil {
			one.UpdatedAt = backend.Millis(at.UnixMilli())
		}
		if one.ACPID != "" {
			sessions = append(sessions, one)
		}
		return true
	})
	return sessions, r.Get("nextCursor").String(), nil
}

// Continue gives the session with the agent's id, which was begun elsewhere, a
// name in the chat and loads it. What it replays is not shown; a note says that
// there was something before. It is CodeInvalid where the name is taken or the
// chat has the session already, and CodeNotFound where the agent does not have
// it in the chat's folder, or cannot load it.
func (a *Agent) Continue(ctx context.Context, acpID, name string) error {
	failed := backend.Say("Couldn't continue the session")
	if err := a.checkNameFree(acpID, name, failed); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	free, ok := a.enter(ctx, name, cancel)
	if !ok {
		return errClosed
	}
	defer free()
	k, err := a.readyConn(ctx)
	if err != nil {
		return userErrorFrom(k, err, failed)
	}
	found, err := a.find(ctx, k, acpID)
	if err != nil {
		return userErrorFrom(k, err, failed)
	}
	now := backend.Now()
	row := backend.Session{
		ChatID: a.cfg.ChatID, Name: name, ACPID: acpID, Cwd: found.Cwd, Home: k.launch.Home, Title: found.Title,
		HadPrompt: true, State: backend.SessionUnloaded, CreatedAt: now, UsedAt: now,
	}
	// Somebody may have taken either while the agent was asked.
	if err := a.checkNameFree(acpID, name, failed); err != nil {
		return err
	}
	if err := a.cfg.Commit(ctx, backend.Event{Session: &row}); err != nil {
		return notStored(failed, err)
	}
	a.mu.Lock()
	a.rows[name] = row
	a.mu.Unlock()
	if err := a.loadExternal(ctx, k, row); err != nil {
		if gone := a.cfg.Commit(context.WithoutCancel(ctx), backend.Event{SessionDeleted: &backend.Deleted{ID: name, ChatID: a.cfg.ChatID}}); gone != nil {
			a.log.Warn("a session that was not continued is still in the chat", "session", name, "err", gone)
		}
		a.mu.Lock()
		a.forgetSession(name)
		a.mu.Unlock()
		if errors.Is(err, errLost) {
			return &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("%s: the agent lists it but can't load it.", failed), Detail: err.Error()}
		}
		return userErrorFrom(k, err, failed)
	}
	return nil
}

// checkNameFree says why the session cannot get the name.
func (a *Agent) checkNameFree(acpID string, name string, failed backend.Message) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, taken := a.rows[name]; taken || name == "" {
		return backend.Invalid(`%s: a session called "%s" already exists. Choose another name.`, failed, name)
	}
	for _, row := range a.rows {
		if row.ACPID == acpID {
			return backend.Invalid(`%s because it's already in this chat as "%s".`, failed, row.Name)
		}
	}
	return nil
}

// find looks for the session in the list of those in the chat's folder.
func (a *Agent) find(ctx context.Context, k *conn, acpID string) (SessionInfo, error) {
	cursor := ""
	for range maxPages {
		page, next, err := a.page(ctx, k, cursor)
		if err != nil {
			return SessionInfo{}, err
		}
		for _, s := range page {
			if s.ACPID == acpID {
				return s, nil
			}
		}
		if cursor = next; cursor == "" {
			break
		}
	}
	return SessionInfo{}, &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("The agent no longer has this session in the chat's folder.")}
}

// externalNote is the note in front of what a continued session does.
var externalNote = backend.Say("This session was started elsewhere. Copilot remembers the earlier conversation, but it isn't shown here.")

// loadExternal brings the session into the process. Other than in bring, none
// takes its place where it is lost.
func (a *Agent) loadExternal(ctx context.Context, k *conn, row backend.Session) error {
	v := a.startArrivalBy(k, row.Name, func() (*session.Session, error) { return a.restore(k, row) })
	_, err := await(ctx, limitLoad, func() (gjson.Result, error) {
		<-v.done
		return gjson.Result{}, v.err
	})
	if err != nil {
		return err
	}
	now := backend.Now()
	note := backend.Item{ID: backend.NewID(), ChatID: row.ChatID, Session: row.Name, Kind: backend.ItemNote, CreatedAt: now, EndedAt: now}
	text := k.withName(externalNote).String()
	a.cfg.Publish(backend.Event{Item: &note}, backend.Event{Text: &backend.Text{ItemID: note.ID, ChatID: row.ChatID, Text: text, Size: int64(len(text))}})
	a.publishRestored(v.s, row, false, lastUnloaded)
	return nil
}
