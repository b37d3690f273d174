package agent

import (
	"context"
	"errors"
	"fmt"

	acp "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// JSON-RPC error codes of agents.
const (
	codeAuthRequired  = -32000
	codeNotFound      = -32002
	codeUnknownMethod = -32601
	codeInvalidParams = -32602
	codeInternal      = -32603
)

// errLost is the error of a load of which the agent says that there is nothing
// to load, or nothing that can be read.
var errLost = errors.New("the session is lost")

// restoreMain loads the session that answers the user, where it has one.
func (a *Agent) restoreMain(ctx context.Context, k *link) error {
	if row, ok := a.row(backend.SessionMain); !ok || !row.HadPrompt {
		return nil // it begins with the first prompt
	}
	_, err := a.ensure(ctx, k, backend.SessionMain)
	return err
}

// ensure brings the named session into the process: as it is, loaded, or new.
//
// A session takes another's place only where the agent says that the other is
// not there or cannot be read, never because of a timeout, a cancel or a death.
func (a *Agent) ensure(ctx context.Context, k *link, name string) (*session, error) {
	if s := k.named(name); s != nil {
		return s, nil
	}
	row, ok := a.row(name)
	if !ok || !row.HadPrompt {
		return a.create(ctx, k, name) // one without a prompt is kept by no agent
	}
	s, err := a.load(ctx, k, row)
	switch {
	case err == nil:
		a.tellLoaded(name)
		return s, nil
	case !errors.Is(err, errLost):
		return nil, err
	}
	a.log.Warn("a session is lost; a new one takes its place", "session", name, "id", row.ACPID, "err", err)
	if s, err = a.create(ctx, k, name); err == nil {
		a.takeLeft(name)
		a.banner(backend.BannerSessionLost, name, "", fmt.Sprintf("Session %s could not be loaded. %s", row.ACPID, lostReason(k)))
	}
	return s, err
}

func lostReason(k *link) string {
	if !k.can().Load {
		return "The agent cannot load sessions."
	}
	return "The agent does not have it any more, or cannot read it."
}

// tellLoaded publishes the banner that says how the session came back.
func (a *Agent) tellLoaded(name string) {
	switch a.takeLeft(name) {
	case leftRunning:
		a.banner(backend.BannerIncomplete, name, "", "")
	case leftIdle:
		a.banner(backend.BannerRestored, name, "", "")
	case leftAsleep:
	default:
		a.banner(backend.BannerResumed, name, "", "")
	}
}

func (a *Agent) takeLeft(name string) left {
	a.mu.Lock()
	defer a.mu.Unlock()
	was := a.left[name]
	delete(a.left, name)
	return was
}

func (a *Agent) newSession(row backend.Session) *session {
	return &session{
		chatID: a.cfg.ChatID, name: row.Name, acpID: row.ACPID, folder: row.Cwd, row: row,
		log: a.log.With("session", row.Name, "id", row.ACPID), publish: a.cfg.Publish, saved: a.keep,
		watch: watch{allowed: a.cfg.Allowed},
	}
}

// create makes a new session. Its id is durable before anything is sent to it.
func (a *Agent) create(ctx context.Context, k *link, name string) (*session, error) {
	folder := a.place()
	r, err := k.ask(ctx, limitSession, acp.AgentMethodSessionNew, acp.NewSessionRequest{
		Cwd: folder, McpServers: []acp.McpServer{},
	})
	if err != nil {
		return nil, err
	}
	now := backend.Now()
	row := backend.Session{
		ChatID: a.cfg.ChatID, Name: name, ACPID: r.Get("sessionId").String(), Cwd: folder, Home: k.launch.Home,
		State: backend.SessionLoaded, CreatedAt: now, UsedAt: now,
	}
	if row.ACPID == "" {
		return nil, &acp.RequestError{Code: codeInternal, Message: "the agent made a session without an id"}
	}
	if err := a.commit(ctx, row); err != nil {
		return nil, err
	}
	s := a.newSession(row)
	s.configure(r)
	k.register(s)
	a.log.Info("a session was made", "session", name, "id", row.ACPID)
	return s, nil
}

// commit makes a session's row durable.
func (a *Agent) commit(ctx context.Context, row backend.Session) error {
	if err := a.cfg.Commit(ctx, backend.Event{Session: &row}); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &backend.Error{
			Code:    backend.CodeStorage,
			Message: "Your message was not sent, because its session could not be saved. Check that there is room on the disk, then send it again.",
			Detail:  err.Error(),
		}
	}
	a.mu.Lock()
	a.rows[row.Name] = row
	a.mu.Unlock()
	return nil
}

// load brings a session of an earlier process back. What the agent replays is
// not shown: all of it is in the transcript, and more.
func (a *Agent) load(ctx context.Context, k *link, row backend.Session) (*session, error) {
	if !k.can().Load {
		return nil, errLost
	}
	if is, err := k.listed(ctx, row); err != nil {
		return nil, err
	} else if !is {
		return nil, fmt.Errorf("%w: it is not listed", errLost)
	}
	row.Cwd = a.place()
	s := a.newSession(row)
	s.replay = true
	k.register(s)
	params := acp.LoadSessionRequest{SessionId: acp.SessionId(row.ACPID), Cwd: row.Cwd, McpServers: []acp.McpServer{}}
	r, err := k.ask(ctx, limitLoad, acp.AgentMethodSessionLoad, params)
	if e := refused(err); e != nil && e.Code == codeInvalidParams && k.can().Close {
		// A session that is loaded already, such as by a load that was given up.
		if _, err := k.ask(ctx, limitSession, acp.AgentMethodSessionClose, acp.CloseSessionRequest{SessionId: params.SessionId}); err == nil {
			a.log.Info("a session was closed to be loaded", "session", row.Name, "id", row.ACPID)
		}
		r, err = k.ask(ctx, limitLoad, acp.AgentMethodSessionLoad, params)
	}
	if err != nil {
		k.forget(s)
		if e := refused(err); e != nil {
			a.log.Warn("a session was not loaded", "session", row.Name, "id", row.ACPID, "code", e.Code, "message", e.Message)
			switch e.Code {
			case codeNotFound, codeInternal, codeUnknownMethod:
				return nil, fmt.Errorf("%w: %w", errLost, err)
			}
		}
		return nil, err
	}
	s.loaded(r)
	a.log.Info("a session was loaded", "session", row.Name, "id", row.ACPID)
	return s, nil
}

// loaded ends the replay.
func (s *session) loaded(answer gjson.Result) {
	s.mu.Lock()
	s.replay = false
	s.mu.Unlock()
	s.configure(answer)
}

// maxPages is how far a list of sessions is read. One page of the Copilot CLI
// has 50.
const maxPages = 200

// listed says whether the agent has the session. The list is asked for by the
// session's folder first, which is short; but that compares the folder's name
// letter by letter, so what is not in it is looked for in the whole list.
func (k *link) listed(ctx context.Context, row backend.Session) (bool, error) {
	if !k.can().List {
		return true, nil // load will tell
	}
	for _, cwd := range []*string{&row.Cwd, nil} {
		var cursor *string
		for range maxPages {
			r, err := k.ask(ctx, limitSession, acp.AgentMethodSessionList, acp.ListSessionsRequest{Cwd: cwd, Cursor: cursor})
			if e := refused(err); e != nil && e.Code != codeAuthRequired {
				return true, nil
			}
			if err != nil {
				return false, err
			}
			found := false
			r.Get("sessions").ForEach(func(_, s gjson.Result) bool {
				found = s.Get("sessionId").String() == row.ACPID
				return !found
			})
			if found {
				return true, nil
			}
			next := r.Get("nextCursor").String()
			if next == "" {
				break
			}
			cursor = &next
		}
	}
	return false, nil
}
