package main

import (
	"github.com/wailsapp/wails/v2/pkg/menu"
	"github.com/wailsapp/wails/v2/pkg/menu/keys"

	"github.com/voxpilot/voxpilot/backend"
)

// menuBar is what macOS has at the top of the screen: without it, the keys that
// copy, paste and quit would do nothing there. Other systems have none. Wails' own
// entry that quits closes the window, which may hide it; this one quits.
func (a *App) menuBar(system string) *menu.Menu {
	if system != "darwin" {
		return nil
	}
	bar := menu.NewMenu()
	app := bar.AddSubmenu("VoxPilot") // macOS puts the app's name there
	entry := func(m *menu.Menu, label, key string, do func()) {
		m.AddText(label, keys.CmdOrCtrl(key), func(*menu.CallbackData) { go do() })
	}
	entry(app, "Settings…", ",", func() { a.showAsked(backend.Asked{For: backend.AskedSettings}) })
	app.AddSeparator()
	entry(app, "Hide VoxPilot", "h", func() { a.desktop().hide() })
	app.AddSeparator()
	entry(app, "Quit VoxPilot", "q", a.askedToQuit)
	bar.Append(menu.EditMenu())
	bar.Append(menu.WindowMenu())
	return bar
}
