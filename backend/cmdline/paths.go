package cmdline

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend/workspace"
)

// Limits on the work for one command.
const (
	maxPaths   = 500  // words and parts of words to resolve
	maxEntries = 2000 // each of: files in a folder to match against a pattern, matching files, words
)

// walker resolves the words of one command in a folder.
type walker struct {
	folder    string
	anywhere  bool // paths may lead out of the folder
	remaining int  // number of paths that may still be resolved
}

// leaves reports whether a path leads out of the folder when it is used by a command that runs in the folder. A
// path that can't be resolved counts as outside, and so does every path after the first maxPaths. /dev/null counts as
// inside, and if w.anywhere is set, so does every other path.
func (w *walker) leaves(path string) bool {
	if w.anywhere || path == "/dev/null" {
		return false
	}
	if w.remaining--; w.remaining < 0 || strings.HasPrefix(path, "~") || strings.IndexByte(path, 0) >= 0 {
		return true
	}
	if !filepath.IsAbs(path) {
		path = w.folder + string(filepath.Separator) + path
		if !slices.Contains(strings.Split(filepath.ToSlash(path[len(w.folder):]), "/"), "..") && !w.hasLink(path) {
			return false // inside the folder, or not a file, such as a branch name
		}
	}
	place, err := workspace.LocateNamed(w.folder, path)
	return err != nil || !place.Inside
}

// hasLink reports whether a component of path that is below the folder is a symbolic link.
func (w *walker) hasLink(path string) bool {
	for path = filepath.Clean(path); len(path) > len(w.folder); path = filepath.Dir(path) {
		if info, err := os.Lstat(path); err == nil && info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0 {
			return true
		}
	}
	return false
}

// names returns the words into which the shell may expand a pattern: the pattern itself and the names of the files
// that currently match. ok is false if there are too many words or if they can't be determined.
func (w *walker) names(pattern string) (out []string, ok bool) {
	out = []string{pattern}
	if strings.Contains(pattern, "**") {
		return nil, false // zsh searches all subfolders
	}
	before := pattern[:strings.IndexAny(pattern, "*?[")]
	if i := strings.LastIndexByte(before, '/'); i >= 0 && w.leaves(before[:i+1]) {
		return nil, false // folders outside aren't read
	}
	dir, parts := w.folder, strings.Split(pattern, "/")
	base := ""
	if strings.HasPrefix(pattern, "/") {
		dir, base, parts = "/", "/", parts[1:]
	}
	type found struct{ dir, text string }
	now := []found{{dir, base}}
	for i, part := range parts {
		var next []found
		for _, f := range now {
			if !strings.ContainsAny(part, "*?[") {
				next = append(next, found{filepath.Join(f.dir, part), f.text + part})
				continue
			}
			entries, err := readNames(f.dir)
			if err != nil {
				return nil, false
			}
			for _, name := range entries {
				if mayMatch(part, name) {
					next = append(next, found{filepath.Join(f.dir, name), f.text + name})
				}
			}
			if len(next) > maxEntries {
				return nil, false
			}
		}
		if i < len(parts)-1 {
			for j := range next {
				next[j].text += "/"
			}
		}
		now = next
	}
	for _, f := range now {
		if _, err := os.Lstat(f.dir); err == nil && f.text != pattern {
			out = append(out, f.text)
		}
	}
	return out, true
}

// readNames returns the names of the files in a folder, or none if the folder doesn't exist. It returns an error if the
// folder contains more than maxEntries files or can't be read.
func readNames(dir string) ([]string, error) {
	f, err := openFolder(dir)
	if errors.Is(err, fs.ErrNotExist) || notDirectory(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(maxEntries + 1)
	if len(names) > maxEntries {
		return nil, errSize
	}
	if err == nil || errors.Is(err, io.EOF) || len(names) == 0 && notDirectory(err) {
		return names, nil
	}
	return nil, err
}

// mayMatch reports whether one component of a path pattern may match a file name in some shell. It compares only
// the text before the first wildcard and the text after the last one.
func mayMatch(pattern, name string) bool {
	head, _, _ := strings.Cut(pattern, "[")
	if i := strings.IndexAny(head, "*?"); i >= 0 {
		head = head[:i]
	}
	if !strings.HasPrefix(name, head) {
		return false
	}
	tail := pattern[strings.LastIndexAny(pattern, "*?]")+1:]
	return len(name) >= len(head)+len(tail) && strings.HasSuffix(name, tail)
}

// pathsIn returns the parts of a word that a program may use as a path: the word itself unless it is an option,
// the text after each "=", ":", "@" or ",", and the text before ":" or ",". If glued is true, the parts include
// values attached to single-letter options.
func pathsIn(word string, glued bool) (out []string) {
	add := func(text string) {
		if text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	whole := word
	if strings.HasPrefix(word, "-") && word != "-" {
		whole = strings.TrimLeft(word, "-")
		if glued && !strings.HasPrefix(word, "--") { // -Idir, -xvfdir: the value may start after any letter
			for i := 2; i < len(word) && i < 12; i++ {
				add(word[i:])
			}
		}
	} else {
		add(word)
	}
	for i, c := range whole {
		rest := whole[i+len(string(c)):]
		switch {
		case !strings.ContainsRune("=:@,", c):
		case c == ':' && strings.HasPrefix(rest, "//") && endsInWeb(whole[:i]):
		case c == '@' && isGeneration(rest):
		default:
			add(rest)
			if j := strings.IndexAny(rest, ":,"); j >= 0 {
				add(rest[:j])
			}
		}
	}
	if i := strings.IndexAny(whole, ":,"); i >= 0 && !strings.HasPrefix(word, "-") {
		add(whole[:i])
	}
	return out
}

// endsInWeb reports whether text ends with the scheme of a web address. The text that
// follows then isn't a file name.
func endsInWeb(text string) bool {
	scheme := strings.ToLower(text[strings.LastIndexAny(text, "=,@+ ")+1:])
	return scheme == "http" || scheme == "https"
}

// isGeneration reports whether text, which follows "@" in a word, starts with a step
// back to an earlier commit, as in @~2.
func isGeneration(text string) bool {
	rest, ok := strings.CutPrefix(text, "~")
	return ok && (rest == "" || rest[0] >= '0' && rest[0] <= '9')
}
