package desktop

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	system "runtime"
	"slices"
	"sync"
	"time"

	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"github.com/voxpilot/voxpilot/backend/platform/tray"
	"github.com/voxpilot/voxpilot/internal/atomicfile"
)

// The size of the window, as it is at first and at least.
const (
	firstWidth, firstHeight = 1280, 800
	minWidth, minHeight     = 720, 480
)

// Bounds are the size of the window and its place on the screens.
type Bounds struct {
	X         int  `json:"x"`
	Y         int  `json:"y"`
	Width     int  `json:"width"`
	Height    int  `json:"height"`
	Maximized bool `json:"maximised,omitempty"` // the rest is how it was before
}

// windowPlacement is the window as the desktop has it: how large, where, and whether it is
// seen at all. What the next start needs of it is in a file: it is wanted before
// the database is open.
type windowPlacement struct {
	mu       sync.Mutex
	path     string
	saved    savedPlacement
	hidden   bool
	tray     bool        // one shows VoxPilot's icon
	late     *time.Timer // ends the wait for a tray while the window is hidden
	minimise func()      // shows the window, out of the way
}

// savedPlacement is what the file has.
type savedPlacement struct {
	Bounds
	Placed    bool `json:"placed,omitempty"` // X and Y are known
	HintShown bool `json:"told,omitempty"`   // the user was told where a closed window goes
}

// trayGrace is how long a hidden window waits for a tray: that may be started
// after VoxPilot when the user logs in, or be started again.
var trayGrace = 10 * time.Second

// placementName is the file in the data directory.
const placementName = "window.json"

func (p *windowPlacement) read(dir string) error {
	p.path = filepath.Join(dir, placementName)
	p.saved.Bounds = Bounds{Width: firstWidth, Height: firstHeight}
	text, err := os.ReadFile(p.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var kept savedPlacement
	if err == nil {
		err = json.Unmarshal(text, &kept)
	}
	if err != nil {
		return err
	}
	if kept.Width == 0 || kept.Height == 0 {
		kept.Width, kept.Height = firstWidth, firstHeight
	}
	kept.Width, kept.Height = max(minWidth, kept.Width), max(minHeight, kept.Height)
	p.saved = kept
	return nil
}

// begin is how the window begins.
func (p *windowPlacement) begin() savedPlacement {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.saved
}

// state is how the window fills its screen at the start.
func (k savedPlacement) state() options.WindowStartState {
	if k.Maximized {
		return options.Maximised
	}
	return options.Normal
}

// startHidden has the window begin in the tray.
func (p *windowPlacement) startHidden() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hidden = true
}

// hides says whether a window that is closed goes to the tray. One that is hidden
// has to end when it is told to.
func (p *windowPlacement) hides() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tray && !p.hidden
}

// windowReady is called when there is a window that can be shown by minimise.
func (p *windowPlacement) windowReady(minimise func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.minimise = minimise
	p.wait()
}

// setTrayHosted is told whether a tray shows VoxPilot's icon.
func (p *windowPlacement) setTrayHosted(yes bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tray = yes
	p.wait()
}

// onShown is told that the window is seen.
func (p *windowPlacement) onShown() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hidden = false
	p.wait()
}

// wait gives a hidden window that no tray can bring back a while until it is
// shown among the windows that are minimised.
func (p *windowPlacement) wait() {
	if p.late != nil {
		p.late.Stop()
		p.late = nil
	}
	if p.minimise == nil || !p.hidden || p.tray {
		return
	}
	var late *time.Timer
	late = time.AfterFunc(trayGrace, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.late == late {
			p.late, p.hidden = nil, false
			go p.minimise()
		}
	})
	p.late = late
}

// close ends a wait.
func (p *windowPlacement) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.minimise = nil
	p.wait()
}

// saveBounds keeps the bounds of a window that is seen.
func (p *windowPlacement) saveBounds(b Bounds) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	next := p.saved
	switch {
	case p.hidden:
		return nil
	case b.Maximized:
		next.Maximized = true
	default:
		next.Bounds, next.Placed = b, true
	}
	return p.write(next)
}

// hide notes that the window goes to the tray, and says whether that is the first
// time ever.
func (p *windowPlacement) hide() (first bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hidden = true
	p.wait()
	next := p.saved
	first, next.HintShown = !next.HintShown, true
	return first, p.write(next)
}

func (p *windowPlacement) write(next savedPlacement) error {
	if next == p.saved {
		return nil
	}
	p.saved = next
	return atomicfile.Write(p.path, func(w io.Writer) error { return json.NewEncoder(w).Encode(next) })
}

// hide takes the window away: the tray, a second start and a notification bring
// it back. The first time, the user is told where it went.
func (d *Desktop) hide() {
	first, err := d.placement.hide()
	if err != nil {
		d.API.Log.Warn("that the window went to the tray is not kept", "err", err)
	}
	d.window().Hide()
	if first {
		d.notify(tray.CloseHint(d.tray.state().Language))
	}
}

// onShown is called when the page is on the screen.
func (d *Desktop) onShown() {
	if system.GOOS == "darwin" {
		d.placement.onShown() // a click in the Dock brings it back without us
	}
}

// saveBounds keeps the size and the place of the window for the next start: at its
// end, and now and then before, as a kill leaves no time for it. One
// that is not seen, or fills the screen, says nothing of them.
func (d *Desktop) saveBounds() {
	b, ok := d.window().Bounds()
	if !ok {
		return
	}
	if err := d.placement.saveBounds(b); err != nil {
		d.API.Log.Warn("the place of the window is not kept", "err", err)
	}
}

// windowBounds are those of the window now, where it is as the user made it.
func windowBounds(ctx context.Context) (b Bounds, ok bool) {
	if runtime.WindowIsMinimised(ctx) || runtime.WindowIsFullscreen(ctx) {
		return b, false
	}
	b.Maximized = runtime.WindowIsMaximised(ctx)
	b.Width, b.Height = runtime.WindowGetSize(ctx)
	b.X, b.Y = runtime.WindowGetPosition(ctx)
	return b, b.Width > 0 && b.Height > 0
}

// withPlacement is base with what this file knows of the window, which is put where it
// was.
func (d *Desktop) withPlacement(ctx context.Context, base *Window) *Window {
	show := base.Show
	base.Show = func() {
		d.placement.onShown()
		show()
	}
	restoreWindow(ctx, d.placement.begin())
	d.placement.windowReady(func() {
		runtime.WindowMinimise(ctx)
		runtime.WindowShow(ctx)
	})
	return base
}

// restoreWindow puts the window where it was, if that is on a screen still, and
// makes it no larger than its screen.
func restoreWindow(ctx context.Context, kept savedPlacement) {
	if kept.Placed {
		placeWindow(ctx, kept.Bounds)
	}
	screens, err := runtime.ScreenGetAll(ctx)
	if err != nil || len(screens) == 0 {
		return
	}
	// A window that is not drawn yet is on none of them.
	i := max(0, slices.IndexFunc(screens, func(s runtime.Screen) bool { return s.IsCurrent }))
	if size := screens[i].Size; kept.Width > size.Width || kept.Height > size.Height {
		runtime.WindowSetSize(ctx, min(kept.Width, size.Width), min(kept.Height, size.Height))
		runtime.WindowCenter(ctx)
	}
}
