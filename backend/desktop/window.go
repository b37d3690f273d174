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
	"sync"
	"time"

	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"github.com/voxpilot/voxpilot/backend/platform/tray"
	"github.com/voxpilot/voxpilot/internal/atomicfile"
)

// The initial and minimum size of the window in pixels.
const (
	firstWidth, firstHeight = 1280, 800
	minWidth, minHeight     = 720, 480
)

// Bounds are the window's size and position.
type Bounds struct {
	X         int  `json:"x"`
	Y         int  `json:"y"`
	Width     int  `json:"width"`
	Height    int  `json:"height"`
	Maximized bool `json:"maximised,omitempty"` // the other fields are the bounds before it was maximized
}

// windowPlacement is the window's placement and visibility. The placement is saved for the next start. It is
// stored in a file because it is needed before the database is open.
type windowPlacement struct {
	mu       sync.Mutex
	path     string
	saved    savedPlacement
	hidden   bool
	tray     bool        // a tray shows VoxPilot's icon
	late     *time.Timer // limits the wait for a tray while the window is hidden
	minimize func()      // shows the window minimized
}

// savedPlacement is the content of the file that stores the window's placement.
type savedPlacement struct {
	Bounds
	Placed    bool `json:"placed,omitempty"` // X and Y are set
	HintShown bool `json:"told,omitempty"`   // the user knows that closing hides the window
}

// trayGrace is the time that a hidden window waits for a tray. The tray may start after VoxPilot at
// login, or may be restarting.
var trayGrace = 10 * time.Second

// placementName is the name of the file in the data directory that stores the window's placement.
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

// begin returns the placement in which the window opens.
func (p *windowPlacement) begin() savedPlacement {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.saved
}

// state returns the initial state of the window.
func (k savedPlacement) state() options.WindowStartState {
	if k.Maximized {
		return options.Maximised
	}
	return options.Normal
}

// startHidden records that the window starts hidden in the tray.
func (p *windowPlacement) startHidden() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hidden = true
}

// hides reports whether closing the window hides it in the tray. A window that is
// already hidden must really close.
func (p *windowPlacement) hides() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tray && !p.hidden
}

// windowReady is called once the window exists. It stores the function minimize, which shows the window minimized.
func (p *windowPlacement) windowReady(minimize func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.minimize = minimize
	p.wait()
}

// setTrayHosted records whether a tray shows VoxPilot's icon.
func (p *windowPlacement) setTrayHosted(yes bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tray = yes
	p.wait()
}

// onShown records that the window is visible.
func (p *windowPlacement) onShown() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hidden = false
	p.wait()
}

// wait starts waiting for a tray if the window is hidden and there is no tray. If none
// appears in time, the window is shown minimized. The caller must hold p.mu.
func (p *windowPlacement) wait() {
	if p.late != nil {
		p.late.Stop()
		p.late = nil
	}
	if p.minimize == nil || !p.hidden || p.tray {
		return
	}
	var late *time.Timer
	late = time.AfterFunc(trayGrace, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.late == late {
			p.late, p.hidden = nil, false
			go p.minimize()
		}
	})
	p.late = late
}

// close stops waiting for a tray.
func (p *windowPlacement) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.minimize = nil
	p.wait()
}

// saveBounds stores the window's bounds, unless the window is hidden. If the window is maximized, saveBounds stores
// only that fact and keeps the stored bounds.
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

// hide records that the window is hidden in the tray, and reports whether it is hidden for the first time ever.
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

// hide hides the window. The tray, a second launch of VoxPilot or a notification can show it again. The
// first time, a notification explains this.
func (d *Desktop) hide() {
	first, err := d.placement.hide()
	if err != nil {
		d.API.Log.Warn("couldn't save that the tray hint was shown", "err", err)
	}
	d.window().Hide()
	if first {
		d.notify(tray.CloseHint(d.tray.state().Language))
	}
}

// onShown is called when the page reports that it is visible.
func (d *Desktop) onShown() {
	if system.GOOS == "darwin" {
		d.placement.onShown() // a click in the Dock shows the window without a call of Window.Show
	}
}

// saveBounds saves the window's bounds for the next start. It is called when the app
// closes, and occasionally before that because the process may be killed. Minimized and
// full-screen windows are ignored.
func (d *Desktop) saveBounds() {
	b, ok := d.window().Bounds()
	if !ok {
		return
	}
	if err := d.placement.saveBounds(b); err != nil {
		d.API.Log.Warn("couldn't save the window position", "err", err)
	}
}

// windowBounds returns the current bounds of the window. ok is false if the window is minimized, in full screen or
// without a size.
func windowBounds(ctx context.Context) (b Bounds, ok bool) {
	if runtime.WindowIsMinimised(ctx) || runtime.WindowIsFullscreen(ctx) {
		return b, false
	}
	b.Maximized = runtime.WindowIsMaximised(ctx)
	b.Width, b.Height = runtime.WindowGetSize(ctx)
	b.X, b.Y = runtime.WindowGetPosition(ctx)
	return b, b.Width > 0 && b.Height > 0
}

// withPlacement restores the window's placement and returns base with a Show function
// that also records that the window is visible.
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
