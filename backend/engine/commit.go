package engine

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/repository"
)

func (e *Engine) newRepository() *repository.Manager {
	return repository.New(repository.Config{
		LoginPath: e.LoginPath, Env: e.environ, Chat: e.Chats.Get, Publish: e.Bus.Publish, Redact: e.Redacted, Log: e.Log,
		Trusted: func(ctx context.Context, chat backend.Chat) bool { return e.Trust.Trusted(ctx, e.starterOf(chat)) },
	})
}
