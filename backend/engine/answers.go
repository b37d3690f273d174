package engine

import (
	"context"
	"errors"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/assistant"
)

// setMain has a main AI answer a chat from the next turn on, or Copilot itself
// where id is "". Copilot has not heard what a main AI and the user said to each
// other: a new session begins with a recap of it. Its other sessions stay.
func (e *Engine) setMain(ctx context.Context, chatID, id string) error {
	if id != "" {
		if _, err := e.Setup.Provider(id); err != nil {
			return err
		}
	}
	chat, err := e.Chats.Get(chatID)
	if err != nil || chat.MainID == id {
		return err
	}
	set := func(c *backend.Chat) { c.MainID = id }
	if id != "" {
		err := e.Chats.Change(ctx, chatID, set)
		if err == nil {
			e.answers.main.Answers(chatID, id)
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
	var heard backend.Millis // until when Copilot knows what was said
	if before.HadPrompt {
		heard = before.UsedAt
	}
	if news, err := e.Store.AnsweredByMain(ctx, chatID, heard); err != nil || !news {
		return errors.Join(err, e.Chats.Change(ctx, chatID, set))
	}
	return e.Agents.change(ctx, chatID, func() error {
		told, err := e.recap(ctx, chatID, backend.SessionMain)
		if err != nil {
			return err
		}
		return e.Chats.Change(ctx, chatID, set, replaced(before, told, backend.Say("A main AI answered in this chat meanwhile."))...)
	})
}

// sendTo gives a session of a chat what the user wrote to it. The work goes on in
// the background; only what keeps it from beginning is an error.
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
		_, err := e.Chats.Delegate(work, assistant.Delegation{ChatID: chatID, SessionName: session, Prompt: text, Begun: func() {
			if inTime() {
				begun <- nil
				return
			}
			cancel() // who is told that it did not begin would send it again
			begun <- ctx.Err()
		}})
		if err != nil {
			begun <- err
		}
	})
	return <-begun
}

// renameSession, removeSession and restartSession are what the user does with a
// session of a chat.
func (g *agents) renameSession(ctx context.Context, chatID, session, name string) error {
	name, err := assistant.SessionName(name)
	if err != nil {
		return err
	}
	a, err := g.Get(ctx, chatID)
	if err != nil {
		return err
	}
	return g.e.Chats.AtRest(chatID, func() error { return a.RenameSession(ctx, session, name) }, session, name)
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
			g.e.Feed.Publish(backend.Event{Item: &backend.Item{
				ID: backend.NewID(), ChatID: chatID, Session: session, Kind: backend.ItemBanner, CreatedAt: now, EndedAt: now,
				Banner: &backend.Banner{Kind: backend.BannerAgentError, Session: session, Detail: backend.MessageOf(err)},
			}})
		}
	})
	return nil
}
