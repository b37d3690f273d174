package engine

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/assistant"
)

// recap is what a new session of a chat is told in the place of one that it does
// not have (agent.Config.Recap).
func (e *Engine) recap(ctx context.Context, chatID, session string) (string, error) {
	chat, err := e.Chats.Get(chatID)
	if err != nil {
		return "", err
	}
	if session == backend.SessionMain {
		told, answered, err := e.Store.Continued(ctx, chatID)
		if err != nil || told != "" && !answered {
			return told, err
		}
	}
	events, err := e.Store.Recap(ctx, chatID, session)
	return assistant.Recap(events, chat.Folder), err
}

// ContinueInNewChat begins a chat in the same folder, with the same answerer,
// whose first message is sent with a summary of this one.
func (a *API) ContinueInNewChat(chatID string) (chat backend.Chat, err error) {
	err = a.Call(func(ctx context.Context, e *Engine) error {
		told, err := e.handover(ctx, chatID)
		if err != nil {
			return err
		}
		chat, err = e.Chats.Continue(ctx, chatID, told)
		return err
	})
	return chat, err
}

// handover is what a chat that goes on from this one is told. It is made of rows:
// no model is asked, and none has to be there.
func (e *Engine) handover(ctx context.Context, chatID string) (string, error) {
	chat, err := e.Chats.Get(chatID)
	if err != nil {
		return "", err
	}
	told, answered, err := e.Store.Continued(ctx, chatID)
	if err != nil || told != "" && !answered { // nothing has come to it since
		return told, err
	}
	events, err := e.Store.Recap(ctx, chatID, backend.SessionMain)
	if err != nil {
		return "", err
	}
	if told = assistant.Handover(events, chat.Folder); told == "" {
		return "", backend.Invalid("Nothing in this chat has been answered yet, so there is nothing to go on from.")
	}
	return told, nil
}
