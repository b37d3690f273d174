package assistant

import (
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// activity tracks the current activity of a running chat for its subtitle (Chat.Detail). It depends on the open items
// and permission requests, but not on the text that the items are receiving.
type activity struct {
	mu          sync.Mutex
	open        []openItem // oldest first
	isWaiting   bool       // waiting for the user
	publishedAt time.Time
	scheduled   bool // an update is scheduled
}

type openItem struct {
	id   string
	tool bool
	line backend.Message
}

const (
	// detailPause is the minimum time between two updates of the subtitle.
	detailPause = 400 * time.Millisecond
	// maxOpen is the maximum number of open items that are tracked. If there are more, only the newest ones are
	// tracked.
	maxOpen = 100
	// maxLine is the maximum length in characters of each part of the subtitle, such as a command.
	maxLine = 120
	// maxReason is the maximum length in characters of an error in the subtitle. It is large enough for most
	// errors, because a shortened error can't be translated.
	maxReason = 500
)

// Observe updates a chat's subtitle, the waiting times of its turns and the progress of its tasks after an
// event of the chat. asks contains the chat's open permission requests. Observe doesn't wait for commits.
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

// isRunning reports whether, according to the chat's row, a turn is running.
func (v *conversation) isRunning() bool { return v.row.Load().TurnState == backend.TurnRunning }

// update calls change to update the activity. It reports whether the caller must schedule publishDetail.
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

// item updates the list of open items after an item changed: the item is added, gets a new line or, if it
// was closed, is removed. An item that opens while the chat is idle (runs is false) is ignored. The caller
// must hold a.mu.
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

// wait returns the delay until the next update may be published.
func (a *activity) wait() time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	return max(0, detailPause-time.Since(a.publishedAt))
}

// line returns the line to show: that the chat is waiting for the user, or else the line of the newest running tool, or
// else the line of the newest other open item. The caller must hold a.mu.
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

// current returns the current line and records that it was published.
func (a *activity) current() backend.Message {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.scheduled, a.publishedAt = false, time.Now()
	return a.line()
}

// reset clears the activity when the chat becomes idle.
func (a *activity) reset() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open, a.isWaiting = nil, false
}

// publishDetail updates the chat's row with the current activity.
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

// isBusy reports whether a turn or a task delegated by the user is running. The caller must hold v.mu.
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

// finishedMessage returns the message for a turn that succeeded, with the number of changed files.
func finishedMessage(files int) backend.Message {
	switch files {
	case 0:
		return backend.Say("Finished.")
	case 1:
		return backend.Say("Finished. 1 file changed")
	}
	return backend.Say("Finished. %d files changed", files)
}

// lineOf returns the line that describes the activity of an open item.
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
