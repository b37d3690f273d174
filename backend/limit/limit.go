// Package limit stops turns that work for longer than the user wants.
package limit

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ErrTooLong is the cause of the end of a turn that worked for too long.
var ErrTooLong = errors.New("the turn has worked for too long")

// Turns stop turns that work for longer than the user wants. While a request of
// a chat waits for the user, its turns' time stands still.
type Turns struct {
	mu    sync.Mutex
	chats map[string]*chatTimers
}

// chatTimers is a chat that has turns with a limit, or waits for the user.
type chatTimers struct {
	isWaiting bool
	timers    map[string]*turnTimer // by their turns
}

// turnTimer counts the time of one turn.
type turnTimer struct {
	limit   time.Duration
	warn    time.Duration // how long before the end the user is told
	notify  func(now Notice, stops time.Time)
	left    time.Duration
	since   time.Time   // when it began to run; zero while it stands still
	end     *time.Timer // ends the turn
	warning *time.Timer // tells the user
	warned  bool        // the user knows that the end comes
	isOver  bool
}

// Notice is what the user is told of the end of a turn.
type Notice int

const (
	Soon     Notice = iota // it comes; the time is zero while the watch stands still
	Extended               // it was put off
	Ended                  // the turn is over
)

// New makes Turns without any.
func New() *Turns { return &Turns{chats: map[string]*chatTimers{}} }

// of is the chat's, made where there is none. l.mu is held.
func (l *Turns) of(chatID string) *chatTimers {
	c := l.chats[chatID]
	if c == nil {
		c = &chatTimers{timers: map[string]*turnTimer{}}
		l.chats[chatID] = c
	}
	return c
}

// tidy forgets the chat where there is nothing to know. l.mu is held.
func (l *Turns) tidy(chatID string) {
	if c := l.chats[chatID]; c != nil && !c.isWaiting && len(c.timers) == 0 {
		delete(l.chats, chatID)
	}
}

// Begin is ctx that ends with errTooLong as its cause when the turn of the chat
// has worked for limit; 0 is no limit. tell hears that the end comes, warn before
// it, and what becomes of that; id is how extend knows the turn.
func (l *Turns) Begin(ctx context.Context, chatID, id string, limit, warn time.Duration, tell func(now Notice, stops time.Time)) (_ context.Context, end func()) {
	if limit <= 0 {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	w := &turnTimer{limit: limit, warn: warn, notify: tell, left: limit}
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
		w.notify(Soon, w.since.Add(w.left))
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

// Extend gives a turn that is about to be stopped its whole limit once more. It
// says whether there is one that still works.
func (l *Turns) Extend(chatID, id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.chats[chatID]
	if c == nil || c.timers[id] == nil || c.timers[id].isOver {
		return false
	}
	w := c.timers[id]
	if !w.warned {
		return true // it has been extended already
	}
	ran := !w.since.IsZero()
	w.stop()
	w.left += w.limit
	w.warned = false
	w.notify(Extended, time.Time{})
	if ran {
		w.run()
	}
	return true
}

// remaining is how long the turn may still work.
func (w *turnTimer) remaining() time.Duration {
	if w.since.IsZero() {
		return w.left
	}
	return w.left - time.Since(w.since)
}

func (w *turnTimer) run() {
	if w.isOver {
		return
	}
	w.since = time.Now()
	w.end.Reset(w.left)
	if w.warned {
		w.notify(Soon, w.since.Add(w.left))
		return
	}
	w.warning.Reset(max(w.left-w.warn, 0))
}

func (w *turnTimer) stop() {
	w.end.Stop()
	w.warning.Stop()
	w.left = max(w.remaining(), 0)
	w.since = time.Time{}
}

func (w *turnTimer) update() {
	w.stop()
	if w.warned && !w.isOver {
		w.notify(Soon, time.Time{})
	}
}

// SetWaiting says whether requests of the chat wait for the user.
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
