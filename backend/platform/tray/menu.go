// Package tray shows VoxPilot's icon in the system tray. The icon's shape, tooltip and menu are derived from a State,
// independently of the system. Each system has a driver that shows them.
//
// On Linux, the package has its own driver based on D-Bus (StatusNotifierItem). This driver provides the icon by name
// as well as in pixels, so that panels can draw it in their own color and at full resolution. Windows and macOS use
// fyne.io/systray.
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

// State is the information that the tray shows.
type State struct {
	Language     string // "en", "de" or "zh"
	Chats        []Chat
	Copilot      Connection
	Muted        bool
	StartAtLogin bool
}

// Chat is a chat listed in the menu.
type Chat struct {
	ID     string
	Title  string
	Status Status
	Since  backend.Millis // start of the status
}

// Status is the reason why a chat is in the menu. The menu lists the chats in the order of the statuses.
type Status int

// The statuses.
const (
	NeedsYou Status = iota
	Running
	Failed
	Finished // a turn ended, and the user hasn't viewed the chat since
)

// Connection is the state of the connection to Copilot across all chats.
type Connection int

// The connection states, named as in the window.
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

// Command is the action of a menu entry.
type Command string

// The commands.
const (
	Tap          Command = "tap"  // a click on the icon
	OpenChat     Command = "chat" // uses Entry.ChatID
	QuickPrompt  Command = "quick"
	NewChat      Command = "new"
	Open         Command = "open"
	Reconnect    Command = "reconnect"
	Mute         Command = "mute"
	StartAtLogin Command = "login"
	Settings     Command = "settings"
	Quit         Command = "quit"
)

// Entry is a menu entry: an action if Do is set, plain text if only Label is set, or else a separator.
type Entry struct {
	Do      Command
	ChatID  string
	Label   string
	Check   bool // has a check mark
	Checked bool
}

// Shape selects one of the icons. The icons differ in shape, because trays may recolor them.
type Shape string

// The shapes.
const (
	ShapeIdle     Shape = "idle"
	ShapeRunning  Shape = "running"
	ShapeNeedsYou Shape = "needs-you"
	ShapeFailed   Shape = "failed"
	ShapeOffline  Shape = "offline"
)

// MaxChats is the maximum number of chats in the menu.
const MaxChats = 6

// maxTitle is the maximum length of a title in the menu, in characters.
const maxTitle = 44

// Menu returns the menu for a state, from top to bottom.
func Menu(s State) []Entry {
	w := messages{i18n.In(s.Language)}
	entries := []Entry{{Label: headline(w, s)}}
	chats := slices.Clone(s.Chats)
	slices.SortFunc(chats, func(a, b Chat) int {
		return cmp.Or(cmp.Compare(a.Status, b.Status), cmp.Compare(b.Since, a.Since), cmp.Compare(a.ID, b.ID))
	})
	more := max(0, len(chats)-MaxChats)
	for _, chat := range chats[:len(chats)-more] {
		title := cmp.Or(short(chat.Title), w.Say("New chat")) // for an untitled chat
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

// headline returns the first line of the menu, with the number of chats by status: "2 running, 1 needs you".
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

// Icon returns the shape for a state. States that block the user's work take precedence over progress.
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

// Tooltip returns the icon's description.
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

// name is VoxPilot's name in all languages.
const name = "VoxPilot"

func (s State) count(status Status) (n int) {
	for _, chat := range s.Chats {
		if chat.Status == status {
			n++
		}
	}
	return n
}

// short returns a title on one line, truncated to maxTitle and without characters that
// are invisible or change the text direction.
func short(title string) string {
	title = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), r == '\u2800': // Braille's blank pattern
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

// entryKeys returns the names of the menu slots in which the entries are shown. It is for menus that create all slots
// once and then only show and hide them. There is one slot per command, per chat position, per text and per separator.
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
		default: // the headline, the number of further chats, and Copilot's state
			places[i] = "part " + strconv.Itoa(part) + " " + strconv.FormatBool(chats > 0)
		}
	}
	return places
}
