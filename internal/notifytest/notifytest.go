//go:build linux

// Package notifytest is a notification server for tests. It records the notifications that it receives instead of
// displaying them, and simulates clicks on them.
package notifytest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/godbus/dbus/v5"

	"github.com/voxpilot/voxpilot/internal/sessionbus"
)

// Names from the Desktop Notifications Specification.
const (
	name = "org.freedesktop.Notifications"
	path = dbus.ObjectPath("/org/freedesktop/Notifications")
)

// Notification is a notification that the server has received and that hasn't been closed.
type Notification struct {
	ID      uint32         `json:"id"`
	Times   int            `json:"times"` // number of times it was shown: more than 1 if the app updated it
	App     string         `json:"app"`
	Title   string         `json:"title"`
	Body    string         `json:"body"`
	Actions []string       `json:"actions"` // as received: key, label, key, label, …
	Hints   map[string]any `json:"hints"`
	Expires int32          `json:"expires"`
}

// Server is a notification server on D-Bus that tests can control.
type Server struct {
	conn *dbus.Conn

	mu      sync.Mutex
	last    uint32
	visible map[uint32]Notification
	changed chan struct{} // closed and replaced on each change
	next    []func() *dbus.Error
}

// NewServer starts a server with the given capabilities and registers it as the notification server of
// the session bus.
func NewServer(capabilities ...string) (*Server, error) {
	conn, err := sessionbus.Connect()
	if err != nil {
		return nil, err
	}
	s := &Server{conn: conn, visible: map[uint32]Notification{}, changed: make(chan struct{})}
	err = conn.ExportMethodTable(map[string]any{
		"GetCapabilities": func() ([]string, *dbus.Error) { return capabilities, nil },
		"GetServerInformation": func() (string, string, string, string, *dbus.Error) {
			return "notifytest", "VoxPilot", "1", "1.2", nil
		},
		"Notify":            s.notify,
		"CloseNotification": s.closeByApp,
	}, path, name)
	if err == nil {
		_, err = conn.RequestName(name, dbus.NameFlagReplaceExisting|dbus.NameFlagAllowReplacement)
	}
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return s, nil
}

// Close stops the server. A server that is started later doesn't have its notifications.
func (s *Server) Close() error { return s.conn.Close() }

func (s *Server) notify(app string, replaces uint32, _, title, body string, actions []string, hints map[string]dbus.Variant, expires int32) (uint32, *dbus.Error) {
	s.mu.Lock()
	do := func() *dbus.Error { return nil }
	if len(s.next) > 0 {
		do, s.next = s.next[0], s.next[1:]
	}
	s.mu.Unlock()
	if err := do(); err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	was, known := s.visible[replaces]
	if !known {
		s.last++
		was.ID = s.last
	}
	n := Notification{ID: was.ID, Times: was.Times + 1, App: app, Title: title, Body: body, Actions: actions, Hints: map[string]any{}, Expires: expires}
	for key, value := range hints {
		n.Hints[key] = value.Value()
	}
	s.visible[n.ID] = n
	s.notifyChange()
	return n.ID, nil
}

// Count returns the number of notifications shown so far, not counting updates.
func (s *Server) Count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return int(s.last)
}

// Refuse makes the server answer the next notification with an error.
func (s *Server) Refuse() { s.do(func() *dbus.Error { return dbus.NewError(name+".Error.Busy", nil) }) }

// Delay makes the server wait until the channel is closed before it shows the next notification.
func (s *Server) Delay(until <-chan struct{}) {
	s.do(func() *dbus.Error {
		<-until
		return nil
	})
}

// do queues f. For each notification, the server first calls the next queued function, if any. If that function
// returns an error, the server answers with that error and doesn't show the notification.
func (s *Server) do(f func() *dbus.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next = append(s.next, f)
}

func (s *Server) closeByApp(id uint32) *dbus.Error { return s.close(id, 3) }

// Dismiss closes a notification as if the user had dismissed it.
func (s *Server) Dismiss(id uint32) { _ = s.close(id, 2) }

// Invoke clicks a button of a notification, or the notification itself if action is "default". It also closes the
// notification.
func (s *Server) Invoke(id uint32, action string) {
	_ = s.conn.Emit(path, name+".ActivationToken", id, Token(id))
	_ = s.conn.Emit(path, name+".ActionInvoked", id, action)
	_ = s.close(id, 2)
}

// Token returns the activation token that the server sends when a notification is clicked.
func Token(id uint32) string { return fmt.Sprintf("notifytest-%d", id) }

func (s *Server) close(id uint32, reason uint32) *dbus.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.visible[id]; !known {
		return dbus.NewError(name+".Error.InvalidId", nil)
	}
	delete(s.visible, id)
	s.notifyChange()
	_ = s.conn.Emit(path, name+".NotificationClosed", id, reason)
	return nil
}

func (s *Server) notifyChange() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// WaitFor waits until the shown notifications satisfy the given predicate, and returns them, oldest
// first. If ctx ends before that, it returns the notifications shown at that time and false.
func (s *Server) WaitFor(ctx context.Context, is func([]Notification) bool) ([]Notification, bool) {
	for {
		s.mu.Lock()
		shown := slices.SortedFunc(maps.Values(s.visible), func(a, b Notification) int { return int(a.ID) - int(b.ID) })
		changed := s.changed
		s.mu.Unlock()
		if is(shown) {
			return shown, true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return shown, false
		}
	}
}
