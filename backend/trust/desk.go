// Package trust finds what a folder that somebody else wrote can run, or how it
// can make an agent ask less, before an agent starts there: hooks, servers,
// settings, plugins, custom agents and skills of agents, and the programs that a
// git configuration names. It reads files and runs nothing.
//
// The table of all places is in places.go. Inventory lists what is there, and
// Protected says of one path whether it is such a place.
package trust

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

// DeskConfig is what a Desk needs of the rest of the app.
type DeskConfig struct {
	// Publish queues events; it never blocks.
	Publish func(events ...backend.Event)
	// Commit returns when the events are durable, or with the reason why not.
	Commit func(ctx context.Context, events ...backend.Event) error
	// Trusted returns what the user trusts in the folder with this key, the newest
	// first, and whether the user has trusted that folder.
	Trusted func(ctx context.Context, key string) (entries []backend.TrustedEntry, known bool, err error)
	// OnTrusted says that these chats need not wait any more. It may not block, nor
	// call the Desk.
	OnTrusted func(key string, chatIDs []string)
	// Redact takes secrets out of what is kept; nil keeps all.
	Redact func(string) string
	Log    *slog.Logger
}

// Starter is what an agent would start for.
type Starter struct {
	ChatID string
	Folder string
	Agent  string // as the user calls it
	Agents Agents // says which places it reads
}

// Desk says whether agents may start in a folder, and asks the user. Its methods
// are safe for concurrent use.
type Desk struct {
	cfg DeskConfig

	looking sync.Mutex // one comparison of what waits with the disk at a time

	mu       sync.Mutex
	waits    []*wait                          // in the order in which they asked
	asked    map[string]*backend.TrustRequest // what is published, by key
	replaced map[string]string                // ids of earlier requests, and the key of each
	edits    []*Edit                          // allowed, and not seen in their files yet
	passes   map[string]*pass                 // by chat
}

// wait is a start that waits for the user.
type wait struct {
	by Starter
	look
}

// pass lets the agent of a chat go on in a folder of which not all is known.
type pass struct {
	key, list string
	used      bool // by a start
}

// NewDesk makes a Desk.
func NewDesk(cfg DeskConfig) *Desk {
	if cfg.OnTrusted == nil {
		cfg.OnTrusted = func(string, []string) {}
	}
	if cfg.Redact == nil {
		cfg.Redact = func(text string) string { return text }
	}
	return &Desk{cfg: cfg, asked: map[string]*backend.TrustRequest{}, replaced: map[string]string{}, passes: map[string]*pass{}}
}

// entry is an entry as it is kept.
func (d *Desk) entry(e Entry) backend.TrustedEntry {
	return backend.TrustedEntry{File: e.File, Key: e.Key, Digest: e.Digest, Value: d.cfg.Redact(e.Value)}
}

// Check reports whether the start has to wait for the user's trust; the request is
// then published. An error says that it isn't known what is in the folder: where
// asked is false the folder is gone, and where it is true ctx ended first, with
// nothing published.
func (d *Desk) Check(ctx context.Context, by Starter) (asked bool, err error) {
	l, err := d.look(ctx, by)
	if err == nil && !d.stops(l, by) && !d.waiting(l.key) {
		return false, nil // the usual way
	}
	d.looking.Lock()
	defer d.looking.Unlock()
	d.takeEdits(ctx, func(*Edit) bool { return true })
	if l, err = d.look(ctx, by); err != nil { // it may have been trusted meanwhile
		return ctx.Err() != nil, err
	}
	stops := d.stops(l, by)
	d.mu.Lock()
	d.waits = slices.DeleteFunc(d.waits, func(w *wait) bool { return w.by.ChatID == by.ChatID && (!stops || w.by.Folder == by.Folder) })
	if stops {
		d.waits = append(d.waits, &wait{by, l})
	}
	d.mu.Unlock()
	freed := d.lookAgain(ctx, l.key, by)
	d.renew()
	d.free(l.key, freed)
	return stops, nil
}

// stops reports whether the start has to wait.
func (d *Desk) stops(l look, by Starter) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(l.fresh) == 0 && !l.found.Incomplete {
		return false
	}
	p := d.passes[by.ChatID]
	if p == nil || p.key != l.key || p.list != l.list() {
		return true
	}
	p.used = true
	return false
}

// waiting reports whether something waits for trust in the folder with this key.
func (d *Desk) waiting(key string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.asked[key] != nil
}

// lookAgain compares the starts that wait for the folder, but for one, with the
// disk, and returns the chats that need not wait any more. The caller must hold
// d.looking.
func (d *Desk) lookAgain(ctx context.Context, key string, but Starter) (freed []string) {
	d.mu.Lock()
	waits := slices.Clone(d.waits)
	d.mu.Unlock()
	for _, w := range waits {
		if w.key != key || w.by == but {
			continue
		}
		l, err := d.look(ctx, w.by)
		if ctx.Err() != nil {
			return freed
		}
		stops := err == nil && d.stops(l, w.by)
		d.mu.Lock()
		if i := slices.Index(d.waits, w); i >= 0 && stops {
			d.waits[i] = &wait{w.by, l}
		} else if i >= 0 {
			d.waits = slices.Delete(d.waits, i, i+1)
			freed = append(freed, w.by.ChatID)
		}
		d.mu.Unlock()
	}
	return freed
}

// free tells the chats that nothing of theirs waits any more.
func (d *Desk) free(key string, chatIDs []string) {
	d.mu.Lock()
	chatIDs = slices.DeleteFunc(chatIDs, func(id string) bool {
		return slices.ContainsFunc(d.waits, func(w *wait) bool { return w.by.ChatID == id })
	})
	d.mu.Unlock()
	if len(chatIDs) > 0 {
		d.cfg.OnTrusted(key, chatIDs)
	}
}

// renew publishes what is asked for now, where that differs from what was.
func (d *Desk) renew() {
	d.mu.Lock()
	defer d.mu.Unlock()
	var keys []string
	for _, w := range d.waits {
		if !slices.Contains(keys, w.key) {
			keys = append(keys, w.key)
		}
	}
	for key := range d.asked {
		if !slices.Contains(keys, key) {
			delete(d.asked, key)
			maps.DeleteFunc(d.replaced, func(_, of string) bool { return of == key })
			d.cfg.Publish(backend.Event{TrustRequestDeleted: &backend.Deleted{ID: key}})
		}
	}
	for _, key := range keys {
		r := d.request(key)
		if was := d.asked[key]; was == nil || !same(was, r) {
			d.asked[key] = r
			if was != nil {
				d.replaced[was.ID] = key
			}
			delete(d.replaced, r.ID)
			sent := *r
			d.cfg.Publish(backend.Event{TrustRequest: &sent})
		}
	}
}

// Settled takes a chat out of what waits: it was deleted or stopped, or something
// else answers it.
func (d *Desk) Settled(chatID string) {
	d.mu.Lock()
	delete(d.passes, chatID)
	d.edits = slices.DeleteFunc(d.edits, func(e *Edit) bool { return e.by.ChatID == chatID })
	d.waits = slices.DeleteFunc(d.waits, func(w *wait) bool { return w.by.ChatID == chatID })
	d.mu.Unlock()
	d.renew()
}

// Waits reports whether a start of the chat's agent waits for the user.
func (d *Desk) Waits(chatID string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.ContainsFunc(d.waits, func(w *wait) bool { return w.by.ChatID == chatID })
}

// NewStart says that a process is about to be started for a chat: the user is asked
// again, where not all of the folder is known, if the answer let one start already.
func (d *Desk) NewStart(chatID string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if p := d.passes[chatID]; p != nil && p.used {
		delete(d.passes, chatID)
	} else if p != nil {
		p.used = true
	}
}
