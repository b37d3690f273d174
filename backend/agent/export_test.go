package agent

import (
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend/acp"
)

// ShortLimits sets the agent's time limits to d. The test must not be parallel.
func ShortLimits(t *testing.T, d time.Duration) {
	old := []time.Duration{limitInitialize, limitSession, limitLoad, limitCancel, acp.NotReadingAfter}
	limitInitialize, limitSession, limitLoad, limitCancel, acp.NotReadingAfter = d, d, d, d, d
	t.Cleanup(func() {
		limitInitialize, limitSession, limitLoad, limitCancel, acp.NotReadingAfter = old[0], old[1], old[2], old[3], old[4]
	})
}

// ShortAliveLimit sets the time limit for responses to OnWake's request to d. The test must not be parallel.
func ShortAliveLimit(t *testing.T, d time.Duration) {
	old := limitAlive
	limitAlive = d
	t.Cleanup(func() { limitAlive = old })
}
