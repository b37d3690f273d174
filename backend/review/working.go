package review

import (
	"cmp"
	"context"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/snapshot"
)

func (m *Manager) workingChanges(ctx context.Context, l *list) error {
	head, unborn := l.repo.head(ctx)
	if head == "" {
		return gitError(errMissing)
	}
	if !unborn {
		l.from = short(head)
	}
	return m.changesSince(ctx, l, head, true)
}

func (m *Manager) baseChanges(ctx context.Context, l *list) error {
	base := l.repo.baseBranch(ctx, l.repo.branch(ctx))
	from := ""
	if base != "" {
		from = l.repo.line(ctx, "merge-base", "--end-of-options", base, "HEAD")
	}
	if from == "" {
		l.message = backend.Say("No base branch shares commits with the current branch.")
		return nil
	}
	l.from = base
	return m.changesSince(ctx, l, from, false)
}

// changesSince lists the changes from a tree to the files on disk. If staged is true, it also sets ReviewFile.Staged.
func (m *Manager) changesSince(ctx context.Context, l *list, tree string, staged bool) error {
	l.onDisk, l.like = true, tree
	var changes, cached []rawChange
	var untracked, nested, submodules, resolved []string
	var now string
	var errs [6]error
	var reads sync.WaitGroup
	reads.Go(func() { now, errs[0] = m.record(ctx, l.chat) })
	reads.Go(func() { untracked, nested, errs[1] = l.repo.untracked(ctx) })
	reads.Go(func() { submodules, errs[5] = l.repo.submodules(ctx) })
	reads.Go(func() {
		var options []string
		if options, errs[2] = l.repo.filtersOff(ctx); errs[2] == nil {
			changes, errs[2] = l.repo.changes(ctx, options, "diff-index", tree)
		}
	})
	reads.Go(func() {
		if staged {
			cached, errs[3] = l.repo.changes(ctx, nil, "diff-index", "--cached", tree)
		}
	})
	reads.Go(func() {
		if staged && l.repo.at.Busy() != "" {
			resolved, errs[4] = l.repo.resolved(ctx)
		}
	})
	reads.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	l.noteNested(ctx, append(nested, submodules...))
	index := map[string]rawChange{}
	for _, c := range cached {
		index[c.path] = c
	}
	known := map[string]int{}
	var all []rawChange
	for _, c := range changes {
		i, has := known[c.path]
		switch {
		case !has:
			known[c.path], all = len(all), append(all, c)
		case all[i].old == "": // a file with merge conflicts has two entries
			all[i].old, all[i].oldMode = c.old, c.oldMode
		}
	}
	for _, path := range untracked {
		if _, has := known[path]; !has {
			all = append(all, rawChange{path: path})
		}
	}
	for _, c := range cached {
		if _, has := known[c.path]; !has && c.unmerged { // neither the tree nor the disk contains the file
			known[c.path], all = len(all), append(all, rawChange{path: c.path, unmerged: true})
		}
	}
	for _, path := range resolved {
		if _, has := known[path]; !has { // the file is the same in the tree, in the index and on disk
			mode, blob := l.repo.entry(ctx, tree, path)
			all = append(all, rawChange{path: path, oldMode: mode, old: blob, newMode: mode, new: blob, resolved: true})
		}
	}
	paths := make([]string, len(all))
	for i, c := range all {
		paths[i] = c.path
	}
	entries, err := l.st.Entries(snapshot.ID(now), paths)
	if err != nil {
		return unreadable(err)
	}
	for i, c := range all {
		if c.unmerged && c.old == "" {
			c.oldMode, c.old = l.repo.entry(ctx, tree, c.path)
		}
		f := file{old: gitSide(c.oldMode, c.old), new: storedSide(entries[i], c.newMode)}
		if f.new.kind == snapshot.Unknown {
			f.new.stamp = l.stampOf(c.path)
		}
		if c.isSubmodule() {
			f.new = gitSide(c.newMode, cmp.Or(c.new, l.repo.submoduleHead(ctx, c.path)))
		}
		if entries[i].Kind == snapshot.Unknown && entries[i].Reason == snapshot.Ignored && c.old == "" {
			continue // the snapshot ignores this file, but git doesn't
		}
		in, is := index[c.path]
		f.Unmerged = is && in.unmerged
		f.conflicted = f.Unmerged || c.resolved
		if is && !in.unmerged {
			f.Staged = backend.StagedPart
			if c.new != "" && c.new == in.new || in.new == "" && !f.new.exists() {
				f.Staged = backend.StagedAll
			}
			f.index = in.new
		}
		l.add(f, c.path)
	}
	return nil
}
