// Package request analyzes permission requests. It finds the commands, files and changes that a request names, in the
// various forms used by agents. It also resolves paths and finds unclear fields. It reads files but makes no decisions.
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

// Changes returns the file changes that a request's tool call shows, at most one per file. They come from the
// unified diff in the call's input and from the pairs of old and new text in its content. path is the request's main
// path, and named holds all paths that the request names. Changes adds the changed files to r. The second result
// lists all files mentioned in the diff and the pairs. The third result, others, is true if the unified diff covers,
// or may cover, several files or a file other than path.
func (r *Paths) Changes(path string, named []string, call gjson.Result) (changes []diff.Diff, paths []string, others bool) {
	at := map[string]int{} // indexes in changes by resolved path
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
		if old != "" && now != "" { // the file is renamed
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
	// The pairs don't show a file's change again if the unified diff shows it.
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

// change returns the diff for a change to the file at path. The parameters before and after hold the old and the new
// text. Agents omit the old text if they replace a whole file. Therefore, if before is "" and the file is in the
// folder, change uses the current content of the file.
func (r *Paths) change(path, before, after string) diff.Diff {
	if l, ok := r.resolve(path); ok && before == "" && l.err == nil && l.Inside {
		if text, err := l.Read(0, 0); err == nil {
			before = text
		}
	}
	return diff.Of(path, before, after)
}

// onlyLabels reports whether the names of the files in a section of a unified diff may be mere labels, such as
// "before" and "after". That is possible if the request doesn't name such files. The parameter part is the section,
// and named holds the paths that the request names.
func (r *Paths) onlyLabels(part diff.Part, named map[string]bool) bool {
	old, now := part.Names()
	return !part.Git && !strings.ContainsAny(old+now, `/\`) && !named[r.absInGit(old, part, named)] && !named[r.absInGit(now, part, named)]
}

// absInGit returns the absolute path of a file in a unified diff. The parameter name is the file's name in the diff,
// part is the section of the diff, and named holds the paths that the request names. The CLI's own diffs have absolute
// paths. Other paths may be relative to the root of a repository, which is the folder or one of its parents. absInGit
// chooses the nearest of these folders in which the name leads to a file that the request names. If there is none, the
// path counts as relative to the folder.
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

// MaxFiles is the maximum number of files shown for a request. The user must always decide
// on larger requests, and no rule can be created for them.
const MaxFiles = 200

// Paths holds the resolved paths of a request. Each path is resolved only once, so that the user sees the same files
// that the decision and the resulting grant cover.
type Paths struct {
	folder   string
	resolved map[string]resolvedPath // by unresolved path
	other    map[string]bool         // set of the resolved paths of Files
	Files    []string                // one path per file: the first one added
	added    map[string]bool         // all added paths
	More     bool                    // there are more files than MaxFiles
	Rest     []string                // names of the files beyond MaxFiles, without duplicates
	passed   map[string]bool         // the names in Rest
	Unclear  bool                    // the request may also concern files that it doesn't name
	Done     bool                    // no further paths are resolved
	// Proposed holds the replacements shown for each file, by resolved path. An empty, non-nil list
	// means that a change was shown whose replacements aren't known.
	Proposed map[string][]diff.Replacement
}

type resolvedPath struct {
	workspace.ResolvedPath
	err error // the reason why the path can't be resolved, or nil; if it is set, Path is the unresolved path
}

// PathsOf returns the Paths of a request with the given paths, resolved against the folder.
func PathsOf(folder string, paths ...string) *Paths {
	r := &Paths{folder: folder, resolved: map[string]resolvedPath{}, other: map[string]bool{}, Proposed: map[string][]diff.Replacement{}, added: map[string]bool{}, passed: map[string]bool{}}
	r.Add(paths...)
	return r
}

// resolve resolves a path. It returns false for a new path if the limit on resolved paths has been reached or Done is
// set.
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

// Add adds paths to Files. Once Files has MaxFiles elements, or no further paths are resolved, it adds them to Rest. It
// skips "" and paths of files that are already in Files.
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

// AddOther adds the path of a file beyond MaxFiles to Rest.
func (r *Paths) AddOther(path string) {
	r.More = true
	if path = realpath.Tidy(path); !r.passed[path] {
		r.passed[path] = true
		r.Rest = append(r.Rest, path)
	}
}

// Target returns the resolved path, which identifies the file, or "" if resolve returns false. listed is true if the
// file is one of Files.
func (r *Paths) Target(path string) (where string, listed bool) {
	l, ok := r.resolve(path)
	return l.Path, ok && r.other[l.Path]
}

// SameFile reports whether two paths resolve to the same file.
func (r *Paths) SameFile(one, other string) bool {
	a, ok := r.resolve(one)
	b, too := r.resolve(other)
	return ok && too && a.Path == b.Path
}

// Real returns the file that a path was resolved to. ok is false if the path hasn't been resolved, can't be
// resolved, or leads to a file that isn't one of Files.
func (r *Paths) Real(path string) (file string, ok bool) {
	l, known := r.resolved[path]
	return l.Path, known && l.err == nil && r.other[l.Path]
}

// First returns the given paths that lead to one of Files. If several of them lead to the same file, it returns only
// the first.
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

// Names returns all names of the request's files, for comparison with deny rules: the paths as they were added, in
// cleaned form (filepath.Clean), and resolved.
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

// Outside reports whether any of the request's files is outside the folder. Files that can't be
// resolved count as outside. It also returns true if there are more files than MaxFiles, or if the
// request may concern files that it doesn't name.
func (r *Paths) Outside() bool {
	return r.More || r.Unclear || slices.ContainsFunc(r.Files, func(path string) bool { return !r.resolved[path].Inside })
}

// AllInFolder reports whether the request has files and all of them are inside the folder,
// with symbolic links resolved. The folder itself doesn't count as inside.
func (r *Paths) AllInFolder() bool {
	return len(r.Files) > 0 && !r.Outside() && !slices.ContainsFunc(r.Files, func(path string) bool { return r.resolved[path].IsFolder() })
}
