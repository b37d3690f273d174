// Package trust finds what a folder that somebody else wrote can run, or how it
// can make an agent ask less, before an agent starts there: hooks, servers,
// settings, plugins, custom agents and skills of agents, and the programs that a
// git configuration names. It reads files and runs nothing.
//
// The table of all places is in locations.go. Inventory lists what is there, and
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

// ManagerConfig is what a Manager needs of the rest of the app.
type ManagerConfig struct {
	// Publish queues events; it never blocks.
	Publish func(events ...backend.Event)
	// Commit returns when the events are durable, or with the reason why not.
	Commit func(ctx context.Context, events ...backend.Event) error
	// Trusted returns what the user trusts in the folder with this key, the newest
	// first, and whether the user has trusted that folder.
	Trusted func(ctx context.Context, key string) (entries []backend.TrustedEntry, known bool, err error)
	// OnTrusted says that these chats need not wait any more. It may not block, nor
	// call the Manager.
	OnTrusted func(key string, chatIDs []string)
	// Redact takes secrets out of what is kept; nil keeps all.
	Redact func(string) string
	Log    *slog.Logger
}

// Starter is what an agent would start for.
type Starter struct {
	ChatID string
	Folder string
	Agent  string   // as the user calls it
	Agents AgentSet // says which places it reads
}

// Manager says whether agents may start in a folder, and asks the user. Its methods
// are safe for concurrent use.
type Manager struct {
	cfg ManagerConfig

	checking sync.Mutex // one comparison of what waits with the disk at a time

	mu       sync.Mutex
	waiting  []*waitingStart                  // in the order in which they asked
	requests map[string]*backend.TrustRequest // what is published, by key
	replaced map[string]string                // ids of earlier requests, and the key of each
	edits    []*Edit                          // allowed, and not seen in their files yet
	passes   map[string]*temporaryPass        // by chat
}

// waitingStart is a start that waits for the user.
type waitingStart struct {
	by Starter
	inspection
}

// temporaryPass lets the agent of a chat go on in a folder of which not all is known.
type temporaryPass struct {
	key, list string
	used      bool // by a start
}

// NewManager makes a Manager.
func NewManager(cfg ManagerConfig) *Manager {
	if cfg.OnTrusted == nil {
		cfg.OnTrusted = func(string, []string) {}
	}
	if cfg.Redact == nil {
		cfg.Redact = func(text string) string { return text }
	}
	return &Manager{cfg: cfg, requests: map[string]*backend.TrustRequest{}, replaced: map[string]string{}, passes: map[string]*temporaryPass{}}
}

// entry is an entry as it is kept.
func (m *Manager) entry(e Entry) backend.TrustedEntry {
	return backend.TrustedEntry{File: e.File, Key: e.Key, Digest: e.Digest, Value: m.cfg.Redact(e.Value)}
}

// Check reports whether the start has to wait for the user's trust; the request is
// then published. An error says that it isn't known what is in the folder: where
// asked is false the folder is gone, and where it is true ctx ended first, with
// nothing published.
func (m *Manager) Check(ctx context.Context, by Starter) (asked bool, err error) {
	l, err := m.inspect(ctx, by)
	if err == nil && !m.mustWait(l, by) && !m.isWaiting(l.key) {
		return false, nil // the usual way
	}
	m.checking.Lock()
	defer m.checking.Unlock()
	m.takeEdits(ctx, func(*Edit) bool { return true })
	if l, err = m.inspect(ctx, by); err != nil { // it may have been trusted meanwhile
		return ctx.Err() != nil, err
	}
	stops := m.mustWait(l, by)
	m.mu.Lock()
	m.waiting = slices.DeleteFunc(m.waiting, func(w *waitingStart) bool { return w.by.ChatID == by.ChatID && (!stops || w.by.Folder == by.Folder) })
	if stops {
		m.waiting = append(m.waiting, &waitingStart{by, l})
	}
	m.mu.Unlock()
	freed := m.recheck(ctx, l.key, by)
	m.republish()
	m.releaseChats(l.key, freed)
	return stops, nil
}

// mustWait reports whether the start has to wait.
func (m *Manager) mustWait(l inspection, by Starter) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(l.newEntries) == 0 && !l.findings.Incomplete {
		return false
	}
	p := m.passes[by.ChatID]
	if p == nil || p.key != l.key || p.list != l.list() {
		return true
	}
	p.used = true
	return false
}

// isWaiting reports whether something waits for trust in the folder with this key.
func (m *Manager) isWaiting(key string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.requests[key] != nil
}

// recheck compares the starts that wait for the folder, but for one, with the
// disk, and returns the chats that need not wait any more. The caller must hold
// d.looking.
func (m *Manager) recheck(ctx context.Context, key string, but Starter) (freed []string) {
	m.mu.Lock()
	waits := slices.Clone(m.waiting)
	m.mu.Unlock()
	for _, w := range waits {
		if w.key != key || w.by == but {
			continue
		}
		l, err := m.inspect(ctx, w.by)
		if ctx.Err() != nil {
			return freed
		}
		stops := err == nil && m.mustWait(l, w.by)
		m.mu.Lock()
		if i := slices.Index(m.waiting, w); i >= 0 && stops {
			m.waiting[i] = &waitingStart{w.by, l}
		} else if i >= 0 {
			m.waiting = slices.Delete(m.waiting, i, i+1)
			freed = append(freed, w.by.ChatID)
		}
		m.mu.Unlock()
	}
	return freed
}

// releaseChats tells the chats that nothing of theirs waits any more.
func (m *Manager) releaseChats(key string, chatIDs []string) {
	m.mu.Lock()
	chatIDs = slices.DeleteFunc(chatIDs, func(id string) bool {
		return slices.ContainsFunc(m.waiting, func(w *waitingStart) bool { return w.by.ChatID == id })
	})
	m.mu.Unlock()
	if len(chatIDs) > 0 {
		m.cfg.OnTrusted(key, chatIDs)
	}
}

// republish publishes what is asked for now, where that differs from what was.
func (m *Manager) republish() {
	m.mu.Lock()
	defer m.mu.Unlock()
	var keys []string
	for _, w := range m.waiting {
		if !slices.Contains(keys, w.key) {
			keys = append(keys, w.key)
		}
	}
	for key := range m.requests {
		if !slices.Contains(keys, key) {
			delete(m.requests, key)
			maps.DeleteFunc(m.replaced, func(_, of string) bool { return of == key })
			m.cfg.Publish(backend.Event{TrustRequestDeleted: &backend.Deleted{ID: key}})
		}
	}
	for _, key := range keys {
		r := m.request(key)
		if was := m.requests[key]; was == nil || !same(was, r) {
			m.requests[key] = r
			if was != nil {
				m.replaced[was.ID] = key
			}
			delete(m.replaced, r.ID)
			sent := *r
			m.cfg.Publish(backend.Event{TrustRequest: &sent})
		}
	}
}

// RemoveChat takes a chat out of what waits: it was deleted or stopped, or something
// else answers it.
func (m *Manager) RemoveChat(chatID string) {
	m.mu.Lock()
	delete(m.passes, chatID)
	m.edits = slices.DeleteFunc(m.edits, func(e *Edit) bool { return e.by.ChatID == chatID })
	m.waiting = slices.DeleteFunc(m.waiting, func(w *waitingStart) bool { return w.by.ChatID == chatID })
	m.mu.Unlock()
	m.republish()
}

// Waits reports whether a start of the chat's agent waits for the user.
func (m *Manager) Waits(chatID string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.ContainsFunc(m.waiting, func(w *waitingStart) bool { return w.by.ChatID == chatID })
}

// NewStart says that a process is about to be started for a chat: the user is asked
// again, where not all of the folder is known, if the answer let one start already.
func (m *Manager) NewStart(chatID string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p := m.passes[chatID]; p != nil && p.used {
		delete(m.passes, chatID)
	} else if p != nil {
		p.used = true
	}
}
