package sessionuse

import (
	"testing"
	"time"
)

// ShortClose makes TakeOver wait for a shorter time during the test.
func ShortClose(t *testing.T, limit time.Duration) {
	before := closeTime
	closeTime = limit
	t.Cleanup(func() { closeTime = before })
}

// Look checks the session of a chat now.
func (m *Manager) Look(chatID string) { m.look(m.ctx, chatID) }
