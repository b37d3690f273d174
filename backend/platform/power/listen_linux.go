package power

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"sync"
	"syscall"

	"github.com/godbus/dbus/v5"
	"golang.org/x/sys/unix"
)

const (
	logind  = "org.freedesktop.login1"
	manager = logind + ".Manager"
	session = logind + ".Session"
	network = "org.freedesktop.NetworkManager"
	names   = "org.freedesktop.DBus"
)

// listen reports signals from logind and NetworkManager on the system bus, and address
// changes from the kernel, until ctx ends.
func listen(ctx context.Context, tell func(eventKind), log *slog.Logger) {
	var all sync.WaitGroup
	all.Go(func() { listenToKernel(ctx, tell, log) })
	defer all.Wait()
	bus, err := dbus.ConnectSystemBus(dbus.WithContext(ctx), dbus.WithSignalHandler(dbus.NewSequentialSignalHandler()))
	if err != nil {
		log.Debug("no system bus; detecting sleep by comparing clocks", "err", err)
		return
	}
	defer bus.Close()
	l := &login{bus: bus, object: bus.Object(logind, "/org/freedesktop/login1"), log: log, report: tell, owners: map[string]string{}}
	signals := make(chan *dbus.Signal, 16)
	bus.Signal(signals)
	for _, match := range [][]dbus.MatchOption{
		{dbus.WithMatchInterface(manager), dbus.WithMatchSender(logind)},
		{dbus.WithMatchInterface("org.freedesktop.DBus.Properties"), dbus.WithMatchSender(logind), dbus.WithMatchArg(0, session)},
		{dbus.WithMatchInterface(network), dbus.WithMatchSender(network), dbus.WithMatchMember("StateChanged")},
		// The services can start later or restart.
		{dbus.WithMatchInterface(names), dbus.WithMatchSender(names), dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, logind)},
		{dbus.WithMatchInterface(names), dbus.WithMatchSender(names), dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, network)},
	} {
		if err := bus.AddMatchSignal(match...); err != nil {
			log.Debug("couldn't subscribe to the system bus", "err", err)
			return
		}
	}
	for _, name := range []string{logind, network} {
		var owner string
		if bus.BusObject().Call(names+".GetNameOwner", 0, name).Store(&owner) == nil {
			l.owners[name] = owner
		}
	}
	l.connect()
	defer l.release()
	for {
		select {
		case <-ctx.Done():
			return
		case s, ok := <-signals:
			if !ok { // the bus connection is closed
				return
			}
			l.handle(s)
		}
	}
}

// login receives logind's signals and holds inhibitor locks, which make logind delay sleep and shutdown.
type login struct {
	bus      *dbus.Conn
	object   dbus.BusObject
	log      *slog.Logger
	report   func(eventKind)
	owners   map[string]string // owners of the observed names; signals from other senders are ignored
	session  dbus.ObjectPath   // the user's session
	sleep    int               // file descriptor of the inhibitor lock that delays sleep, or 0
	shutdown int               // file descriptor of the inhibitor lock that delays shutdown, or 0
	isLocked bool              // the screen is locked
}

// connect takes the inhibitor locks for sleep and shutdown, and determines the user's session.
func (l *login) connect() {
	l.release()
	l.sleep, l.shutdown = l.inhibit("sleep"), l.inhibit("shutdown")
	l.session = l.own()
}

func (l *login) own() (path dbus.ObjectPath) {
	if l.object.Call(manager+".GetSessionByPID", 0, uint32(os.Getpid())).Store(&path) == nil {
		return path
	}
	if id := os.Getenv("XDG_SESSION_ID"); id != "" && l.object.Call(manager+".GetSession", 0, id).Store(&path) == nil {
		return path
	}
	// Processes started by the user's systemd belong to no session; use the user's graphical session.
	display, err := l.bus.Object(logind, "/org/freedesktop/login1/user/self").GetProperty(logind + ".User.Display")
	if err != nil {
		return ""
	}
	if parts, ok := display.Value().([]any); ok && len(parts) == 2 {
		path, _ = parts[1].(dbus.ObjectPath)
	}
	return path
}

func (l *login) inhibit(what string) int {
	var fd dbus.UnixFD
	err := l.object.Call(manager+".Inhibit", 0, what, "VoxPilot", "Chats are being saved", "delay").Store(&fd)
	if err != nil {
		l.log.Debug("couldn't delay sleep or shutdown to save chats", "before", what, "err", err)
		return 0
	}
	syscall.CloseOnExec(int(fd))
	return int(fd)
}

// closeInhibitor releases an inhibitor lock.
func closeInhibitor(fd *int) {
	if *fd > 0 {
		_ = unix.Close(*fd)
	}
	*fd = 0
}

func (l *login) release() {
	closeInhibitor(&l.sleep)
	closeInhibitor(&l.shutdown)
}

// handle processes a signal if its sender is the expected one. The sender must be checked because match rules filter
// only broadcasts: any process can send a signal directly to this one.
func (l *login) handle(s *dbus.Signal) {
	from := logind
	switch s.Name {
	case network + ".StateChanged":
		from = network
	case names + ".NameOwnerChanged":
		if len(s.Body) == 3 && s.Sender == names {
			l.owned(s.Body[0], s.Body[2])
		}
		return
	}
	if s.Sender == "" || s.Sender != l.owners[from] {
		return
	}
	switch s.Name {
	case manager + ".PrepareForSleep":
		if isStarting(s) {
			l.report(sleepStarts)
			closeInhibitor(&l.sleep)
			return
		}
		l.report(woke)
		closeInhibitor(&l.sleep)
		l.sleep = l.inhibit("sleep")
	case manager + ".PrepareForShutdown":
		if isStarting(s) {
			l.report(shutdownStarts)
			closeInhibitor(&l.shutdown)
			return
		}
		l.shutdown = l.inhibit("shutdown") // it was canceled
	case "org.freedesktop.DBus.Properties.PropertiesChanged":
		l.changed(s)
	case network + ".StateChanged":
		// 70 is NM_STATE_CONNECTED_GLOBAL, which is also reached after signing in to a captive portal.
		if state, ok := first[uint32](s); ok && state == 70 {
			l.report(connected)
		}
	}
}

// owned records the new owner of a bus name. If logind has restarted, owned connects to it again.
func (l *login) owned(name, owner any) {
	of, known := name.(string)
	by, isName := owner.(string)
	if !known || !isName {
		return
	}
	l.owners[of] = by
	if of == logind && by != "" {
		l.connect()
	}
}

// changed processes a change to the session's properties and reports when the screen is unlocked.
func (l *login) changed(s *dbus.Signal) {
	if s.Path != l.session || len(s.Body) < 2 {
		return
	}
	properties, _ := s.Body[1].(map[string]dbus.Variant)
	locked, ok := properties["LockedHint"].Value().(bool)
	if !ok {
		return
	}
	if l.isLocked && !locked {
		l.report(unlocked)
	}
	l.isLocked = locked
}

func isStarting(s *dbus.Signal) bool {
	is, ok := first[bool](s)
	return ok && is
}

func first[T any](s *dbus.Signal) (v T, ok bool) {
	if len(s.Body) > 0 {
		v, ok = s.Body[0].(T)
	}
	return v, ok
}

// listenToKernel reports changes to the computer's addresses and routes until ctx ends.
func listenToKernel(ctx context.Context, tell func(eventKind), log *slog.Logger) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, unix.NETLINK_ROUTE)
	if err == nil {
		groups := uint32(unix.RTMGRP_IPV4_IFADDR | unix.RTMGRP_IPV6_IFADDR | unix.RTMGRP_IPV4_ROUTE | unix.RTMGRP_IPV6_ROUTE)
		if err = unix.Bind(fd, &unix.SockaddrNetlink{Family: unix.AF_NETLINK, Groups: groups}); err != nil {
			_ = unix.Close(fd)
		}
	}
	if err != nil {
		log.Debug("couldn't subscribe to the kernel's network events", "err", err)
		return
	}
	socket := os.NewFile(uintptr(fd), "netlink")
	defer context.AfterFunc(ctx, func() { _ = socket.Close() })()
	defer socket.Close()
	buf := make([]byte, 1<<16)
	for {
		// ENOBUFS means that events were lost because the buffer was full.
		if _, err := socket.Read(buf); err != nil && !errors.Is(err, unix.ENOBUFS) || ctx.Err() != nil {
			return
		}
		tell(addressChanged)
	}
}
