// Package export writes a chat as a file that is read without VoxPilot: as
// Markdown, as a page of HTML that needs nothing else, or as JSON for programs.
//
// Bodies are copied from where they are kept to where they go, piece by piece, so
// that a chat of any size is written in little memory. Nothing that a chat holds
// is taken for a part of the format: in HTML all of it is escaped, in Markdown a
// body stands between fences that are longer than any in it.
package export

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// A Source is what a chat is read from.
type Source struct {
	Chat backend.Chat
	// Items calls do with the items of the transcript, or of the block parentID,
	// in order.
	Items func(parentID string, do func(backend.Item) error) error
	// Contents are those of an item.
	Contents func(itemID string) ([]backend.Content, error)
	// Text and Body write the text of an item, and the body of a content.
	Text func(to io.Writer, itemID string) error
	Body func(to io.Writer, contentID string) error
}

// A Format is a kind of file.
type Format struct {
	Ending string // of its name
	write  func(w *bufio.Writer, s Source) error
}

// Formats are all there are, by name.
var Formats = map[string]Format{
	"markdown": {".md", writeMarkdown},
	"html":     {".html", writeHTML},
	"json":     {".json", writeJSON},
}

// Write writes a chat.
func (f Format) Write(w io.Writer, s Source) error {
	to := bufio.NewWriterSize(w, 64*1024)
	if err := f.write(to, s); err != nil {
		return err
	}
	return to.Flush()
}

// title is what a chat is called.
func title(c backend.Chat) string {
	if c.Title == "" {
		return "Chat"
	}
	return oneLine(c.Title)
}

// moment is a time as it is read anywhere.
func moment(at backend.Millis) string {
	return time.UnixMilli(int64(at)).UTC().Format("2006-01-02 15:04:05") + " UTC"
}

// heading is who or what an item is.
func heading(i backend.Item) string {
	switch i.Kind {
	case backend.ItemUser:
		return "You"
	case backend.ItemMessage:
		return "Answer"
	case backend.ItemThought:
		return "Thought"
	case backend.ItemNote:
		return "Note"
	case backend.ItemTool:
		return "Tool"
	case backend.ItemPlan:
		return "Plan"
	case backend.ItemImage:
		return "Image"
	case backend.ItemBlock:
		if i.Block != nil {
			return "Work for " + oneLine(i.Block.SessionName)
		}
		return "Work"
	case backend.ItemBanner:
		return "Notice"
	}
	return string(i.Kind)
}

// A fact is a line about an item: what it is called, and what it is.
type fact struct{ name, value string }

// facts are what is told of an item besides its text and its contents.
func facts(i backend.Item) (list []fact) {
	add := func(name, value string) {
		if value != "" {
			list = append(list, fact{name, oneLine(value)})
		}
	}
	if t := i.Tool; t != nil {
		add("", t.Title)
		if t.Kind != backend.ToolSearch { // what it looks for is in its title
			add("Command", t.Command)
		}
		add("Path", t.Path)
		add("To", t.To)
		add("Status", string(t.Status))
		if t.ExitCode != nil {
			add("Exit code", itoa(*t.ExitCode))
		}
		add("Result", t.Fact)
	}
	if b := i.Banner; b != nil {
		add("", strings.ReplaceAll(string(b.Kind), "_", " "))
		add("Session", b.Session)
		add("Detail", b.Detail)
	}
	if b := i.Block; b != nil {
		add("", b.Prompt)
	}
	for _, with := range i.With {
		add("With", with.Name)
	}
	return list
}

// name is what a content is.
func name(c backend.Content) string {
	switch c.Type {
	case backend.ContentDiff:
		return "Changes in " + oneLine(c.Path)
	case backend.ContentTerminal:
		return "Output"
	case backend.ContentCommand:
		return "Command"
	case backend.ContentImage:
		return "Image"
	case backend.ContentText, backend.ContentRaw:
	}
	return "Result"
}

// mark is how an entry of a plan stands.
func mark(e backend.PlanEntry) string {
	if e.Status == backend.PlanCompleted {
		return "[x] "
	}
	return "[ ] "
}

// oneLine is text without breaks of lines and without what controls a terminal.
// What changes the direction of text, and could make a path or a command look
// like another one, is shown as what it is.
func oneLine(text string) string {
	return directions.Replace(strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "\uFFFD"), func(r rune) bool {
		return r <= ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029
	}), " "))
}

// directions are the bidirectional controls of Unicode (UAX #9).
var directions = func() *strings.Replacer {
	var pairs []string
	for _, r := range "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069" {
		pairs = append(pairs, string(r), fmt.Sprintf("U+%04X", r))
	}
	return strings.NewReplacer(pairs...)
}()
