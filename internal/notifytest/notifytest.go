//go:build linux

// Package notifytest is a notification server for tests: it shows nothing, keeps
// what it was told, and clicks what a test wants clicked.
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

// Names of the Desktop Notifications Specification.
const (
	name = "org.freedesktop.Notifications"
	path = dbus.ObjectPath("/org/freedesktop/Notifications")
)

// Notification is one that is shown.
type Notification struct {
	ID      uint32         `json:"id"`
	Times   int            `json:"times"` // it was shown: more than 1 where it took the place of itself
	App     string         `json:"app"`
	Title   string         `json:"title"`
	Body    string         `json:"body"`
	Actions []string       `json:"actions"` // as they came: key, label, key, label, …
	Hints   map[string]any `json:"hints"`
	Expires int32          `json:"expires"`
}

// Server is a notification server.
type Server struct {
	conn *dbus.Conn

	mu      sync.Mutex
	last    uint32
	shown   map[uint32]Notification
	changed chan struct{} // closed and replaced by each change
}

// Serve begins to be the notification server of the session bus, with these
// capabilities.
func Serve(capabilities ...string) (*Server, error) {
	conn, err := sessionbus.Connect()
	if err != nil {
		return nil, err
	}
	s := &Server{conn: conn, shown: map[uint32]Notification{}, changed: make(chan struct{})}
	err = conn.ExportMethodTable(map[string]any{
		"GetCapabilities": func() ([]string, *dbus.Error) { return capabilities, nil },
		"GetServerInformation": func() (string, string, string, string, *dbus.Error) {
			return "notifytest", "VoxPilot", "1", "1.2", nil
		},
		"Notify":            s.notify,
		"CloseNotification": s.withdraw,
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

// Close ends the server, with all that it shows.
func (s *Server) Close() error { return s.conn.Close() }

func (s *Server) notify(app string, replaces uint32, _, title, body string, actions []string, hints map[string]dbus.Variant, expires int32) (uint32, *dbus.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	was, known := s.shown[replaces]
	if !known {
		s.last++
		was.ID = s.last
	}
	n := Notification{ID: was.ID, Times: was.Times + 1, App: app, Title: title, Body: body, Actions: actions, Hints: map[string]any{}, Expires: expires}
	for key, value := range hints {
		n.Hints[key] = value.Value()
	}
	s.shown[n.ID] = n
	s.tell()
	return n.ID, nil
}

func (s *Server) withdraw(id uint32) *dbus.Error { return s.close(id, 3) }

// Dismiss takes a notification away, as a user does.
func (s *Server) Dismiss(id uint32) { _ = s.close(id, 2) }

// Invoke clicks a button of a notification, or the notification itself, which
// is called "default". It goes away by that.
func (s *Server) Invoke(id uint32, action string) {
	_ = s.conn.Emit(path, name+".ActivationToken", id, Token(id))
	_ = s.conn.Emit(path, name+".ActionInvoked", id, action)
	_ = s.close(id, 2)
}

// Token is the token that a click on a notification comes with.
func Token(id uint32) string { return fmt.Sprintf("notifytest-%d", id) }

func (s *Server) close(id uint32, reason uint32) *dbus.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.shown[id]; !known {
		return dbus.NewError(name+".Error.InvalidId", nil)
	}
	delete(s.shown, id)
	s.tell()
	_ = s.conn.Emit(path, name+".NotificationClosed", id, reason)
	return nil
}

func (s *Server) tell() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// Wait returns what is shown, oldest first, once that is as the test wants it. It
// returns what there is when ctx ends first.
func (s *Server) Wait(ctx context.Context, is func([]Notification) bool) ([]Notification, bool) {
	for {
		s.mu.Lock()
		shown := slices.SortedFunc(maps.Values(s.shown), func(a, b Notification) int { return int(a.ID) - int(b.ID) })
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
