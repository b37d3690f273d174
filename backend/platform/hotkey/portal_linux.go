package hotkey

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"
	"golang.org/x/sys/unix"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/sessionbus"
)

// Names used by the desktop portal (XDG Desktop Portal, GlobalShortcuts).
const (
	portalName      = "org.freedesktop.portal.Desktop"
	portalPath      = dbus.ObjectPath("/org/freedesktop/portal/desktop")
	portalShortcuts = "org.freedesktop.portal.GlobalShortcuts"
	portalRequest   = "org.freedesktop.portal.Request"
	portalSession   = "org.freedesktop.portal.Session"
	portalRegistry  = "org.freedesktop.host.portal.Registry"
	appID           = "io.github.voxpilot.VoxPilot"
	shortcutID      = "quick-prompt"
)

// portalTime is the time limit for calls that don't involve the user. askTime is the
// time limit for calls in which the desktop asks the user about a new shortcut.
const (
	portalTime = 10 * time.Second
	askTime    = 10 * time.Minute
)

// portal registers keys with the desktop portal. The desktop chooses the final keys and
// may ask the user.
type portal struct {
	conn    *dbus.Conn
	object  dbus.BusObject
	pressed func()
	signals chan *dbus.Signal
	done    chan struct{}

	mu      sync.Mutex
	session dbus.ObjectPath                   // in which the current shortcut is bound
	pending map[dbus.ObjectPath]chan response // channels for the responses, by request path
}

// response is the portal's asynchronous response to a request.
type response struct {
	code    uint32 // 0 means success, and 1 that the user canceled
	results map[string]dbus.Variant
}

// errNoPortal is the error for a desktop without a usable portal.
var errNoPortal = unsupportedError{backend.Say("VoxPilot can't register a global shortcut on this Wayland desktop. In the desktop's keyboard settings, assign a shortcut to VoxPilot's command.")}

func openPortal(pressed, lost func()) (system, error) {
	conn, err := sessionbus.Connect()
	if err != nil {
		return nil, errNoPortal
	}
	p := &portal{
		conn: conn, object: conn.Object(portalName, portalPath), pressed: pressed,
		signals: make(chan *dbus.Signal, 64), done: make(chan struct{}), pending: map[dbus.ObjectPath]chan response{},
	}
	conn.Signal(p.signals)
	go p.read(lost)
	ctx, cancel := context.WithTimeout(context.Background(), portalTime)
	defer cancel()
	hide := showProgram()
	defer hide()
	// Unsandboxed programs identify themselves with this call, if the desktop supports it.
	_ = p.object.CallWithContext(ctx, portalRegistry+".Register", 0, appID, map[string]dbus.Variant{}).Err
	var version dbus.Variant
	err = p.object.CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", 0, portalShortcuts, "version").Store(&version)
	for _, match := range [][]dbus.MatchOption{
		{dbus.WithMatchSender(portalName), dbus.WithMatchInterface(portalRequest), dbus.WithMatchMember("Response")},
		{dbus.WithMatchSender(portalName), dbus.WithMatchInterface(portalShortcuts), dbus.WithMatchMember("Activated")},
		{dbus.WithMatchSender("org.freedesktop.DBus"), dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, portalName)},
	} {
		if err == nil {
			err = conn.AddMatchSignalContext(ctx, match...)
		}
	}
	if err != nil {
		p.close()
		return nil, errNoPortal
	}
	return p, nil
}

// showProgram lets the user's other programs inspect this process until hide is called. The portal rejects
// first-time callers whose /proc/PID/root isn't readable, such as a process that protects its memory. For the rest
// of the connection, the portal caches the result of this check (see xdp-app-info.c in xdg-desktop-portal).
func showProgram() (hide func()) {
	if shown, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0); err != nil || shown != 0 {
		return func() {}
	}
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 1, 0, 0, 0)
	return func() { _ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) }
}

func (p *portal) close() {
	_ = p.conn.Close() // ends its sessions too
	<-p.done
}

func (p *portal) read(lost func()) {
	defer close(p.done)
	for s := range p.signals {
		switch s.Name {
		case portalRequest + ".Response":
			var answer response
			if dbus.Store(s.Body, &answer.code, &answer.results) == nil {
				p.answered(s.Path, answer)
			}
		case portalShortcuts + ".Activated":
			var session dbus.ObjectPath
			var id string
			if len(s.Body) >= 2 && dbus.Store(s.Body[:2], &session, &id) == nil && id == shortcutID && p.isOwnSession(session) {
				p.pressed()
			}
		case "org.freedesktop.DBus.NameOwnerChanged":
			var name, before, after string
			if dbus.Store(s.Body, &name, &before, &after) == nil && name == portalName && after != "" {
				lost() // the portal has restarted and lost its sessions
			}
		}
	}
}

func (p *portal) isOwnSession(session dbus.ObjectPath) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.session == session
}

func (p *portal) answered(path dbus.ObjectPath, answer response) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if wait, ok := p.pending[path]; ok {
		delete(p.pending, path)
		wait <- answer
	}
}

// take binds the keys in a new session of the portal, because each session can bind keys only once. It returns a
// function that closes that session, and the desktop's description of the keys, or "" if there is none.
func (p *portal) take(ctx context.Context, keys Combo) (release func(), called string, err error) {
	token := "voxpilot_" + backend.NewID()
	options := map[string]dbus.Variant{"session_handle_token": dbus.MakeVariant(token)}
	made, err := p.request(ctx, portalTime, portalShortcuts+".CreateSession", options)
	if err != nil {
		return nil, "", err
	}
	var handle string
	if err := made["session_handle"].Store(&handle); err != nil || !dbus.ObjectPath(handle).IsValid() {
		return nil, "", errNoPortal
	}
	session := dbus.ObjectPath(handle)
	release = func() {
		ctx, cancel := context.WithTimeout(context.Background(), portalTime)
		defer cancel()
		_ = p.conn.Object(portalName, session).CallWithContext(ctx, portalSession+".Close", 0).Err // it may be closed already
	}
	type shortcut struct {
		ID    string
		About map[string]dbus.Variant
	}
	bound, err := p.request(ctx, askTime, portalShortcuts+".BindShortcuts", map[string]dbus.Variant{}, session, []shortcut{{shortcutID, map[string]dbus.Variant{
		"description":       dbus.MakeVariant("Open the quick prompt"),
		"preferred_trigger": dbus.MakeVariant(trigger(keys)),
	}}}, "")
	var all []shortcut
	if err == nil && bound["shortcuts"].Store(&all) != nil {
		err = errNoPortal
	}
	if err == nil && len(all) == 0 {
		err = errInUse
	}
	if err != nil {
		release()
		return nil, "", err
	}
	p.mu.Lock()
	p.session = session
	p.mu.Unlock()
	_ = all[0].About["trigger_description"].Store(&called) // "" if the desktop sends none
	return release, called, nil
}

// request calls a method of the portal and waits for the response, which arrives as a signal. The options are
// passed to the method after args.
func (p *portal) request(ctx context.Context, within time.Duration, method string, options map[string]dbus.Variant, args ...any) (map[string]dbus.Variant, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	token := "voxpilot_" + backend.NewID()
	options["handle_token"] = dbus.MakeVariant(token)
	// The path is known before the call, so that a fast response isn't missed.
	path := dbus.ObjectPath(fmt.Sprintf("%s/request/%s/%s", portalPath, senderOf(p.conn), token))
	wait := make(chan response, 1)
	p.mu.Lock()
	p.pending[path] = wait
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.pending, path)
	}()
	if err := p.object.CallWithContext(ctx, method, 0, append(args, options)...).Err; err != nil {
		return nil, errNoPortal
	}
	select {
	case answer := <-wait:
		switch answer.code {
		case 0:
			return answer.results, nil
		case 1:
			return nil, unsupportedError{backend.Say("The shortcut was declined in your desktop's dialog. Try again, or assign a shortcut to VoxPilot's command in your desktop's keyboard settings.")}
		}
		return nil, errNoPortal
	case <-ctx.Done():
		return nil, unsupportedError{backend.Say("The desktop didn't respond. Try again, or assign a shortcut to VoxPilot's command in your desktop's keyboard settings.")}
	}
}

// senderOf returns the connection's bus name in the form that the paths of the portal's requests contain.
func senderOf(conn *dbus.Conn) string {
	name := []byte(conn.Names()[0])
	for i, c := range name {
		if c == '.' {
			name[i] = '_'
		}
	}
	return string(name[1:]) // without the colon
}

// trigger returns keys in the format of the portal (XDG shortcuts specification).
func trigger(k Combo) string {
	var text string
	for _, mod := range []struct {
		held bool
		name string
	}{{k.Ctrl, "CTRL+"}, {k.Alt, "ALT+"}, {k.Shift, "SHIFT+"}, {k.Super, "LOGO+"}} {
		if mod.held {
			text += mod.name
		}
	}
	switch {
	case k.Key == "Space":
		return text + "space"
	case k.Key == "PageUp":
		return text + "Page_Up"
	case k.Key == "PageDown":
		return text + "Page_Down"
	case len(k.Key) == 1 && k.Key[0] >= 'A':
		return text + string(k.Key[0]-'A'+'a')
	}
	return text + k.Key
}
