package agent

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/acp"
	"github.com/voxpilot/voxpilot/backend/agent/replay"
	"github.com/voxpilot/voxpilot/backend/agent/session"
)

// Restore restores the named sessions in the background, or only the main session if no name is given. It starts the
// process if the connection is idle, unless the user stopped the agent. Sessions that haven't received a prompt are
// skipped, because agents don't store them.
func (a *Agent) Restore(names ...string) {
	if len(names) == 0 {
		names = []string{backend.SessionMain}
	}
	a.mu.Lock()
	wants := false
	for _, name := range names {
		if a.rows[name].HadPrompt {
			a.restoreRequested[name], wants = true, true
		}
	}
	k := a.conn
	starts := a.connection.State == backend.ConnectionIdle && a.connection.Cause != backend.CauseStopped
	a.mu.Unlock()
	switch {
	case !wants:
	case k != nil:
		a.restoreRequestedSessions(k)
	case starts:
		a.post(loopMessage{event: eventNeeded, ctx: context.Background()})
	}
}

// restoreSessions starts to restore the sessions in a process that is being started, and waits for the main session
// only. An error means that the process can't become ready.
//
// If the agent doesn't store sessions, restoreSessions does nothing. Each session is then replaced when it receives its
// next prompt.
func (a *Agent) restoreSessions(ctx context.Context, k *conn) error {
	if !k.storesSessions() {
		return nil
	}
	for _, name := range a.sessionsToRestore() {
		a.startArrival(k, name)
	}
	if row, _ := a.row(backend.SessionMain); !row.HadPrompt {
		return nil // starts with the first prompt
	}
	_, err := a.ensure(ctx, k, backend.SessionMain)
	var own *backend.Error
	if r := acp.Refused(err); r != nil && r.Code != acp.CodeAuthRequired || errors.As(err, &own) {
		return nil // the next prompt retries and reports the error
	}
	return err
}

// sessionsToRestore returns the names of the sessions to restore in a new process. These are the sessions that have
// received a prompt and meet at least one further condition: the session is the main session, it was loaded in the
// previous process, it was passed to Restore, or an operation such as a prompt is waiting for it.
func (a *Agent) sessionsToRestore() (names []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for name, row := range a.rows {
		died := a.lastStates[name] == lastIdle || a.lastStates[name] == lastRunning
		if row.HadPrompt && (name == backend.SessionMain || died || a.restoreRequested[name] || a.cancels[name] != nil) {
			names = append(names, name)
		}
	}
	return names
}

// restoreRequestedSessions starts to load the sessions in restoreRequested into a ready process, if the agent stores
// sessions.
func (a *Agent) restoreRequestedSessions(k *conn) {
	if !k.storesSessions() {
		return
	}
	a.mu.Lock()
	names := slices.Collect(maps.Keys(a.restoreRequested))
	a.mu.Unlock()
	for _, name := range names {
		a.startArrival(k, name)
	}
}

// restore loads a session that was created in an earlier process. It returns errLost if the agent no longer has the
// session or can't load it, and a user-facing error if another program has it open. The conversation that the agent
// replays is compared with the transcript but isn't shown, because the transcript already contains it.
func (a *Agent) restore(k *conn, row backend.Session) (*session.Session, error) {
	if err := a.checkOthers(k.ctx, k, row); err != nil {
		return nil, err
	}
	row.Cwd = a.currentFolder() // agents that store sessions by folder look for the session there
	if is, err := k.listed(row); err != nil {
		return nil, err
	} else if !is {
		return nil, lostError(backend.Problem("the agent no longer lists it"))
	}
	s := a.newSession(k, row, a.serversOf(k, row.Name))
	history := a.loadHistory(k.ctx, row.Name)
	s.AwaitReplay(history != nil)
	k.register(s)
	how := ""
	answer, err := a.callInFolder(k, func() (answer gjson.Result, err error) {
		answer, how, err = a.load(k, s, row)
		return answer, err
	})
	if err != nil {
		k.forget(s)
		if r := acp.Refused(err); r != nil {
			a.log.Warn("couldn't restore a session", "session", row.Name, "id", row.ACPID, "method", how, "code", r.Code, "message", r.Message)
			if isLoss(r, row.ACPID) {
				return nil, lostError(err)
			}
		}
		return nil, err
	}
	check := s.FinishReplay(answer)
	a.log.Info("session restored", "session", row.Name, "id", row.ACPID, "method", how)
	if how == sdk.AgentMethodSessionLoad && check != nil {
		how := check.Compare(<-history)
		how.Text = k.withName(how.Text)
		s.SetDifference(how)
	}
	return s, nil
}

// load loads the session with session/load, whose replay can be compared with the transcript. If the agent doesn't
// support session/load, session/resume is called instead, even if the agent doesn't declare that method. The result
// how is the name of the method that was called last.
func (a *Agent) load(k *conn, s *session.Session, row backend.Session) (r gjson.Result, how string, err error) {
	id, servers := sdk.SessionId(row.ACPID), mcpServers(s.Servers())
	if k.declaredCapabilities().Load {
		params := sdk.LoadSessionRequest{SessionId: id, Cwd: row.Cwd, McpServers: servers}
		how = sdk.AgentMethodSessionLoad
		r, err = k.optional(how, params)
		if e := acp.Refused(err); e != nil && e.Code == acp.CodeInvalidParams && !isUnknown(e, row.ACPID) && k.declaredCapabilities().Close {
			// The session may still be loaded, for example by an earlier process.
			if _, closed := k.optional(sdk.AgentMethodSessionClose, sdk.CloseSessionRequest{SessionId: id}); closed == nil {
				a.log.Info("closed a session to load it again", "session", row.Name, "id", row.ACPID)
			}
			r, err = k.optional(how, params)
		}
		if e := acp.Refused(err); e == nil || e.Code != acp.CodeUnknownMethod {
			return r, how, err
		}
	}
	declared := k.declaredCapabilities().Resume
	how = sdk.AgentMethodSessionResume
	r, err = k.optional(how, sdk.ResumeSessionRequest{SessionId: id, Cwd: row.Cwd, McpServers: servers})
	if e := acp.Refused(err); e != nil && !declared && e.Code != acp.CodeAuthRequired {
		err = lostError(err) // whatever the error, the method isn't supported
	}
	return r, how, err
}

// isLoss reports whether r means that the session with the given ID doesn't exist or can't be read. r is the error that
// the agent returned when it was asked to load the session.
func isLoss(r *sdk.RequestError, id string) bool {
	switch r.Code {
	case acp.CodeNotFound, acp.CodeUnknownMethod:
		return true
	case acp.CodeInternal:
		_, servers := serverErrorStatus(r)
		return !servers
	}
	return isUnknown(r, id)
}

// isUnknown reports whether the agent's error means that it doesn't know the session with the given ID, or
// hasn't loaded it. For prompts, the Copilot CLI reports this as invalid params.
func isUnknown(r *sdk.RequestError, id string) bool {
	if r.Code == acp.CodeNotFound {
		return true
	}
	text := strings.ToLower(r.Message)
	if r.Code != acp.CodeInvalidParams || !strings.Contains(text, "session") && !strings.Contains(r.Message, id) {
		return false
	}
	for _, words := range []string{"not found", "unknown", "no such", "does not exist", "doesn't exist"} {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}

// replace creates a new session to replace a lost one and publishes a banner. The parameter why is the error that the
// attempt to load the lost session returned. If the agent doesn't store sessions, they are lost whenever its process
// exits; in that case, the banner is already dismissed when it is published.
func (a *Agent) replace(k *conn, row backend.Session, why error) (*session.Session, error) {
	a.log.Warn("a session is lost; replacing it with a new one", "session", row.Name, "id", row.ACPID, "err", why)
	fresh, replaces := a.cfg.SkipRecap != nil && a.cfg.SkipRecap(), row.ACPID
	if fresh {
		replaces = "" // sessions with ReplacesID get a recap with the first prompt
	}
	s, err := a.create(k, row.Name, replaces, row)
	if err != nil {
		return nil, err
	}
	told := ""
	if !fresh {
		told = a.recap(k.ctx, row.Name)
	}
	a.mu.Lock()
	delete(a.lastStates, row.Name)
	a.recaps[row.Name] = told
	a.mu.Unlock()
	keeps := k.storesSessions()
	reason := "The agent no longer has it, or can't read it."
	if !keeps {
		reason = "This agent can't load sessions."
	}
	a.publishTurnBanner(backend.Banner{
		Kind: backend.BannerSessionLost, Session: row.Name, Recap: told, Dismissed: !keeps,
		Detail: backend.Plain("Couldn't load session " + row.ACPID + ". " + reason + "\n" + why.Error()),
	}, backend.Turn{})
	return s, nil
}

// recap returns the recap for the session that replaces the named one, or "" if there is none.
func (a *Agent) recap(ctx context.Context, name string) string {
	if a.cfg.Recap == nil {
		return ""
	}
	text, err := a.cfg.Recap(ctx, name)
	if err != nil {
		a.log.Warn("couldn't create a recap for a new session", "session", name, "err", err)
	}
	return escapeSlashCommand(strings.TrimSpace(text))
}

// escapeSlashCommand adds a prefix to text that starts with a slash, because an agent could mistake it for a slash
// command.
func escapeSlashCommand(text string) string {
	if strings.HasPrefix(text, "/") {
		return "Context: " + text
	}
	return text
}

// loadHistory reads the session's transcript in the background. The returned channel receives the transcript, or nil if
// the transcript can't be read. If Config.History is nil, the channel itself is nil.
func (a *Agent) loadHistory(ctx context.Context, name string) <-chan []replay.Exchange {
	if a.cfg.History == nil {
		return nil
	}
	got := make(chan []replay.Exchange, 1)
	go func() {
		list, err := a.cfg.History(ctx, name)
		if err != nil {
			a.log.Warn("couldn't read the transcript to compare it", "session", name, "err", err)
			list = nil
		}
		got <- list
	}()
	return got
}

// publishRestored publishes the banners about a restored session. before is the session's row before it was restored.
// The values of known and was come from markLoaded.
func (a *Agent) publishRestored(s *session.Session, before backend.Session, known bool, was lastState) {
	name := s.Name
	switch was {
	case lastRunning:
		a.banner(backend.BannerIncomplete, name, backend.Message{})
	case lastIdle:
		a.banner(backend.BannerRestored, name, backend.Message{})
	case lastUnloaded:
	default:
		if !known { // the first load during this run of the app
			a.banner(backend.BannerResumed, name, backend.Message{})
		}
	}
	a.publishState(s, before, known)
}

// publishState publishes banners about unusual settings of a loaded session and about a history that differs from the
// transcript. The arguments are those of publishRestored.
func (a *Agent) publishState(s *session.Session, before backend.Session, known bool) {
	name, row, differs := s.Name, s.Row(), s.Difference().Text
	// Settings that the user changed during this run of the app aren't reported.
	switch {
	case row.AllowAll && (!known || !before.AllowAll):
		a.banner(backend.BannerAllowAll, name, backend.Message{})
	case !row.AllowAll && len(row.Modes) > 0 && row.Mode != defaultMode(row.Modes) && (!known || row.Mode != before.Mode):
		a.banner(backend.BannerMode, name, backend.Plain(modeName(row)))
	}
	if !differs.IsZero() {
		a.log.Warn("the agent's history differs from the transcript", "session", name, "id", s.ID, "how", differs.String())
		a.banner(backend.BannerHistoryMismatch, name, differs)
	}
}

// defaultMode returns the ID of the initial mode of sessions: "default" if a mode has this ID, or else the ID
// of the first mode.
func defaultMode(modes []backend.Choice) string {
	if slices.ContainsFunc(modes, func(m backend.Choice) bool { return m.ID == "default" }) {
		return "default"
	}
	return modes[0].ID
}

func modeName(row backend.Session) string {
	for _, m := range row.Modes {
		if m.ID == row.Mode && m.Name != "" {
			return m.Name
		}
	}
	return row.Mode
}
