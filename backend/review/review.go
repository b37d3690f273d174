// Package review compares the states of the files in a chat's folder for the review screen: those that VoxPilot
// recorded (backend/undo), those in Git, and those on disk.
//
// It reads whole files, never the fragments that an agent sent. Reading runs no program that the folder or its
// repository names. Each changed file has a version that identifies both sides, so that a diff, its lines and a part to
// revert always belong together.
package review

import (
	"context"
	"log/slog"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/backend/undo"
)

// Config holds the dependencies of a Manager.
type Config struct {
	LoginPath func() string // the user's PATH, which is searched for git
	Store     *store.Store
	Undo      *undo.Manager
	Chat      func(id string) (backend.Chat, error)
	Log       *slog.Logger
}

// Manager compares states of files for the review screen. It is safe for concurrent use.
type Manager struct {
	cfg Config

	mu       sync.Mutex
	measures map[measureKey]measure
	lists    []*list    // the lists that were read last, oldest first, at most one per chat and source
	versions []*version // files that the page may refer to by version, oldest first
	texts    []*text    // the texts that were shown last, oldest first
}

// New returns a Manager.
func New(cfg Config) *Manager { return &Manager{cfg: cfg, measures: map[measureKey]measure{}} }

// Request identifies a changed file of a source. Fields that a method doesn't need may be zero.
type Request struct {
	ChatID, Source, Path string
	Version              string // as the page received it with the list or the diff
	Side                 backend.ReviewSide
	HideWhitespace       bool // ignore changes that only affect white space
	First                int  // for Files: if positive, only this many files must be compared; others may be pending
}

// Files lists the changed files of a source. If q.First is positive and all changes are known without the files'
// contents, only the first q.First files that the user hasn't viewed are compared; the others are pending
// (backend.ReviewFile.Pending). That is much faster for a long list.
func (m *Manager) Files(ctx context.Context, q Request) (backend.ReviewFiles, error) {
	l, err := m.read(ctx, q)
	if err != nil {
		return backend.ReviewFiles{}, err
	}
	res := backend.ReviewFiles{
		Source: l.source, Version: l.fileVersions, Files: make([]backend.ReviewFile, len(l.files)), Total: l.total, Partial: l.partial, From: l.from, To: l.to, Message: l.message, Nested: l.nested,
	}
	viewed, err := m.viewed(ctx, q.ChatID, l.source)
	if err != nil {
		return res, err
	}
	for i, f := range l.files {
		res.Files[i] = f.ReviewFile
		if viewed[backend.ShownPath(f.Path)] == f.Version {
			res.Files[i].Viewed = true
			res.Viewed++
		}
		res.Added, res.Removed = res.Added+f.Added, res.Removed+f.Removed
	}
	return res, nil
}

const (
	maxLists    = 8    // lists that stay in memory
	maxTexts    = 8    // files whose texts stay in memory
	maxVersions = 1000 // versions of files whose changes can still be reverted after the file has changed
)

// read determines the list of a source and keeps it in memory for later requests.
func (m *Manager) read(ctx context.Context, q Request) (*list, error) {
	l, err := m.list(ctx, q)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	kept := m.lists[:0:0]
	for _, o := range m.lists {
		if o.chat.ID != l.chat.ID || o.source != l.source {
			kept = append(kept, o)
		}
	}
	kept = append(kept, l)
	m.lists = kept[max(0, len(kept)-maxLists):]
	return l, nil
}

// stored returns the list that was last read for a source, or nil if there is none in memory.
func (m *Manager) stored(q Request) *list {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, l := range m.lists {
		if l.chat.ID == q.ChatID && l.source == q.Source {
			return l
		}
	}
	return nil
}

// version is a changed file in one version, with the list that contains it.
type version struct {
	list *list
	file file
}

// current returns a changed file of a source in its current version. It uses the stored list if there is one and the
// file hasn't changed since the list was read. It returns errStale if q has a version that isn't the current one, and
// CodeNotFound if q has no version and the file has no changes.
func (m *Manager) current(ctx context.Context, q Request) (version, error) {
	l := m.stored(q)
	if l != nil && (l.source != "working" || l.repo == nil || l.isAtHead(ctx)) {
		f, ok := l.find(q.Path)
		if ok && (!l.onDisk || l.isOnDisk(f)) && (q.Version == "" || q.Version == f.Version) {
			return version{l, f}, nil
		}
	}
	l, err := m.read(ctx, q)
	if err != nil {
		return version{}, err
	}
	f, ok := l.find(q.Path)
	switch {
	case q.Version != "" && (!ok || f.Version != q.Version):
		return version{}, errStale
	case !ok:
		return version{}, &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("%s has no changes.", q.Path)}
	}
	return version{l, f}, nil
}

// isAtHead reports whether the commit that the list was compared with is still checked out.
func (l *list) isAtHead(ctx context.Context) bool {
	head, _ := l.repo.head(ctx)
	return head == l.like
}

var errStale = &backend.Error{Code: backend.CodeStale, Message: backend.Say("This file has changed since it was shown.")}

// remember keeps in memory a version that is sent to the page, so that the user can revert parts of its changes even
// after the file has changed.
func (m *Manager) remember(v version) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, o := range m.versions {
		if o.list.chat.ID == v.list.chat.ID && o.file.Path == v.file.Path && o.file.Version == v.file.Version {
			return
		}
	}
	l := *v.list // a copy without the other files
	l.files, l.attributes = nil, map[string]map[string]string{v.file.Path: l.attributes[v.file.Path], v.file.oldPath(): l.attributes[v.file.oldPath()]}
	m.versions = append(m.versions, &version{&l, v.file})
	m.versions = m.versions[max(0, len(m.versions)-maxVersions):]
}

// remembered returns the version that q identifies, or false if remember hasn't stored it.
func (m *Manager) remembered(q Request) (version, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, o := range m.versions {
		if o.list.chat.ID == q.ChatID && backend.ShownPath(o.file.Path) == backend.ShownPath(q.Path) && o.file.Version == q.Version {
			return *o, true
		}
	}
	return version{}, false
}

// Texts returns the lines of both sides of a file in the version that q identifies. The lines include their line
// breaks. Both results are empty if the file isn't text or can't be compared.
func (m *Manager) Texts(ctx context.Context, q Request) (old, now []string, err error) {
	v, err := m.shownVersion(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	t, err := m.textOf(ctx, v)
	if err != nil {
		return nil, nil, err
	}
	return t.old, t.new, nil
}
