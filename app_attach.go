package main

import "github.com/voxpilot/voxpilot/backend"

// AttachImage takes an image that was pasted or dropped: data is its bytes in
// base64, at most backend.MaxImageBytes of them. It goes with a message once it is
// sent with one.
func (a *App) AttachImage(chatID, name, data string) (attachment backend.Attachment, err error) {
	return attachment, errLater
}

// AttachFile takes a file or a folder by its path: as an image where it is one
// and the agent takes images, else by its address.
func (a *App) AttachFile(chatID, path string) (attachment backend.Attachment, err error) {
	return attachment, errLater
}

// MoveQueued puts a queued prompt before another one of its chat, or at the end
// where before is "".
func (a *App) MoveQueued(id, before string) error { return errLater }

// SendQueuedNow stops the running turn, and sends a queued prompt as the next.
func (a *App) SendQueuedNow(id string) error { return errLater }
