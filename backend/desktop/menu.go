package desktop

import (
	"slices"

	"github.com/wailsapp/wails/v2/pkg/menu"
	"github.com/wailsapp/wails/v2/pkg/menu/keys"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/i18n"
)

// menuBar is what macOS has at the top of the screen: without it, the keys that
// copy, paste and quit would do nothing there. Other systems have none. Wails' own
// entry that quits closes the window, which may hide it; this one quits. It is made
// before the language is known, and gets its titles in that one by setMenuLanguage.
func (d *Desktop) menuBar(system string) *menu.Menu {
	if system != "darwin" {
		return nil
	}
	english := i18n.In("en")
	bar := menu.NewMenu()
	app := bar.AddSubmenu("VoxPilot") // macOS puts the app's name there
	entry := func(m *menu.Menu, label, key string, do func()) {
		m.AddText(label, keys.CmdOrCtrl(key), func(*menu.CallbackData) { go do() })
	}
	entry(app, english.Say("Settings…"), ",", func() { d.Navigate(backend.Navigation{For: backend.NavigateSettings}) })
	app.AddSeparator()
	entry(app, english.Say("Hide VoxPilot"), "h", func() { d.window().Hide() })
	app.AddSeparator()
	entry(app, english.Say("Quit VoxPilot"), "q", d.requestQuit)
	bar.Append(menu.EditMenu())
	bar.Append(menu.WindowMenu())
	return bar
}

// setMenuLanguage has the menu bar in another language.
func (d *Desktop) setMenuLanguage(from, to string) {
	if from, to := titlesIn(from), titlesIn(to); !slices.Equal(from, to) {
		d.window().Retitle(from, to)
	}
}
