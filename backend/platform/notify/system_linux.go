package notify

import (
	"context"
	"html"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/sessionbus"
)

// The names of the Desktop Notifications Specification.
const (
	serverName = "org.freedesktop.Notifications"
	serverPath = dbus.ObjectPath("/org/freedesktop/Notifications")
	appID      = "io.github.voxpilot.VoxPilot" // of the desktop entry, and its icon
)

// serverTime bounds each call; a server may have to be started first.
const serverTime = 10 * time.Second

// Why there are no notifications.
var (
	whyNoBus    = backend.Say("Notifications need a D-Bus session, and this desktop has none.")
	whyNoServer = backend.Say("This desktop has no notification service. Install one, such as dunst or mako.")
)

// server shows notices by the notification server of the desktop.
type server struct {
	callbacks callbacks
	log       *slog.Logger
	conn      *dbus.Conn
	object    dbus.BusObject
	signals   chan *dbus.Signal
	done      chan struct{}

	mu           sync.Mutex // held while the server is called: its answer comes before what it signals
	capabilities []string   // its capabilities; nil where there is no server
	ids          map[string]uint32
	keys         map[uint32]ref
}

// ref is the notice that a server's number stands for.
type ref struct {
	key    string
	serial int
}

func open(h callbacks, log *slog.Logger) system {
	conn, err := sessionbus.Connect()
	if err != nil {
		h.available(whyNoBus, false)
		return noop{}
	}
	s := &server{
		callbacks: h, log: log, conn: conn, object: conn.Object(serverName, serverPath),
		signals: make(chan *dbus.Signal, 64), done: make(chan struct{}), ids: map[string]uint32{}, keys: map[uint32]ref{},
	}
	conn.Signal(s.signals)
	for _, match := range [][]dbus.MatchOption{
		{dbus.WithMatchSender(serverName), dbus.WithMatchInterface(serverName), dbus.WithMatchObjectPath(serverPath)},
		{dbus.WithMatchSender("org.freedesktop.DBus"), dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, serverName)},
	} {
		if err := conn.AddMatchSignal(match...); err != nil {
			log.Warn("the notification service cannot be listened to", "err", err)
		}
	}
	s.queryServer()
	go s.read()
	return s
}

// queryServer finds out what the server can do.
func (s *server) queryServer() {
	ctx, cancel := context.WithTimeout(context.Background(), serverTime)
	defer cancel()
	can, why := []string{}, backend.Message{}
	if err := s.object.CallWithContext(ctx, serverName+".GetCapabilities", 0).Store(&can); err != nil {
		can, why = nil, whyNoServer
	}
	s.mu.Lock()
	s.capabilities = can
	s.mu.Unlock()
	s.callbacks.available(why, slices.Contains(can, "actions"))
}

func (s *server) close() {
	_ = s.conn.Close() // ends the signals
	<-s.done
}

func (s *server) read() {
	defer close(s.done)
	// What came ahead of a click, and of which: the desktop's leave to bring a window
	// to the front.
	var clicked uint32
	var token string
	for signal := range s.signals {
		switch signal.Name {
		case serverName + ".ActivationToken":
			if dbus.Store(signal.Body, &clicked, &token) != nil {
				clicked, token = 0, ""
			}
		case serverName + ".ActionInvoked":
			var id uint32
			var action string
			if dbus.Store(signal.Body, &id, &action) == nil {
				if id != clicked {
					token = "" // of another one
				}
				if of, ours := s.ended(id); ours {
					s.callbacks.acted(of.key, of.serial, action, token)
				}
				clicked, token = 0, ""
			}
		case serverName + ".NotificationClosed":
			var id, reason uint32
			if dbus.Store(signal.Body, &id, &reason) == nil {
				if of, ours := s.ended(id); ours {
					s.callbacks.closed(of.key, of.serial)
				}
			}
		case "org.freedesktop.DBus.NameOwnerChanged":
			for _, of := range s.restarted() {
				s.callbacks.closed(of.key, of.serial)
			}
			s.queryServer()
		}
	}
}

// ended forgets a notice that is gone; one that was clicked is, too.
func (s *server) ended(id uint32) (of ref, ours bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if of, ours = s.keys[id]; ours {
		delete(s.keys, id)
		delete(s.ids, of.key)
	}
	return of, ours
}

// restarted forgets what a server showed that is no more: a new one counts from
// the beginning.
func (s *server) restarted() []ref {
	s.mu.Lock()
	defer s.mu.Unlock()
	lost := slices.Collect(maps.Values(s.keys))
	clear(s.ids)
	clear(s.keys)
	return lost
}

func (s *server) show(n Notice) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.capabilities == nil {
		return errNoService
	}
	title, body := n.Title, n.Body
	answers := n.Actions
	switch {
	case !slices.Contains(s.capabilities, "body"):
		// One line is all there is, and what is cut there is not seen.
		title, body, answers = title+": "+body, "", nil
	case slices.Contains(s.capabilities, "body-markup"):
		body = html.EscapeString(body)
	}
	actions := []string{}
	if slices.Contains(s.capabilities, "actions") {
		actions = append(actions, actionOpen, n.Open)
		for _, a := range answers {
			actions = append(actions, a.ID, a.Label)
		}
		if len(answers) == 0 && n.IsPersistent {
			actions = append(actions, "open", n.Open)
		}
	}
	hints := map[string]dbus.Variant{
		"desktop-entry": dbus.MakeVariant(appID),
		"urgency":       dbus.MakeVariant(byte(1)),
	}
	expires := int32(-1) // as the server likes
	if n.IsPersistent {
		expires = 0 // never
	}
	ctx, cancel := context.WithTimeout(context.Background(), serverTime)
	defer cancel()
	var id uint32
	if err := s.object.CallWithContext(ctx, serverName+".Notify", 0,
		"VoxPilot", s.ids[n.Key], appID, title, body, actions, hints, expires).Store(&id); err != nil {
		return err
	}
	delete(s.keys, s.ids[n.Key])
	s.ids[n.Key], s.keys[id] = id, ref{n.Key, n.serial}
	return nil
}

func (s *server) limits() textLimits { return 0 }

func (s *server) withdraw(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, ok := s.ids[key]
	if !ok {
		return
	}
	delete(s.ids, key)
	delete(s.keys, id)
	ctx, cancel := context.WithTimeout(context.Background(), serverTime)
	defer cancel()
	if err := s.object.CallWithContext(ctx, serverName+".CloseNotification", 0, id).Err; err != nil {
		s.log.Debug("a notification was gone already", "err", err)
	}
}
