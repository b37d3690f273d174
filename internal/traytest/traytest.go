//go:build linux

// Package traytest is a system tray for tests, like those of Linux desktops: a watcher
// that items register with, and a client that reads their state and clicks them. It
// runs on a separate D-Bus session bus.
package traytest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/voxpilot/voxpilot/internal/need"
)

const (
	watcherName = "org.kde.StatusNotifierWatcher"
	watcherPath = dbus.ObjectPath("/StatusNotifierWatcher")
	itemName    = "org.kde.StatusNotifierItem"
	menuName    = "com.canonical.dbusmenu"
)

// patience is the time limit for each wait.
const patience = time.Minute

// Tray is a system tray. In the terms of the StatusNotifierItem specification, it is a watcher with a host.
type Tray struct {
	conn *dbus.Conn

	mu      sync.Mutex
	hosted  bool
	items   []string // services with object paths
	changed chan struct{}
}

// Open starts a tray on the session bus. A bus can have only one tray.
func Open() (*Tray, error) {
	conn, err := dbus.ConnectSessionBus()
	if err != nil {
		return nil, err
	}
	t := &Tray{conn: conn, hosted: true, changed: make(chan struct{})}
	if err := t.serve(); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return t, nil
}

func (t *Tray) serve() error {
	methods := map[string]any{
		"RegisterStatusNotifierItem": t.register,
		"RegisterStatusNotifierHost": func(string) *dbus.Error { return nil },
	}
	if err := t.conn.ExportMethodTable(methods, watcherPath, watcherName); err != nil {
		return err
	}
	if err := t.conn.ExportMethodTable(map[string]any{"Get": t.get}, watcherPath, "org.freedesktop.DBus.Properties"); err != nil {
		return err
	}
	gone := make(chan *dbus.Signal, 16)
	t.conn.Signal(gone)
	if err := t.conn.AddMatchSignal(dbus.WithMatchSender("org.freedesktop.DBus"), dbus.WithMatchMember("NameOwnerChanged")); err != nil {
		return err
	}
	go t.follow(gone)
	reply, err := t.conn.RequestName(watcherName, dbus.NameFlagDoNotQueue)
	if err == nil && reply != dbus.RequestNameReplyPrimaryOwner {
		err = errors.New("this bus already has a tray")
	}
	return err
}

// get returns the value of a property of the watcher.
func (t *Tray) get(_, name string) (dbus.Variant, *dbus.Error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch name {
	case "RegisteredStatusNotifierItems":
		return dbus.MakeVariant(append([]string{}, t.items...)), nil
	case "IsStatusNotifierHostRegistered":
		return dbus.MakeVariant(t.hosted), nil
	case "ProtocolVersion":
		return dbus.MakeVariant(int32(0)), nil
	}
	return dbus.Variant{}, dbus.NewError("org.freedesktop.DBus.Error.UnknownProperty", nil)
}

func (t *Tray) register(item string, sender dbus.Sender) *dbus.Error {
	if strings.HasPrefix(item, "/") {
		item = string(sender) + item
	} else {
		item += "/StatusNotifierItem"
	}
	t.change(func() { t.items = append(t.items, item) })
	return nil
}

// follow removes the items of programs that have exited.
func (t *Tray) follow(signals <-chan *dbus.Signal) {
	for s := range signals {
		if len(s.Body) == 0 {
			continue
		}
		if name, ok := s.Body[0].(string); ok && len(s.Body) == 3 && s.Body[2] == "" {
			t.change(func() {
				t.items = slices.DeleteFunc(t.items, func(item string) bool { return strings.HasPrefix(item, name+"/") })
			})
		}
	}
}

func (t *Tray) change(change func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	change()
	close(t.changed)
	t.changed = make(chan struct{})
}

// SetHosted sets whether a host displays the items. Initially there is a host.
func (t *Tray) SetHosted(yes bool) error {
	t.change(func() { t.hosted = yes })
	signal := "StatusNotifierHostUnregistered"
	if yes {
		signal = "StatusNotifierHostRegistered"
	}
	return t.conn.Emit(watcherPath, watcherName+"."+signal)
}

// WaitForItem waits until there is exactly one item and returns it.
func (t *Tray) WaitForItem() (*Item, error) {
	var found string
	err := t.waitFor("one item", func() bool {
		if len(t.items) == 1 {
			found = t.items[0]
		}
		return len(t.items) == 1
	})
	if err != nil {
		return nil, err
	}
	return newItem(t.conn, found), nil
}

// WaitForEmpty waits until there are no items.
func (t *Tray) WaitForEmpty() error {
	return t.waitFor("no item", func() bool { return len(t.items) == 0 })
}

func (t *Tray) waitFor(what string, fact func() bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		t.mu.Lock()
		is, changed := fact(), t.changed
		t.mu.Unlock()
		if is {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("timed out waiting for %s in the tray", what)
		}
	}
}

// Close stops the tray the way a crash of the desktop's panel would.
func (t *Tray) Close() error { return t.conn.Close() }

// Item is a program's tray item.
type Item struct {
	conn    *dbus.Conn
	service string
	path    dbus.ObjectPath
	signals chan *dbus.Signal
}

// Look is the state of an item at the time when it was read.
type Look struct {
	ID, Title, Status, Tooltip string
	Icon                       string // icon name
	IconDir                    string
	Sizes                      []int32 // widths of its pixmaps
	Pixels                     []byte  // of the first pixmap
	Menu                       []Entry
}

// Entry is an entry in an item's menu.
type Entry struct {
	ID       int32  `json:"id"`
	Label    string `json:"label"` // as displayed; "" for a separator
	Disabled bool   `json:"disabled,omitempty"`
	Checked  bool   `json:"checked,omitempty"`
}

func newItem(conn *dbus.Conn, item string) *Item {
	service, path, _ := strings.Cut(item, "/")
	i := &Item{conn: conn, service: service, path: dbus.ObjectPath("/" + path), signals: make(chan *dbus.Signal, 64)}
	conn.Signal(i.signals)
	// Any signal means that the state might have changed.
	_ = conn.AddMatchSignal(dbus.WithMatchSender(service))
	return i
}

// NewestItem returns the newest item of the session bus's tray, which another program has opened.
func NewestItem() (*Item, error) {
	conn, err := dbus.SessionBus()
	if err != nil {
		return nil, err
	}
	value, err := conn.Object(watcherName, watcherPath).GetProperty(watcherName + ".RegisteredStatusNotifierItems")
	if err != nil {
		return nil, err
	}
	items, _ := value.Value().([]string)
	if len(items) == 0 {
		return nil, fmt.Errorf("the tray is empty")
	}
	return newItem(conn, items[len(items)-1]), nil
}

type picture struct {
	Width, Height int32
	Pixels        []byte
}

type layout struct {
	ID         int32
	Properties map[string]dbus.Variant
	Children   []dbus.Variant
}

// Look returns the current state of the item.
func (i *Item) Look() (l Look, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	item := i.conn.Object(i.service, i.path)
	var props map[string]dbus.Variant
	if err := item.CallWithContext(ctx, "org.freedesktop.DBus.Properties.GetAll", 0, itemName).Store(&props); err != nil {
		return l, err
	}
	var tip struct {
		Icon     string
		Pictures []picture
		Title    string
		Text     string
	}
	var pictures []picture
	var menu dbus.ObjectPath
	for name, into := range map[string]any{
		"Id": &l.ID, "Title": &l.Title, "Status": &l.Status, "ToolTip": &tip, "IconName": &l.Icon, "IconThemePath": &l.IconDir,
		"IconPixmap": &pictures, "Menu": &menu,
	} {
		if err := dbus.Store([]any{props[name].Value()}, into); err != nil {
			return l, fmt.Errorf("%s: %w", name, err)
		}
	}
	l.Tooltip = tip.Title
	for _, p := range pictures {
		if int32(len(p.Pixels)) != 4*p.Width*p.Height {
			return l, fmt.Errorf("a picture of %d by %d has %d bytes", p.Width, p.Height, len(p.Pixels))
		}
		l.Sizes = append(l.Sizes, p.Width)
	}
	if len(pictures) > 0 {
		l.Pixels = pictures[0].Pixels
	}
	l.Menu, err = i.menu(ctx, menu)
	return l, err
}

func (i *Item) menu(ctx context.Context, path dbus.ObjectPath) (entries []Entry, err error) {
	var revision uint32
	var top layout
	if err := i.conn.Object(i.service, path).CallWithContext(ctx, menuName+".GetLayout", 0, int32(0), int32(-1), []string{}).Store(&revision, &top); err != nil {
		return nil, err
	}
	for _, child := range top.Children {
		var one layout
		if err := dbus.Store([]any{child.Value()}, &one); err != nil {
			return nil, err
		}
		e := Entry{ID: one.ID}
		if label, ok := one.Properties["label"].Value().(string); ok {
			e.Label = strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(label, "__", "\x00"), "_", ""), "\x00", "_")
		}
		if enabled, ok := one.Properties["enabled"].Value().(bool); ok {
			e.Disabled = !enabled
		}
		if state, ok := one.Properties["toggle-state"].Value().(int32); ok {
			e.Checked = state == 1
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// WaitFor waits until the item's state satisfies the given predicate, and returns that state.
func (i *Item) WaitFor(what string, wanted func(Look) bool) (Look, error) {
	late := time.After(patience)
	for {
		look, err := i.Look()
		if err != nil || wanted(look) {
			return look, err
		}
		select {
		case <-i.signals:
		case <-late:
			return look, fmt.Errorf("timed out waiting for: %s: got %+v", what, look)
		}
	}
}

// Click clicks the menu entry with the given label.
func (i *Item) Click(label string) error {
	look, err := i.Look()
	if err != nil {
		return err
	}
	for _, e := range look.Menu {
		if e.Label == label {
			return i.ClickID(e.ID)
		}
	}
	return fmt.Errorf("no entry %q in %+v", label, look.Menu)
}

// ClickID clicks the entry with the given id in a menu that was read earlier.
func (i *Item) ClickID(id int32) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	value, err := i.conn.Object(i.service, i.path).GetProperty(itemName + ".Menu")
	if err != nil {
		return err
	}
	path, _ := value.Value().(dbus.ObjectPath)
	return i.conn.Object(i.service, path).CallWithContext(ctx, menuName+".Event", 0, id, "clicked", dbus.MakeVariant(""), uint32(0)).Err
}

// Activate clicks the icon.
func (i *Item) Activate() error { return i.act("Activate") }

// ActivateWheel clicks the icon with the middle mouse button (the wheel).
func (i *Item) ActivateWheel() error { return i.act("SecondaryActivate") }

func (i *Item) act(method string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return i.conn.Object(i.service, i.path).CallWithContext(ctx, itemName+"."+method, 0, int32(0), int32(0)).Err
}

// Bus starts a private session bus and sets the environment variable with its address. Both last until the test ends.
func Bus(t *testing.T) {
	t.Helper()
	daemon := exec.Command(need.Programs(t, "dbus-daemon"), "--session", "--nofork", "--nopidfile", "--nosyslog", "--print-address=1") //nolint:noctx // stopped by the cleanup
	out, err := daemon.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = daemon.Process.Kill()
		_ = daemon.Wait() // it was killed
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", strings.TrimSpace(address))
}
