package workspace

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/junegunn/fzf/src/algo"
	"github.com/junegunn/fzf/src/util"
)

// names holds the files and folders in a folder, prepared for searching.
type names struct {
	all    []name
	recent []int32 // indexes in all: files, last changed first, then folders
}

// name is a file or folder. Its path and last element share memory, so that 100,000
// names take only a few megabytes.
type name struct {
	path string
	all  util.Chars // the whole path
	base util.Chars // last element
}

// entry is a file or folder as read from disk.
type entry struct {
	path    string // relative to the folder, with slashes; a folder has a trailing slash
	changed int64  // modification time in nanoseconds; 0 for folders
}

// paths configures the matching library to prefer the starts of path elements.
var paths = sync.OnceFunc(func() { algo.Init("path") })

func newNames(entries []entry) *names {
	paths()
	n := &names{all: make([]name, len(entries)), recent: make([]int32, len(entries))}
	for i, e := range entries {
		text := []byte(e.path)
		at := len(e.path) - len(baseOf(e.path))
		n.all[i] = name{path: e.path, all: util.ToChars(text), base: util.ToChars(text[at:])}
		n.recent[i] = int32(i)
	}
	slices.SortFunc(n.recent, func(a, b int32) int {
		return cmp.Or(-cmp.Compare(entries[a].changed, entries[b].changed), strings.Compare(entries[a].path, entries[b].path))
	})
	return n
}

// baseOf returns the last element of a path, including a folder's trailing slash.
func baseOf(p string) string { return p[strings.LastIndexByte(strings.TrimSuffix(p, "/"), '/')+1:] }

// recentFiles returns the files shown for an empty query.
func (n *names) recentFiles(mentioned []string, limit int) FileMatches {
	found := FileMatches{Files: []File{}, Total: len(n.all)}
	add := func(p string) {
		if len(found.Files) < limit && !slices.ContainsFunc(found.Files, func(f File) bool { return f.Path == p }) {
			found.Files = append(found.Files, File{Path: p, Marks: []int{}})
		}
	}
	for _, p := range mentioned {
		if i := slices.IndexFunc(n.all, func(other name) bool { return strings.TrimSuffix(other.path, "/") == strings.TrimSuffix(p, "/") }); i >= 0 {
			add(n.all[i].path)
		}
	}
	for _, i := range n.recent {
		if len(found.Files) >= limit {
			break
		}
		add(n.all[i].path)
	}
	return found
}

// hit is a matching name.
type hit struct {
	at     int32 // index in names.all
	score  int
	inBase bool // the last element of the path matches
}

// find returns up to limit matches for a query, best first.
func (n *names) find(ctx context.Context, query string, limit int) (FileMatches, error) {
	terms := termsOf(query)
	inBase := !slices.ContainsFunc(terms, func(t []rune) bool { return slices.Contains(t, '/') })
	slab := util.MakeSlab(100<<10, 2<<10)
	found := FileMatches{Files: []File{}}
	best := make([]hit, 0, 4*limit)
	for i := range n.all {
		if i%1024 == 0 && ctx.Err() != nil {
			return found, ctx.Err()
		}
		h, ok := n.all[i].match(terms, inBase, slab)
		if !ok {
			continue
		}
		found.Total++
		h.at = int32(i)
		if best = append(best, h); len(best) == cap(best) {
			slices.SortFunc(best, n.compare)
			best = best[:limit]
		}
	}
	slices.SortFunc(best, n.compare)
	for _, h := range best[:min(len(best), limit)] {
		one := &n.all[h.at]
		found.Files = append(found.Files, File{Path: one.path, Marks: one.marks(terms, h.inBase, slab)})
	}
	return found, nil
}

// termsOf splits a query into words, normalized for the matching library.
func termsOf(query string) (terms [][]rune) {
	for _, word := range strings.Fields(strings.ToLower(strings.ReplaceAll(query, `\`, "/"))) {
		terms = append(terms, algo.NormalizeRunes([]rune(word)))
	}
	return terms
}

// basePoints is the bonus for each matching letter in the last element of a path.
const basePoints = 8

// match returns the score of a name. If inBase is true, it tries the last element of the path before the whole path. ok
// is false unless all terms match.
func (f *name) match(terms [][]rune, inBase bool, slab *util.Slab) (h hit, ok bool) {
	if inBase {
		if score, ok := score(&f.base, terms, slab); ok {
			for _, t := range terms {
				score += basePoints * len(t)
			}
			return hit{score: score, inBase: true}, true
		}
	}
	h.score, ok = score(&f.all, terms, slab)
	return h, ok
}

func score(in *util.Chars, terms [][]rune, slab *util.Slab) (sum int, ok bool) {
	for _, t := range terms {
		r, _ := algo.FuzzyMatchV2(false, true, true, in, t, false, slab)
		if r.Start < 0 {
			return 0, false
		}
		sum += r.Score
	}
	return sum, true
}

// compare orders hits by score, then files before folders, then by length, then by path.
func (n *names) compare(a, b hit) int {
	x, y := &n.all[a.at], &n.all[b.at]
	folder := func(f *name) int { return strings.Count(f.path[len(f.path)-1:], "/") }
	return cmp.Or(
		-cmp.Compare(a.score, b.score),
		cmp.Compare(folder(x), folder(y)),
		cmp.Compare(x.base.Length(), y.base.Length()),
		cmp.Compare(len(x.path), len(y.path)),
		strings.Compare(x.path, y.path),
	)
}

// marks returns the matching positions in a name, in UTF-16 code units.
func (f *name) marks(terms [][]rune, inBase bool, slab *util.Slab) []int {
	in, first := &f.all, 0
	if inBase {
		in, first = &f.base, f.all.Length()-f.base.Length()
	}
	at := map[int]bool{}
	for _, t := range terms {
		if _, positions := algo.FuzzyMatchV2(false, true, true, in, t, true, slab); positions != nil {
			for _, p := range *positions {
				at[first+p] = true
			}
		}
	}
	marks := make([]int, 0, len(at))
	letter, unit := 0, 0
	for _, r := range f.path {
		if at[letter] {
			marks = append(marks, unit)
		}
		letter++
		unit += max(utf16.RuneLen(r), 1)
	}
	return marks
}

// withFolders adds the parent folders of the entries. It drops names that aren't valid
// UTF-8, and entries beyond MaxFiles.
func withFolders(entries []entry) []entry {
	seen := map[string]bool{}
	for _, e := range entries {
		if strings.HasSuffix(e.path, "/") {
			seen[e.path] = true
		}
	}
	for _, e := range entries {
		for dir := path.Dir(strings.TrimSuffix(e.path, "/")); dir != "." && !seen[dir+"/"]; dir = path.Dir(dir) {
			seen[dir+"/"] = true
			entries = append(entries, entry{path: dir + "/"})
		}
	}
	entries = slices.DeleteFunc(entries, func(e entry) bool { return !utf8.ValidString(e.path) })
	return entries[:min(len(entries), MaxFiles)]
}
