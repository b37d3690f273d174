// Package export writes a chat as a file that is read without VoxPilot: as
// Markdown, as a page of HTML that needs nothing else, or as JSON for programs.
//
// Bodies are copied from where they are kept to where they go, piece by piece, so
// that a chat of any size is written in little memory. Nothing that a chat holds
// is taken for a part of the format: in HTML all of it is escaped but the Markdown
// of what was said, of which no HTML, no address that runs anything and no image is
// taken over; in Markdown a body stands between fences that are longer than any in
// it.
package export

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// A Source is what a chat is read from.
type Source struct {
	Chat backend.Chat
	// Language is the one of the file's own words: "en", "de" or "zh".
	Language string
	// Zone is that of its times; nil is UTC.
	Zone *time.Location
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
func (s Source) title() string {
	return cmp.Or(oneLine(s.Chat.Title), s.messages().Say("Chat"))
}

// header is what is told of a chat as a whole.
func (s Source) header() []property {
	w := s.messages()
	return []property{
		{w.Say("Folder"), oneLine(s.Chat.Folder)}, {w.Say("Started"), s.moment(s.Chat.CreatedAt)}, {w.Say("Last activity"), s.moment(s.Chat.UpdatedAt)}, {w.Say("Time zone"), s.zone()},
	}
}

// heading is who or what an item is.
func (m messages) heading(i backend.Item) string {
	switch i.Kind {
	case backend.ItemUser:
		return m.Say("You")
	case backend.ItemMessage:
		return m.Say("Answer")
	case backend.ItemThought:
		return m.Say("Thought")
	case backend.ItemNote:
		return m.Say("Note")
	case backend.ItemTool:
		return m.Say("Tool")
	case backend.ItemPlan:
		return m.Say("Plan")
	case backend.ItemImage:
		return m.Say("Image")
	case backend.ItemBlock:
		if i.Block != nil {
			return m.Say("Task for %s", oneLine(i.Block.SessionName))
		}
		return m.Say("Task")
	case backend.ItemBanner:
		return m.Say("Notice")
	}
	return string(i.Kind)
}

// A fact is a line about an item: what it is called, and what it is.
type property struct{ name, value string }

// properties are what is told of an item besides its text and its contents.
func (m messages) properties(i backend.Item) (list []property) {
	add := func(name, value string) {
		if value != "" {
			list = append(list, property{name, oneLine(value)})
		}
	}
	if t := i.Tool; t != nil {
		add("", t.Title)
		add(m.Say("Command"), t.Command)
		add(m.Say("Path"), t.Path)
		add(m.Say("To"), t.To)
		add(m.Say("Status"), cmp.Or(m.Text(states[t.Status]), string(t.Status)))
		if t.ExitCode != nil {
			add(m.Say("Exit code"), itoa(*t.ExitCode))
		}
		add(m.Say("Result"), t.ResultSummary.String())
		add(m.Say("Permission"), cmp.Or(m.Text(decisions[t.Decision]), string(t.Decision)))
		if t.WithoutPermission {
			add(m.Say("Permission"), m.Say("Copilot didn't ask"))
		}
	}
	if b := i.Banner; b != nil {
		add("", cmp.Or(m.Text(banners[b.Kind]), strings.ReplaceAll(string(b.Kind), "_", " ")))
		add(m.Say("Session"), b.Session)
		add(m.Say("Detail"), b.Detail.String())
	}
	if b := i.Block; b != nil {
		add("", b.Prompt)
	}
	for _, with := range i.Attachments {
		add(m.Say("Attachment"), with.Name)
	}
	return list
}

// name is what a content is.
func (m messages) name(c backend.Content) string {
	switch c.Type {
	case backend.ContentDiff:
		return m.Say("Changes in %s", oneLine(c.Path))
	case backend.ContentTerminal:
		return m.Say("Output")
	case backend.ContentCommand:
		return m.Say("Command")
	case backend.ContentImage:
		return m.Say("Image")
	case backend.ContentText, backend.ContentRaw, backend.ContentNames, backend.ContentRequest:
	}
	return m.Say("Result")
}

// results are the contents of an item without those that are of its requests alone.
func (s Source) results(itemID string) ([]backend.Content, error) {
	list, err := s.Contents(itemID)
	return slices.DeleteFunc(slices.Clone(list), func(c backend.Content) bool {
		return c.Type == backend.ContentNames || c.Type == backend.ContentRequest
	}), err
}

// contents are those of an item, and the images that were sent with it.
func (s Source) contents(i backend.Item) ([]backend.Content, error) {
	list, err := s.results(i.ID)
	for _, with := range i.Attachments {
		if id := with.ContentID; id != "" && !slices.ContainsFunc(list, func(c backend.Content) bool { return c.ID == id }) {
			list = append(list, backend.Content{ID: id, ItemID: i.ID, Type: backend.ContentImage, Mime: with.Mime, Size: with.Size})
		}
	}
	return list, err
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

// Jobs are the exports under way, by chat.
type Jobs struct {
	mu      sync.Mutex
	end     map[string]context.CancelFunc
	closed  bool
	writing sync.WaitGroup
}

// Begin is false where the chat is being exported.
func (x *Jobs) Begin(chatID string, end context.CancelFunc) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.end[chatID] != nil {
		return false
	}
	if x.end == nil {
		x.end = map[string]context.CancelFunc{}
	}
	x.end[chatID] = end
	return true
}

// End calls tell, which says how the export of the chat ended. Whoever has heard
// that can begin the next one, whose news come after it.
func (x *Jobs) End(chatID string, tell func()) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.end, chatID)
	tell()
}

// Cancel ends the export of a chat, if there is one.
func (x *Jobs) Cancel(chatID string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if end := x.end[chatID]; end != nil {
		end()
	}
}

// Write calls do, which Close waits for. Once closed, nothing is written.
func (x *Jobs) Write(do func() error) error {
	x.mu.Lock()
	if x.closed {
		x.mu.Unlock()
		return context.Canceled
	}
	x.writing.Add(1)
	x.mu.Unlock()
	defer x.writing.Done()
	return do()
}

// Close waits until what was being written is whole or gone; it is for an engine
// whose context has ended.
func (x *Jobs) Close() {
	x.mu.Lock()
	x.closed = true
	x.mu.Unlock()
	x.writing.Wait()
}
