package review_test

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend/diff"
)

// fileState is a file of the model. A nil pointer means that the file doesn't exist.
type fileState struct {
	text string
	perm fs.FileMode
}

// isExec reports whether the user may run the file.
func (f *fileState) isExec() bool { return f != nil && f.perm&0o100 != 0 }

// isLike reports whether two files have the same content, and either both or neither of them is executable.
func (f *fileState) isLike(o *fileState) bool { return sameText(f, o) && f.isExec() == o.isExec() }

func (f *fileState) content() string {
	if f == nil {
		return ""
	}
	return f.text
}

// isOpen reports whether the file's last line doesn't end with a newline.
func (f *fileState) isOpen() bool { return f.content() != "" && !strings.HasSuffix(f.content(), "\n") }

func (f *fileState) isBinary() bool { return strings.Contains(f.content(), "\x00") }

func (f *fileState) lines() []string { return diff.Lines(f.content()) }

func sameText(a, b *fileState) bool { return (a == nil) == (b == nil) && a.content() == b.content() }

// folder holds the files of a folder by path, except Git's own files.
type folder map[string]*fileState

// folder reads the files of the chat's folder.
func (e *env) folder() folder {
	e.T.Helper()
	files := folder{}
	err := filepath.WalkDir(e.chat.Folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == ".git":
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		name, err := filepath.Rel(e.chat.Folder, path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path) //nolint:gosec // a test
		files[filepath.ToSlash(name)] = &fileState{string(content), info.Mode().Perm()}
		return err
	})
	if err != nil {
		e.T.Fatal(err)
	}
	return files
}

// gitFiles describes all files in the repository's Git directory: their names, modes, times and contents.
func (e *env) gitFiles() string {
	e.T.Helper()
	var b strings.Builder
	err := filepath.WalkDir(e.path(".git"), func(path string, d fs.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil // no repository
		}
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path) //nolint:gosec // a test
		fmt.Fprintf(&b, "%s %s %d %x\n", path, info.Mode(), info.ModTime().UnixNano(), sha256.Sum256(content))
		return err
	})
	if err != nil {
		e.T.Fatal(err)
	}
	return b.String()
}

// differs returns the first path at which two folders differ, or "" if they are equal.
func (f folder) differs(o folder) string {
	for _, path := range slices.Sorted(maps.Keys(f)) {
		if other := o[path]; other == nil || *other != *f[path] {
			return path
		}
	}
	for _, path := range slices.Sorted(maps.Keys(o)) {
		if f[path] == nil {
			return path
		}
	}
	return ""
}

// hasEmptyFolder reports whether there is an empty folder at the path of a file, or anywhere inside a folder at that
// path.
func (e *env) hasEmptyFolder(name string) (has bool) {
	_ = filepath.WalkDir(e.path(name), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			entries, err := os.ReadDir(path)
			has = has || err == nil && len(entries) == 0
		}
		return nil
	})
	return has
}

// isBlocked reports whether a file can't be created at path because there is a folder at path, or a file at the path of
// one of its parent folders.
func (f folder) isBlocked(path string) bool {
	for other := range f {
		if strings.HasPrefix(other, path+"/") || strings.HasPrefix(path, other+"/") {
			return true
		}
	}
	return false
}

// lineEdit replaces lines of a text. The field at is the index of the first one.
type lineEdit struct {
	at             int
	removed, added []string
}

// change is a change to a file. If the file exists before and after the change, edits turn the old content into the new
// one; edits is nil if they aren't known.
type change struct {
	path     string
	from, to *fileState
	edits    []lineEdit
	own      []string // lines that it removes or adds, if edits isn't known
}

// lines returns the lines that the change removes or adds, as far as they are known.
func (c change) lines() []string {
	lines := slices.Clone(c.own)
	for _, e := range c.edits {
		lines = slices.Concat(lines, e.removed, e.added)
	}
	return lines
}

// result applies the change to the current file, its first parameter. It returns the resulting file, and the change
// that reverts it to the current one. The lines to change must not have been changed since. known is false if the model
// can't determine the result: the user has changed these lines or the lines next to them, or they can't be identified,
// for example because they aren't unique.
func (c change) result(is *fileState, isUnique bool) (to *fileState, back change, known bool) {
	back = change{path: c.path, own: c.lines()}
	switch {
	case sameText(is, c.from):
		if to = c.to; is.isExec() != c.from.isExec() && (to == nil || is.isBinary() || to.isBinary()) {
			return nil, back, false // the user has changed the mode
		}
		if c.from != nil && c.to != nil {
			if _, back.edits, known = spliced(is.lines(), is.lines(), c.edits); !known {
				back.edits = nil
			}
		}
	case !isUnique || hasRepeats(is, c.from, c.to) || is == nil || c.from == nil || c.to == nil || !isPlain(is, c.from, c.to) || len(c.edits) == 0 && !sameText(c.from, c.to):
		return nil, back, false
	default:
		var lines []string
		if lines, back.edits, known = spliced(is.lines(), c.from.lines(), c.edits); !known {
			return nil, back, false
		}
		to = &fileState{text: strings.Join(lines, "")}
	}
	if to != nil {
		to = &fileState{to.text, 0o600}
		if isExec := c.to.isExec(); isExec && (is == nil || isExec != c.from.isExec()) || is.isExec() && isExec == c.from.isExec() {
			to.perm = 0o700
		}
	}
	back.from, back.to = to, is
	return to, back, true
}

// isPlain reports whether all files are text whose last line ends with a newline. In other files, an edit of the lines
// before the last one can also change the last one.
func isPlain(files ...*fileState) bool {
	return !slices.ContainsFunc(files, func(f *fileState) bool { return f.isOpen() || f.isBinary() })
}

// spliced applies edits to the current lines of a text. The edits refer to another version of the text, whose lines are
// the second parameter. spliced also returns the edits that revert them. ok is false unless the current text contains
// all edited lines together with the lines next to them.
func spliced(now, from []string, edits []lineEdit) (text []string, back []lineEdit, ok bool) {
	at := 0
	for _, e := range edits {
		end := e.at + len(e.removed)
		start := max(0, e.at-1)
		i := e.at
		if !slices.Equal(now, from) {
			around := from[start:min(len(from), end+1)]
			i = indexOf(now, around)
			if i < 0 || e.at == 0 && i != 0 || end == len(from) && i+len(around) != len(now) {
				return nil, nil, false
			}
			i += e.at - start
		}
		if i < at {
			return nil, nil, false
		}
		text = append(text, now[at:i]...)
		back = append(back, lineEdit{len(text), e.added, e.removed})
		text = append(text, e.added...)
		at = i + len(e.removed)
	}
	return append(text, now[at:]...), back, true
}

// withEnds adds the missing line break to every line except the last.
func withEnds(lines []string, end string) []string {
	lines = slices.Clone(lines)
	for i := range max(0, len(lines)-1) {
		if !strings.HasSuffix(lines[i], "\n") {
			lines[i] += end
		}
	}
	return lines
}

// hasRepeats reports whether any line occurs more than once in one of the files.
func hasRepeats(files ...*fileState) bool {
	return slices.ContainsFunc(files, func(f *fileState) bool {
		lines := map[string]bool{}
		for _, line := range f.lines() {
			lines[line] = true
		}
		return len(lines) < len(f.lines())
	})
}

// others returns the lines of a file that a change neither removes nor adds, without their line breaks. If some is
// true, it returns only those that the user has written since, because other lines may occur more than once.
func (c change) others(f *fileState, some bool) (lines []string) {
	in := func(s *fileState) map[string]bool {
		lines := map[string]bool{}
		for _, line := range s.lines() {
			lines[strings.TrimRight(line, "\r\n")] = true
		}
		return lines
	}
	from, to, own := in(c.from), in(c.to), map[string]bool{}
	for _, line := range c.lines() {
		own[strings.TrimRight(line, "\r\n")] = true
	}
	for _, line := range f.lines() {
		line = strings.TrimRight(line, "\r\n")
		if from[line] == to[line] && !(some && (from[line] || !strings.HasPrefix(line, "mine"))) && !own[line] {
			lines = append(lines, line)
		}
	}
	return lines
}

// isShownBy reports whether a unified diff leads from the current file to the file after the change.
func (c change) isShownBy(unified string, is *fileState) bool {
	was, ok := diff.Undo([]byte(c.to.content()), []byte(unified))
	return ok && string(was) == is.content()
}
