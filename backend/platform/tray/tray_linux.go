package tray

import (
	"context"
	"log/slog"
	"maps"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/introspect"

	"github.com/voxpilot/voxpilot/internal/sessionbus"
)

// Names from the StatusNotifierItem specification. The desktop's watcher registers all
// items, and a host draws them.
const (
	itemPath    = dbus.ObjectPath("/StatusNotifierItem")
	itemName    = "org.kde.StatusNotifierItem"
	menuPath    = dbus.ObjectPath("/StatusNotifierItem/Menu")
	menuName    = "com.canonical.dbusmenu"
	watcherPath = dbus.ObjectPath("/StatusNotifierWatcher")
	watcherName = "org.kde.StatusNotifierWatcher"
)

// answerTime is the time limit for a response from the desktop.
const answerTime = 10 * time.Second

// sni is a StatusNotifierItem, an item in the desktop's tray. It has its own bus connection, so that closing the
// connection removes the icon immediately without other effects.
type sni struct {
	config Config
	themes string // the icon theme folder; "" if it couldn't be written
	conn   *dbus.Conn
	item   *object
	menu   *menu
	ctx    context.Context
	end    context.CancelFunc
	done   sync.WaitGroup
}

// noop is a tray that shows nothing, because there is no session bus or the icon couldn't be created.
type noop struct{}

func (noop) show(appearance) {}
func (noop) close()          {}

func start(c Config, first appearance) driver {
	conn, err := sessionbus.Connect()
	if err != nil {
		c.Log.Info("no tray: there is no session bus", "err", err)
		return noop{}
	}
	themes, err := writeDrawings(c.Dir)
	if err != nil {
		c.Log.Warn("couldn't write the tray icons as files; panels get pixels instead", "err", err)
	}
	s := &sni{config: c, themes: themes, conn: conn}
	s.ctx, s.end = context.WithCancel(context.Background())
	signals := make(chan *dbus.Signal, 16)
	conn.Signal(signals)
	if err := s.export(first); err != nil {
		c.Log.Warn("couldn't create the tray icon", "err", err)
		s.close()
		return noop{}
	}
	s.done.Go(func() { s.follow(signals) })
	return s
}

// export exports the item and its menu on the session bus, with first as the initial appearance.
func (s *sni) export(first appearance) error {
	s.menu = newMenu(s.conn, first.entries, s.config.Click)
	values := map[string]any{
		"Category":      "ApplicationStatus",
		"Id":            "voxpilot",
		"Title":         name,
		"WindowId":      int32(0),
		"IconThemePath": s.themes,
		"ItemIsMenu":    false,
		"Menu":          menuPath,
	}
	maps.Copy(values, s.itemProperties(first))
	methods := map[string]any{
		"Activate":          func(int32, int32) *dbus.Error { return s.click(Tap) },
		"SecondaryActivate": func(int32, int32) *dbus.Error { return s.click(QuickPrompt) },
		// The host shows the menu itself.
		"ContextMenu": func(int32, int32) *dbus.Error { return nil },
		"Scroll":      func(int32, string) *dbus.Error { return nil },
	}
	var err error
	s.item, err = exportObject(s.conn, itemPath, introspect.Interface{Name: itemName, Methods: itemMethods, Signals: itemSignals}, methods, values)
	if err != nil {
		return err
	}
	return s.menu.export()
}

var (
	position    = []introspect.Arg{in("x", "i"), in("y", "i")}
	itemMethods = []introspect.Method{
		{Name: "Activate", Args: position},
		{Name: "SecondaryActivate", Args: position},
		{Name: "ContextMenu", Args: position},
		{Name: "Scroll", Args: []introspect.Arg{in("delta", "i"), in("orientation", "s")}},
	}
	itemSignals = []introspect.Signal{
		{Name: "NewIcon"},
		{Name: "NewAttentionIcon"},
		{Name: "NewToolTip"},
		{Name: "NewStatus", Args: []introspect.Arg{{Name: "status", Type: "s"}}},
	}
)

// tooltip is the specification's tooltip: an icon name, icon pixels, a title and a description.
type tooltip struct {
	Icon   string
	Pixels []pixmap
	Title  string
	Text   string
}

// itemProperties returns the properties of the item that change with its appearance. An
// item that needs attention is shown even if the user hides most icons.
func (s *sni) itemProperties(f appearance) map[string]any {
	status, icon, pixels := "Active", "", pixmaps(f.shape)
	if f.shape == ShapeNeedsYou {
		status = "NeedsAttention"
	}
	if s.themes != "" {
		icon = drawing(f.shape)
	}
	return map[string]any{
		"Status":   status,
		"IconName": icon, "IconPixmap": pixels,
		"AttentionIconName": icon, "AttentionIconPixmap": pixels,
		"ToolTip": tooltip{Pixels: []pixmap{}, Title: f.tooltip},
	}
}

func (s *sni) show(f appearance) {
	s.menu.show(f.entries)
	look := s.itemProperties(f)
	s.item.change(look)
	for _, signal := range []string{"NewIcon", "NewAttentionIcon", "NewToolTip"} {
		s.emit(itemPath, itemName+"."+signal)
	}
	s.emit(itemPath, itemName+".NewStatus", look["Status"])
}

func (s *sni) emit(path dbus.ObjectPath, signal string, values ...any) {
	if err := s.conn.Emit(path, signal, values...); err != nil {
		s.config.Log.Debug("couldn't notify the tray of a change", "signal", signal, "err", err)
	}
}

func (s *sni) click(do Command) *dbus.Error {
	s.config.Click(Entry{Do: do})
	return nil
}

func (s *sni) close() {
	s.end()
	if err := s.conn.Close(); err != nil {
		s.config.Log.Debug("couldn't close the tray's connection", "err", err)
	}
	s.done.Wait()
}

// follow registers the item, and registers it again whenever the watcher is replaced, until the connection ends. It
// reports to Config.Hosted whether a host shows the item.
func (s *sni) follow(signals <-chan *dbus.Signal) {
	hosted := false
	tell := func(now bool) {
		if now != hosted {
			hosted = now
			s.config.Log.Info("tray state changed", "shown", hosted)
			s.config.Hosted(hosted)
		}
	}
	follow := [][]dbus.MatchOption{
		{dbus.WithMatchSender("org.freedesktop.DBus"), dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, watcherName)},
		{dbus.WithMatchInterface(watcherName), dbus.WithMatchMember("StatusNotifierHostRegistered")},
		{dbus.WithMatchInterface(watcherName), dbus.WithMatchMember("StatusNotifierHostUnregistered")},
	}
	for _, match := range follow {
		if err := s.conn.AddMatchSignalContext(s.ctx, match...); err != nil {
			s.config.Log.Warn("couldn't watch the tray", "err", err)
			return
		}
	}
	registered := s.register()
	tell(registered && s.hasHost())
	for signal := range signals { // closed with the connection
		switch signal.Name {
		case "org.freedesktop.DBus.NameOwnerChanged":
			if len(signal.Body) != 3 || signal.Body[0] != watcherName {
				continue
			}
			registered = signal.Body[2] != "" && s.register()
		case watcherName + ".StatusNotifierHostRegistered", watcherName + ".StatusNotifierHostUnregistered":
		default:
			continue
		}
		tell(registered && s.hasHost())
	}
	if s.ctx.Err() == nil { // the bus closed the connection
		tell(false)
	}
}

// register registers the item with the watcher, and reports whether a watcher accepted it.
func (s *sni) register() bool {
	ctx, cancel := context.WithTimeout(s.ctx, answerTime)
	defer cancel()
	call := s.conn.Object(watcherName, watcherPath).CallWithContext(ctx, watcherName+".RegisterStatusNotifierItem", dbus.FlagNoAutoStart, string(itemPath))
	if call.Err != nil {
		s.config.Log.Debug("no tray accepted the icon", slog.Any("err", call.Err))
	}
	return call.Err == nil
}

// hasHost reports whether the watcher has a host that draws items. It also returns true if the watcher doesn't respond.
func (s *sni) hasHost() bool {
	ctx, cancel := context.WithTimeout(s.ctx, answerTime)
	defer cancel()
	var there dbus.Variant
	err := s.conn.Object(watcherName, watcherPath).
		CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", dbus.FlagNoAutoStart, watcherName, "IsStatusNotifierHostRegistered").
		Store(&there)
	yes, isBool := there.Value().(bool)
	return err != nil || !isBool || yes
}
