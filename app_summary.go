package main

import "github.com/voxpilot/voxpilot/backend"

// ContinueInNewChat begins a chat in the same folder, with the same answerer,
// whose first message is sent with a summary of this one.
func (a *App) ContinueInNewChat(chatID string) (chat backend.Chat, err error) { return chat, later() }

func later() error {
	return &backend.Error{Code: backend.CodeUnavailable, Message: "Not built yet."}
}
