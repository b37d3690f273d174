package undo

import "github.com/voxpilot/voxpilot/backend/snapshot"

// Snapshots returns the stores of the recorded folders, for reading.
func (m *Manager) Snapshots() *snapshot.Stores { return m.stores }
