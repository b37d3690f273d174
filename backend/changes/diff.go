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

// Diff is what a chat has changed in one file.
//
//tsgen:name FileDiff
type Diff struct {
	Path string `json:"path"`
	Name string `json:"name"`
	// Net says that Diff leads from the file as it was before the chat to the one
	// that is there now. Else the changes stand one after the other, oldest first.
	Net     bool            `json:"net"`
	Diff    string          `json:"diff"` // unified
	Added   int             `json:"added"`
	Removed int             `json:"removed"`
	Binary  bool            `json:"binary,omitempty"`
	Size    int64           `json:"size"`          // of the whole diff, in bytes
	Cut     bool            `json:"cut,omitempty"` // Diff is only the beginning of it
	Message backend.Message `json:"message,omitzero"`
}

const (
	// MaxDiff is the size of the longest diff that is answered.
	MaxDiff = 2 << 20
	// MaxFile is the size of the largest file whose changes are taken back.
	MaxFile = 8 << 20
	// maxWork bounds the bytes that are gone through to take changes back.
	maxWork = 1 << 30
)

// Current is a file as it is now.
type Current struct {
	Text   []byte
	Absent bool
	Failed error // why it cannot be read
}

// What is said of a file whose changes cannot be added up.
var (
	changedOutsideNote = backend.Say("The file was also changed outside Copilot, so Copilot's changes are shown one by one.")
	deletedNote        = backend.Say("The file no longer exists.")
	unreportedNote     = backend.Say("Copilot didn't report all of its changes to this file.")
	binaryNote         = backend.Say("This isn't a text file, so it can't be compared.")
	tooLargeNote       = backend.Say("The file is too large to compare, so Copilot's changes are shown one by one.")
)

// Of is what the steps changed in the file at path. today reads the file as it is
// now, and body the diff of a step.
func Of(ctx context.Context, steps []Edit, folder, path string, today func() Current, body func(contentID string) ([]byte, error)) (Diff, error) {
	path = realpath.Tidy(path)
	d := Diff{Path: path, Name: Name(folder, path)}
	mine, first, movedTo := history(clean(steps), path)
	if len(mine) == 0 {
		return d, &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This chat hasn't changed %s.", d.Name)}
	}
	now := Current{Absent: movedTo != ""}
	if movedTo == "" {
		now = today()
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

// history are the steps by which the file at path came to be what it is, newest
// first, and what it was called at first. Where it was moved away, movedTo says
// where to.
func history(steps []Edit, path string) (mine []Edit, first, movedTo string) {
	first = path
	for i := len(steps) - 1; i >= 0; i-- {
		s := steps[i]
		switch {
		case s.moves() && s.To == first:
			mine, first = append(mine, s), s.Path
		case s.moves() && s.Path == path && first == path:
			if len(mine) > 0 { // another file has its name since
				return mine, first, ""
			}
			mine, movedTo = append(mine, s), s.To
		case !s.moves() && s.Path == first:
			mine = append(mine, s)
		}
	}
	return mine, first, movedTo
}

// undo is the file before the steps, newest first, and whether there was one.
// why says for a person why that is not known.
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
		case there == s.Deletes: // it is there though it was removed, or the other way round
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

// compare makes d the diff from the file before to the one now.
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
	unified, added, removed, err := diff.Unified(from, to, valid(before), valid(now.Text))
	if err != nil { // it is the diff of these two texts
		d.Net, d.Message = false, backend.MessageOf(err)
		return
	}
	d.Added, d.Removed = added, removed
	d.put(unified)
}

// list makes d the diffs of the steps, which are newest first.
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

// put takes the diff, as much of it as is answered: whole lines, or the beginning
// of one that is longer.
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

// valid is text with a mark for what is not UTF-8.
func valid(text []byte) string { return strings.ToValidUTF8(string(text), "\uFFFD") }
