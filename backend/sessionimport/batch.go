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

// isFull reports whether the batch must be committed before more is added.
func (b *batch) isFull() bool { return len(b.events) >= maxEvents || b.bodies >= maxBodies }

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

// id returns the ID of a row for an event. part distinguishes the rows of an event.
func (r *Reader) id(e sessionfiles.Event, part string) string {
	h := sha256.New()
	for _, s := range []string{r.s.Target.ChatID, r.s.Target.Name, e.ID, part} {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	var rest [16]byte // distinguishes damaged events that have the same ID
	binary.BigEndian.PutUint64(rest[:], uint64(e.At.UnixNano()))
	binary.BigEndian.PutUint64(rest[8:], uint64(len(e.Raw)))
	h.Write(rest[:])
	return idOf(h.Sum(nil))
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
