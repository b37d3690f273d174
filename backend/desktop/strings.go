package desktop

import (
	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/i18n"
)

// menuTitles are the titles in the macOS menu bar, in a fixed order. They use the same
// wording as the page, the tray and notifications.
var menuTitles = []backend.Message{
	backend.Say("Settings…"), backend.Say("Hide VoxPilot"), backend.Say("Quit VoxPilot"), backend.Say("Edit"), backend.Say("Undo"),
	backend.Say("Redo"), backend.Say("Cut"), backend.Say("Copy"), backend.Say("Paste"), backend.Say("Paste and Match Style"),
	backend.Say("Delete"), backend.Say("Select All"), backend.Say("Speech"), backend.Say("Start Speaking"),
	backend.Say("Stop Speaking"), backend.Say("Window"), backend.Say("Minimize"), backend.Say("Zoom"), backend.Say("Full Screen"),
}

// titlesIn returns menuTitles in the given language.
func titlesIn(language string) (list []string) {
	for _, title := range menuTitles {
		list = append(list, i18n.In(language).Text(title))
	}
	return list
}

// messages returns the message catalog in the language chosen in the settings, or else
// in the window's language.
func (d *Desktop) messages() i18n.Catalog { return i18n.In(d.tray.state().Language) }

// quitQuestion returns the message that asks whether to quit while chats are running.
func quitQuestion(chats int) backend.Message {
	run := backend.Count(chats, "1 chat is still running.", "%d chats are still running.")
	return backend.Sentences(run, backend.Say("Quit anyway?"))
}
