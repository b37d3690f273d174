package auth

import (
	"context"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

var errClosed = backend.Problem("VoxPilot is closing")

// shared makes calls at the same time one. Unlike with singleflight, a call is
// joined only until its question has been answered, and it outlives callers that
// go away.
type shared[T any] struct {
	mu   sync.Mutex
	open *call[T] // nil where the next caller begins a new one
}

type call[T any] struct {
	done  chan struct{}
	value T // read after done
}

// do joins the open call, or runs f by begin. f says by answered that nobody may
// join any more.
func (s *shared[T]) do(ctx context.Context, begin func(func()) bool, f func(answered func()) T) (T, error) {
	var none T
	s.mu.Lock()
	c := s.open
	if c == nil {
		c = &call[T]{done: make(chan struct{})}
		begun := begin(func() {
			defer close(c.done)
			c.value = f(func() { s.leave(c) })
			s.leave(c)
		})
		if !begun {
			s.mu.Unlock()
			return none, errClosed
		}
		s.open = c
	}
	s.mu.Unlock()
	select {
	case <-c.done:
		return c.value, nil
	case <-ctx.Done():
		return none, context.Cause(ctx)
	}
}

func (s *shared[T]) leave(c *call[T]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open == c {
		s.open = nil
	}
}

// renounce has the next caller begin a new call: what the open one asks about
// has changed.
func (s *shared[T]) renounce() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open = nil
}
