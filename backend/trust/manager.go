// Package trust finds everything in an untrusted folder that can run code or make an agent ask for permission less
// often, and asks the user about it before an agent starts there. This includes hooks, servers, settings, plugins,
// custom agents and skills of agents, and programs named in a git configuration. The package only reads the folder's
// files and runs nothing.
//
// The table of all locations is in locations.go. Inventory lists the entries found, and Protected
// reports why a path is protected.
package trust

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

// ManagerConfig configures a Manager.
type ManagerConfig struct {
	// Publish queues events; it never blocks.
	Publish func(events ...backend.Event)
	// Commit publishes events and returns when they are durable, or returns an error if they couldn't be stored.
	Commit func(ctx context.Context, events ...backend.Event) error
	// Trusted returns the trusted entries of the folder with the given key, newest first, and whether the
	// user has trusted that folder.
	Trusted func(ctx context.Context, key string) (entries []backend.TrustedEntry, known bool, err error)
	// OnTrusted is called with a folder's key and the IDs of the chats that no longer need to wait for trust in that
	// folder. It must not block or call the manager.
	OnTrusted func(key string, chatIDs []string)
	// Redact removes secrets from text before it is stored. If Redact is nil, the text is stored unchanged.
	Redact func(string) string
	Log    *slog.Logger
}

// Starter describes an agent that is about to start.
type Starter struct {
	ChatID string
	Folder string
	Agent  string   // display name
	Agents AgentSet // selects the locations that the agent reads
}

// Manager decides whether agents may start in a folder, asking the user if needed. It
// is safe for concurrent use.
type Manager struct {
	cfg ManagerConfig

	checking sync.Mutex // serializes comparisons of waiting starts with the disk

	mu       sync.Mutex
	waiting  []*waitingStart                  // in order of arrival
	requests map[string]*backend.TrustRequest // published requests, by the folder's key
	replaced map[string]string                // IDs of superseded requests, with the folder's key
	edits    []*Edit                          // allowed edits that haven't been found in their files yet
	passes   map[string]*temporaryPass        // by chat ID
}

// waitingStart is an agent that is waiting for the user's decision before it can start.
type waitingStart struct {
	by Starter
	inspection
}

// temporaryPass lets a chat's agent start in a folder whose inventory is incomplete.
type temporaryPass struct {
	key, list string // the folder's key, and inspection.list when the user answered
	used      bool   // a check has applied it, or a process is starting with it
}

// NewManager creates a Manager.
func NewManager(cfg ManagerConfig) *Manager {
	if cfg.OnTrusted == nil {
		cfg.OnTrusted = func(string, []string) {}
	}
	if cfg.Redact == nil {
		cfg.Redact = func(text string) string { return text }
	}
	return &Manager{cfg: cfg, requests: map[string]*backend.TrustRequest{}, replaced: map[string]string{}, passes: map[string]*temporaryPass{}}
}

// entry converts an entry to the form in which it is stored.
func (m *Manager) entry(e Entry) backend.TrustedEntry {
	return backend.TrustedEntry{File: e.File, Key: e.Key, Digest: e.Digest, Value: m.cfg.Redact(e.Value)}
}

// Check reports whether the agent must wait until the user trusts its folder. If so, Check publishes the request. An
// error means that the content of the folder is unknown and no request was published. The result asked is then true if
// ctx has ended, and false if the folder doesn't exist.
func (m *Manager) Check(ctx context.Context, by Starter) (asked bool, err error) {
	l, err := m.inspect(ctx, by)
	if err == nil && !m.mustWait(l, by) && !m.isWaiting(l.key) {
		return false, nil // the common case
	}
	m.checking.Lock()
	defer m.checking.Unlock()
	m.takeEdits(ctx, func(*Edit) bool { return true })
	if l, err = m.inspect(ctx, by); err != nil { // may have been trusted meanwhile
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

// Trusted reports whether the user trusts everything that the agent would read in its folder, and no agent is waiting
// for trust in that folder. Unlike Check, it doesn't ask the user.
func (m *Manager) Trusted(ctx context.Context, by Starter) bool {
	l, err := m.inspect(ctx, by)
	return err == nil && len(l.newEntries) == 0 && !l.findings.Incomplete && !m.isWaiting(l.key)
}

// mustWait reports whether the agent must wait: the folder isn't completely trusted and no temporary
// pass applies. If a pass applies, mustWait marks it as used.
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

// isWaiting reports whether an agent is waiting for the user to trust the folder with the given key.
func (m *Manager) isWaiting(key string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.requests[key] != nil
}

// recheck inspects the folder with the given key again for each waiting start, except for that of the skipped agent.
// It returns the IDs of the chats whose agents no longer need to wait. The caller must hold m.checking.
func (m *Manager) recheck(ctx context.Context, key string, skipped Starter) (freed []string) {
	m.mu.Lock()
	waits := slices.Clone(m.waiting)
	m.mu.Unlock()
	for _, w := range waits {
		if w.key != key || w.by == skipped {
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

// releaseChats calls OnTrusted with the given chats, except those that still have a waiting start.
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

// republish publishes the requests that have changed and withdraws those that no start is waiting for.
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

// RemoveChat discards a chat's waiting starts, temporary pass and allowed edits. It is called when the
// chat is stopped, deleted or moved to another folder, or when another model or agent takes over.
func (m *Manager) RemoveChat(chatID string) {
	m.mu.Lock()
	delete(m.passes, chatID)
	m.edits = slices.DeleteFunc(m.edits, func(e *Edit) bool { return e.by.ChatID == chatID })
	m.waiting = slices.DeleteFunc(m.waiting, func(w *waitingStart) bool { return w.by.ChatID == chatID })
	m.mu.Unlock()
	m.republish()
}

// IsWaiting reports whether the chat's agent is waiting for the user's decision before it can start.
func (m *Manager) IsWaiting(chatID string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.ContainsFunc(m.waiting, func(w *waitingStart) bool { return w.by.ChatID == chatID })
}

// NewStart must be called before a process starts for the chat. It marks the chat's temporary pass as used, or discards
// a pass that was already used. Each of the user's answers about a folder with an incomplete inventory is therefore
// valid for one process only.
func (m *Manager) NewStart(chatID string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p := m.passes[chatID]; p != nil && p.used {
		delete(m.passes, chatID)
	} else if p != nil {
		p.used = true
	}
}
