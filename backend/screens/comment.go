package screens

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/engine"
)

// AddReviewComment adds a comment to a chat's unsent comments. It fails with CodeStale if the comment refers to a
// version of the file that is no longer current.
func (r *Review) AddReviewComment(chatID string, n backend.NewReviewComment) (added backend.ReviewComment, err error) {
	err = r.api.Call(func(ctx context.Context, e *engine.Engine) (err error) {
		added, err = e.Comments.Add(ctx, chatID, n)
		return err
	})
	return added, err
}

// EditReviewComment replaces the text of a comment that hasn't been sent yet.
func (r *Review) EditReviewComment(id, text string) error {
	return r.api.Call(func(ctx context.Context, e *engine.Engine) error { return e.Comments.Edit(ctx, id, text) })
}

// RemoveReviewComment deletes a comment. RestoreReviewComment brings it back.
func (r *Review) RemoveReviewComment(id string) error {
	return r.api.Call(func(ctx context.Context, e *engine.Engine) error { return e.Comments.Remove(ctx, id) })
}

// RestoreReviewComment brings back one of the comments of a chat that were deleted last.
func (r *Review) RestoreReviewComment(chatID, id string) error {
	return r.api.Call(func(ctx context.Context, e *engine.Engine) error { return e.Comments.Restore(ctx, chatID, id) })
}

// ResolveReviewComment marks a sent comment as resolved or, if resolved is false, reopens it.
func (r *Review) ResolveReviewComment(id string, resolved bool) error {
	return r.api.Call(func(ctx context.Context, e *engine.Engine) error { return e.Comments.Resolve(ctx, id, resolved) })
}

// SendReview sends one message with the note and all unsent comments of a chat, and returns the message's ID. If it is
// called again right away, for example by a double click, it returns the same ID and sends nothing.
func (r *Review) SendReview(chatID, note string) (itemID string, err error) {
	err = r.api.Call(func(ctx context.Context, e *engine.Engine) (err error) {
		itemID, err = e.Comments.Send(ctx, chatID, note)
		return err
	})
	return itemID, err
}

// SaveReviewDraft saves the texts in the fields of a chat's review: unfinished comments and the note for the whole
// review, as the window encodes them. If draft is "", it deletes them.
func (r *Review) SaveReviewDraft(chatID, draft string) error {
	return r.api.Call(func(ctx context.Context, e *engine.Engine) error { return e.Comments.SaveDraft(ctx, chatID, draft) })
}

// ReviewDraft returns the texts that SaveReviewDraft saved last, or "" if there are none.
func (r *Review) ReviewDraft(chatID string) (draft string, err error) {
	err = r.api.Call(func(ctx context.Context, e *engine.Engine) (err error) {
		draft, err = e.Comments.Draft(ctx, chatID)
		return err
	})
	return draft, err
}
