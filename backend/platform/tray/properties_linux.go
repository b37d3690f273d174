package tray

import (
	"maps"
	"slices"
	"sync"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/introspect"
)

// object holds the properties of one D-Bus object. It replaces values instead of changing them in place as the
// library's prop package does, because a value could otherwise change while it is being sent.
type object struct {
	mu     sync.Mutex
	of     string // interface name
	values map[string]any
}

// exportObject exports an object with methods and properties on D-Bus.
func exportObject(conn *dbus.Conn, path dbus.ObjectPath, of introspect.Interface, methods, values map[string]any) (*object, error) {
	o := &object{of: of.Name, values: values}
	if err := conn.ExportMethodTable(methods, path, of.Name); err != nil {
		return nil, err
	}
	err := conn.ExportMethodTable(map[string]any{"Get": o.get, "GetAll": o.getAll, "Set": o.set}, path, "org.freedesktop.DBus.Properties")
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		of.Properties = append(of.Properties, introspect.Property{Name: name, Type: dbus.SignatureOf(values[name]).String(), Access: "read"})
	}
	node := &introspect.Node{Name: string(path), Interfaces: []introspect.Interface{introspect.IntrospectData, propertiesInterface, of}}
	return o, conn.Export(introspect.NewIntrospectable(node), path, "org.freedesktop.DBus.Introspectable")
}

var propertiesInterface = introspect.Interface{Name: "org.freedesktop.DBus.Properties", Methods: []introspect.Method{
	{Name: "Get", Args: []introspect.Arg{in("interface", "s"), in("name", "s"), out("value", "v")}},
	{Name: "GetAll", Args: []introspect.Arg{in("interface", "s"), out("values", "a{sv}")}},
	{Name: "Set", Args: []introspect.Arg{in("interface", "s"), in("name", "s"), in("value", "v")}},
}}

// change replaces the values of the given properties.
func (o *object) change(values map[string]any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	maps.Copy(o.values, values)
}

func (o *object) get(of, name string) (dbus.Variant, *dbus.Error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	value, has := o.values[name]
	if of != o.of || !has {
		return dbus.Variant{}, dbus.NewError("org.freedesktop.DBus.Error.UnknownProperty", nil)
	}
	return dbus.MakeVariant(value), nil
}

func (o *object) getAll(of string) (map[string]dbus.Variant, *dbus.Error) {
	all := map[string]dbus.Variant{}
	if of != o.of {
		return all, nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for name, value := range o.values {
		all[name] = dbus.MakeVariant(value)
	}
	return all, nil
}

func (o *object) set(string, string, dbus.Variant) *dbus.Error {
	return dbus.NewError("org.freedesktop.DBus.Error.PropertyReadOnly", nil)
}
