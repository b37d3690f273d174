package notify

import (
	"fmt"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/i18n"
)

// Language is a language for notifications. As in backend.Settings, it is "en", "de" or "zh"; any other value is
// treated as English.
type Language string

// messages holds the messages of notifications in one language.
type messages struct{ i18n.Catalog }

// Changed summarizes changed files: "+48 −12 in 3 files".
func Changed(added, removed, files int, in Language) string {
	return fmt.Sprintf("+%d −%d%s", added, removed, i18n.In(in).Count(files, " in 1 file", " in %d files"))
}

// all returns the title of a notice about n chats that have an event of the kind k.
func (w messages) all(k kind, n int) string {
	switch k {
	case finished:
		return w.Count(n, "1 chat is finished", "%d chats are finished")
	case failed:
		return w.Count(n, "1 chat failed", "%d chats failed")
	default:
		return w.Count(n, "1 chat needs you", "%d chats need you")
	}
}

// action describes the requested action on a file, or returns "" for an unknown action.
func (w messages) action(ask backend.Permission, file string) string {
	switch {
	case ask.Creates:
		return w.Say("Create %s", file)
	case ask.Kind == backend.ToolEdit:
		return w.Say("Edit %s", file)
	case ask.Kind == backend.ToolDelete:
		return w.Say("Delete %s", file)
	case ask.Kind == backend.ToolRead, ask.Kind == backend.ToolSearch:
		return w.Say("Read %s", file)
	}
	return ""
}

// reason returns the reason why an answer failed. A message without a key comes from
// another program and is usually in English, so it isn't shown in other languages.
func (w messages) reason(why backend.Message) string {
	switch {
	case why.IsZero():
		return w.Say("The answer was interrupted.")
	case why.Key() == "" && !w.IsEnglish():
		return w.Say("Open the chat to see why.")
	}
	return w.Text(why)
}
