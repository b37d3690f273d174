// Package review compares the states of the files in a chat's folder for the review screen: those that
// VoxPilot recorded (backend/undo), those that Git has, and those on disk.
package review

import (
	"context"
	"errors"
	"log/slog"

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
}

// New returns a Manager.
func New(cfg Config) *Manager { return &Manager{cfg: cfg} }

// Request names a changed file of a source.
type Request struct {
	ChatID, Source, Path string
	Version              string // as in the list or the diff
	Side                 backend.ReviewSide
	HideWhitespace       bool // changes that only affect white space don't count
}

var errNotBuilt = errors.New("not built yet")

// Sources returns the changes that can be reviewed in a chat's folder.
func (m *Manager) Sources(ctx context.Context, chatID string) (backend.ReviewSources, error) {
	return backend.ReviewSources{}, errNotBuilt
}

// Files lists the changed files of a source.
func (m *Manager) Files(ctx context.Context, q Request) (backend.ReviewFiles, error) {
	return backend.ReviewFiles{}, errNotBuilt
}

// Diff returns the diff of a file.
func (m *Manager) Diff(ctx context.Context, q Request) (backend.ReviewDiff, error) {
	return backend.ReviewDiff{}, errNotBuilt
}

// Lines returns at most count lines of one side of a file.
func (m *Manager) Lines(ctx context.Context, q Request, from, count int) (backend.ReviewLines, error) {
	return backend.ReviewLines{}, errNotBuilt
}

// Image returns one side of an image and its media type.
func (m *Manager) Image(ctx context.Context, q Request) (mime string, data []byte, err error) {
	return "", nil, errNotBuilt
}

// Find returns at most limit occurrences of text in the changed files of a source.
func (m *Manager) Find(ctx context.Context, q Request, text string, exact bool, limit int) (backend.ReviewMatches, error) {
	return backend.ReviewMatches{}, errNotBuilt
}

// SetViewed records whether the user has viewed a version of a file.
func (m *Manager) SetViewed(ctx context.Context, chatID, source, path, version string, viewed bool) error {
	return errNotBuilt
}

// PutBack undoes a part of a file's changes.
func (m *Manager) PutBack(ctx context.Context, chatID string, part backend.ReviewPart) (backend.ReviewPutBackResult, error) {
	return backend.ReviewPutBackResult{}, errNotBuilt
}

// Redo restores a part that PutBack undid.
func (m *Manager) Redo(ctx context.Context, chatID, id string) (backend.ReviewPutBackResult, error) {
	return backend.ReviewPutBackResult{}, errNotBuilt
}
