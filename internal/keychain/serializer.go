package keychain

import (
	"context"
	"sync"
	"time"
)

// serializer lets one call at a time run, and nobody wait for longer than the limit.
type serializer struct {
	free chan struct{} // holds a value while no call runs

	mu      sync.Mutex
	running *callTimer // nil while no call runs
	hanging bool       // the running call is over the limit
}

// callTimer is one call; its address tells it from others.
type callTimer struct{ over *time.Timer }

func newSerializer() *serializer {
	t := &serializer{free: make(chan struct{}, 1)}
	t.free <- struct{}{}
	return t
}

// do runs f, unless a call hangs that was made before. When it returns early, f
// goes on by itself: there is no way to stop a call of the system's keychain.
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

// begin is called with the turn taken. The call is watched from then on, even
// when whoever made it has gone.
func (s *serializer) begin() *callTimer {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &callTimer{}
	r.over = time.AfterFunc(limit, func() { s.hang(r) })
	s.running = r
	return r
}

// hang marks a call as hanging, unless it has ended meanwhile.
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
