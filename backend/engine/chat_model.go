package engine

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/assistant"
)

var errChanging = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("This chat is switching to another model or agent. Try again in a moment.")}

// setProvider switches a chat to another model or agent, which can't use the previous one's sessions. New sessions
// replace those that have received a prompt. Each starts with a recap, which a banner in the transcript shows.
func (e *Engine) setProvider(ctx context.Context, chatID, providerID string) error {
	if err := e.Setup.CheckExists(providerID); err != nil {
		return err
	}
	if chat, err := e.Chats.Get(chatID); err != nil || chat.ProviderID == providerID {
		return err
	}
	return e.Agents.change(ctx, chatID, func() error {
		sessions, err := e.Store.Sessions(ctx, chatID)
		if err != nil {
			return err
		}
		var events []backend.Event
		for _, s := range sessions {
			switch {
			case s.HadPrompt:
			case s.ReplacesID == "": // the agent has received no prompt in the session, so nothing is lost
				events = append(events, backend.Event{SessionDeleted: &backend.Deleted{ID: s.Name, ChatID: chatID}})
				continue
			default: // the session replaces a lost one and hasn't received its recap; the new agent gets that recap
				s.ACPID, s.State, s.Mode, s.Modes, s.Options = "", backend.SessionLost, "", nil, nil
				events = append(events, backend.Event{Session: &s})
				continue
			}
			told, err := e.recap(ctx, chatID, s.Name)
			if err != nil {
				return err
			}
			events = append(events, replaceSession(s, told, backend.Say("This chat now uses another model or agent. Session %s stays with the previous one.", s.ACPID))...)
		}
		return e.Chats.Change(ctx, chatID, func(c *backend.Chat) { c.ProviderID = providerID }, events...)
	})
}

// replaceSession returns the events that replace s with a new session and add a banner. The banner shows the recap
// for the new session (told) and the reason for the replacement (why).
func replaceSession(s backend.Session, told string, why backend.Message) []backend.Event {
	now := backend.Now()
	return []backend.Event{{Session: &backend.Session{
		ChatID: s.ChatID, Name: s.Name, Cwd: s.Cwd, State: backend.SessionLost,
		ReplacesID: cmp.Or(s.ACPID, "none"), CreatedAt: s.CreatedAt, UsedAt: s.UsedAt,
	}}, {Item: &backend.Item{
		ID: backend.NewID(), ChatID: s.ChatID, Session: s.Name, Kind: backend.ItemBanner, CreatedAt: now, EndedAt: now,
		Banner: &backend.Banner{Kind: backend.BannerSessionLost, Session: s.Name, Recap: told, Dismissed: true, Detail: why},
	}}}
}

// change stops the chat's agent and then calls the function do. No new agent is created before do returns. A message
// that hasn't reached an agent waits for the new one. change returns CodeUnavailable if the agent is ready and working
// on a turn, if it is already being replaced, or if the app is closing.
func (g *agents) change(ctx context.Context, chatID string, do func() error) error {
	chat, err := g.e.Chats.Get(chatID)
	if err != nil {
		return err
	}
	g.mu.Lock()
	a := g.byChat[chatID]
	switch {
	case g.closed || g.changing[chatID] != nil:
		g.mu.Unlock()
		return errChanging
	case a != nil && (chat.TurnState == backend.TurnRunning || a.Working()) && a.Connection().State == backend.ConnectionReady:
		g.mu.Unlock()
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("This chat is running. Stop it, then choose another model or agent.")}
	}
	changed := g.detach(chatID)
	g.mu.Unlock()
	defer changed()
	if a != nil {
		if err := a.Close(ctx); err != nil {
			return err
		}
	}
	return do()
}

// isReplaced reports whether the given agent is no longer the chat's agent, although the app isn't closing.
func (g *agents) isReplaced(chatID string, a *agent.Agent) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return !g.closed && g.byChat[chatID] != a
}

// Running returns the chat's agent. It never creates one: if the chat has none, it returns CodeNotFound.
func (g *agents) Running(chatID string) (*agent.Agent, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if a := g.byChat[chatID]; a != nil {
		return a, nil
	}
	return nil, &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This chat's agent isn't running. It starts with your next message.")}
}

// restoreViewed restores the sessions of a chat that the user is viewing, in the background. It does nothing if the
// settings don't allow that or the transcript is still being read. Sessions that haven't received a prompt are skipped,
// because agents don't store them.
func (g *agents) restoreViewed(ctx context.Context, chatID string) error {
	if g.e.checkRead(chatID) != nil {
		return nil // the transcript is still incomplete
	}
	sessions, err := g.e.Store.Sessions(ctx, chatID)
	if err != nil || !g.e.Setup.Settings().RestoreOnOpen {
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
	a, err := g.Get(ctx, chatID)
	if err == nil {
		a.Restore(names...)
	}
	return err
}

// setTime is the time limit for setting a mode or an option. It is longer than CallTime, because the agent may have to
// start and load the session first.
const setTime = 2 * time.Minute

// setMode sets a session's mode, starting the agent if it isn't running.
func (g *agents) setMode(ctx context.Context, chatID, session, modeID string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), setTime)
	defer cancel()
	a, err := g.Get(ctx, chatID)
	if err != nil {
		return err
	}
	return a.SetMode(ctx, session, modeID)
}

// setOption sets an option of a session, starting the agent if it isn't running.
func (g *agents) setOption(ctx context.Context, chatID, session, optionID, value string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), setTime)
	defer cancel()
	a, err := g.Get(ctx, chatID)
	if err != nil {
		return err
	}
	return a.SetOption(ctx, session, optionID, value)
}

// askAgain turns the agent's own permission requests back on, in the background. This affects all sessions of the
// chat in which an option or a mode of the agent turned the requests off. Users who don't want to be asked have
// VoxPilot's permission modes instead.
func (g *agents) askAgain(ctx context.Context, chatID string) error {
	sessions, err := g.e.Store.Sessions(ctx, chatID)
	if err != nil {
		return err
	}
	for _, s := range sessions {
		if !s.AllowAll || s.State == backend.SessionLost {
			continue
		}
		a, err := g.Get(ctx, chatID)
		if err != nil {
			return err
		}
		g.e.tasks.Go(func() {
			if err := a.AskAgain(g.e.ctx, s.Name); err != nil {
				g.e.Log.Warn("couldn't make an agent ask for permission again", "chat", chatID, "session", s.Name, "err", err)
			}
		})
	}
	return nil
}

// setOrchestrator makes a provider the orchestrator of a chat from the next turn on. If id is "", the chat's agent
// answers instead. If an orchestrator has answered turns that the agent doesn't know, a new main session then replaces
// the old one and starts with a recap. The agent's other sessions stay.
func (e *Engine) setOrchestrator(ctx context.Context, chatID, id string) error {
	if id != "" {
		if _, err := e.Setup.Provider(id); err != nil {
			return err
		}
	}
	chat, err := e.Chats.Get(chatID)
	if err != nil || chat.OrchestratorID == id {
		return err
	}
	set := func(c *backend.Chat) { c.OrchestratorID = id }
	if id != "" {
		err := e.Chats.Change(ctx, chatID, set)
		if err == nil {
			e.router.orchestrator.OrchestratorSelected(chatID, id)
		}
		return err
	}
	sessions, err := e.Store.Sessions(ctx, chatID)
	if err != nil {
		return err
	}
	now := backend.Now()
	before := backend.Session{ChatID: chatID, Name: backend.SessionMain, Cwd: chat.Folder, CreatedAt: now, UsedAt: now}
	for _, s := range sessions {
		if s.Name == backend.SessionMain {
			before = s
		}
	}
	var heard backend.Millis // time up to which the agent has received the conversation
	if before.HadPrompt {
		heard = before.UsedAt
	}
	if news, err := e.Store.AnsweredByOrchestrator(ctx, chatID, heard); err != nil || !news {
		return errors.Join(err, e.Chats.Change(ctx, chatID, set))
	}
	return e.Agents.change(ctx, chatID, func() error {
		told, err := e.recap(ctx, chatID, backend.SessionMain)
		if err != nil {
			return err
		}
		return e.Chats.Change(ctx, chatID, set, replaceSession(before, told, backend.Say("A main AI answered in this chat, so the agent's previous session didn't include the whole conversation."))...)
	})
}

// sendTo sends the user's message to a session of a chat. For a session other than the main one, the message becomes
// a task that runs in the background; only a failure to start it is returned.
func (e *Engine) sendTo(ctx context.Context, chatID, session, text string) error {
	if session == backend.SessionMain {
		_, err := e.Chats.Send(ctx, chatID, text)
		return err
	}
	work, cancel := context.WithCancel(e.ctx)
	inTime := context.AfterFunc(ctx, cancel)
	begun := make(chan error, 1)
	e.tasks.Go(func() {
		defer cancel()
		_, err := e.Chats.Delegate(work, assistant.Delegation{ChatID: chatID, SessionName: session, Prompt: text, Started: func() {
			if inTime() {
				begun <- nil
				return
			}
			cancel() // the caller gets an error and might send the message again
			begun <- ctx.Err()
		}})
		if err != nil {
			begun <- err
		}
	})
	return <-begun
}

// renameSession, removeSession and restartSession carry out the user's actions on a session.
func (g *agents) renameSession(ctx context.Context, chatID, session, name string) error {
	name, err := assistant.SessionName(name)
	if err != nil {
		return err
	}
	a, err := g.Get(ctx, chatID)
	if err != nil {
		return err
	}
	return g.e.Chats.WhileIdle(chatID, func() error { return a.RenameSession(ctx, session, name) }, session, name)
}

func (g *agents) removeSession(ctx context.Context, chatID, session string) error {
	a, err := g.Get(ctx, chatID)
	if err != nil {
		return err
	}
	g.e.Chats.StopSession(chatID, session)
	return a.RemoveSession(ctx, session)
}

func (g *agents) restartSession(ctx context.Context, chatID, session string) error {
	a, err := g.Get(ctx, chatID)
	if err != nil {
		return err
	}
	g.e.Chats.StopSession(chatID, session)
	g.e.tasks.Go(func() {
		if err := a.RestartSession(g.e.ctx, session); err != nil && g.e.ctx.Err() == nil {
			now := backend.Now()
			g.e.Bus.Publish(backend.Event{Item: &backend.Item{
				ID: backend.NewID(), ChatID: chatID, Session: session, Kind: backend.ItemBanner, CreatedAt: now, EndedAt: now,
				Banner: &backend.Banner{Kind: backend.BannerAgentError, Session: session, Detail: backend.MessageOf(err)},
			}})
		}
	})
	return nil
}

// takeTitle sets the chat's title to the title that an agent gave the main session, unless the user set a title.
func (e *Engine) takeTitle(s backend.Session) {
	chat, err := e.Chats.Get(s.ChatID)
	if err != nil || s.Name != backend.SessionMain || s.Title == "" || chat.TitleByUser || chat.Title == assistant.Title(s.Title) {
		return
	}
	e.inBackground(func() {
		if err := e.Chats.SuggestTitle(e.ctx, chat.ID, s.Title); err != nil {
			e.Log.Warn("couldn't apply the chat title from the agent", "chat", chat.ID, "err", err)
		}
	})
}
