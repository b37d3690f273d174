// Package request reads what an agent asks permission for: the commands, the files
// and the changes that a request names, in each of the ways in which agents name
// them, where its paths really lead, and what in it is unclear. It reads files of the
// folder and decides nothing.
package request

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend/diff"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/realpath"
)

// Changes are the changes that a request for call carries, one of each
// file: in its input as a unified diff, or as the texts before and after. path is
// what the request is about and named what it names. What is changed is added to
// r, and of what is more than a request may be about nothing is read. paths are all
// files that it says something of, changed or not. others says that it is a diff of
// several files, or of another than path, or may be.
func (r *Paths) Changes(path string, named []string, call gjson.Result) (changes []diff.Diff, paths []string, others bool) {
	at := map[string]int{} // where the change of a file is in changes
	add := func(path string, read func() diff.Diff) {
		r.Add(path)
		paths = append(paths, path)
		where, ok := r.Target(path)
		if !ok {
			return
		}
		if i, there := at[where]; there {
			changes[i] = changes[i].And(read())
			return
		}
		at[where] = len(changes)
		changes = append(changes, read())
	}
	parts, split := diff.Parts(call.Get("rawInput.diff").String())
	texts := call.Get(`content.#(type=="diff")#`).Array()
	if !split {
		r.Unclear, others = true, true
	}
	names := map[string]bool{}
	for _, path := range named {
		names[path] = true
	}
	if len(parts) == 1 && len(texts) > 0 && r.onlyLabels(parts[0], names) {
		parts, others = nil, true
	}
	for _, part := range parts {
		old, now := part.Names()
		if old != "" && now != "" { // it is called something else from now on
			was := r.absInGit(old, part, names)
			add(was, func() diff.Diff { return diff.Diff{Path: was} })
		}
		is := r.absInGit(cmp.Or(now, old), part, names)
		add(is, func() diff.Diff {
			d, _ := part.Diff(is)
			return d
		})
	}
	if len(parts) > 0 {
		where, _ := r.Target(path)
		_, there := at[where]
		others = others || len(parts) > 1 || len(at) > 1 || !there
	}
	// What the unified diff shows of a file is not shown again.
	told := map[string]bool{}
	for where, i := range at {
		told[where] = len(changes[i].Body) > 0
	}
	for _, c := range texts {
		path := Abs(r.folder, c.Get("path").String())
		if where, _ := r.Target(path); !told[where] {
			add(path, func() diff.Diff { return r.change(path, c.Get("oldText").String(), c.Get("newText").String()) })
		}
	}
	return changes, paths, others
}

// change is the change of a file that an agent shows with its texts before and
// after. Agents leave the text before out if they replace a file whole: then it is
// that of the file.
func (r *Paths) change(path, before, after string) diff.Diff {
	if l, ok := r.resolve(path); ok && before == "" && l.err == nil && l.Inside {
		if text, err := l.Read(0, 0); err == nil {
			before = text
		}
	}
	return diff.Of(path, before, after)
}

// onlyLabels says whether what a part calls its file may be no name: it leads to no
// file that is named, such as "before" and "after".
func (r *Paths) onlyLabels(part diff.Part, named map[string]bool) bool {
	old, now := part.Names()
	return !part.Git && !strings.ContainsAny(old+now, `/\`) && !named[r.absInGit(old, part, named)] && !named[r.absInGit(now, part, named)]
}

// absInGit is the file that a name in a unified diff means: the CLI's own diffs
// have whole paths, others may begin at the root of a repository, which is the
// folder or above it.
func (r *Paths) absInGit(name string, part diff.Part, named map[string]bool) string {
	if part.ByCLI() && !filepath.IsAbs(name) {
		name, _ = realpath.Plain(string(filepath.Separator) + name)
		return name
	}
	here := Abs(r.folder, name)
	if named[here] || filepath.IsAbs(name) {
		return here
	}
	for root := r.folder; filepath.Dir(root) != root; {
		root = filepath.Dir(root)
		if there, plain := realpath.Plain(realpath.Join(root, name)); plain && named[there] {
			return there
		}
	}
	return here
}

// MaxFiles is how many files a request is shown to be about. What is about more
// is asked for, and no rule can be made of it.
const MaxFiles = 200

// Paths is where the paths lead that a request is about. Each is followed once:
// what is shown, decided and granted is about the same files.
type Paths struct {
	folder   string
	resolved map[string]resolvedPath // of the paths that were followed
	other    map[string]bool         // where files lead
	Files    []string                // one path of each file, the first that was added
	added    map[string]bool         // all paths that were added
	More     bool                    // there are files besides
	Rest     []string                // those, by their names, each once
	passed   map[string]bool         // what is in rest
	Unclear  bool                    // it may be about files that it does not name
	Done     bool                    // no more paths are followed
	// Shown are those that are shown of the files, by where these lead; of one
	// with no steps nobody knows any more what it was made of.
	Shown map[string][]diff.Replacement
}

type resolvedPath struct {
	workspace.ResolvedPath
	err error // it cannot be followed, and Path is what it was called
}

func PathsOf(folder string, paths ...string) *Paths {
	r := &Paths{folder: folder, resolved: map[string]resolvedPath{}, other: map[string]bool{}, Shown: map[string][]diff.Replacement{}, added: map[string]bool{}, passed: map[string]bool{}}
	r.Add(paths...)
	return r
}

// resolve is where a path leads. It is false where so many were followed that one
// more is not, and for what comes up when all was looked at.
func (r *Paths) resolve(path string) (resolvedPath, bool) {
	if l, known := r.resolved[path]; known {
		return l, true
	}
	if r.Done || len(r.resolved) == 4*MaxFiles {
		return resolvedPath{}, false
	}
	place, err := workspace.LocateNamed(r.folder, path)
	if err != nil {
		place = workspace.ResolvedPath{Path: path}
	}
	r.resolved[path] = resolvedPath{place, err}
	return r.resolved[path], true
}

// Add makes paths some of those that the request is about.
func (r *Paths) Add(paths ...string) {
	for _, path := range paths {
		if path == "" {
			continue
		}
		r.added[path] = true
		l, ok := r.resolve(path)
		switch {
		case ok && r.other[l.Path]:
		case !ok || len(r.Files) == MaxFiles:
			r.AddOther(path)
		default:
			r.other[l.Path] = true
			r.Files = append(r.Files, path)
		}
	}
}

// AddOther says that there is one more file than the request may be about.
func (r *Paths) AddOther(path string) {
	r.More = true
	if path = realpath.Tidy(path); !r.passed[path] {
		r.passed[path] = true
		r.Rest = append(r.Rest, path)
	}
}

// Target tells whether two paths are one file. It is false where the request is
// not about it.
func (r *Paths) Target(path string) (where string, about bool) {
	l, ok := r.resolve(path)
	return l.Path, ok && r.other[l.Path]
}

// SameFile says whether two paths lead to one file.
func (r *Paths) SameFile(one, other string) bool {
	a, ok := r.resolve(one)
	b, too := r.resolve(other)
	return ok && too && a.Path == b.Path
}

// Real is the file that a path leads to. It is false where the request is not
// about it, or where nobody knows.
func (r *Paths) Real(path string) (file string, ok bool) {
	l, known := r.resolved[path]
	return l.Path, known && l.err == nil && r.other[l.Path]
}

// First are the paths without those that lead where one before does, and without
// those that the request is not about.
func (r *Paths) First(paths ...string) (out []string) {
	seen := map[string]bool{}
	for _, path := range paths {
		if path == "" {
			continue
		}
		if where, ok := r.Target(path); ok && !seen[where] {
			seen[where] = true
			out = append(out, path)
		}
	}
	return out
}

// Names are all files that the request is about, as they are called, as a program
// calls them that folds every "..", and where they lead, for the rules that deny.
func (r *Paths) Names() []string {
	names := map[string]bool{}
	for path := range r.added {
		names[path], names[filepath.Clean(path)] = true, true
		if l, known := r.resolved[path]; known {
			names[l.Path] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// Outside says whether one of the files is not in the folder. What cannot be
// followed counts as one that is not, and so does what is not known.
func (r *Paths) Outside() bool {
	return r.More || r.Unclear || slices.ContainsFunc(r.Files, func(path string) bool { return !r.resolved[path].Inside })
}

// AllInFolder says whether there are files and all of them are in the folder, wherever
// links on the way lead.
func (r *Paths) AllInFolder() bool {
	return len(r.Files) > 0 && !r.Outside() && !slices.ContainsFunc(r.Files, func(path string) bool { return r.resolved[path].IsFolder() })
}
