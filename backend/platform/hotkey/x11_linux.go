package hotkey

import (
	"context"
	"io"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/voxpilot/voxpilot/backend"
)

// x11 registers keys with a passive grab on the root window. The X server gives each
// combination to one client only.
type x11 struct {
	conn    *xgb.Conn
	root    xproto.Window
	pressed func()
	closing atomic.Bool
	done    chan struct{}

	mu    sync.Mutex
	grabs []*grab
}

// grab is a registered key combination with the keycodes that are grabbed for it.
type grab struct {
	keys     Combo
	keyGrabs []keyGrab
	press    press
}

// keyGrab is a keycode with a modifier mask.
type keyGrab struct {
	code xproto.Keycode
	mask uint16
}

// openX11 connects to the X display. If the server closes the connection later, or the grabs can't be updated, the
// function lost is called.
func openX11(pressed, lost func()) (system, error) {
	xgb.Logger.SetOutput(io.Discard) // its messages are returned as errors too
	conn, err := xgb.NewConn()
	if err != nil {
		return nil, unsupportedError{backend.Say("The X server isn't responding, so the global shortcut isn't available.")}
	}
	x := &x11{conn: conn, root: xproto.Setup(conn).DefaultScreen(conn).Root, pressed: pressed, done: make(chan struct{})}
	go x.read(lost)
	return x, nil
}

func (x *x11) close() {
	x.closing.Store(true)
	x.conn.Close()
	<-x.done
}

func (x *x11) take(_ context.Context, keys Combo) (release func(), called string, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	g := &grab{keys: keys}
	if err := x.grab(g); err != nil {
		return nil, "", err
	}
	x.grabs = append(x.grabs, g)
	return func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.ungrab(g.keyGrabs)
		x.grabs = slices.DeleteFunc(x.grabs, func(other *grab) bool { return other == g })
	}, "", nil
}

// grab grabs the keys of g on all keycodes that currently produce these keys. Keycodes that are already grabbed
// stay grabbed, so that no press is missed.
func (x *x11) grab(g *grab) error {
	board, err := x.keyboard()
	if err != nil {
		return err
	}
	places := board.keyGrabs(g.keys)
	if len(places) == 0 {
		return unsupportedError{backend.Say("This keyboard doesn't have the %s key.", g.keys.Key)}
	}
	var taken []keyGrab
	for _, at := range places {
		if slices.Contains(g.keyGrabs, at) {
			continue
		}
		err := xproto.GrabKeyChecked(x.conn, false, x.root, at.mask, at.code, xproto.GrabModeAsync, xproto.GrabModeAsync).Check()
		if err != nil {
			x.ungrab(taken)
			if _, isTaken := err.(xproto.AccessError); isTaken { //nolint:errorlint // xgb returns it unwrapped
				return errInUse
			}
			return err
		}
		taken = append(taken, at)
	}
	x.ungrab(slices.DeleteFunc(g.keyGrabs, func(at keyGrab) bool { return slices.Contains(places, at) }))
	g.keyGrabs = places
	return nil
}

func (x *x11) ungrab(places []keyGrab) {
	for _, at := range places {
		xproto.UngrabKey(x.conn, at.code, x.root, at.mask)
	}
	x.conn.Sync()
}

// read processes the server's events until the connection ends.
func (x *x11) read(lost func()) {
	defer close(x.done)
	for {
		event, err := x.conn.WaitForEvent()
		switch e := event.(type) {
		case xproto.KeyPressEvent:
			if x.isOwnKey(e.Detail, func(p *press) bool { return p.down(e.Time) }) {
				x.pressed()
			}
		case xproto.KeyReleaseEvent:
			x.isOwnKey(e.Detail, func(p *press) bool { p.up(e.Time); return true })
		case xproto.MappingNotifyEvent:
			if e.Request != xproto.MappingPointer && !x.grabMissing() {
				lost()
			}
		case nil:
			if err != nil {
				continue
			}
			if !x.closing.Load() { // the server closed the connection
				lost()
			}
			return
		}
	}
}

// isOwnKey looks for the registered shortcut whose key has the given keycode. If there is one, isOwnKey calls the
// given function with the state of that key and returns the function's result. Otherwise, it returns false.
// Modifiers are ignored, because the user may release them before the key.
func (x *x11) isOwnKey(code xproto.Keycode, does func(*press) bool) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, g := range x.grabs {
		if slices.ContainsFunc(g.keyGrabs, func(at keyGrab) bool { return at.code == code }) {
			return does(&g.press)
		}
	}
	return false
}

// grabMissing updates all grabs after a change to the keyboard mapping and reports whether that succeeded. A key
// that is missing from the new mapping isn't an error: programs remap a keyboard key by key, so the key is grabbed
// again once a later change brings it back.
func (x *x11) grabMissing() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, g := range x.grabs {
		err := x.grab(g)
		if _, isNowhere := err.(unsupportedError); isNowhere { //nolint:errorlint // grab returns it unwrapped
			x.ungrab(g.keyGrabs)
			g.keyGrabs = nil
			continue
		}
		if err != nil {
			return false
		}
	}
	return true
}

// press is the state of a shortcut's key. It distinguishes presses by the user from key repeats, for which the server
// sends a release and a press with the same timestamp.
type press struct {
	released xproto.Timestamp
	isDown   bool
}

// sameMoment is a time in milliseconds. A press that follows a release within this time is a key repeat, because a user
// can't press a key again that quickly.
const sameMoment = 5

func (p *press) down(at xproto.Timestamp) (first bool) {
	repeats := p.isDown || p.released != 0 && at-p.released < sameMoment
	p.isDown = true
	return !repeats
}

func (p *press) up(at xproto.Timestamp) { p.isDown, p.released = false, at }

// keyboard is the keyboard mapping.
type keyboard struct {
	first   xproto.Keycode  // keycode of the first keysyms
	width   int             // keysyms per keycode
	symbols []xproto.Keysym // of all keycodes, in order
	alt     uint16          // modifier mask of Alt
	super   uint16          // modifier mask of Super
	numLock uint16          // modifier mask of Num Lock
}

func (x *x11) keyboard() (keyboard, error) {
	setup := xproto.Setup(x.conn)
	keys, err := xproto.GetKeyboardMapping(x.conn, setup.MinKeycode, byte(setup.MaxKeycode-setup.MinKeycode+1)).Reply()
	if err != nil {
		return keyboard{}, err
	}
	mods, err := xproto.GetModifierMapping(x.conn).Reply()
	if err != nil {
		return keyboard{}, err
	}
	if keys.KeysymsPerKeycode == 0 || mods.KeycodesPerModifier == 0 {
		return keyboard{}, backend.Problem("the X server has no keyboard")
	}
	board := keyboard{first: setup.MinKeycode, width: int(keys.KeysymsPerKeycode), symbols: keys.Keysyms}
	board.alt = board.modifier(mods, xproto.ModMask1, 0xffe9, 0xffea)            // Alt_L, Alt_R
	board.super = board.modifier(mods, xproto.ModMask4, 0xffeb, 0xffec)          // Super_L, Super_R
	board.numLock = board.modifier(mods, xproto.ModMask2, xproto.Keysym(0xff7f)) // Num_Lock
	return board, nil
}

// modifier returns the mask of the modifier that has one of the given keysyms. If there is none, it returns the given
// mask, which this modifier usually has.
func (b keyboard) modifier(mods *xproto.GetModifierMappingReply, usual uint16, symbols ...xproto.Keysym) uint16 {
	for _, symbol := range symbols {
		codes := b.codes(symbol)
		for i, code := range mods.Keycodes {
			if code != 0 && slices.Contains(codes, code) {
				return 1 << (i / int(mods.KeycodesPerModifier))
			}
		}
	}
	return usual
}

// codes returns the keycodes that produce a keysym without modifiers. If there are none, it returns the keycodes
// that produce it with a modifier or in another layout.
func (b keyboard) codes(symbol xproto.Keysym) []xproto.Keycode {
	var codes []xproto.Keycode
	for column := 0; column < b.width && len(codes) == 0; column++ {
		for i := 0; i+column < len(b.symbols); i += b.width {
			if b.symbols[i+column] == symbol {
				codes = append(codes, b.first+xproto.Keycode(i/b.width))
			}
		}
	}
	return codes
}

// keyGrabs returns the keycodes for k, each with every combination of the lock modifiers, because a key event's
// modifiers include the active locks.
func (b keyboard) keyGrabs(k Combo) []keyGrab {
	var places []keyGrab
	mask := b.mask(k)
	for _, code := range b.codes(keysym(k.Key)) {
		for _, lock := range []uint16{0, xproto.ModMaskLock, b.numLock, xproto.ModMaskLock | b.numLock} {
			places = append(places, keyGrab{code, mask | lock})
		}
	}
	return places
}

func (b keyboard) mask(k Combo) uint16 {
	var mask uint16
	for held, bit := range map[*bool]uint16{
		&k.Ctrl: xproto.ModMaskControl, &k.Shift: xproto.ModMaskShift, &k.Alt: b.alt, &k.Super: b.super,
	} {
		if *held {
			mask |= bit
		}
	}
	return mask
}

// keysym returns the X11 keysym of a key.
func keysym(key string) xproto.Keysym {
	switch key {
	case "Space":
		return 0x20
	case "Insert":
		return 0xff63
	case "Home":
		return 0xff50
	case "Left":
		return 0xff51
	case "Up":
		return 0xff52
	case "Right":
		return 0xff53
	case "Down":
		return 0xff54
	case "PageUp":
		return 0xff55
	case "PageDown":
		return 0xff56
	case "End":
		return 0xff57
	}
	if n := (Combo{Key: key}).function(); n > 0 {
		return 0xffbe + xproto.Keysym(n-1)
	}
	if key[0] >= 'A' {
		return xproto.Keysym(key[0]) - 'A' + 'a'
	}
	return xproto.Keysym(key[0])
}
