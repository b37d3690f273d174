package engine

import (
	"context"
)

// ResumeQueue lets the queue of a chat go on that waits for the user.
func (a *API) ResumeQueue(chatID string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Chats.Resume(ctx, chatID) })
}

// EditQueued replaces the text of a queued prompt.
func (a *API) EditQueued(id, text string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Chats.EditQueued(ctx, id, text) })
}

// BeginEdit keeps a queued prompt from being sent while the user edits it.
func (a *API) BeginEdit(id string) error {
	return a.Call(func(_ context.Context, e *Engine) error { return e.Chats.BeginEdit(id) })
}

// EndEdit lets a queued prompt go on that the user edited, and all of them where id
// is "", which is what a page calls that begins anew.
func (a *API) EndEdit(id string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Chats.EndEdit(ctx, id) })
}

// RemoveQueued removes a queued prompt.
func (a *API) RemoveQueued(id string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Chats.RemoveQueued(ctx, id) })
}

// MoveQueued puts a queued prompt before another one of its chat, or at the end
// where before is "".
func (a *API) MoveQueued(id, before string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Chats.MoveQueued(ctx, id, before) })
}

// SendQueuedNow stops the running turn, and sends a queued prompt as the next.
func (a *API) SendQueuedNow(id string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Chats.SendQueuedNow(ctx, id) })
}
