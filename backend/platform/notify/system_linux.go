package notify

import (
	"context"
	"errors"
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

// Names from the Desktop Notifications Specification.
const (
	serverName = "org.freedesktop.Notifications"
	serverPath = dbus.ObjectPath("/org/freedesktop/Notifications")
	appID      = "io.github.voxpilot.VoxPilot" // name of the desktop entry and of its icon
)

// serverTime is the time limit for a call to the notification server, which may have to be started first. Tests change
// the limit.
var serverTime = 10 * time.Second

// errLate means that the server didn't answer within serverTime.
var errLate = backend.Problem("the notification service didn't answer in time")

// Reasons why there are no notifications.
var (
	whyNoBus    = backend.Say("Notifications need a D-Bus session, and this desktop has none.")
	whyNoServer = backend.Say("This desktop has no notification service. Install one, such as dunst or mako.")
)

// server shows notices through the desktop's notification server.
type server struct {
	callbacks callbacks
	log       *slog.Logger
	conn      *dbus.Conn
	object    dbus.BusObject
	signals   chan *dbus.Signal
	done      chan struct{}
	life      context.Context // ends with close
	end       context.CancelFunc
	tasks     sync.WaitGroup

	mu           sync.Mutex        // held during calls, so that their results precede the resulting signals
	capabilities []string          // the server's capabilities; nil if there is no server
	ids          map[string]uint32 // the server's IDs of the visible notices, by key
	keys         map[uint32]ref    // the visible notices, by the server's ID
	late         map[string]int    // serials of the notices for which the server didn't answer in time, by key
}

// ref identifies the notice that belongs to a notification ID of the server.
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
		signals: make(chan *dbus.Signal, 64), done: make(chan struct{}), ids: map[string]uint32{}, keys: map[uint32]ref{}, late: map[string]int{},
	}
	s.life, s.end = context.WithCancel(context.Background())
	conn.Signal(s.signals)
	for _, match := range [][]dbus.MatchOption{
		{dbus.WithMatchSender(serverName), dbus.WithMatchInterface(serverName), dbus.WithMatchObjectPath(serverPath)},
		{dbus.WithMatchSender("org.freedesktop.DBus"), dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, serverName)},
	} {
		if err := conn.AddMatchSignal(match...); err != nil {
			log.Warn("couldn't subscribe to the notification service", "err", err)
		}
	}
	s.queryServer()
	go s.read()
	return s
}

// queryServer determines the server's capabilities. It reports to callbacks.available whether the server can show
// notices, and whether these can have buttons. If the server doesn't answer in time, queryServer tries again in the
// background.
func (s *server) queryServer() {
	ctx, cancel := context.WithTimeout(s.life, serverTime)
	defer cancel()
	can, why := []string{}, backend.Message{}
	if err := s.object.CallWithContext(ctx, serverName+".GetCapabilities", 0).Store(&can); err != nil {
		can, why = nil, whyNoServer
	}
	if can == nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		s.tasks.Go(s.queryServer)
	}
	s.mu.Lock()
	s.capabilities = can
	s.mu.Unlock()
	s.callbacks.available(why, slices.Contains(can, "actions"))
}

func (s *server) close() {
	s.end()
	_ = s.conn.Close() // also ends the signals
	<-s.done
	s.tasks.Wait()
}

func (s *server) read() {
	defer close(s.done)
	// The activation token sent ahead of a click, and the ID of its notification.
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
					token = "" // belongs to another notification
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

// ended removes a notice that was closed or clicked, and returns it. ours is false if id isn't the ID of one of
// VoxPilot's notices.
func (s *server) ended(id uint32) (of ref, ours bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if of, ours = s.keys[id]; ours {
		delete(s.keys, id)
		delete(s.ids, of.key)
	}
	return of, ours
}

// restarted removes and returns all notices. It is called when the server exits or another one replaces it, because a
// new server reuses the notification IDs.
func (s *server) restarted() []ref {
	s.mu.Lock()
	defer s.mu.Unlock()
	lost := slices.Collect(maps.Values(s.keys))
	clear(s.ids)
	clear(s.keys)
	clear(s.late)
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
		// The server shows only one line, which it may truncate. So there are no buttons that answer a
		// request.
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
	expires := int32(-1) // server's default
	if n.IsPersistent {
		expires = 0 // never
	}
	delete(s.late, n.Key)
	var id uint32
	answered := make(chan error, 1)
	replaces := s.ids[n.Key]
	s.tasks.Go(func() {
		answered <- s.object.CallWithContext(s.life, serverName+".Notify", 0, "VoxPilot", replaces, appID, title, body, actions, hints, expires).Store(&id)
	})
	late := time.NewTimer(serverTime)
	defer late.Stop()
	select {
	case err := <-answered:
		if err == nil {
			s.record(n, id)
		}
		return err
	case <-late.C:
		s.late[n.Key] = n.serial
		s.tasks.Go(func() {
			if err := <-answered; err == nil {
				s.recordLate(n, id)
			}
		})
		return errLate
	}
}

// record stores id as the server's ID for the notice. The caller must hold s.mu.
func (s *server) record(n Notice, id uint32) {
	delete(s.keys, s.ids[n.Key])
	s.ids[n.Key], s.keys[id] = id, ref{n.Key, n.serial}
}

// recordLate records a notification for which the server answered after serverTime, which means that the server shows
// it after all. If the notice was withdrawn or shown again in the meantime, recordLate instead closes the notification.
func (s *server) recordLate(n Notice, id uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.late[n.Key] == n.serial {
		delete(s.late, n.Key)
		s.record(n, id)
	} else if s.ids[n.Key] != id {
		s.closeID(id)
	}
}

func (s *server) limits() textLimits { return 0 }

func (s *server) withdraw(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.late, key)
	id, ok := s.ids[key]
	if !ok {
		return
	}
	delete(s.ids, key)
	delete(s.keys, id)
	s.closeID(id)
}

// closeID closes a notification of the server.
func (s *server) closeID(id uint32) {
	ctx, cancel := context.WithTimeout(context.Background(), serverTime)
	defer cancel()
	if err := s.object.CallWithContext(ctx, serverName+".CloseNotification", 0, id).Err; err != nil {
		s.log.Debug("a notification was already closed", "err", err)
	}
}
