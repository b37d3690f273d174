package changes

import (
	"bytes"
	"context"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/diff"
	"github.com/voxpilot/voxpilot/internal/excerpt"
	"github.com/voxpilot/voxpilot/internal/realpath"
)

// Diff is a chat's changes to one file.
//
//tsgen:name FileDiff
type Diff struct {
	Path string `json:"path"`
	Name string `json:"name"`
	// Net is true if Diff is one diff from the file before the chat to the current file. Otherwise, Diff lists the
	// changes one by one, oldest first.
	Net     bool            `json:"net"`
	Diff    string          `json:"diff"` // unified diff
	Added   int             `json:"added"`
	Removed int             `json:"removed"`
	Binary  bool            `json:"binary,omitempty"`
	Size    int64           `json:"size"`          // size of the whole diff in bytes
	Cut     bool            `json:"cut,omitempty"` // Diff is truncated
	Message backend.Message `json:"message,omitzero"`
}

const (
	// MaxDiff is the maximum size of a returned diff in bytes.
	MaxDiff = 2 << 20
	// MaxFile is the maximum size in bytes of a file for a single combined diff. The changes to a larger file
	// are listed one by one.
	MaxFile = 8 << 20
	// maxWork limits the bytes processed while undoing changes.
	maxWork = 1 << 30
)

// Current is the current state of a file on disk.
type Current struct {
	Text   []byte
	Absent bool
	Failed error // the read error
}

// Reasons why the changes to a file can't be combined.
var (
	changedOutsideNote = backend.Say("The file was also changed outside Copilot, so Copilot's changes are shown one by one.")
	deletedNote        = backend.Say("The file no longer exists.")
	unreportedNote     = backend.Say("Copilot didn't report all of its changes to this file.")
	binaryNote         = backend.Say("This isn't a text file, so it can't be compared.")
	tooLargeNote       = backend.Say("The file is too large to compare, so Copilot's changes are shown one by one.")
)

// Of returns the changes that the steps made to the file with the given path. The function current reads the file as it
// is now, and the function body returns the diff with the given content ID.
func Of(ctx context.Context, steps []Edit, folder, path string, current func() Current, body func(contentID string) ([]byte, error)) (Diff, error) {
	path = realpath.Tidy(path)
	d := Diff{Path: path, Name: Name(folder, path)}
	mine, first, movedTo := history(clean(steps), path)
	if len(mine) == 0 {
		return d, &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This chat hasn't changed %s.", d.Name)}
	}
	now := Current{Absent: movedTo != ""}
	if movedTo == "" {
		now = current()
	}
	switch {
	case movedTo != "":
		d.Message = backend.Say("The file was moved to %s.", Name(folder, movedTo))
	case now.Failed != nil:
		d.Message = backend.Say("Couldn't read the file (%s), so Copilot's changes are shown one by one.", now.Failed)
	case bytes.IndexByte(now.Text, 0) >= 0:
		d.Binary, d.Message = true, binaryNote
		return d, nil
	case len(now.Text) > MaxFile:
		d.Message = tooLargeNote
	default:
		before, began, why, err := undo(ctx, mine, now, body)
		if err != nil {
			return d, err
		}
		if why.IsZero() {
			d.Net = true
			d.compare(first, began, before, now)
			return d, nil
		}
		d.Message = why
	}
	return d, d.list(mine, body)
}

// history returns the steps that changed or moved the file with the given path, the newest step first. It also returns
// the file's original path (first) and, if the file was moved away, its new path (movedTo).
func history(steps []Edit, path string) (mine []Edit, first, movedTo string) {
	first = path
	for i := len(steps) - 1; i >= 0; i-- {
		s := steps[i]
		switch {
		case s.moves() && s.To == first:
			mine, first = append(mine, s), s.Path
		case s.moves() && s.Path == path && first == path:
			if len(mine) > 0 { // another file has this path now
				return mine, first, ""
			}
			mine, movedTo = append(mine, s), s.To
		case !s.moves() && s.Path == first:
			mine = append(mine, s)
		}
	}
	return mine, first, movedTo
}

// undo returns the content that the file had before the steps, which are ordered newest first. began reports whether the
// file existed then. If the content can't be determined, why is the reason, for the user.
func undo(ctx context.Context, steps []Edit, now Current, body func(string) ([]byte, error)) (before []byte, began bool, why backend.Message, err error) {
	text, there, left := now.Text, !now.Absent, maxWork
	for _, s := range steps {
		switch {
		case s.moves():
			continue
		case s.ContentID == "":
			if s.Kind == backend.ToolDelete && !there {
				return nil, false, deletedNote, nil
			}
			return nil, false, unreportedNote, nil
		case there == s.Deletes: // it exists though it was removed, or the reverse
			if !there {
				return nil, false, deletedNote, nil
			}
			return nil, false, changedOutsideNote, nil
		}
		if left -= len(text) + int(s.Size); left < 0 || s.Size > 2*MaxFile {
			return nil, false, tooLargeNote, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, false, backend.Message{}, err
		}
		shown, err := body(s.ContentID)
		if err != nil {
			return nil, false, backend.Message{}, err
		}
		was, fits := diff.UndoWithin(text, shown, &left)
		if left < 0 {
			return nil, false, tooLargeNote, nil
		}
		if !fits || s.Creates && len(was) > 0 {
			return nil, false, changedOutsideNote, nil
		}
		text = was
		there = !s.Creates
	}
	return text, there, backend.Message{}, nil
}

// compare sets d to the diff between the file's content before the chat and the current file. The caller passes the
// file's original path (first) and whether the file existed before the chat (began).
func (d *Diff) compare(first string, began bool, before []byte, now Current) {
	from, to := first, d.Path
	if !began {
		from = "/dev/null"
	}
	if now.Absent {
		to = "/dev/null"
	}
	if bytes.Equal(before, now.Text) {
		return
	}
	var unified string
	unified, d.Added, d.Removed = diff.Unified(from, to, valid(before), valid(now.Text))
	d.put(unified)
}

// list sets d to the diffs of the individual steps, which are passed newest first.
func (d *Diff) list(steps []Edit, body func(string) ([]byte, error)) error {
	var all strings.Builder
	var size int64
	for i := len(steps) - 1; i >= 0; i-- {
		s := steps[i]
		d.Added += s.Added
		d.Removed += s.Removed
		size += s.Size
		if s.ContentID == "" || all.Len() > MaxDiff {
			continue
		}
		text, err := body(s.ContentID)
		if err != nil {
			return err
		}
		all.WriteString(valid(text))
		if all.Len() > 0 && !strings.HasSuffix(all.String(), "\n") {
			all.WriteByte('\n')
		}
	}
	d.put(all.String())
	d.Size = max(d.Size, size)
	return nil
}

// put stores the diff in d. If it exceeds the maximum size, it is truncated, at the end of a line if
// possible.
func (d *Diff) put(unified string) {
	d.Size = int64(len(unified))
	if len(unified) <= MaxDiff {
		d.Diff = unified
		return
	}
	d.Cut = true
	cut := strings.LastIndexByte(unified[:MaxDiff], '\n') + 1
	if cut < MaxDiff/2 {
		cut = MaxDiff
	}
	d.Diff = excerpt.Head(unified, cut)
}

// valid returns text with invalid UTF-8 replaced by U+FFFD.
func valid(text []byte) string { return strings.ToValidUTF8(string(text), "\uFFFD") }
