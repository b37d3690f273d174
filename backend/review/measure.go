package review

import (
	"bytes"
	"context"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/diff"
	"github.com/voxpilot/voxpilot/backend/snapshot"
)

const (
	// maxDiffed is the maximum size in bytes of a file that is compared.
	maxDiffed = 5 << 20
	// manyLines is the number of changed lines above which a file is considered large.
	manyLines = 2000
)

// measureTime is the time limit for comparing the files of a list. The files that haven't been compared by then are
// pending.
var measureTime = 6 * time.Second

// measure is the result of comparing both sides of a file.
type measure struct {
	added, removed int
	conflict       int
	binary         bool
	generated      bool
	tooLarge       bool
	encoded        bool // git stores the old side in another form than the new one on disk, so they aren't compared
	same           bool // git considers the file unchanged
	crlf           bool // the old side gets CR LF line endings, which the file has on disk
	size, oldSize  int64
	name           string // git's hash of the new side, or ""
}

// sides holds the contents of both sides of a file, and the result of comparing them. The content of a side that is too
// large is nil.
type sides struct {
	old, new []byte
	measure
}

// measure compares both sides of all files in a list. It combines each pair of a removed and an added file that are
// alike into one moved file, and removes files that haven't changed. The list's message states how many files weren't
// compared in time, unless q.First is positive: then the page asks again at once.
func (m *Manager) measure(ctx context.Context, l *list, q Request) error {
	hide := q.HideWhitespace
	ctx, cancel := context.WithTimeout(ctx, measureTime)
	defer cancel()
	l.readAttributes(ctx, l.files)
	missing, err := m.measureAll(ctx, l, l.files, hide)
	if err != nil {
		return err
	}
	kept := l.files[:0]
	for _, f := range l.files {
		if r, ok := m.measured(f, hide); !ok || !r.same || f.conflicted {
			kept = append(kept, f)
		}
	}
	if l.files, err = m.pairMoves(ctx, l, kept, hide); err != nil {
		return err
	}
	for i := range l.files {
		m.describe(l, &l.files[i], hide)
		l.partial = l.partial || l.files[i].Pending
	}
	if missing > 0 && q.First == 0 {
		l.note(backend.Count(missing, "VoxPilot ran out of time while counting the lines of 1 file.", "VoxPilot ran out of time while counting the lines of %d files."))
	}
	return nil
}

// compare compares the contents of both sides of a file and stores the result in s.measure.
func (l *list) compare(ctx context.Context, f file, s *sides, hide bool) {
	if s.tooLarge {
		return
	}
	attributes := l.attributes[f.Path]
	if f.old.blob != "" && f.new.blob == "" && f.new.kind == snapshot.File && f.old.kind == snapshot.File {
		l.convert(ctx, f, s, attributes)
	}
	if s.name == "" && l.like != "" && f.new.exists() && f.new.commit == "" {
		s.name = blobName(s.new, l.like)
	}
	if l.onDisk && f.old.blob != "" && f.old.kind == snapshot.File && !s.same {
		// If git's configuration can't be read, the file is compared as it is.
		if s.encoded, _ = l.repo.isEncoded(ctx, l.attributes[f.oldPath()], s.old, s.new); s.encoded {
			s.tooLarge, s.conflict = true, conflicts(s.new)
			return
		}
	}
	head := s.new
	if !f.new.exists() {
		head = s.old
	}
	s.generated = isGenerated(f.Path, head, attributes)
	if s.binary = !isText(s.old) || !isText(s.new) || attributes["diff"] == "unset"; s.binary {
		return
	}
	if f.new.exists() {
		s.conflict = conflicts(s.new)
	}
	for _, b := range diff.Blocks(diff.Lines(string(s.old)), diff.Lines(string(s.new)), spaceKey(hide)) {
		s.added, s.removed = s.added+b.News, s.removed+b.Olds
	}
}

func spaceKey(hide bool) func(string) string {
	if hide {
		return diff.WithoutSpace
	}
	return nil
}

// convert sets s.name, and also s.same if git considers the file on disk unchanged. If git converts the file's line
// endings, and most of those on disk are CR LF, convert also changes the line endings of the old side to CR LF.
func (l *list) convert(ctx context.Context, f file, s *sides, attributes map[string]string) {
	s.name = blobName(s.new, f.old.blob)
	sameMode := f.old.mode == f.new.mode
	if s.name == f.old.blob {
		s.same = sameMode
		return
	}
	if !bytes.Contains(s.new, []byte("\r\n")) || bytes.Contains(s.old, []byte("\r\n")) || bytes.IndexByte(s.new, 0) >= 0 || !l.repo.converts(ctx, attributes) {
		return
	}
	unix := bytes.ReplaceAll(s.new, []byte("\r\n"), []byte("\n"))
	if name := blobName(unix, f.old.blob); name == f.old.blob {
		s.same, s.name = sameMode, name
	}
	if mostlyCRLF(s.new) {
		s.old, s.crlf = bytes.ReplaceAll(s.old, []byte("\n"), []byte("\r\n")), true
	}
}

func mostlyCRLF(text []byte) bool {
	return 2*bytes.Count(text, []byte("\r\n")) > bytes.Count(text, []byte("\n"))
}

// isText reports whether content is text. Content that contains a NUL byte isn't.
func isText(content []byte) bool { return bytes.IndexByte(content, 0) < 0 }

// conflicts returns the number of pairs of conflict markers in a text that have a separator between them. It doesn't
// check whether the conflicts are well-formed.
func conflicts(text []byte) (n int) {
	if !bytes.Contains(text, []byte("<<<<<<<")) {
		return 0
	}
	state := 0
	for line := range bytes.Lines(text) {
		switch {
		case bytes.HasPrefix(line, []byte("<<<<<<< ")):
			state = 1
		case state == 1 && bytes.Equal(bytes.TrimRight(line, "\r\n"), []byte("=======")):
			state = 2
		case state == 2 && bytes.HasPrefix(line, []byte(">>>>>>> ")):
			state, n = 0, n+1
		}
	}
	return n
}

// describe sets the fields of f.ReviewFile from the result of comparing the file.
func (m *Manager) describe(l *list, f *file, hide bool) {
	r, isMeasured := m.measured(*f, hide)
	f.Version, f.Pending = f.version(), !isMeasured
	f.old.crlf, f.old.encoded = r.crlf, r.encoded
	f.Added, f.Removed, f.Binary, f.Generated, f.Conflict, f.TooLarge = r.added, r.removed, r.binary, r.generated, r.conflict, r.tooLarge
	f.Large = r.tooLarge || r.added+r.removed > manyLines
	size, oldSize := r.size, r.oldSize
	if f.Pending {
		size, oldSize = f.new.size, f.old.size
	}
	if f.Size = size; !f.new.exists() {
		f.Size = oldSize
	}
	isSame := f.old.content() == f.new.content() || r.name != "" && r.name == f.old.blob
	f.Resolved = f.conflicted && (r.same || isSame && f.old.mode == f.new.mode)
	switch {
	case f.old.commit != "" || f.new.commit != "":
		f.Kind = backend.ReviewSubmodule
	case f.From != "":
		f.Kind = backend.ReviewMoved
	case !f.new.exists():
		f.Kind = backend.ReviewRemoved
	case !f.old.exists():
		f.Kind = backend.ReviewAdded
	case isSame && !f.Resolved:
		f.Kind = backend.ReviewMode
	default:
		f.Kind = backend.ReviewEdited
	}
	if f.old.exists() && f.new.exists() && f.old.mode != f.new.mode {
		f.Mode = []string{f.old.mode, f.new.mode}
	}
	if f.Staged == backend.StagedPart && f.index != "" && f.index == r.name {
		f.Staged = backend.StagedAll
	}
	if f.From != "" && f.Staged != f.removed {
		f.Staged = backend.StagedPart
	}
	if f.Index = string(f.Staged); f.Staged == backend.StagedPart {
		f.Index += ":" + f.index
	}
}

// content returns a string that identifies the side's content, without its mode.
func (s side) content() string { return strings.TrimPrefix(s.id(), s.mode) }

// cut returns the first n characters of a line. ok is false if the line is longer.
func cut(line string, n int) (start string, ok bool) {
	if len(line) <= n {
		return line, true
	}
	for i := range line {
		if n == 0 {
			return line[:i], false
		}
		n--
	}
	return line, true
}
