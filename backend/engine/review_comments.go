package engine

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/assistant"
	"github.com/voxpilot/voxpilot/backend/review"
	"github.com/voxpilot/voxpilot/backend/review/comment"
	"github.com/voxpilot/voxpilot/backend/review/suggest"
)

// reviews holds the parts of the engine that the review screen uses.
type reviews struct {
	Review   *review.Manager
	Comments *comment.Manager
	Suggest  *suggest.Manager
}

func (e *Engine) newReviews() reviews {
	r := reviews{Review: e.newReview(), Comments: e.newComments()}
	r.Suggest = suggest.New(suggest.Config{
		Review: r.Review, Comments: r.Comments, Chat: e.Chats.Get, Sessions: e.Store.Sessions, SetOption: e.Agents.setOption,
		Delegate: func(ctx context.Context, chatID, session, prompt string) (turn backend.Turn, did backend.TurnSummary, err error) {
			_, err = e.Chats.Delegate(ctx, assistant.Delegation{
				ChatID: chatID, SessionName: session, Prompt: prompt,
				Ended: func(t backend.Turn, s backend.TurnSummary) { turn, did = t, s },
			})
			return turn, did, err
		},
		Publish: e.Bus.Publish, Go: e.inBackground, Life: e.ctx, Log: e.Log,
	})
	return r
}

func (e *Engine) newComments() *comment.Manager {
	return comment.New(comment.Config{
		Store: e.Store, Undo: e.Undo, Chat: e.Chats.Get,
		Lines: func(ctx context.Context, chatID string, c backend.NewReviewComment) ([]string, error) {
			return e.Review.AllLines(ctx, review.Request{ChatID: chatID, Source: c.Source, Path: c.Path, Version: c.Version, Side: c.Side})
		},
		Send:   e.Chats.SendAlong,
		Commit: e.Bus.Commit, Go: e.inBackground, Log: e.Log,
	})
}
