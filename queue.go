package main

import (
	"context"
)

// ResumeQueue lets the queue of a chat go on that waits for the user.
func (a *API) ResumeQueue(chatID string) error {
	return a.call(func(ctx context.Context, e *Engine) error { return e.chats.Resume(ctx, chatID) })
}

// EditQueued replaces the text of a queued prompt.
func (a *API) EditQueued(id, text string) error {
	return a.call(func(ctx context.Context, e *Engine) error { return e.chats.EditQueued(ctx, id, text) })
}

// BeginEdit keeps a queued prompt from being sent while the user edits it.
func (a *API) BeginEdit(id string) error {
	return a.call(func(_ context.Context, e *Engine) error { return e.chats.BeginEdit(id) })
}

// EndEdit lets a queued prompt go on that the user edited, and all of them where id
// is "", which is what a page calls that begins anew.
func (a *API) EndEdit(id string) error {
	return a.call(func(ctx context.Context, e *Engine) error { return e.chats.EndEdit(ctx, id) })
}

// RemoveQueued removes a queued prompt.
func (a *API) RemoveQueued(id string) error {
	return a.call(func(ctx context.Context, e *Engine) error { return e.chats.RemoveQueued(ctx, id) })
}

// MoveQueued puts a queued prompt before another one of its chat, or at the end
// where before is "".
func (a *API) MoveQueued(id, before string) error {
	return a.call(func(ctx context.Context, e *Engine) error { return e.chats.MoveQueued(ctx, id, before) })
}

// SendQueuedNow stops the running turn, and sends a queued prompt as the next.
func (a *API) SendQueuedNow(id string) error {
	return a.call(func(ctx context.Context, e *Engine) error { return e.chats.SendQueuedNow(ctx, id) })
}
