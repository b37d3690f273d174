package desktop

import (
	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/i18n"
)

// menuTitles are those of the menu bar of macOS, in one order. Where the page, the tray or
// a notification say the same, they say it in the same words.
var menuTitles = []backend.Message{
	backend.Say("Settings…"), backend.Say("Hide VoxPilot"), backend.Say("Quit VoxPilot"), backend.Say("Edit"), backend.Say("Undo"),
	backend.Say("Redo"), backend.Say("Cut"), backend.Say("Copy"), backend.Say("Paste"), backend.Say("Paste and Match Style"),
	backend.Say("Delete"), backend.Say("Select All"), backend.Say("Speech"), backend.Say("Start Speaking"),
	backend.Say("Stop Speaking"), backend.Say("Window"), backend.Say("Minimize"), backend.Say("Zoom"), backend.Say("Full Screen"),
}

// titlesIn are the titles in a language.
func titlesIn(language string) (list []string) {
	for _, title := range menuTitles {
		list = append(list, i18n.In(language).Text(title))
	}
	return list
}

// messages are those of the language of the settings, or else of the window.
func (d *Desktop) messages() i18n.Catalogue { return i18n.In(d.tray.state().Language) }

// quitQuestion asks whether to quit while chats are at work.
func quitQuestion(chats int) backend.Message {
	run := backend.Count(chats, "1 chat is still running.", "%d chats are still running.")
	return backend.Sentences(run, backend.Say("Quit anyway?"))
}
