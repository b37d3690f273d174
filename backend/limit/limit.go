// Package limit stops turns that exceed the user's time limit.
package limit

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ErrTooLong is the cancellation cause of a turn that exceeded its time limit.
var ErrTooLong = errors.New("the turn has worked for too long")

// Turns enforces the time limit for turns. While a request of a chat waits for the user, the timers of the chat's
// turns are paused. Turns is safe for concurrent use.
type Turns struct {
	mu    sync.Mutex
	chats map[string]*chatTimers
}

// chatTimers holds the timers of a chat that has time-limited turns or a waiting request.
type chatTimers struct {
	isWaiting bool
	timers    map[string]*turnTimer // by turn ID
}

// turnTimer is the timer of a turn.
type turnTimer struct {
	limit    time.Duration
	warn     time.Duration // time between the warning and the stop
	notify   func(now Notice, stops time.Time)
	timeLeft time.Duration // time left when since was set or, while paused, the time left now
	since    time.Time     // last start; zero while paused
	end      *time.Timer   // stops the turn
	warning  *time.Timer   // warns the user
	warned   bool          // the user has been warned
	isOver   bool
}

// Notice is a change that affects a turn's time limit and that the user is notified of.
type Notice int

// The notices.
const (
	Soon     Notice = iota // the turn will be stopped at the given time; the time is zero while the limit is paused
	Extended               // the limit was extended
	Ended                  // the turn has ended
)

// New returns an empty Turns.
func New() *Turns { return &Turns{chats: map[string]*chatTimers{}} }

// of returns the timers of a chat, creating them if needed. The caller must hold l.mu.
func (l *Turns) of(chatID string) *chatTimers {
	c := l.chats[chatID]
	if c == nil {
		c = &chatTimers{timers: map[string]*turnTimer{}}
		l.chats[chatID] = c
	}
	return c
}

// tidy removes a chat if it has neither time-limited turns nor waiting requests. The
// caller must hold l.mu.
func (l *Turns) tidy(chatID string) {
	if c := l.chats[chatID]; c != nil && !c.isWaiting && len(c.timers) == 0 {
		delete(l.chats, chatID)
	}
}

// Begin starts the time limit of a turn; a limit of 0 means none. It returns a context derived from ctx, and a function
// that must be called when the turn ends. When the limit is reached, the derived context is canceled with ErrTooLong as
// its cause. The function tell is called when the remaining time has fallen to the duration warn, and on each later
// change. tell must not call methods of Turns. id identifies the turn for Extend.
func (l *Turns) Begin(ctx context.Context, chatID, id string, limit, warn time.Duration, tell func(now Notice, stops time.Time)) (_ context.Context, end func()) {
	if limit <= 0 {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	w := &turnTimer{limit: limit, warn: warn, notify: tell, timeLeft: limit}
	l.mu.Lock()
	defer l.mu.Unlock()
	w.end = time.AfterFunc(limit, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if !w.since.IsZero() && w.remaining() <= 0 {
			w.isOver = true
			cancel(ErrTooLong)
		}
	})
	w.warning = time.AfterFunc(limit, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if w.warned || w.isOver || w.since.IsZero() || w.remaining() > w.warn {
			return
		}
		w.warned = true
		w.notify(Soon, w.since.Add(w.timeLeft))
	})
	w.stop()
	c := l.of(chatID)
	c.timers[id] = w
	if !c.isWaiting {
		w.run()
	}
	return ctx, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		w.stop()
		w.isOver = true
		if w.warned {
			w.notify(Ended, time.Time{})
		}
		delete(c.timers, id)
		l.tidy(chatID)
		cancel(nil)
	}
}

// Extend adds the full limit to the remaining time of a turn, but only if the user has been warned that the turn is
// about to be stopped. It returns false if the turn has ended, has exceeded its limit or has none.
func (l *Turns) Extend(chatID, id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.chats[chatID]
	if c == nil || c.timers[id] == nil || c.timers[id].isOver {
		return false
	}
	w := c.timers[id]
	if !w.warned {
		return true // already extended, or the user hasn't been warned yet
	}
	ran := !w.since.IsZero()
	w.stop()
	w.timeLeft += w.limit
	w.warned = false
	w.notify(Extended, time.Time{})
	if ran {
		w.run()
	}
	return true
}

// remaining returns the turn's remaining time.
func (w *turnTimer) remaining() time.Duration {
	if w.since.IsZero() {
		return w.timeLeft
	}
	return w.timeLeft - time.Since(w.since)
}

func (w *turnTimer) run() {
	if w.isOver {
		return
	}
	w.since = time.Now()
	w.end.Reset(w.timeLeft)
	if w.warned {
		w.notify(Soon, w.since.Add(w.timeLeft))
		return
	}
	w.warning.Reset(max(w.timeLeft-w.warn, 0))
}

func (w *turnTimer) stop() {
	w.end.Stop()
	w.warning.Stop()
	w.timeLeft = max(w.remaining(), 0)
	w.since = time.Time{}
}

func (w *turnTimer) update() {
	w.stop()
	if w.warned && !w.isOver {
		w.notify(Soon, time.Time{})
	}
}

// SetWaiting records whether a request of the chat is waiting for the user.
func (l *Turns) SetWaiting(chatID string, waits bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.of(chatID)
	if c.isWaiting != waits {
		c.isWaiting = waits
		for _, w := range c.timers {
			if waits {
				w.update()
			} else {
				w.run()
			}
		}
	}
	l.tidy(chatID)
}
