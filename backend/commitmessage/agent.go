package commitmessage

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
)

// Time limits for stopping an agent, and for finding the reason why an agent isn't ready.
const (
	limitEnd    = 15 * time.Second
	limitReason = 5 * time.Second
)

// askAgent sends a prompt to the chat's agent in a separate process and returns the answer. It gets the prompt from a
// callback. The callback's argument knowsChat is true if the agent works in a fork of the chat's main session and
// therefore knows the conversation.
func (m *Manager) askAgent(ctx context.Context, chat backend.Chat, prompt func(knowsChat bool) string) (answer, error) {
	row, err := m.session(ctx, chat)
	if err != nil {
		return answer{}, err
	}
	start := m.cfg.Agent(chat)
	cfg := start.Config
	defer start.Ended()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	d := &drafter{m: m, name: start.Name, stop: stop, row: row, isCopilot: m.cfg.Forks(chat)}
	defer d.removeSessions()
	if row.HadPrompt {
		d.used = []backend.Session{row}
	}
	if row.Name != "" {
		cfg.Sessions = []backend.Session{row}
	}
	launch := cfg.Launch
	cfg.Launch = func(ctx context.Context) (agent.Launch, *agent.LaunchError) {
		l, err := launch(ctx)
		d.launched(l)
		return l, err
	}
	cfg.Publish, cfg.Commit = d.observe, d.commit
	cfg.Ask, cfg.Questions = reject, nil
	cfg.IsDenied = func(backend.Permission) bool { return true }
	a := agent.New(cfg)
	start.Started(a)
	got, err := d.ask(ctx, a, prompt(row.HadPrompt))
	end, cancel := context.WithTimeout(context.Background(), limitEnd)
	defer cancel()
	if failed := a.Close(end); failed != nil {
		m.cfg.Log.Warn("couldn't stop the agent of a draft", "chat", chat.ID, "err", failed)
	}
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return got, err
}

// session returns the session in which the agent answers. It is either a fork of the chat's main session, already
// marked for removal, or a new session with the options of the main session.
func (m *Manager) session(ctx context.Context, chat backend.Chat) (backend.Session, error) {
	sessions, err := m.cfg.Sessions(ctx, chat.ID)
	i := slices.IndexFunc(sessions, func(s backend.Session) bool { return s.Name == backend.SessionMain })
	if err != nil || i < 0 {
		return backend.Session{}, err
	}
	row := sessions[i]
	from := row.ACPID
	row.ACPID, row.ReplacesID, row.Title = "", "", ""
	if !row.HadPrompt || !m.cfg.Forks(chat) {
		row.HadPrompt = false
		return row, nil
	}
	row.ACPID = sessionfiles.NewID()
	if err := m.cfg.Mark(sessionfiles.HomeOf(row), row.ACPID); err != nil {
		return row, notPrepared(err)
	}
	if err := sessionfiles.Fork(ctx, sessionfiles.HomeOf(row), from, row.ACPID, time.Time{}); err != nil {
		m.cfg.Log.Info("drafting a message without the conversation, because its session can't be forked", "chat", chat.ID, "session", from, "err", err)
		m.cfg.Remove(sessionfiles.HomeOf(row), row.ACPID)
		row.ACPID, row.HadPrompt = "", false
	}
	return row, nil
}

func notPrepared(err error) error {
	return &backend.Error{Code: backend.CodeStorage, Message: backend.Say("Couldn't prepare a session for the draft. Check for free disk space, then try again."), Detail: err.Error()}
}

// reject rejects an agent's permission request (agent.Config.Ask). It returns false if the request has no option to
// reject.
func reject(_ context.Context, p backend.Permission) (backend.Permission, bool) {
	p.State, p.DecidedAt, p.Decision = backend.PermissionDecided, backend.Now(), backend.DecisionRejected
	for _, kind := range []backend.OptionKind{backend.OptionRejectOnce, backend.OptionRejectAlways} {
		for _, o := range p.Options {
			if o.Kind == kind {
				p.OptionID = o.ID
				return p, true
			}
		}
	}
	return p, false
}

// drafter handles the events of an agent that drafts a message. It doesn't forward them.
type drafter struct {
	m    *Manager
	name string // the agent's name
	stop context.CancelCauseFunc
	// isCopilot means that the agent is the Copilot CLI, whose session IDs can be trusted.
	isCopilot bool

	mu      sync.Mutex
	row     backend.Session   // the session's state
	own     string            // the user's own model that the agent uses, or ""
	service string            // the user's name for the service of that model, or ""
	used    []backend.Session // the sessions to remove
}

func (d *drafter) launched(l agent.Launch) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.own, d.service = cmp.Or(l.Model.ID, l.Model.Name), l.Model.Name
}

// observe records the state of the session. It cancels the draft if the agent can't draft a message (see failure).
func (d *drafter) observe(events ...backend.Event) {
	for _, e := range events {
		switch {
		case e.Session != nil:
			d.mu.Lock()
			d.row = *e.Session
			d.mu.Unlock()
		case e.Connection != nil:
			if err := d.failure(*e.Connection); err != nil {
				d.stop(err)
			}
		}
	}
}

// failure returns the reason why an agent in the state c can't draft a message, or nil if it can.
func (d *drafter) failure(c backend.Connection) error {
	switch c.State {
	case backend.ConnectionNeedsLogin:
		return d.signedOut(c.Message.String())
	case backend.ConnectionNeedsTrust:
		return &backend.Error{Code: backend.CodeUntrusted, Message: backend.Say("Trust this folder first. Then %s can draft a message.", d.name)}
	case backend.ConnectionFailed:
		return &backend.Error{Code: backend.CodeConnection, Message: c.Message, Detail: c.Stderr}
	case backend.ConnectionWaiting:
		if c.Cause == backend.CauseOffline {
			return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Can't draft a message because you're offline. Check your connection, then try again."), Detail: c.Message.String()}
		}
		return d.exited(c.Message.String() + "\n" + c.Stderr)
	default:
		return nil
	}
}

func (d *drafter) signedOut(detail string) error {
	d.mu.Lock()
	service := d.service
	d.mu.Unlock()
	if service != "" {
		return &backend.Error{Code: backend.CodeAuth, Message: backend.Say("%s rejected the API key. Fix the key in Settings, then try again.", service), Detail: detail}
	}
	return &backend.Error{Code: backend.CodeAuth, Message: backend.Say("%s can't draft a message until you sign in. Sign in, then try again.", d.name), Detail: detail}
}

// notReady returns the reason why the agent has no session for the draft. err is the error that the agent returned. If
// err concerns the sign-in, the folder's trust or the connection, and the state of the connection doesn't show the
// reason yet, notReady waits up to limitReason for observe to receive it.
func (d *drafter) notReady(ctx context.Context, a *agent.Agent, err error) error {
	if why := d.failure(a.Connection()); why != nil {
		return why
	}
	code := backend.CodeOf(err)
	if code == backend.CodeAuth || code == backend.CodeUntrusted || code == backend.CodeConnection {
		select {
		case <-ctx.Done(): // observe has set the reason, or the draft was canceled
			return context.Cause(ctx)
		case <-time.After(limitReason):
		}
	}
	if code == backend.CodeAuth {
		return d.signedOut(err.Error())
	}
	return &backend.Error{Code: backend.CodeAgent, Message: backend.Say("%s couldn't start a session for the draft. Try again.", d.name), Detail: err.Error()}
}

func (d *drafter) exited(detail string) error {
	return &backend.Error{Code: backend.CodeInterrupted, Message: backend.Say("%s exited before the message was ready. Try again.", d.name), Detail: detail}
}

// commit marks a session of the Copilot CLI for removal as soon as the agent has created it, before anything is sent to
// it.
func (d *drafter) commit(_ context.Context, events ...backend.Event) error {
	for _, e := range events {
		if e.Session == nil {
			continue
		}
		d.mu.Lock()
		d.row = *e.Session
		row := d.row
		known := slices.ContainsFunc(d.used, func(s backend.Session) bool { return s.ACPID == row.ACPID })
		d.mu.Unlock()
		if known || !d.isCopilot || !sessionfiles.IsID(row.ACPID) {
			continue // another agent could report the ID of a session of the Copilot CLI
		}
		if err := d.m.cfg.Mark(sessionfiles.HomeOf(row), row.ACPID); err != nil {
			return err
		}
		d.mu.Lock()
		d.used = append(d.used, row)
		d.mu.Unlock()
	}
	return nil
}

// removeSessions removes the sessions that the agent used for the draft. The agent must have ended.
func (d *drafter) removeSessions() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range d.used {
		d.m.cfg.Remove(sessionfiles.HomeOf(s), s.ACPID)
	}
}

// usualMode returns the agent's usual mode, to which the session must be set. It returns "" if the session already has
// that mode, if the agent has no modes, or if it asks for no permission in its usual mode.
func (d *drafter) usualMode() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	modes := d.row.Modes
	if len(modes) == 0 {
		return ""
	}
	usual := modes[0].ID
	if slices.ContainsFunc(modes, func(m backend.Choice) bool { return m.ID == "default" }) {
		usual = "default"
	}
	if usual == d.row.Mode || backend.AsksNothing(usual) {
		return ""
	}
	return usual
}

// ask sends the prompt and returns the answer. Before that, it turns on the agent's permission requests and selects the
// agent's usual mode, because the forked session may be in another one, such as a mode for planning.
func (d *drafter) ask(ctx context.Context, a *agent.Agent, text string) (answer, error) {
	if err := a.AskAgain(ctx, backend.SessionMain); err != nil {
		return answer{}, d.notReady(ctx, a, err)
	}
	if mode := d.usualMode(); mode != "" {
		if err := a.SetMode(ctx, backend.SessionMain, mode); err != nil {
			return answer{}, d.notReady(ctx, a, err)
		}
	}
	res := a.Prompt(ctx, backend.Turn{ID: backend.NewID(), Session: backend.SessionMain, State: backend.TurnRunning, StartedAt: backend.Now()}, text)
	d.mu.Lock()
	got := answer{text: res.Summary.Message, model: cmp.Or(d.own, modelName(d.row), d.name), usage: res.Usage}
	d.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return got, context.Cause(ctx)
	case res.State == backend.TurnDone:
		return got, nil
	case res.State == backend.TurnInterrupted:
		detail := ""
		if res.Err != nil {
			detail = res.Err.Message.String() + "\n" + res.Err.Detail
		}
		return got, d.exited(detail)
	case res.Err != nil:
		return got, res.Err
	case res.State == backend.TurnStopped: // with some agents, a rejected request ends the turn
		got.text = "" // the text before the request isn't a message
		return got, nil
	}
	return got, errors.New("the draft ended without a result")
}
