package review

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
)

// isCertain reports whether the list, including its order, is independent of the files' contents. It isn't if git may
// consider a file unchanged, or if a removed and an added file may be one moved file.
func (l *list) isCertain() bool {
	gone, added := false, false
	for _, f := range l.files {
		if f.old.blob != "" && f.new.blob == "" && f.new.exists() {
			return false
		}
		gone, added = gone || !f.new.exists(), added || !f.old.exists()
	}
	return !gone || !added
}

// measureFirst does the same as measure, but compares only the first q.First files that the user hasn't viewed. All
// other files are pending, unless there is a stored result for them. The list must be certain (isCertain).
func (m *Manager) measureFirst(ctx context.Context, l *list, q Request) error {
	ctx, cancel := context.WithTimeout(ctx, measureTime)
	defer cancel()
	viewed, err := m.viewed(ctx, q.ChatID, l.source)
	if err != nil {
		return err
	}
	var first []file
	for _, f := range l.files {
		if len(first) == q.First {
			break
		}
		if version := viewed[backend.ShownPath(f.Path)]; version == "" || version != f.version() {
			first = append(first, f)
		}
	}
	l.readAttributes(ctx, first)
	if _, err := m.measureAll(ctx, l, first, q.HideWhitespace); err != nil {
		return err
	}
	for i := range l.files {
		f := &l.files[i]
		m.describe(l, f, q.HideWhitespace)
		l.partial = l.partial || f.Pending
	}
	return nil
}

// readAttributes reads the git attributes of files.
func (l *list) readAttributes(ctx context.Context, files []file) {
	if l.repo == nil {
		return
	}
	paths := make([]string, 0, len(files))
	for _, f := range files {
		if paths = append(paths, f.Path); f.From != "" {
			paths = append(paths, f.From)
		}
	}
	l.attributes, _ = l.repo.attributes(ctx, paths) // without them, the files are compared as they are
}
