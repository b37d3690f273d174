package engine

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/repository"
	"github.com/voxpilot/voxpilot/backend/review"
)

func (e *Engine) newRepository() *repository.Manager {
	return repository.New(repository.Config{
		LoginPath: e.LoginPath, Env: e.environ, Chat: e.Chats.Get, Publish: e.Bus.Publish, Redact: e.Redacted, Log: e.Log,
		NameChat: func() bool { return e.Setup.Settings().NameChat },
		Trusted:  func(ctx context.Context, chat backend.Chat) bool { return e.Trust.Trusted(ctx, e.StarterOf(chat)) },
		Version: func(ctx context.Context, chatID, path string) (string, error) {
			d, err := e.Review.Diff(ctx, review.Request{ChatID: chatID, Source: "working", Path: path})
			return d.Version, err
		},
	})
}
