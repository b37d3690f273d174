package assistant

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// doing is what is being done in a chat that is at work, for the line under its
// title (Chat.Detail). It follows the items that are open, and never the text
// that streams into them.
type doing struct {
	mu     sync.Mutex
	open   []openItem      // in the order in which they began
	asks   map[string]bool // requests that wait for the user
	toldAt time.Time
	coming bool // a change will be told
}

type openItem struct {
	id   string
	tool bool
	line string
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

// Does takes events of who works in chats, for what their rows say of it. It
// never blocks.
func (c *Chats) Does(events ...backend.Event) {
	for _, e := range events {
		var chatID string
		switch {
		case e.Item != nil && (e.Item.Tool != nil || e.Item.Kind == backend.ItemMessage || e.Item.Kind == backend.ItemThought):
			chatID = e.Item.ChatID
		case e.Permission != nil:
			chatID = e.Permission.ChatID
		default:
			continue
		}
		v, err := c.conversation(chatID)
		if err != nil {
			continue
		}
		if e.Permission != nil {
			v.waits.takes(*e.Permission)
		}
		if v.doing.takes(e) {
			time.AfterFunc(v.doing.wait(), v.tellDetail)
		}
	}
}

// takes notes an event. It says whether the line is to be told, which nobody does
// yet.
func (d *doing) takes(e backend.Event) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	before := d.line()
	if p := e.Permission; p != nil {
		if d.asks == nil {
			d.asks = map[string]bool{}
		}
		delete(d.asks, p.ID)
		if p.State == backend.PermissionOpen {
			d.asks[p.ID] = true
		}
	} else {
		d.item(*e.Item)
	}
	if d.coming || d.line() == before {
		return false
	}
	d.coming = true
	return true
}

func (d *doing) item(it backend.Item) {
	at := slices.IndexFunc(d.open, func(o openItem) bool { return o.id == it.ID })
	switch {
	case at >= 0 && !it.Open:
		d.open = slices.Delete(d.open, at, at+1)
	case at >= 0:
		d.open[at].line = lineOf(it)
	case it.Open:
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
func (d *doing) line() (line string) {
	if len(d.asks) > 0 {
		return "Waiting for you"
	}
	for _, o := range slices.Backward(d.open) {
		if o.tool {
			return o.line
		}
		if line == "" {
			line = o.line
		}
	}
	return line
}

// told is the line that is told now.
func (d *doing) told() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.coming, d.toldAt = false, time.Now()
	return d.line()
}

// rest is the end of all work.
func (d *doing) rest() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open, d.asks = nil, nil
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
func finished(files int) string {
	switch files {
	case 0:
		return "Finished."
	case 1:
		return "Finished. 1 file changed"
	}
	return "Finished. " + strconv.Itoa(files) + " files changed"
}

// lineOf says what an open item does.
func lineOf(it backend.Item) string {
	t := it.Tool
	switch {
	case it.Kind == backend.ItemThought:
		return "Thinking…"
	case t == nil:
		return "Writing…"
	}
	verb := map[backend.ToolKind]string{
		backend.ToolRead: "Reading %s", backend.ToolEdit: "Editing %s", backend.ToolDelete: "Deleting %s", backend.ToolMove: "Moving %s",
	}[t.Kind]
	switch {
	case t.Kind == backend.ToolSearch && t.Command != "":
		return firstLine("Searching for "+t.Command, maxLine)
	case t.Kind == backend.ToolExecute && t.Command != "":
		return firstLine("Running "+strings.TrimSpace(t.Command), maxLine)
	case verb != "" && t.Path != "":
		return firstLine(fmt.Sprintf(verb, filepath.Base(t.Path)), maxLine)
	}
	return firstLine(t.Title, maxLine)
}
