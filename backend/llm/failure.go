package llm

import (
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// FailureKind says what can be done about a failure.
type FailureKind string

// The kinds of failures.
const (
	KindAuth    FailureKind = "auth"    // the key is missing, wrong, or not enough
	KindRate    FailureKind = "rate"    // too many requests: RetryAfter says how long to wait
	KindServer  FailureKind = "server"  // the service failed, or took too long
	KindNetwork FailureKind = "network" // the service could not be reached
	KindCut     FailureKind = "cut"     // the answer began and did not end
	KindContext FailureKind = "context" // the conversation is too long for the model
	KindEnded   FailureKind = "ended"   // ctx ended
	KindOther   FailureKind = "other"   // the same request would fail again
)

// Failure is why there is no answer, or no whole one.
type Failure struct {
	Kind FailureKind
	// Err is for a person. It never holds the key.
	Err *backend.Error
	// RetryAfter is how long the service wants to be left alone; 0 where it did
	// not say.
	RetryAfter time.Duration
}

func (f *Failure) Error() string { return f.Err.Message }
