//go:build linux

// Package traytest is a tray for tests, of the kind that Linux desktops have: a
// watcher that items register with, and a hand that reads what they show and
// clicks on them. It is on a D-Bus session bus of its own.
package traytest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"
)

const (
	watcherName = "org.kde.StatusNotifierWatcher"
	watcherPath = dbus.ObjectPath("/StatusNotifierWatcher")
	itemName    = "org.kde.StatusNotifierItem"
	menuName    = "com.canonical.dbusmenu"
)

// patience bounds every wait for what must happen.
const patience = time.Minute

// Tray is a watcher with a host.
type Tray struct {
	conn *dbus.Conn

	mu      sync.Mutex
	hosted  bool
	items   []string // services with their paths
	changed chan struct{}
}

// Open is a tray on the session bus. There can be one.
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
		err = errors.New("there is a tray on this bus")
	}
	return err
}

// get answers with a property.
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

// follow drops the items of programs that have ended.
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

// Hosted says whether anything draws the items, which is so at first.
func (t *Tray) Hosted(yes bool) error {
	t.change(func() { t.hosted = yes })
	signal := "StatusNotifierHostUnregistered"
	if yes {
		signal = "StatusNotifierHostRegistered"
	}
	return t.conn.Emit(watcherPath, watcherName+"."+signal)
}

// Item waits until there is one item, and is that.
func (t *Tray) Item() (*Item, error) {
	var found string
	err := t.until("one item", func() bool {
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

// Empty waits until there is no item.
func (t *Tray) Empty() error { return t.until("no item", func() bool { return len(t.items) == 0 }) }

func (t *Tray) until(what string, fact func() bool) error {
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
			return fmt.Errorf("waited in vain for %s in the tray", what)
		}
	}
}

// Close ends the tray, as a desktop's panel does that crashes.
func (t *Tray) Close() error { return t.conn.Close() }
