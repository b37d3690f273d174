// Package export writes a chat to a file that can be read without VoxPilot: Markdown, a self-contained HTML page, or
// JSON for programs.
//
// Bodies are streamed, so that exporting even a large chat needs little memory. The content of a chat can't break
// the format. In HTML, everything is escaped except the Markdown of messages, in which raw HTML, unsafe links and
// images become plain text. In Markdown, each body is in a fence that is longer than any fence in the body.
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

// A Source provides the data of a chat.
type Source struct {
	Chat backend.Chat
	// Language is the language of the file's own text: "en", "de" or "zh".
	Language string
	// Zone is the time zone of the file's times; nil means UTC.
	Zone *time.Location
	// Items calls the function do with each item of a block, in order. parentID is the ID of the block. If parentID is
	// "", Items calls do with the chat's top-level items.
	Items func(parentID string, do func(backend.Item) error) error
	// Contents returns the contents of an item.
	Contents func(itemID string) ([]backend.Content, error)
	// Text writes the text of an item, and Body writes the body of a Content.
	Text func(to io.Writer, itemID string) error
	Body func(to io.Writer, contentID string) error
}

// A Format is a file format.
type Format struct {
	Ending string // file name extension
	write  func(w *bufio.Writer, s Source) error
}

// Formats are the supported formats, by name.
var Formats = map[string]Format{
	"markdown": {".md", writeMarkdown},
	"html":     {".html", writeHTML},
	"json":     {".json", writeJSON},
}

// Write writes the chat that s provides to w, in the format f.
func (f Format) Write(w io.Writer, s Source) error {
	to := bufio.NewWriterSize(w, 64*1024)
	if err := f.write(to, s); err != nil {
		return err
	}
	return to.Flush()
}

// title returns the chat's title on one line, or a default if the title is empty.
func (s Source) title() string {
	return cmp.Or(oneLine(s.Chat.Title), s.messages().Say("Chat"))
}

// header returns the properties of the whole chat, such as its folder.
func (s Source) header() []property {
	w := s.messages()
	return []property{
		{w.Say("Folder"), oneLine(s.Chat.Folder)}, {w.Say("Started"), s.moment(s.Chat.CreatedAt)}, {w.Say("Last activity"), s.moment(s.Chat.UpdatedAt)}, {w.Say("Time zone"), s.zone()},
	}
}

// heading returns an item's heading: its author or kind.
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

// property is a property of a chat or an item, as a name and a value.
type property struct{ name, value string }

// properties returns an item's properties other than its text and contents.
func (m messages) properties(i backend.Item) (list []property) {
	add := func(name, value string) {
		if value != "" {
			list = append(list, property{name, oneLine(value)})
		}
	}
	if t := i.Tool; t != nil {
		add("", t.Title)
		add(m.Say("Command"), t.Command)
		if t.Sandboxed {
			add(m.Say("Ran"), m.Say("in the sandbox"))
		}
		add(m.Say("Blocked sites"), strings.Join(t.Blocked, ", "))
		add(m.Say("Path"), t.Path)
		add(m.Say("To"), t.To)
		add(m.Say("Status"), cmp.Or(m.Text(states[t.Status]), string(t.Status)))
		if t.ExitCode != nil {
			add(m.Say("Exit code"), itoa(*t.ExitCode))
		}
		add(m.Say("Result"), m.Text(t.ResultSummary))
		add(m.Say("Permission"), cmp.Or(m.Text(decisions[t.Decision]), string(t.Decision)))
		if t.WithoutPermission {
			add(m.Say("Permission"), m.Say("Copilot didn't ask for permission"))
		}
	}
	if b := i.Banner; b != nil {
		add("", cmp.Or(m.Text(banners[b.Kind]), strings.ReplaceAll(string(b.Kind), "_", " ")))
		add("", b.From)
		add(m.Say("Session"), b.Session)
		add(m.Say("Detail"), m.Text(b.Detail))
	}
	if b := i.Block; b != nil {
		add("", b.Prompt)
	}
	for _, with := range i.Attachments {
		add(m.Say("Attachment"), with.Name)
	}
	return list
}

// name returns the heading for a Content of an item.
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
	case backend.ContentQuestion:
		return m.Say("Question and answer")
	case backend.ContentText, backend.ContentRaw, backend.ContentNames, backend.ContentRequest, backend.ContentReview:
	}
	return m.Say("Result")
}

// results returns an item's contents, except those that are shown only with its permission requests.
func (s Source) results(itemID string) ([]backend.Content, error) {
	list, err := s.Contents(itemID)
	return slices.DeleteFunc(slices.Clone(list), func(c backend.Content) bool {
		return c.Type == backend.ContentNames || c.Type == backend.ContentRequest
	}), err
}

// contents returns an item's contents and the images sent with it.
func (s Source) contents(i backend.Item) ([]backend.Content, error) {
	list, err := s.results(i.ID)
	for _, with := range i.Attachments {
		if id := with.ContentID; id != "" && !slices.ContainsFunc(list, func(c backend.Content) bool { return c.ID == id }) {
			list = append(list, backend.Content{ID: id, ItemID: i.ID, Type: backend.ContentImage, Mime: with.Mime, Size: with.Size})
		}
	}
	return list, err
}

// mark returns a Markdown checkbox for an entry of a plan. The box is checked if the entry is completed.
func mark(e backend.PlanEntry) string {
	if e.Status == backend.PlanCompleted {
		return "[x] "
	}
	return "[ ] "
}

// oneLine returns text on one line, with spaces instead of line breaks and other control characters. Characters that
// change the text direction, and could disguise a path or a command, are replaced by their code points.
func oneLine(text string) string {
	return directions.Replace(strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "\uFFFD"), func(r rune) bool {
		return r <= ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029
	}), " "))
}

// directions replaces Unicode's bidirectional controls (UAX #9) with their code points.
var directions = func() *strings.Replacer {
	var pairs []string
	for _, r := range "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069" {
		pairs = append(pairs, string(r), fmt.Sprintf("U+%04X", r))
	}
	return strings.NewReplacer(pairs...)
}()

// Jobs keeps track of the running exports, at most one per chat. It is safe for concurrent use.
type Jobs struct {
	mu      sync.Mutex
	end     map[string]context.CancelFunc
	closed  bool
	writing sync.WaitGroup
}

// Begin registers the export of a chat. It returns false if one is already running.
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

// End unregisters the export of a chat and then calls tell, which publishes the result. The next export of the chat
// can't begin until tell has returned, so this result is published before any event of the next export.
func (x *Jobs) End(chatID string, tell func()) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.end, chatID)
	tell()
}

// Cancel cancels the export of a chat, if one is running.
func (x *Jobs) Cancel(chatID string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if end := x.end[chatID]; end != nil {
		end()
	}
}

// Write calls the function do, which writes a file, and returns its error. Close waits until do returns. After
// Close, Write returns context.Canceled without calling do.
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

// Close waits until all running calls to Write have returned. The caller must cancel the exports' context
// first, so that they end soon.
func (x *Jobs) Close() {
	x.mu.Lock()
	x.closed = true
	x.mu.Unlock()
	x.writing.Wait()
}
