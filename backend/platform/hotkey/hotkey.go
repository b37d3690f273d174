// Package hotkey registers the global shortcut, which works no matter which program is in front. This file contains the
// rules for valid keys, and the loop that keeps one shortcut registered until its replacement works. The other files
// contain the implementations for each system.
package hotkey

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

// Config is the configuration of a Hotkey.
type Config struct {
	// Pressed is called once per press of the shortcut, without key repeats. It must not block.
	Pressed func()
	// Changed is called with the new state of the shortcut whenever the state changes.
	Changed func(backend.Shortcut)
	// Command is the command line with the same effect as the shortcut. If programs can't register shortcuts on a
	// system, the user can assign a shortcut to this command in the system's settings.
	Command string
	Log     *slog.Logger
}

// Hotkey keeps the global shortcut registered.
type Hotkey struct {
	cfg    Config
	ctx    context.Context
	end    context.CancelFunc
	done   chan struct{}
	wakeCh chan struct{} // capacity 1: requested or lost was set

	mu        sync.Mutex
	requested string
	lost      bool // the system has lost its registrations

	// The following fields are used only by run.
	system    system
	binding   *binding
	published backend.Shortcut
}

// system registers shortcuts with an operating system or desktop. Its methods are never called concurrently.
type system interface {
	// take registers keys without unregistering any others. It returns a function that unregisters the keys, and
	// the system's description of the keys, or "" if it has none.
	take(ctx context.Context, keys Combo) (release func(), called string, err error)
	close()
}

// binding is a registered shortcut.
type binding struct {
	keys    Combo
	label   string // the system's description of the keys, if it has one
	release func()
}

// errInUse means that another program has registered the keys.
var errInUse = backend.Problem("another program is using this shortcut")

// unsupportedError is the error for a desktop or keyboard on which a shortcut isn't possible. It holds the reason to
// show the user.
type unsupportedError struct{ why backend.Message }

func (i unsupportedError) Error() string            { return i.why.String() }
func (i unsupportedError) Message() backend.Message { return i.why }

// Start starts a Hotkey without a shortcut; Set adds one.
func Start(cfg Config) *Hotkey {
	h := &Hotkey{cfg: cfg, done: make(chan struct{}), wakeCh: make(chan struct{}, 1)}
	h.ctx, h.end = context.WithCancel(context.Background())
	go h.run()
	return h
}

// Set replaces the shortcut with keys, written as in "Ctrl+Shift+Space"; "" removes the shortcut. Set doesn't
// block; Config.Changed receives the result. If the new keys can't be registered, the previous ones keep working.
// To retry, set the same keys again.
func (h *Hotkey) Set(keys string) {
	h.mu.Lock()
	h.requested = keys
	h.mu.Unlock()
	h.wake()
}

// Close unregisters the shortcut.
func (h *Hotkey) Close() {
	h.end()
	<-h.done
}

func (h *Hotkey) wake() {
	select {
	case h.wakeCh <- struct{}{}:
	default:
	}
}

// systemLost is called when the system has lost its registrations, for example because the X server exited. It makes
// run register the shortcut again.
func (h *Hotkey) systemLost() {
	h.mu.Lock()
	h.lost = true
	h.mu.Unlock()
	h.wake()
}

func (h *Hotkey) run() {
	defer close(h.done)
	defer h.leave()
	for {
		select {
		case <-h.ctx.Done():
			return
		case <-h.wakeCh:
		}
		h.mu.Lock()
		wanted, lost := h.requested, h.lost
		h.lost = false
		h.mu.Unlock()
		if lost {
			h.leave()
		}
		now := h.settle(wanted)
		if h.ctx.Err() == nil && now != h.published {
			h.published = now
			h.cfg.Changed(now)
		}
	}
}

// leave unregisters the shortcut and releases the connection to the system.
func (h *Hotkey) leave() {
	if h.binding != nil {
		h.binding.release()
	}
	if h.system != nil {
		h.system.close()
	}
	h.binding, h.system = nil, nil
}

// settle replaces the current shortcut with a new one, wanted. It registers the new shortcut before it unregisters the
// current one. If wanted is "", it only unregisters the current one. If the new shortcut can't be registered, the
// current one stays. settle returns the resulting state.
func (h *Hotkey) settle(wanted string) backend.Shortcut {
	if wanted == "" {
		h.leave()
		return backend.Shortcut{State: backend.ShortcutOff}
	}
	keys, err := Parse(wanted)
	if err == nil && h.binding != nil && h.binding.keys == keys {
		return h.active(keys)
	}
	if err == nil && h.system == nil {
		h.system, err = open(h.cfg.Pressed, h.systemLost)
	}
	var release func()
	var called string
	if err == nil {
		release, called, err = h.system.take(h.ctx, keys)
	}
	if err == nil {
		if h.binding != nil {
			h.binding.release()
		}
		h.binding = &binding{keys: keys, label: called, release: release}
		return h.active(keys)
	}
	if h.ctx.Err() == nil {
		h.cfg.Log.Warn("couldn't register the global shortcut", "keys", wanted, "err", err)
	}
	return h.failedState(wanted, err)
}

func (h *Hotkey) active(keys Combo) backend.Shortcut {
	called := h.binding.label
	if called == "" {
		called = keys.String()
	}
	return backend.Shortcut{Keys: called, State: backend.ShortcutActive, Command: h.cfg.Command}
}

func (h *Hotkey) failedState(wanted string, err error) backend.Shortcut {
	says := backend.Shortcut{Keys: wanted, State: backend.ShortcutUnsupported, Message: backend.MessageOf(err), Command: h.cfg.Command}
	if errors.Is(err, errInUse) {
		says.State, says.Message = backend.ShortcutInUse, backend.Say("Another program is using %s. Choose another shortcut, or quit that program and try again.", wanted)
	}
	if h.binding != nil {
		says.Message = backend.Sentences(says.Message, backend.Say("%s still works.", h.binding.keys.String()))
	}
	return says
}

// Combo is a key combination.
type Combo struct {
	Ctrl, Alt, Shift bool
	Super            bool   // the Windows key, or Command on a Mac
	Key              string // one of namedKeys, a letter, a digit, or F1 to F24
}

// namedKeys are the supported keys besides letters, digits and F1 to F24.
var namedKeys = []string{"Space", "Insert", "Home", "End", "PageUp", "PageDown", "Left", "Right", "Up", "Down"}

// lastF is the number of the last supported function key, F24.
const lastF = 24

// String returns the keys as they are written in the settings: "Ctrl+Alt+Shift+Super+Space".
func (k Combo) String() string {
	var parts []string
	for _, mod := range []struct {
		held bool
		name string
	}{{k.Ctrl, "Ctrl"}, {k.Alt, "Alt"}, {k.Shift, "Shift"}, {k.Super, "Super"}} {
		if mod.held {
			parts = append(parts, mod.name)
		}
	}
	return strings.Join(append(parts, k.Key), "+")
}

// Parse parses text as a key combination. It rejects keys that can't be a global shortcut on this
// system, with an error for the user.
func Parse(text string) (Combo, error) { return parse(text, runtime.GOOS) }

func parse(text, goos string) (Combo, error) {
	var k Combo
	parts := strings.Split(text, "+")
	for i, part := range parts {
		part = strings.TrimSpace(part)
		if i == len(parts)-1 {
			k.Key = keyNamed(part)
			break
		}
		mod := k.modifier(part)
		if mod == nil || *mod {
			return Combo{}, backend.Invalid("%s isn't a valid shortcut. Example: Ctrl+Shift+Space.", text)
		}
		*mod = true
	}
	if k.Key == "" {
		return Combo{}, backend.Invalid("%s isn't a valid shortcut. It must end with a letter, a digit, Space, F1–F24, Insert, Home, End, Page Up, Page Down or an arrow key.", text)
	}
	if why := k.refused(goos); !why.IsZero() {
		return Combo{}, &backend.Error{Code: backend.CodeInvalid, Message: why}
	}
	return k, nil
}

func (k *Combo) modifier(name string) *bool {
	switch strings.ToLower(name) {
	case "ctrl", "control":
		return &k.Ctrl
	case "alt", "option":
		return &k.Alt
	case "shift":
		return &k.Shift
	case "super", "win", "cmd", "command", "meta":
		return &k.Super
	}
	return nil
}

// keyNamed returns the normalized name of a key, or "" if it isn't supported.
func keyNamed(name string) string {
	up := strings.ToUpper(name)
	if len(up) == 1 && (up[0] >= 'A' && up[0] <= 'Z' || up[0] >= '0' && up[0] <= '9') {
		return up
	}
	for _, known := range namedKeys {
		if strings.EqualFold(known, name) {
			return known
		}
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(up, "F")); err == nil && n >= 1 && n <= lastF && up == "F"+strconv.Itoa(n) {
		return up
	}
	return ""
}

// function returns the number of a function key, such as 1 for F1, or 0 for other keys.
func (k Combo) function() int {
	if len(k.Key) < 2 || k.Key[0] != 'F' {
		return 0
	}
	n, _ := strconv.Atoi(k.Key[1:])
	return n
}

// refused returns the reason why the keys can't be a global shortcut, or the zero
// Message if they can. No other program receives the keys of a global shortcut, so keys
// that programs and the system need are excluded.
func (k Combo) refused(goos string) backend.Message {
	mods := 0
	for _, held := range []bool{k.Ctrl, k.Alt, k.Shift, k.Super} {
		if held {
			mods++
		}
	}
	f, here := k.function(), k.String()
	switch {
	case mods == 0, mods == 1 && k.Shift:
		return backend.Say("You may need %s for typing or in other programs. Add Ctrl or Alt.", here)
	case goos == "windows" && k.Super:
		return backend.Say("Windows reserves shortcuts with the Windows key. Use Ctrl, Alt and Shift.")
	case k.Alt && !k.Ctrl && !k.Super && f == 4:
		return backend.Say("%s closes windows. Choose another shortcut.", here)
	case k.Ctrl && k.Alt && f > 0 && goos == "linux":
		return backend.Say("%s switches to another console. Choose another shortcut.", here)
	case k.Ctrl && k.Alt && mods == 2 && f == 0 && len(k.Key) == 1 && goos == "windows":
		return backend.Say("%s types a character on some keyboards, where Ctrl+Alt acts as AltGr. Add Shift.", here)
	case mods == 1 && f == 0 && (!k.Super || goos == "darwin"):
		return backend.Say("Other programs may use %s. Add Shift or another modifier key.", here)
	}
	return backend.Message{}
}
