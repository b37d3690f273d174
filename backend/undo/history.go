package undo

import "github.com/voxpilot/voxpilot/backend/snapshot"

// Snapshots returns the stores of the chats' folders. Callers must only read them.
func (m *Manager) Snapshots() *snapshot.Stores { return m.stores }
