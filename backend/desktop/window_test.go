package desktop

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

func TestWindow_CloseHidesToTrayWhileRunning(t *testing.T) {
	w, _ := newRunningAppEnv(t)
	hides := make(chan struct{}, 1)
	w.changeWindow(func(d *Window) { d.Hide = func() { hides <- struct{}{} } })
	w.d.placement.setTrayHosted(true)
	if !w.d.beforeClose(t.Context()) {
		t.Fatal("the window closes")
	}
	<-hides
	for _, e := range w.Events() {
		if e.QuitRequested != nil {
			t.Error("the user is asked whether to quit")
		}
	}
	// A hidden window has no close button, so the request comes from another source and the user is asked.
	shown := make(chan struct{})
	w.changeWindow(func(d *Window) { d.Show = func() { close(shown) } })
	if !w.d.beforeClose(t.Context()) {
		t.Fatal("the window closes")
	}
	<-shown
	w.d.Heartbeat(true)
}

func TestWindow_CloseToTrayIfConfigured(t *testing.T) {
	w := newAppEnv(t, t.TempDir())
	hides := make(chan struct{}, 1)
	w.changeWindow(func(d *Window) { d.Hide = func() { hides <- struct{}{} } })
	s := backend.DefaultSettings()
	s.CloseToTray = true
	if err := w.App.SaveSettings(s); err != nil {
		t.Fatal(err)
	}
	if w.d.beforeClose(t.Context()) {
		t.Error("it stays without a tray, and nothing could bring it back")
	}
	w.d.placement.setTrayHosted(true)
	if !w.d.beforeClose(t.Context()) {
		t.Error("it closes")
	}
	<-hides
	w.d.placement.onShown()
	s.CloseToTray = false
	if err := w.App.SaveSettings(s); err != nil {
		t.Fatal(err)
	}
	if w.d.beforeClose(t.Context()) {
		t.Error("it stays, and the user does not want that")
	}
}

func TestWindow_PositionRestored(t *testing.T) {
	dir := t.TempDir()
	w := newAppEnv(t, dir)
	if got := w.d.placement.begin(); got != (savedPlacement{Bounds: Bounds{Width: 1280, Height: 800}}) {
		t.Errorf("at first it is %+v", got)
	}
	at := Bounds{X: 50, Y: -20, Width: 900, Height: 640}
	w.changeWindow(func(d *Window) { d.Bounds = func() (Bounds, bool) { return at, true } })
	w.d.saveBounds()
	at.Maximized, at.X, at.Y, at.Width, at.Height = true, 0, 0, 2560, 1440 // the previous bounds are preserved
	if w.d.beforeClose(t.Context()) {
		t.Fatal("it does not close")
	}
	w.Close()

	w = newAppEnv(t, dir)
	want := savedPlacement{Bounds: Bounds{X: 50, Y: -20, Width: 900, Height: 640, Maximized: true}, Placed: true}
	if got := w.d.placement.begin(); got != want {
		t.Errorf("it is %+v, not %+v", got, want)
	}
	if first, err := w.d.placement.hide(); !first || err != nil {
		t.Errorf("it hides for the first time: %v, %v", first, err)
	}
	at = Bounds{Width: 100, Height: 100}
	w.changeWindow(func(d *Window) { d.Bounds = func() (Bounds, bool) { return at, true } })
	w.d.saveBounds() // of a hidden window
	w.Close()

	w = newAppEnv(t, dir)
	want.HintShown = true
	if got := w.d.placement.begin(); got != want {
		t.Errorf("it is %+v, not %+v", got, want)
	}
	if first, err := w.d.placement.hide(); first || err != nil {
		t.Errorf("it hides for the first time again: %v, %v", first, err)
	}
}

func TestWindow_InvalidBoundsIgnored(t *testing.T) {
	for text, want := range map[string]Bounds{
		"":                              {Width: firstWidth, Height: firstHeight},
		"no JSON":                       {Width: firstWidth, Height: firstHeight},
		`{"x":1}`:                       {X: 1, Width: firstWidth, Height: firstHeight},
		`{"width":10,"height":-4}`:      {Width: minWidth, Height: minHeight},
		`{"width":"wide","height":100}`: {Width: firstWidth, Height: firstHeight},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, placementName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var f windowPlacement
		_ = f.read(dir) // an error is logged
		if got := f.begin().Bounds; got != want {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
}

func TestWindow_HiddenWithoutTrayMinimizes(t *testing.T) {
	trayGrace = time.Millisecond
	t.Cleanup(func() { trayGrace = 10 * time.Second })
	begin := func() (*windowPlacement, chan struct{}) {
		f := &windowPlacement{path: filepath.Join(t.TempDir(), placementName)}
		t.Cleanup(f.close)
		minimized := make(chan struct{}, 1)
		f.startHidden()
		f.windowReady(func() { minimized <- struct{}{} })
		return f, minimized
	}
	f, minimized := begin() // there was no tray at the start
	<-minimized
	f.setTrayHosted(true)
	if _, err := f.hide(); err != nil {
		t.Fatal(err)
	}
	f.setTrayHosted(false) // the tray ends while the window exists
	<-minimized
	f.setTrayHosted(false)
	select {
	case <-minimized:
		t.Error("a window that is seen is minimized")
	default:
	}
}
