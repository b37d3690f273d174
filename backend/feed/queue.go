package feed

import (
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// A queue holds events in the order in which they were published, in groups.
// Events are joined within a group only.
type queue struct{ groups []*group }

// A group is what was published between two commits, or the events of one.
type group struct {
	entries []entry
	last    map[subject]int // the newest entry about a subject, where others may join it
	durable bool
	done    chan error // takes the result of a commit; nil for what was published
	result  error      // of a commit
}

// An entry is an event, and the text that joined it.
type entry struct {
	event backend.Event
	text  *strings.Builder // nil until a second piece came
}

// A subject is what an event is about. Two events about different subjects may
// change places: neither changes what the other one does to the rows or to the
// page.
type subject struct {
	kind string
	id   string
	in   string
}

// subjectOf is what an event is about; there is none where it may neither join
// another event nor change places with one.
func subjectOf(e *backend.Event) (subject, bool) {
	switch {
	case e.Chat != nil:
		return subject{kind: "chat", id: e.Chat.ID}, true
	case e.Turn != nil:
		return subject{kind: "turn", id: e.Turn.ID}, true
	case e.Item != nil:
		return subject{kind: "item", id: e.Item.ID}, true
	case e.Text != nil: // of an item
		return subject{kind: "item", id: e.Text.ItemID}, true
	case e.Content != nil:
		return subject{kind: "content", id: e.Content.ID}, true
	case e.Permission != nil:
		return subject{kind: "permission", id: e.Permission.ID}, true
	case e.Queued != nil:
		return subject{kind: "queued", id: e.Queued.ID}, true
	case e.QueuedGone != nil:
		return subject{kind: "queued", id: e.QueuedGone.ID}, true
	case e.Session != nil:
		return subject{kind: "session", id: e.Session.Name, in: e.Session.ChatID}, true
	case e.SessionGone != nil:
		return subject{kind: "session", id: e.SessionGone.ID, in: e.SessionGone.ChatID}, true
	case e.Rule != nil:
		return subject{kind: "rule", id: e.Rule.ID}, true
	case e.RuleGone != nil:
		return subject{kind: "rule", id: e.RuleGone.ID}, true
	case e.Provider != nil:
		return subject{kind: "provider", id: e.Provider.ID}, true
	case e.ProviderGone != nil:
		return subject{kind: "provider", id: e.ProviderGone.ID}, true
	case e.Profile != nil:
		return subject{kind: "profile", id: e.Profile.ID}, true
	case e.ProfileGone != nil:
		return subject{kind: "profile", id: e.ProfileGone.ID}, true
	case e.Settings != nil:
		return subject{kind: "settings"}, true
	case e.Login != nil:
		return subject{kind: "login", id: e.Login.ID}, true
	case e.LoginGone != nil:
		return subject{kind: "login", id: e.LoginGone.ID}, true
	case e.Connection != nil:
		return subject{kind: "connection", id: e.Connection.ChatID}, true
	case e.Trust != nil:
		return subject{kind: "trust", id: e.Trust.Key}, true
	case e.TrustGone != nil:
		return subject{kind: "trust", id: e.TrustGone.ID}, true
	case e.Trusted != nil:
		return subject{kind: "trusted", id: e.Trusted.Key}, true
	case e.TrustedGone != nil:
		return subject{kind: "trusted", id: e.TrustedGone.ID}, true
	case e.CLI != nil:
		return subject{kind: "cli"}, true
	case e.Account != nil:
		return subject{kind: "account"}, true
	case e.SignIn != nil:
		return subject{kind: "signIn"}, true
	case e.Storage != nil:
		return subject{kind: "storage"}, true
	case e.Desktop != nil:
		return subject{kind: "desktop"}, true
	case e.Update != nil:
		return subject{kind: "update"}, true
	case e.Asked != nil:
		return subject{kind: "asked"}, true
	}
	return subject{}, false
}

// add queues a published event. Where the newest event about the same subject
// is of the same kind, the two become one, in the place of the first: all that
// stands between is about other subjects.
func (q *queue) add(e backend.Event) {
	var g *group
	if n := len(q.groups); n > 0 && q.groups[n-1].done == nil {
		g = q.groups[n-1]
	} else {
		g = &group{last: map[subject]int{}}
		q.groups = append(q.groups, g)
	}
	about, known := subjectOf(&e)
	if !known {
		// A chat that goes takes much with it, a session that is renamed is all
		// over its chat, and the others are rare.
		clear(g.last)
		g.entries = append(g.entries, entry{event: e})
		return
	}
	if at, found := g.last[about]; found && g.entries[at].join(&e) {
		return
	}
	g.last[about] = len(g.entries)
	g.entries = append(g.entries, entry{event: e})
}

// join makes one event of two about the same subject, where that can be done.
func (n *entry) join(e *backend.Event) bool {
	old := &n.event
	switch {
	case old.Text != nil && e.Text != nil:
		return n.joinText(e.Text)
	case old.Content != nil && e.Content != nil:
		if e.Content.Body == nil {
			e.Content.Body = old.Content.Body
		}
	case old.Permission != nil && e.Permission != nil:
		if e.Permission.Raw == nil {
			e.Permission.Raw = old.Permission.Raw
		}
		if e.Permission.Commands == nil {
			e.Permission.Commands = old.Permission.Commands
		}
	case old.Chat != nil && e.Chat != nil,
		old.Turn != nil && e.Turn != nil,
		old.Item != nil && e.Item != nil,
		old.Queued != nil && e.Queued != nil,
		old.Session != nil && e.Session != nil,
		old.Rule != nil && e.Rule != nil,
		old.Provider != nil && e.Provider != nil,
		old.Profile != nil && e.Profile != nil,
		old.Settings != nil && e.Settings != nil,
		old.Connection != nil && e.Connection != nil,
		old.Login != nil && e.Login != nil,
		old.Trust != nil && e.Trust != nil,
		old.CLI != nil && e.CLI != nil,
		old.Account != nil && e.Account != nil,
		old.SignIn != nil && e.SignIn != nil,
		old.Storage != nil && e.Storage != nil,
		old.Desktop != nil && e.Desktop != nil,
		old.Update != nil && e.Update != nil,
		old.Asked != nil && e.Asked != nil:
		// The newer one says all that the older one said.
	default:
		return false
	}
	n.event = *e
	return true
}

// joinText appends a piece that follows at once.
func (n *entry) joinText(next *backend.Text) bool {
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

// events are the events of a group.
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

// append queues a group of its own.
func (q *queue) append(g *group) { q.groups = append(q.groups, g) }

// remove takes a group back, unless it was taken already.
func (q *queue) remove(g *group) bool {
	at := slices.Index(q.groups, g)
	if at < 0 {
		return false
	}
	q.groups = slices.Delete(q.groups, at, at+1)
	return true
}

// take empties the queue.
func (q *queue) take() []*group {
	groups := q.groups
	q.groups = nil
	return groups
}

// putBack puts published events in front of all others.
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

// own copies an event, so that whoever published it may go on changing theirs.
func own(e backend.Event) backend.Event {
	switch {
	case e.Text != nil:
		e.Text = clone(e.Text)
	case e.Item != nil:
		e.Item = clone(e.Item)
		e.Item.Tool = clone(e.Item.Tool)
		e.Item.Plan = slices.Clone(e.Item.Plan)
		e.Item.Banner = clone(e.Item.Banner)
		if b := clone(e.Item.Block); b != nil {
			b.Error, b.Files, b.Commands = clone(b.Error), slices.Clone(b.Files), slices.Clone(b.Commands)
			e.Item.Block = b
		}
	case e.Chat != nil:
		e.Chat = clone(e.Chat)
	case e.Turn != nil:
		e.Turn = clone(e.Turn)
		e.Turn.Error = clone(e.Turn.Error)
		e.Turn.Usage = clone(e.Turn.Usage)
	case e.Content != nil:
		e.Content = clone(e.Content)
	case e.Permission != nil:
		e.Permission = clone(e.Permission)
		e.Permission.Options = slices.Clone(e.Permission.Options)
		e.Permission.Scope = clone(e.Permission.Scope)
	case e.Queued != nil:
		e.Queued = clone(e.Queued)
	case e.Session != nil:
		e.Session = clone(e.Session)
		e.Session.Modes = slices.Clone(e.Session.Modes)
		e.Session.Commands = slices.Clone(e.Session.Commands)
		e.Session.Options = slices.Clone(e.Session.Options)
	case e.Rule != nil:
		e.Rule = clone(e.Rule)
	case e.Provider != nil:
		e.Provider = clone(e.Provider)
	case e.Profile != nil:
		e.Profile = clone(e.Profile)
	case e.Settings != nil:
		e.Settings = clone(e.Settings)
	case e.Unknown != nil:
		e.Unknown = clone(e.Unknown)
	case e.Connection != nil:
		e.Connection = clone(e.Connection)
		e.Connection.Searched = slices.Clone(e.Connection.Searched)
		e.Connection.Can = clone(e.Connection.Can)
	case e.CLI != nil:
		e.CLI = clone(e.CLI)
		e.CLI.Searched = slices.Clone(e.CLI.Searched)
	case e.Login != nil:
		e.Login = clone(e.Login)
	case e.Trust != nil:
		e.Trust = clone(e.Trust)
		e.Trust.ChatIDs = slices.Clone(e.Trust.ChatIDs)
		e.Trust.Runs = slices.Clone(e.Trust.Runs)
		e.Trust.Steers = slices.Clone(e.Trust.Steers)
	case e.Trusted != nil:
		e.Trusted = clone(e.Trusted)
		e.Trusted.Add = slices.Clone(e.Trusted.Add)
	case e.Account != nil:
		e.Account = clone(e.Account)
		e.Account.Found = slices.Clone(e.Account.Found)
	case e.SignIn != nil:
		e.SignIn = clone(e.SignIn)
	case e.Storage != nil:
		e.Storage = clone(e.Storage)
	case e.Desktop != nil:
		e.Desktop = clone(e.Desktop)
	case e.Update != nil:
		e.Update = clone(e.Update)
	case e.Asked != nil:
		e.Asked = clone(e.Asked)
	}
	return e
}

func clone[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}
