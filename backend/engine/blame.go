package engine

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/blame"
	"github.com/voxpilot/voxpilot/backend/overview"
)

// Blame returns the turns that wrote the lines of a file, as recorded in all chats whose folders contain
// it. The path must be absolute.
func (e *Engine) Blame(ctx context.Context, path string) (blame.Blame, error) {
	var chats []backend.Chat
	e.Overview.View(func(now overview.State) {
		for _, chat := range now.Chats {
			chats = append(chats, chat)
		}
	})
	return blame.File(ctx, blame.Config{Store: e.Store, Undo: e.Undo, Chats: chats}, path)
}
