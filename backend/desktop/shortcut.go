package desktop

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/overview"
	"github.com/voxpilot/voxpilot/backend/platform/hotkey"
)

// startHotkey keeps the quick prompt's global shortcut registered, as set in the settings, until the
// app closes.
func (d *Desktop) startHotkey() {
	h := hotkey.Start(hotkey.Config{
		Pressed: func() {
			go func() {
				if err := d.QuickPrompt(); err != nil {
					d.API.Log.Warn("couldn't open the quick prompt", "err", err)
				}
			}()
		},
		Changed: func(s backend.Shortcut) { d.state.change(func(d *backend.Desktop) { d.Shortcut = s }) },
		Command: quickCommand(),
		Log:     d.API.Log,
	})
	d.API.Overview.Follow(func(now overview.State, e backend.Event) {
		if begun := now.Chats != nil; begun && (e == backend.Event{} || e.Settings != nil) {
			h.Set(now.Settings.Shortcut)
		}
	})
	context.AfterFunc(d.API.Life, h.Close)
}

// quickCommand returns the command that opens the quick prompt from a terminal or from a desktop's
// keyboard settings. A desktop may use a different PATH than a terminal, so the command contains the
// program's full path unless the program is in this process's PATH.
func quickCommand() string {
	self, err := os.Executable()
	if err != nil {
		return "voxpilot quick"
	}
	if found, err := exec.LookPath(filepath.Base(self)); err == nil && sameFile(found, self) {
		return filepath.Base(self) + " quick"
	}
	if strings.ContainsAny(self, " '") {
		self = `"` + self + `"`
	}
	return self + " quick"
}

func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}
