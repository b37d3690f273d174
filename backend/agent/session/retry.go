package session

import (
	"bytes"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/acp"
	"github.com/voxpilot/voxpilot/backend/agent/lines"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// Repeated model calls. If the stream of a model call breaks off, the Copilot CLI repeats the call up to five times and
// sends the text of each attempt from the beginning. The transcript contains the text once: repeated text is omitted,
// and an attempt with different text replaces the previous one.

// modelCall is the current model call. If its stream breaks off, the agent repeats the call.
type modelCall struct {
	startedAt backend.Millis // start of the current attempt
	items     []*textItem    // current messages and thoughts of the call
	// comparing is true while a later attempt is compared with the text in items. The next three fields hold the
	// position that the comparison has reached.
	comparing bool
	at, off   int  // index in items, and number of bytes compared in that item
	half      rune // high surrogate at the end of the previous chunk
	// earlierItems are the items that the current attempt has replaced. Their replacements start at items[from].
	earlierItems []*textItem
	from         int
}

// maxCompared is the maximum size in bytes of the text that is stored per item to compare attempts.
const maxCompared = 4 << 20

// repeats compares a chunk of a later attempt with the text of the previous attempt. Text that is the same isn't added
// again. From the first difference on, the new text replaces the earlier text. If nothing is left to compare, repeats
// returns false, and the caller must append the chunk itself. The caller must hold s.mu.
func (s *Session) repeats(kind backend.ItemKind, raw []byte) bool {
	c := &s.call
	if !c.comparing {
		return false
	}
	t := c.items[c.at]
	if t.item.Kind != kind && c.off == len(t.text) {
		if c.at+1 == len(c.items) {
			c.comparing = false // the attempt continues where the previous one broke off
			return false
		}
		c.at, c.off, c.half = c.at+1, 0, 0
		t = c.items[c.at]
	}
	text, half := acp.AppendUnescaped(nil, raw, c.half)
	rest := t.text[c.off:]
	switch {
	case t.item.Kind != kind || int64(len(t.text)) != t.size:
	case bytes.HasPrefix(rest, text):
		c.off, c.half = c.off+len(text), half
		return true
	case c.at+1 == len(c.items) && bytes.HasPrefix(text, rest):
		c.comparing = false
		s.reopen(t)
		t.buf, t.half = append(t.buf, text[len(rest):]...), half
		return true
	}
	s.replace()
	s.openText(kind).add(text, half)
	return true
}

// replace marks the items of the previous attempt as replaced, from the first item whose text differs. If that item
// starts with text that is the same in both attempts, replace copies this text to a new item. The caller must hold
// s.mu.
func (s *Session) replace() {
	c := &s.call
	c.comparing = false
	same := c.items[c.at]
	c.earlierItems, c.from = append([]*textItem(nil), c.items[c.at:]...), c.at
	c.items = c.items[:c.at:c.at]
	s.markReplaced(c.earlierItems, true)
	if c.off > 0 {
		s.openText(same.item.Kind).add(same.text[:c.off], 0)
	}
}

func (t *textItem) add(text []byte, half rune) { t.buf, t.half = append(t.buf, text...), half }

// markReplaced sets Item.Replaced in the given items, and publishes the items that this changes. The caller must hold
// s.mu.
func (s *Session) markReplaced(items []*textItem, replaced bool) {
	for _, t := range items {
		if t.item.Replaced != replaced {
			t.item.Replaced = replaced
			s.emitItem(t.item)
		}
	}
}

// reopen reopens a closed item for more text. The caller must hold s.mu.
func (s *Session) reopen(t *textItem) {
	s.text = t
	if s.running {
		t.item.Open, t.item.EndedAt = true, 0
		s.emitItem(t.item)
	}
}

// endFailedTry ends an attempt whose stream broke off. If the attempt is shorter than the text that it replaced,
// endFailedTry restores that text. The caller must hold s.mu.
func (s *Session) endFailedTry() {
	s.closeText()
	c := &s.call
	if newer := c.items[min(c.from, len(c.items)):]; len(c.earlierItems) > 0 && textSize(newer) < textSize(c.earlierItems) {
		s.markReplaced(newer, true)
		s.markReplaced(c.earlierItems, false)
		c.items = append(c.items[:c.from:c.from], c.earlierItems...)
		for _, t := range c.earlierItems {
			if t.item.Kind == backend.ItemMessage {
				s.summary.messageOf = ""
				s.summary.addMessage(t.item.ID, string(t.text))
			}
		}
	}
	c.earlierItems, c.from = nil, 0
	c.comparing, c.at, c.off, c.half = false, 0, 0, 0
}

func textSize(items []*textItem) (n int64) {
	for _, t := range items {
		n += t.size
	}
	return n
}

// startRetry ends the current attempt, after the agent has reported that it broke off and another is starting. It
// returns the retry details for the report's note. The caller must hold s.mu.
func (s *Session) startRetry(report string) *backend.Retry {
	s.endFailedTry()
	now := backend.Now()
	reason := strings.TrimSpace(strings.TrimSuffix(strings.TrimRight(strings.TrimPrefix(report, string(lines.InfoPrefix)), ". "), "Retrying"))
	r := &backend.Retry{Reason: excerpt.FirstLine(reason, 300), DurationMs: int64(now - s.call.startedAt)}
	s.call.startedAt, s.call.comparing = now, len(s.call.items) > 0
	return r
}

// endModelCall ends the current model call, whose last attempt was complete. The caller must hold s.mu.
func (s *Session) endModelCall() {
	c := &s.call
	switch {
	case !c.comparing:
	case c.at == 0 && c.off == 0:
		s.markCutOff() // the complete attempt had no text
	case c.at+1 < len(c.items) || c.off < len(c.items[c.at].text):
		s.replace() // the complete attempt was shorter
		s.closeText()
	}
	s.call = modelCall{startedAt: backend.Now()}
}

// markCutOff marks the call's last message as incomplete. The caller must hold s.mu.
func (s *Session) markCutOff() {
	for i := len(s.call.items) - 1; i >= 0; i-- {
		if t := s.call.items[i]; t.item.Kind == backend.ItemMessage {
			t.item.CutOff = true
			s.emitItem(t.item)
			return
		}
	}
}
