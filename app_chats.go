package main

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
)

// RestoreChat takes the deletion of a chat back, while that is possible.
func (a *API) RestoreChat(id string) error {
	return a.call(func(ctx context.Context, e *Engine) error { return e.restore(ctx, id) })
}

// PinChat has a chat stand above the others of its folder, or no longer.
func (a *API) PinChat(id string, pinned bool) error {
	return a.change(id, func(c *backend.Chat) { c.Pinned = pinned })
}

// ArchiveChat takes a chat out of the list of chats, or back into it. A message
// brings it back as well.
func (a *API) ArchiveChat(id string, archived bool) error {
	return a.change(id, func(c *backend.Chat) { c.Archived = archived })
}
