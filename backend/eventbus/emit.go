package eventbus

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
)

// batcher gives committed events their numbers and emits them in batches smaller than MaxBatchBytes. There is a new
// batcher for each commit of the queue.
type batcher struct {
	bus   *Bus
	batch backend.Batch
	bytes int  // size of the batch as JSON
	wrote bool // an event with a row was added
}

// room returns the number of bytes of JSON that still fit in the batch.
func (p *batcher) room() int {
	if len(p.batch.Events) == 0 {
		p.batch = backend.Batch{Run: p.bus.cfg.Run, First: p.bus.seq + 1}
		p.bytes = len(`{"run":,"first":,"events":[]}`) + quotedSize(p.batch.Run) + digits(int64(p.batch.First))
	}
	return backend.MaxBatchBytes - 1 - p.bytes - len(",")
}

// put adds an event to the batch and gives it the next number. bytes is its size as JSON.
func (p *batcher) put(e backend.Event, bytes int) {
	p.bus.seq++
	p.batch.Events = append(p.batch.Events, e)
	p.bytes += bytes + len(",")
}

// flush emits the batch unless it is empty.
func (p *batcher) flush() {
	if len(p.batch.Events) > 0 {
		p.bus.cfg.Emit(p.batch)
		p.batch.Events = nil
	}
}

// add adds events to the batch and gives them their numbers. The batch is emitted whenever it is full.
func (p *batcher) add(events []backend.Event) {
	for _, e := range events {
		kind := backend.KindOf(&e)
		p.wrote = p.wrote || kind != nil && kind.Lifetime == backend.Stored
		switch {
		case kind == nil, kind.Hidden, !p.bus.retained.note(kind, &e):
			// No effect, or hidden from the window.
		case e.Text != nil:
			p.addText(e.Text)
		default:
			if p.bus.cfg.OnEvent != nil {
				p.bus.cfg.OnEvent(e)
			}
			p.addWhole(e)
		}
	}
}

// addWhole adds an event without splitting it. An event too large even for an empty batch is kept in memory
// and replaced by an EventRef.
func (p *batcher) addWhole(e backend.Event) {
	text, err := json.Marshal(e)
	if err != nil {
		p.bus.cfg.Log.Error("couldn't emit an event", "err", err)
		return
	}
	bytes := len(text)
	if bytes > p.room() {
		p.flush()
	}
	if bytes <= p.room() {
		p.put(e, bytes)
		return
	}
	seq := p.bus.seq + 1
	p.bus.oversized.put(seq, bytes, withoutBodies(e))
	p.put(backend.Event{EventRef: &backend.EventRef{Seq: seq}}, len(`{"pull":{"seq":}}`)+digits(int64(seq)))
}

// withoutBodies returns a copy of an event without its bodies. The window doesn't receive bodies, and they needn't take
// up memory because they are stored in the database.
func withoutBodies(e backend.Event) backend.Event {
	e, kind := detach(e), backend.KindOf(&e)
	for _, name := range kind.Bodies {
		kind.Value(&e).Elem().FieldByName(name).SetZero()
	}
	return e
}

// minPiece is the minimum size in bytes of a piece of split text, except the last one. If less fits in the batch, the
// text continues in the next batch.
const minPiece = 512

// addText adds a Text event, which it splits into several events if the text doesn't fit in one batch.
func (p *batcher) addText(t *backend.Text) {
	for offset, rest := t.Offset, t.Text; rest != ""; {
		end := offset + int64(len(rest))
		frame := len(`{"text":{"itemId":,"chatId":,"offset":,"text":,"size":}}`) +
			quotedSize(t.ItemID) + quotedSize(t.ChatID) + digits(offset) + digits(end)
		n, quoted := cut(rest, backend.MaxTextBytes, p.room()-frame)
		if n < len(rest) && n < minPiece && len(p.batch.Events) > 0 {
			p.flush()
			continue
		}
		if n == 0 { // the IDs alone fill a batch
			p.addWhole(backend.Event{Text: &backend.Text{ItemID: t.ItemID, ChatID: t.ChatID, Offset: offset, Text: rest, Size: end}})
			return
		}
		piece := &backend.Text{ItemID: t.ItemID, ChatID: t.ChatID, Offset: offset, Text: rest[:n], Size: offset + int64(n)}
		p.put(backend.Event{Text: piece}, frame+quoted)
		offset, rest = offset+int64(n), rest[n:]
	}
}

// cut returns the largest n such that text[:n] ends on a rune boundary and fits both limits in bytes: limit for the
// text itself, and room for the text as a JSON string. quoted is the size of text[:n] as a JSON string.
func cut(text string, limit, room int) (n, quoted int) {
	quoted = len(`""`)
	for n < len(text) {
		size, escaped := quotedRune(text[n:])
		if n+size > limit || quoted+escaped > room {
			break
		}
		n += size
		quoted += escaped
	}
	return n, quoted
}

// quotedSize returns the size in bytes of text as a JSON string, including the quotes.
func quotedSize(text string) int {
	_, quoted := cut(text, len(text), 6*len(text)+len(`""`))
	return quoted
}

// quotedRune returns the size of the first rune of text (size), and the size that it has in a JSON string written by
// encoding/json (quoted). Both are in bytes.
func quotedRune(text string) (size, quoted int) {
	switch c := text[0]; {
	case c == '"', c == '\\', c == '\n', c == '\r', c == '\t', c == '\b', c == '\f':
		return 1, len(`\n`)
	case c < ' ', c == '<', c == '>', c == '&':
		return 1, len(`\u003c`)
	case c < utf8.RuneSelf:
		return 1, 1
	}
	r, size := utf8.DecodeRuneInString(text)
	if r == utf8.RuneError && size == 1 || r == '\u2028' || r == '\u2029' {
		return size, len(`\u2028`)
	}
	return size, size
}

func digits(n int64) int {
	var buffer [20]byte
	return len(strconv.AppendInt(buffer[:0], n, 10))
}
