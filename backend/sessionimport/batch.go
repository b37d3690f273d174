package sessionimport

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// batch holds the events that aren't committed yet.
type batch struct {
	events []backend.Event
	known  map[string]int // index of an item or a turn in events, by its ID
	bodies int            // size of the texts and bodies in bytes
	dirty  bool           // the turn has changed since it was added to events
}

// isFull reports whether the batch must be committed before more is added. most is the maximum number of its events.
func (b *batch) isFull(most int) bool { return len(b.events) >= most || b.bodies >= maxBodies }

// item adds a row, or replaces it if it is already in the batch.
func (b *batch) item(it backend.Item) { b.put(it.ID, backend.Event{Item: &it}) }

func (b *batch) put(id string, e backend.Event) {
	if i, known := b.known[id]; known {
		b.events[i] = e
		return
	}
	if b.known == nil {
		b.known = map[string]int{}
	}
	b.known[id] = len(b.events)
	b.events = append(b.events, e)
}

// content adds a content item, or replaces it if it is already in the batch.
func (b *batch) content(c *backend.Content) {
	if i, known := b.known[c.ID]; known {
		b.bodies -= len(b.events[i].Content.Body)
	}
	b.put(c.ID, backend.Event{Content: c})
	b.bodies += len(c.Body)
}

func (b *batch) add(e backend.Event, size int) {
	b.events = append(b.events, e)
	b.bodies += size
}

// take returns the events that aren't committed yet, and starts a new batch.
func (r *Reader) take() []backend.Event {
	if r.out.dirty && r.s.Turn != nil {
		r.putTurn(r.s.Turn.row())
	}
	events := r.out.events
	r.out = batch{}
	return events
}

// putTurn adds the row of a turn.
func (r *Reader) putTurn(row backend.Turn) {
	r.out.dirty = false
	r.out.put(row.ID, backend.Event{Turn: &row})
}

// newItem returns a closed item of the given kind for an event. part distinguishes items of the same event.
func (r *Reader) newItem(e sessionfiles.Event, kind backend.ItemKind, part string) backend.Item {
	at := millis(e.At)
	it := backend.Item{
		ID: r.id(e, string(kind)+part), ChatID: r.s.Target.ChatID, Session: r.s.Target.Name, Kind: kind, CreatedAt: at, EndedAt: at,
	}
	if r.s.Turn != nil {
		it.TurnID = r.s.Turn.ID
	}
	return it
}

// putText adds an item and its text.
func (r *Reader) putText(it backend.Item, text string) {
	r.out.item(it)
	if text != "" {
		r.out.add(backend.Event{Text: &backend.Text{ItemID: it.ID, ChatID: it.ChatID, Text: text, Size: int64(len(text))}}, len(text))
	}
}

// id returns the ID of a row for an event. part distinguishes the rows of an event. The position in the log is part of the
// ID, because Copilot loads each of several events with the same ID. The IDs sort by the times of the events, so that rows
// that are written together are close to each other in the indexes of the database.
func (r *Reader) id(e sessionfiles.Event, part string) string {
	h := sha256.New()
	for _, s := range []string{r.s.Target.ChatID, r.s.Target.Name, e.ID, part} {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	var rest [16]byte
	binary.BigEndian.PutUint64(rest[:], uint64(r.at))
	binary.BigEndian.PutUint64(rest[8:], uint64(r.nth))
	h.Write(rest[:])
	return timeOf(millis(e.At)) + idOf(h.Sum(nil))[timeSize:]
}

// IsImported reports whether a Reader made a turn: its ID starts with its time.
func IsImported(turn backend.Turn) bool {
	return turn.StartedAt > 0 && strings.HasPrefix(turn.ID, timeOf(turn.StartedAt))
}

// timeSize is the number of characters of an ID that hold the time of the event: 45 bits for the milliseconds.
const timeSize = 9

// timeOf returns a time in the characters of an ID. The results sort like the times.
func timeOf(at backend.Millis) string {
	const sorted = "234567abcdefghijklmnopqrstuvwxyz"
	var text [timeSize]byte
	for i := range text {
		text[timeSize-1-i] = sorted[at>>(5*i)&31]
	}
	return string(text[:])
}

// idOf returns an ID in the form of backend.NewID.
func idOf(sum []byte) string {
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum))[:26]
}

// str returns a string of an event as valid UTF-8. The result doesn't share memory with the line.
func str(v gjson.Result) string {
	if v.Type != gjson.String {
		return ""
	}
	return strings.Clone(strings.ToValidUTF8(v.Str, "\uFFFD"))
}

// short returns the first line of a string of an event, at most limit bytes.
func short(v gjson.Result, limit int) string { return excerpt.FirstLine(str(v), limit) }
