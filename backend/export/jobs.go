package export

import (
	"context"
	"sync"
)

// Jobs are the exports under way, by chat.
type Jobs struct {
	mu      sync.Mutex
	end     map[string]context.CancelFunc
	closed  bool
	writing sync.WaitGroup
}

// Begin is false where the chat is being exported.
func (x *Jobs) Begin(chatID string, end context.CancelFunc) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.end[chatID] != nil {
		return false
	}
	if x.end == nil {
		x.end = map[string]context.CancelFunc{}
	}
	x.end[chatID] = end
	return true
}

// End calls tell, which says how the export of the chat ended. Whoever has heard
// that can begin the next one, whose news come after it.
func (x *Jobs) End(chatID string, tell func()) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.end, chatID)
	tell()
}

// Cancel ends the export of a chat, if there is one.
func (x *Jobs) Cancel(chatID string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if end := x.end[chatID]; end != nil {
		end()
	}
}

// Write calls do, which Close waits for. Once closed, nothing is written.
func (x *Jobs) Write(do func() error) error {
	x.mu.Lock()
	if x.closed {
		x.mu.Unlock()
		return context.Canceled
	}
	x.writing.Add(1)
	x.mu.Unlock()
	defer x.writing.Done()
	return do()
}

// Close waits until what was being written is whole or gone; it is for an engine
// whose context has ended.
func (x *Jobs) Close() {
	x.mu.Lock()
	x.closed = true
	x.mu.Unlock()
	x.writing.Wait()
}
