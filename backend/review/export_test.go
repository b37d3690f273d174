package review

import (
	"testing"
	"time"
)

// SetMeasureTime changes the time limit for comparing the files of a list until the test ends.
func SetMeasureTime(t *testing.T, limit time.Duration) {
	before := measureTime
	t.Cleanup(func() { measureTime = before })
	measureTime = limit
}
