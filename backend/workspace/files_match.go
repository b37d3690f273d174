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

// names are the files and folders of a folder, ready to be searched.
type names struct {
	all    []name
	recent []int32 // files, the one changed last first, and then folders
}

// name is one of them. Its parts are slices of one text, so that a hundred
// thousand are a few megabytes.
type name struct {
	path string
	all  util.Chars // path
	base util.Chars // its last part
}

// entry is a file or folder that was read.
type entry struct {
	path    string // from the folder on, with slashes; of a folder, one at its end
	changed int64  // in nanoseconds; 0 of folders
}

// paths sets the library to prefer the beginnings of the parts of a path.
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

// baseOf is the last part of a path, with the slash of a folder.
func baseOf(p string) string { return p[strings.LastIndexByte(strings.TrimSuffix(p, "/"), '/')+1:] }

// recentFiles is what is shown where nothing was asked for yet.
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

// hit is a name that fits.
type hit struct {
	at     int32
	score  int
	inBase bool
}

// find is the names that fit best.
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

// termsOf are the words of a query as the library takes them.
func termsOf(query string) (terms [][]rune) {
	for _, word := range strings.Fields(strings.ToLower(strings.ReplaceAll(query, `\`, "/"))) {
		terms = append(terms, algo.NormalizeRunes([]rune(word)))
	}
	return terms
}

// basePoints is what a letter counts more in the last part of a path.
const basePoints = 8

// match says how well a name fits, if it does: every term has to.
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

// compare orders hits: the better one first, and of two that are as good a file
// before a folder, and the shorter one.
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

// marks are the positions in a name that the terms stand for, in UTF-16.
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

// withFolders is entries and the folders that they are in, in order.
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
