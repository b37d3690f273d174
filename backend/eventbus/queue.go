package eventbus

import (
	"reflect"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// queue holds events in the order of publication, in groups. Events are merged only within a group.
type queue struct{ groups []*group }

// group holds events published with no call to Commit or Flush in between, or the events of one such call.
type group struct {
	entries []queuedEvent
	last    map[backend.Subject]int // index of the newest entry about each subject, to merge later events with
	durable bool
	done    chan error // receives the result of a Commit or Flush; nil for published events
	result  error      // of the Commit or Flush
}

// queuedEvent is an event in the queue.
type queuedEvent struct {
	event backend.Event
	text  *strings.Builder // the whole text of a Text event, once others were merged into it; nil until then
}

// add queues a published event. If the newest event about the same subject is of the same kind and can be merged with
// it, the two are merged at the position of the older one. This is possible because all events in between are about
// other subjects.
func (q *queue) add(e backend.Event) {
	var g *group
	if n := len(q.groups); n > 0 && q.groups[n-1].done == nil {
		g = q.groups[n-1]
	} else {
		g = &group{last: map[backend.Subject]int{}}
		q.groups = append(q.groups, g)
	}
	kind := backend.KindOf(&e)
	about := kind.SubjectOf(&e)
	if about.Kind == "" {
		// An event without a subject, such as the deletion of a chat, may affect many subjects. So later
		// events aren't merged with those before it.
		clear(g.last)
		g.entries = append(g.entries, queuedEvent{event: e})
		return
	}
	if at, found := g.last[about]; found && g.entries[at].join(kind, &e) {
		return
	}
	g.last[about] = len(g.entries)
	g.entries = append(g.entries, queuedEvent{event: e})
}

// join merges e, a newer event about the same subject, into n and reports whether that was possible.
func (n *queuedEvent) join(kind *backend.EventKind, e *backend.Event) bool {
	if backend.KindOf(&n.event) != kind {
		return false
	}
	switch kind.Join {
	case backend.JoinText:
		return n.joinText(e.Text)
	case backend.JoinNever:
		return false
	case backend.JoinNewest:
	}
	if len(kind.Bodies) > 0 {
		*e = withBodies(kind, *e, n.event)
	}
	n.event = *e
	return true
}

// withBodies returns e. Bodies that e lacks are taken from the older event.
func withBodies(kind *backend.EventKind, e, older backend.Event) backend.Event {
	for _, name := range kind.Bodies {
		if body := kind.Value(&e).Elem().FieldByName(name); body.IsNil() {
			body.Set(kind.Value(&older).Elem().FieldByName(name))
		}
	}
	return e
}

// joinText appends the text of a newer event if it directly follows the text in n, and reports whether it did.
func (n *queuedEvent) joinText(next *backend.Text) bool {
	first := n.event.Text
	size := len(first.Text)
	if n.text != nil {
		size = n.text.Len()
	}
	if next.Offset != first.Offset+int64(size) {
		return false
	}
	if n.text == nil {
		n.text = &strings.Builder{}
		n.text.WriteString(first.Text)
	}
	n.text.WriteString(next.Text)
	return true
}

// events returns the merged events of a group.
func (g *group) events() []backend.Event {
	events := make([]backend.Event, len(g.entries))
	for i, n := range g.entries {
		events[i] = n.event
		if n.text != nil {
			whole := *n.event.Text
			whole.Text = n.text.String()
			events[i].Text = &whole
		}
	}
	return events
}

// append adds the group of a Commit or Flush to the end of the queue.
func (q *queue) append(g *group) { q.groups = append(q.groups, g) }

// remove removes a group from the queue. It returns false if the group was already taken.
func (q *queue) remove(g *group) bool {
	at := slices.Index(q.groups, g)
	if at < 0 {
		return false
	}
	q.groups = slices.Delete(q.groups, at, at+1)
	return true
}

// take empties the queue and returns its groups.
func (q *queue) take() []*group {
	groups := q.groups
	q.groups = nil
	return groups
}

// putBack returns published events to the queue after their commit failed. They precede all events that were queued
// later.
func (q *queue) putBack(events []backend.Event) {
	later := q.take()
	for _, e := range events {
		q.add(e)
	}
	for _, g := range later {
		if g.done != nil {
			q.append(g)
			continue
		}
		for _, e := range g.events() {
			q.add(e)
		}
	}
}

// detach returns a copy of an event, so that its publisher can change the original afterward. The copy shares only byte
// slices with the original.
func detach(e backend.Event) backend.Event {
	if e.Text != nil { // frequent, and reflection is slow
		piece := *e.Text
		e.Text = &piece
		return e
	}
	return cloneEvent(e)
}

func cloneEvent(e backend.Event) backend.Event {
	if kind := backend.KindOf(&e); kind != nil {
		value := kind.Value(&e)
		value.Set(clone(value))
	}
	return e
}

// clone returns a deep copy of a value. Only byte slices, which hold bodies and texts of files, are
// shared with the original. They must not be changed.
func clone(v reflect.Value) reflect.Value {
	c := v
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			c = reflect.New(v.Type().Elem())
			c.Elem().Set(clone(v.Elem()))
		}
	case reflect.Slice:
		if of := v.Type().Elem().Kind(); !v.IsNil() && of != reflect.Uint8 {
			c = reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			for i := range v.Len() {
				c.Index(i).Set(clone(v.Index(i)))
			}
		}
	case reflect.Map:
		if !v.IsNil() {
			c = reflect.MakeMapWithSize(v.Type(), v.Len())
			for key, value := range v.Seq2() {
				c.SetMapIndex(key, clone(value))
			}
		}
	case reflect.Struct:
		c = reflect.New(v.Type()).Elem()
		c.Set(v)
		for i := range v.NumField() {
			if kind := v.Field(i).Kind(); kind == reflect.Pointer || kind == reflect.Slice || kind == reflect.Map || kind == reflect.Struct {
				c.Field(i).Set(clone(v.Field(i)))
			}
		}
	default:
	}
	return c
}
