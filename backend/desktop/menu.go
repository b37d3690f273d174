package desktop

import (
	"slices"

	"github.com/wailsapp/wails/v2/pkg/menu"
	"github.com/wailsapp/wails/v2/pkg/menu/keys"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/i18n"
)

// menuBar returns the macOS menu bar, or nil on other systems. Without a menu bar, the shortcuts for copy, paste
// and quit wouldn't work on macOS. The bar's Quit entry quits the app. Wails' own entry would only close the
// window, which may be hidden instead. setMenuLanguage translates the bar once the language is known.
func (d *Desktop) menuBar(system string) *menu.Menu {
	if system != "darwin" {
		return nil
	}
	english := i18n.In("en")
	bar := menu.NewMenu()
	app := bar.AddSubmenu("VoxPilot") // macOS shows the app's name instead
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

// setMenuLanguage translates the menu bar from one language to another.
func (d *Desktop) setMenuLanguage(from, to string) {
	if from, to := titlesIn(from), titlesIn(to); !slices.Equal(from, to) {
		d.window().Retitle(from, to)
	}
}
