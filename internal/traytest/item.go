//go:build linux

package traytest

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"
)

// Item is what a program shows in a tray.
type Item struct {
	conn    *dbus.Conn
	service string
	path    dbus.ObjectPath
	signals chan *dbus.Signal
}

// Look is how an item looks now.
type Look struct {
	ID, Title, Status, Tooltip string
	Icon                       string // its name
	IconDir                    string
	Sizes                      []int32 // of its pictures
	Pixels                     []byte  // of the first picture
	Menu                       []Entry
}

// Entry is one entry of the menu.
type Entry struct {
	ID       int32  `json:"id"`
	Label    string `json:"label"` // as a person sees it; "" is a line
	Disabled bool   `json:"disabled,omitempty"`
	Checked  bool   `json:"checked,omitempty"`
}

func newItem(conn *dbus.Conn, item string) *Item {
	service, path, _ := strings.Cut(item, "/")
	i := &Item{conn: conn, service: service, path: dbus.ObjectPath("/" + path), signals: make(chan *dbus.Signal, 64)}
	conn.Signal(i.signals)
	// Whatever it says means that it may look different now.
	_ = conn.AddMatchSignal(dbus.WithMatchSender(service))
	return i
}

// Registered is the newest item of the tray that another program opened.
func Registered() (*Item, error) {
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

// Look asks the item how it looks.
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

// Until waits until the item looks as wanted.
func (i *Item) Until(what string, wanted func(Look) bool) (Look, error) {
	late := time.After(patience)
	for {
		look, err := i.Look()
		if err != nil || wanted(look) {
			return look, err
		}
		select {
		case <-i.signals:
		case <-late:
			return look, fmt.Errorf("waited in vain: %s: it is %+v", what, look)
		}
	}
}

// Click chooses the entry of that label.
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
	return fmt.Errorf("there is no entry %q in %+v", label, look.Menu)
}

// ClickID chooses an entry of a menu that was read before.
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

// Activate is a click on the icon itself.
func (i *Item) Activate() error { return i.act("Activate") }

// ActivateWheel is a click of the wheel on the icon.
func (i *Item) ActivateWheel() error { return i.act("SecondaryActivate") }

func (i *Item) act(method string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return i.conn.Object(i.service, i.path).CallWithContext(ctx, itemName+"."+method, 0, int32(0), int32(0)).Err
}
