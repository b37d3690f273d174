// Package branch lets chats go back to before a message, brings back what was set aside, and starts new
// chats from a message.
package branch

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
)

// Manager goes back and branches for all chats.
type Manager struct{}

var errNotYet = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Going back isn't possible yet.")}

// Preview describes the effect of going back to before the message of a turn.
func (m *Manager) Preview(context.Context, string) (backend.GoBackPreview, error) {
	return backend.GoBackPreview{}, errNotYet
}

// GoBack goes back to before the message of a turn.
func (m *Manager) GoBack(context.Context, string, backend.GoBackRequest) error { return errNotYet }

// BringBack shows messages that were set aside again.
func (m *Manager) BringBack(context.Context, string, string, bool) error { return errNotYet }

// NewChat creates a chat with the messages before a turn.
func (m *Manager) NewChat(context.Context, string) (backend.Chat, error) {
	return backend.Chat{}, errNotYet
}
