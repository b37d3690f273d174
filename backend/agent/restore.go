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

// Restore brings the named sessions back in the background, all at once, and
// starts the process for them where it does not run; no names are main. A
// session that never had a prompt is left alone, since no agent keeps one, and
// an agent that the user stopped stays stopped until the next prompt.
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
		a.post(loopMessage{event: eventWanted, ctx: context.Background()})
	}
}

// restoreSessions brings back what is to be there when the process is ready: main, and
// beside it those that an earlier process held when it died and those that
// somebody waits for. None of these holds another back, or fails it.
//
// An agent that keeps no sessions begins each with its next prompt.
func (a *Agent) restoreSessions(ctx context.Context, k *conn) error {
	if !k.storesSessions() {
		return nil
	}
	for _, name := range a.sessionsToRestore() {
		a.startArrival(k, name)
	}
	if row, _ := a.row(backend.SessionMain); !row.HadPrompt {
		return nil // it begins with the first prompt
	}
	_, err := a.ensure(ctx, k, backend.SessionMain)
	var own *backend.Error
	if r := acp.Refused(err); r != nil && r.Code != acp.CodeAuthRequired || errors.As(err, &own) {
		return nil // the next prompt tries again, and tells what is wrong
	}
	return err
}

// sessionsToRestore are the sessions that the process is to have when it comes up.
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

// restoreRequestedSessions brings the sessions that Restore was asked for into a process that
// is ready.
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

// restore brings a session of an earlier process back. What the agent replays
// is not shown: all of it is in the transcript, and more. It is compared.
func (a *Agent) restore(k *conn, row backend.Session) (*session.Session, error) {
	row.Cwd = a.currentFolder() // an agent that keeps its sessions by folder has to have it there
	if is, err := k.listed(row); err != nil {
		return nil, err
	} else if !is {
		return nil, lostError(backend.Problem("it isn't listed"))
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
			a.log.Warn("a session was not restored", "session", row.Name, "id", row.ACPID, "method", how, "code", r.Code, "message", r.Message)
			if isLoss(r, row.ACPID) {
				return nil, lostError(err)
			}
		}
		return nil, err
	}
	check := s.FinishReplay(answer)
	a.log.Info("a session was restored", "session", row.Name, "id", row.ACPID, "method", how)
	if how == sdk.AgentMethodSessionLoad && check != nil {
		s.SetDifference(k.withName(check.Compare(<-history)))
	}
	return s, nil
}

// load asks for the session by the first of these that the agent has:
// session/load, whose replay shows what it remembers, and session/resume,
// which is tried once where the agent does not say whether it has it.
func (a *Agent) load(k *conn, s *session.Session, row backend.Session) (r gjson.Result, how string, err error) {
	id, servers := sdk.SessionId(row.ACPID), mcpServers(s.Servers())
	if k.declaredCapabilities().Load {
		params := sdk.LoadSessionRequest{SessionId: id, Cwd: row.Cwd, McpServers: servers}
		how = sdk.AgentMethodSessionLoad
		r, err = k.optional(how, params)
		if e := acp.Refused(err); e != nil && e.Code == acp.CodeInvalidParams && !isUnknown(e, row.ACPID) && k.declaredCapabilities().Close {
			// A session that is loaded already, such as by a process of before.
			if _, closed := k.optional(sdk.AgentMethodSessionClose, sdk.CloseSessionRequest{SessionId: id}); closed == nil {
				a.log.Info("a session was closed to be loaded", "session", row.Name, "id", row.ACPID)
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
		err = lostError(err) // whatever it says, it does not have the method
	}
	return r, how, err
}

// isLoss says whether the agent's error means that there is nothing to restore,
// or nothing that can be read.
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

// isUnknown says whether the agent's error means that it does not have the
// session in memory. The Copilot CLI says so with the code of bad params where
// it is prompted.
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

// replace makes a new session in the place of a lost one, and says so. An agent
// that keeps no sessions loses each with its process: then it is a rule in the
// transcript and no more.
func (a *Agent) replace(k *conn, row backend.Session, why error) (*session.Session, error) {
	a.log.Warn("a session is lost; a new one takes its place", "session", row.Name, "id", row.ACPID, "err", why)
	fresh, replaces := a.cfg.SkipRecap != nil && a.cfg.SkipRecap(), row.ACPID
	if fresh {
		replaces = "" // a recap goes in front of the first prompt of one that replaces another
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
		Detail: backend.Plain("Session " + row.ACPID + " could not be loaded. " + reason + "\n" + why.Error()),
	}, backend.Turn{})
	return s, nil
}

// recap is what a session that takes the place of a lost one is told, "" for
// nothing.
func (a *Agent) recap(ctx context.Context, name string) string {
	if a.cfg.Recap == nil {
		return ""
	}
	text, err := a.cfg.Recap(ctx, name)
	if err != nil {
		a.log.Warn("there is no recap for a new session", "session", name, "err", err)
	}
	return escapeSlashCommand(strings.TrimSpace(text))
}

// escapeSlashCommand is text that no agent takes for a slash command of the user's.
func escapeSlashCommand(text string) string {
	if strings.HasPrefix(text, "/") {
		return "Context: " + text
	}
	return text
}

// loadHistory begins to read what the transcript has of the session; nil where
// nothing is compared.
func (a *Agent) loadHistory(ctx context.Context, name string) <-chan []replay.Exchange {
	if a.cfg.History == nil {
		return nil
	}
	got := make(chan []replay.Exchange, 1)
	go func() {
		list, err := a.cfg.History(ctx, name)
		if err != nil {
			a.log.Warn("the transcript could not be read to be compared", "session", name, "err", err)
			list = nil
		}
		got <- list
	}()
	return got
}

// publishRestored says in the transcript how the session came back; before is its
// row as it was left.
func (a *Agent) publishRestored(s *session.Session, before backend.Session, known bool, was lastState) {
	name := s.Name
	switch was {
	case lastRunning:
		a.banner(backend.BannerIncomplete, name, backend.Message{})
	case lastIdle:
		a.banner(backend.BannerRestored, name, backend.Message{})
	case lastUnloaded:
	default:
		if !known { // in this run of the app
			a.banner(backend.BannerResumed, name, backend.Message{})
		}
	}
	row, differs := s.Row(), s.Difference()
	// What the user has switched on in this run of the app is no news.
	switch {
	case row.AllowAll && (!known || !before.AllowAll):
		a.banner(backend.BannerAllowAll, name, backend.Message{})
	case !row.AllowAll && len(row.Modes) > 0 && row.Mode != defaultMode(row.Modes) && (!known || row.Mode != before.Mode):
		a.banner(backend.BannerMode, name, backend.Plain(modeName(row)))
	}
	if !differs.IsZero() {
		a.log.Warn("the agent remembers something else than the transcript", "session", name, "id", s.ID, "how", differs.String())
		a.banner(backend.BannerHistoryMismatch, name, differs)
	}
}

// defaultMode is the mode in which sessions begin: the one that the agent calls
// its default, or else its first.
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
