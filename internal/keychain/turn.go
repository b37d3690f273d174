package keychain

import (
	"context"
	"sync"
	"time"
)

// turn lets one call at a time run, and nobody wait for longer than the limit.
type turn struct {
	free chan struct{} // holds a value while no call runs

	mu      sync.Mutex
	running *run // nil while no call runs
	hanging bool // the running call is over the limit
}

// run is one call; its address tells it from others.
type run struct{ over *time.Timer }

func newTurn() *turn {
	t := &turn{free: make(chan struct{}, 1)}
	t.free <- struct{}{}
	return t
}

// do runs f, unless a call hangs that was made before. When it returns early, f
// goes on by itself: there is no way to stop a call of the system's keychain.
func (t *turn) do(ctx context.Context, f func() (string, error)) (string, error) {
	if t.isHanging() {
		return "", errHanging
	}
	timeout := time.NewTimer(limit)
	defer timeout.Stop()
	select {
	case <-t.free:
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
	r := t.begin()
	go func() {
		secret, err := f()
		t.end(r)
		done <- answer{secret, err}
	}()
	select {
	case a := <-done:
		return a.secret, a.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	case <-timeout.C:
		t.hang(r)
		return "", errNoAnswer
	}
}

func (t *turn) isHanging() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.hanging
}

// begin is called with the turn taken. The call is watched from then on, even
// when whoever made it has gone.
func (t *turn) begin() *run {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := &run{}
	r.over = time.AfterFunc(limit, func() { t.hang(r) })
	t.running = r
	return r
}

// hang marks a call as hanging, unless it has ended meanwhile.
func (t *turn) hang(r *run) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.running == r {
		t.hanging = true
	}
}

func (t *turn) end(r *run) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r.over.Stop()
	t.running, t.hanging = nil, false
	t.free <- struct{}{}
}
