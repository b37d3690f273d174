package tray

import (
	"log/slog"
	"slices"
	"sync"
)

// Config is what a tray needs.
type Config struct {
	// Click is called when the user chooses an entry of the menu. A click on the
	// icon itself is Tap, one of the wheel is QuickPrompt. It must not block.
	Click func(Entry)
	// Hosted is told whether something on the desktop shows the icon, whenever
	// that changes.
	Hosted func(bool)
	// Dir is where the drawings lie for a panel that colours them itself (Linux).
	Dir string
	Log *slog.Logger
}

// appearance is all that a driver shows.
type appearance struct {
	shape   Shape
	tooltip string
	entries []Entry
}

// driver shows a face in the tray of one system.
type driver interface {
	show(appearance)
	close()
}

// Tray is VoxPilot's icon in the tray.
type Tray struct {
	mu     sync.Mutex
	driver driver // nil once it is closed
	last   appearance
}

// Start shows VoxPilot in the tray, if there is one, and keeps it there: where
// the desktop's tray ends and another one begins, the icon goes over to that.
func Start(c Config, s State) *Tray {
	first := appearanceOf(s)
	return &Tray{driver: start(c, first), last: first}
}

// Show has the tray tell s. Where that looks as it did before, nothing is sent
// to the system.
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

// Close takes the icon away. Nothing is called back afterwards, on systems
// where the tray has a thread of its own.
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
