package otherprograms

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/diff"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// rows converts the entries of a conversation to the rows of a chat. The IDs of rows depend only on the chat and their
// position, so that reading the same conversation again gives the same rows.
type rows struct {
	chat   backend.Chat
	commit func([]backend.Event) error

	batch    []backend.Event
	bytes    int // of the texts and bodies in batch
	count    int // rows so far
	messages int
	unknown  int // skipped records
	damaged  int // skipped records that can't be read

	at    backend.Millis // time of the newest entry
	turn  backend.Turn   // the open one; its ID is "" if there is none
	plan  backend.Item   // of the open turn; its ID is "" if there is none
	calls map[string]*call
	order []string // IDs of the calls, oldest first

	progress func(read int64)
}

// call is a tool call of the open turn.
type call struct {
	item     backend.Item
	diffs    []diff.Diff     // shown if the call succeeds
	contents map[string]bool // by key
}

// Limits of a batch of events.
const (
	maxBatch      = 200
	maxBatchBytes = 2 << 20
)

// idOf returns an ID that depends only on the given parts.
func idOf(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:])[:26])
}

func (r *rows) id() string {
	r.count++
	return idOf("row", r.chat.ID, strconv.Itoa(r.count))
}

func (r *rows) put(events ...backend.Event) error {
	r.batch = append(r.batch, events...)
	for _, e := range events {
		switch {
		case e.Text != nil:
			r.bytes += len(e.Text.Text)
		case e.Content != nil:
			r.bytes += len(e.Content.Body)
		}
	}
	if len(r.batch) < maxBatch && r.bytes < maxBatchBytes {
		return nil
	}
	return r.flush()
}

func (r *rows) flush() error {
	if len(r.batch) == 0 {
		return nil
	}
	batch := r.batch
	r.batch, r.bytes = nil, 0
	return r.commit(batch)
}

func (r *rows) Skip(damaged bool) {
	if r.unknown++; damaged {
		r.damaged++
	}
}

func (r *rows) Progress(read int64) {
	if r.progress != nil {
		r.progress(read)
	}
}

func (r *rows) Add(e Entry) error {
	r.at = max(r.at, min(e.At, backend.Now())) // the times in a file may go back or lie in the future
	if r.turn.ID == "" && e.Kind != EntryPrompt {
		if e.Kind == EntryUsage || e.Kind == EntryEnd || e.Kind == EntryResult {
			return nil
		}
		return r.withoutTurn(e)
	}
	switch e.Kind {
	case EntryPrompt:
		return r.prompt(e)
	case EntryAnswer:
		r.messages++
		return r.text(backend.ItemMessage, e.Text)
	case EntryThought:
		return r.text(backend.ItemThought, e.Text)
	case EntryNote:
		return r.text(backend.ItemNote, e.Text)
	case EntryCall:
		return r.call(e.Call)
	case EntryResult:
		return r.result(e.Result)
	case EntryPlan:
		return r.setPlan(e.Plan)
	case EntryUsage:
		r.turn.Usage = e.Usage
	case EntryEnd:
		r.turn.State = e.State
	}
	return nil
}

// withoutTurn adds an answer or a note that precedes the first prompt, as a note. The model that continues the
// conversation doesn't see it. Other entries are ignored.
func (r *rows) withoutTurn(e Entry) error {
	switch e.Kind {
	case EntryAnswer, EntryNote:
		return r.text(backend.ItemNote, e.Text)
	case EntryPrompt, EntryThought, EntryCall, EntryResult, EntryPlan, EntryUsage, EntryEnd:
	}
	return nil
}

// item returns a new item of the open turn.
func (r *rows) item(kind backend.ItemKind) backend.Item {
	return backend.Item{
		ID: r.id(), ChatID: r.chat.ID, TurnID: r.turn.ID, Session: backend.SessionMain, Kind: kind, CreatedAt: r.at, EndedAt: r.at,
	}
}

func (r *rows) text(kind backend.ItemKind, text string) error {
	item := r.item(kind)
	return r.put(backend.Event{Item: &item}, r.textOf(item.ID, text))
}

func (r *rows) textOf(itemID, text string) backend.Event {
	text = strings.ToValidUTF8(text, "\uFFFD")
	return backend.Event{Text: &backend.Text{ItemID: itemID, ChatID: r.chat.ID, Text: text, Size: int64(len(text))}}
}

func (r *rows) prompt(e Entry) error {
	if err := r.endTurn(); err != nil {
		return err
	}
	r.messages++
	r.turn = backend.Turn{ID: r.id(), ChatID: r.chat.ID, Session: backend.SessionMain, State: backend.TurnDone, StartedAt: r.at, SentAt: max(r.at, 1), EndedAt: r.at}
	item := r.item(backend.ItemUser)
	var events []backend.Event
	for i, image := range e.Images {
		if i == backend.MaxAttachments || len(image.Data) > backend.MaxImageBytes {
			break
		}
		c := r.content(item.ID, backend.ContentImage, "image"+strconv.Itoa(i), image.Data)
		c.Mime = image.Mime
		item.Attachments = append(item.Attachments, backend.Attachment{Kind: backend.AttachmentImage, Name: plain(image.Name), ContentID: c.ID, Mime: image.Mime, Size: c.Size})
		events = append(events, backend.Event{Content: &c})
	}
	for _, file := range e.Files {
		if len(item.Attachments) == backend.MaxAttachments {
			break
		}
		a := backend.Attachment{Kind: backend.AttachmentFile, Name: plain(filepath.Base(file))}
		if filepath.IsAbs(file) {
			a.Path = plain(file)
		}
		item.Attachments = append(item.Attachments, a)
	}
	turn := r.turn
	return r.put(append([]backend.Event{{Turn: &turn}, {Item: &item}, r.textOf(item.ID, e.Text)}, events...)...)
}

// endTurn ends the open turn, if there is one. Calls without a result are shown as canceled.
func (r *rows) endTurn() error {
	if r.turn.ID == "" {
		return nil
	}
	r.turn.EndedAt = max(r.at, r.turn.StartedAt)
	turn := r.turn
	r.turn, r.plan, r.calls, r.order = backend.Turn{}, backend.Item{}, nil, nil
	return r.put(backend.Event{Turn: &turn})
}

func (r *rows) setPlan(plan []backend.PlanEntry) error {
	for i := range plan {
		plan[i].Content = plain(plan[i].Content)
	}
	if r.plan.ID == "" {
		r.plan = r.item(backend.ItemPlan)
	}
	r.plan.Plan, r.plan.EndedAt = plan, r.at
	item := r.plan
	return r.put(backend.Event{Item: &item})
}

// content returns a content part of an item. key is unique within the item.
func (r *rows) content(itemID string, kind backend.ContentType, key string, body []byte) backend.Content {
	return backend.Content{
		ID: idOf("content", itemID, key), ItemID: itemID, ChatID: r.chat.ID, Type: kind,
		Size: int64(len(body)), Version: 1, Lines: diff.LineCount(body), Body: body,
	}
}

// maxCalls is the maximum number of calls of a turn that can still get a result. Results of older calls are left out.
const maxCalls = 1000

// maxCommand is the maximum length of Tool.Command in bytes.
const maxCommand = 300

func (r *rows) call(c Call) error {
	item := r.item(backend.ItemTool)
	command := strings.ToValidUTF8(c.Command, "\uFFFD")
	item.Tool = &backend.Tool{
		CallID: plain(c.ID), Title: excerpt.FirstLine(plain(c.Title), maxTitle), Kind: c.Kind, Status: backend.ToolCancelled,
		Path: r.abs(c.Path), To: r.abs(c.To), Command: excerpt.FirstLine(command, maxCommand), Creates: c.Creates,
	}
	if r.calls == nil {
		r.calls = map[string]*call{}
	}
	known := &call{item: item, diffs: c.Diffs, contents: map[string]bool{}}
	r.calls[c.ID] = known
	if r.order = append(r.order, c.ID); len(r.order) > maxCalls {
		delete(r.calls, r.order[0])
		r.order = r.order[1:]
	}
	events := []backend.Event{itemEvent(item)}
	if c.Kind == backend.ToolExecute && item.Tool.Command != command {
		events = r.show(events, known, backend.ContentCommand, "command", []byte(command))
	}
	return r.put(events...)
}

// itemEvent returns an event with a copy of the item, because the item may still change.
func itemEvent(item backend.Item) backend.Event {
	if item.Tool != nil {
		tool := *item.Tool
		item.Tool = &tool
	}
	return backend.Event{Item: &item}
}

// result adds the result of a call, or a part of it. The exit code and the contents from an earlier part don't change.
func (r *rows) result(res Result) error {
	c := r.calls[res.ID]
	if c == nil {
		return nil
	}
	tool := c.item.Tool
	c.item.EndedAt = max(c.item.EndedAt, r.at)
	if res.Status != "" {
		tool.Status = res.Status
	}
	tool.ExitCode = cmp.Or(tool.ExitCode, res.ExitCode)
	if len(res.Diffs) > 0 {
		c.diffs = res.Diffs
	}
	var events []backend.Event
	if tool.Status == backend.ToolCompleted {
		tool.Creates = tool.Creates || len(c.diffs) == 1 && bytes.HasPrefix(c.diffs[0].Body, []byte("--- /dev/null\n"))
		for i, d := range c.diffs {
			if len(d.Body) == 0 || i == maxDiffs {
				continue
			}
			d.Path = r.abs(d.Path)
			before, body := len(events), []byte(strings.ToValidUTF8(string(d.Body), "\uFFFD"))
			if events = r.show(events, c, backend.ContentDiff, "diff"+strconv.Itoa(i), body); len(events) > before {
				content, meta := events[before].Content, d.Content()
				content.Path, content.Added, content.Removed = meta.Path, meta.Added, meta.Removed
			}
		}
	}
	if text := strings.ToValidUTF8(res.Text, "\uFFFD"); text != "" && !(tool.Kind == backend.ToolEdit && len(c.diffs) > 0 && tool.Status == backend.ToolCompleted) {
		kind := backend.ContentText
		if tool.Kind == backend.ToolExecute {
			kind = backend.ContentTerminal
		}
		events = r.show(events, c, kind, "output", []byte(text))
	}
	for i, image := range res.Images {
		if i == backend.MaxAttachments {
			break
		}
		before := len(events)
		if events = r.show(events, c, backend.ContentImage, "image"+strconv.Itoa(i), image.Data); len(events) > before {
			events[before].Content.Mime = image.Mime
		}
	}
	return r.put(append([]backend.Event{itemEvent(c.item)}, events...)...)
}

// maxDiffs is the maximum number of files whose changes are shown for one call.
const maxDiffs = 500

// show adds a content part of a call, unless the call already contains one with the same key.
func (r *rows) show(events []backend.Event, c *call, kind backend.ContentType, key string, body []byte) []backend.Event {
	if c.contents[key] {
		return events
	}
	c.contents[key] = true
	content := r.content(c.item.ID, kind, key, body)
	return append(events, backend.Event{Content: &content})
}

// abs returns the absolute path of a file in the chat's folder.
func (r *rows) abs(name string) string {
	name = plain(name)
	if name == "" || filepath.IsAbs(name) || strings.Contains(name, "://") {
		return name
	}
	return filepath.Join(r.chat.Folder, filepath.FromSlash(name))
}

// plain returns text as valid UTF-8 without NUL.
func plain(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

// finish ends the last turn and commits the remaining rows.
func (r *rows) finish() error {
	if err := r.endTurn(); err != nil {
		return err
	}
	return r.flush()
}
