package comment

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
)

// sent records the last message with comments that was sent in a chat.
type sent struct {
	itemID, note string
	at           time.Time
}

// repeatTime is the time within which a second call of Send counts as the same action, usually a double click. The note
// must be the same, and there must be no new comments.
const repeatTime = 10 * time.Second

// Send sends the drafts of a chat as one message that starts with the note, and returns the ID of the message's item.
// In the same transaction, it marks the drafts as sent. If it returns an error, they are still drafts.
func (m *Manager) Send(ctx context.Context, chatID, note string) (itemID string, err error) {
	chat, err := m.cfg.Chat(chatID)
	if err != nil {
		return "", err
	}
	state := m.lock(chatID)
	defer state.Unlock()
	now, rows, err := m.list(ctx, chat)
	if err != nil {
		return "", err
	}
	stored := map[string]backend.ReviewComment{}
	for _, c := range rows {
		stored[c.ID] = c
	}
	var drafts []backend.ReviewComment
	for _, c := range now {
		if c.State == backend.CommentDraft {
			drafts = append(drafts, c)
		}
	}
	if len(drafts) == 0 {
		if state.last.itemID != "" && state.last.note == note && time.Since(state.last.at) < repeatTime {
			return state.last.itemID, nil
		}
		return "", backend.Invalid("Add a comment first.")
	}
	slices.SortStableFunc(drafts, func(a, b backend.ReviewComment) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Start, b.Start))
	})
	card, err := cardOf(drafts)
	if err != nil {
		return "", err
	}
	itemID, err = m.cfg.Send(ctx, chatID, message(note, drafts), func(id string) []backend.Event {
		events := []backend.Event{{Content: &backend.Content{
			ID: backend.NewID(), ItemID: id, ChatID: chatID, Type: backend.ContentReview, Mime: "application/json", Version: 1, Body: card,
		}}}
		for _, d := range drafts {
			c := stored[d.ID]
			c.State, c.ItemID, c.SentAt = backend.CommentSent, id, backend.Now()
			events = append(events, backend.Event{ReviewComment: &c})
		}
		return events
	})
	if err != nil {
		return "", err
	}
	state.last = sent{itemID, note, time.Now()}
	return itemID, nil
}

// cardOf returns the JSON with which the page shows a message's comments.
func cardOf(drafts []backend.ReviewComment) ([]byte, error) {
	var list []backend.SentReviewComment
	for _, c := range drafts {
		list = append(list, backend.SentReviewComment{
			ID: c.ID, Path: c.Path, Side: c.Side, Start: c.Start, End: c.End, Text: c.Text, Quote: c.Quote, Outdated: c.Outdated, FileGone: c.FileGone,
		})
	}
	return json.Marshal(list)
}

// message returns the text of a message with comments.
func message(note string, drafts []backend.ReviewComment) string {
	var b strings.Builder
	if note = strings.TrimSpace(note); note != "" {
		b.WriteString(note + "\n\n")
	}
	b.WriteString("Review comments:\n")
	for i, c := range drafts {
		fmt.Fprintf(&b, "\n%d. %s, %s", i+1, PathText(c.Path), linesText(c))
		quote := excerptOf(c.Quote)
		fence := FenceFor(quote)
		fmt.Fprintf(&b, "\n\n%s%s\n%s\n%s\n\n%s\n", fence, language(c.Path), quote, fence, strings.TrimSpace(c.Text))
	}
	return b.String()
}

// PathText returns a path for a message, formatted as inline code. If the path contains a backtick or an unprintable
// character, it is quoted instead.
func PathText(name string) string {
	if !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return r == '`' || !unicode.IsPrint(r) }) {
		return strings.ReplaceAll(strconv.QuoteToGraphic(name), "`", `\x60`)
	}
	return "`" + name + "`"
}

func linesText(c backend.ReviewComment) string {
	switch {
	case c.FileGone:
		return "which has since been removed. It contained these lines:"
	case c.Outdated:
		return "lines that may have changed by now. They were:"
	}
	text := fmt.Sprintf("line %d", c.Start+1)
	if c.End > c.Start {
		text = fmt.Sprintf("lines %d to %d", c.Start+1, c.End+1)
	}
	if c.Side == backend.OldSide {
		text += " before the change"
	}
	return text + ":"
}

// maxExcerpt is the maximum size, in bytes, of the code that a message quotes for a comment.
const maxExcerpt = 8000

// Clean returns text as valid UTF-8. It replaces control characters other than line breaks and tabs, because they could
// hide a part of the text.
func Clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

// excerptOf returns quoted code for a message, cleaned and truncated to maxExcerpt bytes.
func excerptOf(quote string) string {
	quote = Clean(quote)
	if len(quote) <= maxExcerpt {
		return quote
	}
	end := maxExcerpt
	for !utf8.RuneStart(quote[end]) {
		end--
	}
	return quote[:end] + "\n[…]"
}

// FenceFor returns a code fence that is longer than any sequence of backticks in the text.
func FenceFor(text string) string {
	longest, n := 2, 0
	for _, r := range text {
		if n++; r != '`' {
			n = 0
		}
		longest = max(longest, n)
	}
	return strings.Repeat("`", longest+1)
}

// language returns the language tag for a code fence: the file's extension, or "" if the extension is long or contains
// characters other than ASCII letters and digits.
func language(name string) string {
	ext := strings.TrimPrefix(path.Ext(name), ".")
	if len(ext) > 10 || strings.ContainsFunc(ext, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		return ""
	}
	return ext
}
