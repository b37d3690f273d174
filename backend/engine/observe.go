package engine

import (
	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/assistant"
)

// observe hands an event to all that follows chats (feed.Config.Watch): every event but
// streamed text, in the order of the numbers, once it is saved and before the window
// gets it. States that came within a tick of the feed are one event, the last of them.
//
// The feed waits for it. What takes a lock under which events are committed, or may
// wait for anything else, is done later.
func (e *Engine) observe(ev backend.Event) {
	e.Overview.See(ev)
	switch it := ev.Item; {
	case ev.Permission != nil:
		asks := e.Overview.Asks(ev.Permission.ChatID)
		e.limits.SetWaiting(ev.Permission.ChatID, len(asks) > 0)
		e.Chats.Observe(ev, asks)
	case it != nil:
		e.Chats.Observe(ev, nil)
		if it.Tool != nil && (it.Tool.Status == backend.ToolCompleted || it.Tool.Status == backend.ToolFailed) {
			e.takeEdits(it.ChatID)
		}
	case ev.Turn != nil && ev.Turn.State != backend.TurnRunning:
		e.takeEdits(ev.Turn.ChatID)
	case ev.Session != nil:
		e.takeTitle(*ev.Session)
	case ev.Connection != nil:
		e.later(func() { e.Agents.follow(*ev.Connection) })
	}
}

// later has do run in the background, unless the engine ends.
func (e *Engine) later(do func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ctx.Err() == nil {
		e.tasks.Go(do)
	}
}

// takeEdits looks for edits that the user allowed, once something of the chat has ended.
func (e *Engine) takeEdits(chatID string) {
	if e.Trust.Edits(chatID) {
		e.later(func() { e.Trust.Edited(e.ctx, chatID) })
	}
}

// takeTitle gives a chat the title that its agent gave.
func (e *Engine) takeTitle(s backend.Session) {
	chat, err := e.Chats.Get(s.ChatID)
	if err != nil || s.Name != backend.SessionMain || s.Title == "" || chat.TitleByUser || chat.Title == assistant.Title(s.Title) {
		return
	}
	e.later(func() {
		if err := e.Chats.Titled(e.ctx, chat.ID, s.Title); err != nil {
			e.Log.Warn("a chat did not get the title that its agent gave", "chat", chat.ID, "err", err)
		}
	})
}

// follow does what follows from the connection of a chat's agent, unless that is
// further on by now.
func (g *agents) follow(c backend.Connection) {
	a, err := g.Running(c.ChatID)
	switch {
	case err == nil && a.Connection().State != c.State:
	case c.State == backend.Idle: // stopped by the user, or closed: deleted, or to be replaced
		g.e.Trust.Settled(c.ChatID)
	case err != nil:
	// It was told to go on before it came to wait.
	case c.State == backend.NeedsTrust && !g.e.Trust.Waits(c.ChatID),
		c.State == backend.NeedsLogin && !g.e.Auth.Waits() && g.usesGitHub(c.ChatID):
		a.Retry()
	}
}
