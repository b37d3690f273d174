package request

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/diff"
)

// maxDeleted is the maximum size in bytes of a deleted file whose content is shown, and
// maxDeletedAll is the maximum total for one request.
const (
	maxDeleted    = 1 << 20
	maxDeletedAll = 16 << 20
)

// Deletions returns the given changes and a diff for each deletion that the agent requests without showing the file's
// content. files are the paths that a request of the given kind names. The diff removes the whole content, and replaces
// a given change of the same file. It has no body if the file is empty, can't be read as text or exceeds the limits.
func (r *Paths) Deletions(kind backend.ToolKind, files []string, changes []diff.Diff) []diff.Diff {
	shown := map[string]int{}
	for i, d := range changes {
		where, _ := r.Target(d.Path)
		shown[where] = i + 1
	}
	left := maxDeletedAll
	for _, path := range files {
		where, ok := r.Target(path)
		at := shown[where]
		if !ok || at > 0 && (len(changes[at-1].Body) > 0 || !changes[at-1].Deletes) || at == 0 && kind != backend.ToolDelete {
			continue
		}
		d := diff.Diff{Path: path, Deletes: true}
		if text, ok := r.text(path, min(left, maxDeleted)); ok && text != "" {
			left -= len(text)
			d = diff.Replaced(path, diff.InHead(path), diff.Nowhere, text, "")
			d.Deletes = true
		}
		if at > 0 {
			changes[at-1] = d
			continue
		}
		changes = append(changes, d)
	}
	return changes
}

// text returns the content of the regular file at path. ok is false if the file can't be read, isn't UTF-8 text or is
// larger than limit bytes.
func (r *Paths) text(path string, limit int) (text string, ok bool) {
	l, known := r.resolve(path)
	if !known || l.err != nil {
		return "", false
	}
	f, info, err := l.Open()
	if err != nil {
		return "", false
	}
	defer func() { _ = f.Close() }()
	if info.Size() > int64(limit) {
		return "", false
	}
	b, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	if err != nil || len(b) > limit || !utf8.Valid(b) || strings.IndexByte(string(b), 0) >= 0 {
		return "", false
	}
	return string(b), true
}

// Absent reports whether nothing exists at path, so that an edit would create a file. It returns false if path can't be
// resolved.
func (r *Paths) Absent(path string) bool {
	l, known := r.resolve(path)
	if !known || l.err != nil || path == "" {
		return false
	}
	return !l.Exists()
}
