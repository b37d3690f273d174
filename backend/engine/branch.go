package engine

import (
	"context"

	"github.com/voxpilot/voxpilot/backend/branch"
)

func newBranch(e *Engine) *branch.Manager {
	return branch.New(branch.Config{
		Dir: e.Dir, Store: e.Store, Undo: e.Undo,
		Chat: e.Chats.Get, Change: e.Chats.Change, Busy: e.Chats.Busy, Copy: e.Chats.Copy,
		Hold: func(chatID string) (release func(), err error) {
			if err := e.checkRead(chatID); err != nil { // messages still to be read would be added to another version
				return nil, err
			}
			return e.Chats.Hold(chatID)
		},
		WithoutAgent: func(ctx context.Context, chatID string, do func() error) error {
			if err := e.Agents.change(ctx, chatID, do); err != nil {
				return err
			}
			if err := e.Agents.restoreViewed(ctx, chatID); err != nil { // the next message restores them
				e.Log.Warn("couldn't restore the sessions of a chat that went back", "chat", chatID, "err", err)
			}
			return nil
		},
		Forks:  e.isCopilot,
		Commit: e.Bus.Commit, Publish: e.Bus.Publish, Log: e.Log,
	})
}
