package review

import (
	"testing"
	"time"
)

// SetMeasureTime changes the time limit for comparing the files of a list. It restores the old limit after the test.
func SetMeasureTime(t *testing.T, limit time.Duration) {
	before := measureTime
	t.Cleanup(func() { measureTime = before })
	measureTime = limit
}
