package screens

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/engine"
)

// Sessions implements the window's calls for the sessions of the Copilot CLI, and the conversations of other
// programs, on this computer. The page fetches their lists and previews from /data.
type Sessions struct{ api *engine.API }

// NewSessions returns a Sessions that uses api.
func NewSessions(api *engine.API) *Sessions { return &Sessions{api} }

// OpenCLISession opens a session in a chat. If a chat already has the session, it returns that chat. Otherwise it
// creates a chat and reads the session's log into it in the background: backend.SessionImport reports the progress.
// home is the CLI's home directory that contains the session, or "" for the default one.
func (s *Sessions) OpenCLISession(home, id string) (backend.Chat, error) {
	return s.api.OpenCLISession(home, id)
}

// ResumeCommand returns the terminal command that continues the chat's session of the Copilot CLI. It fails with
// CodeNotFound if the chat has none.
func (s *Sessions) ResumeCommand(chatID string) (string, error) { return s.api.ResumeCommand(chatID) }

// ForkCLISession copies a session and opens the copy in a new chat. The session itself doesn't change.
func (s *Sessions) ForkCLISession(home, id string) (backend.Chat, error) {
	return s.api.ForkCLISession(home, id)
}

// RescueCLISession repairs a copy of a damaged session and opens the copy in a new chat. The damaged session itself
// doesn't change.
func (s *Sessions) RescueCLISession(home, id string) (backend.Chat, error) {
	return s.api.RescueCLISession(home, id)
}

// CancelSessionImport stops reading a session into a chat, and deletes the chat. The session itself doesn't change.
func (s *Sessions) CancelSessionImport(chatID string) error {
	return s.api.CancelSessionImport(chatID)
}

// OpenOtherConversation opens a conversation of another program in a chat. If a chat already has the conversation, it
// returns that chat. Otherwise it creates a chat and reads the conversation into it in the background, like
// OpenCLISession. The conversation itself doesn't change. program is a backend.OtherProgram.
func (s *Sessions) OpenOtherConversation(program, id string) (backend.Chat, error) {
	return s.api.OpenOtherConversation(program, id)
}

// TakeOverSession asks the program that has the chat's session open to exit. backend.SessionUse reports the result.
func (s *Sessions) TakeOverSession(chatID string) error {
	return s.api.Call(func(ctx context.Context, e *engine.Engine) error { return e.SessionUse.TakeOver(ctx, chatID) })
}
