package assistant

import (
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// activity is what is being done in a chat that is at work, for the line under its
// title (Chat.Detail). It follows the items that are open, and never the text
// that streams into them.
type activity struct {
	mu          sync.Mutex
	open        []openItem // in the order in which they began
	isWaiting   bool       // the user is waited for
	publishedAt time.Time
	scheduled   bool // a change will be told
}

type openItem struct {
	id   string
	tool bool
	line backend.Message
}

const (
	// detailPause is the shortest time between two changes of the line.
	detailPause = 400 * time.Millisecond
	// maxOpen is how many open items are looked at, the newest.
	maxOpen = 100
	maxLine = 120
	// maxReason leaves what went wrong whole, which a page says in its language.
	maxReason = 500
)

// Observe takes an event of what goes on in a chat, for what the chat's row says of
// it, for how long its turns wait, and for the progress of work; asks are the requests
// of the chat that are open since then. It waits for nothing that is being committed.
func (s *Service) Observe(e backend.Event, asks []backend.Permission) {
	var v *conversation
	var changed bool
	switch it := e.Item; {
	case e.Permission != nil:
		if v, _ = s.conversation(e.Permission.ChatID); v == nil {
			return
		}
		v.waitTimes.note(*e.Permission, asks)
		changed = v.activity.update(func(d *activity) { d.isWaiting = len(asks) > 0 && v.isRunning() })
	case it != nil && (it.Tool != nil || it.Kind == backend.ItemMessage || it.Kind == backend.ItemThought):
		if v, _ = s.conversation(it.ChatID); v == nil {
			return
		}
		s.progress(*it)
		changed = v.activity.update(func(d *activity) { d.item(*it, v.isRunning()) })
	}
	if changed {
		time.AfterFunc(v.activity.wait(), v.publishDetail)
	}
}

// isRunning reports whether the chat's row says that it is at work.
func (v *conversation) isRunning() bool { return v.row.Load().TurnState == backend.TurnRunning }

// update notes a change. It reports whether the line is to be told, which nobody does
// yet.
func (a *activity) update(change func(*activity)) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	before := a.line()
	change(a)
	if a.scheduled || a.line() == before {
		return false
	}
	a.scheduled = true
	return true
}

// item notes an item. One that is heard of when the chat is at rest already does not
// count as open. d.mu is held.
func (a *activity) item(it backend.Item, runs bool) {
	at := slices.IndexFunc(a.open, func(o openItem) bool { return o.id == it.ID })
	switch {
	case at >= 0 && !it.Open:
		a.open = slices.Delete(a.open, at, at+1)
	case at >= 0:
		a.open[at].line = lineOf(it)
	case it.Open && runs:
		if len(a.open) == maxOpen {
			a.open = slices.Delete(a.open, 0, 1)
		}
		a.open = append(a.open, openItem{id: it.ID, tool: it.Tool != nil, line: lineOf(it)})
	}
}

// wait is how long the next change has to wait.
func (a *activity) wait() time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	return max(0, detailPause-time.Since(a.publishedAt))
}

// line is what is being done: the newest tool that runs, else what is being
// said. d.mu is held.
func (a *activity) line() (line backend.Message) {
	if a.isWaiting {
		return backend.Say("Waiting for you")
	}
	for _, o := range slices.Backward(a.open) {
		if o.tool {
			return o.line
		}
		if line.IsZero() {
			line = o.line
		}
	}
	return line
}

// current is the line that is told now.
func (a *activity) current() backend.Message {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.scheduled, a.publishedAt = false, time.Now()
	return a.line()
}

// reset is the end of all work.
func (a *activity) reset() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open, a.isWaiting = nil, false
}

// publishDetail has the chat's row say what is being done.
func (v *conversation) publishDetail() {
	v.mu.Lock()
	defer v.mu.Unlock()
	line := v.activity.current()
	if v.deleted || v.chat.Detail == line || !v.isBusy() {
		return
	}
	chat := v.chat
	chat.Detail = line
	v.setChat(chat)
	v.service.cfg.Publish(backend.Event{Chat: &chat})
}

// isBusy says whether an answer is on its way, or work that the user gave to a
// session. v.mu is held.
func (v *conversation) isBusy() bool {
	if v.running != nil {
		return true
	}
	for _, w := range v.tasks {
		if w.caller == "" {
			return true
		}
	}
	return false
}

// finishedMessage says that a chat's work has ended well, and how many files it changed.
func finishedMessage(files int) backend.Message {
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
