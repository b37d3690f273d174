package tray

import (
	"log/slog"
	"slices"
	"sync"
)

// Config is the configuration of a tray.
type Config struct {
	// Click is called with the menu entry that the user has selected. For a click on the icon, it is called with an
	// entry for Tap, and for a middle click on Linux, with one for QuickPrompt. It must not block.
	Click func(Entry)
	// Hosted is called with true when the desktop starts showing the icon, and with false when it stops.
	Hosted func(bool)
	// Dir is the folder to which the icons are written on Linux. Panels that recolor icons read them from it.
	Dir string
	Log *slog.Logger
}

// appearance is everything that a driver shows.
type appearance struct {
	shape   Shape
	tooltip string
	entries []Entry
}

// driver shows an appearance in one system's tray.
type driver interface {
	show(appearance)
	close()
}

// Tray is VoxPilot's icon in the tray.
type Tray struct {
	mu     sync.Mutex
	driver driver // nil once closed
	last   appearance
}

// Start shows VoxPilot's icon in the tray, if the desktop has one. If the desktop's tray restarts, the icon is added
// again.
func Start(c Config, s State) *Tray {
	first := appearanceOf(s)
	return &Tray{driver: start(c, first), last: first}
}

// Show updates the tray. It does nothing if the appearance is unchanged.
func (t *Tray) Show(s State) {
	next := appearanceOf(s)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.driver == nil || next.equal(t.last) {
		return
	}
	t.last = next
	t.driver.show(next)
}

// Close removes the icon, except on macOS, where it remains until the process exits. A click that arrived
// before Close may still call Config.Click afterward.
func (t *Tray) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.driver != nil {
		t.driver.close()
		t.driver = nil
	}
}

func appearanceOf(s State) appearance {
	return appearance{shape: Icon(s), tooltip: Tooltip(s), entries: Menu(s)}
}

func (f appearance) equal(g appearance) bool {
	return f.shape == g.shape && f.tooltip == g.tooltip && slices.Equal(f.entries, g.entries)
}
