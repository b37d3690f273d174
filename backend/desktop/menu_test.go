package desktop

import (
	"testing"

	"github.com/wailsapp/wails/v2/pkg/menu"

	"github.com/voxpilot/voxpilot/backend"
)

func TestMenuBar_MacOSShortcutsWork(t *testing.T) {
	w := newAppEnv(t, t.TempDir())
	shown, hides, quits := make(chan struct{}, 1), make(chan struct{}, 1), make(chan struct{}, 1)
	w.changeWindow(func(d *Window) {
		d.Show = func() { shown <- struct{}{} }
		d.Hide = func() { hides <- struct{}{} }
		d.Quit = func() { quits <- struct{}{} }
	})
	for _, other := range []string{"linux", "windows"} {
		if w.d.menuBar(other) != nil {
			t.Errorf("%s has a menu bar", other)
		}
	}
	bar := w.d.menuBar("darwin")
	press := map[string]func(*menu.CallbackData){}
	for _, item := range bar.Items[0].SubMenu.Items {
		if item.Accelerator != nil {
			press[item.Accelerator.Key] = item.Click
		}
	}
	press[","](nil)
	<-shown
	w.WaitFor("the settings are asked for", func(e backend.Event) bool { return e.Navigation != nil && e.Navigation.For == backend.NavigateSettings })
	press["h"](nil)
	<-hides
	press["q"](nil)
	<-quits
	if len(bar.Items) != 3 || bar.Items[1].Role != menu.EditMenuRole || bar.Items[2].Role != menu.WindowMenuRole {
		t.Errorf("the menus are %+v", bar.Items)
	}
}
