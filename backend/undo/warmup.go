package undo

import (
	"context"
	"time"
)

// warmUpDelay is the time that a chat is open and idle before its folder is read.
const warmUpDelay = 3 * time.Second

// warmUp reads a chat's folder in advance, because the first snapshot would otherwise take long.
type warmUp struct {
	stop context.CancelFunc
	done chan struct{} // closed at its end
}

// Prepare reads, in the background, the folder of a chat that the user has opened. It does so once the chat is
// idle, and only if the folder is trusted, no turn is running, and this process hasn't read the folder yet. The
// next turn stops it.
func (m *Manager) Prepare(chatID string) {
	chat, err := m.cfg.Chat(chatID)
	m.mu.Lock()
	defer m.mu.Unlock()
	_, isRead := m.costs[chatID]
	if err != nil || isRead || m.warming[chatID] != nil || m.ctx.Err() != nil {
		return
	}
	for _, other := range m.warming { // the user has gone on
		other.stop()
	}
	ctx, stop := context.WithCancel(m.ctx)
	w := &warmUp{stop: stop, done: make(chan struct{})}
	m.warming[chatID] = w
	m.tasks.Go(func() {
		defer func() {
			stop()
			m.mu.Lock()
			delete(m.warming, chatID)
			m.mu.Unlock()
			close(w.done)
		}()
		select {
		case <-time.After(warmUpDelay):
		case <-ctx.Done():
			return
		}
		if !m.cfg.Trusted(ctx, chat) || m.isWorking() {
			return
		}
		st, err := m.stores.Open(chat.ID, chat.Folder)
		if err == nil {
			err = st.WarmUp(ctx)
		}
		if err != nil && ctx.Err() == nil {
			m.cfg.Log.Warn("couldn't read a folder before its first snapshot", "chat", chatID, "err", err)
		}
	})
}

// isWorking reports whether a turn is running in any chat.
func (m *Manager) isWorking() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.running) > 0
}

// stopWarmUps stops reading folders in the background. It waits for the end only in the given chat, in which a
// turn starts.
func (m *Manager) stopWarmUps(chatID string) {
	m.mu.Lock()
	own := m.warming[chatID]
	for _, w := range m.warming {
		w.stop()
	}
	m.mu.Unlock()
	if own != nil {
		<-own.done
	}
}
