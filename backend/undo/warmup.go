package undo

import (
	"context"
	"time"
)

// warmUpDelay is the delay between opening a chat and reading its folder.
const warmUpDelay = 3 * time.Second

// warmUp is a background read of a chat's folder. Without it, the first snapshot would take a long time.
type warmUp struct {
	stop context.CancelFunc
	done chan struct{} // closed when the read has ended
}

// Prepare must be called when the user opens a chat. It reads the chat's folder in the background. Reading starts after
// warmUpDelay, if the folder is trusted, no turn is running in any chat, and this process hasn't recorded the folder
// yet. Reading stops when the user opens another chat or a turn starts.
func (m *Manager) Prepare(chatID string) {
	chat, err := m.cfg.Chat(chatID)
	m.mu.Lock()
	defer m.mu.Unlock()
	_, isRead := m.costs[chatID]
	if err != nil || isRead || m.warming[chatID] != nil || m.ctx.Err() != nil {
		return
	}
	for _, other := range m.warming { // the user has opened another chat
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

// stopWarmUps stops all reads of folders in the background. It is called when a turn starts in the given chat, and
// waits until the read for that chat has ended.
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
