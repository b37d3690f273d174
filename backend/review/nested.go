package review

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// Limits for the repositories inside a chat's folder.
const (
	maxNested      = 50 // repositories whose state is read
	maxNestedNamed = 3  // repositories that are named
	// nestedTime is the time limit for reading the state of all of them. Those that aren't read by then aren't named.
	nestedTime = 8 * time.Second
)

// submodules returns the paths of the submodules in the index, whether they have changes or not.
func (r *repository) submodules(ctx context.Context) (paths []string, err error) {
	out, err := r.run(ctx, nil, "ls-files", "-z", "--stage")
	for entry := range strings.SplitSeq(string(out), "\x00") {
		if about, path, ok := strings.Cut(entry, "\t"); ok && strings.HasPrefix(about, submoduleMode+" ") {
			paths = append(paths, path)
		}
	}
	return slices.Compact(paths), err
}

// noteNested adds a message to the list that names the repositories inside the folder with uncommitted changes. Neither
// the list nor a commit contains those changes. The given paths are those of the repositories.
func (l *list) noteNested(ctx context.Context, paths []string) {
	if len(paths) == 0 {
		return
	}
	root, err := os.OpenRoot(l.chat.Folder)
	if err != nil {
		return
	}
	defer func() { _ = root.Close() }()
	ctx, cancel := context.WithTimeout(ctx, nestedTime)
	defer cancel()
	slices.Sort(paths)
	var dirty []string
	for _, path := range paths[:min(len(paths), maxNested)] {
		if info, err := root.Lstat(filepath.FromSlash(path)); err == nil && info.IsDir() && l.repo.inside(path).isDirty(ctx) {
			dirty = append(dirty, path)
		}
	}
	switch n := len(dirty); {
	case n == 0:
		return
	case n == 1:
		l.nested = backend.Say("The repository in %s has uncommitted changes. Commit them in that folder.", dirty[0])
	case n <= maxNestedNamed:
		l.nested = backend.Say("Repositories inside this folder have uncommitted changes: %s. Commit the changes in those repositories.", strings.Join(dirty, ", "))
	default:
		l.nested = backend.Say("Repositories inside this folder have uncommitted changes: %s and others. Commit the changes in those repositories.", strings.Join(dirty[:maxNestedNamed], ", "))
	}
	l.note(l.nested)
}

// inside returns the repository in a folder inside the chat's folder.
func (r *repository) inside(path string) *repository {
	sub := *r
	sub.folder, sub.settings = filepath.Join(r.folder, filepath.FromSlash(path)), &settings{}
	return &sub
}

// isDirty reports whether r.folder is the root of a repository that has uncommitted changes. It returns false if git
// can't read the repository.
func (r *repository) isDirty(ctx context.Context) bool {
	if workspace.FindRepository(r.folder).Root != r.folder {
		return false // it isn't checked out
	}
	off, err := r.filtersOff(ctx)
	if err != nil {
		return false
	}
	out, err := r.run(ctx, nil, append(off, "status", "--porcelain=v1", "-z", "--untracked-files=normal", "--ignore-submodules=all")...)
	return err == nil && len(out) > 0
}
