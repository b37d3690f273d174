package undo

import "github.com/voxpilot/voxpilot/backend/snapshot"

// Snapshots returns the stores with the snapshots of the chats' folders. Callers must only read from them.
func (m *Manager) Snapshots() *snapshot.Stores { return m.stores }
