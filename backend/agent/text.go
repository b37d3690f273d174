package agent

import (
	"bytes"

	"github.com/voxpilot/voxpilot/backend"
)

// textItem is an item whose text grows.
type textItem struct {
	item backend.Item
	size int64  // published
	buf  []byte // not published
	half rune   // first half of a character whose second half is to come
}

// flushAt is the size of text that is published at once.
const flushAt = backend.MaxTextBytes

// chunk takes a piece of text; raw is the inside of a JSON string.
func (s *session) chunk(kind chunkKind, raw []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.gone.Load():
	case !s.replay:
		s.touched = true
		s.piece(kind, raw)
	case s.check != nil && kind == messageChunk:
		s.check.said(raw)
	}
}

func (s *session) piece(kind chunkKind, raw []byte) {
	if len(raw) == 0 {
		return
	}
	s.failure = ""
	if kind == thoughtChunk {
		s.appendText(backend.ItemThought, raw)
		return
	}
	if s.isNote(raw) {
		s.closeText()
		s.appendText(backend.ItemNote, raw)
		s.closeText()
		return
	}
	s.appendText(backend.ItemMessage, raw)
	if bytes.HasPrefix(raw, errorPrefix) {
		text, _ := appendUnescaped(nil, raw, 0)
		s.failure = string(text)
	}
}

var (
	notePrefix  = []byte("Info: ")
	errorPrefix = []byte("Error: ")
	// What the CLI says in front of its first answer after it was killed while a
	// tool ran. No other warning of its own is known, and a model may begin so.
	warningPrefix = []byte("Warning: ")
	afterDeath    = []byte(" had no recorded result at resume.")
)

// notices are the notes that the CLI mixes into a message that streams.
var notices = [][]byte{
	[]byte("Info: Response was interrupted"),
	[]byte("Info: Request failed"),
	[]byte("Info: Operation cancelled"),
}

// isNote says whether a chunk is a line of the CLI itself. The CLI sends such a
// line as one chunk, with nothing to tell it from what the model says but its
// beginning; so in the middle of a message only lines that are known count.
func (s *session) isNote(raw []byte) bool {
	if bytes.HasPrefix(raw, warningPrefix) && bytes.Contains(raw, afterDeath) {
		return true
	}
	if !bytes.HasPrefix(raw, notePrefix) {
		return false
	}
	if s.text == nil || s.text.item.Kind != backend.ItemMessage {
		return true
	}
	for _, n := range notices {
		if bytes.HasPrefix(raw, n) {
			return true
		}
	}
	return false
}

func (s *session) appendText(kind backend.ItemKind, raw []byte) {
	if s.text == nil || s.text.item.Kind != kind {
		s.closeText()
		it := s.newItem(kind)
		it.Open = s.running
		if !s.running {
			it.EndedAt = it.CreatedAt
		}
		s.text = &textItem{item: it}
		s.emitItem(it)
	}
	t := s.text
	t.buf, t.half = appendUnescaped(t.buf, raw, t.half)
	if len(t.buf) >= flushAt {
		s.flushText()
	}
}

// flush publishes the text that was kept back.
func (s *session) flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flushText()
}

func (s *session) flushText() {
	t := s.text
	if t == nil || len(t.buf) == 0 {
		return
	}
	piece := backend.Text{ItemID: t.item.ID, ChatID: s.chatID, Offset: t.size, Text: string(t.buf)}
	t.size += int64(len(t.buf))
	piece.Size = t.size
	if t.item.Kind == backend.ItemMessage {
		s.did.said(t.item.ID, piece.Text)
	}
	t.buf = t.buf[:0]
	s.publish(backend.Event{Text: &piece})
}

// closeText ends the item that grows; what comes next begins another one.
func (s *session) closeText() {
	t := s.text
	if t == nil {
		return
	}
	if t.half != 0 {
		t.buf, t.half = append(t.buf, "\uFFFD"...), 0
	}
	s.flushText()
	s.text = nil
	if t.item.Open {
		t.item.Open, t.item.EndedAt = false, backend.Now()
		s.emitItem(t.item)
	}
}
