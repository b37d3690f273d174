package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// tree reads the repository's work tree or its git directory, and nothing outside that directory.
type tree struct {
	*walker
	root   *os.Root
	prefix string // prefix of its files in Entry.File: ".git/" for a git directory
	level  string // current folder, relative to root
	work   *tree  // for a git directory: its work tree
}

// absent returns a function that reports whether the first part of a location's path, such as .github, is missing from
// a folder of the tree. The parameter level is that folder's path. The function caches its results, since many
// locations share a first part.
func (t *tree) absent(level string) func(Location) bool {
	known := map[string]bool{}
	return func(p Location) bool {
		first, _, _ := strings.Cut(p.Path, "/")
		gone, ok := known[first]
		if !ok {
			_, err := t.root.Lstat(path.Join(level, first))
			gone = errors.Is(err, fs.ErrNotExist) && !strings.Contains(first, "*")
			known[first] = gone
		}
		return gone
	}
}

// scan adds the entries of a location's files: those that match the pattern, which is relative to the tree.
func (t *tree) scan(p Location, pattern string) {
	dir, all := strings.CutSuffix(pattern, "/**")
	switch {
	case all:
		t.folder(p, dir, 0)
	case strings.Contains(pattern, "*"):
		for _, e := range t.list(p, path.Dir(pattern)) {
			if ok, err := path.Match(path.Base(pattern), e.Name()); ok && err == nil {
				t.file(p, path.Join(path.Dir(pattern), e.Name()))
			}
		}
	default:
		t.file(p, pattern)
	}
}

// folder adds the entries of all files below a directory.
func (t *tree) folder(p Location, dir string, depth int) {
	if depth > maxDepth {
		t.findings.Incomplete = true
		return
	}
	for _, e := range t.list(p, dir) {
		if t.full() {
			return
		}
		name := path.Join(dir, e.Name())
		info, err := t.root.Stat(name)
		if err == nil && info.IsDir() {
			t.folder(p, name, depth+1)
		} else {
			t.file(p, name)
		}
	}
}

// list returns the files and folders in a directory. If dir is the path of a file, list adds the file's entries
// instead. A directory that can't be read becomes an entry, as does a link that leads out of the tree.
func (t *tree) list(p Location, dir string) []fs.DirEntry {
	info, err := t.root.Stat(dir)
	if err != nil {
		t.noteUnread(p, dir, err)
		return nil
	}
	if !info.IsDir() {
		t.file(p, dir)
		return nil
	}
	d, err := t.root.Open(dir)
	if err != nil {
		t.noteUnread(p, dir, err)
		return nil
	}
	defer d.Close()
	entries, err := d.ReadDir(maxFiles + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		t.noteUnread(p, dir, err)
	}
	if len(entries) > maxFiles {
		t.findings.Incomplete = true
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries
}

// file adds the entries of a file at a location, if the file exists.
func (t *tree) file(p Location, name string) {
	body, whole, sum, err := t.read(name)
	switch {
	case errors.Is(err, errFolder):
	case err != nil:
		t.noteUnread(p, name, err)
	case !whole:
		t.note(p, name, NoteLarge, "", sum)
	default:
		t.entries(p, name, body)
	}
}

var (
	errFolder  = errors.New("folder")
	errSpecial = errors.New("special")
)

// read returns a file's content and the content's digest. If the file is larger than maxFile, read returns only the
// digest, and whole is false. The error is errFolder for a folder, and for any path once a limit has been reached. It
// is errSpecial for anything else that isn't a regular file.
func (t *tree) read(name string) (body []byte, whole bool, sum string, err error) {
	if t.full() {
		return nil, false, "", errFolder
	}
	if body, ok := t.instead[t.prefix+name]; ok {
		if body == nil {
			return nil, false, "", fs.ErrNotExist
		}
		t.files, t.bytes = t.files+1, t.bytes+int64(len(body))
		sum := sha256.Sum256(body)
		return body, true, hex.EncodeToString(sum[:]), nil
	}
	info, err := t.root.Stat(name)
	switch {
	case err != nil:
		return nil, false, "", err
	case info.IsDir():
		return nil, false, "", errFolder
	case !info.Mode().IsRegular():
		return nil, false, "", errSpecial
	}
	f, err := t.root.OpenFile(name, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		return nil, false, "", err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, false, "", errSpecial
	}
	t.files++
	h := sha256.New()
	body, err = io.ReadAll(io.TeeReader(io.LimitReader(f, maxFile+1), h))
	t.bytes += int64(len(body))
	if err != nil {
		return nil, false, "", err
	}
	if len(body) > maxFile {
		n, err := io.Copy(h, io.LimitReader(f, max(0, maxBytes-t.bytes)))
		t.bytes += n
		if err != nil {
			return nil, false, "", err
		}
		if int64(len(body))+n < info.Size() {
			t.findings.Incomplete = true
		}
		return nil, false, hex.EncodeToString(h.Sum(nil)), nil
	}
	return body, true, hex.EncodeToString(h.Sum(nil)), nil
}

// noteUnread adds an entry for a file or folder that exists but can't be read. For a
// link that leads out of the tree, the entry shows the link's target.
func (t *tree) noteUnread(p Location, name string, err error) {
	if errors.Is(err, fs.ErrNotExist) && !t.linked(name) || errors.Is(err, syscall.ENOTDIR) {
		return
	}
	for at := name; at != "." && at != "/"; at = path.Dir(at) {
		if to, err := t.root.Readlink(at); err == nil {
			to = filepath.ToSlash(to)
			t.note(p, name, NoteLink, to, to)
			return
		}
	}
	t.note(p, name, NoteUnread, "", err.Error())
}

// linked reports whether name is a symlink.
func (t *tree) linked(name string) bool {
	info, err := t.root.Lstat(name)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// script is a file named in the value of an entry.
type script struct{ name, sum string }

// maxScripts is the maximum number of words in a value that the method scripts looks up as files.
const maxScripts = 64

// scripts returns the files in the repository that an entry's value names. These files run with the entry,
// so they count as part of its content.
func (t *tree) scripts(file, value string) (out []script) {
	in := t
	if t.work != nil {
		in = t.work
	}
	looked := 0
	for word := range strings.FieldsFuncSeq(value, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`;|&()<>=,:[]", r) }) {
		if at := strings.IndexByte(word, '/'); strings.HasPrefix(word, "$") && at > 0 {
			word = word[at+1:] // for example $CLAUDE_PROJECT_DIR/run.sh
		}
		word = strings.TrimPrefix(filepath.ToSlash(word), "./")
		if word == "" || len(word) > 300 || strings.HasPrefix(word, "-") || !filepath.IsLocal(word) {
			continue
		}
		if looked++; looked > maxScripts {
			break
		}
		for _, dir := range []string{in.level, ".", path.Dir(file)} {
			name := path.Join(dir, word)
			if slices.ContainsFunc(out, func(s script) bool { return s.name == name }) {
				continue
			}
			if _, _, sum, err := in.read(name); err == nil {
				out = append(out, script{name, sum})
			}
		}
	}
	return out
}
