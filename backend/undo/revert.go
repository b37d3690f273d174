package undo

import (
	"context"
	"crypto/sha256"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/diff"
	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// FileState is the state of a path: a file, a link or, with the kind snapshot.None, nothing. The content of a link is
// its target.
type FileState struct {
	Kind    snapshot.Kind
	Mode    uint32 // permissions of a file; only the execute bits are compared
	Content []byte
}

// Reversal is a change to a path, from Before to After, that Revert reverts.
type Reversal struct {
	Path          string // relative to the chat's folder, with slashes
	Before, After FileState
}

// Revert reverts changes to files. If a file was changed again later, Revert merges the later changes. If that isn't
// possible for one of the files, Revert writes nothing, and the result's Diff compares that file's current state with
// the file without the change. Otherwise, the returned ID can be passed to PutBack as UndoPart.Redo. Revert returns
// CodeUnavailable while the folder is in use, if the changes have already been reverted, or if a file can be neither
// merged nor compared.
func (m *Manager) Revert(ctx context.Context, chatID string, files []Reversal) (id string, res backend.PartResult, err error) {
	c, err := m.openChange(ctx, chatID)
	if err != nil {
		return "", res, err
	}
	defer c.done()
	var paths []string
	for _, f := range files {
		if err := checkPath(f.Path); err != nil {
			return "", res, err
		}
		paths = append(paths, f.Path)
	}
	if err := c.st.Keep(paths...); err != nil {
		return "", res, failed(err)
	}
	now, err := c.st.Snapshot(ctx)
	if err != nil {
		return "", res, failed(err)
	}
	p := part{Before: now.ID, Also: paths[1:]}
	p.ID, p.Path, p.At = backend.NewID(), paths[0], backend.Now()
	plan := &snapshot.Plan{Now: now.ID}
	for _, f := range files {
		is, content, err := c.st.Read(now.ID, f.Path)
		if err != nil {
			return "", res, failed(err)
		}
		to, how, err := f.without(is, content)
		if err != nil {
			return "", res, err
		}
		if !how.clean {
			res.Diff, _, _ = diff.Unified(diff.InHead(f.Path), diff.InHead(f.Path), string(content), string(f.Before.Content))
			if res.Diff == "" { // for example, one of them is empty and the other one doesn't exist
				err = changedLater(f.Path)
			}
			return "", res, err
		}
		res.Merged = res.Merged || how.since
		target := snapshot.Entry{Kind: to.Kind, Mode: to.Mode, Size: int64(len(to.Content))}
		switch to.Kind {
		case snapshot.None:
			target = snapshot.Entry{}
		case snapshot.Link:
			target.Mode, target.Size = 0, 0
		default:
		}
		if to.Kind != snapshot.None {
			if target.Hash, err = c.st.Add(to.Content); err != nil {
				return "", res, failed(err)
			}
		}
		if target.Kind == is.Kind && target.Hash == is.Hash && target.Mode == is.Mode {
			continue
		}
		added, removed := changedLines(content, to.Content)
		p.Added, p.Removed = p.Added+removed, p.Removed+added
		plan.Items = append(plan.Items, snapshot.Item{Path: f.Path, State: snapshot.GoesBack, Before: target, After: is, Now: is})
	}
	if len(plan.Items) == 0 {
		return "", res, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("This change has already been undone.")}
	}
	removeFolders(plan)
	return p.ID, res, c.run(ctx, p, plan, nil)
}

// checkPath returns an error unless a path can be in a snapshot of the chat's folder.
func checkPath(path string) error {
	if !filepath.IsLocal(filepath.FromSlash(path)) || path == "." || filepath.ToSlash(filepath.Clean(filepath.FromSlash(path))) != path {
		return invalidPart(backend.Say("This file isn't in the chat's folder."))
	}
	for name := range strings.SplitSeq(path, "/") {
		if strings.EqualFold(name, ".git") {
			return invalidPart(backend.Say("VoxPilot doesn't change Git's own files."))
		}
	}
	return nil
}

// without returns the state that a path would have without the change, and reports how it handled later changes. The
// given entry and content are the current state of the path.
func (f Reversal) without(is snapshot.Entry, content []byte) (to FileState, how merging, err error) {
	to = f.Before
	switch is.Kind {
	case snapshot.Unknown:
		return to, how, &backend.Error{Code: backend.CodeUnavailable, Message: leftReason(is.Reason)}
	case snapshot.File:
		if to.Kind == snapshot.File {
			to.Mode = is.Mode
			if f.After.Kind != snapshot.File || executable(f.Before.Mode) != executable(f.After.Mode) {
				to.Mode = withExecute(is.Mode, executable(f.Before.Mode))
			}
		}
	default:
	}
	if same(is, f.After) {
		return to, merging{clean: true}, nil
	}
	if same(is, f.Before) { // the mode may differ
		return to, merging{clean: true}, nil
	}
	if is.Kind == snapshot.File && f.Before.Kind == snapshot.File && f.After.Kind == snapshot.File {
		if text, clean := snapshot.Merge(f.After.Content, content, f.Before.Content); clean {
			to.Content = text
			return to, merging{clean: true, since: true}, nil
		}
	}
	if !snapshot.IsText(content) || !snapshot.IsText(f.Before.Content) || len(content)+len(f.Before.Content) > maxCompared {
		return to, how, changedLater(f.Path)
	}
	return to, how, nil
}

func changedLater(path string) error {
	return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("%s has changed again. Nothing was undone.", path)}
}

// removeFolders adds folders to those that a plan removes: the folders in whose place the plan restores a file. They
// are removed only if the plan's other changes have left them empty.
func removeFolders(plan *snapshot.Plan) {
	for _, it := range plan.Items {
		if it.Before.Kind == snapshot.None || it.Now.Kind != snapshot.Dir {
			continue
		}
		dirs := map[string]bool{it.Path: true}
		for _, other := range plan.Items {
			for dir := path.Dir(other.Path); strings.HasPrefix(dir, it.Path+"/"); dir = path.Dir(dir) {
				dirs[dir] = true
			}
		}
		for dir := range dirs {
			plan.RemoveFolder(dir)
		}
	}
}

// same reports whether an entry has the kind and content of a state.
func same(e snapshot.Entry, s FileState) bool {
	if e.Kind == snapshot.Dir {
		return s.Kind == snapshot.None
	}
	return e.Kind == s.Kind && (s.Kind == snapshot.None || e.Hash == sha256.Sum256(s.Content))
}

func executable(mode uint32) bool { return mode&0o100 != 0 }

// withExecute returns the given mode without execute bits or, if execute is set, with the execute bit of each class of
// users that can read the file.
func withExecute(mode uint32, execute bool) uint32 {
	if execute {
		return mode | mode&0o444>>2
	}
	return mode &^ 0o111
}

// changedLines returns the numbers of lines that a change adds and removes, or 0 for both if one side isn't text.
func changedLines(before, after []byte) (added, removed int) {
	if !snapshot.IsText(before) || !snapshot.IsText(after) {
		return 0, 0
	}
	return diff.Count(string(before), string(after))
}

// paths returns the paths that a part changes.
func (p part) paths() []string { return slices.Concat([]string{p.Path}, p.Also) }
