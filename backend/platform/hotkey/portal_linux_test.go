package hotkey

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/sessionbus"
	"github.com/voxpilot/voxpilot/internal/traytest"
)

// fakePortal is a desktop portal with global shortcuts.
type fakePortal struct {
	t    *testing.T
	conn *dbus.Conn

	mu       sync.Mutex
	refuse   uint32 // the response code for the next binding
	sessions []dbus.ObjectPath
	closed   []dbus.ObjectPath
	bound    chan string // the triggers
	dumpable []int       // PR_GET_DUMPABLE of the caller, which is this process, at its first call
}

func useWayland(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	traytest.Bus(t)
	t.Setenv("WAYLAND_DISPLAY", "wayland-0")
}

func newPortal(t *testing.T) *fakePortal {
	t.Helper()
	conn, err := sessionbus.Connect()
	if err != nil {
		t.Fatal(err)
	}
	p := &fakePortal{t: t, conn: conn, bound: make(chan string, 100)}
	t.Cleanup(func() { _ = conn.Close() }) // a test may have closed it
	for iface, methods := range map[string]map[string]any{
		portalShortcuts: {"CreateSession": p.create, "BindShortcuts": p.bind},
		"org.freedesktop.DBus.Properties": {"Get": func(string, string) (dbus.Variant, *dbus.Error) {
			shown, _ := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0)
			p.mu.Lock()
			p.dumpable = append(p.dumpable, shown)
			p.mu.Unlock()
			return dbus.MakeVariant(uint32(1)), nil
		}},
	} {
		if err := conn.ExportMethodTable(methods, portalPath, iface); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := conn.RequestName(portalName, 0); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *fakePortal) respond(sender dbus.Sender, options map[string]dbus.Variant, code uint32, results map[string]dbus.Variant) dbus.ObjectPath {
	token, _ := options["handle_token"].Value().(string)
	path := portalPath + "/request/" + dbus.ObjectPath(strings.ReplaceAll(strings.TrimPrefix(string(sender), ":"), ".", "_")+"/"+token)
	_ = p.conn.Emit(path, portalRequest+".Response", code, results) // before the call returns, which clients must support
	return path
}

func (p *fakePortal) create(sender dbus.Sender, options map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	token, _ := options["session_handle_token"].Value().(string)
	session := portalPath + "/session/" + dbus.ObjectPath(token)
	p.sessions = append(p.sessions, session)
	_ = p.conn.ExportMethodTable(map[string]any{"Close": func() *dbus.Error {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.closed = append(p.closed, session)
		return nil
	}}, session, portalSession)
	return p.respond(sender, options, 0, map[string]dbus.Variant{"session_handle": dbus.MakeVariant(string(session))}), nil
}

func (p *fakePortal) bind(sender dbus.Sender, _ dbus.ObjectPath, shortcuts []struct {
	ID    string
	About map[string]dbus.Variant
}, _ string, options map[string]dbus.Variant,
) (dbus.ObjectPath, *dbus.Error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	trigger, _ := shortcuts[0].About["preferred_trigger"].Value().(string)
	defer func() { p.bound <- trigger }()
	if p.refuse != 0 {
		return p.respond(sender, options, p.refuse, map[string]dbus.Variant{}), nil
	}
	shortcuts[0].About = map[string]dbus.Variant{"trigger_description": dbus.MakeVariant("Press " + trigger)}
	return p.respond(sender, options, 0, map[string]dbus.Variant{"shortcuts": dbus.MakeVariant(shortcuts)}), nil
}

func (p *fakePortal) press(session dbus.ObjectPath, id string) {
	p.t.Helper()
	if err := p.conn.Emit(portalPath, portalShortcuts+".Activated", session, id, uint64(1), map[string]dbus.Variant{}); err != nil {
		p.t.Fatal(err)
	}
}

func (p *fakePortal) session(n int) dbus.ObjectPath {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sessions[n]
}

func TestPortal_SeesNonDumpableProgram(t *testing.T) {
	useWayland(t)
	p := newPortal(t)
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Prctl(unix.PR_SET_DUMPABLE, 1, 0, 0, 0) })
	d := newEnv(t)
	d.Set("Ctrl+Shift+Space")
	d.waitForState(backend.ShortcutActive, "Press CTRL+SHIFT+space")
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Equal(p.dumpable, []int{1}) {
		t.Errorf("the portal found PR_GET_DUMPABLE at %v, want once 1", p.dumpable)
	}
	if shown, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0); err != nil || shown != 0 {
		t.Errorf("the program is shown afterward: %d, %v", shown, err)
	}
}

func TestPortal_BindsShortcutOnWayland(t *testing.T) {
	useWayland(t)
	p := newPortal(t)
	d := newEnv(t)
	d.Set("Ctrl+Shift+Space")
	d.waitForState(backend.ShortcutActive, "Press CTRL+SHIFT+space")
	p.press(p.session(0), "another")
	p.press("/another/session", shortcutID)
	p.press(p.session(0), shortcutID)
	d.waitForPress()
	if n := len(d.pressed); n > 0 {
		t.Errorf("what is another's was heard, %d times", n)
	}

	p.mu.Lock()
	p.refuse = 1
	p.mu.Unlock()
	d.Set("Ctrl+Alt+V")
	if s := d.waitForState(backend.ShortcutUnsupported, "Ctrl+Alt+V"); !strings.Contains(s.Message.String(), "was declined") || !strings.HasSuffix(s.Message.String(), "Ctrl+Shift+Space still works.") {
		t.Errorf("it says %q", s.Message)
	}
	p.press(p.session(0), shortcutID)
	d.waitForPress()

	p.mu.Lock()
	p.refuse = 0
	p.mu.Unlock()
	d.Set("Ctrl+Alt+V")
	d.waitForState(backend.ShortcutActive, "Press CTRL+ALT+v")
	p.press(p.session(0), shortcutID)
	p.press(p.session(2), shortcutID)
	d.waitForPress()
	d.Set("")
	d.waitForState(backend.ShortcutOff, "")
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.closed) != 3 || len(d.pressed) > 0 {
		t.Errorf("of %v sessions %v were closed; %d presses of one that is gone", p.sessions, p.closed, len(d.pressed))
	}
}

func TestPortal_RebindsAfterRestart(t *testing.T) {
	useWayland(t)
	first := newPortal(t)
	d := newEnv(t)
	d.Set("Ctrl+Shift+Space")
	d.waitForState(backend.ShortcutActive, "Press CTRL+SHIFT+space")
	if err := first.conn.Close(); err != nil {
		t.Fatal(err)
	}
	second := newPortal(t)
	select {
	case <-second.bound:
	case <-time.After(patience):
		t.Fatal("the new portal was never asked")
	}
	d.Set("Ctrl+Alt+V")
	d.waitForState(backend.ShortcutActive, "Press CTRL+ALT+v")
	second.press(second.session(1), shortcutID)
	d.waitForPress()
}

func TestPortal_MissingOffersCommand(t *testing.T) {
	useWayland(t)
	d := newEnv(t)
	d.Set("Ctrl+Shift+Space")
	if s := d.waitForState(backend.ShortcutUnsupported, "Ctrl+Shift+Space"); s.Command != "voxpilot quick" || s.Message != errNoPortal.why {
		t.Errorf("it says %+v", s)
	}
}
