package tray

import (
	"fmt"
	"strings"
	"sync"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/introspect"
)

// menu implements com.canonical.dbusmenu: the panel requests and draws the menu, and
// reports clicks. An entry keeps its ID while the app runs, so that a click on a menu
// that has just changed has the expected effect.
type menu struct {
	conn  *dbus.Conn
	click func(Entry)

	mu       sync.Mutex
	ids      map[string]int32 // by action or text position
	entries  map[int32]Entry  // all entries so far
	order    []int32          // the current ones, from top to bottom
	revision uint32
}

// root is the ID of the menu itself.
const root int32 = 0

// layout is a menu entry with its children.
type layout struct {
	ID         int32
	Properties map[string]dbus.Variant
	Children   []dbus.Variant
}

// properties holds the D-Bus properties of one entry.
type properties struct {
	ID         int32
	Properties map[string]dbus.Variant
}

// event is a user action on an entry.
type event struct {
	ID   int32
	Name string
	Data dbus.Variant
	Time uint32
}

func newMenu(conn *dbus.Conn, entries []Entry, click func(Entry)) *menu {
	m := &menu{conn: conn, click: click, ids: map[string]int32{}, entries: map[int32]Entry{}}
	m.setEntries(entries)
	return m
}

// setEntries replaces the entries.
func (m *menu) setEntries(entries []Entry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.order = m.order[:0]
	m.revision++
	said := 0
	for _, e := range entries {
		what := fmt.Sprint("do ", e.Do, e.ChatID)
		if e.Do == "" { // separators and texts are identified by position
			said++
			what = fmt.Sprint("say ", said)
		}
		id, known := m.ids[what]
		if !known {
			id = int32(len(m.ids) + 1)
			m.ids[what] = id
		}
		m.entries[id] = e
		m.order = append(m.order, id)
	}
}

// show replaces the entries and emits one signal, so that the panel requests the menu again.
func (m *menu) show(entries []Entry) {
	m.setEntries(entries)
	m.mu.Lock()
	revision := m.revision
	m.mu.Unlock()
	_ = m.conn.Emit(menuPath, menuName+".LayoutUpdated", revision, root) // fails once the connection is closed
}

func (m *menu) export() error {
	methods := map[string]any{
		"GetLayout":          m.getLayout,
		"GetGroupProperties": m.getGroupProperties,
		"GetProperty":        m.getProperty,
		"Event":              m.event,
		"EventGroup":         m.eventGroup,
		"AboutToShow":        func(int32) (bool, *dbus.Error) { return false, nil },
		"AboutToShowGroup":   func([]int32) ([]int32, []int32, *dbus.Error) { return []int32{}, []int32{}, nil },
	}
	_, err := exportObject(m.conn, menuPath, introspect.Interface{Name: menuName, Methods: menuMethods, Signals: menuSignals}, methods, map[string]any{
		"Version": uint32(3), "TextDirection": "ltr", "Status": "normal", "IconThemePath": []string{},
	})
	return err
}

func (m *menu) getLayout(parent, depth int32, _ []string) (uint32, layout, *dbus.Error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if parent != root {
		e, known := m.entries[parent]
		if !known {
			return 0, layout{}, unknown(parent)
		}
		return m.revision, layout{parent, propertiesOf(e), []dbus.Variant{}}, nil
	}
	top := layout{root, map[string]dbus.Variant{"children-display": dbus.MakeVariant("submenu")}, []dbus.Variant{}}
	if depth != 0 {
		for _, id := range m.order {
			top.Children = append(top.Children, dbus.MakeVariant(layout{id, propertiesOf(m.entries[id]), []dbus.Variant{}}))
		}
	}
	return m.revision, top, nil
}

func (m *menu) getGroupProperties(ids []int32, _ []string) ([]properties, *dbus.Error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(ids) == 0 {
		ids = m.order
	}
	group := []properties{}
	for _, id := range ids {
		if e, known := m.entries[id]; known {
			group = append(group, properties{id, propertiesOf(e)})
		}
	}
	return group, nil
}

func (m *menu) getProperty(id int32, name string) (dbus.Variant, *dbus.Error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e, known := m.entries[id]; known {
		if value, has := propertiesOf(e)[name]; has {
			return value, nil
		}
	}
	return dbus.Variant{}, unknown(id)
}

func (m *menu) event(id int32, name string, _ dbus.Variant, _ uint32) *dbus.Error {
	m.mu.Lock()
	e, known := m.entries[id]
	m.mu.Unlock()
	switch {
	case !known && id != root:
		return unknown(id)
	case name == "clicked" && e.Do != "":
		m.click(e)
	}
	return nil
}

func (m *menu) eventGroup(events []event) ([]int32, *dbus.Error) {
	missing := []int32{}
	for _, e := range events {
		if m.event(e.ID, e.Name, e.Data, e.Time) != nil {
			missing = append(missing, e.ID)
		}
	}
	return missing, nil
}

func unknown(id int32) *dbus.Error {
	return dbus.NewError(menuName+".UnknownId", []any{fmt.Sprint("there is no entry ", id)})
}

// propertiesOf returns an entry's D-Bus properties. Underscores are doubled, because a
// single one marks a mnemonic.
func propertiesOf(e Entry) map[string]dbus.Variant {
	if e.Do == "" && e.Label == "" {
		return map[string]dbus.Variant{"type": dbus.MakeVariant("separator")}
	}
	p := map[string]dbus.Variant{
		"label":   dbus.MakeVariant(strings.ReplaceAll(e.Label, "_", "__")),
		"enabled": dbus.MakeVariant(e.Do != ""),
	}
	if e.Check {
		p["toggle-type"] = dbus.MakeVariant("checkmark")
		p["toggle-state"] = dbus.MakeVariant(int32(0))
		if e.Checked {
			p["toggle-state"] = dbus.MakeVariant(int32(1))
		}
	}
	return p
}

func in(name, kind string) introspect.Arg {
	return introspect.Arg{Name: name, Type: kind, Direction: "in"}
}

func out(name, kind string) introspect.Arg {
	return introspect.Arg{Name: name, Type: kind, Direction: "out"}
}

var (
	menuMethods = []introspect.Method{
		{Name: "GetLayout", Args: []introspect.Arg{in("parentId", "i"), in("recursionDepth", "i"), in("propertyNames", "as"), out("revision", "u"), out("layout", "(ia{sv}av)")}},
		{Name: "GetGroupProperties", Args: []introspect.Arg{in("ids", "ai"), in("propertyNames", "as"), out("properties", "a(ia{sv})")}},
		{Name: "GetProperty", Args: []introspect.Arg{in("id", "i"), in("name", "s"), out("value", "v")}},
		{Name: "Event", Args: []introspect.Arg{in("id", "i"), in("eventId", "s"), in("data", "v"), in("timestamp", "u")}},
		{Name: "EventGroup", Args: []introspect.Arg{in("events", "a(isvu)"), out("idErrors", "ai")}},
		{Name: "AboutToShow", Args: []introspect.Arg{in("id", "i"), out("needUpdate", "b")}},
		{Name: "AboutToShowGroup", Args: []introspect.Arg{in("ids", "ai"), out("updatesNeeded", "ai"), out("idErrors", "ai")}},
	}
	menuSignals = []introspect.Signal{
		{Name: "LayoutUpdated", Args: []introspect.Arg{{Name: "revision", Type: "u"}, {Name: "parent", Type: "i"}}},
	}
)
