package screens

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/engine"
)

// StartAgentReview asks a chat's agent to review changes. The progress and the result arrive as AgentReview events, and
// the suggested comments as review comments. StartAgentReview fails with CodeUnavailable if a review by the agent is
// already running in the chat.
func (r *Review) StartAgentReview(chatID string, request backend.AgentReviewRequest) error {
	return r.api.Call(func(_ context.Context, e *engine.Engine) error { return e.Suggest.Start(chatID, request) })
}

// StopAgentReview stops the review by a chat's agent, if one is running.
func (r *Review) StopAgentReview(chatID string) error {
	return r.api.Call(func(_ context.Context, e *engine.Engine) error {
		e.Suggest.Stop(chatID)
		return nil
	})
}

// AcceptReviewComments accepts comments that a chat's agent has suggested. They then count as comments that haven't
// been sent yet. It fails with CodeNotFound if none of the comments is a suggestion.
func (r *Review) AcceptReviewComments(chatID string, ids []string) error {
	return r.api.Call(func(ctx context.Context, e *engine.Engine) error { return e.Comments.Accept(ctx, chatID, ids) })
}

// DismissReviewComments deletes comments that a chat's agent has suggested. It fails with CodeNotFound if none of the
// comments is a suggestion.
func (r *Review) DismissReviewComments(chatID string, ids []string) error {
	return r.api.Call(func(ctx context.Context, e *engine.Engine) error { return e.Comments.Dismiss(ctx, chatID, ids) })
}
