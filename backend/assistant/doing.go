package assistant

import (
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// doing is what is being done in a chat that is at work, for the line under its
// title (Chat.Detail). It follows the items that are open, and never the text
// that streams into them.
type doing struct {
	mu     sync.Mutex
	open   []openItem // in the order in which they began
	asks   bool       // the user is waited for
	toldAt time.Time
	coming bool // a change will be told
}

type openItem struct {
	id   string
	tool bool
	line backend.Message
}

const (
	// detailPause is the shortest time between two changes of the line.
	detailPause = 400 * time.Millisecond
	// mostOpen is how many open items are looked at, the newest.
	mostOpen = 100
	maxLine  = 120
	// maxReason leaves what went wrong whole, which a page says in its language.
	maxReason = 500
)

// Observe takes an event of what goes on in a chat, for what the chat's row says of
// it, for how long its turns wait, and for the progress of work; asks are the requests
// of the chat that are open since then. It waits for nothing that is being committed.
func (c *Chats) Observe(e backend.Event, asks []backend.Permission) {
	var v *conversation
	var changed bool
	switch it := e.Item; {
	case e.Permission != nil:
		if v, _ = c.conversation(e.Permission.ChatID); v == nil {
			return
		}
		v.waits.takes(*e.Permission, asks)
		changed = v.doing.takes(func(d *doing) { d.asks = len(asks) > 0 && v.runs() })
	case it != nil && (it.Tool != nil || it.Kind == backend.ItemMessage || it.Kind == backend.ItemThought):
		if v, _ = c.conversation(it.ChatID); v == nil {
			return
		}
		c.progress(*it)
		changed = v.doing.takes(func(d *doing) { d.item(*it, v.runs()) })
	}
	if changed {
		time.AfterFunc(v.doing.wait(), v.tellDetail)
	}
}

// runs reports whether the chat's row says that it is at work.
func (v *conversation) runs() bool { return v.row.Load().TurnState == backend.TurnRunning }

// takes notes a change. It reports whether the line is to be told, which nobody does
// yet.
func (d *doing) takes(change func(*doing)) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	before := d.line()
	change(d)
	if d.coming || d.line() == before {
		return false
	}
	d.coming = true
	return true
}

// item notes an item. One that is heard of when the chat is at rest already does not
// count as open. d.mu is held.
func (d *doing) item(it backend.Item, runs bool) {
	at := slices.IndexFunc(d.open, func(o openItem) bool { return o.id == it.ID })
	switch {
	case at >= 0 && !it.Open:
		d.open = slices.Delete(d.open, at, at+1)
	case at >= 0:
		d.open[at].line = lineOf(it)
	case it.Open && runs:
		if len(d.open) == mostOpen {
			d.open = slices.Delete(d.open, 0, 1)
		}
		d.open = append(d.open, openItem{id: it.ID, tool: it.Tool != nil, line: lineOf(it)})
	}
}

// wait is how long the next change has to wait.
func (d *doing) wait() time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	return max(0, detailPause-time.Since(d.toldAt))
}

// line is what is being done: the newest tool that runs, else what is being
// said. d.mu is held.
func (d *doing) line() (line backend.Message) {
	if d.asks {
		return backend.Say("Waiting for you")
	}
	for _, o := range slices.Backward(d.open) {
		if o.tool {
			return o.line
		}
		if line.IsZero() {
			line = o.line
		}
	}
	return line
}

// told is the line that is told now.
func (d *doing) told() backend.Message {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.coming, d.toldAt = false, time.Now()
	return d.line()
}

// rest is the end of all work.
func (d *doing) rest() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open, d.asks = nil, false
}

// tellDetail has the chat's row say what is being done.
func (v *conversation) tellDetail() {
	v.mu.Lock()
	defer v.mu.Unlock()
	line := v.doing.told()
	if v.gone || v.chat.Detail == line || !v.working() {
		return
	}
	chat := v.chat
	chat.Detail = line
	v.keep(chat)
	v.all.cfg.Publish(backend.Event{Chat: &chat})
}

// working says whether an answer is on its way, or work that the user gave to a
// session. v.mu is held.
func (v *conversation) working() bool {
	if v.running != nil {
		return true
	}
	for _, w := range v.works {
		if w.caller == "" {
			return true
		}
	}
	return false
}

// finished says that a chat's work has ended well, and how many files it changed.
func finished(files int) backend.Message {
	switch files {
	case 0:
		return backend.Say("Finished.")
	case 1:
		return backend.Say("Finished. 1 file changed")
	}
	return backend.Say("Finished. %d files changed", files)
}

// lineOf says what an open item does.
func lineOf(it backend.Item) backend.Message {
	t := it.Tool
	switch {
	case it.Kind == backend.ItemThought:
		return backend.Say("Thinking…")
	case t == nil:
		return backend.Say("Writing…")
	}
	name := firstLine(filepath.Base(t.Path), maxLine)
	switch {
	case t.Kind == backend.ToolSearch && t.Command != "":
		return backend.Say("Searching for %s", firstLine(t.Command, maxLine))
	case t.Kind == backend.ToolExecute && t.Command != "":
		return backend.Say("Running %s", firstLine(t.Command, maxLine))
	case t.Path == "":
	case t.Kind == backend.ToolRead:
		return backend.Say("Reading %s", name)
	case t.Kind == backend.ToolEdit:
		return backend.Say("Editing %s", name)
	case t.Kind == backend.ToolDelete:
		return backend.Say("Deleting %s", name)
	case t.Kind == backend.ToolMove:
		return backend.Say("Moving %s", name)
	}
	return backend.Plain(firstLine(t.Title, maxLine))
}
