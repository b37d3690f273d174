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
	leastWidth, leastHeight = 720, 480
)

// Bounds are the size of the window and its place on the screens.
type Bounds struct {
	X         int  `json:"x"`
	Y         int  `json:"y"`
	Width     int  `json:"width"`
	Height    int  `json:"height"`
	Maximised bool `json:"maximised,omitempty"` // the rest is how it was before
}

// frame is the window as the desktop has it: how large, where, and whether it is
// seen at all. What the next start needs of it is in a file: it is wanted before
// the database is open.
type frame struct {
	mu       sync.Mutex
	path     string
	kept     keptFrame
	hidden   bool
	tray     bool        // one shows VoxPilot's icon
	late     *time.Timer // ends the wait for a tray while the window is hidden
	minimise func()      // shows the window, out of the way
}

// keptFrame is what the file has.
type keptFrame struct {
	Bounds
	Placed bool `json:"placed,omitempty"` // X and Y are known
	Told   bool `json:"told,omitempty"`   // the user was told where a closed window goes
}

// trayGrace is how long a hidden window waits for a tray: that may be started
// after VoxPilot when the user logs in, or be started again.
var trayGrace = 10 * time.Second

// frameName is the file in the data directory.
const frameName = "window.json"

func (f *frame) read(dir string) error {
	f.path = filepath.Join(dir, frameName)
	f.kept.Bounds = Bounds{Width: firstWidth, Height: firstHeight}
	text, err := os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var kept keptFrame
	if err == nil {
		err = json.Unmarshal(text, &kept)
	}
	if err != nil {
		return err
	}
	if kept.Width == 0 || kept.Height == 0 {
		kept.Width, kept.Height = firstWidth, firstHeight
	}
	kept.Width, kept.Height = max(leastWidth, kept.Width), max(leastHeight, kept.Height)
	f.kept = kept
	return nil
}

// begin is how the window begins.
func (f *frame) begin() keptFrame {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.kept
}

// state is how the window fills its screen at the start.
func (k keptFrame) state() options.WindowStartState {
	if k.Maximised {
		return options.Maximised
	}
	return options.Normal
}

// startHidden has the window begin in the tray.
func (f *frame) startHidden() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.hidden = true
}

// hides says whether a window that is closed goes to the tray. One that is hidden
// has to end when it is told to.
func (f *frame) hides() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.tray && !f.hidden
}

// begun is called when there is a window that can be shown by minimise.
func (f *frame) begun(minimise func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.minimise = minimise
	f.wait()
}

// hosted is told whether a tray shows VoxPilot's icon.
func (f *frame) hosted(yes bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tray = yes
	f.wait()
}

// shown is told that the window is seen.
func (f *frame) shown() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.hidden = false
	f.wait()
}

// wait gives a hidden window that no tray can bring back a while until it is
// shown among the windows that are minimised.
func (f *frame) wait() {
	if f.late != nil {
		f.late.Stop()
		f.late = nil
	}
	if f.minimise == nil || !f.hidden || f.tray {
		return
	}
	var late *time.Timer
	late = time.AfterFunc(trayGrace, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.late == late {
			f.late, f.hidden = nil, false
			go f.minimise()
		}
	})
	f.late = late
}

// close ends a wait.
func (f *frame) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.minimise = nil
	f.wait()
}

// keep keeps the bounds of a window that is seen.
func (f *frame) keep(b Bounds) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	next := f.kept
	switch {
	case f.hidden:
		return nil
	case b.Maximised:
		next.Maximised = true
	default:
		next.Bounds, next.Placed = b, true
	}
	return f.write(next)
}

// hide notes that the window goes to the tray, and says whether that is the first
// time ever.
func (f *frame) hide() (first bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.hidden = true
	f.wait()
	next := f.kept
	first, next.Told = !next.Told, true
	return first, f.write(next)
}

func (f *frame) write(next keptFrame) error {
	if next == f.kept {
		return nil
	}
	f.kept = next
	return atomicfile.Write(f.path, func(w io.Writer) error { return json.NewEncoder(w).Encode(next) })
}

// hide takes the window away: the tray, a second start and a notification bring
// it back. The first time, the user is told where it went.
func (d *Desktop) hide() {
	first, err := d.frame.hide()
	if err != nil {
		d.API.Log.Warn("that the window went to the tray is not kept", "err", err)
	}
	d.window().Hide()
	if first {
		d.tell(tray.Stays(d.tray.state().Language))
	}
}

// seen is called when the page is on the screen.
func (d *Desktop) seen() {
	if system.GOOS == "darwin" {
		d.frame.shown() // a click in the Dock brings it back without us
	}
}

// keepWindow keeps the size and the place of the window for the next start: at its
// end, and now and then before, as a kill leaves no time for it. One
// that is not seen, or fills the screen, says nothing of them.
func (d *Desktop) keepWindow() {
	b, ok := d.window().Bounds()
	if !ok {
		return
	}
	if err := d.frame.keep(b); err != nil {
		d.API.Log.Warn("the place of the window is not kept", "err", err)
	}
}

// windowBounds are those of the window now, where it is as the user made it.
func windowBounds(ctx context.Context) (b Bounds, ok bool) {
	if runtime.WindowIsMinimised(ctx) || runtime.WindowIsFullscreen(ctx) {
		return b, false
	}
	b.Maximised = runtime.WindowIsMaximised(ctx)
	b.Width, b.Height = runtime.WindowGetSize(ctx)
	b.X, b.Y = runtime.WindowGetPosition(ctx)
	return b, b.Width > 0 && b.Height > 0
}

// framed is desk with what this file knows of the window, which is put where it
// was.
func (d *Desktop) framed(ctx context.Context, desk *Window) *Window {
	show := desk.Show
	desk.Show = func() {
		d.frame.shown()
		show()
	}
	restoreWindow(ctx, d.frame.begin())
	d.frame.begun(func() {
		runtime.WindowMinimise(ctx)
		runtime.WindowShow(ctx)
	})
	return desk
}

// restoreWindow puts the window where it was, if that is on a screen still, and
// makes it no larger than its screen.
func restoreWindow(ctx context.Context, kept keptFrame) {
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
