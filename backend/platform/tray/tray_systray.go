//go:build windows || (darwin && cgo)

package tray

import (
	"strconv"
	"sync"

	"fyne.io/systray"
)

// native is a fyne.io/systray tray. A process can have only one. Entries can only be appended to its menu, so all
// possible slots are created at the start, and unused ones are hidden.
type native struct {
	config Config
	ready  chan struct{} // closed when the slots exist

	mu      sync.Mutex
	items   map[string]*systray.MenuItem
	entries map[string]Entry // by slot
	shape   Shape
}

func start(c Config, first appearance) driver {
	n := &native{config: c, ready: make(chan struct{}), items: map[string]*systray.MenuItem{}, entries: map[string]Entry{}}
	setTapped(func() { c.Click(Entry{Do: Tap}) })
	run(func() {
		n.build()
		close(n.ready)
		n.show(first)
		watchColors(n.recolor)
		c.Hosted(true) // both systems always have a tray
	})
	return n
}

// build creates all slots in order.
func (n *native) build() {
	full := State{}
	for i := range MaxChats + 1 {
		full.Chats = append(full.Chats, Chat{ID: strconv.Itoa(i)})
	}
	entries := Menu(full)
	places := entryKeys(entries)
	for i, e := range entries {
		if e.Do == "" && e.Label == "" {
			systray.AddSeparator()
			continue
		}
		item := systray.AddMenuItemCheckbox(e.Label, "", e.Checked)
		item.Hide()
		n.items[places[i]] = item
		go n.follow(places[i], item)
	}
}

// follow forwards the clicks on the item in a slot while the app runs.
func (n *native) follow(place string, item *systray.MenuItem) {
	for range item.ClickedCh {
		n.mu.Lock()
		e := n.entries[place]
		n.mu.Unlock()
		if e.Do != "" {
			n.config.Click(e)
		}
	}
}

func (n *native) show(f appearance) {
	<-n.ready
	n.mu.Lock()
	defer n.mu.Unlock()
	n.shape = f.shape
	setIcon(n.shape)
	systray.SetTooltip(f.tooltip)
	next := map[string]Entry{}
	for i, place := range entryKeys(f.entries) {
		next[place] = f.entries[i]
	}
	for place, item := range n.items {
		e, wanted := next[place]
		was, there := n.entries[place]
		switch {
		case !wanted && there:
			item.Hide()
		case wanted && e != was:
			applyEntry(item, e)
		}
		if wanted && !there {
			item.Show()
		}
	}
	n.entries = next
}

// recolor updates the icon after the system's colors have changed.
func (n *native) recolor() {
	n.mu.Lock()
	defer n.mu.Unlock()
	setIcon(n.shape)
}

func applyEntry(item *systray.MenuItem, e Entry) {
	item.SetTitle(label(e.Label))
	if e.Checked != item.Checked() {
		if e.Checked {
			item.Check()
		} else {
			item.Uncheck()
		}
	}
	if (e.Do == "") != item.Disabled() {
		if e.Do == "" {
			item.Disable()
		} else {
			item.Enable()
		}
	}
}
