package snapshot

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend/diff"
)

// State is the state of a path in a plan. It determines whether Apply restores the path.
type State string

// The states of paths in a plan.
const (
	GoesBack State = "back"     // the changes weren't followed by others; Apply restores the path
	Same     State = "same"     // the path is already as it was before the changes
	Conflict State = "conflict" // the path has later changes; Apply doesn't restore it unless the caller chooses otherwise
	Omitted  State = "notkept"  // one of the snapshots left the path out; Apply doesn't restore it
)

// Item describes one path in a plan: its states in the plan's snapshots, and whether Apply restores it.
type Item struct {
	Path               string
	State              State
	Reason             Reason // the reason for the State Conflict or Omitted
	Before, After, Now Entry  // in the plan's snapshots
	// Mergeable is true if Choice.Merge can combine the path's later changes with the restored content.
	Mergeable bool
	// MovesFrom is the path from which Apply moves the file back to Path, or "".
	MovesFrom string
}

// Plan describes how to revert the changes between two snapshots.
type Plan struct {
	Before, After, Now ID     // the plan reverts the changes from Before to After; Now is the current state
	Items              []Item // by path
	Whole              bool   // Apply changes nothing unless it can change all paths

	dirs   []dirChange // folders in Before that don't exist in After or have another mode there
	rmdirs []string    // folders that exist only in After
}

// dirChange is a folder that Apply creates or whose mode it changes.
type dirChange struct {
	Path string
	Mode uint32
	Make bool
	From uint32 // the current mode; not used if Make is set
}

// Changes returns the paths that differ between two snapshots, sorted by path.
func (s *Store) Changes(before, after ID) ([]Item, error) {
	plan, err := s.Plan(context.Background(), before, after, after)
	if err != nil {
		return nil, err
	}
	return plan.Items, nil
}

// Plan returns the plan for reverting the changes between the snapshots with the IDs before and after. The third ID is
// that of a snapshot of the current state. If paths are given, only changes to these files, or in these folders, are
// reverted. To redo changes that Apply has reverted, pass the snapshots that were taken before and after that Apply.
func (s *Store) Plan(ctx context.Context, before, after, now ID, paths ...string) (*Plan, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.start(); err != nil {
		return nil, err
	}
	var roots [3]*node
	for i, id := range []ID{before, after, now} {
		root, err := s.rootOf(id)
		if err != nil {
			return nil, err
		}
		roots[i] = root
	}
	p := &Plan{Before: before, After: after, Now: now}
	var failed error
	err := s.diff("", roots[0], roots[1], func(d difference) {
		if failed != nil || !covers(paths, d.path) {
			return
		}
		if failed = ctx.Err(); failed == nil {
			failed = s.plan(p, d, roots[2])
		}
	})
	if err == nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	p.pairMoves()
	return p, nil
}

// Limit keeps only those paths in the plan for which the function keep returns true. A folder stays in the plan if it
// contains a remaining path.
func (p *Plan) Limit(keep func(path string) bool) {
	above := map[string]bool{} // folders above the remaining paths
	p.Items = slices.DeleteFunc(p.Items, func(it Item) bool {
		if !keep(it.Path) {
			return true
		}
		for dir := path.Dir(it.Path); dir != "." && !above[dir]; dir = path.Dir(dir) {
			above[dir] = true
		}
		return false
	})
	p.dirs = slices.DeleteFunc(p.dirs, func(d dirChange) bool { return !above[d.Path] && !keep(d.Path) })
	p.rmdirs = slices.DeleteFunc(p.rmdirs, func(dir string) bool { return !above[dir] && !keep(dir) })
	for i, it := range p.Items {
		if it.MovesFrom != "" && !keep(it.MovesFrom) {
			p.Items[i].MovesFrom = ""
		}
	}
}

// RemoveFolder makes Apply also remove the given folder if it is empty by then.
func (p *Plan) RemoveFolder(path string) { p.rmdirs = append(p.rmdirs, path) }

func covers(paths []string, path string) bool {
	for _, p := range paths {
		if p == path || strings.HasPrefix(path, p+"/") {
			return true
		}
	}
	return len(paths) == 0
}

// plan adds the difference d to p.Items, to the folders that p creates, changes or removes, or to both. root is the
// root folder of the snapshot p.Now.
func (s *Store) plan(p *Plan, d difference, root *node) error {
	n, err := s.find(root, d.path)
	if err != nil {
		return err
	}
	it := Item{Path: d.path, Before: entryOf(d.a), After: entryOf(d.b), Now: entryOf(n)}
	switch {
	case it.Before.Kind == Unknown:
		it.State, it.Reason = Omitted, it.Before.Reason
	case it.After.Kind == Unknown:
		it.State, it.Reason = Omitted, it.After.Reason
	case it.Now.Kind == Unknown:
		it.State, it.Reason = Omitted, it.Now.Reason
	default:
		switch was, is := it.Before.Kind == Dir, it.After.Kind == Dir; {
		case was && is && it.Now.equal(it.After) && it.Now.Mode == it.After.Mode:
			p.dirs = append(p.dirs, dirChange{Path: d.path, Mode: it.Before.Mode, From: it.Now.Mode})
		case was && !is:
			p.dirs = append(p.dirs, dirChange{Path: d.path, Mode: it.Before.Mode, Make: true})
		case is && !was:
			p.rmdirs = append(p.rmdirs, d.path)
		}
		if !it.Before.isFile() && !it.After.isFile() {
			return nil
		}
		it.State, it.Reason = compare(it)
	}
	if it.State == Conflict {
		if it.Mergeable, err = s.mergeable(it); err != nil {
			return err
		}
	}
	p.Items = append(p.Items, it)
	return nil
}

func compare(it Item) (State, Reason) {
	switch {
	case it.Now.equal(it.After):
		return GoesBack, ""
	case it.Now.equal(it.Before), !it.Now.isFile() && !it.Before.isFile():
		return Same, ""
	case it.Now.Kind == None:
		return Conflict, Removed
	case it.Now.Kind == Dir:
		return Conflict, FolderInWay
	case !it.After.isFile():
		return Conflict, Created
	case it.Now.Kind == it.After.Kind && it.Now.Hash == it.After.Hash:
		return Conflict, ModeChanged
	}
	return Conflict, Edited
}

// pairMoves sets MovesFrom for each file that Apply moves back. A file counts as moved if its content disappeared from
// one path and appeared at another.
func (p *Plan) pairMoves() {
	from := map[Hash]string{}
	for _, it := range p.Items {
		if it.State == GoesBack && it.After.Kind == File && it.Before.Kind == None && it.After.Size > 0 {
			from[it.After.Hash] = it.Path
		}
	}
	for i, it := range p.Items {
		if it.State == GoesBack && it.Before.Kind == File && it.After.Kind == None {
			p.Items[i].MovesFrom = from[it.Before.Hash]
			delete(from, it.Before.Hash)
		}
	}
}

// maxMerged is the maximum size in bytes of a file whose changes can be merged.
const maxMerged = 1 << 20

// IsText reports whether the content of a file is valid UTF-8 without NUL bytes, so that its lines can be merged.
func IsText(content []byte) bool { return bytes.IndexByte(content, 0) < 0 && utf8.Valid(content) }

// Merge combines the changes in ours and theirs, two versions of a file that are both based on base. ok is false if one
// of the three isn't text or is larger than 1 MB, or if the two versions changed the same or adjacent lines
// differently.
func Merge(base, ours, theirs []byte) (content []byte, ok bool) {
	for _, b := range [][]byte{base, ours, theirs} {
		if len(b) > maxMerged || !IsText(b) {
			return nil, false
		}
	}
	text, ok := diff.Merge(string(base), string(ours), string(theirs))
	return []byte(text), ok
}

func (s *Store) mergeable(it Item) (bool, error) {
	for _, e := range []Entry{it.Before, it.After, it.Now} {
		if e.Kind != File || e.Size > maxMerged {
			return false, nil
		}
	}
	_, ok, err := s.merged(it)
	return ok, err
}

// merged returns the current content of a file without the changes between the plan's snapshots.
func (s *Store) merged(it Item) (content []byte, ok bool, err error) {
	var contents [3][]byte
	for i, e := range []Entry{it.After, it.Now, it.Before} {
		if contents[i], err = s.pack.get(e.Hash); err != nil {
			return nil, false, fmt.Errorf("%s: %w", it.Path, err)
		}
	}
	content, ok = Merge(contents[0], contents[1], contents[2])
	return content, ok, nil
}
