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

// SessionInfo is a session in the agent's list (ACP session/list).
type SessionInfo struct {
	ACPID     string
	Title     string
	Cwd       string
	UpdatedAt backend.Millis // 0 if the agent doesn't report it
}

// List returns the page at cursor of the agent's sessions in the chat's folder, in the agent's order. The first page
// has the cursor "". next is the cursor of the next page, or "" after the last page. List starts the agent if
// necessary. It returns CodeUnavailable if the agent can't list sessions.
func (a *Agent) List(ctx context.Context, cursor string) (sessions []SessionInfo, next string, err error) {
	k, err := a.readyConn(ctx)
	if err == nil {
		defer a.acquire()()
		sessions, next, err = a.page(ctx, k, cursor)
	}
	return sessions, next, userErrorFrom(k, err, backend.Say("Couldn't list the sessions"))
}

// page returns one page of the list of the agent's sessions in the chat's folder. The page starts at cursor; ""
// means the first page. next is the cursor of the next page, or "" after the last page.
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

// Continue adds an existing session to the chat and loads it. The session was started by another program. acpID is
// its ACP ID, and name is its name in the chat. The transcript shows a note instead of the earlier conversation.
// Continue returns CodeInvalid if the name is empty or taken or if the session is already in the chat. It returns
// CodeNotFound if the agent doesn't have the session in the chat's folder or can't load it.
func (a *Agent) Continue(ctx context.Context, acpID, name string) error {
	failed := backend.Say("Couldn't continue the session")
	if err := a.checkNameFree(acpID, name, failed); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	free, ok := a.enter(ctx, name, cancel)
	if !ok {
		return enterError(ctx, failed)
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
	// The name or the session may have been added to the chat while the agent was queried.
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
			a.log.Warn("couldn't remove a session that wasn't continued from the chat", "session", name, "err", gone)
		}
		a.mu.Lock()
		a.forgetSession(name)
		a.mu.Unlock()
		if errors.Is(err, errLost) {
			return &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("%s: the agent lists this session but can't load it.", failed), Detail: err.Error()}
		}
		return userErrorFrom(k, err, failed)
	}
	return nil
}

// checkNameFree returns CodeInvalid if the name is empty or taken, or if the session with the ID acpID is
// already in the chat. The parameter failed is the start of the error's message.
func (a *Agent) checkNameFree(acpID string, name string, failed backend.Message) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if name == "" {
		return backend.Invalid("Enter a session name.")
	}
	if _, isTaken := a.rows[name]; isTaken {
		return backend.Invalid("%s: a session called “%s” already exists. Choose another name.", failed, name)
	}
	for _, row := range a.rows {
		if row.ACPID == acpID {
			return backend.Invalid("%s because it's already in this chat as “%s”.", failed, row.Name)
		}
	}
	return nil
}

// find returns the session with the ID acpID from the agent's list of sessions in the chat's folder. It
// returns CodeNotFound if the list doesn't contain it.
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
	return SessionInfo{}, &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("The agent no longer lists this session for the chat's folder.")}
}

// externalNote is the note shown before the items of a continued session.
var externalNote = backend.Say("This session was started in another program. Copilot remembers the earlier conversation, but this chat doesn't show it.")

// loadExternal loads row's session into the process and publishes externalNote. Unlike restoreOrCreate, it
// doesn't replace a lost session, but returns errLost.
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
