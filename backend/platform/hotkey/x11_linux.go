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

// x11 takes keys by a passive grab on the root window. The X server gives each
// combination to one client.
type x11 struct {
	conn    *xgb.Conn
	root    xproto.Window
	pressed func()
	closing atomic.Bool
	done    chan struct{}

	mu    sync.Mutex
	grabs []*grab
}

// grab is keys that are held, and where they are on the keyboard.
type grab struct {
	keys     Combo
	keyGrabs []keyGrab
	press    press
}

// keyGrab is a key, with modifiers, as the server takes it.
type keyGrab struct {
	code xproto.Keycode
	mask uint16
}

// openX11 connects to the display.
func openX11(pressed, lost func()) (system, error) {
	xgb.Logger.SetOutput(io.Discard) // what it has to say comes as an error too
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

// grab takes the keys of g at all places of the keyboard that have them now. What
// is held there already stays held: no press is missed meanwhile.
func (x *x11) grab(g *grab) error {
	board, err := x.keyboard()
	if err != nil {
		return err
	}
	places := board.keyGrabs(g.keys)
	if len(places) == 0 {
		return unsupportedError{backend.Say("This keyboard doesn't have the key %s.", g.keys.Key)}
	}
	var taken []keyGrab
	for _, at := range places {
		if slices.Contains(g.keyGrabs, at) {
			continue
		}
		err := xproto.GrabKeyChecked(x.conn, false, x.root, at.mask, at.code, xproto.GrabModeAsync, xproto.GrabModeAsync).Check()
		if err != nil {
			x.ungrab(taken)
			if _, isTaken := err.(xproto.AccessError); isTaken { //nolint:errorlint // xgb returns it bare
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

// read takes what the server sends until the connection ends.
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
			if e.Request != xproto.MappingPointer && !x.again() {
				lost()
			}
		case nil:
			if err != nil {
				continue
			}
			if !x.closing.Load() { // the server has ended the connection
				lost()
			}
			return
		}
	}
}

// isOwnKey says whether a key is one of the shortcut, and what does says of it.
// The modifiers may have been let go before the key is.
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

// again looks for all keys: they may be at other places of the keyboard now. The
// server says so also when another keyboard is used that has them where they were.
// Keys that the keyboard does not have now wait for one that does: programs change
// a keyboard key by key, and layouts come and go.
func (x *x11) again() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, g := range x.grabs {
		err := x.grab(g)
		if _, isNowhere := err.(unsupportedError); isNowhere { //nolint:errorlint // grab returns it bare
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

// press tells a key that is pressed from one that is held: the server sends a
// release and a press for each repetition, at the same moment.
type press struct {
	released xproto.Timestamp
	isDown   bool
}

// sameMoment is less time, in milliseconds, than a finger needs.
const sameMoment = 5

func (p *press) down(at xproto.Timestamp) (first bool) {
	repeats := p.isDown || p.released != 0 && at-p.released < sameMoment
	p.isDown = true
	return !repeats
}

func (p *press) up(at xproto.Timestamp) { p.isDown, p.released = false, at }

// keyboard is what is where on the keyboard.
type keyboard struct {
	first   xproto.Keycode
	width   int // keysyms of one key
	symbols []xproto.Keysym
	alt     uint16
	super   uint16
	numLock uint16
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

// modifier is the mask of the modifier that has one of these keys, or usual
// where none has.
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

// codes are the keys that give a symbol by themselves, else those that give it
// with another key held or in another layout.
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

// keyGrabs are those of keys, with each combination of the locks: a lock that is on
// is part of what is pressed.
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

// keysym is X11's number of a key.
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
