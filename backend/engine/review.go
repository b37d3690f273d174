package engine

import "github.com/voxpilot/voxpilot/backend/review"

func (e *Engine) newReview() *review.Manager {
	return review.New(review.Config{LoginPath: e.LoginPath, Store: e.Store, Undo: e.Undo, Chat: e.Chats.Get, Log: e.Log})
}
