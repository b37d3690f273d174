//go:build linux

package main

import (
	"encoding/binary"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// offer is what a window of this program offers to others (ICCCM, section 2).
type offer struct {
	conn   *xgb.Conn
	root   xproto.Window
	window xproto.Window
	kinds  []kind
	atoms  map[string]xproto.Atom
}

// kind is one of the forms that it can be had in.
type kind struct {
	name xproto.Atom
	body []byte
}

func (o *offer) atom(name string) xproto.Atom {
	if _, ok := o.atoms[name]; !ok {
		reply, err := xproto.InternAtom(o.conn, false, uint16(len(name)), name).Reply()
		if err != nil {
			return xproto.AtomNone
		}
		o.atoms[name] = reply.Atom
	}
	return o.atoms[name]
}

// open shows the window, where no window manager moves it.
func (o *offer) open() error {
	screen := xproto.Setup(o.conn).DefaultScreen(o.conn)
	window, err := xproto.NewWindowId(o.conn)
	if err != nil {
		return err
	}
	o.window = window
	xproto.CreateWindow(o.conn, screen.RootDepth, window, o.root, 0, 0, 32, 32, 0, xproto.WindowClassInputOutput, screen.RootVisual,
		xproto.CwBackPixel|xproto.CwOverrideRedirect|xproto.CwEventMask,
		[]uint32{0x808080, 1, xproto.EventMaskButtonPress | xproto.EventMaskButtonRelease | xproto.EventMaskButton1Motion})
	return xproto.MapWindowChecked(o.conn, window).Check()
}

// answer gives what is offered to a program that asks for it.
func (o *offer) answer(e xproto.SelectionRequestEvent) error {
	put := func(kind xproto.Atom, format byte, body []byte) error {
		return xproto.ChangePropertyChecked(o.conn, xproto.PropModeReplace, e.Requestor, e.Property, kind, format, uint32(len(body))/uint32(format/8), body).Check()
	}
	given := xproto.Atom(xproto.AtomNone)
	if e.Target == o.atom("TARGETS") {
		if err := put(xproto.AtomAtom, 32, words(o.names())); err != nil {
			return err
		}
		given = e.Property
	}
	for _, k := range o.kinds {
		if e.Target == k.name {
			if err := put(k.name, 8, k.body); err != nil {
				return err
			}
			given = e.Property
		}
	}
	told := xproto.SelectionNotifyEvent{Time: e.Time, Requestor: e.Requestor, Selection: e.Selection, Target: e.Target, Property: given}
	return xproto.SendEventChecked(o.conn, false, e.Requestor, 0, string(told.Bytes())).Check()
}

func (o *offer) names() []uint32 {
	var all []uint32
	for _, k := range o.kinds {
		all = append(all, uint32(k.name))
	}
	return all
}

// words are numbers as a property has them.
func words(all []uint32) (body []byte) {
	for _, each := range all {
		body = binary.LittleEndian.AppendUint32(body, each)
	}
	return body
}
