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
	chats map[string]*limited
}

// limited is a chat that has turns with a limit, or waits for the user.
type limited struct {
	waits   bool
	watches map[string]*watch // by their turns
}

// watch counts the time of one turn.
type watch struct {
	limit time.Duration
	warn  time.Duration // how long before the end the user is told
	tell  func(now Telling, stops time.Time)
	left  time.Duration
	since time.Time   // when it began to run; zero while it stands still
	end   *time.Timer // ends the turn
	soon  *time.Timer // tells the user
	told  bool        // the user knows that the end comes
	over  bool
}

// Telling is what the user is told of the end of a turn.
type Telling int

const (
	Soon     Telling = iota // it comes; the time is zero while the watch stands still
	Extended                // it was put off
	Ended                   // the turn is over
)

// New makes Turns without any.
func New() *Turns { return &Turns{chats: map[string]*limited{}} }

// of is the chat's, made where there is none. l.mu is held.
func (l *Turns) of(chatID string) *limited {
	c := l.chats[chatID]
	if c == nil {
		c = &limited{watches: map[string]*watch{}}
		l.chats[chatID] = c
	}
	return c
}

// tidy forgets the chat where there is nothing to know. l.mu is held.
func (l *Turns) tidy(chatID string) {
	if c := l.chats[chatID]; c != nil && !c.waits && len(c.watches) == 0 {
		delete(l.chats, chatID)
	}
}

// Begin is ctx that ends with errTooLong as its cause when the turn of the chat
// has worked for limit; 0 is no limit. tell hears that the end comes, warn before
// it, and what becomes of that; id is how extend knows the turn.
func (l *Turns) Begin(ctx context.Context, chatID, id string, limit, warn time.Duration, tell func(now Telling, stops time.Time)) (_ context.Context, end func()) {
	if limit <= 0 {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watch{limit: limit, warn: warn, tell: tell, left: limit}
	l.mu.Lock()
	defer l.mu.Unlock()
	w.end = time.AfterFunc(limit, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if !w.since.IsZero() && w.remains() <= 0 {
			w.over = true
			cancel(ErrTooLong)
		}
	})
	w.soon = time.AfterFunc(limit, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if w.told || w.over || w.since.IsZero() || w.remains() > w.warn {
			return
		}
		w.told = true
		w.tell(Soon, w.since.Add(w.left))
	})
	w.stop()
	c := l.of(chatID)
	c.watches[id] = w
	if !c.waits {
		w.run()
	}
	return ctx, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		w.stop()
		w.over = true
		if w.told {
			w.tell(Ended, time.Time{})
		}
		delete(c.watches, id)
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
	if c == nil || c.watches[id] == nil || c.watches[id].over {
		return false
	}
	w := c.watches[id]
	if !w.told {
		return true // it has been extended already
	}
	ran := !w.since.IsZero()
	w.stop()
	w.left += w.limit
	w.told = false
	w.tell(Extended, time.Time{})
	if ran {
		w.run()
	}
	return true
}

// remains is how long the turn may still work.
func (w *watch) remains() time.Duration {
	if w.since.IsZero() {
		return w.left
	}
	return w.left - time.Since(w.since)
}

func (w *watch) run() {
	if w.over {
		return
	}
	w.since = time.Now()
	w.end.Reset(w.left)
	if w.told {
		w.tell(Soon, w.since.Add(w.left))
		return
	}
	w.soon.Reset(max(w.left-w.warn, 0))
}

func (w *watch) stop() {
	w.end.Stop()
	w.soon.Stop()
	w.left = max(w.remains(), 0)
	w.since = time.Time{}
}

func (w *watch) stand() {
	w.stop()
	if w.told && !w.over {
		w.tell(Soon, time.Time{})
	}
}

// SetWaiting says whether requests of the chat wait for the user.
func (l *Turns) SetWaiting(chatID string, waits bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.of(chatID)
	if c.waits != waits {
		c.waits = waits
		for _, w := range c.watches {
			if waits {
				w.stand()
			} else {
				w.run()
			}
		}
	}
	l.tidy(chatID)
}
