package engine

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/review"
	"github.com/voxpilot/voxpilot/backend/review/comment"
)

// reviews holds the managers that the review screen uses.
type reviews struct {
	Review   *review.Manager
	Comments *comment.Manager
}

func (e *Engine) newReviews() reviews { return reviews{e.newReview(), e.newComments()} }

func (e *Engine) newComments() *comment.Manager {
	return comment.New(comment.Config{
		Store: e.Store, Undo: e.Undo, Chat: e.Chats.Get,
		Lines: func(ctx context.Context, chatID string, c backend.NewReviewComment) ([]string, error) {
			return e.Review.AllLines(ctx, review.Request{ChatID: chatID, Source: c.Source, Path: c.Path, Version: c.Version, Side: c.Side})
		},
		Send:    e.Chats.SendAlong,
		Publish: e.Bus.Publish, Commit: e.Bus.Commit, Go: e.inBackground, Log: e.Log,
	})
}
