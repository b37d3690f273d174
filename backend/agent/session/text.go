package session

import (
	"bytes"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/acp"
	"github.com/voxpilot/voxpilot/backend/agent/lines"
	"github.com/voxpilot/voxpilot/backend/agent/request"
)

// textItem is a transcript item whose text arrives in chunks.
type textItem struct {
	item backend.Item
	size int64  // published bytes
	buf  []byte // unpublished text
	half rune   // first half of a surrogate pair at the end of the last chunk
	text []byte // the published text; incomplete if it is larger than maxCompared
}

// flushAt is the size in bytes at which buffered text is published immediately.
const flushAt = backend.MaxTextBytes

// Chunk adds a piece of text to the transcript. During a replay, it only collects messages for the comparison. raw is
// the content of a JSON string, with its escape sequences.
func (s *Session) Chunk(kind acp.ChunkKind, raw []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.unloaded.Load():
	case !s.inReplay:
		s.hasOutput = true
		s.piece(kind, raw)
	case s.collected != nil && kind == acp.MessageChunk:
		s.collected.Message(raw)
	}
}

// piece adds a chunk to the transcript, as text or as a note. raw is the content of a JSON string, with its escape
// sequences. A chunk that may be a line from the CLI itself stays pending until the next output arrives. The caller
// must hold s.mu.
func (s *Session) piece(kind acp.ChunkKind, raw []byte) {
	if len(raw) == 0 {
		return
	}
	if kind == acp.ThoughtChunk {
		s.release()
		s.appendText(backend.ItemThought, raw)
		return
	}
	if s.pendingChunk != nil && !lines.ContinuesNote(s.pendingChunk, raw) {
		line := s.pendingChunk
		s.pendingChunk = nil
		s.note(line)
	}
	s.release()
	switch {
	case s.repeatsPath(raw):
	case lines.IsNote(raw):
		s.note(raw)
	case s.running && (bytes.HasPrefix(raw, lines.ErrorPrefix) || bytes.HasPrefix(raw, lines.InfoPrefix) && !s.isInMessage()):
		s.pendingChunk = append([]byte(nil), raw...)
	default:
		s.appendText(backend.ItemMessage, raw)
	}
}

// note adds a line from the CLI to the transcript as a note. The caller must hold s.mu.
func (s *Session) note(raw []byte) {
	s.closeText()
	it := s.newItem(backend.ItemNote)
	it.Open, it.EndedAt = false, it.CreatedAt
	text, _ := acp.AppendUnescaped(nil, raw, 0)
	if bytes.Contains(raw, lines.Retrying) {
		it.Retry = s.startRetry(string(text))
	}
	s.emitItem(it)
	s.cfg.Publish(backend.Event{Text: &backend.Text{ItemID: it.ID, ChatID: s.chatID, Text: string(text), Size: int64(len(text))}})
}

// repeatsPath reports whether a chunk is a line from the CLI that only repeats the path of a file that a tool call
// changes. The caller must hold s.mu.
func (s *Session) repeatsPath(raw []byte) bool {
	if !bytes.HasPrefix(raw, lines.InfoPrefix) {
		return false
	}
	text, _ := acp.AppendUnescaped(nil, raw[len(lines.InfoPrefix):], 0)
	for _, t := range s.tools {
		if path := t.item.Tool.Path; path != "" && path == string(text) && request.Mutates(t.item.Tool.Kind) {
			return true
		}
	}
	return false
}

// isInMessage reports whether a message is being streamed. The caller must hold s.mu.
func (s *Session) isInMessage() bool { return s.text != nil && s.text.item.Kind == backend.ItemMessage }

// release adds the pending chunk, if any, to the message as text from the model. It is called when the next output
// shows that the chunk isn't a line from the CLI. The caller must hold s.mu.
func (s *Session) release() {
	if held := s.pendingChunk; held != nil {
		s.pendingChunk = nil
		s.appendText(backend.ItemMessage, held)
	}
}

// failureReport adds the CLI's report of a failed model call to the transcript, if the turn ended with one,
// and returns it. A line that isn't one of the CLI's known reports (lines.IsReport) counts only if no model
// call of the turn was answered. The caller must hold s.mu.
func (s *Session) failureReport() (report string) {
	held := s.pendingChunk
	known := lines.IsReport(held)
	if held == nil || !bytes.HasPrefix(held, lines.ErrorPrefix) || !known && s.modelAnswered {
		s.release()
		return ""
	}
	s.pendingChunk = nil
	s.endFailedTry()
	s.markCutOff()
	s.call = modelCall{}
	t := s.openText(backend.ItemMessage)
	text, half := acp.AppendUnescaped(nil, held, 0)
	report = lines.WithoutVariables(string(text))
	t.buf, t.half = []byte(report), half
	t.item.HasError = true
	s.emitItem(t.item)
	s.closeText()
	return report
}

func (s *Session) appendText(kind backend.ItemKind, raw []byte) {
	if s.repeats(kind, raw) {
		return
	}
	t := s.openText(kind)
	t.buf, t.half = acp.AppendUnescaped(t.buf, raw, t.half)
	if len(t.buf) >= flushAt {
		s.flushText()
	}
}

// openText returns the item of the given kind that is receiving text, creating one if
// necessary. The caller must hold s.mu.
func (s *Session) openText(kind backend.ItemKind) *textItem {
	if s.text == nil || s.text.item.Kind != kind {
		s.closeText()
		it := s.newItem(kind)
		it.Open = s.running
		if !s.running {
			it.EndedAt = it.CreatedAt
		}
		s.text = &textItem{item: it}
		s.emitItem(it)
		s.call.items = append(s.call.items, s.text)
	}
	return s.text
}

// Flush publishes the buffered text.
func (s *Session) Flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flushText()
}

func (s *Session) flushText() {
	t := s.text
	if t == nil || len(t.buf) == 0 {
		return
	}
	piece := backend.Text{ItemID: t.item.ID, ChatID: s.chatID, Offset: t.size, Text: string(t.buf)}
	t.size += int64(len(t.buf))
	piece.Size = t.size
	if len(t.text)+len(t.buf) <= maxCompared {
		t.text = append(t.text, t.buf...)
	}
	if t.item.Kind == backend.ItemMessage {
		s.summary.addMessage(t.item.ID, piece.Text)
	}
	t.buf = t.buf[:0]
	s.cfg.Publish(backend.Event{Text: &piece})
}

// closeText closes the item that is receiving text. Text that arrives later starts a new item. The caller must hold
// s.mu.
func (s *Session) closeText() {
	s.release()
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
