package main

import (
	"cmp"
	"context"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/assistant"
)

// setPermissionMode says what the agents of a chat may do without asking, and
// answers by it what is asked already.
func (e *engine) setPermissionMode(ctx context.Context, chatID string, mode backend.PermissionMode) error {
	switch mode {
	case backend.ModeAsk, backend.ModeAcceptEdits, backend.ModeBypass:
	default:
		return &backend.Error{Code: backend.CodeInvalid, Message: "There is no such permission mode.", Detail: string(mode)}
	}
	if err := e.chats.Change(ctx, chatID, func(c *backend.Chat) { c.PermissionMode = mode }); err != nil {
		return err
	}
	e.permissions.ModeChanged(ctx, chatID)
	if mode == backend.ModeBypass {
		return nil
	}
	return e.agents.askAgain(ctx, chatID)
}

// permissionMode is the mode of a chat now (permission.Config.Mode).
func (e *engine) permissionMode(chatID string) backend.PermissionMode {
	chat, err := e.chats.Get(chatID)
	if err != nil {
		return backend.ModeAsk
	}
	return chat.PermissionMode
}

var errChanging = &backend.Error{Code: backend.CodeUnavailable, Message: "Another model or agent is being chosen for this chat. Try again in a moment."}

// setProvider has another answerer go on with a chat. The sessions of the one
// before are of no use to it: new ones take their place, and begin with a recap,
// of which a rule in the transcript tells.
func (e *engine) setProvider(ctx context.Context, chatID, providerID string) error {
	if err := e.knowsProvider(providerID); err != nil {
		return err
	}
	if chat, err := e.chats.Get(chatID); err != nil || chat.ProviderID == providerID {
		return err
	}
	return e.agents.change(ctx, chatID, func() error {
		sessions, err := e.store.Sessions(ctx, chatID)
		if err != nil {
			return err
		}
		var events []backend.Event
		for _, s := range sessions {
			switch {
			case s.HadPrompt:
			case s.ReplacesID == "": // nothing of it is of use to another one
				events = append(events, backend.Event{SessionGone: &backend.Gone{ID: s.Name, ChatID: chatID}})
				continue
			default: // it is told a recap, of whichever agent it will be
				s.ACPID, s.State, s.Mode, s.Modes, s.Options = "", backend.SessionLost, "", nil, nil
				events = append(events, backend.Event{Session: &s})
				continue
			}
			told, err := e.recap(ctx, chatID, s.Name)
			if err != nil {
				return err
			}
			events = append(events, replaced(s, told, "Another model or agent was chosen for this chat. Session "+s.ACPID+" stays with the one before.")...)
		}
		return e.chats.Change(ctx, chatID, func(c *backend.Chat) { c.ProviderID = providerID }, events...)
	})
}

// replaced has a new session take the place of s, with a rule in the transcript
// that shows what it is told.
func replaced(s backend.Session, told, why string) []backend.Event {
	now := backend.Now()
	return []backend.Event{{Session: &backend.Session{
		ChatID: s.ChatID, Name: s.Name, Cwd: s.Cwd, State: backend.SessionLost,
		ReplacesID: cmp.Or(s.ACPID, "none"), CreatedAt: s.CreatedAt, UsedAt: s.UsedAt,
	}}, {Item: &backend.Item{
		ID: backend.NewID(), ChatID: s.ChatID, Session: s.Name, Kind: backend.ItemBanner, CreatedAt: now, EndedAt: now,
		Banner: &backend.Banner{Kind: backend.BannerSessionLost, Session: s.Name, Told: told, Dismissed: true, Detail: why},
	}}}
}

// recap is what a new session of a chat is told in the place of one that it does
// not have (agent.Config.Recap).
func (e *engine) recap(ctx context.Context, chatID, session string) (string, error) {
	chat, err := e.chats.Get(chatID)
	if err != nil {
		return "", err
	}
	if session == backend.SessionMain {
		told, answered, err := e.store.Continued(ctx, chatID)
		if err != nil || told != "" && !answered {
			return told, err
		}
	}
	events, err := e.store.Recap(ctx, chatID, session)
	return assistant.Recap(events, chat.Folder), err
}

// change ends the chat's agent and calls do before there is another. A message
// that no agent got yet waits for the next one; a turn that is under way is not
// cut off.
func (g *agents) change(ctx context.Context, chatID string, do func() error) error {
	chat, err := g.e.chats.Get(chatID)
	if err != nil {
		return err
	}
	g.mu.Lock()
	a := g.byChat[chatID]
	switch {
	case g.closed || g.changing[chatID] != nil:
		g.mu.Unlock()
		return errChanging
	case a != nil && (chat.TurnState == backend.TurnRunning || a.Working()) && a.Connection().State == backend.Ready:
		g.mu.Unlock()
		return &backend.Error{Code: backend.CodeUnavailable, Message: "This chat is at work. Stop it first, then choose another model or agent."}
	}
	changed := g.away(chatID)
	g.mu.Unlock()
	defer changed()
	if a != nil {
		if err := a.Close(ctx); err != nil {
			return err
		}
	}
	return do()
}

// replaced says whether the chat's agent is another one by now, or will be.
func (g *agents) replaced(chatID string, a *agent.Agent) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return !g.closed && g.byChat[chatID] != a
}

// running is the chat's agent, which is not made for this.
func (g *agents) running(chatID string) (*agent.Agent, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if a := g.byChat[chatID]; a != nil {
		return a, nil
	}
	return nil, &backend.Error{Code: backend.CodeNotFound, Message: "No agent runs for this chat. It starts with the next message."}
}

// view brings the sessions of a chat back that the user looks at, in the
// background; only those that had prompts are kept by any agent.
func (g *agents) view(ctx context.Context, chatID string) error {
	sessions, err := g.e.store.Sessions(ctx, chatID)
	if err != nil || !g.e.currentSettings().RestoreOnOpen {
		return err
	}
	var names []string
	for _, s := range sessions {
		if s.HadPrompt {
			names = append(names, s.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	a, err := g.get(ctx, chatID)
	if err == nil {
		a.Restore(names...)
	}
	return err
}

// setMode chooses a mode of a session, for which the agent is started where it
// does not run.
func (g *agents) setMode(ctx context.Context, chatID, session, modeID string) error {
	a, err := g.get(ctx, chatID)
	if err != nil {
		return err
	}
	return a.SetMode(ctx, session, modeID)
}

// setOption chooses a value of an option of a session, as setMode does.
func (g *agents) setOption(ctx context.Context, chatID, session, optionID, value string) error {
	a, err := g.get(ctx, chatID)
	if err != nil {
		return err
	}
	return a.SetOption(ctx, session, optionID, value)
}

// declared is what the user can choose for a new chat before its agent runs: what
// the agent of a provider declared last, and chose then. Modes in which nothing is
// asked are left out: no chat begins in one. It is empty before the first chat.
func (a *App) declared(ctx context.Context, e *engine, r *http.Request) (backend.Declared, error) {
	s, err := e.store.Declared(ctx, r.URL.Query().Get("provider"))
	modes := slices.DeleteFunc(s.Modes, func(m backend.Choice) bool { return agent.AsksNothing(m.ID) })
	return backend.Declared{Modes: append([]backend.Choice{}, modes...), Options: append([]backend.ConfigOption{}, s.Options...)}, err
}

// beginWith keeps what the user chose for a chat before its agent runs: the session
// main takes it over from its row when it is made (agent.Agent). What the agent did
// not declare is left out, and a value that it did not.
func (e *engine) beginWith(ctx context.Context, chatID, mode string, options map[string]string) error {
	chat, err := e.chats.Get(chatID)
	if err != nil {
		return err
	}
	return e.agents.change(ctx, chatID, func() error {
		sessions, err := e.store.Sessions(ctx, chatID)
		if err != nil {
			return err
		}
		begun := func(s backend.Session) bool {
			return s.Name == backend.SessionMain && (s.ACPID != "" || s.HadPrompt || s.ReplacesID != "")
		}
		if slices.ContainsFunc(sessions, begun) {
			return &backend.Error{Code: backend.CodeInvalid, Message: "This chat has begun. Choose its mode and its model below its message field."}
		}
		known, err := e.store.Declared(ctx, chat.ProviderID)
		if err != nil || len(known.Modes)+len(known.Options) == 0 {
			return err
		}
		now := backend.Now()
		s := backend.Session{
			ChatID: chatID, Name: backend.SessionMain, Cwd: chat.Folder, State: backend.SessionAway, CreatedAt: now, UsedAt: now,
			Modes: known.Modes, Options: known.Options,
		}
		for _, id := range []string{mode, e.currentSettings().AgentMode} {
			if s.Mode == "" && !agent.AsksNothing(id) && slices.ContainsFunc(s.Modes, func(m backend.Choice) bool { return m.ID == id }) {
				s.Mode = id
			}
		}
		for i, o := range s.Options {
			value, ok := options[o.ID]
			switch {
			case !ok:
			case o.Type == backend.ConfigBoolean && (value == "true" || value == "false"),
				slices.ContainsFunc(o.Choices, func(c backend.Choice) bool { return c.ID == value }):
				s.Options[i].Value = value
			}
		}
		return e.feed.Commit(ctx, backend.Event{Session: &s})
	})
}

// askAgain switches off, in the background, what lets agents of the chat ask
// nothing on their own: the user knows one setting for all of that.
func (g *agents) askAgain(ctx context.Context, chatID string) error {
	sessions, err := g.e.store.Sessions(ctx, chatID)
	if err != nil {
		return err
	}
	for _, s := range sessions {
		if !s.AllowAll || s.State == backend.SessionLost {
			continue
		}
		a, err := g.get(ctx, chatID)
		if err != nil {
			return err
		}
		g.e.tasks.Go(func() {
			if err := a.AskAgain(g.e.ctx, s.Name); err != nil {
				g.e.app.log.Warn("an agent still asks nothing", "chat", chatID, "session", s.Name, "err", err)
			}
		})
	}
	return nil
}

// stop ends the chat's agent; what waits in its queue is paused.
func (g *agents) stop(chatID string) error {
	a, err := g.running(chatID)
	if err != nil {
		return err
	}
	if err := g.e.chats.Stop(chatID); err != nil {
		return err
	}
	a.Stop()
	return nil
}

// stopProcess ends the process with the id. What waits in the chat is paused only
// if it is the agent's.
func (g *agents) stopProcess(chatID, id string) error {
	a, err := g.running(chatID)
	if err != nil {
		return err
	}
	if a.IsProcess(id) {
		if err := g.e.chats.Stop(chatID); err != nil {
			return err
		}
	}
	return a.StopProcess(id)
}

// saveProtocol asks for a file and writes the protocol of the chat's agent.
func (g *agents) saveProtocol(chatID string) error {
	a, err := g.running(chatID)
	if err != nil {
		return err
	}
	chat, err := g.e.chats.Get(chatID)
	if err != nil {
		return err
	}
	go func() {
		answer := backend.Picked{Request: "protocol " + chatID}
		path, err := g.e.app.desktop().saveFile(fileNameOf("VoxPilot protocol, ", chat.Title) + ".ndjson")
		if err == nil && path != "" {
			answer.Path = path
			err = writeProtocol(a, path)
		}
		if err != nil {
			answer.Message = "The protocol could not be written: " + err.Error()
		}
		g.e.feed.Publish(backend.Event{Picked: &answer})
	}()
	return nil
}

// writeProtocol writes a file that its owner alone can read: prompts and answers
// are in it.
func writeProtocol(a *agent.Agent, path string) (err error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if e := file.Close(); err == nil {
			err = e
		}
	}()
	if err := file.Chmod(0o600); err != nil && runtime.GOOS != "windows" { // it may have been there
		return err
	}
	return a.WriteProtocol(file)
}

// fileNameOf is a chat's title, behind some words, as the name of a file on any
// system.
func fileNameOf(words, title string) string {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
			return '-'
		}
		return r
	}, title)
	return words + cmp.Or(strings.Trim(name, ". "), "chat")
}

// processes are the agents that run and what they started, by chat.
func (g *agents) processes() []backend.Process {
	g.mu.Lock()
	all := make([]*agent.Agent, 0, len(g.byChat))
	for _, a := range g.byChat {
		all = append(all, a)
	}
	g.mu.Unlock()
	list := []backend.Process{}
	for _, a := range all {
		list = append(list, a.Processes()...)
	}
	slices.SortStableFunc(list, func(a, b backend.Process) int {
		return cmp.Or(cmp.Compare(a.ChatID, b.ChatID), -compareBool(a.IsAgent, b.IsAgent), cmp.Compare(a.PID, b.PID))
	})
	return list
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
