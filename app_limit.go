package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// errTooLong is the cause of the end of a turn that worked for too long.
var errTooLong = errors.New("the turn has worked for too long")

// limits stop turns that work for longer than the user wants. While a request of
// a chat waits for the user, its turns' time stands still.
type limits struct {
	mu    sync.Mutex
	chats map[string]*limited
}

// limited is a chat with turns that have a limit, or with open requests.
type limited struct {
	asked   map[string]bool // the open requests
	watches map[*watch]bool
}

// watch counts the time of one turn.
type watch struct {
	left  time.Duration
	since time.Time // when it began to run; zero while it stands still
	timer *time.Timer
}

func newLimits() *limits { return &limits{chats: map[string]*limited{}} }

// of is the chat's, made where there is none. l.mu is held.
func (l *limits) of(chatID string) *limited {
	c := l.chats[chatID]
	if c == nil {
		c = &limited{asked: map[string]bool{}, watches: map[*watch]bool{}}
		l.chats[chatID] = c
	}
	return c
}

// tidy forgets the chat where there is nothing to know. l.mu is held.
func (l *limits) tidy(chatID string) {
	if c := l.chats[chatID]; c != nil && len(c.asked)+len(c.watches) == 0 {
		delete(l.chats, chatID)
	}
}

// begin is ctx that ends with errTooLong as its cause when the turn of the chat
// has worked for limit; 0 is no limit.
func (l *limits) begin(ctx context.Context, chatID string, limit time.Duration) (_ context.Context, end func()) {
	if limit <= 0 {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watch{left: limit}
	w.timer = time.AfterFunc(limit, func() { cancel(errTooLong) })
	w.timer.Stop()
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.of(chatID)
	c.watches[w] = true
	if len(c.asked) == 0 {
		w.run()
	}
	return ctx, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		w.timer.Stop()
		delete(c.watches, w)
		l.tidy(chatID)
		cancel(nil)
	}
}

func (w *watch) run() {
	w.since = time.Now()
	w.timer.Reset(w.left)
}

func (w *watch) stand() {
	w.timer.Stop()
	w.left = max(w.left-time.Since(w.since), 0)
}

// sees takes events about what waits for the user.
func (l *limits) sees(events ...backend.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range events {
		p := e.Permission
		if p == nil {
			continue
		}
		c := l.of(p.ChatID)
		waited := len(c.asked) > 0
		if p.State == backend.PermissionOpen {
			c.asked[p.ID] = true
		} else {
			delete(c.asked, p.ID)
		}
		for w := range c.watches {
			switch waits := len(c.asked) > 0; {
			case waits && !waited:
				w.stand()
			case !waits && waited:
				w.run()
			}
		}
		l.tidy(p.ChatID)
	}
}

// tooLong says of a turn that it was stopped, and by what.
func (e *engine) tooLong(turn backend.Turn, minutes int) backend.Turn {
	message := fmt.Sprintf("VoxPilot stopped this after %d minutes of work, as the settings say. Send a message to have it go on.", minutes)
	if minutes == 1 {
		message = "VoxPilot stopped this after a minute of work, as the settings say. Send a message to have it go on."
	}
	turn.State = backend.TurnStopped
	turn.Error = &backend.Error{Code: backend.CodeLimit, Message: message}
	now := backend.Now()
	note := backend.Item{ID: backend.NewID(), ChatID: turn.ChatID, TurnID: turn.ID, ParentID: turn.BlockID, Session: turn.Session, Kind: backend.ItemNote, CreatedAt: now, EndedAt: now}
	text := turn.Error.Message
	e.feed.Publish(backend.Event{Item: &note}, backend.Event{Text: &backend.Text{ItemID: note.ID, ChatID: note.ChatID, Text: text, Size: int64(len(text))}})
	return turn
}
