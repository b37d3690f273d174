//go:build linux

package main

import (
	"encoding/binary"
	"fmt"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// version is the version of the XDND protocol (freedesktop.org/wiki/Specifications/XDND).
const version = 5

// drag implements the source side of a drag in the XDND protocol, from the button press until the target
// reports that it has received the data. The X server sends all mouse events to the source window while the
// button is pressed.
type drag struct {
	*offer
	target   xproto.Window // XDND-aware window under the mouse
	waiting  bool          // waiting for a status
	moved    *xproto.MotionNotifyEvent
	accepted bool
	dropped  xproto.Timestamp // time of the button release
}

func (d *drag) handle(event xgb.Event) {
	switch e := event.(type) {
	case xproto.ButtonPressEvent:
		xproto.SetSelectionOwner(d.conn, d.window, d.atom("XdndSelection"), e.Time)
	case xproto.MotionNotifyEvent:
		d.moved = &e
		d.follow()
	case xproto.ButtonReleaseEvent:
		d.dropped = e.Time
		d.drop()
	case xproto.ClientMessageEvent:
		data := e.Data.Data32
		switch {
		case xproto.Window(data[0]) != d.target:
		case e.Type == d.atom("XdndStatus"):
			d.waiting = false
			d.setAccepted(data[1]&1 != 0)
			d.follow()
			d.drop()
		case e.Type == d.atom("XdndFinished"):
			d.end(data[1]&1 != 0)
		}
	}
}

// follow sends the latest mouse position to the window under the mouse. It waits for the window's response to one
// position before it sends the next position.
func (d *drag) follow() {
	if d.moved == nil {
		return
	}
	e := d.moved
	under := d.targetAt(e.RootX, e.RootY)
	if d.waiting && under == d.target {
		return
	}
	d.moved = nil
	if under != d.target {
		d.sendMessage("XdndLeave")
		d.setAccepted(false)
		d.target = under
		var first [3]uint32
		all := d.names()
		copy(first[:], all)
		flags := uint32(version << 24)
		if len(all) > len(first) {
			flags |= 1
			xproto.ChangeProperty(d.conn, xproto.PropModeReplace, d.window, d.atom("XdndTypeList"), xproto.AtomAtom, 32, uint32(len(all)), encodeWords(all))
		}
		d.sendMessage("XdndEnter", flags, first[0], first[1], first[2])
	}
	at := uint32(uint16(e.RootX))<<16 | uint32(uint16(e.RootY))
	d.waiting = d.sendMessage("XdndPosition", 0, at, uint32(e.Time), uint32(d.atom("XdndActionCopy")))
}

// drop ends the drag if the button has been released and the target has responded to the last move.
func (d *drag) drop() {
	switch {
	case d.dropped == 0 || d.waiting:
	case d.accepted:
		d.sendMessage("XdndDrop", 0, uint32(d.dropped))
		d.dropped = 0
	default:
		d.sendMessage("XdndLeave")
		d.end(false)
	}
}

func (d *drag) end(taken bool) {
	d.target, d.dropped, d.accepted = 0, 0, false
	if taken {
		fmt.Println("dropped")
	} else {
		fmt.Println("refused")
	}
}

func (d *drag) setAccepted(accepted bool) {
	if accepted && !d.accepted {
		fmt.Println("over")
	} else if !accepted && d.accepted {
		fmt.Println("away")
	}
	d.accepted = accepted
}

// targetAt returns the window that is at a screen position and supports XDND, or 0 if there is none. It also looks
// inside the window manager's frames, which contain such windows.
func (d *drag) targetAt(x, y int16) xproto.Window {
	for at := d.root; ; {
		found, err := xproto.TranslateCoordinates(d.conn, d.root, at, x, y).Reply()
		if err != nil || found.Child == 0 {
			return 0
		}
		at = found.Child
		aware, err := xproto.GetProperty(d.conn, false, at, d.atom("XdndAware"), xproto.AtomAtom, 0, 1).Reply()
		if err == nil && len(aware.Value) == 4 && binary.LittleEndian.Uint32(aware.Value) >= version {
			return at
		}
	}
}

// sendMessage sends a message to the target. It returns false if there is no target.
func (d *drag) sendMessage(what string, data ...uint32) bool {
	if d.target == 0 {
		return false
	}
	all := append([]uint32{uint32(d.window)}, data...)
	all = append(all, make([]uint32, 5-len(all))...)
	message := xproto.ClientMessageEvent{Format: 32, Window: d.target, Type: d.atom(what), Data: xproto.ClientMessageDataUnionData32New(all)}
	xproto.SendEvent(d.conn, false, d.target, 0, string(message.Bytes()))
	return true
}

// offer is the data that a window of this program offers to other programs (ICCCM, section 2).
type offer struct {
	conn   *xgb.Conn
	root   xproto.Window
	window xproto.Window
	kinds  []kind
	atoms  map[string]xproto.Atom
}

// kind is one format of the offered data: its media type and the data in that format.
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

// open shows the window, bypassing the window manager.
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

// answer sends the offered data to the program that requested it.
func (o *offer) answer(e xproto.SelectionRequestEvent) error {
	put := func(kind xproto.Atom, format byte, body []byte) error {
		return xproto.ChangePropertyChecked(o.conn, xproto.PropModeReplace, e.Requestor, e.Property, kind, format, uint32(len(body))/uint32(format/8), body).Check()
	}
	given := xproto.Atom(xproto.AtomNone)
	if e.Target == o.atom("TARGETS") {
		if err := put(xproto.AtomAtom, 32, encodeWords(o.names())); err != nil {
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

// encodeWords encodes 32-bit numbers as property data.
func encodeWords(all []uint32) (body []byte) {
	for _, each := range all {
		body = binary.LittleEndian.AppendUint32(body, each)
	}
	return body
}
