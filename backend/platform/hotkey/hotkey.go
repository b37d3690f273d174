// Package hotkey is the global shortcut: keys that reach VoxPilot whatever
// program is in front. The rules for which keys are good are data in keys.go;
// how a system takes them is in the file of that system. This is the loop
// between the two: it holds one shortcut, and lets go of it only when another one
// works.
package hotkey

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

// Config says what a Hotkey is for.
type Config struct {
	// Pressed is called when the shortcut is pressed, once however long the keys
	// are held. It must not block.
	Pressed func()
	// Changed is told how the system takes the shortcut, whenever that changes.
	Changed func(backend.Shortcut)
	// Command does the same as the shortcut: the user can bind it in the settings
	// of a system that gives programs no shortcut.
	Command string
	Log     *slog.Logger
}

// Hotkey holds the global shortcut.
type Hotkey struct {
	cfg  Config
	ctx  context.Context
	end  context.CancelFunc
	done chan struct{}
	news chan struct{} // holds one: wanted was set, or the system was lost

	mu     sync.Mutex
	wanted string
	lost   bool // what the system held is gone

	// Of the loop alone.
	system system
	held   *held
	told   backend.Shortcut
}

// system is how one system gives shortcuts. Its calls come one at a time.
type system interface {
	// take has keys reach VoxPilot, beside what is held already.
	take(ctx context.Context, keys Keys) (release func(), called string, err error)
	close()
}

// held is a shortcut that works.
type held struct {
	keys    Keys
	called  string // as the system calls the keys, where it has its own way
	release func()
}

// errTaken says that another program has the keys.
var errTaken = backend.Problem("another program has these keys")

// impossible says why this desktop lets no program have a global shortcut.
type impossible struct{ why backend.Message }

func (i impossible) Error() string            { return i.why.String() }
func (i impossible) Message() backend.Message { return i.why }

// Start begins without a shortcut: Set gives it one.
func Start(cfg Config) *Hotkey {
	h := &Hotkey{cfg: cfg, done: make(chan struct{}), news: make(chan struct{}, 1)}
	h.ctx, h.end = context.WithCancel(context.Background())
	go h.run()
	return h
}

// Set makes keys the shortcut, written as "Ctrl+Shift+Space"; "" is none. It
// returns at once; what came of it is told to Changed. Where the keys cannot be
// had, those of before go on working. Keys that did not work are tried again.
func (h *Hotkey) Set(keys string) {
	h.mu.Lock()
	h.wanted = keys
	h.mu.Unlock()
	h.wake()
}

// Close gives the shortcut back.
func (h *Hotkey) Close() {
	h.end()
	<-h.done
}

func (h *Hotkey) wake() {
	select {
	case h.news <- struct{}{}:
	default:
	}
}

// gone is called by a system that has lost what it held.
func (h *Hotkey) gone() {
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
		case <-h.news:
		}
		h.mu.Lock()
		wanted, lost := h.wanted, h.lost
		h.lost = false
		h.mu.Unlock()
		if lost {
			h.leave()
		}
		now := h.settle(wanted)
		if h.ctx.Err() == nil && now != h.told {
			h.told = now
			h.cfg.Changed(now)
		}
	}
}

// leave gives back all that the system gave.
func (h *Hotkey) leave() {
	if h.held != nil {
		h.held.release()
	}
	if h.system != nil {
		h.system.close()
	}
	h.held, h.system = nil, nil
}

// settle makes wanted the shortcut, as far as the system lets it.
func (h *Hotkey) settle(wanted string) backend.Shortcut {
	if wanted == "" {
		h.leave()
		return backend.Shortcut{State: backend.ShortcutOff}
	}
	keys, err := Parse(wanted)
	if err == nil && h.held != nil && h.held.keys == keys {
		return h.active(keys)
	}
	if err == nil && h.system == nil {
		h.system, err = open(h.cfg.Pressed, h.gone)
	}
	var release func()
	var called string
	if err == nil {
		release, called, err = h.system.take(h.ctx, keys)
	}
	if err == nil {
		if h.held != nil {
			h.held.release()
		}
		h.held = &held{keys: keys, called: called, release: release}
		return h.active(keys)
	}
	if h.ctx.Err() == nil {
		h.cfg.Log.Warn("the global shortcut does not work", "keys", wanted, "err", err)
	}
	return h.refused(wanted, err)
}

func (h *Hotkey) active(keys Keys) backend.Shortcut {
	called := h.held.called
	if called == "" {
		called = keys.String()
	}
	return backend.Shortcut{Keys: called, State: backend.ShortcutActive, Command: h.cfg.Command}
}

func (h *Hotkey) refused(wanted string, err error) backend.Shortcut {
	says := backend.Shortcut{Keys: wanted, State: backend.ShortcutImpossible, Message: backend.MessageOf(err), Command: h.cfg.Command}
	if errors.Is(err, errTaken) {
		says.State, says.Message = backend.ShortcutTaken, backend.Say("Another program has %s. Choose other keys, or close that program and try again.", wanted)
	}
	if h.held != nil {
		says.Message = backend.Sentences(says.Message, backend.Say("%s goes on working.", h.held.keys.String()))
	}
	return says
}
