package main

import (
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

// outside are the chats that were sent a message from outside of the window, by the
// quick prompt or a command line. If one of them then waits for the user's trust, its
// window is shown, since only that can ask.
type outside struct {
	show func(chatID string)

	mu    sync.Mutex
	chats map[string]bool
}

// await begins to watch the chat.
func (o *outside) await(chatID string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.chats == nil {
		o.chats = map[string]bool{}
	}
	o.chats[chatID] = true
}

// see watches until the agent is ready or the message has its answer
// (overview.follow).
func (o *outside) see(_ view, e backend.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch t, c := e.Turn, e.Connection; {
	case t != nil && t.BlockID == "" && t.State != backend.TurnRunning:
		delete(o.chats, t.ChatID)
	case c == nil || !o.chats[c.ChatID]:
	case c.State == backend.NeedsTrust:
		delete(o.chats, c.ChatID)
		go o.show(c.ChatID)
	case c.State == backend.Ready:
		delete(o.chats, c.ChatID)
	}
}
