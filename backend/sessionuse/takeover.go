package sessionuse

import (
	"context"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// closeTime is the time within which TakeOver expects the program to close.
var closeTime = 5 * time.Second

// closePoll is the time between two checks of whether the program has closed the session.
const closePoll = 50 * time.Millisecond

// TakeOver asks the program that has the chat's main session open to exit, and waits for its exit in the background.
// backend.SessionUse reports the result. The program is never killed. TakeOver returns CodeUnavailable if the program
// can't be asked, because the system has no such request, the program belongs to another user, or it isn't certain that
// the process is the one that has the session open.
func (m *Manager) TakeOver(ctx context.Context, chatID string) error {
	s, ok := m.cfg.Main(ctx, chatID)
	if !ok {
		return nil
	}
	c := m.chat(chatID)
	holder := m.holder(s)
	m.publishHolder(c, holder)
	if holder == nil || m.ctx.Err() != nil {
		return nil
	}
	m.mu.Lock()
	waits := c.closing
	c.closing = true
	m.mu.Unlock()
	if waits {
		return nil
	}
	if err := askToClose(s, *holder); err != nil {
		m.cfg.Log.Warn("couldn't ask a program to close", "pid", holder.PID, "program", holder.Program, "err", err)
		m.mu.Lock()
		c.closing = false
		m.mu.Unlock()
		return &backend.Error{
			Code:    backend.CodeUnavailable,
			Message: backend.Say("VoxPilot can't close the other program. Close it yourself, or fork the session to continue here."),
			Detail:  err.Error(),
		}
	}
	m.publishClosing(c, *holder, true, false)
	m.ended.Go(func() {
		stayed := !m.waitForClose(s, *holder)
		m.mu.Lock()
		c.closing = false
		m.mu.Unlock()
		if stayed {
			m.publishClosing(c, *holder, false, true)
			return
		}
		m.look(m.ctx, chatID)
	})
	return nil
}

// waitForClose waits up to closeTime for the program to close the session. It returns false if the program hasn't
// closed it, or if the Manager is closed first.
func (m *Manager) waitForClose(s backend.Session, holder backend.SessionHolder) bool {
	late := time.NewTimer(closeTime)
	defer late.Stop()
	poll := time.NewTicker(closePoll)
	defer poll.Stop()
	for {
		if now := m.holder(s); now == nil || now.PID != holder.PID || now.StartedAt != holder.StartedAt {
			return true
		}
		select {
		case <-poll.C:
		case <-late.C:
			return false
		case <-m.ctx.Done():
			return false
		}
	}
}

// publishClosing publishes whether a request to close the program is pending (closing) or has failed (stayed), unless
// the program no longer has the session open.
func (m *Manager) publishClosing(c *chat, holder backend.SessionHolder, closing, stayed bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c.use.Holder == nil || *c.use.Holder != holder {
		return
	}
	c.use.Closing, c.use.Stayed = closing, stayed
	c.publish(m)
}
