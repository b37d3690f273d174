package keychain

import (
	"context"
	"sync"
	"time"
)

// serializer runs one call at a time and limits how long each caller waits.
type serializer struct {
	free chan struct{} // holds a value while no call is running

	mu      sync.Mutex
	running *callTimer // nil while no call is running
	hanging bool       // the running call has exceeded the limit
}

// callTimer is the timer of a call. Its address identifies the call.
type callTimer struct{ over *time.Timer }

func newSerializer() *serializer {
	t := &serializer{free: make(chan struct{}, 1)}
	t.free <- struct{}{}
	return t
}

// do runs f and returns its results. If an earlier call is hanging, do returns errHanging instead. If do returns
// before f does, f continues to run: calls to the system's keychain can't be canceled.
func (s *serializer) do(ctx context.Context, f func() (string, error)) (string, error) {
	if s.isHanging() {
		return "", errHanging
	}
	timeout := time.NewTimer(limit)
	defer timeout.Stop()
	select {
	case <-s.free:
	case <-ctx.Done():
		return "", context.Cause(ctx)
	case <-timeout.C:
		return "", errHanging
	}

	type answer struct {
		secret string
		err    error
	}
	done := make(chan answer, 1)
	r := s.begin()
	go func() {
		secret, err := f()
		s.end(r)
		done <- answer{secret, err}
	}()
	select {
	case a := <-done:
		return a.secret, a.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	case <-timeout.C:
		s.hang(r)
		return "", errNoAnswer
	}
}

func (s *serializer) isHanging() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hanging
}

// begin starts the time limit for a call. The limit stays in force even if the caller
// stops waiting. The caller must have received a value from s.free.
func (s *serializer) begin() *callTimer {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &callTimer{}
	r.over = time.AfterFunc(limit, func() { s.hang(r) })
	s.running = r
	return r
}

// hang marks a call as hanging unless the call has already ended.
func (s *serializer) hang(r *callTimer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running == r {
		s.hanging = true
	}
}

func (s *serializer) end(r *callTimer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.over.Stop()
	s.running, s.hanging = nil, false
	s.free <- struct{}{}
}
