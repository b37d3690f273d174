package tray

import (
	"fmt"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/i18n"
)

// messages holds the tray's messages in one language, with the same wording as the window.
type messages struct{ i18n.Catalog }

// CloseHint returns the notification that is shown when the window is hidden in the
// tray for the first time.
func CloseHint(language string) (title, text string) {
	w := i18n.In(language)
	return w.Say("VoxPilot is still running"), w.Say("Your chats keep running. Use the tray icon to open the window again.")
}

var statuses = map[Status]backend.Message{
	NeedsYou: backend.Say("needs you"), Running: backend.Say("running"), Failed: backend.Say("failed"), Finished: backend.Say("finished"),
}

var connections = map[Connection]backend.Message{
	NotRunning: backend.Say("Not running"), Starting: backend.Say("Starting…"), Restoring: backend.Say("Restoring…"), Connected: backend.Say("Connected"),
	Reconnecting: backend.Say("Reconnecting…"), SignInNeeded: backend.Say("Sign-in needed"), Offline: backend.Say("Offline"), Stopped: backend.Say("Stopped"),
}

func (w messages) chat(title string, s Status) string { return title + ": " + w.Text(statuses[s]) }

// count returns text such as "2 running".
func (w messages) count(s Status, n int) string {
	status := statuses[s]
	if s == NeedsYou && n > 1 {
		status = backend.Say("need you")
	}
	return fmt.Sprint(n, " ", w.Text(status))
}

// chats returns text such as "2 chats failed".
func (w messages) chats(s Status, n int) string {
	switch {
	case s != Failed:
		return w.Count(n, "1 chat needs you", "%d chats need you")
	case n == 1:
		return w.Say("%d chat failed", n)
	}
	return w.Say("%s chats failed", fmt.Sprint(n))
}

// comma returns the separator between two parts of a line.
func (w messages) comma() string { return w.Say(", ") }

func (w messages) copilot(c Connection) string { return "Copilot: " + w.Text(connections[c]) }

func (w messages) tip(what string) string { return name + w.comma() + what }
