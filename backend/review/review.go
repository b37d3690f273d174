// Package review compares the states of the files in a chat's folder for the review screen: those that
// VoxPilot recorded (backend/undo), those that Git has, and those on disk.
//
// It reads whole files, never the fragments that an agent sent. Reading runs no program that the folder or its
// repository names. Each changed file has a version that identifies both sides, so that a diff, its lines and
// a part to put back always belong together.
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

// Manager compares the states of files. It is safe for concurrent use.
type Manager struct {
	cfg Config

	mu       sync.Mutex
	measures map[string]measure
	lists    []*list    // the latest ones, oldest first, at most one per chat and source
	versions []*version // files that the page may refer to by version, oldest first
	texts    []*text    // of files that were shown, oldest first
}

// New returns a Manager.
func New(cfg Config) *Manager { return &Manager{cfg: cfg, measures: map[string]measure{}} }

// Request names a changed file of a source.
type Request struct {
	ChatID, Source, Path string
	Version              string // as in the list or the diff
	Side                 backend.ReviewSide
	HideWhitespace       bool // changes that only affect white space don't count
}

// Files lists the changed files of a source.
func (m *Manager) Files(ctx context.Context, q Request) (backend.ReviewFiles, error) {
	l, err := m.read(ctx, q)
	if err != nil {
		return backend.ReviewFiles{}, err
	}
	res := backend.ReviewFiles{
		Source: l.source, Version: l.fileVersions, Files: make([]backend.ReviewFile, len(l.files)), Total: l.total, From: l.from, To: l.to, Message: l.message,
	}
	viewed, err := m.viewed(ctx, q.ChatID, l.source)
	if err != nil {
		return res, err
	}
	for i, f := range l.files {
		res.Files[i] = f.ReviewFile
		if viewed[f.Path] == f.Version {
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
	maxVersions = 1000 // versions of files that can still be put back after the file has changed
)

// read reads the list of a source and stores it.
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

// stored returns the last list of a source that was read, or nil.
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

// version is a file of a list in a version.
type version struct {
	list *list
	file file
}

// current returns a file of a source as it is now. It reads the list only if it hasn't been read yet, or if the file has
// changed since. If q has a version, the file must have it.
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

// isAtHead reports whether the old side of a list is still what is checked out.
func (l *list) isAtHead(ctx context.Context) bool {
	head, _ := l.repo.head(ctx)
	return head == l.like
}

var errStale = &backend.Error{Code: backend.CodeStale, Message: backend.Say("This file has changed since it was shown.")}

// remember stores a version that the page has got, so that parts of it can still be put back after the file has changed.
func (m *Manager) remember(v version) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, o := range m.versions {
		if o.list.chat.ID == v.list.chat.ID && o.file.Path == v.file.Path && o.file.Version == v.file.Version {
			return
		}
	}
	l := *v.list // without the other files
	l.files, l.attributes = nil, map[string]map[string]string{v.file.Path: l.attributes[v.file.Path]}
	m.versions = append(m.versions, &version{&l, v.file})
	m.versions = m.versions[max(0, len(m.versions)-maxVersions):]
}

// remembered returns a version that remember stored.
func (m *Manager) remembered(q Request) (version, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, o := range m.versions {
		if o.list.chat.ID == q.ChatID && o.file.Path == q.Path && o.file.Version == q.Version {
			return *o, true
		}
	}
	return version{}, false
}

// Version returns the version that a file of a source has now.
func (m *Manager) Version(ctx context.Context, chatID, source, path string) (string, error) {
	l, err := m.read(ctx, Request{ChatID: chatID, Source: source})
	if err != nil {
		return "", err
	}
	f, ok := l.find(path)
	if !ok {
		return "", errStale
	}
	return f.Version, nil
}

// Texts returns the lines of both sides of a file in a version, each with its newline. A file that isn't text has none.
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
