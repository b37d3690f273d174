package main

import "github.com/voxpilot/voxpilot/backend"

var errLater = &backend.Error{Code: backend.CodeStorage, Message: "This cannot be done yet."}

// RestoreChat takes the deletion of a chat back, while that is possible.
func (a *App) RestoreChat(id string) error { return errLater }

// PinChat has a chat stand above the others of its folder, or no longer.
func (a *App) PinChat(id string, pinned bool) error { return errLater }

// ArchiveChat takes a chat out of the list of chats, or back into it.
func (a *App) ArchiveChat(id string, archived bool) error { return errLater }

// ExportChat writes a chat to a file that the user chooses: format is "markdown",
// "html" or "json". It returns at once; how it went comes as Picked, under the
// request "export " and the chat's id.
func (a *App) ExportChat(chatID, format string) error { return errLater }
