package review

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/undo"
)

// markerSize is the number of characters of a conflict marker.
const markerSize = 7

// marker returns the character of which the conflict marker in a line consists, and the label after the marker. It
// returns 0 if the line isn't a marker.
func marker(line string) (kind byte, label string) {
	line = strings.TrimRight(line, "\r\n")
	if len(line) < markerSize || !strings.Contains("<|=>", line[:1]) || strings.Trim(line[:markerSize], line[:1]) != "" {
		return 0, ""
	}
	rest, spaced := strings.CutPrefix(line[markerSize:], " ")
	if rest != "" && (!spaced || line[0] == '=') {
		return 0, ""
	}
	return line[0], rest
}

// conflictsIn returns the conflicts that are marked in the lines of a text, in git's format with or without the common
// ancestor. It leaves out conflicts that contain others or are inside others, and those with missing or misplaced
// markers.
func conflictsIn(lines []string) (list []backend.ReviewConflict) {
	var c backend.ReviewConflict
	depth := 0        // number of open conflicts
	last := byte(0)   // the latest marker of the current conflict
	isBroken := false // the markers of the current conflict aren't in git's form
	const none, order = -1, "<|=>"
	for i, line := range lines {
		kind, label := marker(line)
		switch {
		case kind == '<' && depth == 0:
			c = backend.ReviewConflict{Start: i, Base: none, Middle: none, Ours: label}
			depth, last, isBroken = 1, kind, false
			continue
		case kind == 0 || depth == 0:
			continue
		case kind == '<':
			depth, isBroken = depth+1, true
		case kind == '>' && depth > 1:
			depth--
			continue
		case strings.IndexByte(order, kind) <= strings.IndexByte(order, last):
			isBroken = true
		case kind == '|':
			c.Base = i
		case kind == '=':
			c.Middle = i
		}
		last = kind
		if kind == '>' && depth == 1 {
			depth = 0
			if c.End, c.Theirs = i, label; !isBroken && c.Middle != none {
				list = append(list, c)
			}
		}
	}
	return list
}

// conflictsOf returns the conflicts that the user can resolve in a file: those in the file on disk.
func (l *list) conflictsOf(ctx context.Context, f file, t *text) []backend.ReviewConflict {
	if !l.onDisk || f.new.commit != "" || f.new.blob != "" {
		return nil
	}
	list := conflictsIn(t.new)
	for i := range list {
		if l.repo != nil && list[i].Ours == "HEAD" {
			list[i].Ours = cmp.Or(l.repo.branch(ctx), "HEAD")
		}
		list[i].Ours, _ = cut(list[i].Ours, maxLabel)
		list[i].Theirs, _ = cut(list[i].Theirs, maxLabel)
	}
	return list[:min(len(list), backend.MaxReviewConflicts)]
}

// maxLabel is the maximum number of characters in the label of a conflict.
const maxLabel = 200

// Resolve replaces a conflict with one or both of its sides. It returns CodeStale if the file is no longer the version
// that was shown. Redo undoes the replacement.
func (m *Manager) Resolve(ctx context.Context, chatID string, r backend.ReviewResolution) (res backend.ReviewPutBackResult, err error) {
	v, err := m.shownVersion(ctx, Request{ChatID: chatID, Source: r.Source, Path: r.Path, Version: r.Version})
	if err != nil {
		return res, err
	}
	t, err := m.textOf(ctx, v)
	if err != nil {
		return res, err
	}
	conflicts := v.list.conflictsOf(ctx, v.file, t)
	i := slices.IndexFunc(conflicts, func(c backend.ReviewConflict) bool { return c.Start == r.Start })
	if i < 0 {
		return res, backend.Invalid("There's no conflict on this line.")
	}
	content, err := resolved(t.new, conflicts[i], r.Use)
	if err != nil {
		return res, err
	}
	_, now, err := m.states(ctx, v, t)
	if err != nil {
		return res, err
	}
	to := now
	to.Content = []byte(content)
	id, done, err := m.cfg.Undo.Revert(ctx, chatID, []undo.Reversal{{Path: v.file.Path, Before: to, After: now}})
	if err != nil {
		return res, err
	}
	return backend.ReviewPutBackResult{ID: id, Diff: done.Diff, Merged: done.Merged}, nil
}

// resolved replaces the conflict c in lines with one or both of its sides and returns the resulting text. The parameter
// use selects the sides.
func resolved(lines []string, c backend.ReviewConflict, use backend.ConflictSide) (string, error) {
	ours := lines[c.Start+1 : c.Middle]
	if c.Base >= 0 {
		ours = lines[c.Start+1 : c.Base]
	}
	theirs := lines[c.Middle+1 : c.End]
	var parts [][]string
	switch use {
	case backend.ConflictOurs:
		parts = [][]string{ours}
	case backend.ConflictTheirs:
		parts = [][]string{theirs}
	case backend.ConflictBoth:
		parts = [][]string{ours, theirs}
	default:
		return "", backend.Invalid("Unknown side %s.", string(use))
	}
	all := slices.Concat(lines[:c.Start], slices.Concat(parts...), lines[c.End+1:])
	return strings.Join(all, ""), nil
}
