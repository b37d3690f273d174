// Package tray is VoxPilot's icon in the tray of the system: what it looks like,
// what it says, and the menu under it. What these are is decided here without
// any system, from a State; a driver for each system shows it.
//
// Linux has a driver of its own, on D-Bus (StatusNotifierItem): there, the icon
// has a name as well as pixels, so that a panel draws it in its own colour and
// as sharp as its screen. Windows and macOS use fyne.io/systray.
package tray

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/i18n"
)

// State is what the tray tells.
type State struct {
	Language     string // "en", "de" or "zh"
	Chats        []Chat
	Copilot      Connection
	Muted        bool
	StartAtLogin bool
}

// Chat is a chat that the user may want to look at.
type Chat struct {
	ID     string
	Title  string
	Status Status
	Since  backend.Millis // when the status began
}

// Status is why a chat is in the menu. The chats stand in this order.
type Status int

// The reasons.
const (
	NeedsYou Status = iota
	Running
	Failed
	Finished // and nobody has looked since
)

// Connection is how Copilot is connected, over all chats.
type Connection int

// The connections, by what they are called in the window too.
const (
	NotRunning Connection = iota
	Starting
	Restoring
	Connected
	Reconnecting
	SignInNeeded
	Offline
	Stopped
)

// Command is what an entry of the menu does.
type Command string

// The commands.
const (
	Tap          Command = "tap"  // a click on the icon itself
	OpenChat     Command = "chat" // Entry.ChatID
	QuickPrompt  Command = "quick"
	NewChat      Command = "new"
	Open         Command = "open"
	Reconnect    Command = "reconnect"
	Mute         Command = "mute"
	StartAtLogin Command = "login"
	Settings     Command = "settings"
	Quit         Command = "quit"
)

// Entry is an entry of the menu: one with a Command does something, one with a
// Label alone says something, and one with neither is a line.
type Entry struct {
	Do      Command
	ChatID  string
	Label   string
	Check   bool // it can be checked
	Checked bool
}

// Shape is one of the icons. Each is another shape: colour says nothing in a tray.
type Shape string

// The shapes.
const (
	ShapeIdle     Shape = "idle"
	ShapeRunning  Shape = "running"
	ShapeNeedsYou Shape = "needs-you"
	ShapeFailed   Shape = "failed"
	ShapeOffline  Shape = "offline"
)

// MaxChats is how many chats the menu shows.
const MaxChats = 6

// maxTitle is how much of a title the menu shows, in characters.
const maxTitle = 44

// Menu is the menu of a state, from top to bottom.
func Menu(s State) []Entry {
	w := messages{i18n.In(s.Language)}
	entries := []Entry{{Label: headline(w, s)}}
	chats := slices.Clone(s.Chats)
	slices.SortFunc(chats, func(a, b Chat) int {
		return cmp.Or(cmp.Compare(a.Status, b.Status), cmp.Compare(b.Since, a.Since), cmp.Compare(a.ID, b.ID))
	})
	more := max(0, len(chats)-MaxChats)
	for _, chat := range chats[:len(chats)-more] {
		title := cmp.Or(short(chat.Title), w.Say("New chat")) // one that has no name yet
		entries = append(entries, Entry{Do: OpenChat, ChatID: chat.ID, Label: w.chat(title, chat.Status)})
	}
	if more > 0 {
		entries = append(entries, Entry{Label: w.Say("and %d more", more)})
	}
	return append(
		entries,
		Entry{},
		Entry{Do: QuickPrompt, Label: w.Say("Quick prompt…")},
		Entry{Do: NewChat, Label: w.Say("New chat")},
		Entry{Do: Open, Label: w.Say("Open VoxPilot")},
		Entry{},
		Entry{Label: w.copilot(s.Copilot)},
		Entry{Do: Reconnect, Label: w.Say("Reconnect Copilot")},
		Entry{Do: Mute, Label: w.Say("Mute notifications"), Check: true, Checked: s.Muted},
		Entry{Do: StartAtLogin, Label: w.Say("Start at login"), Check: true, Checked: s.StartAtLogin},
		Entry{},
		Entry{Do: Settings, Label: w.Say("Settings…")},
		Entry{Do: Quit, Label: w.Say("Quit VoxPilot")},
	)
}

// headline counts the chats: "2 running, 1 needs you".
func headline(w messages, s State) string {
	var parts []string
	for _, status := range []Status{Running, NeedsYou, Failed, Finished} {
		if n := s.count(status); n > 0 {
			parts = append(parts, w.count(status, n))
		}
	}
	if len(parts) == 0 {
		return w.Say("Nothing is running")
	}
	return strings.Join(parts, w.comma())
}

// Icon is the shape of a state: what keeps the user's work from going on comes
// before what merely goes on.
func Icon(s State) Shape {
	switch {
	case s.count(NeedsYou) > 0 || s.Copilot == SignInNeeded:
		return ShapeNeedsYou
	case s.Copilot == Offline:
		return ShapeOffline
	case s.count(Failed) > 0 || s.Copilot == Stopped:
		return ShapeFailed
	case s.count(Running) > 0:
		return ShapeRunning
	}
	return ShapeIdle
}

// Tooltip says what the icon shows.
func Tooltip(s State) string {
	w := messages{i18n.In(s.Language)}
	switch Icon(s) {
	case ShapeNeedsYou:
		if n := s.count(NeedsYou); n > 0 {
			return w.tip(w.chats(NeedsYou, n))
		}
		return w.tip(w.Say("sign-in needed"))
	case ShapeOffline:
		return w.tip(w.Say("offline"))
	case ShapeFailed:
		if n := s.count(Failed); n > 0 {
			return w.tip(w.chats(Failed, n))
		}
		return w.tip(w.Say("Copilot has stopped"))
	case ShapeRunning:
		return w.tip(w.count(Running, s.count(Running)))
	case ShapeIdle:
	}
	return name
}

// name is what VoxPilot is called in every language.
const name = "VoxPilot"

func (s State) count(status Status) (n int) {
	for _, chat := range s.Chats {
		if chat.Status == status {
			n++
		}
	}
	return n
}

// short is a title on one line of bounded length, without characters that turn
// text around or do not show.
func short(title string) string {
	title = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), r == '\u2800': // the empty cell of Braille
			return ' '
		case !unicode.IsPrint(r), unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
			return -1
		}
		return r
	}, title)
	title = strings.Join(strings.Fields(title), " ")
	if runes := []rune(title); len(runes) > maxTitle {
		return strings.TrimSpace(string(runes[:maxTitle-1])) + "…"
	}
	return title
}

// entryKeys names the place of every entry of a menu whose places are fixed: one
// for each command, one for each of the first chats, and one for each thing that
// is only said. Lines are always there.
func entryKeys(entries []Entry) []string {
	places := make([]string, len(entries))
	chats, part := 0, 0
	for i, e := range entries {
		switch {
		case e.Do == OpenChat:
			places[i] = "chat " + strconv.Itoa(chats)
			chats++
		case e.Do != "":
			places[i] = string(e.Do)
		case e.Label == "":
			part, chats = part+1, 0
			places[i] = "line " + strconv.Itoa(part)
		default: // the headline, what is left out of the chats, and Copilot
			places[i] = "part " + strconv.Itoa(part) + " " + strconv.FormatBool(chats > 0)
		}
	}
	return places
}
